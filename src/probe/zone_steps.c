/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The windows' logarithms, in order of place, are cut where that explains them best; cuts that are
 * too small or go the wrong way are joined again, the least first. Then each cut gets its place: every
 * place between the windows next to it is tried, and how well the windows go with it is its weight.
 * A window may be off for a reason of its own (a pause, a second try): what it can say against
 * a place is limited. */
#include "probe/zone_steps.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "stat/changepoint.h"
#include "stat/robust.h"

#define NOISE_LEAST    0.0006
#define SEARCH_LEAST   0.004 /* a step worth another look, */
#define SEARCH_NOISE   2.5   /* and so many deviations */
#define PENALTY        3.0   /* times ln n: a cut must be worth as much */
#define ALONE          4.0   /* deviations from both neighbours to the same side */
#define AGREE_MOST     6.0   /* squared deviations: what one window says at most */
#define AROUND         10u   /* windows to each side of a step that have a say */
#define PARTS          8u    /* places tried between two windows */
#define RESIDUAL_MOST  0.006
#define NOISE_TO_STEP  0.4
#define INSIDE_LEAST   2u
#define INSIDE         2.5   /* deviations: what belongs to a level */

struct look {
	const struct zone_window **window;
	double *level; /* of each */
	size_t n;
	size_t *cut;   /* n of them at most */
	size_t cuts;
	double *room;  /* for n numbers */
};

static bool stands_alone(const struct look *l, size_t i, double limit)
{
	double before, after;

	if (i == 0 || i + 1 >= l->n)
		return false;
	before = l->level[i] - l->level[i - 1];
	after = l->level[i] - l->level[i + 1];
	return before * after > 0 && fmin(fabs(before), fabs(after)) > limit;
}

static void take(struct look *l, const struct zone_map *map, double limit)
{
	size_t kept = 0;

	for (size_t i = 0; i < map->n; i++) {
		const struct zone_window *w = &map->windows[i];

		if (w->disturbed || (map->by_track && isnan(w->in_track)))
			continue;
		l->window[l->n] = w;
		l->level[l->n++] = log(map->by_track ? w->in_track : w->s_per_byte);
	}
	if (limit <= 0)
		return;
	for (size_t i = 0; i < l->n; i++)
		l->room[i] = stands_alone(l, i, limit);
	for (size_t i = 0; i < l->n; i++)
		if (l->room[i] == 0) {
			l->window[kept] = l->window[i];
			l->level[kept++] = l->level[i];
		}
	l->n = kept;
}

/* From neighbours in the wrong order: noise alone makes them so, a step never does. */
static double noise_of_rises(const struct look *l)
{
	double sum = 0, most = INFINITY;
	size_t n;

	for (int round = 0; round < 4; round++) {
		n = 0;
		sum = 0;
		for (size_t i = 0; i + 1 < l->n; i++) {
			double d = l->level[i] - l->level[i + 1];

			if (d > 0 && d < most) {
				sum += d * d / 2;
				n++;
			}
		}
		if (n < 3)
			return 0;
		most = 3 * sqrt(2 * sum / (double)n);
	}
	return sqrt(sum / (double)n);
}

static size_t first_of(const struct look *l, size_t piece)
{
	return piece ? l->cut[piece - 1] : 0;
}

static size_t end_of(const struct look *l, size_t piece)
{
	return piece < l->cuts ? l->cut[piece] : l->n;
}

static double median_of(const struct look *l, size_t from, size_t to)
{
	memcpy(l->room, l->level + from, (to - from) * sizeof(double));
	return stat_median(l->room, to - from);
}

/* Joins pieces until every step is at least so large. */
static void join(struct look *l, double least)
{
	while (l->cuts) {
		double worst = INFINITY;
		size_t which = 0;

		for (size_t i = 0; i < l->cuts; i++) {
			double step = median_of(l, l->cut[i], end_of(l, i + 1)) -
				      median_of(l, first_of(l, i), l->cut[i]);

			if (step < worst) {
				worst = step;
				which = i;
			}
		}
		if (worst >= least)
			return;
		memmove(l->cut + which, l->cut + which + 1,
			(l->cuts - which - 1) * sizeof(*l->cut));
		l->cuts--;
	}
}

static bool overlaps(const struct zone_window *w, double low, double high)
{
	return w->middle + w->length / 2 > low && w->middle - w->length / 2 < high;
}

/* Level of a piece from its windows within INSIDE deviations, those over a border left out where there
 * are others. */
static struct zone_level level_of(
	const struct look *l, size_t piece, const struct zone_steps *s, bool placed)
{
	size_t from = first_of(l, piece), to = end_of(l, piece);
	double middle = to > from ? median_of(l, from, to) : 0, sum = 0, square = 0;
	struct zone_level v = {.level = middle};

	for (int strict = placed; strict >= 0 && v.windows == 0; strict--)
		for (size_t i = from; i < to; i++) {
			double d = l->level[i] - middle;

			if (fabs(d) > INSIDE * s->noise)
				continue;
			if (strict && piece && overlaps(l->window[i], s->steps[piece - 1].low,
						       s->steps[piece - 1].high))
				continue;
			if (strict && piece < l->cuts && overlaps(l->window[i],
								 s->steps[piece].low,
								 s->steps[piece].high))
				continue;
			sum += d;
			square += d * d;
			v.windows++;
			v.inside += strict != 0;
		}
	if (v.windows == 0)
		return v;
	v.level = middle + sum / (double)v.windows;
	if (v.windows > 1)
		v.scatter = sqrt(fmax(0, square - sum * sum / (double)v.windows) /
				 (double)(v.windows - 1));
	return v;
}

