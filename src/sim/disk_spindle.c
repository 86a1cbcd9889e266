/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A steady spindle is a division. A swaying one is turned back into time by putting the sway at the
 * last guess in again: each round is as much nearer as the speed sways, so three rounds are far
 * below a nanosecond for sways of some thousand ppm. */
#include "sim/disk_spindle.h"

#include <math.h>

#include "base/rng.h"

enum { STREAM_PHASE = 31, STREAM_SWAY = 32, ROUNDS = 3 };
#define TWO_PI 6.283185307179586

void disk_spindle_init(struct disk_spindle *s, const struct truth *t, double turn_ns, uint64_t seed)
{
	struct rng r;

	rng_init(&r, seed, STREAM_PHASE);
	*s = (struct disk_spindle){.turn_ns = turn_ns, .phase = rng_uniform(&r)};
	if (t->rpm_wander_ppm <= 0)
		return;
	rng_init(&r, seed, STREAM_SWAY);
	s->pulse = TWO_PI / (t->rpm_wander_s * 1e9);
	s->shift = TWO_PI * rng_uniform(&r);
	s->sway = t->rpm_wander_ppm * 1e-6 / (s->pulse * turn_ns);
}

static double sway_at(const struct disk_spindle *s, double t_ns)
{
	return s->sway * sin(s->pulse * t_ns + s->shift);
}

double disk_spindle_between(const struct disk_spindle *s, double from_ns, double to_ns)
{
	double turns = (to_ns - from_ns) / s->turn_ns;

	return s->sway > 0 ? turns + sway_at(s, to_ns) - sway_at(s, from_ns) : turns;
}

double disk_spindle_after(const struct disk_spindle *s, double t_ns, double turns)
{
	double there = t_ns + turns * s->turn_ns, begin;

	if (s->sway <= 0)
		return there;
	begin = turns + sway_at(s, t_ns);
	for (int i = 0; i < ROUNDS; i++)
		there = t_ns + (begin - sway_at(s, there)) * s->turn_ns;
	return there;
}

double disk_spindle_wait_ns(const struct disk_spindle *s, double turns, double t_ns)
{
	double w = turns - t_ns / s->turn_ns - s->phase;

	if (s->sway <= 0)
		return (w - floor(w)) * s->turn_ns;
	w -= sway_at(s, t_ns);
	return disk_spindle_after(s, t_ns, w - floor(w)) - t_ns;
}
