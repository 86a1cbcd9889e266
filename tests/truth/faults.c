/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which read is hit grows by a fifth each time, so that every one of the first and some of the
 * thousands that follow are met. What a probe needs to know from others is found out once; each run
 * begins with that document on a fresh drive, at the time those others ended, where the platter of
 * the same specimen stands as they left it. A document is valid when what it writes can be read
 * back. */
#include "tests/truth/faults.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "doc/doc_json.h"
#include "drive/fault.h"
#include "plan/plan.h"
#include "sim/sim.h"

static const struct {
	enum fault_kind kind;
	int error;
} kinds[] = {
	{FAULT_READ_ERROR, -EIO},
	{FAULT_RUN_ERROR, -ENODEV},
	{FAULT_RUN_ERROR, -EINTR},
	{FAULT_RUN_ERROR, -ETIME},
	{FAULT_DELAY, 0},
};

#define SPECIMEN 1u

/* What the probe finds when it begins. */
struct before {
	struct text json;
	uint64_t end_ns;
	struct scope scope;
};

static void find_out(struct before *before, const struct probe *probe, const char *spec)
{
	struct wish wish = {.effort = EFFORT_QUICK, .seed = SPECIMEN, .probes = &probe->name,
		.probes_n = 1};
	struct plan plan;
	struct doc doc;
	struct drive *d;
	struct err e = {0};

	*before = (struct before){0};
	doc_init(&doc);
	if (sim_open(spec, DRIVE_DIRECT, SPECIMEN, &d, &e) == 0) {
		if (plan_make(&wish, &d->info, &plan, &e))
			plan.n = 0;
		for (size_t k = 0; k < plan.n; k++) {
			const struct step *step = &plan.steps[k];

			if (step->probe == probe)
				before->scope = step->scope;
			else if (step->probe->path == DRIVE_DIRECT)
				step->probe->run(d, &step->scope, &doc, &e);
		}
		before->end_ns = drive_now_ns(d);
		drive_close(d);
	}
	doc_json_write(&doc, NULL, &before->json);
	doc_release(&doc);
}

/* The drive goes on to that time. */
static void wait_until(struct drive *d, uint64_t ns)
{
	struct io io = {.length = d->info.logical_block_bytes, .not_before_ns = ns};
	struct batch b = {.ios = &io, .n = 1, .depth = 1};

	drive_run(d, &b);
}

static bool told(const struct doc *doc, const char *kind)
{
	for (size_t i = 0; i < doc->events_n; i++)
		if (strcmp(doc->events[i].kind, kind) == 0)
			return true;
	return false;
}

static bool document_is_valid(const struct doc *doc)
{
	struct text json = {0};
	struct doc again;
	struct err e = {0};
	int status;

	doc_json_write(doc, NULL, &json);
	status = doc_json_read(&again, text_chars(&json), json.length, &e);
	if (status)
		printf("# the document cannot be read back: %s\n", e.text);
	doc_release(&again);
	text_release(&json);
	return status == 0;
}

/* One run with that fault. *hit: it was met. */
static bool one(const struct probe *probe, const char *spec, const struct before *before,
	size_t kind, uint64_t at, bool *hit)
{
	struct fault fault = {
		.kind = kinds[kind].kind,
		.first_read = at,
		.last_read = at,
		.to_bytes = UINT64_MAX,
		.error = kinds[kind].error,
		.delay_ns = 3000000000u,
	};
	struct scope scope = before->scope;
	struct drive *inner, *drive;
	struct doc doc;
	struct err e = {0};
	bool good = true;
	int status;

	if (sim_open(spec, probe->path, SPECIMEN, &inner, &e) ||
		doc_json_read(&doc, text_chars(&before->json), before->json.length, &e)) {
		printf("# %s: %s\n", spec, e.text);
		return false;
	}
	if (probe->needs[0])
		wait_until(inner, before->end_ns);
	drive = fault_open(inner, &fault, 1);
	scope.seed = at;
	status = probe->run(drive, &scope, &doc, &e);
	*hit = fault_hits(drive) > 0;
	if (status != (*hit && fault.kind == FAULT_RUN_ERROR ? fault.error : 0)) {
		printf("# %s on %s, fault %zu at read %llu: ended with %d\n", probe->name, spec,
			kind, (unsigned long long)at, status);
		good = false;
	}
	if (*hit && fault.kind == FAULT_READ_ERROR &&
		!told(&doc, "read_error")) {
		printf("# %s on %s: read error at read %llu not told\n", probe->name, spec,
			(unsigned long long)at);
		good = false;
	}
	good = document_is_valid(&doc) && good;
	doc_release(&doc);
	drive_close(drive);
	drive_close(inner);
	return good;
}

bool faults_everywhere(const struct probe *probe, const char *spec, unsigned *runs)
{
	struct before before;
	bool good = true;

	*runs = 0;
	find_out(&before, probe, spec);
	for (size_t kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++) {
		bool hit = true;

		for (uint64_t at = 1; hit; at += 1 + at / 5) {
			good = one(probe, spec, &before, kind, at, &hit) && good;
			++*runs;
		}
	}
	text_release(&before.json);
	return good;
}
