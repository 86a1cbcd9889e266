/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines with planted jumps. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "stat/broken_line.h"

#define POINTS 40u

/* 2 per step of 1, a jump of 5 before every point with i % 13 = 9. */
static size_t plant(double *x, double *y, double noise, uint64_t seed)
{
	size_t jumps = 0;
	struct rng rng;

	rng_init(&rng, seed, 3);
	for (size_t i = 0; i < POINTS; i++) {
		jumps += i % 13 == 9;
		x[i] = (double)i;
		y[i] = 7 + 2.0 * (double)i + 5.0 * (double)jumps + noise * rng_normal(&rng);
	}
	return jumps;
}

static void slope_between_jumps(void **state)
{
	double x[POINTS], y[POINTS], room[POINTS];
	struct broken_line line;
	size_t jumps = plant(x, y, 0, 1);

	(void)state;
	assert_int_equal(broken_line_fit(x, y, POINTS, 1, room, &line), 0);
	assert_int_equal(line.jumps, jumps);
	assert_true(fabs(line.slope - 2) < 1e-12 && fabs(line.jump - 5) < 1e-12);
}

/* The standard error is what the slope scatters by. */
static void error_is_honest(void **state)
{
	double x[POINTS], y[POINTS], room[POINTS], square = 0;
	struct broken_line line;

	(void)state;
	for (uint64_t seed = 1; seed <= 400; seed++) {
		plant(x, y, 0.05, seed);
		assert_int_equal(broken_line_fit(x, y, POINTS, 1, room, &line), 0);
		square += pow((line.slope - 2) / line.slope_se, 2) / 400;
	}
	assert_true(square > 0.8 && square < 1.3);
}

static void too_little(void **state)
{
	static const double x[] = {0, 1, 2}, flat[] = {1, 1, 1}, y[] = {0, 1, 2};
	double room[3];
	struct broken_line line;

	(void)state;
	assert_true(broken_line_fit(x, y, 2, 1, room, &line) != 0);
	assert_true(broken_line_fit(x, flat, 3, 1, room, &line) != 0);
	assert_int_equal(broken_line_fit(x, y, 3, 1, room, &line), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(slope_between_jumps),
		cmocka_unit_test(error_is_honest),
		cmocka_unit_test(too_little),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
