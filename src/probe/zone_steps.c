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
#define RISES_LEAST    3u
#define ALONE          4.0   /* deviations from both neighbours to the same side */
#define AGREE_MOST     6.0   /* squared deviations: what one window says at most */
#define AROUND         10u   /* windows to each side of a step that have a say */
#define PARTS          8u    /* places tried between two windows */
#define RESIDUAL_MOST  0.006
#define NOISE_TO_LEAST 0.4  /* of the smallest step that is ever claimed, */
#define NOISE_TO_STEP  0.15 /* or of the smallest found: larger ones may have been joined */
#define WORTH_NOISE    0.2
#define WORTH_RESIDUAL 0.008
#define OFF_NOISE      4.0
#define OFF_WIDE       0.015
#define OFF_MOST       5u /* one window in so many may be off */
#define INSIDE_LEAST   2u
#define LENGTH_LEAST   4.0  /* windows */
#define WIDE           0.004 /* of the region */
#define ENDS_UNSURE    0.5  /* of a window, at each end of an interval: how it weighs is not known better */
#define INSIDE_WIDE    0.02 /* less than a lost turn costs */
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
	size_t n = 0;

	for (size_t i = 0; i + 1 < l->n; i++)
		if (l->level[i] > l->level[i + 1])
			l->room[n++] = l->level[i] - l->level[i + 1];
	/* the median of such a difference of normal numbers, of one of them */
	return n < RISES_LEAST ? 0 : stat_median(l->room, n) / (0.6745 * sqrt(2));
}

static size_t first_of(const struct look *l, size_t piece)
{
	return piece ? l->cut[piece - 1] : 0;
}

static size_t end_of(const struct look *l, size_t piece)
{
	return piece < l->cuts ? l->cut[piece] : l->n;
}

/* from < to */
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

/* Whether that window lies over an end of its piece, as far as the ends are known. */
static bool over_an_end(const struct look *l, size_t i, size_t piece, const struct zone_steps *s)
{
	return (piece && overlaps(l->window[i], s->steps[piece - 1].low, s->steps[piece - 1].high)) ||
	       (piece < l->cuts &&
		       overlaps(l->window[i], s->steps[piece].low, s->steps[piece].high));
}

/* Sums over the windows of a piece that are near `middle`. strict: and not over its ends. */
static void add_windows(const struct look *l, size_t piece, const struct zone_steps *s, double middle,
	bool strict, struct zone_level *v)
{
	double near = strict ? fmax(INSIDE * s->noise, INSIDE_WIDE) : INSIDE * s->noise;
	double sum = 0, square = 0, n;

	for (size_t i = first_of(l, piece); i < end_of(l, piece); i++) {
		double d = l->level[i] - middle;

		if (strict && over_an_end(l, i, piece, s))
			continue;
		v->off += strict && fabs(d) > fmax(OFF_NOISE * s->noise, OFF_WIDE);
		if (fabs(d) > near)
			continue;
		sum += d;
		square += d * d;
		v->windows++;
	}
	n = (double)v->windows;
	v->level = v->windows ? middle + sum / n : middle;
	v->scatter = v->windows > 1 ? sqrt(fmax(0, square - sum * sum / n) / (n - 1)) : 0;
}

/* Level of a piece from its windows near their median, those over an end left out where there are others
 * and the ends are placed. What is told for good includes windows that met a longer way between tracks. */
