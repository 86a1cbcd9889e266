/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the level of a sequence changes. */
#ifndef STAT_CHANGEPOINT_H
#define STAT_CHANGEPOINT_H

#include <stddef.h>

/* Optimal partitioning (Jackson et al. 2005): of all ways to cut x into pieces of at least `least`
 * numbers the one with the smallest sum, over the pieces, of
 * (squared distances from the piece's mean) / (2 noise^2) + penalty. cuts (room for n): the index that
 * each piece but the first begins with, ascending. Returns how many; 0 for n < 2 * least. least >= 1. */
size_t changepoint_cut(
	const double *x, size_t n, double noise, double penalty, size_t least, size_t *cuts);

/* The non-decreasing sequence nearest to x by least squares (pool adjacent violators, Ayer et al.
 * 1955). out: n numbers, not x itself. */
void changepoint_rising(const double *x, size_t n, double *out);

#endif
