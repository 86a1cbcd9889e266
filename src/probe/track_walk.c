/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The phase of the platter when a read ends, along the addresses of a track, is a straight line whose
 * slope is one turn over the bytes of the track; from one track to the next it jumps by the skew. */
#include "probe/track_walk.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "probe/phase.h"
#include "stat/distribution.h"

#define STEPS_A_TRACK 24.0
#define TRIES         4u      /* places, where one is not read from the medium */
#define NEAR          0.004   /* of the region: where another place is looked for */
#define FAST_PLACE_S  0.0005
#define JUMP_TURNS    0.012   /* smaller ones are not told from scatter */
#define JUMP_TICKS    1.6
#define TICK_ERROR    0.5     /* of a tick: what it may put a turn's phase off by */
#define POINTS_LEAST  10u
#define LOST_MOST     0.3
#define FLOOR_RATIO   0.0003  /* of the length */

struct place {
	uint64_t first;
	int64_t step;
	double believed_bytes;
	bool found;
	struct stair_point points[WALK_STEPS_MOST];
	size_t n;
	double first_s, last_s;
};

static uint64_t at_part(const struct session *s, const struct walk_plan *plan, double part)
{
	uint64_t region = s->scope->to_bytes - s->scope->from_bytes;
	uint64_t at = s->scope->from_bytes;

	at += (uint64_t)(fmin(fmax(part, 0), 1) * (double)(region - plan->unit));
	at += (plan->unit - at % plan->unit) % plan->unit;
	return at;
}

/* Bytes from one read to the next. */
static int64_t step_at(const struct walk_plan *plan, double track_bytes)
{
	double units = floor(track_bytes / STEPS_A_TRACK / plan->unit + 0.5);
	int64_t step = (int64_t)fmax(units, 1) * plan->unit;
	int64_t least = plan->step_least < 0 ? -plan->step_least : plan->step_least;

	step = step > least ? step : least;
	return plan->step_least < 0 ? -step : step;
}

/* Whether all of a walk from there lies in the region. */
static bool fits(const struct session *s, const struct walk_plan *plan, const struct place *p)
{
	int64_t way = p->step * (int64_t)plan->steps;
	int64_t from = (int64_t)p->first + (way < 0 ? way : 0);
	int64_t to = (int64_t)p->first + (way > 0 ? way : 0) + plan->unit;

	return from >= (int64_t)s->scope->from_bytes && to <= (int64_t)s->scope->to_bytes;
}

/* A place there whose blocks come from the medium. */
static int find_place(struct session *s, struct rng *rng, const struct walk_plan *plan, unsigned k,
	struct place *p)
{
	*p = (struct place){.found = false};
	for (unsigned try = 0; try < TRIES && !p->found; try++) {
		double part = plan->part[k] + NEAR * (rng_uniform(rng) - 0.5);
		struct interval bytes;
		int status;

		p->first = at_part(s, plan, part);
		if (!phase_track_bytes(s->doc, p->first, &bytes))
			return 0;
		p->believed_bytes = bytes.value;
		p->step = step_at(plan, bytes.value);
		if (!fits(s, plan, p))
			continue;
		s->ios[0] = (struct io){.offset = p->first, .length = plan->unit};
		status = session_run(s, 1, 1, plan->until_ns);
		if (status)
			return status;
		p->found = s->ios[0].error == 0 &&
			   (double)(s->ios[0].done_ns - s->ios[0].sent_ns) / 1e9 >=
				   fmax(plan->fast_s, FAST_PLACE_S);
	}
	return 0;
}

/* The answers in order, place after place. */
static void take(struct session *s, const struct walk_plan *plan, struct place *places,
	const unsigned *who, size_t n, struct walk_pair *pair)
{
	pair->full = true;
	for (size_t i = 0; i < n; i++) {
		const struct io *io = &s->ios[i];
		struct place *p = &places[who[i]];
		double done_s = (double)(io->done_ns - s->start_ns) / 1e9;

		pair->full &= io->error != -ECANCELED;
		if (io->error)
			continue;
		pair->asked++;
		if ((double)(io->done_ns - io->sent_ns) / 1e9 < plan->fast_s) {
			pair->hits++;
			continue;
		}
		if (p->n == 0)
			p->first_s = done_s;
		p->last_s = done_s;
		p->points[p->n++] =
			(struct stair_point){(double)io->offset, done_s / plan->period_s.value};
	}
}

/* What the walk says of its track. */
static void judge(const struct walk_plan *plan, const struct place *p, struct walk *w)
{
	double t, ratio, turns_each, tick = plan->tick_s / plan->period_s.value;
	struct staircase stairs;

	*w = (struct walk){.good = false};
	if (p->n < POINTS_LEAST || staircase_fit(p->points, p->n, 1 / p->believed_bytes,
					   fmax(JUMP_TURNS, JUMP_TICKS * tick), &stairs))
		return;
	if (stairs.slope <= 0 || stairs.points < POINTS_LEAST || stairs.lost > LOST_MOST)
		return;
	/* a period that is wrong by a share is that of the turns between two points, in their phase */
	turns_each = (p->last_s - p->first_s) / plan->period_s.value / (double)(p->n - 1);
	ratio = turns_each / (fabs((double)p->step) * stairs.slope);
	ratio *= interval_half(plan->period_s) / plan->period_s.value;
	t = stat_student_quantile(0.5 + CONFIDENCE / 2, (double)stairs.points - 2);
	t *= stairs.slope_se / stairs.slope;
	tick *= TICK_ERROR / ((stairs.to_x - stairs.from_x) * stairs.slope);
	w->bytes = interval_of_logarithm(1 / stairs.slope,
		sqrt(t * t + ratio * ratio + tick * tick + FLOOR_RATIO * FLOOR_RATIO));
	w->from = (uint64_t)stairs.from_x;
	w->to = (uint64_t)stairs.to_x + plan->unit;
	w->points = stairs.points;
	w->jumps = stairs.jumps;
	for (size_t i = 0; i < stairs.jumps; i++)
		w->jump_s[i] = stairs.jump[i] * plan->period_s.value;
	w->good = true;
}

int walk_pair(struct session *s, struct rng *rng, const struct walk_plan *plan,
	struct walk_pair *pair)
{
	struct place places[WALK_PLACES];
	unsigned who[WALK_PLACES * WALK_STEPS_MOST];
	size_t n = 0;
	int status = 0;

	*pair = (struct walk_pair){.full = true};
	for (unsigned k = 0; k < WALK_PLACES && !status; k++)
		status = find_place(s, rng, plan, k, &places[k]);
	if (status)
		return status;
	for (size_t i = 1; i <= plan->steps; i++)
		for (unsigned k = 0; k < WALK_PLACES; k++) {
			if (!places[k].found)
				continue;
			who[n] = k;
			s->ios[n++] = (struct io){.offset = (uint64_t)((int64_t)places[k].first +
							  (int64_t)i * places[k].step),
				.length = plan->unit};
		}
	if (n)
		status = session_run(s, n, 1, plan->until_ns);
	if (n)
		take(s, plan, places, who, n, pair);
	for (unsigned k = 0; k < WALK_PLACES; k++)
		judge(plan, &places[k], &pair->at[k]);
	return status;
}
