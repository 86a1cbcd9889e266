/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The period of something that turns, from the times at which marks on it passed.
 *
 * An anchor is a mark; each row is one passing of it, or of a place next to it that passes shift_s
 * later by what is believed beforehand. With P the period, k a scale near 1 (how wrong the belief
 * is) and n a whole number nobody counted:
 *     time_s = c(anchor) + n P + k shift_s + noise
 * An anchor may jump (the place next to it was on another track): its rows before and after are
 * then pieces, each with a c of its own. */
#ifndef STAT_PERIOD_H
#define STAT_PERIOD_H

#include <stdbool.h>
#include <stddef.h>

struct period_row {
	double time_s;
	double shift_s;
	unsigned anchor; /* 0 … PERIOD_ANCHORS_MAX - 1 */
};

#define PERIOD_ANCHORS_MAX 64u

/* A period to begin from. */
struct period_guess {
	double period_s;
	double scale;     /* k, the same for all anchors */
	double coherence; /* mean cosine of the phases from one passing of an anchor to the next, -1..1 */
	double chance;    /* what coherence random times hardly reach: about 1e-5 a frequency */
	double unsure;    /* the period may be off by this share of itself */
};

/* Looks between shortest_s and longest_s. Of the periods at which rows are nearly as coherent as at
 * the best one the longest is taken, for at half, a third … of the true one they are as well. Rows are
 * in order of time. 0, or -ERANGE: fewer than 6 pairs of rows of one anchor. */
int period_search(const struct period_row *rows, size_t n, double shortest_s, double longest_s,
	struct period_guess *guess);

/* The scale, -0.2 … 2.4, at which rows are most coherent with the guess's period; 0 where shifts do
 * not matter, as with times that have nothing to do with any place. Replaces guess->scale. */
void period_scan_scale(const struct period_row *rows, size_t n, struct period_guess *guess);

struct period_fit {
	double period_s, se_s; /* standard error from the scatter about the fit */
	double residual_s;     /* that scatter, one standard deviation, of the rows used */
	size_t rows, used;     /* used: not thrown out as outliers */
	size_t pieces;         /* with two or more used rows */
	double support;        /* share of the rows that could agree with an earlier one which do, 0..1 */
	size_t dof;
	double scale[PERIOD_ANCHORS_MAX], scale_se[PERIOD_ANCHORS_MAX]; /* by anchor */
};

/* What period_fit is to hold to. */
struct period_belief {
	double scale_sd; /* each anchor's scale is guess.scale ± this; 0: it is exactly that */
	double step;     /* revolutions: a jump smaller than this does not split an anchor */
};

/* Least squares over all rows, outliers (more than 5 standard deviations by the median) left out, the
 * whole numbers counted from the guess. piece (n numbers, or NULL): which piece each row is of,
 * numbered from 0 in order of appearance; -1 - piece for a row left out. 0, or -ERANGE: rows tell
 * no period. */
int period_fit(const struct period_row *rows, size_t n, const struct period_guess *guess,
	const struct period_belief *belief, struct period_fit *fit, int *piece);

#endif