static struct zone_level level_of(
	const struct look *l, size_t piece, const struct zone_steps *s, bool placed)
{
	double middle = median_of(l, first_of(l, piece), end_of(l, piece));
	struct zone_level v = {.level = middle};

	if (placed) {
		add_windows(l, piece, s, middle, true, &v);
		v.inside = v.windows;
	}
	if (v.windows == 0)
		add_windows(l, piece, s, middle, false, &v);
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
	double unsure = ENDS_UNSURE * l->window[l->cut[cut]]->length;
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
	s.low = quantile(edge, weight, n, total, 0.0125) - unsure;
	s.high = quantile(edge, weight, n, total, 0.9875) + unsure;
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

/* Whether a piece is so short that its windows may all lie over one step, and look like a zone
 * between. */
static bool is_short(const struct zone_steps *s, const struct look *l, size_t piece)
{
	return piece > 0 && piece < l->cuts &&
	       s->steps[piece].place - s->steps[piece - 1].place <
		       LENGTH_LEAST * l->window[l->cut[piece]]->length;
}

/* Whether a piece is a part of the region that matters. */
static bool is_wide(const struct zone_steps *s, const struct look *l, size_t piece)
{
	double first = l->window[0]->middle, last = l->window[l->n - 1]->middle;
	double from = piece ? s->steps[piece - 1].place : first;
	double to = piece < l->cuts ? s->steps[piece].place : last;

	return to - from > WIDE * (last - first);
}

static void take_out(struct look *l, size_t cut)
{
	memmove(l->cut + cut, l->cut + cut + 1, (l->cuts - cut - 1) * sizeof(*l->cut));
	l->cuts--;
}

/* Takes out one cut that is not to be told: it is too small, or beside a piece that has not enough windows
 * of its own, which is then one with what it differs less from. False: there is none. */
static bool join_one(struct zone_steps *s, struct look *l, enum zone_claim claim)
{
	for (size_t i = 0; i < l->cuts; i++)
		if (step_of(s, i) < ZONE_STEP_LEAST) {
			take_out(l, i);
			return true;
		}
	for (size_t i = 0; i <= l->cuts && l->cuts && claim == ZONE_CLAIM; i++) {
		bool before = i == l->cuts || (i > 0 && step_of(s, i - 1) < step_of(s, i));

		if (s->levels[i].inside >= INSIDE_LEAST && !is_short(s, l, i))
			continue;
		s->doubtful += is_wide(s, l, i);
		take_out(l, before ? i - 1 : i);
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
	least = claim != ZONE_SEARCH ? ZONE_STEP_LEAST : fmax(SEARCH_LEAST, SEARCH_NOISE * s->noise);
	l.cuts = changepoint_cut(
		l.level, l.n, s->noise, penalty, claim != ZONE_SEARCH ? 2 : 1, l.cut);
	join(&l, least);
	s->residual = residual(&l);
	if (claim != ZONE_SEARCH && l.n)
		s->noise = fmax(noise_about(&l), NOISE_LEAST);
	s->steps = mem_zalloc(l.cuts + 1, sizeof(*s->steps));
	s->levels = mem_zalloc(l.cuts + 1, sizeof(*s->levels));
	do
		fill_steps(s, &l);
	while (claim != ZONE_SEARCH && join_one(s, &l, claim));
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

static bool levels_hold(const struct zone_steps *s)
{
	for (size_t i = 0; i <= s->n; i++)
		if (s->levels[i].off * OFF_MOST > s->levels[i].inside)
			return false;
	return true;
}

static bool stands_out(const struct zone_steps *s, double share)
{
	return s->noise <= fmax(NOISE_TO_LEAST * ZONE_STEP_LEAST, s->n ? share * s->smallest : 0);
}

bool zone_steps_stand(const struct zone_steps *s)
{
	return s->used >= ZONE_WINDOWS_MIN && s->doubtful == 0 && s->residual <= RESIDUAL_MOST &&
	       stands_out(s, NOISE_TO_STEP) && levels_hold(s);
}

bool zone_steps_worth(const struct zone_steps *s)
{
	return s->residual <= WORTH_RESIDUAL && stands_out(s, WORTH_NOISE);
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

		if (s->steps[i].place >= from && s->steps[i].place <= to)
			variance += sd * sd * step * step;
	}
	variance += seconds * seconds * s->common * s->common;
	half = interval_student(0, sqrt(variance) / seconds, fmax(1, (double)s->used / 2),
		confidence).high;
	return interval_of_logarithm(seconds / (to - from), fmax(half, floor_ratio));
}
