/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether durations are whole multiples of one step: times that a timer, a bus frame or a polling
 * loop lets be seen only on its own grid. */
#ifndef STAT_TICK_H
#define STAT_TICK_H

#include <stddef.h>

#include "stat/interval.h"

#define TICK_LEAST 16u /* fewer durations tell nothing */

/* Looks for the longest step between from_s and to_s (0 < from_s < to_s) that the n durations (each
 * above 0) are multiples of, give or take a scatter of a sixth of it; they must be spread over more than
 * one multiple. 0 and the step with its interval, or -ENOENT: there is none, or n is below
 * TICK_LEAST. */
int tick_find(const double *duration_s, size_t n, double from_s, double to_s, double confidence,
	struct interval *step_s);

#endif
