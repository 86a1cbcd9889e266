/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cuts of sequences whose levels are known, and the nearest rising sequence, worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/rng.h"
#include "stat/changepoint.h"

static void planted_cuts_are_found(void **state)
{
	static const size_t begin[] = {0, 7, 30, 33, 60};
	static const double level[] = {0, 1, 3, 2, 2.5};

	(void)state;
	for (uint64_t seed = 1; seed <= 50; seed++) {
		double x[100];
		size_t cuts[100], piece = 0;
		struct rng rng;

		rng_init(&rng, seed, 1);
		for (size_t i = 0; i < 100; i++) {
			if (piece < 4 && i == begin[piece + 1])
				piece++;
			x[i] = level[piece] + 0.05 * rng_normal(&rng);
		}
		assert_int_equal(changepoint_cut(x, 100, 0.05, 14, 2, cuts), 4);
		for (size_t k = 0; k < 4; k++)
			assert_int_equal(cuts[k], begin[k + 1]);
	}
}

static void noise_is_not_cut(void **state)
{
	size_t cuts[200], found = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 100; seed++) {
		double x[200];
		struct rng rng;

		rng_init(&rng, seed, 2);
		for (size_t i = 0; i < 200; i++)
			x[i] = rng_normal(&rng);
		found += changepoint_cut(x, 200, 1, 16, 2, cuts);
	}
	assert_in_range(found, 0, 2);
}

static void pieces_have_their_least(void **state)
{
	static const double x[] = {0, 0, 0, 9, 0, 0, 0};
	size_t cuts[7];

	(void)state;
	assert_int_equal(changepoint_cut(x, 7, 1, 2, 1, cuts), 2);
	assert_int_equal(cuts[0], 3);
	assert_int_equal(cuts[1], 4);
	assert_int_equal(changepoint_cut(x, 7, 1, 2, 4, cuts), 0);
	assert_int_equal(changepoint_cut(x, 1, 1, 2, 1, cuts), 0);
	assert_int_equal(changepoint_cut(x, 0, 1, 2, 1, cuts), 0);
}

static void nearest_rising(void **state)
{
	static const double x[] = {1, 3, 2, 4, 0, 5}, want[] = {1, 2.25, 2.25, 2.25, 2.25, 5};
	double out[6];

	(void)state;
	changepoint_rising(x, 6, out);
	for (size_t i = 0; i < 6; i++)
		assert_true(out[i] > want[i] - 1e-12 && out[i] < want[i] + 1e-12);
	changepoint_rising(x, 0, out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(planted_cuts_are_found),
		cmocka_unit_test(noise_is_not_cut),
		cmocka_unit_test(pieces_have_their_least),
		cmocka_unit_test(nearest_rising),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
