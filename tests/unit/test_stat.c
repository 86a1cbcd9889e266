/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statistics against printed tables, NIST reference sets and exact sums. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <errno.h>
#include <math.h>

#include "stat/distribution.h"
#include "stat/fit.h"
#include "stat/histogram.h"
#include "stat/interval.h"
#include "stat/moderate.h"
#include "stat/robust.h"

#define NEAR(got, want, within) assert_true(fabs((got) - (want)) <= (within))
#define COUNT(a)                (sizeof(a) / sizeof((a)[0]))

static void student_table(void **state)
{
	/* printed tables of the t distribution, 6 significant digits */
	static const struct {
		double p, dof, t;
	} rows[] = {
		{0.975, 1, 12.7062},
		{0.975, 2, 4.30265},
		{0.975, 3, 3.18245},
		{0.975, 5, 2.57058},
		{0.975, 10, 2.22814},
		{0.975, 30, 2.04227},
		{0.975, 120, 1.97993},
		{0.995, 4, 4.60409},
		{0.95, 7, 1.89458},
		{0.9995, 3, 12.9240},
		{0.975, INFINITY, 1.95996},
		{0.75, 1, 1.0},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(rows); i++) {
		double t = stat_student_quantile(rows[i].p, rows[i].dof);

		NEAR(t, rows[i].t, 5e-6 * rows[i].t + 5e-6);
		NEAR(stat_student_quantile(1 - rows[i].p, rows[i].dof), -t, 1e-9 * t);
		NEAR(stat_student_cdf(t, rows[i].dof), rows[i].p, 1e-10);
	}
	/* dof 1 is the Cauchy distribution: tan(pi (p - 1/2)) */
	NEAR(stat_student_quantile(0.9, 1), tan(acos(-1.0) * 0.4), 1e-9);
	/* a broken number of degrees lies between its neighbours */
	assert_true(stat_student_quantile(0.975, 2.5) < 4.30265);
	assert_true(stat_student_quantile(0.975, 2.5) > 3.18245);
}

static double binomial_by_sum(size_t k, size_t n, double p)
{
	double term = pow(1 - p, (double)n), sum = term;

	for (size_t i = 1; i <= k; i++) {
		term *= p / (1 - p) * (double)(n - i + 1) / (double)i;
		sum += term;
	}
	return sum;
}

static void binomial_exact(void **state)
{
	(void)state;
	NEAR(stat_binomial_cdf(2, 10, 0.5), 56.0 / 1024, 1e-14);
	NEAR(stat_binomial_cdf(0, 10, 0.5), 1.0 / 1024, 1e-14);
	NEAR(stat_binomial_cdf(10, 10, 0.5), 1, 0);
	NEAR(stat_binomial_cdf(2, 20, 0.1), 0.676926805, 1e-9);
	for (size_t n = 1; n < 60; n += 7) {
		for (size_t k = 0; k < n; k++)
			NEAR(stat_binomial_cdf(k, n, 0.3), binomial_by_sum(k, n, 0.3), 1e-12);
	}
	NEAR(stat_incomplete_beta(2, 3, 0.5), 0.6875, 1e-14);
	NEAR(stat_incomplete_beta(1, 1, 0.25), 0.25, 1e-14);
	NEAR(stat_incomplete_beta(4, 9, 0) + 1 - stat_incomplete_beta(4, 9, 1), 0, 0);
}

static void nist_means(void **state)
{
	/* NIST StRD univariate sets NumAcc1, NumAcc3, NumAcc4: mean and sd are exact */
	double one[] = {10000001, 10000003, 10000002}, many[1001];
	static const double bases[] = {1.2, 1000000.2, 10000000.2};

	(void)state;
	NEAR(stat_mean(one, 3), 10000002, 1e-9);
	NEAR(stat_sd(one, 3), 1, 1e-12);
	for (size_t b = 0; b < COUNT(bases); b++) {
		many[0] = bases[b];
		for (size_t i = 1; i < COUNT(many); i++)
			many[i] = bases[b] + (i % 2 ? -0.1 : 0.1);
		NEAR(stat_mean(many, COUNT(many)), bases[b], 1e-9 * bases[b]);
		NEAR(stat_sd(many, COUNT(many)), 0.1, 1e-8);
	}
	assert_true(
		isnan(stat_mean(one, 0)) && isnan(stat_sd(one, 1)) && isnan(stat_median(one, 0)));
}

static void order_and_spread(void **state)
{
	double x[] = {9, 1, 8, 2, 1000}, y[] = {9, 1, 8, 2, 1000}, even[] = {4, 1, 3, 2};
	static const double same[] = {5, 5, 5}, saw[] = {1, -1, 1, -1, 1, -1, 1, -1};

	(void)state;
	NEAR(stat_median(x, 5), 8, 0);
	NEAR(stat_median(even, 4), 2.5, 0);
	NEAR(stat_quantile_sorted(x, 5, 0), 1, 0);
	NEAR(stat_quantile_sorted(x, 5, 1), 1000, 0);
	NEAR(stat_quantile_sorted(x, 5, 0.375), 5, 1e-12); /* 2 + half of the way to 8 */
	/* distances from 8: 1 7 0 6 992, middle 6 */
	NEAR(stat_mad(y, 5), 6 * 1.4826, 1e-12);
	NEAR(stat_autocorrelation(same, 3, 1), 0, 0);
	NEAR(stat_autocorrelation(saw, 8, 1), -7.0 / 8, 1e-12);
	NEAR(stat_autocorrelation(saw, 8, 8), 0, 0);
}

