/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rate along the whole region, both ends included: two windows at random places of each cell
 * (zone_map.h says why), in random order, first every cell once, then every cell again, so that a
 * disturbance hits no neighbourhood twice and a run cut short still covers the region. One
 * window more at the very start (it also tells how large the chunks should be) and one that ends
 * with the last byte show that both can be read.
 * A window: one chunk to get there, not timed, then a number of chunks chosen before, for some
 * turns of a disk; its time per byte is the slope of a line through the completions, which track
 * switches at its ends disturb less than they do the whole time over all bytes. */
#include "probe/probe_table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"
#include "probe/session.h"
#include "probe/zone_map.h"
#include "stat/fit.h"

#define CHUNK_MIN     (16u << 10)
#define CHUNK_MAX     (1u << 20)
#define CHUNK_S       0.005  /* what a chunk should take at the outer edge */
#define CHUNKS_MIN    8u
#define CHUNKS_MAX    2048u
#define WINDOW_MAX_S  0.120
#define WINDOW_MIN_S  0.045  /* rather fewer cells than shorter windows */
#define POSITION_S    0.018  /* seek, turn and first chunk */
#define CELLS_A_POINT 2u
#define FLOOR_RATIO   0.0005 /* see zone_map.h: of the whole region, */
#define POINT_FLOOR   0.002  /* and of one point, a quarter of a second */
#define SCATTER_MOST  0.5    /* a rate less certain than this is none */

static const unsigned points_wanted[EFFORT_N] = {16, 32, 64};

struct zones {
	struct session s;
	struct rng rng;
	struct zone_map map;
	uint32_t chunk, block;
	double window_s;
	double pilot_s_per_byte; /* at the start of the region */
	uint64_t lost;           /* windows thrown away */
	double *x, *y;           /* room for one window's line */
};

static uint64_t region_bytes(const struct zones *z)
{
	return z->s.scope->to_bytes - z->s.scope->from_bytes;
}

/* Time per byte of the last n requests run: slope of completion against bytes. NAN: too few, or one
 * of them failed. */
static double slope(struct zones *z, size_t n)
{
	double bytes = 0;
	struct fit line;
	size_t used = 0;

	for (size_t i = 0; i < n; i++) {
		const struct io *io = &z->s.ios[i];

		if (io->error == -ECANCELED)
			break;
		if (io->error)
			return NAN;
		bytes += io->length;
		z->x[used] = bytes;
		z->y[used++] = (double)(io->done_ns - z->s.ios[0].done_ns) / 1e9;
	}
	if (used < CHUNKS_MIN || fit_line(z->x, z->y, used, &line) || !(line.slope > 0))
		return NAN;
	return line.slope;
}

/* Reads 1 + chunks chunks from offset. */
static int read_window(struct zones *z, uint64_t offset, size_t chunks, double limit_s,
	double *s_per_byte)
{
	uint64_t until_ns = drive_now_ns(z->s.drive) + (uint64_t)(limit_s * 1e9);
	size_t n;
	int status = session_stream(&z->s, offset, offset + (uint64_t)z->chunk * (chunks + 1),
		z->chunk, until_ns, &n);

	*s_per_byte = slope(z, n);
	return status;
}

/* The largest power of two up to limit that is at least least. */
static uint32_t power_of_two(double limit, uint32_t least)
{
	uint32_t size = least;

	while (size * 2.0 <= limit && size < CHUNK_MAX)
		size *= 2;
	return size;
}

/* Chunk and rate at the start: twice, first with a small chunk, then with the one it suggests. */
static int pilot(struct zones *z)
{
	const struct drive_info *info = &z->s.drive->info;
	uint32_t least = z->block > CHUNK_MIN ? z->block : CHUNK_MIN;
	double most = (double)region_bytes(z) / (4 * (CHUNKS_MIN + 1)), s_per_byte;
	int status;

	while (least / 2 >= z->block && least > most)
		least /= 2;
	if (most > info->max_request_bytes)
		most = info->max_request_bytes;
	z->chunk = power_of_two(fmin(most, 65536), least);
	for (int round = 0; round < 2; round++) {
		status = read_window(z, z->s.scope->from_bytes, CHUNKS_MIN + 4 * (size_t)round, 2.0,
			&s_per_byte);
		if (status || isnan(s_per_byte))
			return status;
		z->pilot_s_per_byte = s_per_byte;
		if (round == 0)
			z->chunk = power_of_two(fmin(most, CHUNK_S / s_per_byte), least);
	}
	return 0;
}

