/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Many small groups, each with a variance of its own known from a few numbers only: each group's
 * estimate is drawn towards what is typical of all groups, by as much as the groups are alike. The
 * empirical Bayes rule of Smyth (2004), "Linear models and empirical Bayes methods for assessing
 * differential expression", section 6. */
#ifndef STAT_MODERATE_H
#define STAT_MODERATE_H

#include <stddef.h>

struct moderate {
	double variance; /* typical of the groups */
	double dof;      /* what it counts for: much when groups are alike */
};

/* variances: one a group, each above 0, from dof degrees of freedom. 0, or -ERANGE for fewer than 3
 * groups. */
int moderate_fit(struct moderate *m, const double *variances, size_t n, double dof);

/* A group's variance in the light of all; its degrees of freedom are dof + m->dof. */
double moderate_variance(const struct moderate *m, double variance, double dof);

/* First and second derivative of the logarithm of the gamma function, x > 0; error below 1e-10
 * (DLMF 5.5.2, 5.11.2, 5.15.8). */
double stat_digamma(double x);
double stat_trigamma(double x);

#endif
