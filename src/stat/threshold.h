/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a threshold lies, from trials that only tell on which side of it they were: each at a value
 * of one's choice, blurred by noise, and now and then wrong. What is known is the posterior
 * distribution on a grid; the next trial is best made at its median, since each then says most
 * (Robbins and Monro 1951 asked the same question without the distribution). */
#ifndef STAT_THRESHOLD_H
#define STAT_THRESHOLD_H

#include <stdbool.h>
#include <stddef.h>

#include "stat/interval.h"

#define THRESHOLD_GRID 256u

struct threshold {
	double low, step;
	double log_weight[THRESHOLD_GRID];
};

/* Somewhere in [low, high]; around `centre`, as Student's t with 4 degrees of freedom and that scale,
 * where scale is finite, else as likely here as there. low < high. */
void threshold_init(struct threshold *t, double low, double high, double centre, double scale);

/* A trial at `at` was above the threshold, or not. blur: standard deviation of the noise, > 0. */
void threshold_learn(struct threshold *t, double at, bool above, double blur);

/* Below it the threshold lies with probability q, 0 < q < 1. */
double threshold_quantile(const struct threshold *t, double q);

/* Median, and the middle part of the distribution. */
struct interval threshold_interval(const struct threshold *t, double confidence);

/* How likely all trials together were, beside other blurs and the same start: a logarithm. */
double threshold_evidence(const struct threshold *t);

#endif
