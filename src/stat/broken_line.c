/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jumps are told by their height alone: most rises have none, so that the median of all is that of the
 * line. Each piece has its own mean taken off, and what is left is one line through the origin. */
#include "stat/broken_line.h"

#include <errno.h>
#include <math.h>

#include "stat/robust.h"

#define DEVIATIONS 6.0

/* What a rise is, per step of x as wide as the first. */
static double rise(const double *x, const double *y, size_t i, double step)
{
	return (y[i] - y[i - 1]) * step / (x[i] - x[i - 1]);
}

struct sums {
	double xx, xy, yy;
	size_t points, pieces;
};

static void add_piece(const double *x, const double *y, size_t from, size_t to, struct sums *sums)
{
	double mean_x = 0, mean_y = 0, n = (double)(to - from);

	if (to - from < 2)
		return;
	for (size_t i = from; i < to; i++) {
		mean_x += (x[i] - x[from]) / n;
		mean_y += (y[i] - y[from]) / n;
	}
	for (size_t i = from; i < to; i++) {
		double dx = x[i] - x[from] - mean_x, dy = y[i] - y[from] - mean_y;

		sums->xx += dx * dx;
		sums->xy += dx * dy;
		sums->yy += dy * dy;
	}
	sums->points += to - from;
	sums->pieces++;
}

int broken_line_fit(const double *x, const double *y, size_t n, double least_jump, double *room,
	struct broken_line *out)
{
	struct sums sums = {0};
	double usual, limit, step;
	size_t from = 0;

	*out = (struct broken_line){.slope_se = NAN};
	if (n < 3)
		return -ERANGE;
	step = x[1] - x[0];
	for (size_t i = 1; i < n; i++)
		room[i - 1] = rise(x, y, i, step);
	usual = stat_median(room, n - 1);
	limit = usual + fmax(least_jump, DEVIATIONS * stat_mad(room, n - 1));
	for (size_t i = 1; i < n; i++) {
		double height = rise(x, y, i, step);

		if (height <= limit)
			continue;
		out->jump += height - usual;
		out->jumps++;
		add_piece(x, y, from, i, &sums);
		from = i;
	}
	add_piece(x, y, from, n, &sums);
	if (!(sums.xx > 0) || !(sums.xy > 0))
		return -ERANGE;
	out->slope = sums.xy / sums.xx;
	if (out->jumps)
		out->jump /= (double)out->jumps;
	if (sums.points > sums.pieces + 1)
		out->slope_se = sqrt(fmax(0, sums.yy - sums.xy * out->slope) /
				     (double)(sums.points - sums.pieces - 1) / sums.xx);
	return 0;
}
