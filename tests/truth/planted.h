/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs on a built-in drive with other things planted in it, and with what the oracle must not know: somebody
 * else who reads it. What is told all the same must be true of the drive left alone, or be unknown. */
#ifndef TRUTH_PLANTED_H
#define TRUTH_PLANTED_H

#include "tests/truth/runner.h"

struct planted {
	const char *drive;    /* a built-in's name */
	const char *lines[4]; /* "key=value" of it, up to a NULL, */
	const char *load[4];  /* and what only the runs meet */
};

/* seeds runs of the standard plan, each question's answers summed into cells (question_count() of them).
 * false: a run ended badly, or there is no such drive. */
bool planted_run(const struct planted *p, unsigned seeds, bool print, struct cell *cells);

/* Whether a figure of that probe has to be true though others are at the drive. */
bool planted_must_stand(const struct planted *p, const char *probe);

#endif
