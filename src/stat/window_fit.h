/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A curve below a window: of each sample one knows x and y = f(x) + something uniform in
 * [0, width), blurred a little, and now and then far off. That is the time of a read at a distance:
 * what it takes to get there, then up to one revolution until the place comes round.
 *
 * f never falls, and is a line in the square root of x between knots (nearly one in x where x is
 * large), as the moves of an arm are: Ruemmler and Wilkes (1994). Both edges of the window tell
 * where f is, which is not a regular problem: what is known of f is therefore a sample of its
 * posterior distribution, drawn by Metropolis steps, not a value with a normal error. */
#ifndef STAT_WINDOW_FIT_H
#define STAT_WINDOW_FIT_H

#include <stddef.h>

#include "base/rng.h"
#include "stat/interval.h"

#define WINDOW_KNOTS 10u
#define WINDOW_DRAWS 120u

struct window_fit {
	double width;
	double soft;                            /* blur of the edges, standard deviation */
	double off_share;                       /* of samples that are outside of the window */
	double at[WINDOW_KNOTS];                /* f at the knots: means of the draws, */
	double draws[WINDOW_DRAWS][WINDOW_KNOTS]; /* each as likely as the others */
};

/* x of a knot: 0 … 1. */
double window_knot(size_t knot);

/* The n samples, x in 0..1, y and width in one unit. 0, or -ERANGE: fewer than WINDOW_LEAST. */
#define WINDOW_LEAST 60u
int window_fit(struct window_fit *fit, const double *x, const double *y, size_t n, double width,
	struct rng *rng);

/* f(x), and every mean of f, is a sum of weights times f at the knots. Adds share times the weights
 * of f(x), 0 <= x <= 1. */
void window_weights(double x, double share, double weights[WINDOW_KNOTS]);

/* Such a sum, and where it lies with that confidence. */
struct interval window_fit_sum(
	const struct window_fit *fit, const double weights[WINDOW_KNOTS], double confidence);

/* f(x), and where it lies. */
struct interval window_fit_at(const struct window_fit *fit, double x, double confidence);

/* Mean of the whole widths by which samples are beyond their window (a read that missed its turn):
 * the mean of y is that of f, plus width / 2, plus this. Interval by the numbers seen. */
struct interval window_fit_excess(
	const struct window_fit *fit, const double *x, const double *y, size_t n, double confidence);

#endif
