/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small random reads with 1, 2, 4 … 32 outstanding, each depth one batch whose queue is kept full.
 * What the drive makes of them shows in the time from one completion to the next; of a queue that is
 * always full the mean time of a read is the depth times that (Little's law), known far better so than
 * from the reads themselves, of which a short look holds few. With one arm there is nothing to gain from
 * two reads; each further arm shows at once: the two depths that tell it get the most time. */
#include "probe/probe_table.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "probe/full_queue.h"
#include "probe/random_reads.h"
#include "stat/robust.h"

#define LEVELS       6u
#define READS_MOST   8192u /* of one depth */
#define BATCHES      16u
#define BATCH_LEAST  3u    /* completions in a batch */
#define BATCHES_MIN  6u
#define SKIP         2u    /* times the depth */
#define UNSORTED_FROM 4u   /* depth: two reads gain nothing on any one arm */
#define UNSORTED_GAIN 1.12
#define FLOOR_RATIO  0.0005
#define BUDGET_SHARE 0.98

/* Shares of the time; a quick look leaves out three depths for the sake of those that tell an arm. */
static const struct {
	unsigned depth;
	double share, quick_share;
} levels[LEVELS] = {
	{1, 0.20, 0.30}, {2, 0.20, 0.30}, {4, 0.12, 0}, {8, 0.12, 0}, {16, 0.15, 0}, {32, 0.21, 0.40},
};

struct queue {
	struct session s;
	struct rng rng;
	struct places places;
	double *done_s, *each_s;
	struct interval iops[LEVELS];
	uint64_t samples[LEVELS]; /* 0: not known */
};

/* Reads per second from the completions done_s[0 … n-1]. false: too few. */
static bool rate(struct queue *q, size_t level, size_t n)
{
	size_t batches = BATCHES, each;
	struct interval v;

	while (batches > BATCHES_MIN && n < batches * BATCH_LEAST + 1)
		batches--;
	each = n > 0 ? (n - 1) / batches : 0;
	if (each < BATCH_LEAST)
		return false;
	for (size_t b = 0; b < batches; b++)
		q->each_s[b] = (q->done_s[(b + 1) * each] - q->done_s[b * each]) / (double)each;
	if (interval_mean_correlated(q->each_s, batches, CONFIDENCE, &v) || !(v.value > 0))
		return false;
	v = interval_at_least(v, FLOOR_RATIO * v.value);
	v = interval_of_logarithm(v.value, interval_half(v) / v.value);
	q->iops[level] = interval_inverse(v, 1);
	q->samples[level] = batches * each;
	return true;
}

/* The deepest level below this one that is known; LEVELS: none. */
static size_t known_below(const struct queue *q, size_t level)
{
	while (level-- > 0)
		if (q->samples[level])
			return level;
	return LEVELS;
}

/* When to issue no more, so that what is outstanding then is answered in time. */
static uint64_t last_issue_ns(const struct queue *q, size_t level, double slot_s)
{
	size_t below = known_below(q, level);
	double drain_s = 0;

	if (below < LEVELS)
		drain_s = levels[level].depth / q->iops[below].value;
	return drive_now_ns(q->s.drive) + (uint64_t)(fmax(slot_s - drain_s, slot_s / 2) * 1e9);
}

/* Completions to leave out, while the queue finds its habit; one that is not sorted has none. */
static size_t skipped(const struct queue *q, size_t level)
{
	size_t depth = levels[level].depth, below = known_below(q, level);

	if (below < LEVELS && levels[below].depth >= UNSORTED_FROM && q->samples[0] &&
		q->iops[below].value < UNSORTED_GAIN * q->iops[0].value)
		return SKIP;
	return q->s.scope->effort == EFFORT_QUICK ? depth : SKIP * depth;
}

static int one_level(struct queue *q, size_t level)
{
	struct session *s = &q->s;
	unsigned depth = levels[level].depth;
	double share = s->scope->effort == EFFORT_QUICK ? levels[level].quick_share :
							   levels[level].share;
	double slot_s = (double)s->scope->budget_ns / 1e9 * BUDGET_SHARE * share;
	struct watched sample;
	int status;

	if (share <= 0)
		return 0;
	do {
		sample = session_watch(s);
		places_draw(&q->places, s, &q->rng, 0, READS_MOST);
		status = session_run(s, READS_MOST, depth, last_issue_ns(q, level, slot_s));
	} while (session_again(s, &sample) && status == 0);
	if (status == 0)
		rate(q, level, full_queue_times(s->ios, READS_MOST, s->start_ns, skipped(q, level),
				q->done_s));
	return status;
}

static void put_gain(struct queue *q, const char *key, size_t level)
{
	struct session *s = &q->s;
	struct finding f;

	if (!q->samples[0] || !q->samples[level]) {
		doc_put_unknown(s->doc, key, s->method,
			"too few random reads were answered in the time there was%s",
			session_longer(s));
		return;
	}
	f = session_finding(s, interval_ratio(q->iops[level], q->iops[0]),
		q->samples[0] + q->samples[level]);
	f.request_bytes = q->places.request;
	f.depth = levels[level].depth;
	session_put(s, key, &f);
}

static void put(struct queue *q)
{
	struct series *series = doc_series(q->s.doc, "queue.iops");
	bool busy = session_is_busy(&q->s);

	for (size_t k = 0; k < LEVELS; k++) {
		double depth = levels[k].depth;
		struct interval v = q->iops[k];

		if (q->samples[k] && !busy)
			series_add(series, (double[]){depth, v.value, v.low, v.high, depth / v.value,
						depth / v.high, depth / v.low});
	}
	put_gain(q, "queue.gain_2", 1);
	put_gain(q, "queue.gain_32", LEVELS - 1);
}

static int measure(struct queue *q)
{
	int status = session_warm_up(&q->s);

	for (size_t k = 0; k < LEVELS && status == 0; k++)
		status = one_level(q, k);
	if (status == 0)
		put(q);
	return status;
}

int queue_run(struct drive *d, const struct scope *scope, struct doc *doc, struct err *e)
{
	struct queue q = {.places = {0}};
	int status = 0;

	rng_init(&q.rng, scope->seed, 'q');
	session_start(&q.s, "queue", "queue/1", READS_MOST, d, scope, doc, e);
	q.places = places_of(&q.s);
	q.done_s = mem_zalloc(READS_MOST, sizeof(double));
	q.each_s = mem_zalloc(BATCHES, sizeof(double));
	if (places_suffice(&q.places, &q.s))
		status = measure(&q);
	session_end(&q.s);
	free(q.done_s);
	free(q.each_s);
	return status;
}
