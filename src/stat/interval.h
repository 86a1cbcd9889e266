/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A figure and the interval that holds the truth with a given confidence (0.95: in 95 of 100
 * repetitions of the whole measurement). */
#ifndef STAT_INTERVAL_H
#define STAT_INTERVAL_H

#include <stddef.h>

struct interval {
	double value, low, high; /* low <= value <= high */
};

/* value ± half. */
struct interval interval_around(double value, double half);

/* value ± t * se, Student's t with dof degrees of freedom. */
struct interval interval_student(double value, double se, double dof, double confidence);

/* The mean of n independent numbers. 0, or -ERANGE for n < 2. */
int interval_mean(const double *x, size_t n, double confidence, struct interval *out);

/* The mean of n numbers of which neighbours may resemble each other (batch means of one long
 * measurement): a positive correlation of neighbours widens the interval as that of a first-order
 * autoregression would, and takes degrees of freedom away; a negative one is not used.
 * 0, or -ERANGE for n < 4. */
int interval_mean_correlated(const double *x, size_t n, double confidence, struct interval *out);

/* Quantile q of the distribution n independent numbers (ascending) came from: the two order
 * statistics between which it lies with at least that confidence whatever the distribution, each
 * tail at most (1 - confidence) / 2 by the binomial distribution (Hahn and Meeker, 1991, 5.2).
 * 0, or -ERANGE when n is too small for that. */
int interval_quantile(
	const double *sorted, size_t n, double q, double confidence, struct interval *out);

/* How many numbers interval_quantile needs at least. */
size_t interval_quantile_needs(double q, double confidence);

/* scale / x; value must be above 0. Where x reaches below a hundredth of its value nothing bounds the
 * result from above: high is then a hundred times its value, which no caller takes for a figure. */
struct interval interval_inverse(struct interval x, double scale);

/* a / b, two independent figures above 0 whose half-widths are small beside them: relative
 * half-widths add in quadrature, each side by its own. */
struct interval interval_ratio(struct interval a, struct interval b);

/* value / (1 + half) … value * (1 + half): for what is above 0 and known only to a factor. half:
 * of the ratio, may be large; for a small one this is value ± half * value. */
struct interval interval_of_logarithm(double value, double half);

/* Makes each side at least half wide: what a measurement cannot resolve it must not claim. */
struct interval interval_at_least(struct interval x, double half);

/* Half of the width. */
double interval_half(struct interval x);

#endif
