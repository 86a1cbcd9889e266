/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A place passes its head at known times. Asked for a lead before such a time, it is caught when the
 * way there takes less than the lead, and else comes a whole turn later: one bit, but one that
 * rotation cannot blur. Whatever became of the lead, the answer itself tells which pass was caught:
 * the way takes no more than the answer took, and where the pass before that would have been in
 * time too, it takes more than up to there. */
#include "probe/seek_inside.h"

#include <math.h>

#include "probe/phase.h"

#define VISITS_MOST  96u
#define UNLIKE       0.04  /* of the time: the way back may differ by that */
#define LEAD_LEAST_S 60e-6 /* from thinking of a read to its being issued */

/* Scatter of the end of a move: what drives do. */
static const double settle_s[BLURS] = {22e-6, 45e-6, 80e-6};

double seek_now(const struct seek *k)
{
	return (double)(drive_now_ns(k->s.drive) - k->s.start_ns) / 1e9;
}

bool seek_time_is_up(const struct seek *k)
{
	return drive_now_ns(k->s.drive) >= k->until_ns;
}

bool spot_init(struct spot *spot, const struct seek *k, double offset_bytes)
{
	const struct scope *scope = k->s.scope;
	double from = (double)scope->from_bytes, to = (double)scope->to_bytes, room;
	struct interval track;

	*spot = (struct spot){0};
	if (!phase_track_bytes(k->s.doc, (uint64_t)offset_bytes, &track))
		return false;
	spot->track_bytes = track.value;
	spot->step = k->unit;
	spot->shift_s = -(double)k->unit / track.value * k->period_s;
	if (k->by_tracks) {
		spot->step = (uint64_t)(track.value / k->unit + 0.5) * k->unit;
		spot->shift_s = -k->skew_s;
	}
	room = (double)spot->step * VISITS_MOST;
	if (to - from < room + 3.0 * k->unit)
		return false;
	offset_bytes = fmin(fmax(offset_bytes, from + room + k->unit), to - k->unit);
	spot->offset = (uint64_t)offset_bytes - (uint64_t)offset_bytes % k->unit;
	return true;
}

double spot_next_pass(const struct spot *spot, const struct seek *k, double from_s)
{
	double pass = spot->pass_s + spot->shift_s;

	return pass + ceil((from_s - pass) / k->period_s) * k->period_s;
}

enum visit seek_read(
	struct seek *k, uint64_t offset, double not_before_s, struct answer *a, int *status)
{
	struct session *s = &k->s;
	struct io *io = &s->ios[0];

	*status = 0;
	if (offset < s->scope->from_bytes || offset + k->unit > s->scope->to_bytes)
		return VISIT_FAILED;
	*io = (struct io){.offset = offset, .length = k->unit};
	if (not_before_s > 0)
		io->not_before_ns = s->start_ns + (uint64_t)(not_before_s * 1e9);
	*status = session_run(s, 1, 1, k->until_ns);
	if (*status || io->error)
		return VISIT_FAILED;
	a->sent_s = (double)(io->sent_ns - s->start_ns) / 1e9;
	a->done_s = (double)(io->done_ns - s->start_ns) / 1e9;
	return VISIT_GOOD;
}

enum visit spot_visit(struct spot *spot, struct seek *k, double not_before_s, struct answer *a,
	int *status)
{
	enum visit v = VISIT_FAILED;
	double shift;

	*status = 0;
	if (spot->offset >= spot->step)
		v = seek_read(k, spot->offset -= spot->step, not_before_s, a, status);
	if (v == VISIT_GOOD && a->done_s - a->sent_s < k->hit_most_s)
		v = VISIT_HIT;
	if (v == VISIT_GOOD && spot->known && k->by_tracks) {
		shift = (a->done_s - spot->pass_s) / k->period_s;
		spot->shift_s = (shift - floor(shift + 0.5)) * k->period_s;
	}
	spot->known = v == VISIT_GOOD;
	spot->pass_s = a->done_s;
	return v;
}

void aim_init(struct aim *a, const struct seek *k, double low_s, double high_s, double centre_s,
	double scale_s, bool moves)
{
	*a = (struct aim){0};
	for (size_t i = 0; i < BLURS; i++) {
		a->blur_s[i] = moves ? hypot(settle_s[i], k->host_s) : k->host_s;
		threshold_init(&a->time[i], low_s, high_s, centre_s, scale_s);
	}
}

double aim_value(const struct aim *a, const struct seek *k)
{
	return threshold_quantile(&a->time[k->blur], 0.5);
}

struct interval aim_interval(const struct aim *a, const struct seek *k)
{
	return threshold_interval(&a->time[k->blur], CONFIDENCE);
}

/* blur_s: beside the aim's own. */
static void learn(struct aim *a, const struct seek *k, double took_s, double blur_s)
{
	double over = took_s - a->time[0].low;
	double turns = floor(over / k->period_s);

	if (over < 0 || turns > 1)
		return;
	for (size_t i = 0; i < BLURS; i++)
		threshold_learn(&a->time[i], took_s - turns * k->period_s, turns < 1,
			hypot(a->blur_s[i], blur_s));
	a->used += blur_s <= 0;
}

void aim_learn(struct aim *a, const struct seek *k, double took_s)
{
	learn(a, k, took_s, 0);
}

int aim_try(struct aim *a, struct aim *back, struct spot *spot, struct seek *k)
{
	double passing = k->unit / spot->track_bytes * k->period_s;
	double lead = aim_value(a, k) + passing, at = 0, took;
	struct answer answer;
	int status;

	if (spot->known)
		at = spot_next_pass(spot, k, seek_now(k) + LEAD_LEAST_S + lead) - lead;
	a->tried++;
	if (spot_visit(spot, k, at, &answer, &status) != VISIT_GOOD)
		return status;
	took = answer.done_s - answer.sent_s - passing;
	aim_learn(a, k, took);
	if (back)
		learn(back, k, took, UNLIKE * lead);
	return status;
}
