/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Do the intervals hold the truth as often as they claim? Drawn numbers with a known truth. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>

#include "base/rng.h"
#include "stat/interval.h"
#include "stat/robust.h"

#define REPEATS 4000

/* 95 % of 4000, give or take 4 standard deviations (13.8 each). */
static void assert_covers(size_t hits)
{
	assert_in_range(hits, 3745, 3855);
}

static void means(void **state)
{
	struct rng r;
	struct interval v;
	size_t hits = 0;
	double x[3];

	(void)state;
	rng_init(&r, 1, 1);
	for (size_t k = 0; k < REPEATS; k++) {
		for (size_t i = 0; i < 3; i++)
			x[i] = 7 + 2 * rng_normal(&r);
		assert_int_equal(interval_mean(x, 3, 0.95, &v), 0);
		hits += v.low <= 7 && v.high >= 7;
	}
	assert_covers(hits);
}

static void quantiles(void **state)
{
	struct rng r;
	struct interval v;
	size_t hits = 0;
	double x[400], truth = -log(0.1); /* 90th percentile of an exponential */

	(void)state;
	rng_init(&r, 2, 1);
	for (size_t k = 0; k < REPEATS; k++) {
		for (size_t i = 0; i < 400; i++)
			x[i] = rng_exponential(&r);
		stat_sort(x, 400);
		assert_int_equal(interval_quantile(x, 400, 0.9, 0.95, &v), 0);
		hits += v.low <= truth && v.high >= truth;
	}
	/* never less than claimed, and at most what whole ranks add (96.4 % for these) */
	assert_in_range(hits, 3745, 3910);
}

static void resembling_neighbours(void **state)
{
	struct rng r;
	size_t plain = 0, corrected = 0;

	(void)state;
	rng_init(&r, 3, 1);
	for (size_t k = 0; k < REPEATS; k++) {
		double x[40], last = rng_normal(&r);
		struct interval v;

		for (size_t i = 0; i < 40; i++)
			x[i] = last = 0.4 * last + sqrt(1 - 0.16) * rng_normal(&r);
		assert_int_equal(interval_mean(x, 40, 0.95, &v), 0);
		plain += v.low <= 0 && v.high >= 0;
		assert_int_equal(interval_mean_correlated(x, 40, 0.95, &v), 0);
		corrected += v.low <= 0 && v.high >= 0;
	}
	/* the plain interval is a lie here, which shows that this test can fail */
	assert_true(plain < 3500);
	assert_in_range(corrected, 3660, 3880);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(means),
		cmocka_unit_test(quantiles),
		cmocka_unit_test(resembling_neighbours),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
