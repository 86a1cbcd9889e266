/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One attempt to see a platter turn: six places close together are visited in random order. First by
 * steps so small that they hardly matter, which tells the period; then by larger ones, which tells
 * whether the phase moves with the place as it does on a track: no clock's tick can do that. */
#ifndef PROBE_ROTATION_RUN_H
#define PROBE_ROTATION_RUN_H

#include "base/rng.h"
#include "probe/phase_visits.h"

#define RUN_ANCHORS    6u
#define RUN_VISITS_MAX 128u
#define RUN_BATCH      64u /* of session capacity: what a run needs */

/* The longest and shortest period looked for, s: 3600 and 15000 rpm with some room. */
#define PERIOD_LONGEST_S  0.0175
#define PERIOD_SHORTEST_S 0.0036

/* How a place is left for the next: by so many units, or by a share of a track. */
struct manner {
	int units;    /* negative: backwards; 0: by the share */
	double share; /* of a track, forwards */
};

enum run_outcome {
	RUN_GOOD,
	RUN_FAST,       /* no place was read from a medium that turns */
	RUN_CACHED,     /* visits were answered from the drive's cache */
	RUN_INCOHERENT, /* times follow no period */
	RUN_PLACELESS,  /* they do, but it does not move with the place */
	RUN_SHORT,      /* the time was up before */
};

struct run_plan {
	uint32_t unit;      /* bytes in a visit */
	double fast_s;      /* as phase_fast_s */
	double tick_s;      /* grid of the times of completion; 0: none */
	double period_s;    /* of an earlier run, else 0 */
	double part;        /* where in the region, 0..1 */
	struct manner manner;
	unsigned small, large, last; /* visits of each place: by small steps, by large ones, by small */
	uint64_t until_ns;
};

struct anchor {
	uint64_t first, at; /* bytes: where it began and where it is */
	unsigned visits;
};

struct run {
	enum run_outcome outcome;
	struct anchor anchors[RUN_ANCHORS];
	struct period_row rows[RUN_VISITS_MAX];
	uint64_t offset[RUN_VISITS_MAX]; /* of each row */
	size_t n, asked, hits; /* visits good, made, answered from cache */
	size_t tried, fast;    /* places tried for anchors, and those read too soon for a medium */
	double seconds_a_byte; /* by belief: of the medium passing the head */
	double bytes_per_s;    /* of a short stream there */
	struct period_guess guess;
	struct period_fit fit;
	double rho;            /* of the rate to that of a track a turn, median of the anchors; NAN */
	unsigned clear;        /* anchors whose phase moves with the place beyond doubt */
};

/* Jumps of the phase, turns, that are more than the grid of times makes. */
double rotation_step_turns(double tick_s, double period_s);

/* Makes the run. Status as session_run. */
int rotation_attempt(struct session *s, struct rng *rng, const struct run_plan *plan, struct run *run);

#endif
