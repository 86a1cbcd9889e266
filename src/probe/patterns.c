/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reading half of iozone, past the page cache: records of 64 KiB in pieces of a fixed length,
 * each piece on fresh ground a little behind the one before, where read-ahead has not been.
 * Re-read: the piece once, not timed, then again. Backward: its records from the last to the
 * first. Strided: every fourth of its records. Each piece is one sample; the first record of a
 * piece is paid to get there and not timed. Interval: Student's t over the pieces, wider where
 * neighbours resemble each other, at least FLOOR_RATIO. A piece is 1 MiB, whatever
 * the effort: on a shorter one a drive's cache shows differently. Where the region has no room for
 * as many as it takes it is shorter; where there is no time for PIECES_LEAST the figure is unknown. */
#include "probe/probe_table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "base/units.h"
#include "probe/session.h"
#include "stat/robust.h"

#define RECORD_BYTES (64u << 10)
#define STRIDE       4u
#define PIECE_BYTES  (1u << 20)
#define PIECES_LEAST 4u
#define PIECES_MIN   16u  /* the region should have room for three times as many */
#define PIECES_MAX   4000u
#define RECORDS_MAX  128u  /* requests in one piece */
#define BUDGET_SHARE 0.31  /* of the budget for each pattern; the pilot gets the rest */
/* Some of the pieces read again are found in part in the drive's cache, and take a turn less: in few
 * pieces none may be, and they then look alike. Scatter of one piece, relative, at least. */
#define RARE_SD      0.145
#define FLOOR_RATIO  0.005 /* some hundred records may have met none of the rare retries */

enum pattern { REREAD, BACKWARD, STRIDED, PATTERN_N };

static const struct {
	const char *key;
	unsigned records_min;
	double passes; /* over the piece, counted in reads of all its records */
} patterns[PATTERN_N] = {
	{"patterns.reread_bytes_per_s", 4, 2},
	{"patterns.backward_bytes_per_s", 4, 1},
	{"patterns.strided_bytes_per_s", 4 * STRIDE, 1},
};

struct patterns {
	struct session s;
	struct rng rng;
	uint32_t record;
	uint64_t cursor;
	bool wrapped;
	double s_per_byte;         /* of the pilot: records in order */
	size_t records[PATTERN_N]; /* in a piece */
	double *samples;           /* seconds per byte, by piece */
	double *rates;             /* by run */
};

/* Fills the requests of one piece; *first: the first one that is timed. Returns how many. */
static size_t plan_piece(
	struct patterns *p, enum pattern kind, uint64_t from, size_t records, size_t *first)
{
	struct io *ios = p->s.ios;
	size_t n = 0;

	*first = 1;
	if (kind == REREAD) {
		for (size_t i = 0; i < 2 * records; i++)
			ios[n++].offset = from + i % records * p->record;
		*first = records;
	} else if (kind == BACKWARD) {
		for (size_t i = records; i-- > 0;)
			ios[n++].offset = from + i * p->record;
	} else {
		for (size_t i = 0; i < records; i += STRIDE)
			ios[n++].offset = from + i * p->record;
	}
	for (size_t i = 0; i < n; i++)
		ios[i] = (struct io){.offset = ios[i].offset, .length = p->record};
	return n;
}

/* Room for a piece at the cursor; behind the region's end it starts over. */
static uint64_t place(struct patterns *p, uint64_t length)
{
	const struct scope *scope = p->s.scope;

	/* some more records are left out at random, so that pieces do not keep step with tracks */
	p->cursor += rng_below(&p->rng, session_gap(&p->s) / 4 / p->record + 8) * p->record;
	if (p->cursor > scope->to_bytes || scope->to_bytes - p->cursor < length) {
		p->cursor = scope->from_bytes;
		p->wrapped = true;
	}
	return p->cursor;
}

