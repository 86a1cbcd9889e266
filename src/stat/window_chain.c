/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sample well inside the window says nothing, so nearly all the work is to see that; only near an
 * edge is the blur worked out. A move of one knot touches the samples of the two pieces beside it,
 * a move of a knot and all behind it keeps the shape of what moves. The curve's slopes, in terms of
 * the root, change little from piece to piece: the prior is Student's t of their differences, whose
 * tails let a bend be where the data want one. */
#include "stat/window_chain.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "stat/robust.h"

#define STEP_GOAL   0.4  /* share of moves taken, */
#define STEP_CHANGE 1.15 /* and what brings a step there */
#define SHARE_LEAST 0.002
#define SHARE_MOST  0.3
#define STRAY_WIDTHS 4.0 /* over which half of the strays are taken to lie; */
#define LATE_WIDTHS  0.4 /* the others come that soon after the window */
#define SOFT_TYPICAL 0.008 /* of the width; */
#define SOFT_FACTOR  2.5   /* it may well be that many times more or less */
#define BEND_SHARE   0.25

struct window_chain {
	struct rng *rng;
	size_t n;
	double width;
	double *y, *upper; /* by x; weight of the knot above */
	double *log_now, *log_new;
	size_t first[WINDOW_KNOTS]; /* sample of the piece that begins at this knot; the last: n */
	double at[WINDOW_KNOTS], root[WINDOW_KNOTS];
	double step[WINDOW_KNOTS], tail_step[WINDOW_KNOTS];
	double soft, share, bend;
	double inside, outside, late; /* log densities in the window, anywhere else, behind it */
	bool adapting, soft_fixed;
};

struct pair {
	double x, y;
};

static int by_x(const void *a, const void *b)
{
	const struct pair *p = a, *q = b;

	return (p->x > q->x) - (p->x < q->x);
}

static double below(double z)
{
	return 0.5 * erfc(-z * M_SQRT1_2);
}

static void set_densities(struct window_chain *c)
{
	double stray = c->share / 2 / (STRAY_WIDTHS * c->width);

	c->outside = log(stray);
	c->inside = log((1 - c->share) / c->width + stray);
	c->late = log(c->share / 2 / (LATE_WIDTHS * c->width) + stray);
}

static double log_density(const struct window_chain *c, double over)
{
	double low = over / c->soft, high = (over - c->width) / c->soft, gone;

	if (low > 5 && high < -5)
		return c->inside;
	if (low < -7 || high > 7 + LATE_WIDTHS * c->width / c->soft)
		return c->outside;
	if (high > 7)
		return c->late;
	gone = below(high);
	return log((1 - c->share) * (below(low) - gone) / c->width + exp(c->late) * gone +
		exp(c->outside) * (1 - gone));
}

/* The samples of pieces from … to - 1 at the knots as they stand, into log_new. Returns how much
 * more likely they are than they were. */
static double gain(struct window_chain *c, size_t from, size_t to)
{
	double sum = 0;

	for (size_t piece = from; piece < to; piece++) {
		double low = c->at[piece], rise = c->at[piece + 1] - low;

		for (size_t i = c->first[piece]; i < c->first[piece + 1]; i++) {
			c->log_new[i] = log_density(c, c->y[i] - low - rise * c->upper[i]);
			sum += c->log_new[i] - c->log_now[i];
		}
	}
	return sum;
}

static void keep(struct window_chain *c, size_t from, size_t to)
{
	size_t first = c->first[from], n = c->first[to] - first;

	memcpy(c->log_now + first, c->log_new + first, n * sizeof(*c->log_now));
}

static double slope(const struct window_chain *c, size_t piece)
{
	return (c->at[piece + 1] - c->at[piece]) / (c->root[piece + 1] - c->root[piece]);
}

/* Log prior of the bends at knots from … to; -INFINITY where the curve falls. */
static double prior(const struct window_chain *c, size_t from, size_t to)
{
	double sum = 0, last;

	from = from < 1 ? 1 : from;
	to = to > WINDOW_KNOTS - 2 ? WINDOW_KNOTS - 2 : to;
	last = slope(c, from - 1);
	if (last < 0)
		return -INFINITY;
	for (size_t k = from; k <= to; k++) {
		double next = slope(c, k), bend = (next - last) / c->bend;

		if (next < 0)
			return -INFINITY;
		sum -= 2 * log1p(bend * bend / 3);
		last = next;
	}
	return sum;
}

static bool taken(struct window_chain *c, double more, double *step)
{
	bool take = more >= 0 || rng_uniform(c->rng) < exp(more);

	if (c->adapting && step)
		*step *= pow(STEP_CHANGE, take ? 1 - STEP_GOAL : -STEP_GOAL);
	return take;
}

/* Moves knots from … to - 1 by the same. */
static void move(struct window_chain *c, size_t from, size_t to, double *step)
{
	double by = *step * rng_normal(c->rng);
	size_t piece = from ? from - 1 : 0, end = to < WINDOW_KNOTS ? to : WINDOW_KNOTS - 1;
	double before = prior(c, from ? from - 1 : 0, to), more;

	for (size_t k = from; k < to; k++)
		c->at[k] += by;
	more = prior(c, from ? from - 1 : 0, to) - before;
	if (more > -INFINITY)
		more += gain(c, piece, end);
	if (taken(c, more, step)) {
		keep(c, piece, end);
		return;
	}
	for (size_t k = from; k < to; k++)
		c->at[k] -= by;
}

static double soft_prior(const struct window_chain *c)
{
	double off = log(c->soft / (SOFT_TYPICAL * c->width)) / log(SOFT_FACTOR);

	return -off * off / 2;
}

