/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the rate of a map steps down, and how fast it is between: pure arithmetic of the zones probe.
 *
 * A window measures with most weight in its middle (its slope is a mean of the rate with the weight
 * u (1 - u) along it): with a step at share u of its length it sees 3u^2 - 2u^3 of what is before. The
 * place of a step is found from that by Bayes' rule, all places between the windows around it being alike
 * before. Levels are logarithms of seconds per byte. */
#ifndef PROBE_ZONE_STEPS_H
#define PROBE_ZONE_STEPS_H

#include <stdbool.h>
#include <stddef.h>

#include "probe/zone_map.h"

struct zone_level {
	double level;     /* logarithm of s per byte */
	double scatter;   /* standard deviation of one window in it */
	size_t windows;   /* behind it: no outliers, wholly inside where there are such */
	size_t inside;    /* of them, wholly inside */
	size_t off;       /* wholly inside, and far from the level all the same */
};

struct zone_step {
	double place, low, high; /* bytes: median, and 95 % of what it may be */
};

struct zone_steps {
	struct zone_step *steps;   /* n, ascending */
	struct zone_level *levels; /* n + 1: before the first step, …, behind the last */
	size_t n;
	double noise;    /* standard deviation of one window, of the logarithm */
	double residual; /* the same from the nearest curve that never rises */
	double common;   /* standard deviation of what is unknown of all levels alike */
	double smallest; /* of the steps; INFINITY: there is none */
	size_t used;     /* windows */
	size_t doubtful; /* zones that may be there, with too few windows to tell */
};

enum zone_claim {
	ZONE_SEARCH, /* a single window may be a zone: what is worth another look */
	ZONE_CURVE,  /* what goes best with the windows, every zone included that two of them show */
	ZONE_CLAIM,  /* at least two windows to a zone, steps of at least ZONE_STEP_LEAST */
};
#define ZONE_STEP_LEAST 0.007

/* From the windows (sorted by place) that nobody disturbed. noise: known from elsewhere, at least so
 * much; 0: not known. Release with zone_steps_release(). */
void zone_steps_find(
	struct zone_steps *s, const struct zone_map *map, double noise, enum zone_claim claim);
void zone_steps_release(struct zone_steps *s);

/* Makes levels within tracks those of streams; the map's are sorted. No-op where they are that. */
void zone_steps_of_streams(struct zone_steps *s, const struct zone_map *map);

/* Whether such steps can be told at all: what one window scatters by is small beside the smallest
 * step, and the map falls steadily. */
bool zone_steps_stand(const struct zone_steps *s);

/* Whether what a search found is worth another look: noise is not much of it. */
bool zone_steps_worth(const struct zone_steps *s);

/* Mean time per byte over [from, to), s per byte, with what levels and places leave open. */
struct interval zone_steps_mean(
	const struct zone_steps *s, double from, double to, double floor_ratio, double confidence);

#endif
