/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A random read goes to any byte alike, and outer tracks hold more bytes: its moves are shorter than those
 * between any two tracks. Its sectors behind the first pass at the speed of the track, and where they go
 * on in the next one that one's skew is waited for. */
#include "probe/seek_inside.h"

#include <math.h>

#include "probe/phase.h"

#define PLACES       64u
#define TRACK_ERROR  0.01 /* of a track's length between the places where it was measured */
#define SKEW_MOST    0.3  /* of a turn, where it is not known */
#define SKEW_ERROR   0.22 /* of it: that of other heads and cylinders */

/* Place i of PLACES, each for as many bytes, `part` of the way through its own. */
static double place(const struct seek *k, size_t i, double part)
{
	const struct scope *scope = k->s.scope;

	return (double)scope->from_bytes +
		(double)(scope->to_bytes - scope->from_bytes) * ((double)i + part) / PLACES;
}

static const struct finding *known(const struct doc *doc, const char *key)
{
	const struct finding *f = doc_find(doc, key);

	return f && f->how != HOW_UNKNOWN ? f : NULL;
}

static void put(const struct seek_curve *c, const char *key, struct interval v, uint32_t request)
{
	struct session *s = &c->k->s;
	struct finding f = session_finding(s, v, seek_trials(c->f));

	f.how = HOW_DERIVED;
	f.request_bytes = request;
	f.depth = 1;
	doc_put(s->doc, key, &f);
}

/* From bytes of equal chance to bytes of equal chance; *together: with a read without a move, in which
 * the error of that cancels. */
static bool put_moves(const struct seek_curve *c, struct interval *together)
{
	double from[PLACES], to[PLACES], sum = 0, half;

	if (!seek_mean_half(c, &half)) {
		doc_put_unknown(c->k->s.doc, "seek.random_s", c->k->s.method, FEW_DISTANCES);
		return false;
	}
	for (size_t i = 0; i < PLACES; i++) {
		from[i] = stroke_share(&c->k->stroke, place(c->k, i, 0.25));
		to[i] = stroke_share(&c->k->stroke, place(c->k, i, 0.75));
	}
	for (size_t i = 0; i < PLACES; i++)
		for (size_t n = 0; n < PLACES; n++)
			sum += seek_time_at(c, fabs(from[i] - to[n]));
	*together = interval_around(sum / (PLACES * PLACES), half);
	put(c, "seek.random_s", seek_move(c, together->value, half), c->k->unit);
	return true;
}

/* Of the time between two tracks; what is not known lies anywhere. */
static struct interval skew(const struct seek *k)
{
	const struct finding *f = known(k->s.doc, "track.skew_s");
	double most = SKEW_MOST * k->period_s;

	if (!f)
		return interval_around(most / 2, most / 2);
	return interval_around(f->value, hypot(SKEW_ERROR * f->value, (f->high - f->low) / 2));
}

/* What a read of that many bytes takes longer than one of a unit. */
static bool put_transfer(const struct seek_curve *c, uint32_t request, struct interval *transfer)
{
	double more = request > c->k->unit ? request - c->k->unit : 0, tracks = 0, error = 0, half;
	struct interval between = skew(c->k), track;

	for (size_t i = 0; i < PLACES; i++) {
		if (!phase_track_bytes(c->k->s.doc, (uint64_t)place(c->k, i, 0.5), &track)) {
			doc_put_unknown(c->k->s.doc, "seek.transfer_s", c->k->s.method,
				"the length of tracks is not known");
			return false;
		}
		tracks += more / track.value / PLACES;
		error += interval_half(track) / track.value / PLACES;
	}
	half = hypot(hypot(error, TRACK_ERROR) * c->k->period_s, interval_half(between));
	*transfer = interval_around(tracks * (c->k->period_s + between.value), tracks * half);
	put(c, "seek.transfer_s", *transfer, request);
	return true;
}

void seek_put_budget(const struct seek_curve *c)
{
	const struct finding *access = known(c->k->s.doc, "access.mean_s");
	struct interval moves, transfer;
	double left;
	bool all;

	if (!access) {
		session_unknown(&c->k->s, "the mean time of a random read is not known");
		return;
	}
	all = put_moves(c, &moves);
	all &= put_transfer(c, access->request_bytes, &transfer);
	if (!all) {
		doc_put_unknown(c->k->s.doc, "seek.remainder_s", c->k->s.method,
			"not all parts of a random read are known");
		return;
	}
	left = access->value - moves.value - c->f->turns.unit_s - c->k->period_s / 2 -
		transfer.value;
	put(c, "seek.remainder_s", interval_around(left, hypot((access->high - access->low) / 2,
		hypot(interval_half(moves), interval_half(transfer)))), access->request_bytes);
}
