/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Stretch by stretch: each mark says by what part of a turn the guess is off at the end of it; the
 * middle of them counts, and their scatter says how well. */
#include "stat/long_period.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>

#include "stat/robust.h"

#define OFF_MOST     0.25 /* turns: beyond it nobody knows how many turns there were */
#define SCATTER_MOST 0.015/* turns: marks that differ more are not on one axle */
#define DRIFT_LEAST_S 1.0

struct stretch_time {
	double seconds, turns, off, off_se; /* off: turns more than the guess counts */
};

struct drift {
	double least, most, least_se, most_se;
	size_t n;
};

/* What the marks seen in look a and b say; false: too few, or they disagree. */
static bool count_turns(const struct long_look *looks, size_t n, unsigned a, unsigned b,
	double period_s, double least_s, struct stretch_time *s)
{
	double off[LONG_PERIOD_MARKS], copy[LONG_PERIOD_MARKS], seconds = 0, scatter;
	size_t marks = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < n && looks[i].look == a; k++) {
			double took, passed;

			if (looks[k].look != b || looks[k].mark != looks[i].mark ||
				marks == LONG_PERIOD_MARKS)
				continue;
			took = looks[k].time_s - looks[i].time_s;
			passed = took / period_s - (looks[k].shift - looks[i].shift);
			off[marks] = passed - floor(passed + 0.5);
			seconds += took;
			copy[marks] = off[marks];
			marks++;
		}
	if (marks < LONG_PERIOD_LEAST)
		return false;
	scatter = fmax(stat_mad(copy, marks), least_s / period_s);
	s->off = stat_median(off, marks);
	s->off_se = 1.25 * scatter / sqrt((double)marks);
	s->seconds = seconds / (double)marks;
	s->turns = s->seconds / period_s - s->off;
	return scatter < SCATTER_MOST && fabs(s->off) < OFF_MOST && s->turns > 1;
}

static void take_drift(struct drift *d, const struct stretch_time *s)
{
	double speed = s->turns / s->seconds, se = s->off_se / s->turns;

	if (s->seconds < DRIFT_LEAST_S)
		return;
	if (d->n == 0 || speed < d->least) {
		d->least = speed;
		d->least_se = se;
	}
	if (d->n == 0 || speed > d->most) {
		d->most = speed;
		d->most_se = se;
	}
	d->n++;
}

int long_period_fit(const struct long_look *looks, size_t n, double guess_s, double least_s,
	struct long_period *out)
{
	double square = 0, period_s = guess_s;
	unsigned last = n ? looks[n - 1].look : 0, from = 0;
	struct drift drift = {0};

	*out = (struct long_period){.drift = NAN, .drift_se = NAN};
	for (unsigned to = 1; to <= last; to++) {
		struct stretch_time s;

		if (!count_turns(looks, n, from, to, period_s, least_s, &s)) {
			from = to;
			continue;
		}
		from = to;
		out->turns += s.turns;
		out->seconds += s.seconds;
		out->stretches++;
		square += s.off_se * s.off_se;
		period_s = out->seconds / out->turns;
		take_drift(&drift, &s);
	}
	if (out->stretches == 0)
		return -ERANGE;
	out->period_s = period_s;
	out->se_s = sqrt(square) / out->turns * period_s;
	if (drift.n >= 2) {
		out->drift = (drift.most - drift.least) * period_s;
		out->drift_se = hypot(drift.most_se, drift.least_se);
	}
	return 0;
}