/* Chunks after the first one, for a window at that rate; fewer where the cell is small. */
static size_t chunks_at(const struct zones *z, double s_per_byte, uint64_t cell)
{
	double wanted = ceil(z->window_s / (s_per_byte * z->chunk));
	double room = (double)cell / 2 / z->chunk - 1;

	return (size_t)fmax(fmin(fmin(wanted, room), CHUNKS_MAX), CHUNKS_MIN);
}

/* How many cells the budget and the region have room for; at least 1. */
static void make_cells(struct zones *z)
{
	const struct scope *scope = z->s.scope;
	double budget_s = (double)session_left_ns(&z->s) / 1e9;
	double each_s = POSITION_S + fmax(WINDOW_MIN_S, CHUNKS_MIN * z->chunk * z->pilot_s_per_byte);
	double room = (double)region_bytes(z) / (2.0 * z->chunk * (CHUNKS_MIN + 1));
	double n = fmin(CELLS_A_POINT * points_wanted[scope->effort],
		fmin(budget_s / (2 * each_s), room));
	uint64_t blocks = region_bytes(z) / z->block;
	struct zone_map *map = &z->map;

	map->cells_per_point = n < 8 * CELLS_A_POINT ? 1 : CELLS_A_POINT;
	map->n = n < 1 ? 1 : (size_t)n - (size_t)n % map->cells_per_point;
	map->floor_ratio = FLOOR_RATIO;
	map->point_floor_ratio = POINT_FLOOR;
	z->window_s = budget_s / (2.0 * (double)map->n) - POSITION_S;
	z->window_s = fmin(fmax(z->window_s, WINDOW_MIN_S), WINDOW_MAX_S);
	map->cells = mem_zalloc(map->n, sizeof(*map->cells));
	for (size_t i = 0; i < map->n; i++) {
		map->cells[i].from = scope->from_bytes + blocks * i / map->n * z->block;
		map->cells[i].to = scope->from_bytes + blocks * (i + 1) / map->n * z->block;
	}
}

/* What is known of the rate near a cell. */
static double rate_near(const struct zones *z, size_t at)
{
	for (size_t d = 0; d < z->map.n; d++) {
		if (at >= d && z->map.cells[at - d].windows)
			return z->map.cells[at - d].s_per_byte[0];
		if (at + d < z->map.n && z->map.cells[at + d].windows)
			return z->map.cells[at + d].s_per_byte[0];
	}
	return z->pilot_s_per_byte;
}

static int visit(struct zones *z, size_t at)
{
	struct zone_cell *s = &z->map.cells[at];
	double near = rate_near(z, at), s_per_byte;
	size_t chunks = chunks_at(z, near, s->to - s->from);
	uint64_t length = (uint64_t)z->chunk * (chunks + 1);
	/* whole chunks from the region's start, as whoever reads it all would place them */
	uint64_t region_from = z->s.scope->from_bytes;
	uint64_t first = (s->from - region_from + z->chunk - 1) / z->chunk;
	uint64_t last = (s->to - region_from - length) / z->chunk;
	uint64_t offset = region_from +
		(last > first ? first + rng_below(&z->rng, last - first + 1) : last) * z->chunk;
	double limit_s = 10 * ((double)length * near + POSITION_S) + 0.5;
	int status = read_window(z, offset, chunks, limit_s, &s_per_byte);

	if (isnan(s_per_byte))
		z->lost++;
	else
		s->s_per_byte[s->windows++] = s_per_byte;
	return status;
}

/* Every cell twice, until the budget is half as much again overspent. */
static int visit_all(struct zones *z)
{
	uint64_t limit_ns = z->s.scope->budget_ns / 2 * 3;
	uint64_t *order = mem_zalloc(z->map.n, sizeof(*order));
	int status = 0;

	for (size_t i = 0; i < z->map.n; i++)
		order[i] = i;
	for (int pass = 0; pass < 2 && status == 0; pass++) {
		rng_shuffle(&z->rng, order, z->map.n);
		for (size_t i = 0; i < z->map.n && status == 0; i++)
			if (session_elapsed_ns(&z->s) < limit_ns)
				status = visit(z, (size_t)order[i]);
	}
	free(order);
	return status;
}

/* The window that ends with the region's last byte; only that it can be read matters. */
static int read_end(struct zones *z)
{
	uint64_t length = (uint64_t)z->chunk * (CHUNKS_MIN + 1);
	uint64_t offset = z->s.scope->to_bytes - length;
	double s_per_byte;

	return read_window(z, offset, CHUNKS_MIN, 2.0, &s_per_byte);
}

static struct finding finding_over(const struct zones *z, struct interval v, size_t first,
	size_t count)
{
	struct finding f = session_finding(&z->s, v, 0);

	for (size_t i = first; i < first + count; i++)
		f.samples += z->map.cells[i].windows;
	f.from_bytes = z->map.cells[first].from;
	f.to_bytes = z->map.cells[first + count - 1].to;
	f.request_bytes = z->chunk;
	f.depth = 1;
	f.lost_share = (double)z->lost / (2.0 * (double)z->map.n);
	return f;
}

