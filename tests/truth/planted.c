/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The oracle is that of the drive left alone; the runs are made on the same drive with others at it. */
#include "tests/truth/planted.h"

#include <stdio.h>
#include <string.h>

#include "tests/truth/field.h"

#define FIRST_SEED 90001u
#define LINES 4u

bool planted_must_stand(const struct planted *p, const char *probe)
{
	static const char *const names[] = {"zones", "access", "buffered", "sequential", "seekers",
		"patterns", "queue"};

	if (!p->load[0])
		return true;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(probe, names[i]) == 0)
			return true;
	return false;
}

static bool plant(struct truth *t, const char *const *lines)
{
	struct err e = {0};
	bool good = true;

	for (size_t i = 0; i < LINES && lines[i] && good; i++)
		good = truth_set(t, lines[i], &e) == 0;
	good = good && truth_check(t, &e) == 0;
	if (!good)
		printf("# %s\n", e.text);
	return good;
}

bool planted_run(const struct planted *p, unsigned seeds, bool print, struct cell *cells)
{
	char spec[64];
	struct truth quiet, busy;
	struct run run = {.spec = spec, .seed = FIRST_SEED, .effort = EFFORT_STANDARD, .truth = &busy};
	struct witness_box box = {.truth = &quiet};
	struct err e = {0};
	bool good;

	snprintf(spec, sizeof(spec), "sim:%s", p->drive);
	if (truth_of_spec(p->drive, &quiet, &e) || !plant(&quiet, p->lines))
		return false;
	busy = quiet;
	good = plant(&busy, p->load);
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
