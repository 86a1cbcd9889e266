/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The Metropolis chain behind a window fit. */
#ifndef STAT_WINDOW_CHAIN_H
#define STAT_WINDOW_CHAIN_H

#include "stat/window_fit.h"

struct window_chain;

/* Samples as for window_fit; copied. rng is kept. Free with window_chain_close(). */
struct window_chain *window_chain_open(
	const double *x, const double *y, size_t n, double width, struct rng *rng);
void window_chain_close(struct window_chain *c);

/* From wherever it is to where the data are likely: blur is let go step by step. */
void window_chain_settle(struct window_chain *c);

/* One sweep: every knot by itself, all from each knot on together, blur and share of strays. */
void window_chain_sweep(struct window_chain *c);

const double *window_chain_knots(const struct window_chain *c); /* WINDOW_KNOTS, as they stand */
double window_chain_soft(const struct window_chain *c);
double window_chain_off_share(const struct window_chain *c);

#endif
