/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The curve is that under the random reads, moved at the distances that were aimed at to what was
 * found there, and in between by what lies between. What a read takes without a move is taken off. */
#include "probe/seek_inside.h"

#include <math.h>
#include <stdio.h>

#include "probe/phase.h"

#define RATIO_DRAWN  0.1  /* half-width, of what both ways differ by */
#define TURN_TRIALS  8u
#define SHORT_TRIALS 6u
#define TURN_WIDTH_S 0.3e-3
#define WIDTH_MOST_SHORT_S 0.4e-3
#define PLACE_LEAST  1.5e-4 /* of the stroke: a distance is known no better than that, */
#define PLACE_MOST   5e-3
#define PLACE_RATIO  0.0015 /* and to that part of it */
#define WIDER        1.15   /* than the trials say: the curve between distances is no straight line */
#define BUSY_LEAST_S 0.4e-3 /* a read from the medium takes no more than that beside one that needs none */
#define PLACE_PRIOR  2.0    /* legs' worth of thinking that it is so */
#define STEPS        400u   /* of an integral */
#define SHAPE_S      40e-6  /* a mean of the curve may be wrong by, as that is no straight line between */
#define LEGS_FOR_MEAN 4
#define NEARLY       0.05   /* of a distance */
#define WELL_INSIDE  0.9    /* of the distances of random reads */
#define RATHER_WIDE_S 0.25e-3 /* half-width beyond which the curve alone is no figure */

static double rise(const struct seek *k, double share)
{
	double a, b, se;

	seek_expected(k, share * 0.9, &a, &se);
	seek_expected(k, fmin(share * 1.1, 1), &b, &se);
	return (b - a) / (fmin(share * 1.1, 1) - share * 0.9);
}

/* By how much the curve under the random reads is wrong there; half-width by the trials alone. */
static double pair_offset(const struct seek_curve *c, const struct pair *p)
{
	return (aim_value(&p->inward, c->k) + aim_value(&p->outward, c->k)) / 2 - p->expected_s;
}

static double pair_half(const struct seek_curve *c, const struct pair *p)
{
	return WIDER * hypot(interval_half(aim_interval(&p->inward, c->k)),
		interval_half(aim_interval(&p->outward, c->k))) / 2;
}

/* The same of all pairs. */
static double leg_offset(const struct seek_curve *c, const struct leg *leg)
{
	double sum = 0, n = 0;

	for (size_t i = 0; i < leg->pairs_n; i++)
		if (leg->pairs[i].aimed) {
			sum += pair_offset(c, &leg->pairs[i]);
			n++;
		}
	return sum / n;
}

double seek_leg_half(const struct seek_curve *c, const struct leg *leg)
{
	double squares = 0, n = 0;

	for (size_t i = 0; i < leg->pairs_n; i++)
		if (leg->pairs[i].aimed) {
			squares += pow(pair_half(c, &leg->pairs[i]), 2);
			n++;
		}
	return hypot(sqrt(squares) / n, 1.96 * rise(c->k, leg->share) *
		hypot(c->place / sqrt(n), PLACE_RATIO * leg->share));
}

/* Tracks lie in the order of addresses only by and by: a head may read many before the next has its
 * turn. How far that takes a distance from what addresses tell shows where two pairs of places of one
 * distance differ by more than their trials do. */
