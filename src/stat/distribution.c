/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One continued fraction gives the incomplete beta function; Student's t and the binomial are that
 * function with other arguments. Quantiles are found by bisection: they are asked for a few hundred
 * times in a run, and a bisection cannot fail. */
#include "stat/distribution.h"

#include <math.h>

/* Continued fraction of I_x(a, b), evaluated by Lentz' method; good for x < (a+1)/(a+b+2). */
static double beta_fraction(double a, double b, double x)
{
	const double tiny = 1e-300;
	double c = 1, d = 1 - (a + b) * x / (a + 1), h;

	d = 1 / (fabs(d) < tiny ? tiny : d);
	h = d;
	for (int m = 1; m <= 100000; m++) {
		double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
		double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
		double step;

		d = 1 + even * d;
		c = 1 + even / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		h *= d * c;
		d = 1 + odd * d;
		c = 1 + odd / c;
		d = 1 / (fabs(d) < tiny ? tiny : d);
		c = fabs(c) < tiny ? tiny : c;
		step = d * c;
		h *= step;
		if (fabs(step - 1) < 1e-14)
			break;
	}
	return h;
}

double stat_incomplete_beta(double a, double b, double x)
{
	double front;

	if (x <= 0)
		return 0;
	if (x >= 1)
		return 1;
	front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
	if (x < (a + 1) / (a + b + 2))
		return front * beta_fraction(a, b, x) / a;
	return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double stat_student_cdf(double t, double dof)
{
	double tail;

	if (isinf(dof) || dof > 1e8)
		return 0.5 * erfc(-t / sqrt(2.0));
	tail = 0.5 * stat_incomplete_beta(dof / 2, 0.5, dof / (dof + t * t));
	return t > 0 ? 1 - tail : tail;
}

double stat_student_quantile(double p, double dof)
{
	double low = 0, high = 1, q = p < 0.5 ? 1 - p : p;

	while (stat_student_cdf(high, dof) < q && high < 1e300)
		high *= 2;
	for (int i = 0; i < 200 && high - low > 1e-13 * high; i++) {
		double middle = low + (high - low) / 2;

		if (stat_student_cdf(middle, dof) < q)
			low = middle;
		else
			high = middle;
	}
	return p < 0.5 ? -high : high;
}

double stat_binomial_cdf(size_t k, size_t n, double p)
{
	if (k >= n)
		return 1;
	return stat_incomplete_beta((double)(n - k), (double)k + 1, 1 - p);
}
