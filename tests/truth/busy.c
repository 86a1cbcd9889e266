/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The oracle is that of the drive left alone; the runs are made on the same drive with others at it. */
#include "tests/truth/busy.h"

#include <stdio.h>
#include <string.h>

#include "tests/truth/field.h"

#define FIRST_SEED 90001u

bool busy_asked(const char *probe)
{
	static const char *const names[] = {"zones", "access", "sequential", "seekers", "patterns", "queue"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(probe, names[i]) == 0)
			return true;
	return false;
}

bool busy_run(const char *name, const char *foreign_share, const char *counters, unsigned seeds,
	bool print, struct cell *cells)
{
	char spec[64], line[64];
	struct truth quiet, busy;
	struct run run = {.spec = spec, .seed = FIRST_SEED, .effort = EFFORT_STANDARD, .truth = &busy};
	struct witness_box box = {.truth = &quiet};
	struct err e = {0};
	bool good = true;

	snprintf(spec, sizeof(spec), "sim:%s", name);
	if (truth_of_spec(name, &quiet, &e))
		return false;
	busy = quiet;
	snprintf(line, sizeof(line), "foreign_share=%s", foreign_share);
	good = truth_set(&busy, line, &e) == 0;
	snprintf(line, sizeof(line), "counters=%s", counters);
	good = truth_set(&busy, line, &e) == 0 && good;
	box.oracle = oracle_open(&quiet);
	for (unsigned k = 0; k < seeds && good; k++, run.seed++) {
		struct outcome o = {0};

		runner_judge(&run, &box, print, &o);
		good = !o.broken;
		for (size_t i = 0; i < question_count(); i++)
			cell_add(&cells[i], &o.cells[i]);
	}
	oracle_close(box.oracle);
	return good;
}