/* Of a window, how much lies before a step at `place`. */
static double share_before(const struct zone_window *w, double place)
{
	double u = (place - w->middle) / w->length + 0.5;

	u = fmin(fmax(u, 0), 1);
	return u * u * (3 - 2 * u);
}

/* What the windows [from, to) say against a step there, halved squared deviations. */
static double against(const struct look *l, size_t from, size_t to, double place, double before,
	double after, double noise)
{
	double sum = 0;

	for (size_t i = from; i < to; i++) {
		double share = share_before(l->window[i], place);
		double e = (l->level[i] - after - (before - after) * share) / noise;

		sum += fmin(e * e / 2, AGREE_MOST);
	}
	return sum;
}

/* Place below which that share of the weight is. */
static double quantile(const double *edge, const double *weight, size_t n, double total, double q)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		if (sum + weight[i] >= q * total && weight[i] > 0)
			return edge[i] + (edge[i + 1] - edge[i]) * (q * total - sum) / weight[i];
		sum += weight[i];
	}
	return edge[n];
}

static struct zone_step place_step(
	const struct look *l, size_t cut, double before, double after, double noise)
{
	size_t first = first_of(l, cut), end = end_of(l, cut + 1), n = 0;
	double edge[2 * AROUND * PARTS + 1], weight[2 * AROUND * PARTS], least = INFINITY;
	double total = 0;
	struct zone_step s;

	first = l->cut[cut] - first > AROUND ? l->cut[cut] - AROUND : first;
	end = end - l->cut[cut] > AROUND ? l->cut[cut] + AROUND : end;
	for (size_t i = first; i + 1 < end; i++)
		for (size_t part = 0; part < PARTS; part++) {
			double a = l->window[i]->middle, b = l->window[i + 1]->middle;
			double place = a + (b - a) * ((double)part + 0.5) / PARTS;

			edge[n] = a + (b - a) * (double)part / PARTS;
			weight[n] = against(l, first, end, place, before, after, noise);
			least = fmin(least, weight[n++]);
			edge[n] = b;
		}
	for (size_t i = 0; i < n; i++) {
		weight[i] = exp(least - weight[i]) * (edge[i + 1] - edge[i]);
		total += weight[i];
	}
	s.place = quantile(edge, weight, n, total, 0.5);
	s.low = quantile(edge, weight, n, total, 0.025);
	s.high = quantile(edge, weight, n, total, 0.975);
	return s;
}

static void fill_levels(struct zone_steps *s, const struct look *l, bool placed)
{
	for (size_t i = 0; i <= l->cuts; i++)
		s->levels[i] = level_of(l, i, s, placed);
}

static double step_of(const struct zone_steps *s, size_t i)
{
	return s->levels[i + 1].level - s->levels[i].level;
}

/* Joins one piece that has not enough windows of its own to what it differs less from: windows over a
 * step may look like a zone between. False: there is none. */
static bool join_thin(const struct zone_steps *s, struct look *l)
{
	for (size_t i = 0; i <= l->cuts && l->cuts; i++) {
		size_t cut = i;

		if (s->levels[i].inside >= INSIDE_LEAST)
			continue;
		if (i == l->cuts || (i > 0 && step_of(s, i - 1) < step_of(s, i)))
			cut = i - 1;
		memmove(l->cut + cut, l->cut + cut + 1, (l->cuts - cut - 1) * sizeof(*l->cut));
		l->cuts--;
		return true;
	}
	return false;
}

static void fill_steps(struct zone_steps *s, const struct look *l)
{
	s->n = l->cuts;
	fill_levels(s, l, false);
	s->smallest = INFINITY;
	for (size_t i = 0; i < l->cuts; i++)
		s->steps[i] = place_step(
			l, i, s->levels[i].level, s->levels[i + 1].level, s->noise);
	fill_levels(s, l, true);
	for (size_t i = 0; i < l->cuts; i++)
		s->smallest = fmin(s->smallest, step_of(s, i));
}

/* Standard deviation of windows about their levels: of those inside a piece, robustly. */
static double noise_about(const struct look *l)
{
	double *d = mem_zalloc(l->n + 1, sizeof(*d)), sd;
	size_t n = 0;

	for (size_t piece = 0; piece <= l->cuts; piece++) {
		size_t from = first_of(l, piece), to = end_of(l, piece);
		double middle = median_of(l, from, to);
		/* of a few numbers the median is among them, and so nearer than the level */
		double wider = to - from > 1 ? sqrt((double)(to - from) / (double)(to - from - 1)) : 0;

		if (to - from >= 3)
			for (size_t i = from; i < to; i++)
				d[n++] = fabs(l->level[i] - middle) * wider;
	}
	stat_sort(d, n);
	/* 0.8 of all normal numbers are within 1.2816 standard deviations */
	sd = n >= 6 ? stat_quantile_sorted(d, n, 0.8) / 1.2816 : 0;
	free(d);
	return sd;
}