static int read_piece(struct patterns *p, enum pattern kind, size_t records, double *s_per_byte)
{
	uint64_t length = (uint64_t)records * p->record, from = place(p, length);
	size_t first, n = plan_piece(p, kind, from, records, &first);
	int status = session_run(&p->s, n, 1, 0);
	struct stretch t = stretch_of(p->s.ios, n, first);

	p->cursor = from + length + session_gap(&p->s);
	*s_per_byte = t.reads == n - first && t.ns ? (double)t.ns / 1e9 / (double)t.bytes : NAN;
	return status;
}

/* Records in a piece: those of PIECE_BYTES, as far as the region and a batch have room. */
static size_t piece_records(const struct patterns *p, enum pattern kind)
{
	uint64_t region = p->s.scope->to_bytes - p->s.scope->from_bytes;
	uint64_t bytes = PIECE_BYTES;

	while (bytes / 2 >= (uint64_t)patterns[kind].records_min * p->record &&
		(bytes * 3 * PIECES_MIN > region || bytes / p->record > RECORDS_MAX / 2))
		bytes /= 2;
	if (bytes > (uint64_t)p->record * (RECORDS_MAX / 2))
		bytes = (uint64_t)p->record * (RECORDS_MAX / 2);
	while (bytes > region)
		bytes /= 2;
	return (size_t)(bytes / p->record);
}

/* The mean of used pieces, and of each run's. */
static void put(
	struct patterns *p, enum pattern kind, size_t used, const size_t *run_ends, uint64_t from)
{
	size_t runs = p->s.scope->runs, done = 0, before = 0;
	struct interval v = {0};
	struct finding f;
	double floor_ratio;

	if (used < PIECES_LEAST || interval_mean_correlated(p->samples, used, CONFIDENCE, &v)) {
		doc_put_unknown(p->s.doc, patterns[kind].key, p->s.method,
			"too few pieces could be read in the time there was");
		return;
	}
	floor_ratio = kind == REREAD ? fmax(FLOOR_RATIO, RARE_SD / sqrt((double)used)) : FLOOR_RATIO;
	v = interval_at_least(v, v.value * floor_ratio);
	f = session_finding(&p->s, interval_inverse(v, 1), used);
	for (size_t k = 0; k < runs; k++) {
		if (run_ends[k] > before)
			p->rates[done++] = 1 / stat_mean(p->samples + before, run_ends[k] - before);
		before = run_ends[k];
	}
	f.runs = (unsigned)done;
	f.spread = stat_sd(p->rates, done);
	f.from_bytes = p->wrapped ? p->s.scope->from_bytes : from;
	f.to_bytes = p->wrapped ? p->s.scope->to_bytes : p->cursor;
	f.request_bytes = p->record;
	f.depth = 1;
	session_put(&p->s, patterns[kind].key, &f);
}

static void put_no_time(struct patterns *p, enum pattern kind)
{
	char size[32];

	units_format_request(size, sizeof(size), (uint64_t)p->records[kind] * p->record);
	doc_put_unknown(p->s.doc, patterns[kind].key, p->s.method,
		"there was no time for %u pieces of %s%s", PIECES_LEAST, size,
		session_longer(&p->s));
}

static int measure_pattern(struct patterns *p, enum pattern kind, size_t *run_ends)
{
	uint64_t share_ns = (uint64_t)((double)p->s.scope->budget_ns * BUDGET_SHARE);
	uint64_t start_ns = drive_now_ns(p->s.drive), from;
	size_t runs = p->s.scope->runs, used = 0;
	size_t records = p->records[kind] = piece_records(p, kind);
	double piece_s = patterns[kind].passes * (double)(records * p->record) * p->s_per_byte;
	int status = 0;

	p->wrapped = false;
	if (PIECES_LEAST * piece_s > (double)share_ns / 1e9) {
		put_no_time(p, kind);
		return 0;
	}
	from = p->cursor;
	for (size_t k = 0; k < runs && status == 0; k++) {
		uint64_t end_ns = start_ns + share_ns / runs * (k + 1);

		do {
			struct watched sample = session_watch(&p->s);
			double s_per_byte;

			status = read_piece(p, kind, records, &s_per_byte);
			if (!session_again(&p->s, &sample) && !isnan(s_per_byte))
				p->samples[used++] = s_per_byte;
		} while (status == 0 && used < PIECES_MAX / runs * (k + 1) &&
			 drive_now_ns(p->s.drive) < end_ns);
		run_ends[k] = used;
	}
	if (status == 0)
		put(p, kind, used, run_ends, from);
	return status;
}

