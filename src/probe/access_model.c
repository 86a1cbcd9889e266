/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A random read takes the time to get there, f(distance), then anything up to one revolution. With
 * the revolution known, few hundred reads tell f, and
 *   mean = mean of f over all pairs of places + half a revolution + turns that were missed
 * is known better than the mean of the same reads. Where f and the rotation do not describe the
 * reads, they say so: the places in the window are then not uniform, and there is no such mean. */
#include "probe/access_reads.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "probe/phase.h"
#include "probe/stroke.h"
#include "stat/robust.h"

enum { STREAM_MODEL = 'm' };
#define PAIRS_GRID    64u   /* places, each with each */
#define HITS_MOST     0.02  /* share */
#define HIT_UNKNOWN_S 0.3e-3
#define SOFT_MOST     0.08 /* of a revolution */
#define OFF_MOST      0.2
#define UNLIKE_MOST   1.95 /* Kolmogorov's statistic, exceeded once in 1000 */
#define MODEL_FLOOR   0.0015 /* of the mean: pieces of the curve are not quite straight */

/* Reads with a distance, without hits, for the fit. */
struct sample {
	double *x, *y;
	size_t n, hits, plain, plain_hits;
};

static double hit_most_s(const struct doc *doc, double period)
{
	double hit = doc_value(doc, "clock.hit_s");

	return hit > 0 ? fmin(hit * 1.3 + 0.15e-3, hit + 0.15 * period) : HIT_UNKNOWN_S;
}

static void take(struct sample *t, const struct access_reads *r, const struct stroke *stroke,
	double hit_most)
{
	t->x = mem_zalloc(r->n + 1, sizeof(*t->x));
	t->y = mem_zalloc(r->n + 1, sizeof(*t->y));
	for (size_t i = 0; i < r->n; i++) {
		bool hit = r->latency_s[i] < hit_most;

		t->hits += hit;
		t->plain += r->plain[i];
		t->plain_hits += r->plain[i] && hit;
		if (hit || isnan(r->from_bytes[i]))
			continue;
		t->x[t->n] = fabs(stroke_share(stroke, r->offset_bytes[i]) -
			stroke_share(stroke, r->from_bytes[i]));
		t->y[t->n++] = r->latency_s[i];
	}
}

/* Largest distance of the places in the window from a uniform distribution, times the root of their
 * number: Kolmogorov's statistic. */
static double unlike_uniform(const struct window_fit *fit, const struct sample *t)
{
	double *part = mem_zalloc(t->n, sizeof(*part)), most = 0;
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++) {
		double weights[WINDOW_KNOTS] = {0}, over = t->y[i];

		window_weights(t->x[i], 1, weights);
		for (size_t k = 0; k < WINDOW_KNOTS; k++)
			over -= weights[k] * fit->at[k];
		if (over > -3 * fit->soft && over < fit->width + 3 * fit->soft)
			part[n++] = fmin(fmax(over / fit->width, 0), 1);
	}
	stat_sort(part, n);
	for (size_t i = 0; i < n; i++)
		most = fmax(most, fmax(fabs(part[i] - (double)i / (double)n),
					  fabs(part[i] - (double)(i + 1) / (double)n)));
	free(part);
	return most * sqrt((double)n);
}

/* The mean of f over all pairs of places of the region, as weights of the knots. */
static void pair_weights(const struct places *p, const struct stroke *stroke, double *weights)
{
	double a[PAIRS_GRID], b[PAIRS_GRID];
	double bytes = (double)p->n * p->request, share = 1.0 / (PAIRS_GRID * PAIRS_GRID);

	for (size_t i = 0; i < PAIRS_GRID; i++) {
		a[i] = stroke_share(stroke, (double)p->first + bytes * ((double)i + 0.25) / PAIRS_GRID);
		b[i] = stroke_share(stroke, (double)p->first + bytes * ((double)i + 0.75) / PAIRS_GRID);
	}
	for (size_t i = 0; i < PAIRS_GRID; i++)
		for (size_t k = 0; k < PAIRS_GRID; k++)
			window_weights(fabs(a[i] - b[k]), share, weights);
}

