/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The curve is that under the random reads, moved at the distances that were aimed at to what was
 * found there, and in between by what lies between. What a read takes without a move is taken off. */
#include "probe/seek_inside.h"

#include <math.h>
#include <stdio.h>

#include "probe/phase.h"

#define TURN_TRIALS  8u
#define TURN_WIDTH_S 0.3e-3
#define WIDTH_MOST_SHORT_S 0.4e-3
#define PLACE_SHARE  3e-4   /* of the stroke: places are that well known to the arm, */
#define PLACE_RATIO  0.0015 /* and distances to that part */
#define STEPS        400u   /* of an integral */
#define RATHER_WIDE_S 0.25e-3 /* half-width beyond which the curve alone is no figure */

struct curve {
	const struct seek *k;
	const struct seek_findings *f;
	struct interval none; /* time without a move */
	bool none_known;
};

static double rise(const struct seek *k, double share)
{
	double a, b, se;

	seek_expected(k, share * 0.9, &a, &se);
	seek_expected(k, fmin(share * 1.1, 1), &b, &se);
	return (b - a) / (fmin(share * 1.1, 1) - share * 0.9);
}

static double aim_value(const struct aim *a)
{
	return threshold_quantile(&a->time, 0.5);
}

/* Half-width of a mean of both ways. */
static double leg_half(const struct curve *c, const struct leg *leg)
{
	double in = interval_half(threshold_interval(&leg->inward.time, CONFIDENCE));
	double out = interval_half(threshold_interval(&leg->outward.time, CONFIDENCE));

	return hypot(hypot(in, out) / 2, 1.96 * rise(c->k, leg->share) *
		(PLACE_SHARE / 2 + PLACE_RATIO * leg->share));
}

static double correction(const struct leg *leg)
{
	return (aim_value(&leg->inward) + aim_value(&leg->outward)) / 2 - leg->expected_s;
}

/* The aimed legs around a share; NULL: none on that side. */
static void neighbours(const struct seek_findings *f, double share, const struct leg **below,
	const struct leg **above)
{
	*below = *above = NULL;
	for (size_t i = 0; i < f->legs_n; i++) {
		const struct leg *leg = &f->legs[i];

		if (!leg->aimed)
			continue;
		if (leg->share <= share)
			*below = leg;
		else if (!*above)
			*above = leg;
	}
}

/* Time until the data begin to pass, moves and all. */
static double time_at(const struct curve *c, double share)
{
	const struct leg *below, *above;
	double time = 0, se, part;

	seek_expected(c->k, share, &time, &se);
	neighbours(c->f, share, &below, &above);
	if (!below && !above)
		return time;
	if (!below || !above)
		return time + correction(below ? below : above);
	part = (sqrt(share) - sqrt(below->share)) / (sqrt(above->share) - sqrt(below->share));
	return time + correction(below) * (1 - part) + correction(above) * part;
}

/* A move over that share, and its interval: that of the nearest distance aimed at, and what the
 * curve's shape may be wrong by from there. */
static bool move_at(const struct curve *c, double share, struct interval *v)
{
	const struct leg *below, *above, *near;
	double time, other, se, half;

	neighbours(c->f, share, &below, &above);
	near = !above || (below && share - below->share < above->share - share) ? below : above;
	seek_expected(c->k, share, &time, &se);
	half = 1.96 * se;
	if (near) {
		seek_expected(c->k, near->share, &other, &se);
		half = fmin(half, hypot(leg_half(c, near), 0.25 * (time - other)));
	}
	half = hypot(half, interval_half(c->none));
	*v = interval_around(time_at(c, share) - c->none.value, half);
	return half <= RATHER_WIDE_S && v->value > 0;
}

static unsigned trials(const struct seek_findings *f)
{
	unsigned n = 0;

	for (size_t i = 0; i < f->legs_n; i++)
		n += f->legs[i].inward.used + f->legs[i].outward.used;
	return n;
}

static void put(struct curve *c, const char *key, struct interval v, uint64_t samples)
{
	struct session *s = (struct session *)&c->k->s;
	struct finding f = session_finding(s, v, samples);

	f.request_bytes = c->k->unit;
	f.depth = 1;
	session_put(s, key, &f);
}

static void put_move(struct curve *c, const char *key, double share)
{
	struct interval v;

	if (move_at(c, share, &v))
		put(c, key, v, trials(c->f));
	else
		doc_put_unknown(c->k->s.doc, key, c->k->s.method,
			"moves over this distance could not be told closer than %.2f ms",
			interval_half(v) * 1e3);
}

/* Over all pairs of tracks: a distance x has the density 2 (1 - x). */
static void put_average(struct curve *c)
{
	double sum = 0, squares = 0, aimed = 0, half;

	for (unsigned i = 0; i < STEPS; i++) {
		double x = (i + 0.5) / STEPS;

		sum += 2 * (1 - x) / STEPS * time_at(c, x);
	}
	for (size_t i = 0; i < c->f->legs_n; i++)
		if (c->f->legs[i].aimed) {
			squares += pow(leg_half(c, &c->f->legs[i]), 2);
			aimed++;
		}
	if (aimed < 4) {
		doc_put_unknown(c->k->s.doc, "seek.average_s", c->k->s.method,
			"moves were measured over %.0f distances only", aimed);
		return;
	}
	half = hypot(sqrt(squares) / aimed, hypot(interval_half(c->none), 40e-6));
	put(c, "seek.average_s", interval_around(sum - c->none.value, half), trials(c->f));
}

