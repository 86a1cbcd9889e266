/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a track begins shows in the phase: over the border the angle jumps by the skew. Between two
 * borders some tracks apart all others are known. Then A near the end of a track and B near its
 * beginning are one track and a known time apart: A is read, a little later B is asked for, and
 * comes without a move; A near the beginning of a track and B at the right angle of the one before
 * give the shortest move there is. Each trial has a track of its own, since what was read once is
 * in the cache; two places take turns. */
#include "probe/seek_inside.h"

#include <math.h>
#include <stdio.h>

#define PLACES     2u
#define SAME_TRACK 0.015   /* of a turn */
#define ONE_TRACK  0.02
#define SAME_SKEW  0.004
#define FINE       0.004   /* of a track: how well a border is found */
#define COARSE     0.1     /* more than is read ahead before the other place is asked for */
#define APART      6.0     /* tracks from the first border to the second */
#define DOUBT      0.02    /* of a track, about where the second should be */
#define TRACKS_APART 60 /* the places */
#define WAIT_S     0.15e-3 /* after A, before B is asked for */
#define REACH      0.25    /* of a turn, more than a hit: the turn-around is looked for up to there */
#define TRIALS     8u      /* at each place; */
#define TRIALS_LEAST 8u    /* that told something, of all */

struct border {
	uint64_t home;      /* bytes: a place that was read, */
	double home_pass;   /* and had passed then */
	double track_bytes;
	double same, other; /* bytes before home: still in its track, and no more */
	double skew;        /* turns */
	double at;          /* bytes: beginning of a track */
	bool good, found;
};

static double part(double turns)
{
	return turns - floor(turns + 0.5);
}

/* Reads home, from which the border lies between same and other before it. */
static int begin(struct border *b, struct seek *k)
{
	struct answer a;
	int status = 0;

	if (!b->good)
		return 0;
	b->good = seek_read(k, b->home, 0, &a, &status) == VISIT_GOOD &&
		a.done_s - a.sent_s > k->hit_most_s;
	b->home_pass = a.done_s;
	return status;
}

/* One look: half-way of what is left, or a step further back. */
static int look(struct border *b, struct seek *k, double step)
{
	double back = step > 0 ? b->same + step : (b->same + b->other) / 2, off;
	uint64_t units = (uint64_t)(back / k->unit + 0.5);
	struct answer a;
	int status = 0;

	if (seek_read(k, b->home - units * k->unit, 0, &a, &status) != VISIT_GOOD) {
		b->good = false;
		return status;
	}
	back = (double)units * k->unit;
	if (a.done_s - a.sent_s < k->hit_most_s) {
		/* passed under the head, and was kept, before home was read */
		b->good &= k->by_tracks;
		b->same = fmax(b->same, back);
		return 0;
	}
	off = part((a.done_s - b->home_pass) / k->period_s + back / b->track_bytes);
	if (fabs(off) < SAME_TRACK) {
		b->same = back;
		return 0;
	}
	b->other = back;
	b->skew = -off;
	b->found = true;
	return 0;
}

/* Looks for a border at each place in turn, till each is within `fine` of a track; by steps of that
 * size backwards, or halving: a step forwards of less than COARSE may meet what was read ahead. */
static int search(struct border *b, struct seek *k, double fine, bool halve)
{
	bool more = true;
	int status = 0;

	for (unsigned i = 0; i < PLACES && !status; i++)
		status = begin(&b[i], k);
	while (more && !status && !seek_time_is_up(k)) {
		more = false;
		for (unsigned i = 0; i < PLACES && !status; i++) {
			double step = fmax(fine * b[i].track_bytes, k->unit);

			if (!b[i].good || b[i].other - b[i].same < 1.4 * step)
				continue;
			if (b[i].found && !halve)
				continue;
			more = true;
			status = look(&b[i], k, halve ? 0 : step);
		}
	}
	for (unsigned i = 0; i < PLACES; i++) {
		b[i].good &= !more && b[i].found && fabs(b[i].skew) >= SAME_TRACK;
		b[i].at = (double)b[i].home - (b[i].same + b[i].other) / 2 + k->unit / 2.0;
	}
	return status;
}

/* The border so many tracks before the one that is known, each track's length being in doubt by
 * that part of it. */
