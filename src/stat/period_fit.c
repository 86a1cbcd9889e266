/* SPDX-License-Identifier: GPL-2.0-or-later */
/* First the pieces: an anchor is split where the phase jumps between two rows that are close enough
 * in time for the guess to tell. Then the period is made sharper on the whole span by the sum of
 * the pieces' vectors; then whole numbers are counted and all is fitted at once. As each piece has its
 * own constant and each anchor its own scale, the normal equations have an arrow's shape and are
 * solved by hand. Then the pieces are cut again with what is known by now, and the fit is redone. */
#include "stat/period.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "stat/robust.h"

#define TURN         6.283185307179586
#define ROUNDS       6
#define OUTLIER      5.0    /* standard deviations */
#define NOISE_LEAST  1e-6   /* s: times that are all the same are not known better */
#define SPLIT_MADS   6.0
#define SHIFT_DOUBT  0.3    /* of a shift, before scales are fitted */
#define TELLS        0.01   /* turns that the guess may be off between two rows that still tell a jump */
#define SHARPEN_FROM 0.05   /* turns over the whole span */
#define SHARPEN_STEP 0.1    /* turns over the whole span */
#define GRID_MOST    20000u

struct work {
	const struct period_row *rows;
	size_t n;
	double t0_s;
	double period_s;
	double scale[PERIOD_ANCHORS_MAX], scale_se[PERIOD_ANCHORS_MAX];
	const struct period_belief *belief;
	double believed; /* the guess's scale */
	size_t *before;  /* the row of the same anchor before this one, n: none */
	int *piece;
	size_t pieces;
	bool *used;
	double *constant;      /* by piece, s after t0_s */
	double *turns;         /* by row: the whole number */
	double *left;          /* by row: residual, s */
	double *room;          /* n doubles for medians */
	double noise_s;
};

static void work_open(struct work *w, const struct period_row *rows, size_t n)
{
	size_t last[PERIOD_ANCHORS_MAX];

	w->rows = rows;
	w->n = n;
	w->before = mem_zalloc(n, sizeof(*w->before));
	w->piece = mem_zalloc(n, sizeof(*w->piece));
	w->used = mem_zalloc(n, sizeof(*w->used));
	w->constant = mem_zalloc(n, sizeof(*w->constant));
	w->turns = mem_zalloc(n, sizeof(*w->turns));
	w->left = mem_zalloc(n, sizeof(*w->left));
	w->room = mem_zalloc(n, sizeof(*w->room));
	w->t0_s = rows[0].time_s;
	for (size_t j = 0; j < PERIOD_ANCHORS_MAX; j++)
		last[j] = n;
	for (size_t i = 0; i < n; i++) {
		w->before[i] = last[rows[i].anchor];
		last[rows[i].anchor] = i;
		w->used[i] = true;
	}
}

static void work_close(struct work *w)
{
	free(w->before);
	free(w->piece);
	free(w->used);
	free(w->constant);
	free(w->turns);
	free(w->left);
	free(w->room);
}

/* Time of a row, its shift taken off. */
static double plain_s(const struct work *w, size_t i)
{
	return w->rows[i].time_s - w->t0_s - w->scale[w->rows[i].anchor] * w->rows[i].shift_s;
}

/* Phase from the row before of the same anchor to this one, -1/2 … 1/2 turn. */
static double advance(const struct work *w, size_t i)
{
	double turns = (plain_s(w, i) - plain_s(w, w->before[i])) / w->period_s;

	return turns - floor(turns + 0.5);
}

/* Whether the phase between the two rows can be told, the period being off by the share `unsure`. */
static bool tells(const struct work *w, size_t i, double unsure)
{
	double gap_s;

	if (w->before[i] == w->n)
		return false;
	gap_s = w->rows[i].time_s - w->rows[w->before[i]].time_s;
	return unsure * gap_s < TELLS * w->period_s;
}

/* Cuts the anchors into pieces. doubt: how much of a shift is not believed. */
static void split(struct work *w, double unsure, double doubt)
{
	size_t m = 0;
	double middle = 0, limit = w->belief->step;

	for (size_t i = 0; i < w->n; i++)
		if (tells(w, i, unsure))
			w->room[m++] = advance(w, i);
	if (m) {
		middle = stat_median(w->room, m);
		limit = fmax(limit, SPLIT_MADS * stat_mad(w->room, m));
	}
	w->pieces = 0;
	for (size_t i = 0; i < w->n; i++) {
		size_t b = w->before[i];
		double moved;

		if (b < w->n) {
			moved = fabs(w->rows[i].shift_s - w->rows[b].shift_s) / w->period_s;
			if (!tells(w, i, unsure) ||
				fabs(advance(w, i) - middle) <= fmax(limit, doubt * moved)) {
				w->piece[i] = w->piece[b];
				continue;
			}
		}
		w->piece[i] = (int)w->pieces++;
	}
}

