/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>

#include "base/rng.h"
#include "stat/long_period.h"

#define PERIOD 8.3351e-3
#define MARKS  8u
#define LOOKS  9u

/* Marks at random angles, looked at every few seconds; drift: by how much the speed grows over it all,
 * of the speed; axles: 2: every other mark turns 100 ppm slower. */
static size_t look(struct long_look *looks, uint64_t seed, double noise_s, double drift, unsigned axles)
{
	double angle[MARKS], from_s = 100;
	struct rng rng;
	size_t n = 0;

	rng_init(&rng, seed, 1);
	for (unsigned m = 0; m < MARKS; m++)
		angle[m] = rng_uniform(&rng);
	for (unsigned l = 0; l < LOOKS; l++) {
		from_s += 1 + 8 * rng_uniform(&rng);
		for (unsigned m = 0; m < MARKS; m++) {
			double shift = -0.003 * l, at, turns, slower = m % axles ? 1 + 100e-6 : 1;
			double into = from_s - 100;

			at = from_s + 0.02 * m;
			/* speed grows in a straight line over about 45 s */
			turns = at / (PERIOD * slower) + drift / PERIOD * into * into / 2 / 45;
			turns = ceil(turns - angle[m] - shift) + angle[m] + shift;
			at = turns * PERIOD * slower;
			for (int i = 0; i < 20; i++)
				at = (turns - drift / PERIOD * (at - 100) * (at - 100) / 2 / 45) *
					PERIOD * slower;
			looks[n++] = (struct long_look){
				l, m, at + noise_s * rng_normal(&rng), shift};
		}
	}
	return n;
}

static void a_steady_one(void **state)
{
	struct long_look looks[MARKS * LOOKS];
	struct long_period p;
	unsigned inside = 0;

	(void)state;
	for (unsigned seed = 0; seed < 200; seed++) {
		size_t n = look(looks, seed, 40e-6, 0, 1);
		double guess = PERIOD * (1 + 20e-6 * (seed % 2 ? 1 : -1));

		assert_int_equal(long_period_fit(looks, n, guess, 10e-6, &p), 0);
		assert_in_range(p.stretches, LOOKS - 3, LOOKS - 1);
		assert_true(fabs(p.period_s / PERIOD - 1) < 5e-6);
		inside += fabs(p.period_s - PERIOD) < 1.96 * p.se_s;
		assert_true(p.drift - 3.5 * p.drift_se < 20e-6);
	}
	assert_in_range(inside, 170, 200);
}

/* 50 ppm more at the end than at the beginning. */
static void a_drifting_one(void **state)
{
	struct long_look looks[MARKS * LOOKS];
	struct long_period p;
	size_t n = look(looks, 3, 10e-6, 50e-6, 1);

	(void)state;
	assert_int_equal(long_period_fit(looks, n, PERIOD, 10e-6, &p), 0);
	assert_true(p.drift > 20e-6 && p.drift < 60e-6);
}

/* Two axles that part by 100 ppm are not one after some seconds. */
static void two_axles_are_not_counted(void **state)
{
	struct long_look looks[MARKS * LOOKS];
	struct long_period p;
	size_t n = look(looks, 5, 10e-6, 0, 2);

	(void)state;
	if (long_period_fit(looks, n, PERIOD, 10e-6, &p) == 0)
		assert_true(p.stretches < LOOKS / 2);
	assert_int_equal(long_period_fit(looks, MARKS, PERIOD, 10e-6, &p), -ERANGE);
	assert_int_equal(long_period_fit(looks, 0, PERIOD, 10e-6, &p), -ERANGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_steady_one),
		cmocka_unit_test(a_drifting_one),
		cmocka_unit_test(two_axles_are_not_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