static void refresh(struct window_chain *c)
{
	set_densities(c);
	gain(c, 0, WINDOW_KNOTS - 1);
	keep(c, 0, WINDOW_KNOTS - 1);
}

static void move_soft(struct window_chain *c)
{
	double was = c->soft, more = -soft_prior(c);

	c->soft *= exp(0.3 * rng_normal(c->rng));
	more += soft_prior(c) + gain(c, 0, WINDOW_KNOTS - 1);
	if (taken(c, more, NULL))
		keep(c, 0, WINDOW_KNOTS - 1);
	else
		c->soft = was;
}

static void move_share(struct window_chain *c)
{
	double was = c->share, more;

	c->share *= exp(0.4 * rng_normal(c->rng));
	if (c->share < SHARE_LEAST || c->share > SHARE_MOST) {
		c->share = was;
		return;
	}
	set_densities(c);
	more = gain(c, 0, WINDOW_KNOTS - 1);
	if (taken(c, more, NULL)) {
		keep(c, 0, WINDOW_KNOTS - 1);
		return;
	}
	c->share = was;
	set_densities(c);
}

void window_chain_sweep(struct window_chain *c)
{
	for (size_t k = 0; k < WINDOW_KNOTS; k++)
		move(c, k, k + 1, &c->step[k]);
	for (size_t k = 0; k + 1 < WINDOW_KNOTS; k += 2)
		move(c, k, WINDOW_KNOTS, &c->tail_step[k]);
	if (c->soft_fixed)
		return;
	move_soft(c);
	move_share(c);
}

/* Where the middle of the window seems to be near each knot, less half of it. */
static void guess(struct window_chain *c, const struct pair *sorted)
{
	double *near = mem_zalloc(c->n, sizeof(*near));
	size_t wanted = c->n / WINDOW_KNOTS < 5 ? 5 : c->n / WINDOW_KNOTS;

	for (size_t k = 0; k < WINDOW_KNOTS; k++) {
		double x = c->root[k] * c->root[k];
		size_t from = 0, to;

		while (from < c->n && sorted[from].x < x)
			from++;
		to = from + wanted / 2 < c->n ? from + wanted / 2 : c->n;
		from = to > wanted ? to - wanted : 0;
		to = from + wanted < c->n ? from + wanted : c->n;
		for (size_t i = from; i < to; i++)
			near[i - from] = sorted[i].y;
		c->at[k] = stat_median(near, to - from) - c->width / 2;
		if (k && c->at[k] < c->at[k - 1])
			c->at[k] = c->at[k - 1];
	}
	free(near);
}

static void place_samples(struct window_chain *c, const struct pair *sorted)
{
	size_t i = 0;

	for (size_t k = 0; k + 1 < WINDOW_KNOTS; k++) {
		c->first[k] = i;
		for (; i < c->n && (sorted[i].x < window_knot(k + 1) || k + 2 == WINDOW_KNOTS);
			i++) {
			double weights[WINDOW_KNOTS] = {0};

			window_weights(sorted[i].x, 1, weights);
			c->upper[i] = weights[k + 1];
			c->y[i] = sorted[i].y;
		}
	}
	c->first[WINDOW_KNOTS - 1] = c->n;
}

struct window_chain *window_chain_open(
	const double *x, const double *y, size_t n, double width, struct rng *rng)
{
	struct window_chain *c = mem_zalloc(1, sizeof(*c));
	struct pair *sorted = mem_zalloc(n, sizeof(*sorted));

	*c = (struct window_chain){.rng = rng, .n = n, .width = width};
	c->y = mem_zalloc(n, sizeof(*c->y));
	c->upper = mem_zalloc(n, sizeof(*c->upper));
	c->log_now = mem_zalloc(n, sizeof(*c->log_now));
	c->log_new = mem_zalloc(n, sizeof(*c->log_new));
	for (size_t k = 0; k < WINDOW_KNOTS; k++)
		c->root[k] = sqrt(window_knot(k));
	for (size_t i = 0; i < n; i++)
		sorted[i] = (struct pair){x[i], y[i]};
	qsort(sorted, n, sizeof(*sorted), by_x);
	place_samples(c, sorted);
	guess(c, sorted);
	free(sorted);
	c->share = 0.03;
	c->bend = BEND_SHARE * (c->at[WINDOW_KNOTS - 1] - c->at[0] + width / 4);
	return c;
}

void window_chain_close(struct window_chain *c)
{
	free(c->y);
	free(c->upper);
	free(c->log_now);
	free(c->log_new);
	free(c);
}

void window_chain_settle(struct window_chain *c)
{
	static const double softs[] = {0.15, 0.05, 0.02, 0.01};

	c->adapting = c->soft_fixed = true;
	for (size_t s = 0; s < sizeof(softs) / sizeof(softs[0]); s++) {
		c->soft = softs[s] * c->width;
		for (size_t k = 0; k < WINDOW_KNOTS; k++)
			c->step[k] = c->tail_step[k] = c->soft;
		refresh(c);
		for (unsigned i = 0; i < 50; i++)
			window_chain_sweep(c);
	}
	c->soft_fixed = false;
	for (unsigned i = 0; i < 100; i++)
		window_chain_sweep(c);
	c->adapting = false;
}

const double *window_chain_knots(const struct window_chain *c)
{
	return c->at;
}

double window_chain_soft(const struct window_chain *c)
{
	return c->soft;
}

double window_chain_off_share(const struct window_chain *c)
{
	return c->share;
}
