/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Straight line through points by least squares. */
#ifndef STAT_FIT_H
#define STAT_FIT_H

#include <stddef.h>

struct fit {
	double slope, intercept; /* y = intercept + slope * x */
	double slope_se,
		intercept_se; /* standard errors, residual variance over n - 2; NAN for n 2 */
	double residual_sd;   /* NAN for n 2 */
	size_t n;
};

/* 0, or -ERANGE: fewer than 2 points, or all x equal. */
int fit_line(const double *x, const double *y, size_t n, struct fit *out);

/* The same after points further from the line than 5 robust standard deviations of all were taken out,
 * again and again until none is; x and y are overwritten, out->n is what was left. */
int fit_line_clipped(double *x, double *y, size_t n, struct fit *out);

#endif