static void find_place(struct seek_curve *c)
{
	double excess = 0, weight = 0;

	for (size_t i = 0; i < c->f->legs_n; i++) {
		const struct leg *leg = &c->f->legs[i];
		const struct pair *p = leg->pairs;
		double slope = rise(c->k, leg->share), d, v;

		if (leg->pairs_n < 2 || !p[0].aimed || !p[1].aimed)
			continue;
		d = pair_offset(c, &p[0]) - pair_offset(c, &p[1]);
		v = (pow(pair_half(c, &p[0]), 2) + pow(pair_half(c, &p[1]), 2)) / (1.96 * 1.96);
		excess += (d * d - v) / (2 * slope * slope) + PLACE_PRIOR / LEGS_MAX *
			PLACE_LEAST * PLACE_LEAST;
		weight += 1 + PLACE_PRIOR / LEGS_MAX;
	}
	c->place = weight > 0 && excess > 0 ? sqrt(excess / weight) : 0;
	c->place = fmin(fmax(c->place, PLACE_LEAST), PLACE_MOST);
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
double seek_time_at(const struct seek_curve *c, double share)
{
	const struct leg *below, *above;
	double time = 0, se, part;

	seek_expected(c->k, share, &time, &se);
	neighbours(c->f, share, &below, &above);
	if (!below && !above)
		return time;
	if (!below || !above)
		return time + leg_offset(c, below ? below : above);
	part = (sqrt(share) - sqrt(below->share)) / (sqrt(above->share) - sqrt(below->share));
	return time + leg_offset(c, below) * (1 - part) + leg_offset(c, above) * part;
}

struct interval seek_move(const struct seek_curve *c, double time_s, double half)
{
	struct interval v = interval_around(
		time_s - c->none.value, hypot(half, interval_half(c->none)));

	v.high += c->f->turns.late_s;
	return v;
}

/* A move over that share, and its interval: that of the nearest distance aimed at, and what the
 * curve's shape may be wrong by from there. */
static bool move_at(const struct seek_curve *c, double share, struct interval *v)
{
	const struct leg *below, *above, *near;
	double time, other, se, half;

	neighbours(c->f, share, &below, &above);
	near = !above || (below && share - below->share < above->share - share) ? below : above;
	seek_expected(c->k, share, &time, &se);
	half = 1.96 * se;
	if (near) {
		seek_expected(c->k, near->share, &other, &se);
		half = fmin(half, hypot(seek_leg_half(c, near), 0.25 * (time - other)));
	}
	*v = seek_move(c, seek_time_at(c, share), half);
	return half <= RATHER_WIDE_S && v->value > 0;
}

unsigned seek_trials(const struct seek_findings *f)
{
	unsigned n = 0;

	for (size_t i = 0; i < f->legs_n; i++)
		for (size_t p = 0; p < f->legs[i].pairs_n; p++)
			n += f->legs[i].pairs[p].inward.used + f->legs[i].pairs[p].outward.used;
	return n;
}

static void put(struct seek_curve *c, const char *key, struct interval v, uint64_t samples)
{
	struct session *s = &c->k->s;
	struct finding f = session_finding(s, v, samples);

	f.request_bytes = c->k->unit;
	f.depth = 1;
	session_put(s, key, &f);
}

/* Whether moves as long were made: at distances aimed at around it or hardly shorter, or by random
 * reads on both sides of it. */
static bool was_reached(const struct seek_curve *c, double share)
{
	const struct leg *below, *above;

	neighbours(c->f, share, &below, &above);
	if (below && (above || share - below->share < NEARLY * share))
		return true;
	return share < WELL_INSIDE * seek_span(c->k);
}

static uint64_t reads_behind(const struct seek_curve *c)
{
	const struct finding *access = doc_find(c->k->s.doc, "access.mean_s");
	unsigned n = seek_trials(c->f);

	return n || !access ? n : access->samples;
}

static void put_too_short(const struct seek_curve *c, const char *key)
{
	doc_put_unknown(c->k->s.doc, key, c->k->s.method, "the region that was measured spans only "
		"%.2g %% of the stroke: longer moves were not made", 100 * seek_span(c->k));
}

static void put_move(struct seek_curve *c, const char *key, double share)
{
	const struct session *s = &c->k->s;
	struct interval v;

	if (!was_reached(c, share) && share > seek_span(c->k))
		put_too_short(c, key);
	else if (!was_reached(c, share))
		doc_put_unknown(s->doc, key, s->method,
			"too few moves about as long as this were timed");
	else if (move_at(c, share, &v))
		put(c, key, v, reads_behind(c));
	else
		doc_put_unknown(s->doc, key, s->method,
			"moves over this distance could not be told closer than %.2f ms",
			interval_half(v) * 1e3);
}

bool seek_mean_half(const struct seek_curve *c, double *half)
{
	double squares = 0, aimed = 0;

	for (size_t i = 0; i < c->f->legs_n; i++)
		if (c->f->legs[i].aimed) {
			squares += pow(seek_leg_half(c, &c->f->legs[i]), 2);
			aimed++;
		}
	*half = hypot(sqrt(squares) / aimed, SHAPE_S);
	return aimed >= LEGS_FOR_MEAN;
}

/* Over all pairs of tracks: a distance x has the density 2 (1 - x). */
static void put_average(struct seek_curve *c)
{
	double sum = 0, half;

	for (unsigned i = 0; i < STEPS; i++) {
		double x = (i + 0.5) / STEPS;

		sum += 2 * (1 - x) / STEPS * seek_time_at(c, x);
	}
	if (seek_span(c->k) < WELL_INSIDE)
		put_too_short(c, "seek.average_s");
	else if (seek_mean_half(c, &half))
		put(c, "seek.average_s", seek_move(c, sum, half), seek_trials(c->f));
	else
		doc_put_unknown(c->k->s.doc, "seek.average_s", c->k->s.method, FEW_DISTANCES);
}

static void put_ratio(struct seek_curve *c)
{
	struct interval in = {0}, out = {0}, ratio;
	double half, in_half = 0, out_half = 0, none = c->none.value;

	for (size_t i = 0; i < c->f->legs_n; i++)
		for (size_t n = 0; n < c->f->legs[i].pairs_n; n++) {
			const struct pair *p = &c->f->legs[i].pairs[n];

			if (!p->aimed)
				continue;
			in.value += aim_value(&p->inward, c->k) - none;
			out.value += aim_value(&p->outward, c->k) - none;
			in_half = hypot(in_half, interval_half(aim_interval(&p->inward, c->k)));
			out_half = hypot(out_half, interval_half(aim_interval(&p->outward, c->k)));
		}
	if (!(in.value > in_half && out.value > out_half)) {
		doc_put_unknown(c->k->s.doc, "seek.in_out_ratio", c->k->s.method, FEW_DISTANCES);
		return;
	}
	in = interval_around(in.value, in_half);
	out = interval_around(out.value, out_half);
	ratio = interval_ratio(in, out);
	/* each way began from the curve of both, and is drawn towards it */
	half = hypot(interval_half(ratio) / ratio.value, RATIO_DRAWN * fabs(log(ratio.value)));
	put(c, "seek.in_out_ratio", interval_of_logarithm(ratio.value, half), seek_trials(c->f));
}

/* Means of one direction over a leg's pairs, NAN where none was aimed at. */
static void ways(const struct seek_curve *c, const struct leg *leg, double *inward, double *outward)
{
	double n = 0, in = 0, out = 0;

	for (size_t i = 0; i < leg->pairs_n; i++)
		if (leg->pairs[i].aimed) {
			in += aim_value(&leg->pairs[i].inward, c->k) - c->none.value;
			out += aim_value(&leg->pairs[i].outward, c->k) - c->none.value;
			n++;
		}
	*inward = n > 0 ? in / n : NAN;
	*outward = n > 0 ? out / n : NAN;
}

static void put_curve(struct seek_curve *c)
{
	struct series *s = doc_series(c->k->s.doc, "seek.curve");

	for (size_t i = 0; i < c->f->legs_n; i++) {
		const struct leg *leg = &c->f->legs[i];
		struct interval v;
		double row[6] = {leg->share, 0, 0, 0, NAN, NAN};

		if (!move_at(c, leg->share, &v))
			continue;
		row[1] = v.value;
		row[2] = v.low;
		row[3] = v.high;
		ways(c, leg, &row[4], &row[5]);
		series_add(s, row);
	}
}

/* The time without a move; false: unknown, put so. */
static bool put_turns(struct seek_curve *c)
{
	const struct turns *t = &c->f->turns;
	struct finding f;
	struct interval v;

	if (t->why_not[0] || t->none.used < TURN_TRIALS) {
		session_unknown(&c->k->s, "a read without a move could not be measured, so the "
			"time of moves cannot be told from that of commands: %s",
			t->why_not[0] ? t->why_not : "too few trials stayed on one track");
		return false;
	}
	v = aim_interval(&t->none, c->k);
	if (v.high - v.low > TURN_WIDTH_S) {
		session_unknown(&c->k->s, "a read without a move takes between %.2f and %.2f ms: too "
			"unsure to tell moves from commands", v.low * 1e3, v.high * 1e3);
		return false;
	}
	if (v.low > c->k->hit_s + BUSY_LEAST_S) {
		session_unknown(&c->k->s, "a read without a move takes %.2f ms, much more than one from "
			"the cache: the drive finishes something first, so the time of moves cannot be "
			"told from that of commands", v.value * 1e3);
		return false;
	}
	c->none = v;
	v.low = fmax(0, v.low - t->late_s);
	f = session_finding(&c->k->s,
		(struct interval){v.value + t->unit_s, v.low + t->unit_s, v.high + t->unit_s},
		t->none.used);
	f.request_bytes = c->k->unit;
	f.depth = 1;
	f.from_bytes = t->from_bytes;
	f.to_bytes = t->to_bytes;
	session_put(&c->k->s, "seek.turnaround_s", &f);
	return true;
}

static void put_shortest(struct seek_curve *c)
{
	const struct turns *t = &c->f->turns;
	struct interval v = aim_interval(&t->shortest, c->k);

	if (t->shortest.used >= SHORT_TRIALS && v.high - v.low < WIDTH_MOST_SHORT_S)
		put(c, "seek.shortest_s", seek_move(c, v.value, interval_half(v)), t->shortest.used);
	else if (t->shortest.used < SHORT_TRIALS)
		doc_put_unknown(c->k->s.doc, "seek.shortest_s", c->k->s.method,
			"only %u of the moves between neighbouring tracks told something%s",
			t->shortest.used, session_longer(&c->k->s));
	else
		doc_put_unknown(c->k->s.doc, "seek.shortest_s", c->k->s.method,
			"%u moves between neighbouring tracks leave it open between %.2f and %.2f ms",
			t->shortest.used, fmax(v.low - c->none.high, 0) * 1e3,
			(v.high - c->none.low + t->late_s) * 1e3);
}

void seek_put(struct seek *k, const struct seek_findings *f)
{
	struct seek_curve c = {.k = k, .f = f};

	if (!put_turns(&c))
		return;
	find_place(&c);
	put_shortest(&c);
	put_move(&c, "seek.third_stroke_s", 1.0 / 3);
	put_move(&c, "seek.full_stroke_s", 1);
	put_average(&c);
	put_ratio(&c);
	seek_put_budget(&c);
	put_curve(&c);
	doc_put_unknown(k->s.doc, "seek.track_to_track_s", k->s.method,
		"plain reads do not tell a move by one track from one to another head: the number of heads "
		"would");
}
