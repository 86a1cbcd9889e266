/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Somebody else reads the drive meanwhile: what is told all the same must be true of the drive when it is
 * left alone, or be unknown. */
#ifndef TRUTH_BUSY_H
#define TRUTH_BUSY_H

#include "tests/truth/runner.h"

/* seeds runs of the standard plan on that drive while that share of its reads is another's, each question's
 * answers summed into cells (question_count() of them). false: a run ended badly. */
bool busy_run(const char *name, const char *foreign_share, const char *counters, unsigned seeds,
	bool print, struct cell *cells);

/* Whether a figure of that probe has to stand then. */
bool busy_asked(const char *probe);

#endif
