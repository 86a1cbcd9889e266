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
#include "probe/zone_windows.h"
#include "stat/robust.h"

#define ENDS          32u  /* the first and the last zone: one part in so many */
#define ENDS_WINDOWS  12u  /* as many should be in each: their scatter gives the interval, */
#define ENDS_EXTRA    9u   /* but no more than so many are added */
#define ENDS_WIDEST   0.10 /* half-width; more is no figure */
#define OUTLIER       3.5  /* robust standard deviations */
#define AGAIN_PART    8u   /* at most one window in so many is measured again */
#define WINDOW_MAX_S  0.120
#define WINDOW_MIN_S  0.045 /* rather fewer cells than shorter windows */
#define POSITION_S    0.016 /* seek and turn */
#define INNER_SLOWER  1.4   /* the mean chunk takes that much longer than the first */
#define CELLS_A_POINT 4u
#define FLOOR_RATIO   0.0015 /* see zone_map.h: of the whole region, */
#define POINT_FLOOR   0.002  /* and of one point, a quarter of a second */
#define SCATTER_MOST  0.25   /* standard deviation of one window; more: there are no zones */

static const unsigned points_wanted[EFFORT_N] = {16, 32, 64};

/* Timed chunks of a window at that rate; fewer where the cell is small. */
static size_t chunks_at(const struct zones *z, double s_per_byte)
{
	double cell = (double)zones_region(z) / (double)z->cells;
	double wanted = ceil(z->window_s / (s_per_byte * z->chunk));
	double room = cell / z->chunk - (double)z->skip - 1;

	return (size_t)fmax(fmin(fmin(wanted, room), CHUNKS_MAX - CHUNKS_SKIP), (double)z->least);
}

/* How many cells the budget and the region have room for, and how long a window may be. */
static void make_cells(struct zones *z)
{
	double budget_s = (double)session_left_ns(&z->s) / 1e9;
	double chunk_s = INNER_SLOWER * z->chunk * z->pilot_s_per_byte;
	double skip_s = (double)z->skip * chunk_s;
	double each_s = POSITION_S + skip_s + fmax(WINDOW_MIN_S, (double)z->least * chunk_s);
	double room = (double)zones_region(z) / z->chunk / (double)(z->least + z->skip + 1);
	double n = fmin(
		CELLS_A_POINT * points_wanted[z->s.scope->effort], fmin(budget_s / each_s, room));

	z->points = n < 2 * CELLS_A_POINT ? 1 : (size_t)n / CELLS_A_POINT;
	z->cells = n < 2 * CELLS_A_POINT ? (size_t)fmax(n, 1) : z->points * CELLS_A_POINT;
	z->window_s = budget_s / (double)z->cells - POSITION_S - skip_s;
	z->window_s = fmin(fmax(z->window_s, WINDOW_MIN_S), WINDOW_MAX_S);
}

/* Where cell i of n starts: whole blocks, as fractions of the region. */
static uint64_t part_start(const struct zones *z, size_t i, size_t n)
{
	uint32_t block = z->s.drive->info.logical_block_bytes;
	uint64_t blocks = zones_region(z) / block;

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

/* A window at a random place of [from, to), or one that begins before where that is too short. */
static int visit(struct zones *z, uint64_t from, uint64_t to)
{
	uint64_t region_from = z->s.scope->from_bytes;
	double near = rate_near(z, (double)from / 2 + (double)to / 2), s_per_byte;
	size_t chunks = chunks_at(z, near);
	uint64_t length = (uint64_t)z->chunk * (chunks + z->skip);
	uint64_t first = (from - region_from + z->chunk - 1) / z->chunk;
	uint64_t last = to - region_from > length ? (to - region_from - length) / z->chunk : 0,
		 offset;
	double limit_s = 10 * ((double)length * near + POSITION_S) + 0.5;
	int status;

	offset = last > first ? first + rng_below(&z->rng, last - first + 1) : last;
	offset = region_from + offset * z->chunk;
	status = zones_read_window(z, offset, chunks, limit_s, &s_per_byte);
	zones_keep(z, offset, chunks, s_per_byte);
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
				status = visit(z, part_start(z, (size_t)order[i], z->cells),
					part_start(z, (size_t)order[i] + 1, z->cells));
	}
	free(order);
	return status;
}

