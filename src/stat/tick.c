/* SPDX-License-Identifier: GPL-2.0-or-later */
/* With a step T the mean of cos(2 pi t / T) over the durations t is 1 when all are multiples of T and
 * about 0 when they do not care: the first high peak of it on the way from slow to fast is the step.
 * Durations that are all alike are multiples of anything near them, so they must be spread over
 * several multiples. */
#include "stat/tick.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>

#include "stat/distribution.h"

#define HEIGHT        0.6  /* of a peak: exp(-2 (pi scatter / T)^2) */
#define DEVIATIONS    4.5  /* of such a mean where there is no step */
#define STEPS_A_PEAK  8.0
#define HALVINGS      20u
#define SAME_MOST     0.75 /* share of durations that may be one and the same multiple */
#define FLOOR_RATIO   1e-4
#define TURN          6.283185307179586

static double height(const double *t, size_t n, double per_s)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += cos(TURN * t[i] * per_s);
	return sum / (double)n;
}

static double longest(const double *t, size_t n)
{
	double most = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, t[i]);
	return most;
}

/* Up the peak from `at`, by halving steps. */
static double summit(const double *t, size_t n, double at, double width)
{
	for (unsigned k = 0; k < HALVINGS; k++, width /= 2) {
		double here = height(t, n, at);

		if (height(t, n, at + width) > here)
			at += width;
		else if (height(t, n, at - width) > here)
			at -= width;
	}
	return at;
}

/* Whether the durations are several multiples of the step, not just one. */
static bool spread(const double *t, size_t n, double step)
{
	for (size_t i = 0; i < n; i++) {
		size_t same = 0;

		for (size_t k = 0; k < n; k++)
			same += fabs(t[k] - t[i]) < step / 2;
		if ((double)same > SAME_MOST * (double)n)
			return false;
	}
	return true;
}

static struct interval step_at(const double *t, size_t n, double per_s, double confidence)
{
	double square = 0, phase_sd = sqrt(2 * (1 - fmin(height(t, n, per_s), 1))), se;

	for (size_t i = 0; i < n; i++)
		square += t[i] * t[i];
	se = phase_sd / (TURN * sqrt(square) * per_s);
	return interval_at_least(
		interval_student(1 / per_s, se / per_s, (double)n - 1, confidence),
		FLOOR_RATIO / per_s);
}

int tick_find(const double *duration_s, size_t n, double from_s, double to_s, double confidence,
	struct interval *step_s)
{
	double least = fmax(HEIGHT, DEVIATIONS / sqrt(2 * (double)n));
	double step, last = 0;

	if (n < TICK_LEAST)
		return -ENOENT;
	step = 1 / (STEPS_A_PEAK * longest(duration_s, n));
	for (double at = 1 / to_s; at <= 1 / from_s; at += step) {
		double here = height(duration_s, n, at);

		if (here < last && last >= least) {
			double top = summit(duration_s, n, at - step, step);

			if (top * to_s > 0.99 && spread(duration_s, n, 1 / top)) {
				*step_s = step_at(duration_s, n, top, confidence);
				return 0;
			}
		}
		last = here;
	}
	return -ENOENT;
}
