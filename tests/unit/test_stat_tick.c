/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A planted grid is found, and none where there is none. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <errno.h>
#include <math.h>

#include "base/rng.h"
#include "stat/fit.h"
#include "stat/tick.h"

#define N 120

static void planted_grids(void **state)
{
	static const double steps[] = {100e-6, 125e-6, 333e-6, 1e-3, 4e-3, 10e-3};
	struct rng rng;

	(void)state;
	rng_init(&rng, 1, 1);
	for (size_t k = 0; k < sizeof(steps) / sizeof(steps[0]); k++) {
		double t[N];
		struct interval step;

		for (size_t i = 0; i < N; i++)
			t[i] = steps[k] * (double)(1 + rng_below(&rng, 6)) +
			       steps[k] * 0.04 * rng_normal(&rng);
		assert_int_equal(tick_find(t, N, 90e-6, 20e-3, 0.99999, &step), 0);
		assert_true(step.low < steps[k] && steps[k] < step.high);
		assert_true(step.high - step.low < 0.02 * steps[k]);
	}
}

static void no_grid(void **state)
{
	struct interval step;
	struct rng rng;

	(void)state;
	for (uint64_t seed = 1; seed <= 200; seed++) {
		double t[N];

		rng_init(&rng, seed, 2);
		/* a disk of 7200 rpm: half a seek curve and a revolution */
		for (size_t i = 0; i < N; i++)
			t[i] = 2e-3 + 8e-3 * sqrt(rng_uniform(&rng)) + 8.333e-3 * rng_uniform(&rng);
		assert_int_equal(tick_find(t, N, 100e-6, 20e-3, 0.95, &step), -ENOENT);
		/* all alike: one multiple of anything near */
		for (size_t i = 0; i < N; i++)
			t[i] = 120e-6 + 5e-6 * rng_normal(&rng);
		assert_int_equal(tick_find(t, N, 100e-6, 20e-3, 0.95, &step), -ENOENT);
		/* chance waits */
		for (size_t i = 0; i < N; i++)
			t[i] = 620e-6 + 1e-3 * rng_uniform(&rng);
		assert_int_equal(tick_find(t, N, 100e-6, 1.2e-3, 0.95, &step), -ENOENT);
		assert_int_equal(tick_find(t, TICK_LEAST - 1, 1e-4, 1e-3, 0.95, &step), -ENOENT);
	}
}

static void outliers_are_clipped(void **state)
{
	double x[60], y[60];
	struct fit line;

	(void)state;
	for (size_t i = 0; i < 60; i++) {
		x[i] = (double)i;
		y[i] = 3 + 2 * (double)i + 0.001 * (double)(i * 7 % 13);
	}
	y[7] += 50;
	y[41] -= 900;
	assert_int_equal(fit_line_clipped(x, y, 60, &line), 0);
	assert_int_equal(line.n, 58);
	assert_true(fabs(line.slope - 2) < 1e-3 && fabs(line.intercept - 3.006) < 0.003);
	assert_int_equal(fit_line_clipped(x, y, 1, &line), -ERANGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(planted_grids),
		cmocka_unit_test(no_grid),
		cmocka_unit_test(outliers_are_clipped),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