/* The window that ends with the region's last byte. */
static int read_end(struct zones *z)
{
	size_t chunks = 2 * z->least;
	uint64_t all = (zones_region(z) + z->chunk - 1) / z->chunk;
	uint64_t offset = z->s.scope->from_bytes + (all - chunks - z->skip) * z->chunk;
	double s_per_byte;
	int status = zones_read_window(z, offset, chunks,
		2.0 + 40 * (double)z->least * z->chunk * z->pilot_s_per_byte, &s_per_byte);

	zones_keep(z, offset, chunks, s_per_byte);
	return status;
}

/* The ends have figures of their own: some more windows there where the grid is wide. */
static int visit_ends(struct zones *z)
{
	uint64_t length = (uint64_t)z->chunk * (z->skip + z->least) * 2;
	int status = 0;

	for (unsigned i = 0; i < 2 * ENDS_EXTRA && status == 0; i++) {
		size_t part = i % 2 ? ENDS - 1 : 0, before = z->map.n;
		uint64_t from = part_start(z, part, ENDS), to = part_start(z, part + 1, ENDS);
		uint64_t piece = (to - from) / ENDS_EXTRA;

		if (to - from <= length * ENDS_WINDOWS ||
			zone_map_count(&z->map, (double)from, (double)to) >= ENDS_WINDOWS)
			continue;
		status = visit(z, from + piece * (i / 2), from + piece * (i / 2 + 1));
		if (z->map.n > before)
			z->map.windows[before].extra = true;
	}
	return status;
}

/* Windows that neither neighbour resembles, once more: a pause of drive or host hit them, or they are
 * as they are. What was read twice alike stands, else the second reading. The pause is not forgotten:
 * it says nothing of that place, but pauses happen, and every place has its share (rate_over). */
static int read_outliers(struct zones *z)
{
	size_t *which = mem_zalloc(z->map.n + 1, sizeof(*which));
	size_t n = zone_map_outliers(&z->map, OUTLIER, which);
	int status = 0;

	if (z->map.robust_sd > SCATTER_MOST)
		n = 0; /* there is nothing to stand out from */
	for (size_t i = 0; i < n && i < z->map.n / AGAIN_PART + 1 && status == 0; i++) {
		struct zone_window *w = &z->map.windows[which[i]];
		double length = (double)(w->chunks + z->skip) * z->chunk, s_per_byte;

		status = zones_read_window(
			z, w->offset, w->chunks, 10 * length * w->s_per_byte + 0.5, &s_per_byte);
		if (isnan(s_per_byte) ||
			zone_map_alike(&z->map, w->s_per_byte, s_per_byte, OUTLIER))
			continue;
		if (!w->disturbed && !z->disturbed) {
			double pause = w->s_per_byte / s_per_byte - 1;

			z->pauses += pause;
			z->pauses_squared += pause * pause;
		}
		w->s_per_byte = s_per_byte;
		w->disturbed = z->disturbed;
	}
	free(which);
	return status;
}

/* What the windows cannot be trusted beyond: where all of them become slower (an array whose
 * members had read ahead) or faster as they go on, a longer stream would be different by as much.
 * 0 where that may be chance. */
static double settling(const struct zones *z)
{
	double mean = fabs(stat_mean(z->change, z->changes));
	double se = stat_sd(z->change, z->changes) / sqrt((double)z->changes);

	return mean > 3 * se ? mean : 0;
}

/* Rate over [from, to). */
static struct interval rate_over(
	const struct zones *z, uint64_t from, uint64_t to, double floor_ratio)
{
	struct interval v =
		zone_map_mean(&z->map, (double)from, (double)to, floor_ratio, CONFIDENCE);

	double half = v.high / v.value - 1, n = (double)z->map.n;

	half = hypot(half, 1.96 * sqrt(z->pauses_squared) / n) + settling(z);
	return interval_inverse(interval_of_logarithm(v.value * (1 + z->pauses / n), half), 1);
}

