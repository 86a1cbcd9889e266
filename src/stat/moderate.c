/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The logarithm of a variance estimate scatters by trigamma(dof / 2) even when all groups are the
 * same; scatter above that is difference between groups, and says how little the typical variance
 * is worth to any one of them. */
#include "stat/moderate.h"

#include <errno.h>
#include <math.h>

double stat_digamma(double x)
{
	double shift = 0, square, series;

	for (; x < 10; x += 1)
		shift -= 1 / x;
	square = 1 / (x * x);
	series = 1.0 / 240 - square / 132;
	series = 1.0 / 252 - square * series;
	series = 1.0 / 120 - square * series;
	series = 1.0 / 12 - square * series;
	return shift + log(x) - 0.5 / x - square * series;
}

double stat_trigamma(double x)
{
	double shift = 0, square, series;

	for (; x < 10; x += 1)
		shift += 1 / (x * x);
	square = 1 / (x * x);
	series = 1.0 / 30 - square * (5.0 / 66);
	series = 1.0 / 42 - square * series;
	series = 1.0 / 30 - square * series;
	series = 1.0 / 6 - square * series;
	return shift + 1 / x + square / 2 + square / x * series;
}

/* x > 0 with trigamma(x) = y; it falls from infinity to 0. */
static double trigamma_inverse(double y)
{
	double low = 1e-6, high = 1e9;

	for (int i = 0; i < 200 && high > low * (1 + 1e-12); i++) {
		double middle = sqrt(low * high);

		if (stat_trigamma(middle) > y)
			low = middle;
		else
			high = middle;
	}
	return low;
}

int moderate_fit(struct moderate *m, const double *variances, size_t n, double dof)
{
	double expected = stat_digamma(dof / 2) - log(dof / 2), mean = 0, scatter = 0, excess;

	if (n < 3)
		return -ERANGE;
	for (size_t i = 0; i < n; i++)
		mean += (log(variances[i]) - expected) / (double)n;
	for (size_t i = 0; i < n; i++) {
		double e = log(variances[i]) - expected - mean;

		scatter += e * e / (double)(n - 1);
	}
	excess = scatter - stat_trigamma(dof / 2);
	/* never worth more than all numbers there are */
	m->dof = dof * (double)n;
	if (excess > 0)
		m->dof = fmin(m->dof, 2 * trigamma_inverse(excess));
	m->variance = exp(mean + stat_digamma(m->dof / 2) - log(m->dof / 2));
	return 0;
}

double moderate_variance(const struct moderate *m, double variance, double dof)
{
	return (m->dof * m->variance + dof * variance) / (m->dof + dof);
}
