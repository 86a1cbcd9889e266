/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Intervals from a mean and its standard error, from order statistics, and from other intervals. */
#include "stat/interval.h"

#include <errno.h>
#include <math.h>

#include "stat/distribution.h"
#include "stat/robust.h"

#define UNBOUNDED 100

struct interval interval_around(double value, double half)
{
	return (struct interval){.value = value, .low = value - half, .high = value + half};
}

struct interval interval_student(double value, double se, double dof, double confidence)
{
	return interval_around(value, se * stat_student_quantile(0.5 + confidence / 2, dof));
}

int interval_mean(const double *x, size_t n, double confidence, struct interval *out)
{
	if (n < 2)
		return -ERANGE;
	*out = interval_student(
		stat_mean(x, n), stat_sd(x, n) / sqrt((double)n), (double)(n - 1), confidence);
	return 0;
}

int interval_mean_correlated(const double *x, size_t n, double confidence, struct interval *out)
{
	double rho, inflation;

	if (n < 4)
		return -ERANGE;
	rho = stat_autocorrelation(x, n, 1);
	rho = rho < 0 ? 0 : rho > 0.9 ? 0.9 : rho;
	inflation = (1 + rho) / (1 - rho);
	*out = interval_student(stat_mean(x, n), stat_sd(x, n) * sqrt(inflation / (double)n),
		fmax(1, (double)n / inflation - 1), confidence);
	return 0;
}

/* Largest l (1-based, 0: none) with P(fewer than l of n below the quantile) <= tail. */
static size_t lower_rank(size_t n, double q, double tail)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low + 1) / 2;

		if (stat_binomial_cdf(middle - 1, n, q) <= tail)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

int interval_quantile(
	const double *sorted, size_t n, double q, double confidence, struct interval *out)
{
	double tail = (1 - confidence) / 2;
	size_t lower, upper;

	if (n < 1)
		return -ERANGE;
	lower = lower_rank(n, q, tail);
	/* the mirror image: counted from the other end, 1 - q lies below */
	upper = lower_rank(n, 1 - q, tail);
	if (lower == 0 || upper == 0)
		return -ERANGE;
	out->low = sorted[lower - 1];
	out->high = sorted[n - upper];
	out->value = fmin(fmax(stat_quantile_sorted(sorted, n, q), out->low), out->high);
	return 0;
}

size_t interval_quantile_needs(double q, double confidence)
{
	double tail = (1 - confidence) / 2, far = q > 0.5 ? q : 1 - q;

	/* every number on one side of the quantile: far^n <= tail */
	return (size_t)ceil(log(tail) / log(far) - 1e-9);
}

struct interval interval_inverse(struct interval x, double scale)
{
	return (struct interval){
		.value = scale / x.value,
		.low = scale / x.high,
		.high = scale / fmax(x.low, x.value / UNBOUNDED),
	};
}

struct interval interval_ratio(struct interval a, struct interval b)
{
	double value = a.value / b.value;
	double down = hypot((a.value - a.low) / a.value, (b.high - b.value) / b.high);
	double up = hypot((a.high - a.value) / a.value, (b.value - b.low) / b.low);

	return (struct interval){
		.value = value,
		.low = value * (1 - down),
		.high = value * (1 + up),
	};
}

struct interval interval_of_logarithm(double value, double half)
{
	return (struct interval){
		.value = value,
		.low = value / (1 + half),
		.high = value * (1 + half),
	};
}

struct interval interval_at_least(struct interval x, double half)
{
	x.low = fmin(x.low, x.value - half);
	x.high = fmax(x.high, x.value + half);
	return x;
}

double interval_half(struct interval x)
{
	return (x.high - x.low) / 2;
}
