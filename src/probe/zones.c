/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rate along the whole region, both ends included. First a grid, one window at a random place of
 * each cell, in several passes over the region, so that a disturbance hits no neighbourhood twice and
 * a run cut short still covers everything. Then the rest of the time goes where it tells most: to
 * the steps of a staircase and to wide gaps (zone_search.c), or, where there is none, to both ends.
 * A window: some chunks to get there, not timed, then a number of chunks chosen before, for some
 * turns of a disk; its time per byte is the slope of a line through the completions, which track
 * switches at its ends disturb less than they do the whole time over all bytes. Chunks lie where
 * whoever reads all in order would place them. */
#include "probe/probe_table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"
#include "probe/phase.h"
#include "probe/zone_windows.h"

#define ARRAY_TRACKS 1.15 /* a turn */
#define ENDS_WINDOWS  12u  /* as many should be in each: their scatter gives the interval, */
#define ENDS_EXTRA    9u   /* but no more than so many are added */
#define INNER_SLOWER  1.4   /* the mean chunk takes that much longer than the first */
#define GRID_SHARE    0.5  /* of what the chunk's choice has left of the budget, at most */
#define PASSES        4u
#define WINDOW_PART   64u  /* of the region, a window at most */
#define ENDS_SHARE    0.85 /* of the budget: what is left is for the ends, if they need it */
#define WINDOW_EACH_S 0.012 /* no window takes less */
#define STEADY        0.006 /* standard deviation */
#define TURN_S        (60.0 / 7200)

static const unsigned points_wanted[EFFORT_N] = {16, 32, 64};

/* Timed chunks of a window at that rate. */
static size_t chunks_at(const struct zones *z, double s_per_byte)
{
	double wanted = ceil((z->brief ? z->brief_s : z->window_s) / (s_per_byte * z->chunk));
	double room = (double)zones_region(z) / WINDOW_PART / z->chunk - (double)z->skip;

	return (size_t)fmax(fmin(fmin(wanted, room), CHUNKS_MAX - CHUNKS_SKIP), (double)z->least);
}

/* How many cells the budget and the region have room for. */
static void make_cells(struct zones *z)
{
	double budget_s = (double)session_left_ns(&z->s) / 1e9 * GRID_SHARE;
	double chunk_s = INNER_SLOWER * z->chunk * z->pilot_s_per_byte;
	double each_s = POSITION_S + (double)z->skip * chunk_s +
			fmax(z->window_s, (double)z->least * chunk_s);
	double room = (double)zones_region(z) / z->chunk / (double)(z->least + z->skip + 1);
	double n = fmin(points_wanted[z->s.scope->effort], fmin(budget_s / each_s, room));

	z->cells = (size_t)fmax(n, ZONE_WINDOWS_MIN);
	z->points = z->cells < 2 * ZONE_WINDOWS_MIN ? 1 : z->cells;
}

uint64_t zones_part_start(const struct zones *z, size_t i, size_t n)
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

int zones_visit(struct zones *z, double middle)
{
	double from = (double)z->s.scope->from_bytes, near = rate_near(z, middle), s_per_byte;
	size_t chunks = chunks_at(z, near);
	double before = ((double)z->skip + (double)chunks / 2) * z->chunk;
	uint64_t length = (uint64_t)z->chunk * (chunks + z->skip);
	uint64_t all = (zones_region(z) + z->chunk - 1) / z->chunk, offset;
	double first = floor((middle - before - from) / z->chunk + 0.5);
	double left_s = (double)session_left_ns(&z->s) / 1e9;
	int status;

	first = fmin(first, (double)all - (double)(chunks + z->skip));
	offset = z->s.scope->from_bytes + (uint64_t)fmax(first, 0) * z->chunk;
	status = zones_read_window(z, offset, chunks,
		fmin(10 * ((double)length * near + POSITION_S), left_s) + 0.5, &s_per_byte);
	zones_keep(z, offset, chunks, s_per_byte);
	return status;
}

/* A window at a random place of [from, to). */
static int visit_part(struct zones *z, uint64_t from, uint64_t to)
{
	return zones_visit(z, (double)from + rng_uniform(&z->rng) * (double)(to - from));
}

/* Every PASSES-th cell, then those between, in and out in turn, until the budget is spent. */
static int visit_all(struct zones *z)
{
	static const size_t begin[PASSES] = {0, 2, 1, 3};
	int status = 0;

	for (size_t pass = 0; pass < PASSES; pass++) {
		size_t n = (z->cells + PASSES - 1 - begin[pass]) / PASSES;

		for (size_t i = 0; i < n && status == 0; i++) {
			size_t cell = begin[pass] + PASSES * (pass % 2 ? n - 1 - i : i);

			if (zones_may_go_on(z, 1) || z->map.n < ZONE_WINDOWS_MIN)
				status = visit_part(z, zones_part_start(z, cell, z->cells),
					zones_part_start(z, cell + 1, z->cells));
		}
	}
	return status;
}

/* The windows that begin with the region's first byte and end with its last. */
static int read_edges(struct zones *z)
{
	int status = zones_visit(z, (double)z->s.scope->from_bytes);

	return status ? status : zones_visit(z, (double)z->s.scope->to_bytes);
}

