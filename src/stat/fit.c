/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sums are taken about the means, so that large offsets (bytes, nanoseconds) cancel first. */
#include "stat/fit.h"

#include <errno.h>
#include <math.h>

#include "stat/robust.h"

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
