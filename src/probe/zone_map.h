/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What windows all over a region say about the rate along it: pure arithmetic of the zones probe.
 *
 * The region is cut into strata of the same size, and two windows at independent random places of
 * each are timed. Times per byte (not rates) are averaged, because the time of a whole scan is
 * their sum: the stratified estimator of sampling theory (Cochran, Sampling Techniques, ch. 5). What
 * two windows of one stratum differ by holds everything that scatters: noise, heads, and the slope
 * inside the stratum; pooled over all strata as a relative variance it gives each point's interval
 * with as many degrees of freedom as there are pairs. */
#ifndef PROBE_ZONE_MAP_H
#define PROBE_ZONE_MAP_H

#include <stddef.h>
#include <stdint.h>

#include "stat/interval.h"

struct stratum {
	uint64_t from, to;   /* bytes */
	double s_per_byte[2]; /* of its windows; only the first `windows` are valid */
	unsigned windows;    /* 0, 1, 2 */
};

struct zone_map {
	struct stratum *strata; /* in order of offset, without gaps */
	size_t n;
	/* filled by zone_map_judge: */
	double variance; /* relative, of one window */
	double dof;
	double floor_ratio; /* no interval is narrower to each side than this share */
};

/* Works out variance and dof. 0, or -ERANGE when fewer than 3 strata have two windows. */
int zone_map_judge(struct zone_map *map, double floor_ratio);

/* Time per byte over the strata [first, first + count), s per byte, at the confidence given. A
 * stratum without a window is taken to be like its nearest neighbours. -ENODATA: none has one. */
int zone_map_mean(const struct zone_map *map, size_t first, size_t count, double confidence,
	struct interval *s_per_byte);

#endif
