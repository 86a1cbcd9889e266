/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Staircases planted in made-up windows. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "probe/zone_steps.h"

#define WINDOWS 120u
#define STEPS   4u
#define REGION  1e9
#define LENGTH  1e6

static const double at[STEPS] = {0.2e9, 0.33e9, 0.6e9, 0.85e9};

/* What a window that weighs as zone_steps.h says measures: each step makes it slower by `step`. */
static double planted(double middle, double step)
{
	double s_per_byte = 1e-8;

	for (size_t i = 0; i < STEPS; i++) {
		double u = fmin(fmax((at[i] - middle) / LENGTH + 0.5, 0), 1);

		s_per_byte *= 1 + step * (1 - u * u * (3 - 2 * u));
	}
	return s_per_byte;
}

/* A grid, and a few windows closer to each step. */
static void plant(struct zone_window *windows, struct zone_map *map, double step, double noise,
	uint64_t seed)
{
	struct rng rng;

	rng_init(&rng, seed, 5);
	for (size_t i = 0; i < WINDOWS; i++) {
		double x = ((double)(i / 2) + rng_uniform(&rng)) / (WINDOWS / 2.0) * REGION;

		if (i % 2)
			x = at[i / 2 % STEPS] + 1e7 * (rng_uniform(&rng) - 0.5);
		windows[i] = (struct zone_window){.middle = x, .length = LENGTH, .in_track = NAN,
			.s_per_byte = planted(x, step) * exp(noise * rng_normal(&rng))};
	}
	*map = (struct zone_map){.windows = windows, .n = WINDOWS};
	zone_map_sort(map);
}

static void steps_are_where_they_were_planted(void **state)
{
	unsigned inside = 0, runs = 100;

	(void)state;
	for (uint64_t seed = 1; seed <= runs; seed++) {
		struct zone_window windows[WINDOWS];
		struct zone_map map;
		struct zone_steps s;

		plant(windows, &map, 0.02, 0.002, seed);
		zone_steps_find(&s, &map, 0.002, ZONE_CLAIM);
		assert_true(zone_steps_stand(&s));
		assert_int_equal(s.n, STEPS);
		for (size_t i = 0; i < STEPS; i++) {
			inside += s.steps[i].low <= at[i] && at[i] <= s.steps[i].high;
			assert_true(fabs(s.steps[i].place - at[i]) < 1e7);
			assert_true(fabs(s.levels[i].level - log(1e-8) - (double)i * log(1.02)) <
				    0.003);
		}
		zone_steps_release(&s);
	}
	assert_in_range(inside, runs * STEPS * 92 / 100, runs * STEPS);
}

static void mean_of_a_staircase(void **state)
{
	unsigned inside = 0, runs = 200;
	double truth = 0, from = 0;

	(void)state;
	for (size_t i = 0; i <= STEPS; i++) {
		double to = i < STEPS ? at[i] : REGION;

		truth += (to - from) / REGION * 1e-8 * pow(1.02, (double)i);
		from = to;
	}
	for (uint64_t seed = 1; seed <= runs; seed++) {
		struct zone_window windows[WINDOWS];
		struct zone_map map;
		struct zone_steps s;
		struct interval v;

		plant(windows, &map, 0.02, 0.002, seed);
		zone_steps_find(&s, &map, 0.002, ZONE_CLAIM);
		v = zone_steps_mean(&s, 0, REGION, 0, 0.95);
		inside += v.low <= truth && truth <= v.high;
		zone_steps_release(&s);
	}
	assert_in_range(inside, runs * 88 / 100, runs);
}

/* Steps that noise would hide are not told, nor any where there is none. */
static void nothing_is_made_up(void **state)
{
	(void)state;
	for (uint64_t seed = 1; seed <= 50; seed++) {
		struct zone_window windows[WINDOWS];
		struct zone_map map;
		struct zone_steps s;

		plant(windows, &map, 0, 0.002, seed);
		zone_steps_find(&s, &map, 0.002, ZONE_CLAIM);
		assert_int_equal(s.n, 0);
		assert_true(zone_steps_stand(&s));
		zone_steps_release(&s);
		plant(windows, &map, 0.01, 0.02, seed);
		zone_steps_find(&s, &map, 0.002, ZONE_CLAIM);
		assert_false(zone_steps_stand(&s));
		zone_steps_release(&s);
	}
}

/* None, one, all at one place, all disturbed. */
static void few_windows(void **state)
{
	struct zone_window windows[8];

	(void)state;
	for (size_t n = 0; n <= 8; n++)
		for (int disturbed = 0; disturbed < 2; disturbed++) {
			struct zone_map map = {.windows = windows, .n = n};
			struct zone_steps s;

			for (size_t i = 0; i < n; i++)
				windows[i] = (struct zone_window){.middle = 5, .length = 1,
					.s_per_byte = 1e-8, .disturbed = disturbed != 0};
			zone_steps_find(&s, &map, 0, ZONE_SEARCH);
			assert_int_equal(s.n, 0);
			zone_steps_release(&s);
			zone_steps_find(&s, &map, 0, ZONE_CLAIM);
			assert_int_equal(zone_steps_stand(&s), n >= ZONE_WINDOWS_MIN && !disturbed);
			zone_steps_release(&s);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_are_where_they_were_planted),
		cmocka_unit_test(mean_of_a_staircase),
		cmocka_unit_test(nothing_is_made_up),
		cmocka_unit_test(few_windows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
