/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random reads with several outstanding (3, as bonnie++'s seekers), so that a drive may choose
 * their order and members of an array work at the same time. Each run is one batch whose queue is
 * kept full from its first read to its last; by the times of completion it is cut into batches,
 * and their means give the interval: Student's t, widened where neighbouring batches resemble each
 * other. Not counted: the first 2 * depth completions, while the queue finds its habit, and those
 * after the last read was issued, when it runs empty. */
#include "probe/probe_table.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "probe/full_queue.h"
#include "probe/random_reads.h"
#include "stat/robust.h"

#define DEPTH        3u
#define RUN_READS    32768u
#define BATCHES_MIN  12u
#define BATCH_MIN    4u /* completions in a batch */
#define BUDGET_SHARE 0.95
#define FLOOR_RATIO  0.0005

struct seekers {
	struct session s;
	struct rng rng;
	struct places places;
	unsigned depth;
	size_t runs, batches; /* batches: of each run */
	double *done_s;       /* of one run, ascending */
	double *seconds_each; /* one completion's share, by batch, over all runs */
	size_t used;          /* batches filled */
	double *cpu_s, *iops; /* by run: processor time of one read, reads per second */
	uint64_t samples;
};

/* Cuts one run into batches of the same number of completions. false: too few. */
static bool cut(struct seekers *q, size_t run, size_t n)
{
	size_t good = full_queue_times(q->s.ios, n, q->s.start_ns, 2 * (size_t)q->depth, q->done_s);
	size_t each = good ? (good - 1) / q->batches : 0;
	double span;

	if (each < BATCH_MIN)
		return false;
	for (size_t b = 0; b < q->batches; b++)
		q->seconds_each[q->used++] =
			(q->done_s[(b + 1) * each] - q->done_s[b * each]) / (double)each;
	span = q->done_s[q->batches * each] - q->done_s[0];
	q->iops[run] = (double)(q->batches * each) / span;
	q->samples += q->batches * each;
	return span > 0;
}

static int one_run(struct seekers *q, size_t run, bool *enough)
{
	struct session *s = &q->s;
	uint64_t run_ns = (uint64_t)((double)s->scope->budget_ns * BUDGET_SHARE / (double)q->runs);
	struct witness after;
	struct watched sample;
	int status;

	do {
		sample = session_watch(s);
		places_draw(&q->places, s, &q->rng, 0, RUN_READS);
		status = session_run(s, RUN_READS, q->depth, drive_now_ns(s->drive) + run_ns);
		drive_witness(s->drive, &after);
	} while (session_again(s, &sample) && status == 0);
	if (status)
		return status;
	q->cpu_s[run] = cpu_share(&sample.before, &after, 1000000000u) /
		(double)(s->answered - sample.answered);
	*enough = cut(q, run, RUN_READS);
	return 0;
}

/* What one read costs, times the reads per second (f), so that the time before the queue is full
 * and while it runs empty does not count here either. */
static void put_cpu_share(struct seekers *q, struct finding f)
{
	struct interval each = {0}, iops = {.value = f.value, .low = f.low, .high = f.high};

	if (isnan(stat_mean(q->cpu_s, q->runs))) {
		doc_put_unknown(q->s.doc, "seekers.cpu_share", q->s.method,
			"this drive's reader does not tell its processor time");
		return;
	}
	if (interval_mean(q->cpu_s, q->runs, CONFIDENCE, &each)) {
		doc_put_unknown(q->s.doc, "seekers.cpu_share", q->s.method,
			"one run does not tell how much the processor's time differs");
		return;
	}
	each = interval_at_least(each, FLOOR_RATIO * each.value);
	each.low = fmax(each.low, each.value / 100);
	if (each.value > 0)
		each = interval_ratio(each, interval_inverse(iops, 1));
	f.value = each.value;
	f.low = each.low;
	f.high = each.high;
	f.spread = NAN;
	session_put(&q->s, "seekers.cpu_share", &f);
}

static void put(struct seekers *q)
{
	struct session *s = &q->s;
	struct interval v;
	struct finding f;

	if (interval_mean_correlated(q->seconds_each, q->used, CONFIDENCE, &v))
		return;
	v = interval_at_least(v, FLOOR_RATIO * v.value);
	f = session_finding(s, interval_inverse(v, 1), q->samples);
	f.request_bytes = q->places.request;
	f.depth = q->depth;
	f.runs = (unsigned)q->runs;
	f.spread = q->runs > 1 ? stat_sd(q->iops, q->runs) : NAN;
	session_put(s, "seekers.iops", &f);
	put_cpu_share(q, f);
}

static int measure(struct seekers *q)
{
	int status = session_warm_up(&q->s);

	for (size_t k = 0; k < q->runs && status == 0; k++) {
		bool enough = false;

		status = one_run(q, k, &enough);
		if (status)
			return status;
		if (!enough) {
			session_unknown(&q->s,
				"too few random reads were answered in the time there "
				"was%s", session_longer(&q->s));
			return 0;
		}
	}
	if (status == 0)
		put(q);
	return status;
}

int seekers_run(struct drive *d, const struct scope *scope, struct doc *doc, struct err *e)
{
	struct seekers q = {.depth = scope->depth ? scope->depth : DEPTH};
	int status = 0;

	q.runs = scope->runs;
	q.batches = (BATCHES_MIN + 3 + q.runs - 1) / q.runs;
	rng_init(&q.rng, scope->seed, 's');
	session_start(&q.s, "seekers", "seekers/1", RUN_READS, d, scope, doc, e);
	q.places = places_of(&q.s);
	q.done_s = mem_zalloc(RUN_READS, sizeof(double));
	q.seconds_each = mem_zalloc(q.runs * q.batches, sizeof(double));
	q.cpu_s = mem_zalloc(q.runs, sizeof(double));
	q.iops = mem_zalloc(q.runs, sizeof(double));
	if (places_suffice(&q.places, &q.s))
		status = measure(&q);
	session_end(&q.s);
	free(q.done_s);
	free(q.seconds_each);
	free(q.cpu_s);
	free(q.iops);
	return status;
}
