/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The curve below a window, from samples drawn around a curve that is known: a root up to a third,
 * then a line, as an arm moves (Ruemmler and Wilkes 1994). */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <errno.h>
#include <math.h>

#include "base/rng.h"
#include "stat/window_fit.h"

#define TURN    8.33e-3
#define SAMPLES 500u
#define REPEATS 60u

static double curve(double x)
{
	double knee = 1.0 / 3, root = 8e-3 / sqrt(knee);

	return x <= knee ? 1.2e-3 + root * sqrt(x) : 9.2e-3 + 16.5e-3 * (x - knee);
}

struct drawn {
	double x[SAMPLES], y[SAMPLES];
};

/* Distances of random pairs, and every third along a logarithm. */
static void draw(struct drawn *d, struct rng *r, double late_share)
{
	for (size_t i = 0; i < SAMPLES; i++) {
		d->x[i] = i % 3 ? fabs(rng_uniform(r) - rng_uniform(r)) :
				  2e-4 * pow(0.99 / 2e-4, rng_uniform(r));
		d->y[i] = curve(d->x[i]) + TURN * rng_uniform(r) + 40e-6 * rng_normal(r);
		if (rng_uniform(r) < late_share)
			d->y[i] += TURN;
	}
}

/* Over all pairs, whose distances have the density 2 (1 - x). */
static double pair_weights(double *weights)
{
	double mean = 0;

	for (size_t i = 0; i < 1000; i++) {
		double x = ((double)i + 0.5) / 1000, share = 2 * (1 - x) / 1000;

		window_weights(x, share, weights);
		mean += share * curve(x);
	}
	return mean;
}

static void intervals_hold_the_curve(void **state)
{
	static const double at[] = {0.002, 0.02, 0.1, 0.6};
	struct window_fit fit;
	struct drawn d;
	struct rng r;
	unsigned held = 0, mean_held = 0;
	double off = 0;

	(void)state;
	rng_init(&r, 1, 1);
	for (size_t k = 0; k < REPEATS; k++) {
		double weights[WINDOW_KNOTS] = {0}, truth = pair_weights(weights);
		struct interval v;

		draw(&d, &r, 0.001);
		assert_int_equal(window_fit(&fit, d.x, d.y, SAMPLES, TURN, &r), 0);
		v = window_fit_sum(&fit, weights, 0.95);
		mean_held += v.low <= truth && v.high >= truth;
		off += fabs(v.value - truth) / REPEATS;
		for (size_t i = 0; i < sizeof(at) / sizeof(at[0]); i++) {
			v = window_fit_at(&fit, at[i], 0.95);
			held += v.low <= curve(at[i]) && v.high >= curve(at[i]);
		}
	}
	/* a plain mean of as many is off by 3 ms / sqrt(500) * 0.8 = 107 us */
	assert_true(off < 50e-6);
	/* 95 % of 60 and of 240, less 4 standard deviations */
	assert_in_range(mean_held, 51, REPEATS);
	assert_in_range(held, 214, 4 * REPEATS);
}

static void missed_turns_are_counted(void **state)
{
	struct window_fit fit;
	struct interval v;
	struct drawn d;
	struct rng r;

	(void)state;
	rng_init(&r, 2, 1);
	draw(&d, &r, 0.05);
	assert_int_equal(window_fit(&fit, d.x, d.y, SAMPLES, TURN, &r), 0);
	v = window_fit_excess(&fit, d.x, d.y, SAMPLES, 0.9999);
	assert_true(v.low <= 0.05 * TURN && v.high >= 0.05 * TURN);
	assert_true(v.high < 0.1 * TURN);
	v = window_fit_at(&fit, 0.1, 0.9999);
	assert_true(v.low <= curve(0.1) && v.high >= curve(0.1));
}

static void same_draws_same_fit(void **state)
{
	struct window_fit a, b;
	struct drawn d;
	struct rng r, again;

	(void)state;
	rng_init(&r, 3, 1);
	draw(&d, &r, 0);
	again = r;
	assert_int_equal(window_fit(&a, d.x, d.y, SAMPLES, TURN, &r), 0);
	assert_int_equal(window_fit(&b, d.x, d.y, SAMPLES, TURN, &again), 0);
	assert_memory_equal(a.at, b.at, sizeof(a.at));
	assert_int_equal(
		window_fit(&a, d.x, d.y, WINDOW_LEAST - 1, TURN, &r), -ERANGE);
}

static void a_wrong_width_shows_in_the_blur(void **state)
{
	struct window_fit right, wrong;
	struct drawn d;
	struct rng r;

	(void)state;
	rng_init(&r, 4, 1);
	draw(&d, &r, 0);
	assert_int_equal(window_fit(&right, d.x, d.y, SAMPLES, TURN, &r), 0);
	assert_int_equal(window_fit(&wrong, d.x, d.y, SAMPLES, TURN * 0.7, &r), 0);
	assert_true(right.soft < 0.02 * TURN);
	assert_true(wrong.soft > 0.08 * TURN || wrong.off_share > 0.2);
}

static void weights_are_shares(void **state)
{
	(void)state;
	for (double x = 0; x <= 1; x += 1.0 / 64) {
		double weights[WINDOW_KNOTS] = {0}, sum = 0;

		window_weights(x, 1, weights);
		for (size_t k = 0; k < WINDOW_KNOTS; k++) {
			assert_true(weights[k] >= 0);
			sum += weights[k];
		}
		assert_true(fabs(sum - 1) < 1e-12);
	}
	for (size_t k = 0; k < WINDOW_KNOTS; k++) {
		double weights[WINDOW_KNOTS] = {0};

		window_weights(window_knot(k), 1, weights);
		assert_true(fabs(weights[k] - 1) < 1e-12);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(intervals_hold_the_curve),
		cmocka_unit_test(missed_turns_are_counted),
		cmocka_unit_test(same_draws_same_fit),
		cmocka_unit_test(a_wrong_width_shows_in_the_blur),
		cmocka_unit_test(weights_are_shares),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
