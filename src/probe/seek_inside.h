/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the seek probe. Times are seconds since the session began; what passes under a head
 * is said by when a read of it would be complete. */
#ifndef PROBE_SEEK_INSIDE_H
#define PROBE_SEEK_INSIDE_H

#include <stdbool.h>

#include "base/rng.h"
#include "probe/session.h"
#include "probe/stroke.h"
#include "stat/threshold.h"

struct seek {
	struct session s;
	struct stroke stroke;
	double period_s;
	double skew_s;     /* from a track to the next; 0: not known */
	double hit_s;      /* a read the cache holds, */
	double hit_most_s; /* and at most that */
	double host_s;     /* scatter of the times of such a read */
	uint32_t unit;     /* bytes in a read */
	unsigned blur;     /* which of an aim's */
	bool by_tracks;    /* units beside one that was read are in the cache: go a whole track */
	uint64_t until_ns; /* nothing is begun after it */
};

/* A place that is visited again and again, each time a step nearer to the beginning of the drive, so
 * that nothing is read twice. */
struct spot {
	uint64_t offset; /* bytes, of the last visit */
	uint64_t step;   /* bytes, whole units */
	double track_bytes;
	double pass_s;   /* a time at which a read of that offset was complete */
	double shift_s;  /* from there to when the next one's will be, but for whole turns */
	bool known;      /* pass_s holds */
};

enum visit { VISIT_GOOD, VISIT_HIT, VISIT_FAILED };

/* A spot about that byte that has room for its visits. False: the track length there is unknown, or
 * there is no room. */
bool spot_init(struct spot *spot, const struct seek *k, double offset_bytes);

/* First time from `from_s` on at which what the next visit reads has passed. */
double spot_next_pass(const struct spot *spot, const struct seek *k, double from_s);

struct answer {
	double sent_s, done_s;
};

/* The next visit, issued at not_before_s (0: at once); the spot is then known by it. *status: as
 * session_run. */
enum visit spot_visit(struct spot *spot, struct seek *k, double not_before_s, struct answer *a,
	int *status);

/* One read of a unit. VISIT_GOOD: answered, from wherever. */
enum visit seek_read(
	struct seek *k, uint64_t offset, double not_before_s, struct answer *a, int *status);

/* The clock, s, and whether it is time to end. */
double seek_now(const struct seek *k);
bool seek_time_is_up(const struct seek *k);

/* How long it takes to a place until its data begin to pass, seen from trials: each asks so shortly
 * before the place passes that it is caught just so, or missed by a turn. One such way differs from
 * the next by a standard deviation that is not known: each of some is tried. */
#define BLURS 3u
struct aim {
	struct threshold time[BLURS];
	double blur_s[BLURS];
	unsigned used, tried;
};

/* Somewhere in [low_s, high_s], as threshold_init; moves: the arm's own scatter is in it. */
void aim_init(struct aim *a, const struct seek *k, double low_s, double high_s, double centre_s,
	double scale_s, bool moves);

/* What is known, with the blur the seek settled on. */
double aim_value(const struct aim *a, const struct seek *k);
struct interval aim_interval(const struct aim *a, const struct seek *k);

/* One trial at `spot`, which should be known, from wherever the arm is. back: the same move the other
 * way, which it roughly tells of too; may be NULL. Returns as session_run. */
int aim_try(struct aim *a, struct aim *back, struct spot *spot, struct seek *k);

/* Takes in that a read's data began to pass took_s after it was issued. */
void aim_learn(struct aim *a, const struct seek *k, double took_s);

/* Two moves that take next to no arm: none at all, on one track, and to the track before. */
struct turns {
	struct aim none, shortest;
	double skew;        /* turns, of the borders crossed by the shortest */
	double late_s;      /* none may be found so much too long, as the head leaves the track */
	double unit_s;      /* a unit's time to pass, where this was measured: */
	uint64_t from_bytes, to_bytes;
	char why_not[160];  /* "": there are trials */
};
int seek_turns(struct seek *k, struct turns *t);

/* Moves between two places, both ways. */
struct pair {
	double share;      /* of the stroke, as far as the order of addresses tells */
	double expected_s; /* from the curve under random reads */
	struct aim inward, outward;
	bool aimed; /* enough trials, and they tell enough */
};

/* Moves over about one share of the stroke, at several pairs of places. */
#define PAIRS_MAX 2u
struct leg {
	double share; /* mean of the pairs' */
	struct pair pairs[PAIRS_MAX];
	size_t pairs_n;
	bool aimed; /* one of them is */
};
#define LEGS_MAX 9u

struct seek_findings {
	struct turns turns;
	struct leg legs[LEGS_MAX]; /* by share */
	size_t legs_n;
};

/* The curve under random reads: time until data begin to pass after a move over that share of the
 * stroke, and its standard error. False: there is none. */
bool seek_expected(const struct seek *k, double share, double *time_s, double *se_s);

/* Puts all that follows. */
void seek_put(struct seek *k, const struct seek_findings *f);

/* Share of the stroke that the region spans: the longest move there is in it. */
double seek_span(const struct seek *k);

/* What the trials make of that curve. */
struct seek_curve {
	struct seek *k;
	const struct seek_findings *f;
	struct interval none; /* time without a move, as its trials have it */
	double place; /* of the stroke: standard deviation of a distance from what addresses tell */
};
#define FEW_DISTANCES "moves were timed over too few distances: --full, or a larger region, has more"

/* Time until the data begin to pass, moves and all. */
double seek_time_at(const struct seek_curve *c, double share);

/* The move in what took that time, ± half, with it. Where a read without a move was found too long, for a
 * head that had left the track, the move is longer. */
struct interval seek_move(const struct seek_curve *c, double time_s, double half);

/* Half-width of a leg's time, s; of the mean of seek_time_at over many distances. False: too few were
 * aimed at for such a mean, *half is nothing. */
double seek_leg_half(const struct seek_curve *c, const struct leg *leg);
bool seek_mean_half(const struct seek_curve *c, double *half);

/* Trials that told something. */
unsigned seek_trials(const struct seek_findings *f);

/* Puts the parts of the mean time of a random read that are not known elsewhere: its moves, the rest of
 * its transfer, and what is left over. */
void seek_put_budget(const struct seek_curve *c);

#endif
