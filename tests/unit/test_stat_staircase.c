/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Staircases made up with a known slope and known jumps. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <errno.h>
#include <math.h>

#include "base/rng.h"
#include "stat/staircase.h"

#define N 44u

/* Tracks of `length` begin at 0, length, …, each `skew` turns later than the one before ended. */
static void make(struct stair_point *points, double from, double step, double length, double skew,
	double noise, uint64_t seed)
{
	struct rng rng;

	rng_init(&rng, seed, 1);
	for (size_t i = 0; i < N; i++) {
		double x = from + step * (double)i, turns = x / length + skew * floor(x / length);

		turns += noise * rng_normal(&rng);
		points[i] = (struct stair_point){x, turns + (double)rng_below(&rng, 9)};
	}
}

static void slope_and_jumps_both_ways(void **state)
{
	struct stair_point points[N];
	struct staircase s;

	(void)state;
	for (int way = -1; way <= 1; way += 2) {
		make(points, 10.3 * 1000, way * 1000 / 24.0, 1000, 0.13, 0, 1);
		assert_int_equal(staircase_fit(points, N, 1.2e-3, 0.012, &s), 0);
		assert_true(fabs(s.slope - 1e-3) < 1e-9);
		assert_int_equal(s.jumps, 2);
		for (size_t i = 0; i < s.jumps; i++)
			assert_true(fabs(s.jump[i] - 0.13) < 1e-6);
		assert_true(s.from_x < s.to_x && s.points >= 22 && s.lost == 0);
	}
}

static void standard_error_is_honest(void **state)
{
	struct stair_point points[N];
	struct staircase s;
	unsigned inside = 0;

	(void)state;
	for (uint64_t k = 0; k < 300; k++) {
		make(points, 5000 + 3.7 * (double)k, -1000 / 24.0, 1000, 0.1, 0.001, k);
		assert_int_equal(staircase_fit(points, N, 0.9e-3, 0.012, &s), 0);
		inside += fabs(s.slope - 1e-3) < 2.08 * s.slope_se;
	}
	assert_in_range(inside, 268, 298); /* 95 % of 300, four standard deviations about it */
}

static void large_jumps_and_rough_belief(void **state)
{
	static const double skews[] = {0.03, 0.2, 0.4, 0.6, 0.8};
	static const double belief[] = {0.6e-3, 1e-3, 1.45e-3};
	struct stair_point points[N];
	struct staircase s;

	(void)state;
	for (size_t k = 0; k < 15; k++) {
		make(points, 5500, -1000 / 24.0, 1000, skews[k % 5], 0.0005, k);
		assert_int_equal(staircase_fit(points, N, belief[k / 5], 0.012, &s), 0);
		assert_true(fabs(s.slope / 1e-3 - 1) < 0.005);
		assert_true(s.jumps >= 1 && fabs(s.jump[0] - skews[k % 5]) < 0.005);
	}
}

static void one_bad_point_is_no_jump(void **state)
{
	struct stair_point points[N];
	struct staircase s;

	(void)state;
	make(points, 2000, -1000 / 60.0, 1000, 0.1, 0.0002, 3); /* all but the first on one track */
	points[20].turns += 0.3;
	assert_int_equal(staircase_fit(points, N, 1e-3, 0.012, &s), 0);
	assert_int_equal(s.jumps, 0);
	assert_true(s.points >= N - 2 && s.lost > 0);
	assert_true(fabs(s.slope / 1e-3 - 1) < 0.002);
}

static void chance_and_too_few_are_refused(void **state)
{
	struct stair_point points[N];
	struct staircase s;
	struct rng rng;

	(void)state;
	make(points, 2000, -10, 1000, 0.1, 0, 3);
	assert_int_equal(staircase_fit(points, 5, 1e-3, 0.012, &s), -ERANGE);
	rng_init(&rng, 9, 1);
	for (size_t k = 0; k < 100; k++) {
		for (size_t i = 0; i < N; i++)
			points[i] = (struct stair_point){(double)i, rng_uniform(&rng)};
		if (staircase_fit(points, N, 0.04, 0.012, &s) == 0)
			assert_true(s.points < N / 2);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slope_and_jumps_both_ways),
		cmocka_unit_test(standard_error_is_honest),
		cmocka_unit_test(large_jumps_and_rough_belief),
		cmocka_unit_test(one_bad_point_is_no_jump),
		cmocka_unit_test(chance_and_too_few_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
