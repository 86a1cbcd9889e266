/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Large reads one after the other, past the page cache, from the start of the region: what `dd
 * iflag=direct` does. Each run is a piece of its own a little behind the one before; its time
 * begins at the completion of an early read chosen at random, so that the run neither pays for
 * getting there nor always ends at the same place of the track. Interval: Student's t over the
 * runs, at least FLOOR_RATIO. Then a sweep of request sizes, sequential_sweep.c. Amounts go by
 * time: a drive may read 1 MB or 10 GB in a second. */
#include "probe/probe_table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "probe/sequential_pieces.h"
#include "stat/robust.h"

#define REQUEST_BYTES (1u << 20)
#define SLOW_BYTES    (64u << 10) /* where a drive answers too few of those in a run */
#define RUNS_SHARE    0.45 /* of the budget; the sweep gets SWEEP_SHARE, the rest is slack */
#define SWEEP_SHARE   0.35
#define FULL_SHARE    0.05
#define FLOOR_RATIO   0.0015 /* some seconds may have met none of the rare retries and pauses */
/* Requests about as long as a track keep step with it for tens of tracks: all runs may then have met one
 * track switch too many, or too few. */
#define SWITCH_S      0.0011

/* Behind the piece before, with room for `least` bytes, else at the region's start; never twice in
 * step with tracks, always whole requests from the region's start. */
static uint64_t piece_start(struct sequential *q, uint32_t request, uint64_t least)
{
	const struct scope *scope = q->s.scope;
	uint64_t sway = session_gap(&q->s) / 2, past;

	if (q->cursor > scope->from_bytes)
		q->cursor += rng_below(&q->rng, sway + 1);
	past = q->cursor - scope->from_bytes;
	past += (request - past % request) % request;
	q->cursor = scope->from_bytes + past;
	if (q->cursor >= scope->to_bytes || scope->to_bytes - q->cursor < least) {
		q->wrapped = past > 0;
		q->cursor = scope->from_bytes;
	}
	return q->cursor;
}

int sequential_piece(struct sequential *q, uint32_t request, uint64_t run_ns, size_t skip,
	size_t most, struct stretch *t)
{
	uint64_t from = piece_start(q, request, (uint64_t)request * (skip + 2));
	uint64_t to = q->s.scope->to_bytes, until_ns = drive_now_ns(q->s.drive) + run_ns;
	size_t n;
	int status;

	if ((to - from) / request > most)
		to = from + (uint64_t)most * request;
	status = session_stream(&q->s, from, to, request, until_ns, &n);
	q->planned = n;
	*t = stretch_of(q->s.ios, n, skip);
	if (t->end)
		q->cursor = t->end + session_gap(&q->s);
	return status;
}

/* What each timed read of the last piece took. */
static void gather_times(struct sequential *q, size_t skip)
{
	const struct io *ios = q->s.ios;

	for (size_t i = skip > 1 ? skip : 1; i < q->planned && q->times_n < DRIVE_BATCH_MAX; i++)
		if (!ios[i].error && !ios[i - 1].error)
			q->times_s[q->times_n++] = (double)(ios[i].done_ns - ios[i - 1].done_ns) / 1e9;
}

static int read_runs(struct sequential *q, uint32_t request, size_t runs)
{
	struct session *s = &q->s;
	uint64_t run_ns = (uint64_t)((double)s->scope->budget_ns * RUNS_SHARE / (double)runs);

	for (size_t k = 0; k < runs; k++) {
		size_t skip = 1 + (size_t)rng_below(&q->rng, 4);
		struct watched sample;
		struct witness after;
		struct stretch t;
		double row[3], cpu_s;
		int status;

		do {
			sample = session_watch(s);
			status = sequential_piece(q, request, run_ns, skip, DRIVE_BATCH_MAX, &t);
			drive_witness(s->drive, &after);
		} while (session_again(s, &sample) && status == 0);
		if (status)
			return status;
		q->rates[k] = stretch_bytes_per_s(t);
		gather_times(q, skip);
		if (runs == 1)
			q->parts_n = stretch_parts(s->ios, q->planned, skip, q->parts);
		cpu_s = cpu_share(&sample.before, &after, 1000000000u) /
			(double)(s->answered - sample.answered);
		q->shares[k] = cpu_s * q->rates[k] / request;
		row[0] = (double)(k + 1);
		row[1] = (double)t.bytes;
		row[2] = (double)t.ns / 1e9;
		series_add(doc_series(s->doc, "sequential.runs"), row);
		if (t.reads < 2)
			return -ERANGE;
	}
	return 0;
}

/* What comes through the page cache does not show whose reads they were: the figure of the probe before this
 * one falls with this one's. */
static void doubt_buffered(struct session *s)
{
	if (session_is_busy(s) && !isnan(doc_value(s->doc, "buffered.bytes_per_s")))
		session_put_busy(s, "buffered.bytes_per_s");
}

