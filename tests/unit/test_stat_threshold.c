/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>

#include "base/rng.h"
#include "stat/threshold.h"

/* Trials at the median of what is known, blurred by noise, find a planted threshold: the interval
 * holds it in 92 to 99 of 100 runs, and is worth having. */
static void finds_what_is_planted(void **state)
{
	const double blur = 50e-6;
	unsigned inside = 0, runs = 1000;
	double width = 0;
	struct rng rng;

	(void)state;
	rng_init(&rng, 1, 1);
	for (unsigned run = 0; run < runs; run++) {
		double planted = 5e-3 + 1e-3 * (rng_uniform(&rng) - 0.5);
		struct threshold t;
		struct interval v;

		threshold_init(&t, 4e-3, 6e-3, 0, INFINITY);
		for (unsigned i = 0; i < 14; i++) {
			double at = threshold_quantile(&t, 0.5);

			threshold_learn(&t, at, at + blur * rng_normal(&rng) > planted, blur);
		}
		v = threshold_interval(&t, 0.95);
		inside += v.low <= planted && planted <= v.high;
		width += (v.high - v.low) / runs;
	}
	assert_in_range(inside, 920, 990);
	assert_true(width < 0.2e-3);
}

/* One lie does not move it for good. */
static void forgives_a_lapse(void **state)
{
	struct threshold t;

	(void)state;
	threshold_init(&t, 0, 10e-3, 5e-3, 1e-3);
	threshold_learn(&t, 8e-3, false, 50e-6); /* wrong */
	for (unsigned i = 0; i < 20; i++) {
		double at = threshold_quantile(&t, 0.5);

		threshold_learn(&t, at, at > 5e-3, 50e-6);
	}
	assert_true(fabs(threshold_quantile(&t, 0.5) - 5e-3) < 0.1e-3);
}

/* Without a trial it is what it was thought to be: Student's t with 4 degrees of freedom, whose
 * quantile for 0.975 is 2.776. */
static void starts_where_it_is_told(void **state)
{
	struct threshold t;
	struct interval v;

	(void)state;
	threshold_init(&t, 0, 10e-3, 5e-3, 0.4e-3);
	v = threshold_interval(&t, 0.95);
	assert_true(fabs(v.value - 5e-3) < 10e-6);
	assert_true(fabs(v.high - v.value - 2.776 * 0.4e-3) < 0.06e-3);
	threshold_init(&t, 2e-3, 4e-3, 0, INFINITY);
	v = threshold_interval(&t, 0.95);
	assert_true(fabs(v.low - 2.05e-3) < 10e-6 && fabs(v.high - 3.95e-3) < 10e-6);
}

/* Trials that agree speak for the blur they were made with. */
static void evidence_tells_the_blur(void **state)
{
	const double blurs[] = {20e-6, 100e-6, 500e-6};
	double evidence[3];
	struct rng rng;

	(void)state;
	for (unsigned k = 0; k < 3; k++) {
		struct threshold t;

		rng_init(&rng, 7, 7);
		threshold_init(&t, 0, 10e-3, 0, INFINITY);
		for (unsigned i = 0; i < 200; i++) {
			double at = 4e-3 + 2e-3 * rng_uniform(&rng);

			threshold_learn(&t, at, at + 100e-6 * rng_normal(&rng) > 5e-3, blurs[k]);
		}
		evidence[k] = threshold_evidence(&t);
	}
	assert_true(evidence[1] > evidence[0] && evidence[1] > evidence[2]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_what_is_planted),
		cmocka_unit_test(forgives_a_lapse),
		cmocka_unit_test(starts_where_it_is_told),
		cmocka_unit_test(evidence_tells_the_blur),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
