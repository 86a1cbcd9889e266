/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Many drives, many seeds: every run and its judgement, shared out to processes by drive, outcomes
 * in shared memory. */
#ifndef TRUTH_FIELD_H
#define TRUTH_FIELD_H

#include "tests/truth/runner.h"

struct field {
	/* asked */
	const char *probe; /* NULL: the standard plan */
	const char *drive; /* only this one: a built-in's name, "random", "random:SEED"; NULL: all */
	enum effort effort;
	unsigned seeds;    /* of each built-in drive */
	unsigned random_first, random_n; /* drives sim:random:FIRST and on, one run each */
	unsigned jobs;     /* processes */
	bool twice;        /* the first run of each drive again: must say the same */
	bool print;        /* what is outside, on stdout */
	/* answered */
	unsigned drives;   /* built-in ones */
	struct outcome *outcomes; /* drives * seeds, then random_n; not done where left out */
	unsigned broken;   /* runs that ended badly, were not the same twice, or took their process
	                      with them */
};

/* How many built-in drives there are. */
unsigned field_drives(void);

/* Fills the answered part; field_release() it. 0 or -ENOMEM. */
int field_run(struct field *f);
void field_release(struct field *f);

/* drive < f->drives: run k of that drive; drive == f->drives: random drive k. */
const struct outcome *field_outcome(const struct field *f, unsigned drive, unsigned k);
/* How many runs that drive (or, drive == f->drives, the random ones) has. */
unsigned field_runs(const struct field *f, unsigned drive);

/* Adds what came of one question. */
void cell_add(struct cell *sum, const struct cell *c);
/* The sum over the runs of a drive (or of the random ones). */
struct cell field_cell(const struct field *f, unsigned drive, size_t question);

/* How many claims were judged, and the share of them that hold the truth (NAN: none). */
unsigned cell_judged(const struct cell *c);
double cell_share(const struct cell *c);

/* The share over all runs of the built-in drives (and the random ones with `random`) and its
 * standard error, claims of one document counted as hanging together. `which` says which questions
 * are pooled. */
struct pool {
	unsigned inside, judged;
	double share, se;
};
struct pool field_pool(const struct field *f, bool (*which)(const struct question *q),
	bool built_in, bool random);

#endif