static void mean_intervals(void **state)
{
	static const double x[] = {4, 5, 6}, trend[] = {1, 2, 3, 4, 5, 6, 7, 8};
	struct interval plain, wide;

	(void)state;
	assert_int_equal(interval_mean(x, 1, 0.95, &plain), -ERANGE);
	assert_int_equal(interval_mean(x, 3, 0.95, &plain), 0);
	NEAR(plain.value, 5, 1e-12);
	NEAR(plain.high - plain.value, 4.30265 / sqrt(3), 1e-4); /* sd 1, t(2) */
	NEAR(plain.value - plain.low, plain.high - plain.value, 1e-12);
	assert_int_equal(interval_mean_correlated(x, 3, 0.95, &wide), -ERANGE);
	assert_int_equal(interval_mean_correlated(trend, 8, 0.95, &wide), 0);
	assert_int_equal(interval_mean(trend, 8, 0.95, &plain), 0);
	/* correlation of neighbours of 1..8 is 5/8: (1 + r)/(1 - r) = 13/3, 8 * 3/13 - 1 degrees */
	NEAR(interval_half(wide),
		interval_half(plain) * sqrt(13.0 / 3) *
			stat_student_quantile(0.975, fmax(1, 8 * 3 / 13.0 - 1)) /
			stat_student_quantile(0.975, 7),
		1e-9);
}

static void quantile_intervals(void **state)
{
	double x[4000];
	struct interval v;

	(void)state;
	for (size_t i = 0; i < COUNT(x); i++)
		x[i] = (double)(i + 1);
	/* ranks of the usual tables for the median */
	assert_int_equal(interval_quantile(x, 10, 0.5, 0.95, &v), 0);
	NEAR(v.low, 2, 0);
	NEAR(v.high, 9, 0);
	assert_int_equal(interval_quantile(x, 100, 0.5, 0.95, &v), 0);
	NEAR(v.low, 40, 0);
	NEAR(v.high, 61, 0);
	assert_int_equal(interval_quantile(x, 5, 0.5, 0.95, &v), -ERANGE);
	assert_int_equal(interval_quantile(x, 0, 0.5, 0.95, &v), -ERANGE);
	assert_int_equal(interval_quantile(x, 6, 0.5, 0.95, &v), 0);
	assert_int_equal(interval_quantile_needs(0.5, 0.95), 6);
	assert_int_equal(interval_quantile_needs(0.9, 0.95), 36);
	assert_int_equal(interval_quantile_needs(0.99, 0.95), 368);
	assert_int_equal(interval_quantile_needs(0.999, 0.95), 3688);
	assert_int_equal(interval_quantile(x, 3687, 0.999, 0.95, &v), -ERANGE);
	assert_int_equal(interval_quantile(x, 3688, 0.999, 0.95, &v), 0);
	NEAR(v.high, 3688, 0);
	/* both tails by the sum itself */
	assert_int_equal(interval_quantile(x, 200, 0.9, 0.95, &v), 0);
	assert_true(binomial_by_sum((size_t)v.low - 1, 200, 0.9) <= 0.025);
	assert_true(binomial_by_sum((size_t)v.low, 200, 0.9) > 0.025);
	assert_true(1 - binomial_by_sum((size_t)v.high - 1, 200, 0.9) <= 0.025);
	assert_true(1 - binomial_by_sum((size_t)v.high - 2, 200, 0.9) > 0.025);
}

static void derived_intervals(void **state)
{
	struct interval a = {.value = 4, .low = 3.96, .high = 4.08};
	struct interval b = {.value = 2, .low = 1.98, .high = 2.02}, v;

	(void)state;
	v = interval_inverse(a, 2);
	NEAR(v.value, 0.5, 1e-15);
	NEAR(v.low, 2 / 4.08, 1e-15);
	NEAR(v.high, 2 / 3.96, 1e-15);
	v = interval_ratio(a, b);
	NEAR(v.value, 2, 1e-15);
	NEAR(v.low, 2 * (1 - hypot(0.01, 0.02 / 2.02)), 1e-12);
	NEAR(v.high, 2 * (1 + hypot(0.02, 0.02 / 1.98)), 1e-12);
	v = interval_at_least(a, 0.05);
	NEAR(v.low, 3.95, 1e-15);
	NEAR(v.high, 4.08, 1e-15);
}

