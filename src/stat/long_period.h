/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The period of something that turns, from looks at the same marks with long times between them: so
 * many turns pass unseen that only a good guess can count them, and each stretch that was counted
 * makes the guess for the next one better. Several marks are looked at each time, and their middle
 * counts: a mark may have moved. */
#ifndef STAT_LONG_PERIOD_H
#define STAT_LONG_PERIOD_H

#include <stddef.h>

#define LONG_PERIOD_MARKS  16u
#define LONG_PERIOD_LEAST  4u /* marks seen at both ends of a stretch */

struct long_look {
	unsigned look, mark; /* looks ascending from 0; mark below LONG_PERIOD_MARKS */
	double time_s;       /* when it passed */
	double shift;        /* turns by which it is passed later than the mark itself, by its place */
};

struct long_period {
	double period_s, se_s; /* mean over all stretches that could be counted */
	double turns;          /* counted, */
	double seconds;        /* in that time */
	size_t stretches;
	double drift, drift_se; /* the largest difference of speed between stretches of a second and
	                           more, of the speed, and its standard error; NAN: fewer than two */
};

/* looks: n, by look. guess_s within 0.2 / turns of a stretch of the truth. least_s: standard error a
 * mark's time has at least. 0, or -ERANGE: no stretch could be counted. */
int long_period_fit(const struct long_look *looks, size_t n, double guess_s, double least_s,
	struct long_period *out);

#endif
