/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What hdparm -t measures: 2 MiB reads (smaller ones on slow drives) one after the other through
 * the page cache, from the start of the region. Pages that are already there would be memory's
 * speed, not the drive's: before a run its place is looked up in the page cache, and a run goes to
 * the next place that is free. Where none is, it is read all the same and the share that was
 * cached is reported. Nothing is dropped or flushed. Interval: Student's t over the runs, at least
 * FLOOR_RATIO. */
#include "probe/probe_table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"
#include "probe/session.h"

#define READ_BYTES   (2u << 20)
#define READ_MIN     (64u << 10) /* on slow drives, for RUN_READS a run; the pilot's */
#define RUN_READS_MIN 6u
#define PILOT_NS     250e6 /* at least: a slow drive fills the first read-ahead only then */
#define RUN_READS    32.0
#define PILOT_READS  16u
#define PILOT_SHARE  0.07 /* of the budget */
#define BATCH_READS  32768u
#define GAP_BYTES    (16u << 20) /* between runs: more than the kernel reads ahead */
#define PLACES_TRIED 64u
#define RUNS_SHARE   0.9
#define FLOOR_RATIO  0.002 /* read-ahead may be one window further than what was asked for */

struct buffered {
	struct session s;
	struct rng rng;
	uint32_t request;
	uint64_t cursor;
	double bytes_per_s; /* as far as known */
	bool blind;         /* residency cannot be told */
	uint64_t passed_over; /* bytes resident at places that were left for others */
	uint64_t from, to;          /* first and last place of a run */
	uint64_t looked_at, cached; /* bytes of the runs' places, and those resident before */
	double *rates;
	double parts[STRETCH_PARTS]; /* where there is one run */
	size_t parts_n;
};

static uint64_t resident(struct buffered *b, uint64_t from, uint64_t length)
{
	uint64_t bytes = 0;

	if (drive_resident(b->s.drive, from, length, &bytes))
		b->blind = true;
	return bytes;
}

/* Where span bytes can be read that are not in the page cache: at the cursor or behind it, else the
 * cursor itself (or the region's start, when the region ends before). */
static uint64_t choose_place(struct buffered *b, uint64_t span, uint64_t *was_cached)
{
	const struct scope *scope = b->s.scope;
	uint64_t start, place, least = 0, at_start = 0;

	if (b->cursor >= scope->to_bytes || scope->to_bytes - b->cursor < span)
		b->cursor = scope->from_bytes;
	start = place = b->cursor;
	*was_cached = UINT64_MAX;
	for (unsigned i = 0; i < PLACES_TRIED && scope->to_bytes - place >= span; i++) {
		uint64_t bytes = resident(b, place, span);

		if (place == start)
			at_start = bytes;
		if (bytes < *was_cached) {
			*was_cached = bytes;
			least = place;
		}
		if (bytes == 0)
			break;
		place += span;
	}
	if (*was_cached == UINT64_MAX) { /* the region holds less than span */
		*was_cached = resident(b, start, scope->to_bytes - start);
		least = start;
	}
	if (least != start)
		b->passed_over += at_start;
	return least;
}

/* Room one run needs at the rate seen so far, and half as much again; no more than lets every run
 * have ground of its own. */
static uint64_t span_of(const struct buffered *b, uint64_t run_ns)
{
	uint64_t region = b->s.scope->to_bytes - b->s.scope->from_bytes;
	uint64_t room = region / (b->s.scope->runs + 2);
	double want = 1.5 * b->bytes_per_s * (double)run_ns / 1e9 + 8.0 * b->request;
	uint64_t span = want < (double)room ? (uint64_t)want : room;

	return span - span % b->s.drive->info.logical_block_bytes;
}

static int one_run(
	struct buffered *b, uint64_t run_ns, size_t limit, size_t skip, struct stretch *t)
{
	struct session *s = &b->s;
	uint64_t region = s->scope->to_bytes - s->scope->from_bytes;
	uint64_t span = span_of(b, run_ns), was_cached, from, to, until_ns;
	size_t n;
	int status;

	if (limit && span > (uint64_t)limit * b->request)
		span = (uint64_t)limit * b->request;
	from = choose_place(b, span, &was_cached);
	to = s->scope->to_bytes - from < span ? s->scope->to_bytes : from + span;
	b->from = from < b->from ? from : b->from;
	b->to = to > b->to ? to : b->to;
	b->looked_at += to - from;
	b->cached += was_cached;
	until_ns = drive_now_ns(s->drive) + run_ns;
	status = session_stream(s, from, to, b->request, until_ns, &n);
	*t = stretch_of(s->ios, n, skip);
	b->parts_n = stretch_parts(s->ios, n, skip, b->parts);
	if (t->end)
		b->cursor = t->end + (region / 64 < GAP_BYTES ? region / 64 : GAP_BYTES);
	b->cursor -= b->cursor % b->s.drive->info.logical_block_bytes;
	return status;
}