static struct finding finding_over(
	const struct zones *z, struct interval v, uint64_t from, uint64_t to)
{
	struct finding f = session_finding(&z->s, v, 0);

	f.from_bytes = from;
	f.to_bytes = to;
	f.samples = zone_map_count(&z->map, (double)from, (double)to);
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
		uint64_t start = part_start(z, i, z->points), end = part_start(z, i + 1, z->points);
		double from = (double)start, to = (double)end;
		struct interval v = rate_over(z, start, end, POINT_FLOOR);
		double row[4] = {from + (to - from) / 2, v.value, smooth ? v.low : NAN,
			smooth ? v.high : NAN};

		if (zone_map_count(&z->map, from, to))
			series_add(series, row);
	}
}

/* Rate over the first or the last of ENDS parts. false: it is not known well enough. */
static bool put_end(struct zones *z, const char *key, size_t part, struct interval *rate)
{
	uint64_t from = part_start(z, part, ENDS), to = part_start(z, part + 1, ENDS);
	struct finding f;
	double half;

	if (from == to)
		return false;
	*rate = rate_over(z, from, to, POINT_FLOOR);
	half = fmax(rate->high / rate->value - 1,
		zone_map_scatter(&z->map, (double)from, (double)to, CONFIDENCE));
	*rate = interval_of_logarithm(rate->value, half);
	f = finding_over(z, *rate, from, to);
	if (f.samples == 0 && z->lost)
		doc_put_unknown(
			z->s.doc, key, z->s.method, "that end of the region could not be read");
	else if (f.samples == 0 || half > ENDS_WIDEST)
		doc_put_unknown(z->s.doc, key, z->s.method,
			"%zu places over the whole region bound the rate of its %s only to %.0f %%: a "
			"longer run looks at more",
			z->map.n, part ? "last 1/32" : "first 1/32", half * 100);
	else
		session_put(&z->s, key, &f);
	return f.samples > 0 && half <= ENDS_WIDEST;
}

static void put_ends(struct zones *z)
{
	struct interval outer, inner;
	bool ends = put_end(z, "zones.outer_bytes_per_s", 0, &outer);
	struct finding f;

	ends = put_end(z, "zones.inner_bytes_per_s", ENDS - 1, &inner) && ends;
	if (!ends) {
		session_unknown(&z->s, "the rate at an end of the region is not known");
		return;
	}
	f = finding_over(
		z, interval_ratio(outer, inner), z->s.scope->from_bytes, z->s.scope->to_bytes);
	f.how = HOW_DERIVED;
	session_put(&z->s, "zones.outer_inner_ratio", &f);
}

static void put_mean(struct zones *z, struct interval rate)
{
	uint64_t from = z->s.scope->from_bytes, to = z->s.scope->to_bytes;
	struct finding f = finding_over(z, rate, from, to);

	session_put(&z->s, "zones.mean_bytes_per_s", &f);
	f = finding_over(z, interval_inverse(rate, (double)zones_region(z)), from, to);
	f.how = HOW_DERIVED;
	session_put(&z->s, "zones.full_scan_s", &f);
}

/* False: too little for an interval. */
static bool put(struct zones *z)
{
	size_t spoiled = zone_map_drop_disturbed(&z->map);
	bool smooth;

	z->lost += spoiled;
	session_throw_away(&z->s, spoiled, 0);
	if (zone_map_judge(&z->map))
		return false;
	smooth = sqrt(z->map.variance) <= SCATTER_MOST;
	put_curve(z, smooth);
	if (smooth) {
		put_mean(
			z, rate_over(z, z->s.scope->from_bytes, z->s.scope->to_bytes, FLOOR_RATIO));
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
		status = zones_pilot(z);
	if (status)
		return status;
	if (!(z->pilot_s_per_byte > 0)) {
		session_unknown(&z->s, "no place at the start of the region could be streamed");
		return 0;
	}
	make_cells(z);
	status = visit_all(z);
	if (status == 0)
		status = read_end(z);
	if (status == 0)
		status = visit_ends(z);
	if (status == 0)
		status = read_outliers(z);
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
	z.change = mem_zalloc(
		2 * CELLS_A_POINT * points_wanted[scope->effort] + CHANGES_MAX, sizeof(*z.change));
	z.map.windows =
		mem_zalloc(CELLS_A_POINT * points_wanted[scope->effort] + 2 + 2 * ENDS_EXTRA,
			sizeof(*z.map.windows));
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
