/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Periods planted in made-up times: found again, with honest errors, and none where there is none. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <errno.h>
#include <math.h>

#include "base/rng.h"
#include "stat/period.h"

#define ANCHORS 6u
#define VISITS  8u
#define N       (ANCHORS * VISITS)
#define SHORTEST 0.0036
#define LONGEST  0.0175

struct plant {
	double period_s, noise_s, step_s; /* step_s: true shift of an early visit */
	double believed;                  /* the rows' shifts are this many times the true ones */
	double outliers;                  /* share of visits that are off by up to a turn */
	unsigned jump_anchor, jump_visit; /* from this visit on the anchor is 0.1 turn later */
};

/* The first steps are small, the others ten times that: else steps and time would go together. */
static double places(unsigned visit)
{
	return visit < 5 ? visit : 4 + 10 * (visit - 4.0);
}

/* Anchors in random order, each visit some turns after the one before. */
static void make(const struct plant *p, uint64_t seed, struct period_row *rows)
{
	uint64_t order[N];
	unsigned visits[ANCHORS] = {0};
	double phase[ANCHORS], now_s = 5;
	struct rng rng;

	rng_init(&rng, seed, 1);
	for (unsigned j = 0; j < ANCHORS; j++)
		phase[j] = rng_uniform(&rng) * p->period_s;
	for (size_t i = 0; i < N; i++)
		order[i] = i % ANCHORS;
	rng_shuffle(&rng, order, N);
	for (size_t i = 0; i < N; i++) {
		unsigned j = (unsigned)order[i], v = visits[j]++;
		double at = phase[j] + places(v) * p->step_s, turns;

		if (p->jump_visit && j == p->jump_anchor && v >= p->jump_visit)
			at += 0.1 * p->period_s;
		now_s += 0.002 + 0.004 * rng_uniform(&rng);
		turns = ceil((now_s - at) / p->period_s);
		now_s = at + turns * p->period_s + p->noise_s * rng_normal(&rng);
		if (rng_uniform(&rng) < p->outliers)
			now_s += rng_uniform(&rng) * p->period_s;
		rows[i] = (struct period_row){
			now_s, places(v) * p->step_s * p->believed, j};
	}
}

static int find(const struct period_row *rows, double scale_sd, struct period_guess *guess,
	struct period_fit *fit)
{
	struct period_belief belief = {.scale_sd = scale_sd, .step = 0.012};

	if (period_search(rows, N, SHORTEST, LONGEST, guess))
		return -ERANGE;
	period_scan_scale(rows, N, guess);
	return period_fit(rows, N, guess, &belief, fit, NULL);
}

static void finds_every_usual_speed(void **state)
{
	static const double rpm[] = {3600, 4200, 5400, 7200, 10000, 15000};
	struct period_row rows[N];
	struct period_guess guess;
	struct period_fit fit;

	(void)state;
	for (uint64_t k = 0; k < 120; k++) {
		struct plant p = {.period_s = 60 / rpm[k % 6] * 1.00003, .noise_s = 10e-6,
			.step_s = -20e-6, .believed = 1};

		make(&p, k, rows);
		assert_int_equal(find(rows, 0.3, &guess, &fit), 0);
		assert_true(guess.coherence > 0.95 && guess.chance < 0.6);
		assert_true(fabs(fit.period_s - p.period_s) < 4.5 * fit.se_s);
		assert_true(fit.se_s < 80e-6 * fit.period_s);
		assert_true(fit.support > 0.9 && (double)fit.used > 0.9 * (double)N);
	}
}

static void standard_error_is_honest(void **state)
{
	struct plant p = {.period_s = 0.00833, .noise_s = 20e-6, .step_s = -40e-6, .believed = 1.1};
	struct period_row rows[N];
	struct period_guess guess;
	struct period_fit fit;
	unsigned inside = 0, runs = 300;
	double noise = 0;

	(void)state;
	for (uint64_t k = 0; k < runs; k++) {
		make(&p, 1000 + k, rows);
		assert_int_equal(find(rows, 0.3, &guess, &fit), 0);
		inside += fabs(fit.period_s - p.period_s) < 2.02 * fit.se_s;
		noise += fit.residual_s / runs;
	}
	/* 95 % of 300, four standard deviations about it; outliers left out make it a little less */
	assert_in_range(inside, 268, 298);
	assert_true(fabs(noise / p.noise_s - 1) < 0.1);
}