static int search_before(struct border *b, struct seek *k, double tracks, double doubt)
{
	for (unsigned i = 0; i < PLACES; i++) {
		double track = b[i].track_bytes, half = (b[i].other - b[i].same) / 2 + doubt * track;
		double home = b[i].at + (0.5 - tracks) * track;

		if (!b[i].good)
			continue;
		b[i].home = (uint64_t)home - (uint64_t)home % k->unit;
		b[i].same = 0.5 * track - half;
		b[i].other = 0.5 * track + half;
		b[i].found = false;
	}
	return search(b, k, doubt > FINE ? FINE : 4 * FINE, false);
}

/* Two borders at each place, the tracks between of one length; coarse, middling, fine, and fine
 * again some tracks on. */
static int find_borders(struct border *b, struct seek *k)
{
	double first[PLACES], fresh = k->by_tracks ? 2 : 1;
	int status;

	for (unsigned i = 0; i < PLACES; i++) {
		b[i].other = 1.01 * b[i].track_bytes;
		b[i].good = true;
	}
	status = search(b, k, COARSE, true);
	if (!status)
		status = search_before(b, k, fresh, FINE);
	if (!status)
		status = search_before(b, k, fresh, 1.5 * FINE);
	for (unsigned i = 0; i < PLACES; i++)
		first[i] = b[i].at;
	if (!status)
		status = search_before(b, k, APART, DOUBT);
	for (unsigned i = 0; i < PLACES && !status; i++)
		if (b[i].good)
			b[i].track_bytes = (first[i] - b[i].at) / APART;
	return status;
}

static void init_shortest(struct turns *t, const struct seek *k)
{
	unsigned tried = t->shortest.tried;

	aim_init(&t->shortest, k, fmax(k->hit_s - 50e-6, 0), k->hit_s + 0.6 * k->period_s, 0,
		INFINITY, true);
	t->shortest.tried = tried;
}

/* Reads A, then B, whose place begins to pass gap_s after that of A, so that it is just caught.
 * *off: turns by which it passed later than that. VISIT_GOOD: *took_s. */
static enum visit read_pair(struct seek *k, const struct border *b, double a_at, double back,
	double gap_s, double lead_s, double *took_s, double *off, int *status)
{
	uint64_t a_units = (uint64_t)(a_at / k->unit), back_units = (uint64_t)(back / k->unit + 0.5);
	double pass, passing = k->unit / b->track_bytes * k->period_s;
	struct answer a, c;

	*status = 0;
	gap_s -= ((double)back_units * k->unit - back) / b->track_bytes * k->period_s;
	if (a_units <= back_units ||
		seek_read(k, a_units * k->unit, 0, &a, status) != VISIT_GOOD)
		return VISIT_FAILED;
	pass = a.done_s + gap_s;
	if (seek_read(k, (a_units - back_units) * k->unit, pass - lead_s - passing, &c, status) !=
		VISIT_GOOD)
		return VISIT_FAILED;
	*off = part((c.done_s - pass) / k->period_s);
	*took_s = c.done_s - c.sent_s - passing;
	return VISIT_GOOD;
}

/* From the beginning of a track to a place that is surely in it. */
static double into_track_s(const struct seek *k, double track_bytes)
{
	return (FINE + 1.5 * k->unit / track_bytes) * k->period_s;
}

/* In one track, the n-th before the border: A so far before its end that the head is still there when
 * the command for B is obeyed, and B just behind its beginning. Both at once leave little room: the
 * head comes to the end hardly sooner than to B, and some drives move it on at once. */
static int try_none(struct aim *aim, struct seek *k, const struct border *b, unsigned n)
{
	double lead = aim_value(aim, k), gap = lead + WAIT_S;
	double track = b->track_bytes, a = b->at - (n + 1) * track, took, off;
	double begin_s = into_track_s(k, track);
	int status;

	a -= (WAIT_S + fmax(lead / 2, lead - begin_s)) / k->period_s * track;
	aim->tried++;
	if (read_pair(k, b, a, track * (1 - gap / k->period_s), gap, lead, &took, &off, &status) ==
			VISIT_GOOD &&
		fabs(off) < ONE_TRACK)
		aim_learn(aim, k, took);
	return status;
}