static void histogram_bins(void **state)
{
	static const double x[] = {-1, 0, 1, 1.05, 1.5, 2, 3.99, 4, 1e9};
	struct histogram h;
	uint64_t sum = 0;

	(void)state;
	histogram_log(&h, x, 8, 40);
	assert_int_equal(h.n, 17); /* 1 … 4 in eighths of an octave, the last holding 4 itself */
	NEAR(h.edges[0], 1, 1e-15);
	NEAR(h.edges[8], 2, 1e-15);
	assert_int_equal(h.counts[0], 2);
	assert_int_equal(h.counts[8], 1);
	assert_int_equal(h.counts[15], 1);
	assert_int_equal(h.counts[16], 1);
	histogram_log(&h, x, 9, 40);
	assert_int_equal(h.n, 30); /* octaves now: 2^0 … 2^29 */
	NEAR(h.edges[1] / h.edges[0], 2, 1e-12);
	for (size_t i = 0; i < h.n; i++)
		sum += h.counts[i];
	assert_int_equal(sum, 7);
	histogram_log(&h, x, 9, 1);
	assert_int_equal(h.n, 1);
	histogram_log(&h, x, 2, 40);
	assert_int_equal(h.n, 0);
}

static void line_norris(void **state)
{
	/* NIST StRD linear regression set Norris; certified values */
	static const double y[] = {0.1, 338.8, 118.1, 888.0, 9.2, 228.1, 668.5, 998.5, 449.1, 778.9,
		559.2, 0.3, 0.1, 778.1, 668.8, 339.3, 448.9, 10.8, 557.7, 228.3, 998.0, 888.8,
		119.6, 0.3, 0.6, 557.6, 339.3, 888.0, 998.5, 778.9, 10.2, 117.6, 228.9, 668.4,
		449.2, 0.2};
	static const double x[] = {0.2, 337.4, 118.2, 884.6, 10.1, 226.5, 666.3, 996.3, 448.6,
		777.0, 558.2, 0.4, 0.6, 775.5, 666.9, 338.0, 447.5, 11.6, 556.0, 228.1, 995.8,
		887.6, 120.2, 0.3, 0.3, 556.8, 339.1, 887.2, 999.0, 779.0, 11.1, 118.3, 229.2,
		669.1, 448.9, 0.5};
	struct fit f;

	(void)state;
	assert_int_equal(fit_line(x, y, COUNT(x), &f), 0);
	NEAR(f.slope, 1.00211681802045, 1e-12);
	NEAR(f.intercept, -0.262323073774029, 1e-10);
	NEAR(f.slope_se, 0.429796848199937e-3, 1e-13);
	NEAR(f.intercept_se, 0.232818234301152, 1e-10);
	NEAR(f.residual_sd, 0.884796396144373, 1e-10);
	assert_int_equal(fit_line(x, y, 1, &f), -ERANGE);
	assert_int_equal(fit_line((const double[]){2, 2}, y, 2, &f), -ERANGE);
	assert_int_equal(fit_line(x, y, 2, &f), 0);
	assert_true(isnan(f.slope_se));
}

static void gamma_derivatives(void **state)
{
	const double pi = acos(-1.0), euler = 0.57721566490153286061;

	(void)state;
	/* DLMF 5.4.12, 5.4.13, 5.15.2, 5.15.3 */
	NEAR(stat_digamma(1), -euler, 1e-11);
	NEAR(stat_digamma(0.5), -euler - 2 * log(2), 1e-11);
	NEAR(stat_digamma(3), 1.5 - euler, 1e-11);
	NEAR(stat_trigamma(1), pi * pi / 6, 1e-11);
	NEAR(stat_trigamma(0.5), pi * pi / 2, 1e-11);
}

static void borrowed_variances(void **state)
{
	/* logarithms exactly as far apart as chance makes groups of 2 degrees: nothing but
	 * chance */
	double step = sqrt(stat_trigamma(1)), alike[] = {exp(-step), 1, exp(step)};
	double apart[] = {1e-6, 1e-3, 1, 1e-6, 1e-3, 1};
	struct moderate m;

	(void)state;
	assert_int_equal(moderate_fit(&m, alike, 2, 2), -ERANGE);
	assert_int_equal(moderate_fit(&m, alike, 3, 2), 0);
	assert_true(m.dof >= 5.99); /* all there is: 3 groups of 2 */
	assert_int_equal(moderate_fit(&m, apart, 6, 2), 0);
	assert_true(m.dof < 0.5);
	NEAR(moderate_variance(&m, 1e-3, 2), (m.dof * m.variance + 2e-3) / (m.dof + 2), 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(student_table),
		cmocka_unit_test(binomial_exact),
		cmocka_unit_test(nist_means),
		cmocka_unit_test(order_and_spread),
		cmocka_unit_test(mean_intervals),
		cmocka_unit_test(quantile_intervals),
		cmocka_unit_test(derived_intervals),
		cmocka_unit_test(histogram_bins),
		cmocka_unit_test(line_norris),
		cmocka_unit_test(gamma_derivatives),
		cmocka_unit_test(borrowed_variances),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
