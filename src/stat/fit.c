/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums are taken about the means, so that large offsets (bytes, nanoseconds) cancel first. */
#include "stat/fit.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "stat/interval.h"
#include "stat/robust.h"

#define CLIP_ROUNDS     6
#define CLIP_LEAST      8u
#define CLIP_DEVIATIONS 5

int fit_line(const double *x, const double *y, size_t n, struct fit *out)
{
	double mx = stat_mean(x, n), my = stat_mean(y, n), sxx = 0, sxy = 0, rest = 0;

	for (size_t i = 0; i < n; i++) {
		sxx += (x[i] - mx) * (x[i] - mx);
		sxy += (x[i] - mx) * (y[i] - my);
	}
	if (n < 2 || !(sxx > 0))
		return -ERANGE;
	out->n = n;
	out->slope = sxy / sxx;
	out->intercept = my - out->slope * mx;
	for (size_t i = 0; i < n; i++) {
		double r = (y[i] - my) - out->slope * (x[i] - mx);

		rest += r * r;
	}
	out->residual_sd = n > 2 ? sqrt(rest / (double)(n - 2)) : NAN;
	out->slope_se = out->residual_sd / sqrt(sxx);
	out->intercept_se = out->residual_sd * sqrt(1 / (double)n + mx * mx / sxx);
	return 0;
}

/* How far from the line a point may lie: about the median of all, since the line itself is drawn away
 * by what is to be taken out. */
static struct interval clip_limits(const double *x, const double *y, size_t n, const struct fit *line)
{
	double *residual = mem_zalloc(n, sizeof(*residual)), middle, sd;

	for (size_t i = 0; i < n; i++)
		residual[i] = y[i] - line->intercept - line->slope * x[i];
	middle = stat_median(residual, n);
	sd = stat_mad(residual, n);
	free(residual);
	return interval_around(middle, sd > 0 ? CLIP_DEVIATIONS * sd : INFINITY);
}

int fit_line_clipped(double *x, double *y, size_t n, struct fit *out)
{
	for (unsigned round = 0; round < CLIP_ROUNDS; round++) {
		size_t kept = 0;
		struct interval limits;
		int status = fit_line(x, y, n, out);

		if (status || n < CLIP_LEAST)
			return status;
		limits = clip_limits(x, y, n, out);
		for (size_t i = 0; i < n; i++) {
			double residual = y[i] - out->intercept - out->slope * x[i];

			if (residual < limits.low || residual > limits.high)
				continue;
			x[kept] = x[i];
			y[kept++] = y[i];
		}
		if (kept == n)
			return 0;
		n = kept;
	}
	return fit_line(x, y, n, out);
}
