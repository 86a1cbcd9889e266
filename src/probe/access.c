/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random reads, one at a time, uniform over the region. A pilot tells the scatter; from it follows
 * how many reads bring the mean's interval to HALF_WIDTH, as far as the budget goes. The number is
 * fixed before the reads are made, so that chance does not choose when to stop.
 * Mean: Student's t. Percentiles: order statistics, or unknown with the number of reads it would
 * take. */
#include "probe/probe_table.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/mem.h"
#include "probe/random_reads.h"
#include "stat/histogram.h"
#include "stat/robust.h"

#define PILOT_READS   100u
#define READS_MIN     200u
#define READS_FULL    4000u /* the 99.9 % quantile needs 3688 */
#define READS_MAX     60000u
#define BATCH_READS   64u    /* a sample: what is thrown away together where it was spoiled */
#define HALF_WIDTH    0.016  /* of the mean */
#define FLOOR_RATIO   0.0005 /* of the mean: clock steps and host, not the drive */
#define SCATTER_MAX   2000u  /* rows of access.reads */
#define MEDIUM_LEAST  0.001 /* s */
#define HISTOGRAM_MAX 40u

struct access {
	struct session s;
	struct rng rng;
	struct places places;
	double *latency_s, *distance_bytes, *offset_bytes; /* of the reads that were good, in order */
	size_t n;
	uint64_t last_offset;
};

/* How many reads are worth making, after those of the pilot. */
static size_t reads_wanted(const struct access *a)
{
	double mean = stat_mean(a->latency_s, a->n), sd = stat_sd(a->latency_s, a->n);
	double wanted = pow(1.96 * sd / (HALF_WIDTH * mean), 2) * 1.1;
	double affordable = (double)session_left_ns(&a->s) * 0.95 / 1e9 / mean;
	double full = READS_FULL;

	/* where reads are cheap, take as many as every percentile needs */
	if (a->s.scope->effort == EFFORT_FULL ||
		full * mean * 4 < (double)a->s.scope->budget_ns / 1e9)
		wanted = fmax(wanted, full);
	wanted = fmax(fmin(wanted, affordable + (double)a->n), READS_MIN);
	return (size_t)fmin(wanted, READS_MAX);
}

/* Adds the first n of the requests that were answered well. Whether all were issued. */
static bool keep(struct access *a, size_t n)
{
	bool all = true;

	for (size_t i = 0; i < n; i++) {
		const struct io *io = &a->s.ios[i];

		all &= io->error != -ECANCELED;
		if (io->error)
			continue;
		a->latency_s[a->n] = (double)(io->done_ns - io->sent_ns) / 1e9;
		a->offset_bytes[a->n] = (double)io->offset;
		a->distance_bytes[a->n++] = fabs((double)io->offset - (double)a->last_offset);
		a->last_offset = io->offset;
	}
	return all;
}

/* Reads on until there are wanted good ones or the budget is spent. */
static int read_until(struct access *a, size_t wanted)
{
	struct session *s = &a->s;
	uint64_t until_ns = s->start_ns + s->scope->budget_ns;
	uint64_t asked = 0;

	while (a->n < wanted && asked < 2 * (uint64_t)wanted) {
		size_t left = wanted - a->n < BATCH_READS ? wanted - a->n : BATCH_READS;
		size_t batch = session_sample_reads(s, left), had = a->n;
		struct watched sample = session_watch(s);
		bool all;
		int status;

		places_draw(&a->places, s, &a->rng, 0, batch);
		status = session_run(s, batch, 1, until_ns);
		all = keep(a, batch);
		if (session_again(s, &sample))
			a->n = had;
		asked += batch;
		if (status)
			return status;
		if (!all)
			break;
	}
	return 0;
}

static struct finding finding_of(const struct access *a, struct interval v)
{
	struct finding f = session_finding(&a->s, v, a->n);

	f.request_bytes = a->places.request;
	f.depth = 1;
	return f;
}

static void put_mean(struct access *a)
{
	struct interval v;
	struct finding f;

	if (interval_mean(a->latency_s, a->n, CONFIDENCE, &v))
		return;
	v = interval_at_least(v, FLOOR_RATIO * v.value);
	v.low = fmax(v.low, v.value / 100);
	if (v.value <= 0)
		return;
	f = finding_of(a, v);
	session_put(&a->s, "access.mean_s", &f);
	v = interval_inverse(v, 1);
	f.value = v.value;
	f.low = v.low;
	f.high = v.high;
	f.how = HOW_DERIVED;
	session_put(&a->s, "access.iops", &f);
}