static void make_mean(struct access_model *m, const struct sample *t, const struct places *p,
	const struct stroke *stroke, const struct doc *doc)
{
	double weights[WINDOW_KNOTS] = {0}, half, hit = doc_value(doc, "clock.hit_s");
	struct interval seek, excess;

	pair_weights(p, stroke, weights);
	seek = window_fit_sum(&m->fit, weights, CONFIDENCE);
	excess = window_fit_excess(&m->fit, t->x, t->y, t->n, CONFIDENCE);
	half = hypot(interval_half(seek), interval_half(excess));
	m->mean = interval_around(seek.value + m->fit.width / 2 + excess.value, half);
	m->hit_share = (double)t->plain_hits / (double)t->plain;
	if (t->plain_hits) {
		double miss = m->mean.value, se = sqrt((double)t->plain_hits) / (double)t->plain;

		m->mean.value = miss * (1 - m->hit_share) + (hit > 0 ? hit : 0) * m->hit_share;
		m->mean = interval_around(m->mean.value, hypot(half, 1.96 * se * miss));
	}
	m->mean = interval_around(
		m->mean.value, hypot(interval_half(m->mean), MODEL_FLOOR * m->mean.value));
}

/* Why the reads are not what a single arm over a turning platter gives. */
static bool refused(struct access_model *m, const struct sample *t)
{
	const struct window_fit *fit = &m->fit;
	const char *why = NULL;

	if (fit->soft > SOFT_MOST * fit->width)
		why = "the times of random reads do not begin and end sharply, one revolution apart";
	else if (fit->off_share > OFF_MOST)
		why = "too many random reads took more than a move and a revolution";
	else if (unlike_uniform(fit, t) > UNLIKE_MOST)
		why = "the times of random reads are not spread evenly over a revolution";
	if (why)
		snprintf(m->why_not, sizeof(m->why_not), "%s", why);
	return why;
}

static bool make(struct access_model *m, const struct sample *t, const struct session *s,
	const struct stroke *stroke, double period)
{
	struct places p = places_of(s);
	struct rng rng;

	if (t->plain == 0 || (double)t->hits > fmax(3, HITS_MOST * (double)(t->n + t->hits))) {
		snprintf(m->why_not, sizeof(m->why_not),
			"%.0f %% of the random reads were answered without the medium",
			100 * (double)t->hits / (double)(t->n + t->hits));
		return false;
	}
	rng_init(&rng, s->scope->seed, STREAM_MODEL);
	m->n = t->n;
	if (window_fit(&m->fit, t->x, t->y, t->n, period, &rng)) {
		snprintf(m->why_not, sizeof(m->why_not), "only %zu random reads were answered",
			t->n);
		return false;
	}
	if (refused(m, t))
		return false;
	m->from_share = stroke_share(stroke, (double)s->scope->from_bytes);
	m->to_share = stroke_share(stroke, (double)s->scope->to_bytes);
	make_mean(m, t, &p, stroke, s->doc);
	return true;
}

bool access_model_make(
	struct access_model *m, const struct access_reads *r, const struct session *s)
{
	struct stroke stroke;
	struct sample t = {0};
	struct interval period;
	bool made;

	*m = (struct access_model){0};
	if (!phase_period(s->doc, &period)) {
		snprintf(m->why_not, sizeof(m->why_not), "the time of a revolution is not known");
		return false;
	}
	stroke_init(&stroke, s->doc, s->drive->info.size_bytes);
	take(&t, r, &stroke, hit_most_s(s->doc, period.value));
	made = make(m, &t, s, &stroke, period.value);
	stroke_release(&stroke);
	free(t.x);
	free(t.y);
	return made;
}

void access_model_put_curve(const struct access_model *m, struct doc *doc)
{
	struct series *series = doc_series(doc, "access.curve");
	double most = m->to_share - m->from_share;

	for (size_t k = 0; k < 2 * WINDOW_KNOTS - 1; k++) {
		double a = sqrt(window_knot(k / 2)), b = sqrt(window_knot((k + 1) / 2));
		double x = (a + b) * (a + b) / 4;
		struct interval v = window_fit_at(&m->fit, x, CONFIDENCE);
		double row[4] = {x, v.value, v.low, v.high};

		if (x <= most)
			series_add(series, row);
	}
}