static void put(struct buffered *b, size_t runs)
{
	struct session *s = &b->s;
	struct repeats r = {b->rates, runs, b->parts, b->parts_n};
	struct finding f = session_finding_of_runs(s, &r, FLOOR_RATIO, s->answered);
	double share = (double)b->cached / (double)b->looked_at;

	f.from_bytes = b->from;
	f.to_bytes = b->to;
	f.request_bytes = b->request;
	f.depth = 1;
	f.cached = b->cached > 0;
	session_put(s, "buffered.bytes_per_s", &f);
	if (b->blind) {
		doc_put_unknown(s->doc, "buffered.cached_share", s->method,
			"this system does not tell what is in the page cache");
		doc_note(s->doc, "What was in the page cache before cannot be seen on this system: "
				 "the buffered figure may be partly memory's.");
		return;
	}
	f = session_finding(s, interval_around(share, 0), s->answered);
	f.from_bytes = b->from;
	f.to_bytes = b->to;
	doc_put(s->doc, "buffered.cached_share", &f);
	if (b->cached)
		doc_note(s->doc,
			"%.0f %% of what the buffered figure read was in the page cache "
			"already, and no free place was found.",
			share * 100);
	else if (b->passed_over > READ_BYTES) /* so much the cached probe may have left there */
		doc_note(s->doc, "Parts of the region were in the page cache already; the buffered "
				 "figure was measured behind them.");
}

/* Short reads at the start of the region: the rate, and with it a request of which a run makes
 * enough. */
static int pilot(struct buffered *b, uint64_t run_ns, struct stretch *t)
{
	uint32_t wished = b->request;
	int status;

	b->bytes_per_s = 8.0 * READ_BYTES;
	if (b->request > READ_MIN && !b->s.scope->request_bytes)
		b->request = READ_MIN;
	status = one_run(b, (uint64_t)fmax((double)b->s.scope->budget_ns * PILOT_SHARE, PILOT_NS),
		PILOT_READS, 1, t);
	if (b->s.scope->request_bytes)
		return status;
	while (b->request < wished &&
		b->request * 2 * RUN_READS <= stretch_bytes_per_s(*t) * (double)run_ns / 1e9)
		b->request *= 2;
	return status;
}

/* What a run may take: on a slow drive longer than its share, so that it has some reads. */
static uint64_t time_for(const struct buffered *b, uint64_t run_ns, size_t reads)
{
	double least_ns = 1.2e9 * (double)reads * b->request / b->bytes_per_s;

	return least_ns > (double)run_ns ? (uint64_t)least_ns : run_ns;
}

static int measure(struct buffered *b)
{
	struct session *s = &b->s;
	size_t runs = s->scope->runs;
	uint64_t run_ns = (uint64_t)((double)s->scope->budget_ns * RUNS_SHARE / (double)runs);
	struct stretch t;
	int status = pilot(b, run_ns, &t);

	b->looked_at = b->cached = b->to = 0;
	b->from = UINT64_MAX;
	for (size_t k = 0; k < runs && status == 0; k++) {
		double row[3];
		size_t skip;

		if (t.reads < 2) {
			session_unknown(s, "too few reads were answered in the time there was");
			return 0;
		}
		b->bytes_per_s = stretch_bytes_per_s(t);
		skip = 2 + (size_t)rng_below(&b->rng, 4);
		status = one_run(b, time_for(b, run_ns, skip + RUN_READS_MIN), 0, skip, &t);
		b->rates[k] = stretch_bytes_per_s(t);
		row[0] = (double)(k + 1);
		row[1] = (double)t.bytes;
		row[2] = (double)t.ns / 1e9;
		if (status == 0)
			series_add(doc_series(s->doc, "buffered.runs"), row);
	}
	if (status)
		return status;
	if (t.reads < 2)
		session_unknown(s, "too few reads were answered in the time there was");
	else
		put(b, runs);
	return 0;
}

int buffered_run(struct drive *d, const struct scope *scope, struct doc *doc, struct err *e)
{
	uint64_t region = scope->to_bytes - scope->from_bytes;
	struct buffered b = {.request = READ_BYTES, .cursor = scope->from_bytes};
	int status = 0;

	if (scope->request_bytes)
		b.request = scope->request_bytes;
	while (b.request > region / (16 * (scope->runs + 2)) && b.request / 2 >= 4096 &&
		b.request / 2 % d->info.logical_block_bytes == 0)
		b.request /= 2;
	b.rates = mem_zalloc(scope->runs + 2, sizeof(*b.rates));
	rng_init(&b.rng, scope->seed, 'b');
	session_start(&b.s, "buffered", "buffered/1", BATCH_READS, d, scope, doc, e);
	if (region / b.request < 16 * (scope->runs + 2))
		session_unknown(&b.s,
			"the region is too small to be streamed: it holds only %u reads",
			(unsigned)(region / b.request));
	else
		status = measure(&b);
	session_end(&b.s);
	free(b.rates);
	return status;
}
