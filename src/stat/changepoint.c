/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The best partition of the first j numbers ends with some last piece, and what is before that piece
 * is itself best: so each j needs one look at every beginning of its last piece. */
#include "stat/changepoint.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

struct table {
	double *sum, *square; /* of the numbers before j, from their mean */
	double *best;
	size_t *begin; /* of the last piece */
};

static double spread(const struct table *t, size_t from, size_t to)
{
	double sum = t->sum[to] - t->sum[from];

	return t->square[to] - t->square[from] - sum * sum / (double)(to - from);
}

static void fill(struct table *t, const double *x, size_t n)
{
	double mean = 0;

	for (size_t i = 0; i < n; i++)
		mean += x[i] / (double)n;
	for (size_t i = 0; i < n; i++) {
		t->sum[i + 1] = t->sum[i] + (x[i] - mean);
		t->square[i + 1] = t->square[i] + (x[i] - mean) * (x[i] - mean);
	}
}

static void solve(struct table *t, size_t n, double noise, double penalty, size_t least)
{
	t->best[0] = -penalty;
	for (size_t to = 1; to <= n; to++) {
		t->best[to] = INFINITY;
		for (size_t from = 0; from + least <= to; from++) {
			double cost = t->best[from] + penalty +
				      spread(t, from, to) / (2 * noise * noise);

			if (cost < t->best[to]) {
				t->best[to] = cost;
				t->begin[to] = from;
			}
		}
	}
}

size_t changepoint_cut(
	const double *x, size_t n, double noise, double penalty, size_t least, size_t *cuts)
{
	struct table t;
	size_t count = 0;

	if (n < 2 * least)
		return 0;
	t.sum = mem_zalloc(3 * (n + 1), sizeof(double));
	t.square = t.sum + n + 1;
	t.best = t.square + n + 1;
	t.begin = mem_zalloc(n + 1, sizeof(size_t));
	fill(&t, x, n);
	solve(&t, n, noise, penalty, least);
	for (size_t at = t.begin[n]; at > 0; at = t.begin[at])
		count++;
	for (size_t at = t.begin[n], i = count; at > 0; at = t.begin[at])
		cuts[--i] = at;
	free(t.sum);
	free(t.begin);
	return count;
}

void changepoint_rising(const double *x, size_t n, double *out)
{
	size_t *length = mem_zalloc(n + 1, sizeof(*length)), blocks = 0, at = n;

	for (size_t i = 0; i < n; i++) {
		out[blocks] = x[i];
		length[blocks++] = 1;
		while (blocks > 1 && out[blocks - 2] > out[blocks - 1]) {
			size_t a = length[blocks - 2], b = length[blocks - 1];

			out[blocks - 2] = (out[blocks - 2] * (double)a + out[blocks - 1] * (double)b) /
					  (double)(a + b);
			length[blocks - 2] = a + b;
			blocks--;
		}
	}
	while (blocks-- > 0)
		for (size_t i = length[blocks]; i > 0; i--)
			out[--at] = out[blocks];
	free(length);
}
