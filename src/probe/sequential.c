/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Large reads one after the other, past the page cache, from the start of the region: what
 * `dd iflag=direct` does. Each run is a piece of its own next to the one before; its time begins at
 * the completion of an early read chosen at random, so that the run neither pays for getting there
 * nor always ends at the same place of the track. Interval: Student's t over the runs, at least
 * FLOOR_RATIO. Then the same with requests of 4 KiB to 4 MiB, shortly, for the curve.
 * Amounts go by time: a drive may read 1 MB or 10 GB in a second. */
#include "probe/probe_table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"
#include "probe/session.h"
#include "stat/robust.h"

#define REQUEST_BYTES   (1u << 20)
#define SWEEP_FIRST     (4u << 10)
#define SWEEP_LAST      (4u << 20)
#define SWEEP_SIZES     11u
#define SWEEP_BLOCKS    8u     /* parts whose scatter gives a point's interval; */
#define SWEEP_BLOCKS_MIN 5u    /* fewer where requests are slow */
#define SWEEP_STRETCH   3      /* a slow request size may take that much longer than its share */
#define SATURATED       0.98   /* of the best rate */
#define RUNS_SHARE      0.62   /* of the budget; the sweep gets SWEEP_SHARE, the rest is slack */
#define SWEEP_SHARE     0.33
#define FLOOR_RATIO     0.0005 /* the beginning and end of a run fall anywhere in a track switch */

struct sequential {
	struct session s;
	struct rng rng;
	uint64_t cursor; /* where the next piece starts */
	bool wrapped;    /* the region was too small: parts were read twice */
	double *rates, *shares;
};

struct sweep_point {
	uint32_t request;
	struct interval rate;
};

/* Pieces follow each other; behind the end of the region they start over. */
static uint64_t piece_start(struct sequential *q, uint64_t least)
{
	const struct scope *scope = q->s.scope;

	if (q->cursor >= scope->to_bytes || scope->to_bytes - q->cursor < least) {
		q->wrapped = q->cursor != scope->from_bytes;
		q->cursor = scope->from_bytes;
	}
	return q->cursor;
}

/* One piece of about run_ns. skip: how many reads at its beginning are not timed. */
static int read_piece(struct sequential *q, uint32_t request, uint64_t run_ns, size_t skip,
	struct stretch *t, size_t *n)
{
	uint64_t from = piece_start(q, (uint64_t)request * (skip + 2));
	uint64_t until_ns = drive_now_ns(q->s.drive) + run_ns;
	int status = session_stream(&q->s, from, q->s.scope->to_bytes, request, until_ns, n);

	*t = stretch_of(q->s.ios, *n, skip);
	if (t->end)
		q->cursor = t->end;
	return status;
}

static int read_runs(struct sequential *q, uint32_t request, size_t runs)
{
	struct session *s = &q->s;
	uint64_t run_ns = (uint64_t)((double)s->scope->budget_ns * RUNS_SHARE / (double)runs);

	for (size_t k = 0; k < runs; k++) {
		size_t skip = 1 + (size_t)rng_below(&q->rng, 4), n;
		struct witness before, after;
		struct stretch t;
		uint64_t start_ns;
		double row[3];
		int status;

		drive_witness(s->drive, &before);
		start_ns = drive_now_ns(s->drive);
		status = read_piece(q, request, run_ns, skip, &t, &n);
		drive_witness(s->drive, &after);
		if (status)
			return status;
		q->rates[k] = stretch_bytes_per_s(t);
		q->shares[k] = cpu_share(&before, &after, drive_now_ns(s->drive) - start_ns);
		row[0] = (double)(k + 1);
		row[1] = (double)t.bytes;
		row[2] = (double)t.ns / 1e9;
		series_add(doc_series(s->doc, "sequential.runs"), row);
		if (t.reads < 2)
			return -ERANGE;
	}
	return 0;
}

static void put_runs(struct sequential *q, uint32_t request, size_t runs)
{
	struct session *s = &q->s;
	struct finding f = session_finding_of_runs(s, q->rates, runs, FLOOR_RATIO, s->answered);

	f.to_bytes = q->wrapped ? s->scope->to_bytes : q->cursor;
	f.request_bytes = request;
	f.depth = 1;
	doc_put(s->doc, "sequential.bytes_per_s", &f);
	if (isnan(stat_mean(q->shares, runs))) {
		doc_put_unknown(s->doc, "sequential.cpu_share", s->method,
			"this drive's reader does not tell its processor time");
		return;
	}
	f = session_finding_of_runs(s, q->shares, runs, FLOOR_RATIO, s->answered);
	f.request_bytes = request;
	f.depth = 1;
	doc_put(s->doc, "sequential.cpu_share", &f);
}

/* Rate of n reads with an interval from SWEEP_BLOCKS parts of them. */
static int rate_of_blocks(const struct io *ios, size_t n, struct interval *rate)
{
	double seconds_per_byte[SWEEP_BLOCKS];
	size_t blocks, each, used = 0;

	while (n > 0 && ios[n - 1].error == -ECANCELED)
		n--;
	if (n < SWEEP_BLOCKS_MIN + 1)
		return -ERANGE;
	blocks = n - 1 < SWEEP_BLOCKS ? n - 1 : SWEEP_BLOCKS;
	each = (n - 1) / blocks;
	for (size_t b = 0; b < blocks; b++) {
		/* one read more at its beginning: the completion it is timed from */
		struct stretch t = stretch_of(ios + b * each, each + 1, 1);

		if (t.ns)
			seconds_per_byte[used++] = (double)t.ns / 1e9 / (double)t.bytes;
	}
	if (interval_mean_correlated(seconds_per_byte, used, CONFIDENCE, rate))
		return -ERANGE;
	*rate = interval_at_least(*rate, rate->value * FLOOR_RATIO);
	rate->low = fmax(rate->low, rate->value / 1000);
	*rate = interval_inverse(*rate, 1);
	return 0;
}

