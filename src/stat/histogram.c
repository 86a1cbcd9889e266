/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bin k of width w octaves holds [2^(k w), 2^((k+1) w)); w is the first of a doubling row of widths
 * with which the whole list fits. */
#include "stat/histogram.h"

#include <math.h>
#include <string.h>

void histogram_log(struct histogram *h, const double *sorted, size_t n, size_t bins_max)
{
	double octaves = 0.125;
	long first, last;
	size_t bin = 0;

	memset(h, 0, sizeof(*h));
	while (n > 0 && !(sorted[0] > 0)) {
		sorted++;
		n--;
	}
	if (n == 0)
		return;
	for (;; octaves *= 2) {
		first = (long)floor(log2(sorted[0]) / octaves);
		last = (long)floor(log2(sorted[n - 1]) / octaves);
		if ((size_t)(last - first) < bins_max)
			break;
	}
	h->n = (size_t)(last - first) + 1;
	for (size_t i = 0; i <= h->n; i++)
		h->edges[i] = exp2((double)(first + (long)i) * octaves);
	for (size_t i = 0; i < n; i++) {
		while (bin + 1 < h->n && sorted[i] >= h->edges[bin + 1])
			bin++;
		h->counts[bin]++;
	}
}
