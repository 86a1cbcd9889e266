/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Distribution functions that the intervals need, all from the incomplete beta function. */
#ifndef STAT_DISTRIBUTION_H
#define STAT_DISTRIBUTION_H

#include <stddef.h>

/* Regularised incomplete beta function I_x(a, b), a, b > 0, 0 <= x <= 1; relative error below 1e-10
 * (continued fraction, DLMF 8.17.22). */
double stat_incomplete_beta(double a, double b, double x);

/* Student's t: probability below t, and the t below which p (0 < p < 1) lies. dof > 0, any real;
 * INFINITY is the normal distribution. */
double stat_student_cdf(double t, double dof);
double stat_student_quantile(double p, double dof);

/* Probability of at most k hits in n trials of probability p each (0 < p < 1). */
double stat_binomial_cdf(size_t k, size_t n, double p);

#endif
