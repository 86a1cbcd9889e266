/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Walks along the tracks: at two places in turn blocks are read a small part of a track apart, each
 * place being the seek that ends the read-ahead of the other. */
#ifndef PROBE_TRACK_WALK_H
#define PROBE_TRACK_WALK_H

#include "base/rng.h"
#include "probe/session.h"
#include "stat/staircase.h"

#define WALK_PLACES     2u
#define WALK_STEPS_MOST 64u

struct walk_plan {
	uint32_t unit;             /* bytes in a read */
	int64_t step_least;        /* bytes, as phase_step() */
	double fast_s;             /* as phase_fast_s() */
	struct interval period_s;
	double tick_s;             /* grid of the times of completion; 0: none */
	double part[WALK_PLACES];  /* where in the region, 0..1 */
	size_t steps;
	uint64_t until_ns;
};

struct walk {
	bool good;             /* the rest is filled */
	struct interval bytes; /* of the track, 95 % */
	uint64_t from, to;     /* what of that track was walked */
	size_t points;         /* of it */
	size_t jumps;
	double jump_s[STAIR_JUMPS_MAX]; /* skews between tracks */
};

struct walk_pair {
	struct walk at[WALK_PLACES];
	size_t asked, hits; /* reads, and those from the cache */
	bool full;          /* there was time for all of it */
};

/* Walks at both places. Status as session_run. */
int walk_pair(struct session *s, struct rng *rng, const struct walk_plan *plan,
	struct walk_pair *pair);

#endif