/* Sum over the pieces of the length of the sum of their rows' vectors, of all rows. */
static double gathered(const struct work *w, double period_s, double *x, double *y)
{
	double sum = 0;

	memset(x, 0, w->pieces * sizeof(*x));
	memset(y, 0, w->pieces * sizeof(*y));
	for (size_t i = 0; i < w->n; i++) {
		double turns = plain_s(w, i) / period_s;

		turns = TURN * (turns - floor(turns));
		x[w->piece[i]] += cos(turns);
		y[w->piece[i]] += sin(turns);
	}
	for (size_t p = 0; p < w->pieces; p++)
		sum += sqrt(x[p] * x[p] + y[p] * y[p]);
	return sum / (double)w->n;
}

/* The period within the share `unsure` of the guess at which the pieces hold together best. */
static void sharpen(struct work *w, double unsure)
{
	double span_s = w->rows[w->n - 1].time_s - w->t0_s, from, step, best = -1, at = 0;
	double *x = w->left, *y = w->room;
	size_t steps;

	if (unsure * span_s < SHARPEN_FROM * w->period_s)
		return;
	step = SHARPEN_STEP / span_s;
	from = (1 - unsure) / w->period_s;
	steps = (size_t)(2 * unsure / w->period_s / step) + 1;
	for (size_t g = 0; g <= steps && g < GRID_MOST; g++) {
		double per_s = from + (double)g * step, here = gathered(w, 1 / per_s, x, y);

		if (here > best) {
			best = here;
			at = per_s;
		}
	}
	for (int i = 0; i < 12; i++) {
		double below = gathered(w, 1 / (at - step), x, y);
		double above = gathered(w, 1 / (at + step), x, y);

		if (below > best || above > best) {
			at += above > below ? step : -step;
			best = fmax(above, below);
		} else {
			step *= 0.5;
		}
	}
	w->period_s = 1 / at;
}

/* Each piece's constant from the vectors, before whole numbers are known. */
static void constants(struct work *w)
{
	double *x = w->left, *y = w->room;

	gathered(w, w->period_s, x, y);
	for (size_t p = 0; p < w->pieces; p++)
		w->constant[p] = atan2(y[p], x[p]) / TURN * w->period_s;
}

/* Counts the turns, and throws out what is far from its place. */
static void count_turns(struct work *w)
{
	double middle;

	for (size_t i = 0; i < w->n; i++) {
		double s = plain_s(w, i) - w->constant[w->piece[i]];

		w->turns[i] = floor(s / w->period_s + 0.5);
		w->left[i] = w->room[i] = s - w->turns[i] * w->period_s;
	}
	middle = stat_median(w->room, w->n);
	w->noise_s = fmax(stat_mad(w->room, w->n), NOISE_LEAST);
	for (size_t i = 0; i < w->n; i++)
		w->used[i] = fabs(w->left[i] - middle) <= OUTLIER * w->noise_s;
}

struct sums {
	double n, turns, shift, time; /* of a piece: count and means */
	unsigned anchor;
};

static struct sums *means(const struct work *w)
{
	struct sums *m = mem_zalloc(w->pieces + 1, sizeof(*m));

	for (size_t i = 0; i < w->n; i++) {
		struct sums *s = &m[w->piece[i]];

		if (!w->used[i])
			continue;
		s->anchor = w->rows[i].anchor;
		s->n++;
		s->turns += (w->turns[i] - s->turns) / s->n;
		s->shift += (w->rows[i].shift_s - s->shift) / s->n;
		s->time += (w->rows[i].time_s - w->t0_s - s->time) / s->n;
	}
	return m;
}

struct normal {
	double tt, ty;                             /* turns with turns, with time */
	double ss[PERIOD_ANCHORS_MAX], st[PERIOD_ANCHORS_MAX], sy[PERIOD_ANCHORS_MAX];
};

static void accumulate(const struct work *w, const struct sums *m, struct normal *q)
{
	for (size_t i = 0; i < w->n; i++) {
		const struct sums *s = &m[w->piece[i]];
		unsigned a = w->rows[i].anchor;
		double t = w->turns[i] - s->turns, x = w->rows[i].shift_s - s->shift;
		double y = w->rows[i].time_s - w->t0_s - s->time;

		if (!w->used[i])
			continue;
		q->tt += t * t;
		q->ty += t * y;
		q->ss[a] += x * x;
		q->st[a] += x * t;
		q->sy[a] += x * y;
	}
}

