/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sorting is the library's qsort; everything else is one or two passes over the list. Means are
 * taken as running means, so that a long list of nearly equal times loses no digits. */
#include "stat/robust.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

void stat_sort(double *x, size_t n)
{
	if (n > 1)
		qsort(x, n, sizeof(*x), compare);
}

double stat_mean(const double *x, size_t n)
{
	double mean = n ? 0 : NAN;

	for (size_t i = 0; i < n; i++)
		mean += (x[i] - mean) / (double)(i + 1);
	return mean;
}

double stat_sd(const double *x, size_t n)
{
	double mean = stat_mean(x, n), sum = 0;

	if (n < 2)
		return NAN;
	for (size_t i = 0; i < n; i++)
		sum += (x[i] - mean) * (x[i] - mean);
	return sqrt(sum / (double)(n - 1));
}

double stat_quantile_sorted(const double *x, size_t n, double q)
{
	double place;
	size_t below;

	if (n == 0)
		return NAN;
	place = q * (double)(n - 1);
	below = (size_t)place;
	if (below + 1 >= n)
		return x[n - 1];
	return x[below] + (place - (double)below) * (x[below + 1] - x[below]);
}

double stat_median(double *x, size_t n)
{
	stat_sort(x, n);
	return stat_quantile_sorted(x, n, 0.5);
}

double stat_mad(double *x, size_t n)
{
	double middle = stat_median(x, n);

	for (size_t i = 0; i < n; i++)
		x[i] = fabs(x[i] - middle);
	return 1.4826 * stat_median(x, n);
}

double stat_autocorrelation(const double *x, size_t n, size_t lag)
{
	double mean = stat_mean(x, n), both = 0, square = 0;

	if (n <= lag)
		return 0;
	for (size_t i = 0; i < n; i++) {
		square += (x[i] - mean) * (x[i] - mean);
		if (i + lag < n)
			both += (x[i] - mean) * (x[i + lag] - mean);
	}
	return square > 0 ? both / square : 0;
}
