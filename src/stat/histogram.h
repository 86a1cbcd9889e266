/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts in bins that all have the same ratio of edges: made for times, which span decades. */
#ifndef STAT_HISTOGRAM_H
#define STAT_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#define HISTOGRAM_BINS_MAX 64

struct histogram {
	size_t n;                             /* bins; 0: nothing was counted */
	double edges[HISTOGRAM_BINS_MAX + 1]; /* ascending; bin i is [edges[i], edges[i+1]) */
	uint64_t counts[HISTOGRAM_BINS_MAX];
};

/* Counts n numbers (ascending, above 0; others are left out). Bins are 1/8 octave wide, or 1/4,
 * 1/2, 1, 2, … octaves where bins_max (1 … HISTOGRAM_BINS_MAX) would not do; their edges are
 * powers of two of that step, so that histograms of two drives line up. */
void histogram_log(struct histogram *h, const double *sorted, size_t n, size_t bins_max);

#endif
