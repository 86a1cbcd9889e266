/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long a window has to be: a stream runs over the ends of tracks, and how many of them fall into
 * a window decides what its slope is off by. Some longer streams tell: each is cut into windows of
 * every length tried, one beginning a little after the other, and the shortest length whose slopes
 * are near enough to that of the whole stream is taken. They also tell whether the first moments of
 * a stream are slower, as they are where several members have to get there. */
#include <math.h>
#include <string.h>

#include "probe/zone_windows.h"
#include "stat/broken_line.h"
#include "stat/fit.h"
#include "stat/robust.h"

#define PLACES      3u
#define STREAM_S    0.25 /* of each */
#define STREAM_MOST 72   /* turns */
#define SPEND       0.25 /* of the budget, what comes before included */
#define LENGTHS     7u
#define NEAR_ENOUGH 0.004
#define LONG_NEAR   0.005  /* where only all together have to say how fast a stream is */
#define SKIP_SHORT  3u     /* chunks by which a drive has seen that it is read in a row */
#define LOST_MANY   4u     /* turns, in all streams */
#define UNKNOWN_LEAST 8    /* turns, where it is not known how long one takes */
#define LATE        0.25 /* turns that a stream may begin late */

#define BRIEFS      5u
#define BRIEF_CHUNK 0.25  /* turns: a larger chunk hides where tracks end */
#define BRIEF_NEAR  0.004 /* as NEAR_ENOUGH, of brief windows: there are more of them */
#define GAP_LEAST   0.012

static const double turns[LENGTHS] = {5, 6, 8, 10, 12, 16, 24};
static const double brief_turns[BRIEFS] = {1.5, 2, 3, 4, 5};

struct findings {
	double scatter[LENGTHS][PLACES];
	double brief[BRIEFS][PLACES]; /* the same of lines within tracks */
	double late_s[PLACES];
	size_t n;
	unsigned lost_turns;
};

static size_t chunks_in(const struct zones *z, double seconds, double s_per_byte)
{
	return (size_t)ceil(seconds / (s_per_byte * z->chunk));
}

/* Root mean square of what windows of k steps differ from the whole line, of the logarithm; NAN: the
 * line is too short for two of them. */
static double scatter_of(const struct zones *z, size_t n, size_t k, double whole)
{
	size_t step = k / 6 + 1, used = 0;
	double square = 0;
	struct fit line;

	if (2 * k > n - 1)
		return NAN;
	for (size_t i = 0; i + k < n; i += step) {
		if (fit_line(z->x + i, z->y + i, k + 1, &line) || !(line.slope > 0))
			return NAN;
		square += pow(log(line.slope / whole), 2);
		used++;
	}
	return sqrt(square / (double)used);
}

/* The same of lines within tracks. */
static double brief_scatter_of(const struct zones *z, size_t n, size_t k)
{
	size_t step = k / 3 + 1, used = 0;
	double square = 0, gap = GAP_LEAST * z->turn_s;
	struct broken_line whole, part;

	if (2 * k > n - 1 || broken_line_fit(z->x, z->y, n, gap, z->room, &whole))
		return NAN;
	for (size_t i = 0; i + k < n; i += step) {
		if (broken_line_fit(z->x + i, z->y + i, k + 1, gap, z->room, &part))
			return NAN;
		square += pow(log(part.slope / whole.slope), 2);
		used++;
	}
	return sqrt(square / (double)used);
}

/* Reads one stream; nothing is added where it failed. */
static int look(struct zones *z, uint64_t offset, struct findings *f)
{
	double most_s = fmin(STREAM_S, STREAM_MOST * z->turn_s), s_per_byte;
	size_t chunks = chunks_in(z, most_s, z->pilot_s_per_byte), skip = z->skip, n;
	int status;

	if (chunks > CHUNKS_MAX - 2)
		chunks = CHUNKS_MAX - 2;
	z->skip = 1;
	status = zones_read_window(z, offset, chunks, 4 * most_s + 0.5, &s_per_byte);
	z->skip = skip;
	f->lost_turns += z->lost_turns;
	n = z->points_read;
	if (isnan(s_per_byte) || z->disturbed || n < skip + 8)
		return status;
	for (size_t i = 0; i < LENGTHS; i++)
		f->scatter[i][f->n] = scatter_of(
			z, n, chunks_in(z, turns[i] * z->turn_s, s_per_byte), s_per_byte);
	for (size_t i = 0; i < BRIEFS; i++)
		f->brief[i][f->n] = brief_scatter_of(
			z, n, chunks_in(z, brief_turns[i] * z->turn_s, s_per_byte));
	f->late_s[f->n++] = z->y[skip] - z->y[0] - (z->x[skip] - z->x[0]) * s_per_byte;
	return status;
}

static double median_of(const double *x, size_t n)
{
	double copy[PLACES];

	memcpy(copy, x, n * sizeof(*x));
	return stat_median(copy, n);
}

static void choose_brief(struct zones *z, struct findings *f)
{
	if (!z->turns || z->chunk * z->pilot_s_per_byte > BRIEF_CHUNK * z->turn_s)
		return;
	for (size_t i = 0; i < BRIEFS && z->brief_s <= 0; i++) {
		double scatter = median_of(f->brief[i], f->n);

		if (!(scatter <= BRIEF_NEAR))
			continue;
		z->brief_s = brief_turns[i] * z->turn_s;
		z->in_track_noise = scatter;
	}
}

static void choose(struct zones *z, struct findings *f)
{
	double best = INFINITY, near;

	choose_brief(z, f);
	near = z->brief_s > 0 ? LONG_NEAR : NEAR_ENOUGH;
	for (size_t i = 0; i < LENGTHS; i++) {
		double scatter = median_of(f->scatter[i], f->n);

		if (isnan(scatter) || scatter > best || (!z->turns && turns[i] < UNKNOWN_LEAST))
			continue;
		best = scatter;
		z->window_s = turns[i] * z->turn_s;
		z->noise = scatter;
		if (scatter <= near)
			break;
	}
	if (median_of(f->late_s, f->n) < LATE * z->turn_s)
		z->skip = SKIP_SHORT;
}

static int look_around(struct zones *z, struct findings *f)
{
	uint32_t block = z->s.drive->info.logical_block_bytes;
	uint64_t region = zones_region(z);
	double s = 2 * STREAM_S + POSITION_S;
	int status = 0;

	*f = (struct findings){.n = 0};
	for (unsigned i = 0; i < PLACES && status == 0; i++) {
		uint64_t offset = region / 8 * (1 + 3 * i);

		if ((double)session_elapsed_ns(&z->s) / 1e9 + s / 2 >
			SPEND * (double)z->s.scope->budget_ns / 1e9 ||
			STREAM_S / z->pilot_s_per_byte > (double)region / 16)
			break;
		status = look(z, z->s.scope->from_bytes + offset - offset % block, f);
	}
	return status;
}

/* Requests that come too late for the next sector lose a turn each time: larger ones come less often. */
int zones_choose_window(struct zones *z)
{
	struct findings f;
	int status = look_around(z, &f);

	z->window_s = (z->turns ? turns[0] : UNKNOWN_LEAST) * z->turn_s;
	while (status == 0 && f.lost_turns >= LOST_MANY && zones_double_chunk(z))
		status = look_around(z, &f);
	if (f.n)
		choose(z, &f);
	return status;
}