static void put_ratio(struct curve *c)
{
	struct interval in = {0}, out = {0}, v;
	double in_half = 0, out_half = 0, none = c->none.value;

	for (size_t i = 0; i < c->f->legs_n; i++) {
		const struct leg *leg = &c->f->legs[i];

		if (!leg->aimed)
			continue;
		in.value += aim_value(&leg->inward) - none;
		out.value += aim_value(&leg->outward) - none;
		in_half = hypot(in_half,
			interval_half(threshold_interval(&leg->inward.time, CONFIDENCE)));
		out_half = hypot(out_half,
			interval_half(threshold_interval(&leg->outward.time, CONFIDENCE)));
	}
	if (!(in.value > in_half && out.value > out_half))
		return;
	in = interval_around(in.value, in_half);
	out = interval_around(out.value, out_half);
	v = interval_ratio(in, out);
	put(c, "seek.in_out_ratio", v, trials(c->f));
}

/* What is left of the mean access time. */
static void put_remainder(struct curve *c)
{
	const struct finding *access = doc_find(c->k->s.doc, "access.mean_s");
	const struct finding *average = doc_find(c->k->s.doc, "seek.average_s");
	double turn = c->k->period_s, half, data;
	struct interval track;
	struct finding f;
	uint64_t middle = (c->k->s.scope->from_bytes + c->k->s.scope->to_bytes) / 2;

	if (!access || access->how == HOW_UNKNOWN || !average || average->how == HOW_UNKNOWN ||
		!phase_track_bytes(c->k->s.doc, middle, &track))
		return;
	data = c->f->turns.unit_s;
	half = hypot((access->high - access->low) / 2, (average->high - average->low) / 2);
	f = session_finding(&c->k->s,
		interval_around(access->value - average->value - c->none.value - data - turn / 2,
			half),
		average->samples);
	f.how = HOW_DERIVED;
	doc_put(c->k->s.doc, "seek.remainder_s", &f);
}

static void put_curve(struct curve *c)
{
	struct series *s = doc_series(c->k->s.doc, "seek.curve");
	double none = c->none.value;

	for (size_t i = 0; i < c->f->legs_n; i++) {
		const struct leg *leg = &c->f->legs[i];
		struct interval v;
		double row[6] = {leg->share, 0, 0, 0, NAN, NAN};

		if (!move_at(c, leg->share, &v))
			continue;
		row[1] = v.value;
		row[2] = v.low;
		row[3] = v.high;
		if (leg->aimed) {
			row[4] = aim_value(&leg->inward) - none;
			row[5] = aim_value(&leg->outward) - none;
		}
		series_add(s, row);
	}
}

/* The time without a move; false: unknown, put so. */
static bool put_turns(struct curve *c)
{
	const struct turns *t = &c->f->turns;
	struct interval v, shown;

	if (t->why_not[0] || t->none.used < TURN_TRIALS) {
		session_unknown(&c->k->s, "a read without a move could not be measured, so the "
			"time of moves cannot be told from that of commands: %s",
			t->why_not[0] ? t->why_not : "too few trials stayed on one track");
		return false;
	}
	v = threshold_interval(&t->none.time, CONFIDENCE);
	if (v.high - v.low > TURN_WIDTH_S) {
		session_unknown(&c->k->s, "a read without a move takes between %.2f and %.2f ms: too "
			"unsure to tell moves from commands", v.low * 1e3, v.high * 1e3);
		return false;
	}
	v.low = fmax(0, v.low - t->late_s);
	c->none = v;
	shown = (struct interval){v.value + t->unit_s, v.low + t->unit_s, v.high + t->unit_s};
	put(c, "seek.turnaround_s", shown, t->none.used);
	return true;
}

static void put_shortest(struct curve *c)
{
	const struct turns *t = &c->f->turns;
	struct interval v = threshold_interval(&t->shortest.time, CONFIDENCE);

	if (t->shortest.used >= TURN_TRIALS && v.high - v.low < WIDTH_MOST_SHORT_S)
		put(c, "seek.shortest_s", interval_around(v.value - c->none.value,
			hypot(interval_half(v), interval_half(c->none))), t->shortest.used);
	else
		doc_put_unknown(c->k->s.doc, "seek.shortest_s", c->k->s.method,
			"only %u trials between neighbouring tracks told something", t->shortest.used);
}

void seek_put(struct seek *k, const struct seek_findings *f)
{
	struct curve c = {.k = k, .f = f};

	if (!put_turns(&c))
		return;
	put_shortest(&c);
	put_move(&c, "seek.third_stroke_s", 1.0 / 3);
	put_move(&c, "seek.full_stroke_s", 1);
	put_average(&c);
	put_ratio(&c);
	put_remainder(&c);
	put_curve(&c);
	doc_put_unknown(k->s.doc, "seek.track_to_track_s", k->s.method,
		"plain reads do not tell which neighbouring tracks are a cylinder apart; the shortest "
		"move is either to another head or by one track");
}