/* Scatter about the nearest curve that never rises: windows far from their neighbours only, since those
 * gathered around a step are there to be told apart. */
static double residual(const struct look *l)
{
	double *rising = mem_zalloc(2 * l->n + 1, sizeof(*rising)), *d = rising + l->n, sd = 0;
	double mean, region;
	size_t n = 0;

	if (l->n >= 6) {
		region = l->window[l->n - 1]->middle - l->window[0]->middle;
		mean = region / (double)l->n;
		changepoint_rising(l->level, l->n, rising);
		for (size_t i = 1; i + 1 < l->n; i++)
			if (l->window[i + 1]->middle - l->window[i - 1]->middle > mean)
				d[n++] = fabs(l->level[i] - rising[i]);
		stat_sort(d, n);
		sd = n ? stat_quantile_sorted(d, n, 0.8) / 1.2816 : 0;
	}
	free(rising);
	return sd;
}

void zone_steps_find(
	struct zone_steps *s, const struct zone_map *map, double noise, enum zone_claim claim)
{
	struct look l = {0};
	double least, penalty;

	l.window = mem_zalloc(map->n + 1, sizeof(*l.window));
	l.level = mem_zalloc(map->n + 1, sizeof(*l.level));
	l.room = mem_zalloc(map->n + 1, sizeof(*l.room));
	l.cut = mem_zalloc(map->n + 1, sizeof(*l.cut));
	*s = (struct zone_steps){.smallest = INFINITY};
	take(&l, map, 0);
	s->noise = fmax(fmax(noise, noise_of_rises(&l)), NOISE_LEAST);
	l.n = 0;
	take(&l, map, ALONE * s->noise);
	s->used = l.n;
	penalty = PENALTY * log((double)l.n + 1);
	least = claim == ZONE_CLAIM ? ZONE_STEP_LEAST : fmax(SEARCH_LEAST, SEARCH_NOISE * s->noise);
	l.cuts = changepoint_cut(
		l.level, l.n, s->noise, penalty, claim == ZONE_CLAIM ? 2 : 1, l.cut);
	join(&l, least);
	s->residual = residual(&l);
	if (claim == ZONE_CLAIM && l.n)
		s->noise = fmax(noise_about(&l), NOISE_LEAST);
	s->steps = mem_zalloc(l.cuts + 1, sizeof(*s->steps));
	s->levels = mem_zalloc(l.cuts + 1, sizeof(*s->levels));
	do
		fill_steps(s, &l);
	while (claim == ZONE_CLAIM && join_thin(s, &l));
	free(l.window);
	free(l.level);
	free(l.room);
	free(l.cut);
}

void zone_steps_of_streams(struct zone_steps *s, const struct zone_map *map)
{
	struct zone_ratio r = zone_map_ratio(map);

	if (!map->by_track)
		return;
	for (size_t i = 0; i <= s->n; i++) {
		double from = i ? s->steps[i - 1].place : map->windows[0].middle;
		double to = i < s->n ? s->steps[i].place : map->windows[map->n - 1].middle;

		s->levels[i].level += r.at + r.slope * (from + to) / 2;
	}
	s->common = r.se;
}

void zone_steps_release(struct zone_steps *s)
{
	free(s->steps);
	free(s->levels);
	*s = (struct zone_steps){0};
}

bool zone_steps_stand(const struct zone_steps *s)
{
	return s->used >= ZONE_WINDOWS_MIN && s->residual <= RESIDUAL_MOST &&
	       s->noise <= NOISE_TO_STEP * fmax(ZONE_STEP_LEAST, s->n ? s->smallest : 0);
}

struct interval zone_steps_mean(
	const struct zone_steps *s, double from, double to, double floor_ratio, double confidence)
{
	double seconds = 0, variance = 0, half;

	for (size_t i = 0; i <= s->n; i++) {
		double a = fmax(from, i ? s->steps[i - 1].place : from);
		double b = fmin(to, i < s->n ? s->steps[i].place : to), part;
		double scatter = fmax(s->noise, s->levels[i].scatter);

		if (!(b > a))
			continue;
		part = (b - a) * exp(s->levels[i].level);
		seconds += part;
		variance += part * part * scatter * scatter / fmax(1, (double)s->levels[i].windows);
	}
	for (size_t i = 0; i < s->n; i++) {
		double sd = (s->steps[i].high - s->steps[i].low) / 3.92;
		double step = exp(s->levels[i + 1].level) - exp(s->levels[i].level);

		if (s->steps[i].place > from && s->steps[i].place < to)
			variance += sd * sd * step * step;
	}
	variance += seconds * seconds * s->common * s->common;
	half = interval_student(0, sqrt(variance) / seconds, fmax(1, (double)s->used / 2),
		confidence).high;
	return interval_of_logarithm(seconds / (to - from), fmax(half, floor_ratio));
}
