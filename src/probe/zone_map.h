/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What windows all over a region say about the rate along it: pure arithmetic of the zones probe.
 *
 * Times per byte (not rates) are averaged, because the time of a whole scan is their sum. Between
 * two windows the time per byte is taken to go over from one value to the other: where exactly a
 * zone ends is unknown, and a step at a place uniform between them has that straight line as its
 * mean. An interval holds two things:
 * - noise of the windows, the same relative variance for all. Of neighbours' squared relative
 *   differences, A to the next window and B to the next but one, independent noise of variance v
 *   puts 2v into both, a lasting step is once in A and twice in B: v = A - B/2, whatever the
 *   noise's distribution. Where v from the differences that are left when the large ones are
 *   clipped is more (a slope makes A - B/2 too small), that one is taken.
 * - for each pair of neighbours, where between them their difference D, as far as it is more than
 *   noise, may have happened: over a part o of their distance L the variance
 *   D^2 (o^3/3L - o^4/4L^2). */
#ifndef PROBE_ZONE_MAP_H
#define PROBE_ZONE_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stat/interval.h"

struct zone_window {
	double middle;     /* bytes from the start of the drive */
	double length;     /* bytes timed, around it */
	double s_per_byte; /* above 0 */
	double in_track;   /* the same within tracks, gaps between them left out; NAN: not known */
	bool brief;        /* too short for more than in_track: s_per_byte follows from it */
	bool disturbed;    /* others were at the drive meanwhile, or the reader had to wait */
	bool by_others;    /* the former */
	bool extra;        /* beside the grid that covers the region evenly */
	uint64_t offset;   /* where and how long it was: what it takes to read it again */
	size_t chunks;
};

struct zone_map {
	struct zone_window *windows; /* zone_map_judge sorts them by place */
	size_t n;
	bool by_track;   /* steps show best in in_track */
	double variance; /* filled by zone_map_judge: relative, of one window's noise */
	double dof;
	double robust_sd; /* filled by zone_map_outliers: relative, of a difference of neighbours */
};

#define ZONE_WINDOWS_MIN 6u

/* Takes out the windows in which others were at the drive, and what else was disturbed where at least half of
 * the rest was left alone: a busy machine's map is better than none. Returns how many were taken out. */
size_t zone_map_drop_disturbed(struct zone_map *map);
bool zone_map_is_disturbed(const struct zone_map *map); /* some windows are, still */
size_t zone_map_by_others(const struct zone_map *map);  /* how many are so */

void zone_map_sort(struct zone_map *map); /* by place */

/* By how much a stream is slower than it is within tracks, of the logarithm: what it loses from track
 * to track. A straight line over the region where that is more than chance. */
struct zone_ratio {
	double at, slope; /* at + slope * place */
	double se;        /* standard error of a mean over the region */
	size_t windows;   /* behind it; 0: not known, at 0 */
};
struct zone_ratio zone_map_ratio(const struct zone_map *map);

/* Gives brief windows the time per byte that goes with in_track. */
void zone_map_fill_brief(struct zone_map *map);

/* Sorts the windows and works out their noise. 0, or -ERANGE: fewer than ZONE_WINDOWS_MIN. */
int zone_map_judge(struct zone_map *map);

/* Sorts the windows and fills `which` (room for map->n) with those whose difference to both
 * neighbours is more than `deviations` robust standard deviations of such a difference, to the same
 * side. Returns how many. */
size_t zone_map_outliers(struct zone_map *map, double deviations, size_t *which);

/* Whether two readings of one place differ by no more than that. After zone_map_outliers. */
bool zone_map_alike(const struct zone_map *map, double a, double b, double deviations);

/* How many windows have their middle in [from, to). */
size_t zone_map_count(const struct zone_map *map, double from, double to);

/* Mean time per byte over [from, to), s per byte. floor_ratio: the interval is at least this share
 * wide to each side: so short a look may not have met what happens rarely, but slows the drive all
 * the same. map must have been judged. */
struct interval zone_map_mean(
	const struct zone_map *map, double from, double to, double floor_ratio, double confidence);

/* Relative half-width of the mean of the windows in [from, to) by their own scatter, Student's t: where
 * they scatter more than those elsewhere. 0: fewer than 4 windows. */
double zone_map_scatter(const struct zone_map *map, double from, double to, double confidence);

/* Mean time per byte of the whole region where windows next to each other have nothing in common:
 * that of the windows of the grid, with Student's t. */
struct interval zone_map_plain_mean(const struct zone_map *map, double confidence);

#endif
