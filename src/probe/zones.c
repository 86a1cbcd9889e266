/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rate along the whole region, both ends included: one window at a random place of each cell
 * of a grid (zone_map.h says what becomes of them), one at the very start and one that ends with
 * the last byte. Every other cell first, in random order, then the rest: a disturbance hits no
 * neighbourhood twice, and a run cut short still covers the region. A window: some chunks to get
 * there, not timed (the members of an array have to get there each), then a number of chunks
 * chosen before, for some turns of a disk; its time per byte is the slope of a line through the
 * completions, which track switches at its ends disturb less than they do the whole time over all
 * bytes. Chunks lie where whoever reads all in order would place them. */
#include "probe/probe_table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"
#include "probe/session.h"
#include "probe/zone_map.h"
#include "stat/fit.h"
#include "stat/robust.h"

#define CHUNK_MIN     (16u << 10)
#define CHUNK_MAX     (1u << 20)
#define CHUNK_S       0.004 /* what a chunk should take at the outer edge, at most */
#define CHUNKS_SKIP   10u   /* to get there, and for the members of an array to find their step */
#define CHUNKS_MIN    8u
#define CHUNKS_MAX    2048u
#define WINDOW_MAX_S  0.120
#define WINDOW_MIN_S  0.045 /* rather fewer cells than shorter windows */
#define POSITION_S    0.016 /* seek and turn */
#define INNER_SLOWER  1.4   /* the mean chunk takes that much longer than the first */
#define CELLS_A_POINT 4u
#define FLOOR_RATIO   0.0015 /* see zone_map.h: of the whole region, */
#define POINT_FLOOR   0.002  /* and of one point, a quarter of a second */
#define SCATTER_MOST  0.25   /* standard deviation of one window; more: there are no zones */

static const unsigned points_wanted[EFFORT_N] = {16, 32, 64};

struct zones {
	struct session s;
	struct rng rng;
	struct zone_map map;
	size_t cells, points; /* cells is a multiple of points */
	uint32_t chunk;
	double window_s;
	double pilot_s_per_byte; /* at the start of the region */
	uint64_t lost;           /* windows thrown away */
	bool disturbed;          /* others were at the drive during the last window */
	double *x, *y;           /* room for one window's line */
	double *change;          /* by window: how much slower its second half was, relative */
	size_t changes;
};

static uint64_t region_bytes(const struct zones *z)
{
	return z->s.scope->to_bytes - z->s.scope->from_bytes;
}

/* Keeps by how much the second half of the line's points took longer than the first, as a share. */
static void keep_change(struct zones *z, size_t used)
{
	size_t half = (used - 1) / 2;
	double early = (z->y[half] - z->y[0]) / (z->x[half] - z->x[0]);
	double late = (z->y[2 * half] - z->y[half]) / (z->x[2 * half] - z->x[half]);

	z->change[z->changes++] = 2 * (late - early) / (late + early);
}

/* Time per byte of the last n requests run: slope of completion against bytes, from the end of the
 * untimed ones on. NAN: too few, or one of them failed. */
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
		if (i + 1 < CHUNKS_SKIP)
			continue;
		z->x[used] = bytes;
		z->y[used++] = (double)(io->done_ns - z->s.ios[0].done_ns) / 1e9;
	}
	if (used < CHUNKS_MIN + 1 || fit_line(z->x, z->y, used, &line) || !(line.slope > 0))
		return NAN;
	keep_change(z, used);
	return line.slope;
}

/* Reads CHUNKS_SKIP + chunks chunks from offset, the last one cut by the end of the region. */
static int read_window(
	struct zones *z, uint64_t offset, size_t chunks, double limit_s, double *s_per_byte)
{
	uint64_t end = offset + (uint64_t)z->chunk * (chunks + CHUNKS_SKIP);
	uint64_t until_ns = drive_now_ns(z->s.drive) + (uint64_t)(limit_s * 1e9);
	size_t n;
	uint64_t answered = z->s.answered, bytes = z->s.own_bytes;
	struct witness before;
	int status;

