/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One drive, from its name to its finished document. */
#ifndef CLI_MEASURE_H
#define CLI_MEASURE_H

#include "cli/layers.h"
#include "cli/open.h"
#include "cli/progress.h"
#include "doc/doc.h"
#include "plan/plan.h"

struct measure {
	/* asked */
	struct opener *opener;
	const char *name;
	const char *trace;  /* NULL: nothing is recorded */
	const char *from, *to; /* places as typed; NULL: the drive's ends */
	struct wish wish;
	bool no_wake;       /* refuse a drive that sleeps or may sleep */
	bool moving, lines; /* progress: see progress_start() */
	/* Once the drive's name is known and before anything is written: not 0, with e, keeps the
	 * drive from being measured. NULL: nothing to say. */
	int (*may_begin)(const void *arg, const char *drive, struct err *e);
	const void *arg;
	/* answered */
	char **argv;        /* put into the document by the caller; taken over */
	struct doc doc;
	struct plan plan;
	int open_status;    /* negative errno when the drive could not be opened */
	bool bad_plan;      /* the wish does not fit the drive */
	int trace_error;    /* negative errno: the recording is not whole */
	/* inside */
	struct layers direct, cached;
	struct drive_info info;
	uint64_t direct_start_ns, cached_start_ns;
	uint64_t opening_ns; /* machine's clock: what opening the drive took, in all */
	struct progress progress;
};

/* Opens the drive and makes the plan: m->doc is made and to be released by the caller in every
 * case. 0, or negative errno with e. measure_close() it then. */
int measure_open(struct measure *m, struct err *e);

/* Carries the plan out and fills the document. Returns as survey_run(); -EPROTO when a recording
 * did not hold what was asked. */
int measure_run(struct measure *m, struct err *e);

/* Closes the drive. */
void measure_close(struct measure *m);

#endif
