/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An answer from a memory is late by what the host adds; one from the medium by a part of a
 * revolution, which may be small by chance: the line is drawn close above the fast ones. */
#include "probe/hit.h"

#include <errno.h>
#include <math.h>

#include "stat/robust.h"

#define MARGIN_S      0.00015
#define JITTERS       10 /* of half the hits' distance from their median */
#define TURN_MOST     0.06
#define GAP_TURNS     0.15
#define GAP_LEAST_S   0.00015
#define AFTER_WAIT_S  0.0003
#define EMPTY_S       0.00005 /* around a line with no gap */

double hit_threshold_s(const struct doc *doc)
{
	double hit = doc_value(doc, "clock.hit_s"), jitter = doc_value(doc, "clock.jitter_s");
	double tick = doc_value(doc, "clock.tick_s"), period = doc_value(doc, "rotation.period_s");
	double margin = MARGIN_S;

	if (jitter > 0)
		margin = fmax(margin, JITTERS * jitter);
	if (period > 0)
		margin = fmin(margin, fmax(TURN_MOST * period, MARGIN_S));
	if (tick > 0)
		margin = fmax(margin, 1.5 * tick);
	return hit + margin;
}

int hit_threshold_of(
	double *latency_s, size_t n, double hit_s, double period_s, double *threshold_s)
{
	double end = hit_s + GAP_TURNS * period_s, last = hit_s, gap = 0;

	stat_sort(latency_s, n);
	for (size_t i = 0; i <= n; i++) {
		double next = i < n ? fmin(latency_s[i], end) : end;

		if (next - last > gap) {
			gap = next - last;
			*threshold_s = last + gap / 2;
		}
		last = fmax(last, next);
	}
	if (gap >= GAP_LEAST_S)
		return 0;
	*threshold_s = hit_s + fmin(AFTER_WAIT_S, TURN_MOST * period_s);
	for (size_t i = 0; i < n; i++)
		if (fabs(latency_s[i] - *threshold_s) < EMPTY_S)
			return -ERANGE;
	return 0;
}
