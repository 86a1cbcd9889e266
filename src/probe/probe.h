/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One question to a drive, one file each. A probe chooses the requests and says what the answers
 * mean: same drive, scope and document give the same result; it prints nothing, and every
 * quantity it speaks of is put, known with an interval or unknown with its reason. */
#ifndef PROBE_PROBE_H
#define PROBE_PROBE_H

#include "base/err.h"
#include "doc/doc.h"
#include "drive/drive.h"

enum effort { EFFORT_QUICK, EFFORT_STANDARD, EFFORT_FULL, EFFORT_N };

/* Where, how long and how often. */
struct scope {
	uint64_t from_bytes, to_bytes; /* whole logical blocks, from < to <= size */
	uint64_t seed;
	uint64_t budget_ns;     /* drive time the probe should keep to (it stops by time) */
	unsigned runs;          /* repeats of the quick figures, >= 1 */
	uint32_t request_bytes; /* 0: the probe's own choice */
	unsigned depth;         /* seekers: reads outstanding; 0: the probe's own choice (3) */
	enum effort effort;
};

/* 0: done, everything put. -EINTR, -ENODEV, -ETIME: the drive ended it (see drive_run); what could
 * be known was put before, the survey puts the rest as unknown. Other negative errno: e is filled.
 * An event's at_s is given as time on the drive's clock (done_ns / 1e9); the survey turns it into
 * time since the start. */
typedef int probe_run(struct drive *d, const struct scope *scope, struct doc *doc, struct err *e);

#define PROBE_NEEDS_MAX 7
struct probe {
	const char *name;      /* "access"; also the first part of its quantities' keys */
	const char *question;  /* "How long does a random read take?" */
	enum drive_path path;  /* DRIVE_DIRECT or DRIVE_PAGE_CACHE: the drive it must be given */
	bool standard;         /* part of a run where nothing was chosen */
	double seconds[EFFORT_N]; /* drive time it asks for, by effort */
	probe_run *run;
	const char *also;      /* first part of further keys it puts ("overhead"); NULL: none */
	const char *needs[PROBE_NEEDS_MAX]; /* probes whose findings it reads from the document: a plan
	                          with this one has them too; all stand before it in the table */
	const char *between;   /* NULL; else this one is no step of its own, but a short one after
	                          each other step on the same path that follows the named probe's */
	unsigned spare;        /* the highest is left out first where a time limit has no room for all;
	                          0: never */
	bool repeats;          /* its time is that of scope's runs: more of them take more */
	double takes_s[2][EFFORT_N]; /* drive time it takes: of drives that turn, or may, and of others;
	                          0: what it asks for */
};

/* Whether a quantity is this probe's to put. */
bool probe_puts(const struct probe *probe, const char *key);

const struct probe *probe_find(const char *name); /* NULL: no such probe */
const struct probe *probe_at(size_t i);           /* in the order they should run; NULL past the last */

#endif
