/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What windows all over a region say about the rate along it: pure arithmetic of the zones probe.
 *
 * The region is cut into cells of the same size, and two windows at independent random places of
 * each are timed. Times per byte (not rates) are averaged, because the time of a whole scan is
 * their sum: the stratified estimator of sampling theory (Cochran, Sampling Techniques, ch. 5). What
 * the two windows of one cell differ by holds everything that scatters: noise, heads, and the step
 * between zones that the cell may contain. For the whole region these variances are added, with the
 * degrees of freedom of Satterthwaite (1946). A stretch of a few cells has too few windows to know
 * its own variance: it borrows from the other stretches as far as they are alike (stat/moderate.h). */
#ifndef PROBE_ZONE_MAP_H
#define PROBE_ZONE_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "stat/interval.h"
#include "stat/moderate.h"

struct zone_cell {
	uint64_t from, to;    /* bytes */
	double s_per_byte[2]; /* of its windows; only the first `windows` are valid */
	unsigned windows;     /* 0, 1, 2 */
};

struct zone_map {
	struct zone_cell *cells; /* in order of offset, without gaps */
	size_t n;
	size_t cells_per_point;  /* a point of the curve; divides n */
	/* no interval is narrower to each side than this share, of the whole and of a point: so
	 * short a look cannot have met what happens rarely, but slows the drive all the same */
	double floor_ratio, point_floor_ratio;
	struct moderate typical; /* filled by zone_map_judge: relative variance of a point's mean */
};

/* Works out what is typical. 0, or -ERANGE when too few cells (fewer than 3) have two windows. */
int zone_map_judge(struct zone_map *map);

/* Time per byte over point i of the curve (cells i * cells_per_point and on), s per byte. 0, or
 * -ENODATA when none of its cells has a window. */
int zone_map_point(const struct zone_map *map, size_t i, double confidence,
	struct interval *s_per_byte);

/* Time per byte over the whole region; a cell without a window is taken to be like its nearest
 * neighbour. -ENODATA: no cell has one. */
int zone_map_mean(const struct zone_map *map, double confidence, struct interval *s_per_byte);

#endif
