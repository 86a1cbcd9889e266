/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Straight steps of one slope with jumps between them, of which only the fraction is seen: the phase
 * of a platter along its addresses, one step a track, the jump between two tracks their skew. */
#ifndef STAT_STAIRCASE_H
#define STAT_STAIRCASE_H

#include <stdbool.h>
#include <stddef.h>

struct stair_point {
	double x;     /* ascending or descending throughout */
	double turns; /* whole turns do not matter */
};

#define STAIR_JUMPS_MAX 16u

struct staircase {
	double slope, slope_se; /* turns per x on the longest step, with its standard error */
	double from_x, to_x;    /* ends of that step, from < to */
	size_t points;          /* used on it */
	double scatter;         /* turns, one standard deviation about the steps */
	double lost;            /* share of the points that fit no step */
	size_t jumps;           /* STAIR_JUMPS_MAX at most are kept */
	double jump[STAIR_JUMPS_MAX]; /* 0..1: turns gained with growing x beside the slope's */
};

/* slope: as believed, right to half of itself; jumps of fewer turns than least_jump are not told from
 * scatter. 0, or -ERANGE: no step with STAIR_POINTS_LEAST points. */
#define STAIR_POINTS_LEAST 6u
int staircase_fit(const struct stair_point *points, size_t n, double slope, double least_jump,
	struct staircase *out);

#endif