static void a_wrong_belief_of_the_shifts_does_no_harm(void **state)
{
	static const double believed[] = {0.6, 0.8, 1, 1.25, 1.6};
	struct period_row rows[N];
	struct period_guess guess;
	struct period_fit fit;

	(void)state;
	for (size_t k = 0; k < 5; k++) {
		struct plant p = {.period_s = 0.0111, .noise_s = 5e-6, .step_s = -50e-6,
			.believed = believed[k]};

		make(&p, k, rows);
		assert_int_equal(find(rows, 0.3, &guess, &fit), 0);
		assert_true(fabs(fit.period_s / p.period_s - 1) < 200e-6);
		for (unsigned j = 0; j < ANCHORS; j++)
			assert_true(fabs(fit.scale[j] * believed[k] - 1) < 0.03);
	}
}

static void a_jump_splits_one_anchor(void **state)
{
	struct plant p = {.period_s = 0.00833, .noise_s = 5e-6, .step_s = -50e-6, .believed = 1,
		.jump_anchor = 2, .jump_visit = 4};
	struct period_belief belief = {.scale_sd = 0.3, .step = 0.012};
	struct period_row rows[N];
	struct period_guess guess;
	struct period_fit fit;
	int piece[N], highest = 0;

	(void)state;
	make(&p, 7, rows);
	assert_int_equal(period_search(rows, N, SHORTEST, LONGEST, &guess), 0);
	assert_int_equal(period_fit(rows, N, &guess, &belief, &fit, piece), 0);
	assert_int_equal(fit.pieces, ANCHORS + 1);
	for (size_t i = 0; i < N; i++)
		highest = piece[i] > highest ? piece[i] : highest;
	assert_int_equal(highest, ANCHORS);
	assert_true(fabs(fit.period_s / p.period_s - 1) < 50e-6);
}

static void outliers_are_left_out(void **state)
{
	struct plant p = {.period_s = 0.00833, .noise_s = 5e-6, .step_s = -50e-6, .believed = 1,
		.outliers = 0.08};
	struct period_row rows[N];
	struct period_guess guess;
	struct period_fit fit;

	(void)state;
	for (uint64_t k = 0; k < 40; k++) {
		make(&p, k, rows);
		assert_int_equal(find(rows, 0.3, &guess, &fit), 0);
		assert_true(fabs(fit.period_s / p.period_s - 1) < 60e-6);
	}
}

/* Completion on a tick: a perfect beat, but one that does not move with the place. */
static void a_tick_has_no_scale(void **state)
{
	struct plant p = {.period_s = 0.004, .noise_s = 0, .step_s = 0, .believed = 1};
	struct period_row rows[N];
	struct period_guess guess;
	struct period_fit fit;

	(void)state;
	make(&p, 3, rows);
	for (size_t i = 0; i < N; i++)
		rows[i].shift_s = -200e-6 * (double)(i / ANCHORS);
	assert_int_equal(find(rows, 0.3, &guess, &fit), 0);
	for (unsigned j = 0; j < ANCHORS; j++)
		assert_true(fabs(fit.scale[j]) < 0.01);
}

static void random_times_have_no_period(void **state)
{
	struct period_row rows[N];
	struct period_guess guess;
	unsigned taken = 0;
	struct rng rng;

	(void)state;
	rng_init(&rng, 11, 1);
	for (unsigned k = 0; k < 300; k++) {
		double now_s = 1;

		for (size_t i = 0; i < N; i++) {
			now_s += 0.003 + 0.009 * rng_uniform(&rng);
			rows[i] = (struct period_row){now_s, 0, (unsigned)rng_below(&rng, ANCHORS)};
		}
		assert_int_equal(period_search(rows, N, SHORTEST, LONGEST, &guess), 0);
		taken += guess.coherence > fmax(0.55, guess.chance);
	}
	assert_int_equal(taken, 0);
}

static void too_little_is_refused(void **state)
{
	struct period_row rows[8] = {{1, 0, 0}, {2, 0, 1}, {3, 0, 2}, {4, 0, 3}, {5, 0, 4},
		{6, 0, 5}, {7, 0, 0}, {8, 0, 1}};
	struct period_belief belief = {.scale_sd = 0.3, .step = 0.012};
	struct period_guess guess = {.period_s = 0.008, .scale = 1};
	struct period_fit fit;

	(void)state;
	assert_int_equal(period_search(rows, 8, SHORTEST, LONGEST, &guess), -ERANGE);
	guess = (struct period_guess){.period_s = 0.008, .scale = 1};
	assert_int_equal(period_fit(rows, 2, &guess, &belief, &fit, NULL), -ERANGE);
	assert_int_equal(period_fit(rows, 6, &guess, &belief, &fit, NULL), -ERANGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_every_usual_speed),
		cmocka_unit_test(standard_error_is_honest),
		cmocka_unit_test(a_wrong_belief_of_the_shifts_does_no_harm),
		cmocka_unit_test(a_jump_splits_one_anchor),
		cmocka_unit_test(outliers_are_left_out),
		cmocka_unit_test(a_tick_has_no_scale),
		cmocka_unit_test(random_times_have_no_period),
		cmocka_unit_test(too_little_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