/* Records in order at the start of the region: how much time a piece takes. */
static int pilot(struct patterns *p)
{
	const struct scope *scope = p->s.scope;
	struct stretch t;
	size_t n;
	int status = session_warm_up(&p->s);

	if (status)
		return status;
	status = session_stream(&p->s, scope->from_bytes, scope->to_bytes, p->record,
		drive_now_ns(p->s.drive) + scope->budget_ns / 8, &n);
	t = stretch_of(p->s.ios, n, 1);
	p->s_per_byte = t.bytes ? (double)t.ns / 1e9 / (double)t.bytes : 0;
	if (t.end)
		p->cursor = t.end + session_gap(&p->s);
	return status;
}

static void note_pieces(struct patterns *p)
{
	char pieces[PATTERN_N][32];
	bool known = false;

	for (int kind = 0; kind < PATTERN_N; kind++)
		units_format_request(
			pieces[kind], sizeof(pieces[kind]), (uint64_t)p->records[kind] * p->record);
	for (int kind = 0; kind < PATTERN_N && !known; kind++)
		known = !isnan(doc_value(p->s.doc, patterns[kind].key));
	if (known && strcmp(pieces[REREAD], pieces[BACKWARD]) == 0 &&
		strcmp(pieces[REREAD], pieces[STRIDED]) == 0)
		doc_note(p->s.doc, "The same again, backwards and with gaps were read in pieces of %s.",
			pieces[REREAD]);
	else if (known)
		doc_note(p->s.doc, "The same again was read in pieces of %s, backwards in pieces of %s, "
			"with gaps in pieces of %s.", pieces[REREAD], pieces[BACKWARD], pieces[STRIDED]);
}

static int measure(struct patterns *p)
{
	size_t *run_ends = mem_zalloc(p->s.scope->runs, sizeof(*run_ends));
	int status = pilot(p);

	if (status == 0 && !(p->s_per_byte > 0))
		session_unknown(&p->s, "the start of the region could not be streamed");
	for (int kind = 0; kind < PATTERN_N && status == 0 && p->s_per_byte > 0; kind++) {
		status = measure_pattern(p, (enum pattern)kind, run_ends);
		if (status == 0 && p->wrapped)
			doc_note(p->s.doc,
				"The region is small: patterns went over it more than once "
				"and may have met the drive's own cache.");
	}
	if (status == 0 && p->s_per_byte > 0)
		note_pieces(p);
	free(run_ends);
	return status;
}

int patterns_run(struct drive *d, const struct scope *scope, struct doc *doc, struct err *e)
{
	struct patterns p = {.cursor = scope->from_bytes, .record = RECORD_BYTES};
	uint64_t region = scope->to_bytes - scope->from_bytes;
	uint32_t block = d->info.logical_block_bytes;
	int status = 0;

	if (p.record > d->info.max_request_bytes)
		p.record = d->info.max_request_bytes - d->info.max_request_bytes % block;
	while (p.record > region / (16 * STRIDE) && p.record / 2 % block == 0 &&
		p.record / 2 >= 4096)
		p.record /= 2;
	if (p.record < block)
		p.record = block;
	p.samples = mem_zalloc(PIECES_MAX + scope->runs, sizeof(*p.samples));
	p.rates = mem_zalloc(scope->runs, sizeof(*p.rates));
	rng_init(&p.rng, scope->seed, 'p');
	session_start(&p.s, "patterns", "patterns/1", RECORDS_MAX, d, scope, doc, e);
	if (region / p.record < 4 * STRIDE)
		session_unknown(&p.s,
			"the region is too small for patterns: it holds only %u records",
			(unsigned)(region / p.record));
	else
		status = measure(&p);
	session_end(&p.s);
	free(p.samples);
	free(p.rates);
	return status;
}
