/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reads of the access probe, and what curve and rotation make of them. */
#ifndef PROBE_ACCESS_READS_H
#define PROBE_ACCESS_READS_H

#include <stdbool.h>

#include "base/rng.h"
#include "probe/random_reads.h"
#include "probe/session.h"
#include "stat/window_fit.h"

/* Reads that were answered well, in order. */
struct access_reads {
	double *latency_s, *offset_bytes;
	double *from_bytes; /* where the read before it was; NAN: not known */
	bool *plain;        /* uniform, after one that was so too: stands for a random read */
	size_t n, capacity;
};

void access_reads_init(struct access_reads *r, size_t capacity);
void access_reads_release(struct access_reads *r);

/* What comes next. Random reads alone, or mixed with moves over chosen distances: short ones that
 * lead from a random place to one as random, and long ones, of which some do not. */
struct access_course {
	struct places places;
	struct rng rng;
	bool mixed;
	double shortest; /* of the region, of chosen distances */
	unsigned at;     /* in the pattern */
	uint64_t last;   /* offset */
};

/* The next n requests; plain[i] tells which of them are. */
void access_course_next(struct access_course *c, struct io *ios, bool *plain, size_t n);

struct access_model {
	struct window_fit fit;
	double from_share, to_share; /* of the stroke: the region */
	struct interval mean;        /* of a random read */
	size_t n;                    /* reads behind it */
	double hit_share;
	char why_not[200];           /* "": there is one */
};

/* doc: rotation and zones. False: m->why_not says why the reads are no such case. */
bool access_model_make(
	struct access_model *m, const struct access_reads *r, const struct session *s);

/* Series access.curve. */
void access_model_put_curve(const struct access_model *m, struct doc *doc);

#endif
