/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plan is made and surveyed by the program's own code; only the drive is opened here. */
#include "tests/truth/runner.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "plan/survey.h"
#include "sim/sim.h"
#include "sim/sim_inside.h"

static double cpu_now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int open_drive(const struct run *run, enum drive_path path, struct drive **drive, struct err *e)
{
	if (!run->truth)
		return sim_open(run->spec, path, run->seed, drive, e);
	*drive = sim_drive_open(run->truth, run->seed, run->spec);
	if (path == DRIVE_PAGE_CACHE)
		*drive = page_cache_open(run->truth, run->seed, *drive);
	return 0;
}

static int open_cached(void *arg, struct drive **drive, struct err *e)
{
	const struct run *run = arg;

	return open_drive(run, DRIVE_PAGE_CACHE, drive, e);
}

static int survey(const struct run *run, struct drive *d, struct plan *plan, struct doc *doc,
	struct err *e)
{
	struct wish wish = {.effort = run->effort, .seed = run->seed,
		.probes = run->probe ? &run->probe : NULL, .probes_n = run->probe ? 1 : 0};
	struct run copy = *run;
	struct survey s = {.direct = d, .open_cached = open_cached, .arg = &copy};
	int status = plan_make(&wish, &d->info, plan, e);

	if (status == 0)
		status = sim_identity(run->spec, &doc->identity, e);
	if (status == 0)
		status = survey_run(&s, plan, doc, e);
	return status;
}

int runner_run(const struct run *run, struct plan *plan, struct doc *doc, struct cost *cost)
{
	double begin_s = cpu_now_s();
	struct drive *d;
	struct err e = {0};
	struct witness w = {0};
	int status = open_drive(run, DRIVE_DIRECT, &d, &e);

	doc_init(doc);
	*cost = (struct cost){0};
	if (status == 0) {
		status = survey(run, d, plan, doc, &e);
		drive_witness(d, &w);
		drive_close(d);
	}
	cost->reads = w.device_reads;
	cost->drive_s = doc->elapsed_s;
	cost->cpu_s = cpu_now_s() - begin_s;
	if (status)
		printf("# %s, seed %" PRIu64 ": ended with %d: %s\n", run->spec, run->seed, status,
			e.text);
	return status;
}

static bool has_step(const struct plan *plan, const char *probe)
{
	for (size_t k = 0; k < plan->n; k++)
		if (strcmp(plan->steps[k].probe->name, probe) == 0)
			return true;
	return false;
}

void runner_judge(
	const struct run *run, struct witness_box *box, bool print, struct outcome *outcome)
{
	const struct probe *probe;
	struct plan plan = {0};
	struct doc doc;

	outcome->broken = runner_run(run, &plan, &doc, &outcome->cost) != 0;
	outcome->done = true;
	box->seed = run->seed;
	box->doc = &doc;
	for (size_t k = 0; (probe = probe_at(k)); k++)
		if (has_step(&plan, probe->name) &&
			(!run->probe || strcmp(run->probe, probe->name) == 0))
			question_judge(box, probe->name, outcome->cells, print);
	score_document(box, outcome->scores);
	box->doc = NULL;
	doc_release(&doc);
}

static bool same(double a, double b)
{
	return a == b || (isnan(a) && isnan(b));
}

static bool same_findings(const struct doc *a, const struct doc *b)
{
	if (a->findings_n != b->findings_n)
		return false;
	for (size_t i = 0; i < a->findings_n; i++) {
		const struct finding *f = &a->findings[i], *g = &b->findings[i];

		if (f->quantity != g->quantity || f->how != g->how || f->samples != g->samples ||
			(f->how != HOW_UNKNOWN &&
				(!same(f->value, g->value) || !same(f->low, g->low))))
			return false;
	}
	return true;
}

bool runner_same_twice(const struct run *run)
{
	struct doc doc, again;
	struct plan plan = {0};
	struct cost cost;
	bool good = runner_run(run, &plan, &doc, &cost) == 0;

	good = runner_run(run, &plan, &again, &cost) == 0 && good;
	if (good && !same_findings(&doc, &again)) {
		printf("# %s: not the same twice\n", run->spec);
		good = false;
	}
	doc_release(&doc);
	doc_release(&again);
	return good;
}