static void put_quantiles(struct access *a, const double *sorted)
{
	static const struct {
		const char *key;
		double q, percent;
	} rows[] = {
		{"access.p50_s", 0.5, 50},
		{"access.p90_s", 0.9, 90},
		{"access.p99_s", 0.99, 99},
		{"access.p999_s", 0.999, 99.9},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct interval v;
		struct finding f;

		if (interval_quantile(sorted, a->n, rows[i].q, CONFIDENCE, &v)) {
			doc_put_unknown(a->s.doc, rows[i].key, a->s.method,
				"%zu reads cannot bound the %g %% quantile, it needs %zu: "
				"a longer run makes them",
				a->n, rows[i].percent,
				interval_quantile_needs(rows[i].q, CONFIDENCE));
			continue;
		}
		f = finding_of(a, v);
		session_put(&a->s, rows[i].key, &f);
	}
}

static void put_series(struct access *a, const double *sorted)
{
	struct histogram h;
	struct series *series;

	histogram_log(&h, sorted, a->n, HISTOGRAM_MAX);
	series = doc_series(a->s.doc, "access.histogram");
	for (size_t i = 0; i < h.n; i++) {
		double row[3] = {h.edges[i], h.edges[i + 1], (double)h.counts[i]};

		series_add(series, row);
	}
	series = doc_series(a->s.doc, "access.reads");
	for (size_t i = 0; i < a->n && i < SCATTER_MAX; i++) {
		double row[3] = {a->distance_bytes[i], a->latency_s[i], a->offset_bytes[i]};

		series_add(series, row);
	}
}

/* A platter that turns needs milliseconds: what comes sooner was not read from it. */
static void note_no_medium(struct access *a, const double *sorted)
{
	const struct drive_info *info = &a->s.drive->info;
	double median = stat_quantile_sorted(sorted, a->n, 0.5);

	if (info->rotating == ROTATING_YES && info->path == DRIVE_DIRECT && median < MEDIUM_LEAST)
		doc_note(a->s.doc,
			"This drive says that it rotates, but answers random reads in %.0f us without "
			"visiting the medium: what was read is unmapped, or came from memory. Its "
			"figures are not those of the medium.",
			median * 1e6);
}

/* All that can be said of the reads there are. */
static void put_all(struct access *a)
{
	double *sorted;

	sorted = mem_copy(a->latency_s, a->n, sizeof(*sorted));
	stat_sort(sorted, a->n);
	put_mean(a);
	put_quantiles(a, sorted);
	put_series(a, sorted);
	note_no_medium(a, sorted);
	free(sorted);
}

static int measure(struct access *a)
{
	struct session *s = &a->s;
	int status = session_warm_up(s);

	a->last_offset = s->scope->from_bytes;
	if (status == 0)
		status = read_until(a, PILOT_READS);
	if (status == 0 && a->n >= PILOT_READS && stat_mean(a->latency_s, a->n) > 0)
		status = read_until(a, reads_wanted(a));
	/* stopped early, what there is is still a random sample */
	if (a->n >= PILOT_READS || (status == 0 && a->n >= 2))
		put_all(a);
	if (status == 0)
		session_unknown(
			s, "only %zu random reads were answered in the time there was", a->n);
	return status;
}

int access_run(struct drive *d, const struct scope *scope, struct doc *doc, struct err *e)
{
	struct access a = {0};
	int status = 0;

	rng_init(&a.rng, scope->seed, 'a');
	session_start(&a.s, "access", "access/1", BATCH_READS, d, scope, doc, e);
	a.places = places_of(&a.s);
	a.latency_s = mem_zalloc(READS_MAX + BATCH_READS, sizeof(*a.latency_s));
	a.distance_bytes = mem_zalloc(READS_MAX + BATCH_READS, sizeof(*a.distance_bytes));
	a.offset_bytes = mem_zalloc(READS_MAX + BATCH_READS, sizeof(*a.offset_bytes));
	if (places_suffice(&a.places, &a.s))
		status = measure(&a);
	session_end(&a.s);
	free(a.latency_s);
	free(a.distance_bytes);
	free(a.offset_bytes);
	return status;
}