/* A behind a border, B before it. The skew covers the move, so borders of less skew are crossed
 * sooner: what was learned at others is then forgotten. */
static int try_shortest(struct turns *t, struct seek *k, struct border *b, unsigned n)
{
	struct aim *aim = &t->shortest;
	double lead = aim_value(aim, k), gap = lead + WAIT_S, took, off, skew;
	double track = b->track_bytes, back = 1 - gap / k->period_s - b->skew;
	double a = b->at - (TRIALS + 2 + 5 * n / 2 - 0.25) * track;
	int status;

	back -= floor(back);
	if (back < 0.27)
		back += 1;
	aim->tried++;
	if (read_pair(k, b, a, back * track, gap, lead, &took, &off, &status) != VISIT_GOOD)
		return status;
	skew = b->skew - off;
	skew -= floor(skew);
	if (skew < t->skew - SAME_SKEW) {
		init_shortest(t, k);
		b->skew = t->skew = skew;
	}
	if (skew < t->skew + SAME_SKEW)
		aim_learn(aim, k, took);
	return 0;
}

static int measure(struct seek *k, struct turns *t, struct border *b)
{
	double least = fmax(k->hit_s - 50e-6, 0);
	int status = 0;

	aim_init(&t->none, k, least, k->hit_s + REACH * k->period_s, 0, INFINITY, false);
	init_shortest(t, k);
	t->skew = 1;
	for (unsigned n = 0; n < 2 * TRIALS + 2 && !status && !seek_time_is_up(k); n++)
		for (unsigned i = 0; i < PLACES && !status; i++) {
			if (!b[i].good)
				continue;
			if (n < TRIALS)
				status = try_none(&t->none, k, &b[i], n);
			else
				status = try_shortest(t, k, &b[i], n - TRIALS);
		}
	return status;
}

/* The place at which the length of a track is known best beside those used up, with room around. */
static bool best_place(const struct seek *k, uint64_t used, size_t *place)
{
	const struct series *s = doc_find_series(k->s.doc, "track.length");
	const struct scope *scope = k->s.scope;
	double best = INFINITY;

	for (size_t i = 0; s && i < s->rows && i < 64; i++) {
		const double *row = s->values + i * s->columns;
		double room = (TRACKS_APART + 4 * TRIALS) * row[1], wide = (row[3] - row[2]) / row[1];

		if (used & 1ull << i || row[0] < (double)scope->from_bytes + room || !(wide < best) ||
			row[0] + room > (double)scope->to_bytes)
			continue;
		best = wide;
		*place = i;
	}
	return best < INFINITY;
}

static int try_place(struct seek *k, struct turns *t, const double *row)
{
	struct border b[PLACES] = {0};
	unsigned good = 0;
	int status;

	t->unit_s = k->unit / row[1] * k->period_s;
	t->late_s = into_track_s(k, row[1]) + FINE / 2 * k->period_s;
	t->from_bytes = (uint64_t)row[0] / k->unit * k->unit;
	t->to_bytes = t->from_bytes + (uint64_t)(TRACKS_APART * row[1]) / k->unit * k->unit;
	for (unsigned i = 0; i < PLACES; i++) {
		double at = row[0] + i * TRACKS_APART * row[1];

		b[i].home = (uint64_t)at - (uint64_t)at % k->unit;
		b[i].track_bytes = row[1];
	}
	status = find_borders(b, k);
	for (unsigned i = 0; i < PLACES; i++)
		good += b[i].good;
	return status || !good ? status : measure(k, t, b);
}

int seek_turns(struct seek *k, struct turns *t)
{
	const struct series *s = doc_find_series(k->s.doc, "track.length");
	uint64_t used = 0;
	size_t place = 0;
	int status = 0;

	*t = (struct turns){0};
	while (!status && t->none.used < TRIALS_LEAST && !seek_time_is_up(k) &&
		best_place(k, used, &place)) {
		used |= 1ull << place;
		*t = (struct turns){0};
		status = try_place(k, t, s->values + place * s->columns);
	}
	if (!used)
		snprintf(t->why_not, sizeof(t->why_not), "the length of tracks is not known");
	else if (t->none.tried == 0)
		snprintf(t->why_not, sizeof(t->why_not), "no border between tracks was found");
	return status;
}