static void put_curve(struct zones *z)
{
	struct series *series = doc_series(z->s.doc, "zones.rate");
	size_t each = z->map.cells_per_point;

	for (size_t i = 0; i < z->map.n / each; i++) {
		double from = (double)z->map.cells[i * each].from;
		double to = (double)z->map.cells[i * each + each - 1].to;
		struct interval v;
		double row[4];

		if (zone_map_point(&z->map, i, CONFIDENCE, &v))
			continue;
		v = interval_inverse(v, 1);
		row[0] = from + (to - from) / 2;
		row[1] = v.value;
		row[2] = v.low;
		row[3] = v.high;
		series_add(series, row);
	}
}

/* Rate over the first or last point. false: nothing was read there. */
static bool put_point(struct zones *z, const char *key, size_t i, struct interval *rate)
{
	size_t each = z->map.cells_per_point;
	struct finding f;

	if (zone_map_point(&z->map, i, CONFIDENCE, rate)) {
		doc_put_unknown(z->s.doc, key, z->s.method, "that end of the region could not be streamed");
		return false;
	}
	*rate = interval_inverse(*rate, 1);
	if (interval_half(*rate) > SCATTER_MOST * rate->value) {
		doc_put_unknown(z->s.doc, key, z->s.method,
			"neighbouring places there differ so much that they have no common rate");
		return false;
	}
	f = finding_over(z, *rate, i * each, each);
	doc_put(z->s.doc, key, &f);
	return true;
}

/* False: too little for an interval. */
static bool put(struct zones *z)
{
	size_t n = z->map.n, last = n / z->map.cells_per_point - 1;
	struct interval outer, inner, mean;
	struct finding f;
	bool ends;

	if (zone_map_judge(&z->map) || zone_map_mean(&z->map, CONFIDENCE, &mean))
		return false;
	put_curve(z);
	ends = put_point(z, "zones.outer_bytes_per_s", 0, &outer);
	ends = put_point(z, "zones.inner_bytes_per_s", last, &inner) && ends;
	if (ends) {
		f = finding_over(z, interval_ratio(outer, inner), 0, n);
		f.how = HOW_DERIVED;
		doc_put(z->s.doc, "zones.outer_inner_ratio", &f);
	}
	f = finding_over(z, interval_inverse(mean, 1), 0, n);
	doc_put(z->s.doc, "zones.mean_bytes_per_s", &f);
	mean.value *= (double)region_bytes(z);
	mean.low *= (double)region_bytes(z);
	mean.high *= (double)region_bytes(z);
	f = finding_over(z, mean, 0, n);
	f.how = HOW_DERIVED;
	doc_put(z->s.doc, "zones.full_scan_s", &f);
	if (!ends)
		session_unknown(&z->s, "an end of the region has no rate to compare");
	return true;
}

static int measure(struct zones *z)
{
	int status = session_warm_up(&z->s);

	if (status == 0)
		status = pilot(z);
	if (status)
		return status;
	if (!(z->pilot_s_per_byte > 0)) {
		session_unknown(&z->s, "the start of the region could not be streamed");
		return 0;
	}
	make_cells(z);
	status = visit_all(z);
	if (status == 0)
		status = read_end(z);
	if (!put(z) && status == 0)
		session_unknown(&z->s, "too few places of the region could be streamed for a map");
	return status;
}

int zones_run(struct drive *d, const struct scope *scope, struct doc *doc, struct err *e)
{
	struct zones z = {.block = d->info.logical_block_bytes};
	uint64_t region = scope->to_bytes - scope->from_bytes;
	int status = 0;

	if (d->info.physical_block_bytes > z.block && scope->from_bytes % d->info.physical_block_bytes == 0
		&& region / d->info.physical_block_bytes >= 8 * (CHUNKS_MIN + 1))
		z.block = d->info.physical_block_bytes;
	rng_init(&z.rng, scope->seed, 'z');
	session_start(&z.s, "zones", "zones/1", CHUNKS_MAX + 1, d, scope, doc, e);
	z.x = mem_zalloc(CHUNKS_MAX + 1, sizeof(*z.x));
	z.y = mem_zalloc(CHUNKS_MAX + 1, sizeof(*z.y));
	if (region / z.block < 8 * (CHUNKS_MIN + 1))
		session_unknown(&z.s, "the region is too small for a map: it holds only %u blocks",
			(unsigned)(region / z.block));
	else
		status = measure(&z);
	session_end(&z.s);
	free(z.map.cells);
	free(z.x);
	free(z.y);
	return status;
}