static void put_runs(struct sequential *q, uint32_t request, size_t runs)
{
	struct session *s = &q->s;
	struct repeats r = {q->rates, runs, q->parts, q->parts_n};
	double run_s = (double)s->scope->budget_ns / 1e9 * RUNS_SHARE / (double)runs;
	double floor_ratio = s->drive->info.rotating == ROTATING_NO ? FLOOR_RATIO :
		fmax(FLOOR_RATIO, SWITCH_S / run_s);
	struct finding f = session_finding_of_runs(s, &r, floor_ratio, s->answered);
	uint64_t to_bytes;

	if (session_pauses(q->times_s, q->times_n))
		session_suspect(s);
	q->runs_end = q->cursor;
	f.to_bytes = q->wrapped ? s->scope->to_bytes : q->runs_end;
	f.request_bytes = request;
	f.depth = 1;
	session_put(s, "sequential.bytes_per_s", &f);
	doubt_buffered(s);
	if (isnan(stat_mean(q->shares, runs))) {
		doc_put_unknown(s->doc, "sequential.cpu_share", s->method,
			"this drive's reader does not tell its processor time");
		return;
	}
	if (runs == 1) {
		doc_put_unknown(s->doc, "sequential.cpu_share", s->method,
			"one run does not tell how much the processor's time differs");
		return;
	}
	r = (struct repeats){.runs = q->shares, .n = runs};
	to_bytes = f.to_bytes;
	f = session_finding_of_runs(s, &r, floor_ratio, s->answered);
	f.to_bytes = to_bytes;
	f.request_bytes = request;
	f.depth = 1;
	session_put(s, "sequential.cpu_share", &f);
}

/* The wished size, else (0) 1 MiB or what one command carries. */
static uint32_t choose_request(const struct session *s, uint32_t wished)
{
	const struct drive_info *info = &s->drive->info;
	uint64_t request = wished ? wished : REQUEST_BYTES;
	uint64_t region = s->scope->to_bytes - s->scope->from_bytes;

	if (!wished && request > info->max_request_bytes)
		request = info->max_request_bytes;
	if (request > region / 16)
		request = region / 16;
	request -= request % info->logical_block_bytes;
	return request ? (uint32_t)request : info->logical_block_bytes;
}

/* Where a request was wished for, the rate of the usual one: the sweep's pieces are cut by it. */
static int read_full_rate(struct sequential *q, double *bytes_per_s)
{
	uint64_t run_ns = (uint64_t)((double)q->s.scope->budget_ns * FULL_SHARE);
	struct stretch t;
	int status = sequential_piece(q, choose_request(&q->s, 0), run_ns, 2, DRIVE_BATCH_MAX, &t);

	if (status == 0 && stretch_bytes_per_s(t) > *bytes_per_s)
		*bytes_per_s = stretch_bytes_per_s(t);
	return status;
}

static int measure(struct sequential *q)
{
	struct session *s = &q->s;
	size_t runs = s->scope->runs;
	double full_rate;
	bool slow = false;
	uint32_t request = choose_request(s, s->scope->request_bytes);
	int status;

	if ((s->scope->to_bytes - s->scope->from_bytes) / request < 8) {
		session_unknown(s, "the region holds fewer than 8 blocks");
		return 0;
	}
	status = session_warm_up(s);
	if (status == 0)
		status = read_runs(q, request, runs);
	if (status == -ERANGE && !s->scope->request_bytes && request > SLOW_BYTES) {
		slow = true;
		request = SLOW_BYTES - SLOW_BYTES % s->drive->info.logical_block_bytes;
		q->times_n = 0;
		doc_series(s->doc, "sequential.runs")->rows = 0;
		status = read_runs(q, request, runs);
	}
	if (status == -ERANGE) {
		session_unknown(s, "too few reads were answered in the time there was");
		return 0;
	}
	if (status)
		return status;
	put_runs(q, request, runs);
	full_rate = stat_mean(q->rates, runs);
	if (s->scope->request_bytes) {
		status = read_full_rate(q, &full_rate);
		if (status)
			return status;
	}
	if (slow) {
		session_unknown(s, "this drive is too slow for several request sizes in the time "
			"there was%s", session_longer(s));
		return 0;
	}
	status = sequential_sweep(
		q, (uint64_t)((double)s->scope->budget_ns * SWEEP_SHARE), full_rate);
	if (status)
		return status;
	if (q->wrapped)
		doc_note(s->doc,
			"The region is small: sequential reads went over it more than once "
			"and may have come from the drive's own cache.");
	return 0;
}

int sequential_run(struct drive *d, const struct scope *scope, struct doc *doc, struct err *e)
{
	struct sequential q = {.cursor = scope->from_bytes};
	int status;

	q.rates = mem_zalloc(scope->runs + 2, sizeof(*q.rates));
	q.shares = mem_zalloc(scope->runs + 2, sizeof(*q.shares));
	q.times_s = mem_zalloc(DRIVE_BATCH_MAX, sizeof(*q.times_s));
	rng_init(&q.rng, scope->seed, 'q');
	session_start(&q.s, "sequential", "sequential/1", DRIVE_BATCH_MAX, d, scope, doc, e);
	status = measure(&q);
	session_end(&q.s);
	free(q.rates);
	free(q.shares);
	free(q.times_s);
	return status;
}