/* Measures each request size that is not too slow; *points_n of them had enough reads. */
static int sweep(struct sequential *q, size_t runs, struct sweep_point *points, size_t *points_n)
{
	struct session *s = &q->s;
	uint64_t each_ns = (uint64_t)((double)s->scope->budget_ns * SWEEP_SHARE / SWEEP_SIZES);
	uint64_t region = s->scope->to_bytes - s->scope->from_bytes;
	uint32_t block = s->drive->info.logical_block_bytes;
	double bytes_per_s = stat_mean(q->rates, runs);

	*points_n = 0;
	for (uint32_t request = SWEEP_FIRST; request <= SWEEP_LAST; request *= 2) {
		struct sweep_point *p = &points[*points_n];
		double least_ns = (SWEEP_BLOCKS_MIN + 2) * (request / bytes_per_s) * 1e9;
		struct stretch t;
		size_t n;
		int status;

		if (request % block || region / request < 2 * SWEEP_BLOCKS ||
			least_ns > SWEEP_STRETCH * (double)each_ns)
			continue;
		status = read_piece(q, request, (uint64_t)fmax(least_ns, (double)each_ns), 1, &t, &n);
		if (status)
			return status;
		p->request = request;
		if (rate_of_blocks(s->ios, n, &p->rate) == 0)
			(*points_n)++;
	}
	return 0;
}

/* The full rate: the mean of all that are as good as the best, which alone would be the luckiest. */
static double best_rate(const struct sweep_point *points, size_t n)
{
	double most = 0, sum = 0;
	size_t good = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, points[i].rate.value);
	for (size_t i = 0; i < n; i++)
		if (points[i].rate.value >= SATURATED * most) {
			sum += points[i].rate.value;
			good++;
		}
	return good ? sum / (double)good : 0;
}

static void put_sweep(struct sequential *q, const struct sweep_point *points, size_t n)
{
	struct session *s = &q->s;
	double best = best_rate(points, n);
	struct interval at = {0};
	struct finding f;

	for (size_t i = 0; i < n; i++) {
		double row[4] = {points[i].request, points[i].rate.value, points[i].rate.low,
			points[i].rate.high};

		series_add(doc_series(s->doc, "sequential.rate_by_request"), row);
	}
	for (size_t i = n; i-- > 0; ) {
		if (points[i].rate.high >= SATURATED * best)
			at.low = points[i].request;
		if (points[i].rate.value >= SATURATED * best)
			at.value = points[i].request;
		if (points[i].rate.low >= SATURATED * best)
			at.high = points[i].request;
	}
	if (n < 3) {
		doc_put_unknown(s->doc, "sequential.saturating_request_bytes", s->method,
			"too little could be read with each request size");
		return;
	}
	if (at.high < at.value)
		at.high = points[n - 1].request;
	f = session_finding(s, at, n);
	f.how = HOW_DERIVED;
	f.depth = 1;
	doc_put(s->doc, "sequential.saturating_request_bytes", &f);
}

/* The wished size, else 1 MiB or what one command carries. */
static uint32_t choose_request(const struct session *s)
{
	const struct drive_info *info = &s->drive->info;
	uint64_t request = s->scope->request_bytes ? s->scope->request_bytes : REQUEST_BYTES;
	uint64_t region = s->scope->to_bytes - s->scope->from_bytes;

	if (!s->scope->request_bytes && request > info->max_request_bytes)
		request = info->max_request_bytes;
	if (request > region / 16)
		request = region / 16;
	request -= request % info->logical_block_bytes;
	return request ? (uint32_t)request : info->logical_block_bytes;
}

static int measure(struct sequential *q)
{
	struct session *s = &q->s;
	struct sweep_point points[SWEEP_SIZES];
	size_t runs = s->scope->runs < 2 ? 2 : s->scope->runs, points_n;
	uint32_t request = choose_request(s);
	int status;

	if ((s->scope->to_bytes - s->scope->from_bytes) / request < 8) {
		session_unknown(s, "the region holds fewer than 8 blocks");
		return 0;
	}
	status = session_warm_up(s);
	if (status == 0)
		status = read_runs(q, request, runs);
	if (status == -ERANGE) {
		session_unknown(s, "too few reads were answered in the time there was");
		return 0;
	}
	if (status)
		return status;
	put_runs(q, request, runs);
	status = sweep(q, runs, points, &points_n);
	if (status)
		return status;
	put_sweep(q, points, points_n);
	if (q->wrapped)
		doc_note(s->doc, "The region is small: sequential reads went over it more than once "
			"and may have come from the drive's own cache.");
	return 0;
}

int sequential_run(struct drive *d, const struct scope *scope, struct doc *doc, struct err *e)
{
	struct sequential q = {.cursor = scope->from_bytes};
	int status;

	q.rates = mem_zalloc(scope->runs + 2, sizeof(*q.rates));
	q.shares = mem_zalloc(scope->runs + 2, sizeof(*q.shares));
	rng_init(&q.rng, scope->seed, 'q');
	session_start(&q.s, "sequential", "sequential/1", DRIVE_BATCH_MAX, d, scope, doc, e);
	status = measure(&q);
	session_end(&q.s);
	free(q.rates);
	free(q.shares);
	return status;
}