/* Takes the scales out of the period's equation; what is left of it: *d * period = *y. */
static void eliminate(const struct work *w, struct normal *q, double *d, double *y)
{
	double weight = w->belief->scale_sd > 0 ? pow(w->noise_s / w->belief->scale_sd, 2) : 0;

	*d = q->tt;
	*y = q->ty;
	for (unsigned a = 0; a < PERIOD_ANCHORS_MAX; a++) {
		if (!(weight > 0)) {
			*y -= q->st[a] * w->believed;
			continue;
		}
		q->ss[a] += weight;
		q->sy[a] += weight * w->believed;
		*d -= q->st[a] * q->st[a] / q->ss[a];
		*y -= q->st[a] * q->sy[a] / q->ss[a];
	}
}

static void put_scales(struct work *w, const struct normal *q, double d)
{
	for (unsigned a = 0; a < PERIOD_ANCHORS_MAX && w->belief->scale_sd > 0; a++) {
		double part = q->st[a] / q->ss[a];

		w->scale[a] = (q->sy[a] - q->st[a] * w->period_s) / q->ss[a];
		w->scale_se[a] = sqrt(1 / q->ss[a] + part * part / d);
	}
}

/* One least-squares step. Returns what the turns tell of the period, 0: nothing. */
static double solve(struct work *w)
{
	struct sums *m = means(w);
	struct normal q = {0};
	double d, y;

	accumulate(w, m, &q);
	eliminate(w, &q, &d, &y);
	if (d > 0 && y > 0) {
		w->period_s = y / d;
		put_scales(w, &q, d);
		for (size_t p = 0; p < w->pieces; p++)
			if (m[p].n > 0)
				w->constant[p] = m[p].time - w->period_s * m[p].turns -
					w->scale[m[p].anchor] * m[p].shift;
	}
	free(m);
	return y > 0 ? d : 0;
}

static double fit_rounds(struct work *w)
{
	double d = 0;

	constants(w);
	for (int round = 0; round < ROUNDS; round++) {
		count_turns(w);
		d = solve(w);
		if (!(d > 0))
			return 0;
	}
	return d;
}

/* How many scales the rows, not the belief, decided. */
static size_t scales_told(const struct work *w)
{
	size_t told = 0;

	for (unsigned a = 0; a < PERIOD_ANCHORS_MAX && w->belief->scale_sd > 0; a++)
		told += w->noise_s * w->scale_se[a] < 0.5 * w->belief->scale_sd;
	return told;
}

static void tell(struct work *w, double d, struct period_fit *fit)
{
	struct sums *m = means(w);
	size_t anchors = 0, agree = 0, parameters = 1 + scales_told(w);
	double sum = 0;

	*fit = (struct period_fit){.period_s = w->period_s, .rows = w->n};
	for (size_t i = 0; i < w->n; i++) {
		double s = plain_s(w, i) - w->constant[w->piece[i]] - w->turns[i] * w->period_s;

		anchors += w->before[i] == w->n;
		if (!w->used[i])
			continue;
		fit->used++;
		sum += s * s;
	}
	for (size_t p = 0; p < w->pieces; p++) {
		parameters += m[p].n > 0;
		agree += m[p].n > 1 ? (size_t)m[p].n - 1 : 0;
		fit->pieces += m[p].n > 1;
	}
	fit->support = w->n > anchors ? (double)agree / (double)(w->n - anchors) : 0;
	fit->dof = fit->used > parameters ? fit->used - parameters : 1;
	fit->residual_s = sqrt(sum / (double)fit->dof);
	fit->se_s = fit->residual_s / sqrt(d);
	for (unsigned a = 0; a < PERIOD_ANCHORS_MAX; a++) {
		fit->scale[a] = w->scale[a];
		fit->scale_se[a] = fit->residual_s * w->scale_se[a];
	}
	free(m);
}

static void tell_pieces(const struct work *w, int *piece)
{
	for (size_t i = 0; piece && i < w->n; i++)
		piece[i] = w->used[i] ? w->piece[i] : -1 - w->piece[i];
}

int period_fit(const struct period_row *rows, size_t n, const struct period_guess *guess,
	const struct period_belief *belief, struct period_fit *fit, int *piece)
{
	struct work w = {.period_s = guess->period_s, .believed = guess->scale, .belief = belief};
	double d;

	if (n < 3)
		return -ERANGE;
	for (unsigned a = 0; a < PERIOD_ANCHORS_MAX; a++)
		w.scale[a] = guess->scale;
	work_open(&w, rows, n);
	split(&w, guess->unsure, SHIFT_DOUBT);
	sharpen(&w, guess->unsure);
	split(&w, 0, SHIFT_DOUBT);
	d = fit_rounds(&w);
	if (d > 0) {
		split(&w, 0, 0);
		d = fit_rounds(&w);
	}
	if (d > 0) {
		tell(&w, d, fit);
		tell_pieces(&w, piece);
	}
	work_close(&w);
	return d > 0 ? 0 : -ERANGE;
}