	drive_witness(z->s.drive, &before);
	status = session_stream(&z->s, offset,
		end < z->s.scope->to_bytes ? end : z->s.scope->to_bytes, z->chunk, until_ns, &n);
	z->disturbed =
		session_disturbed(&z->s, &before, z->s.answered - answered, z->s.own_bytes - bytes);

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

static void keep(struct zones *z, uint64_t offset, size_t chunks, double s_per_byte)
{
	if (isnan(s_per_byte)) {
		z->lost++;
		return;
	}
	z->map.windows[z->map.n++] = (struct zone_window){
		.middle = (double)offset + (CHUNKS_SKIP + (double)chunks / 2) * z->chunk,
		.s_per_byte = s_per_byte,
		.disturbed = z->disturbed,
	};
}

/* Chunk and rate at the start: twice, first with a small chunk, then with the one it suggests. */
static int pilot(struct zones *z)
{
	const struct drive_info *info = &z->s.drive->info;
	uint32_t block = info->logical_block_bytes, least = block > CHUNK_MIN ? block : CHUNK_MIN;
	double most = (double)region_bytes(z) / (4 * (CHUNKS_MIN + CHUNKS_SKIP)), s_per_byte = NAN;

	while (least / 2 >= block && least > most)
		least /= 2;
	if (most > info->max_request_bytes)
		most = info->max_request_bytes;
	z->chunk = power_of_two(fmin(most, 65536), least);
	for (int round = 0; round < 2; round++) {
		int status = read_window(z, z->s.scope->from_bytes,
			CHUNKS_MIN * (1 + (size_t)round), 2.0, &s_per_byte);

		if (status || isnan(s_per_byte))
			return status;
		z->pilot_s_per_byte = s_per_byte;
		if (round == 0)
			z->chunk = power_of_two(fmin(most, CHUNK_S / s_per_byte), least);
	}
	keep(z, z->s.scope->from_bytes, 2 * CHUNKS_MIN, s_per_byte);
	return 0;
}

/* Timed chunks of a window at that rate; fewer where the cell is small. */
static size_t chunks_at(const struct zones *z, double s_per_byte)
{
	double cell = (double)region_bytes(z) / (double)z->cells;
	double wanted = ceil(z->window_s / (s_per_byte * z->chunk));
	double room = cell / z->chunk - CHUNKS_SKIP - 1;

	return (size_t)fmax(fmin(fmin(wanted, room), CHUNKS_MAX - CHUNKS_SKIP), CHUNKS_MIN);
}

/* How many cells the budget and the region have room for, and how long a window may be. */
static void make_cells(struct zones *z)
{
	double budget_s = (double)session_left_ns(&z->s) / 1e9;
	double chunk_s = INNER_SLOWER * z->chunk * z->pilot_s_per_byte;
	double each_s =
		POSITION_S + CHUNKS_SKIP * chunk_s + fmax(WINDOW_MIN_S, CHUNKS_MIN * chunk_s);
	double room = (double)region_bytes(z) / z->chunk / (CHUNKS_MIN + CHUNKS_SKIP + 1);
	double n = fmin(
		CELLS_A_POINT * points_wanted[z->s.scope->effort], fmin(budget_s / each_s, room));

	z->points = n < 2 * CELLS_A_POINT ? 1 : (size_t)n / CELLS_A_POINT;
	z->cells = n < 2 * CELLS_A_POINT ? (size_t)fmax(n, 1) : z->points * CELLS_A_POINT;
	z->window_s = budget_s / (double)z->cells - POSITION_S - CHUNKS_SKIP * chunk_s;
	z->window_s = fmin(fmax(z->window_s, WINDOW_MIN_S), WINDOW_MAX_S);
}

/* Where cell i of n starts: whole blocks, as fractions of the region. */
static uint64_t part_start(const struct zones *z, size_t i, size_t n)
{
	uint32_t block = z->s.drive->info.logical_block_bytes;
	uint64_t blocks = region_bytes(z) / block;

	return z->s.scope->from_bytes + (blocks / n * i + blocks % n * i / n) * block;
}

/* Time per byte where it is known next to a place. */
static double rate_near(const struct zones *z, double place)
{
	double nearest = INFINITY, s_per_byte = z->pilot_s_per_byte;

	for (size_t i = 0; i < z->map.n; i++) {
		double distance = fabs(z->map.windows[i].middle - place);

		if (distance < nearest) {
			nearest = distance;
			s_per_byte = z->map.windows[i].s_per_byte;
		}
	}
	return s_per_byte;
}

static int visit(struct zones *z, size_t cell)
{
	uint64_t region_from = z->s.scope->from_bytes;
	uint64_t from = part_start(z, cell, z->cells), to = part_start(z, cell + 1, z->cells);
	double near = rate_near(z, (double)from / 2 + (double)to / 2), s_per_byte;
	size_t chunks = chunks_at(z, near);
	uint64_t length = (uint64_t)z->chunk * (chunks + CHUNKS_SKIP);
	uint64_t first = (from - region_from + z->chunk - 1) / z->chunk;
	uint64_t last = (to - region_from - length) / z->chunk, offset;
	double limit_s = 10 * ((double)length * near + POSITION_S) + 0.5;
	int status;

	offset = last > first ? first + rng_below(&z->rng, last - first + 1) : last;
	offset = region_from + offset * z->chunk;
	status = read_window(z, offset, chunks, limit_s, &s_per_byte);
	keep(z, offset, chunks, s_per_byte);
	return status;
}

/* Cells of one parity in random order, then the others, until the budget is half as much again
 * overspent. */
static int visit_all(struct zones *z)
{
	uint64_t limit_ns = z->s.scope->budget_ns / 2 * 3;
	uint64_t *order = mem_zalloc(z->cells, sizeof(*order));
	int status = 0;

	for (size_t parity = 0; parity < 2 && status == 0; parity++) {
		size_t n = 0;

		for (size_t i = parity; i < z->cells; i += 2)
			order[n++] = i;
		rng_shuffle(&z->rng, order, n);
		for (size_t i = 0; i < n && status == 0; i++)
			if (session_elapsed_ns(&z->s) < limit_ns)
				status = visit(z, (size_t)order[i]);
	}
	free(order);
	return status;
}

/* The window that ends with the region's last byte. */
static int read_end(struct zones *z)
{
	size_t chunks = 2 * CHUNKS_MIN;
	uint64_t all = (region_bytes(z) + z->chunk - 1) / z->chunk;
	uint64_t offset = z->s.scope->from_bytes + (all - chunks - CHUNKS_SKIP) * z->chunk;
	double s_per_byte;
	int status = read_window(z, offset, chunks, 2.0, &s_per_byte);

	keep(z, offset, chunks, s_per_byte);
	return status;
}

/* What the windows cannot be trusted beyond: where all of them become slower (an array whose
 * members had read ahead) or faster as they go on, a longer stream would be different by as much.
 * 0 where that may be chance. */
static double settling(const struct zones *z)
{
	double mean = fabs(stat_mean(z->change, z->changes));
	double se = stat_sd(z->change, z->changes) / sqrt((double)z->changes);

	return mean > 2 * se ? mean : 0;
}

/* Rate over points [first, end) of the curve. */
static struct interval rate_over(
	const struct zones *z, size_t first, size_t end, double floor_ratio)
{
	struct interval v = zone_map_mean(&z->map, (double)part_start(z, first, z->points),
		(double)part_start(z, end, z->points), floor_ratio, CONFIDENCE);

	return interval_inverse(
		interval_of_logarithm(v.value, v.high / v.value - 1 + settling(z)), 1);
}

static struct finding finding_over(
	const struct zones *z, struct interval v, size_t first, size_t end)
{
	struct finding f = session_finding(&z->s, v, 0);

	f.from_bytes = part_start(z, first, z->points);
	f.to_bytes = part_start(z, end, z->points);
	f.samples = zone_map_count(&z->map, (double)f.from_bytes, (double)f.to_bytes);
	f.request_bytes = z->chunk;
	f.depth = 1;
	f.lost_share = (double)z->lost / (double)(z->map.n + z->lost);
	return f;
}

/* Rows without an interval where windows next to each other have nothing in common. */
static void put_curve(struct zones *z, bool smooth)
{
	struct series *series = doc_series(z->s.doc, "zones.rate");

	for (size_t i = 0; i < z->points; i++) {
		double from = (double)part_start(z, i, z->points);
		double to = (double)part_start(z, i + 1, z->points);
		struct interval v = rate_over(z, i, i + 1, POINT_FLOOR);
		double row[4] = {from + (to - from) / 2, v.value, smooth ? v.low : NAN,
			smooth ? v.high : NAN};

		if (zone_map_count(&z->map, from, to))
			series_add(series, row);
	}
}

/* Rate over one point, the first or the last. false: nothing was read there. */
static bool put_point(struct zones *z, const char *key, size_t i, struct interval *rate)
{
	struct finding f;

	*rate = rate_over(z, i, i + 1, POINT_FLOOR);
	f = finding_over(z, *rate, i, i + 1);
	if (f.samples == 0)
		doc_put_unknown(
			z->s.doc, key, z->s.method, "that end of the region could not be read");
	else
		doc_put(z->s.doc, key, &f);
	return f.samples > 0;
}

static void put_ends(struct zones *z)
{
	struct interval outer, inner;
	bool ends = put_point(z, "zones.outer_bytes_per_s", 0, &outer);
	struct finding f;

	ends = put_point(z, "zones.inner_bytes_per_s", z->points - 1, &inner) && ends;
	if (!ends) {
		session_unknown(&z->s, "an end of the region could not be read");
		return;
	}
	f = finding_over(z, interval_ratio(outer, inner), 0, z->points);
	f.how = HOW_DERIVED;
	doc_put(z->s.doc, "zones.outer_inner_ratio", &f);
}

static void put_mean(struct zones *z, struct interval rate)
{
	struct finding f = finding_over(z, rate, 0, z->points);

	doc_put(z->s.doc, "zones.mean_bytes_per_s", &f);
	f = finding_over(z, interval_inverse(rate, (double)region_bytes(z)), 0, z->points);
	f.how = HOW_DERIVED;
	doc_put(z->s.doc, "zones.full_scan_s", &f);
}

/* False: too little for an interval. */
static bool put(struct zones *z)
{
	bool smooth;

	z->lost += zone_map_drop_disturbed(&z->map);
	if (zone_map_judge(&z->map))
		return false;
	smooth = sqrt(z->map.variance) <= SCATTER_MOST;
	put_curve(z, smooth);
	if (smooth) {
		put_mean(z, rate_over(z, 0, z->points, FLOOR_RATIO));
		put_ends(z);
		return true;
	}
	put_mean(z, interval_inverse(zone_map_plain_mean(&z->map, CONFIDENCE), 1));
	session_unknown(&z->s, "places next to each other differ so much that no zone has a rate");
	if (zone_map_is_disturbed(&z->map))
		return true; /* that may be why: the session says so */
	doc_note(z->s.doc,
		"Sequential rates at places next to each other have nothing in common: this "
		"drive does not keep its data in the order of its addresses, or answers some "
		"without reading.");
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
	struct zones z = {0};
	uint64_t blocks = (scope->to_bytes - scope->from_bytes) / d->info.logical_block_bytes;
	int status = 0;

	rng_init(&z.rng, scope->seed, 'z');
	session_start(&z.s, "zones", "zones/1", CHUNKS_MAX, d, scope, doc, e);
	z.x = mem_zalloc(CHUNKS_MAX, sizeof(*z.x));
	z.y = mem_zalloc(CHUNKS_MAX, sizeof(*z.y));
	z.change = mem_zalloc(CELLS_A_POINT * points_wanted[scope->effort] + 4, sizeof(*z.change));
	z.map.windows = mem_zalloc(
		CELLS_A_POINT * points_wanted[scope->effort] + 2, sizeof(*z.map.windows));
	if (blocks < ZONE_WINDOWS_MIN * (CHUNKS_MIN + CHUNKS_SKIP + 1) ||
		blocks < 2 * CHUNKS_MIN + CHUNKS_SKIP)
		session_unknown(&z.s, "the region is too small for a map: it holds only %u blocks",
			(unsigned)blocks);
	else
		status = measure(&z);
	session_end(&z.s);
	free(z.map.windows);
	free(z.x);
	free(z.y);
	free(z.change);
	return status;
}
