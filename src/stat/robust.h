/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Summaries of a list of numbers. None of these keeps or frees what it is given. */
#ifndef STAT_ROBUST_H
#define STAT_ROBUST_H

#include <stddef.h>

/* Ascending, in place. */
void stat_sort(double *x, size_t n);

/* Arithmetic mean, by the pairwise-safe running form; NAN for n 0. */
double stat_mean(const double *x, size_t n);

/* Standard deviation of the sample (divisor n - 1), two passes; NAN for n < 2. */
double stat_sd(const double *x, size_t n);

/* Quantile q (0..1) of an ascending list, linear between order statistics: Hyndman and Fan (1996),
 * definition 7. NAN for n 0. */
double stat_quantile_sorted(const double *x, size_t n, double q);

/* Middle of the list, which is sorted in place. NAN for n 0. */
double stat_median(double *x, size_t n);

/* Median of the distances from the median, times 1.4826, which makes it the standard deviation of
 * normal numbers. The list is overwritten. NAN for n 0. */
double stat_mad(double *x, size_t n);

/* Correlation of each number with the one lag places later; 0 when it cannot be told (n <= lag,
 * or all equal). */
double stat_autocorrelation(const double *x, size_t n, size_t lag);

#endif
