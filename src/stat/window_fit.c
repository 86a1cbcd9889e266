/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The chain gives the draws; the rest is sums of weights over them. */
#include "stat/window_fit.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "stat/robust.h"
#include "stat/window_chain.h"

#define SWEEPS_A_DRAW 8u
#define BEYOND_SOFT   4.0 /* blurs behind the window before a sample counts as beyond it */
/* From here on pieces are more and more a line in x, as long moves at full speed are */
#define LINE_FROM 0.1
#define LINE_OVER 0.3
#define LINE_MOST 0.8

static const double roots[WINDOW_KNOTS] = {0, 0.02, 0.06, 0.14, 0.28, 0.42, 0.56, 0.70, 0.85, 1};

double window_knot(size_t knot)
{
	return roots[knot] * roots[knot];
}

void window_weights(double x, double share, double weights[WINDOW_KNOTS])
{
	double root = sqrt(fmin(fmax(x, 0), 1)), low, high, upper, line;
	size_t k = 0;

	while (k + 2 < WINDOW_KNOTS && roots[k + 1] <= root)
		k++;
	low = roots[k];
	high = roots[k + 1];
	upper = (root - low) / (high - low);
	line = fmin(fmax((low * low - LINE_FROM) / LINE_OVER, 0), LINE_MOST);
	upper += line * ((root * root - low * low) / (high * high - low * low) - upper);
	weights[k] += share * (1 - upper);
	weights[k + 1] += share * upper;
}

int window_fit(struct window_fit *fit, const double *x, const double *y, size_t n, double width,
	struct rng *rng)
{
	struct window_chain *c;

	if (n < WINDOW_LEAST)
		return -ERANGE;
	memset(fit, 0, sizeof(*fit));
	fit->width = width;
	c = window_chain_open(x, y, n, width, rng);
	window_chain_settle(c);
	for (size_t d = 0; d < WINDOW_DRAWS; d++) {
		for (unsigned i = 0; i < SWEEPS_A_DRAW; i++)
			window_chain_sweep(c);
		memcpy(fit->draws[d], window_chain_knots(c), sizeof(fit->draws[d]));
		for (size_t k = 0; k < WINDOW_KNOTS; k++)
			fit->at[k] += fit->draws[d][k] / WINDOW_DRAWS;
		fit->soft += window_chain_soft(c) / WINDOW_DRAWS;
		fit->off_share += window_chain_off_share(c) / WINDOW_DRAWS;
	}
	window_chain_close(c);
	return 0;
}

static double sum_of(const double *at, const double *weights)
{
	double sum = 0;

	for (size_t k = 0; k < WINDOW_KNOTS; k++)
		sum += at[k] * weights[k];
	return sum;
}

struct interval window_fit_sum(
	const struct window_fit *fit, const double weights[WINDOW_KNOTS], double confidence)
{
	double sums[WINDOW_DRAWS], mean = sum_of(fit->at, weights), sd;

	for (size_t d = 0; d < WINDOW_DRAWS; d++)
		sums[d] = sum_of(fit->draws[d], weights);
	sd = stat_sd(sums, WINDOW_DRAWS);
	return interval_student(mean, sd, INFINITY, confidence);
}

struct interval window_fit_at(const struct window_fit *fit, double x, double confidence)
{
	double weights[WINDOW_KNOTS] = {0};

	window_weights(x, 1, weights);
	return window_fit_sum(fit, weights, confidence);
}

struct interval window_fit_excess(
	const struct window_fit *fit, const double *x, const double *y, size_t n, double confidence)
{
	double sum = 0, squares = 0, se;

	for (size_t i = 0; i < n; i++) {
		double weights[WINDOW_KNOTS] = {0}, turns;

		window_weights(x[i], 1, weights);
		turns = floor((y[i] - sum_of(fit->at, weights) - BEYOND_SOFT * fit->soft) /
			fit->width);
		turns = fmax(turns, 0);
		sum += turns;
		squares += turns * turns;
	}
	/* one more such sample could well have come, or stayed away */
	se = sqrt(fmax(squares, 0.5)) / (double)n * fit->width;
	return interval_student(sum / (double)n * fit->width, se, INFINITY, confidence);
}
