/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Visits: reads of one unit at a place and places next to it, whose times of completion tell the
 * platter's phase. They travel from probe to probe in the series rotation.visits. */
#ifndef PROBE_PHASE_VISITS_H
#define PROBE_PHASE_VISITS_H

#include "probe/session.h"
#include "stat/period.h"

struct visit {
	unsigned run, anchor; /* anchors are numbered in each run from 0 */
	uint64_t offset;      /* bytes */
	double shift_s;       /* by how much later it passes than the anchor's first place, by belief */
	double done_s;        /* drive's clock */
};

#define VISITS_MAX 1024u

struct visits {
	struct visit *at; /* room for VISITS_MAX, in order of done_s; owned */
	size_t n;
};

void visits_init(struct visits *v);
void visits_release(struct visits *v);

/* Adds one; beyond VISITS_MAX it is dropped. */
void visits_add(struct visits *v, const struct visit *visit);

/* Those of the document's series; puts v's own into the document in their place. */
void visits_load(struct visits *v, const struct doc *doc);
void visits_save(const struct visits *v, struct doc *doc);

/* As rows for stat/period.h, anchors of all runs numbered through from 0; rows: room for v->n. Visits
 * of anchors beyond PERIOD_ANCHORS_MAX are left out. source (may be NULL): which visit each row is.
 * Returns how many. */
size_t visits_rows(const struct visits *v, struct period_row *rows, size_t *source);

/* A read faster than this did not come from the medium, s: above what the drive's cache needs by
 * clock's findings, else by re-reads made here (status as session_run). 0: nothing is faster, the
 * drive has no cache that answers. */
int phase_fast_s(struct session *s, double *fast_s);

/* What the rate of the drive's clock is off by, at 95 %, share: clock.error_ratio, else what the drive
 * says; NAN: not known. */
double phase_clock_error(const struct session *s);

#endif
