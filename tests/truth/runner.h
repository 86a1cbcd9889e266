/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One run of a plan on a fresh specimen of a simulated drive, as the command does it, and what came
 * of it: one document, from which every question is judged. */
#ifndef TRUTH_RUNNER_H
#define TRUTH_RUNNER_H

#include "plan/plan.h"
#include "tests/truth/score.h"

#define QUESTIONS_MAX 96

struct run {
	const char *spec;  /* "sim:NAME" */
	const char *probe; /* NULL: the standard plan; else that one and what it needs */
	uint64_t seed;     /* of the specimen and of the plan */
	enum effort effort;
	const struct truth *truth; /* of the drive that is run on; NULL: as spec says */
};

struct cost {
	double drive_s;
	uint64_t reads; /* on the direct path */
	double cpu_s;   /* of the probes and the simulated drive */
};

/* What came of one run. */
struct outcome {
	bool done, broken;
	struct cost cost;
	struct cell cells[QUESTIONS_MAX];
	double scores[SCORES]; /* NAN: none */
};

/* 0 and a document (doc_release() it, also on failure), the plan it was made by and what it cost;
 * negative errno, told on stdout. */
int runner_run(const struct run *run, struct plan *plan, struct doc *doc, struct cost *cost);

/* Runs and judges. box: oracle and truth of that drive; its seed and doc are set here. print: what
 * is outside is told on stdout. */
void runner_judge(
	const struct run *run, struct witness_box *box, bool print, struct outcome *outcome);

/* The same run again gives the same findings; told on stdout when not. */
bool runner_same_twice(const struct run *run);

#endif