/* The ends have figures of their own: some more windows there where the map has few. */
static int visit_ends(struct zones *z)
{
	uint64_t length = (uint64_t)z->chunk * (z->skip + z->least) * 2;
	int status = 0;

	for (unsigned i = 0; i < 2 * ENDS_EXTRA && status == 0; i++) {
		size_t part = i % 2 ? ENDS - 1 : 0, before = z->map.n;
		uint64_t from = zones_part_start(z, part, ENDS);
		uint64_t to = zones_part_start(z, part + 1, ENDS), piece = (to - from) / ENDS_EXTRA;

		if (to - from <= length * ENDS_WINDOWS || !zones_may_go_on(z, 1.02) ||
			zone_map_count(&z->map, (double)from, (double)to) >= ENDS_WINDOWS)
			continue;
		status = visit_part(z, from + piece * (i / 2), from + piece * (i / 2 + 1));
		if (z->map.n > before)
			z->map.windows[before].extra = true;
	}
	return status;
}

/* Whether the map is a staircase so far. */
static bool is_stepped(struct zones *z)
{
	struct zone_steps s;
	bool stands;

	zone_map_sort(&z->map);
	zone_steps_find(&s, &z->map, zones_noise(z), ZONE_CLAIM);
	stands = zone_steps_stand(&s);
	zone_steps_release(&s);
	return stands;
}

double zones_noise(const struct zones *z)
{
	return z->map.by_track ? z->in_track_noise : z->noise;
}

/* Whether the grid's windows fall steadily: then brief ones are enough to halve on. */
static bool falls_steadily(struct zones *z)
{
	struct zone_steps s;
	bool steady;

	zone_map_sort(&z->map);
	zone_steps_find(&s, &z->map, zones_noise(z), ZONE_SEARCH);
	steady = s.noise < STEADY && s.residual < STEADY;
	zone_steps_release(&s);
	return steady;
}

/* What is left of the budget after the grid. */
static int look_closer(struct zones *z)
{
	int status = zones_read_outliers(z);

	z->map.by_track = z->brief_s > 0;
	z->map.by_track = z->map.by_track && falls_steadily(z);
	z->brief = z->map.by_track;
	if (status == 0)
		status = zones_search(z, ENDS_SHARE);
	if (status == 0 && !is_stepped(z)) {
		zone_map_fill_brief(&z->map);
		z->brief = z->map.by_track = false;
		status = visit_ends(z);
	}
	if (status == 0)
		status = zones_search(z, 1);
	if (status == 0)
		status = zones_read_outliers(z);
	return status;
}

/* More than a track in a turn: several share the work, and what one of them does in a turn says
 * nothing of the stream. */
static bool is_array(const struct zones *z)
{
	struct interval track;

	return z->turns && phase_track_bytes(z->s.doc, z->s.scope->from_bytes, &track) &&
		z->turn_s / z->pilot_s_per_byte > ARRAY_TRACKS * track.value;
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
	if (is_array(z)) {
		/* smaller ones read as fast only while its members happen to stand well to each other */
		while (zones_double_chunk(z))
			;
		z->turns = false;
	}
	status = zones_choose_window(z);
	make_cells(z);
	if (status == 0)
		status = read_edges(z);
	if (status == 0)
		status = visit_all(z);
	if (status == 0)
		status = look_closer(z);
	if (!zones_put(z) && status == 0)
		session_unknown(&z->s, "too few places of the region could be streamed for a map");
	return status;
}

static void start(struct zones *z, const struct scope *scope)
{
	struct interval period;

	rng_init(&z->rng, scope->seed, 'z');
	z->turns = phase_period(z->s.doc, &period);
	z->turn_s = z->turns ? period.value : TURN_S;
	z->windows_max = (size_t)((double)scope->budget_ns / 1e9 / WINDOW_EACH_S) +
			 points_wanted[scope->effort] + 2 * ENDS_EXTRA + 4;
	z->x = mem_zalloc(CHUNKS_MAX, sizeof(*z->x));
	z->y = mem_zalloc(CHUNKS_MAX, sizeof(*z->y));
	z->room = mem_zalloc(CHUNKS_MAX, sizeof(*z->room));
	z->change = mem_zalloc(CHANGES_MAX, sizeof(*z->change));
	z->map.windows = mem_zalloc(z->windows_max, sizeof(*z->map.windows));
}

int zones_run(struct drive *d, const struct scope *scope, struct doc *doc, struct err *e)
{
	struct zones z = {0};
	uint64_t blocks = (scope->to_bytes - scope->from_bytes) / d->info.logical_block_bytes;
	int status = 0;

	session_start(&z.s, "zones", "zones/2", CHUNKS_MAX, d, scope, doc, e);
	start(&z, scope);
	if (blocks < ZONE_WINDOWS_MIN * (CHUNKS_MIN + CHUNKS_SKIP + 1) ||
		blocks < 2 * CHUNKS_MIN + CHUNKS_SKIP)
		session_unknown(&z.s, "the region is too small for a map: it holds only %u blocks",
			(unsigned)blocks);
	else
		status = measure(&z);
	session_end(&z.s);
	zone_steps_release(&z.steps);
	free(z.map.windows);
	free(z.x);
	free(z.y);
	free(z.room);
	free(z.change);
	return status;
}
