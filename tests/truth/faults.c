/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which read is hit grows by an eighth each time, so that every one of the first and some of the
 * thousands that follow are met. A document is valid when what it writes can be read back. */
#include "tests/truth/faults.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "doc/doc_json.h"
#include "drive/fault.h"
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
static bool one(const struct probe *probe, const char *spec, size_t kind, uint64_t at, bool *hit)
{
	struct fault fault = {
		.kind = kinds[kind].kind,
		.first_read = at,
		.last_read = at,
		.to_bytes = UINT64_MAX,
		.error = kinds[kind].error,
		.delay_ns = 3000000000u,
	};
	struct scope scope = {.seed = at, .runs = 3, .effort = EFFORT_QUICK};
	struct drive *inner, *drive;
	struct doc doc;
	struct err e = {0};
	bool good = true;
	int status;

	if (sim_open(spec, probe->path, at, &inner, &e)) {
		printf("# %s: %s\n", spec, e.text);
		return false;
	}
	drive = fault_open(inner, &fault, 1);
	scope.to_bytes = drive->info.size_bytes;
	scope.budget_ns = (uint64_t)(probe->seconds[scope.effort] * 1e9);
	doc_init(&doc);
	status = probe->run(drive, &scope, &doc, &e);
	*hit = fault_hits(drive) > 0;
	if (status != (*hit && fault.kind == FAULT_RUN_ERROR ? fault.error : 0)) {
		printf("# %s on %s, fault %zu at read %llu: ended with %d\n", probe->name, spec,
			kind, (unsigned long long)at, status);
		good = false;
	}
	if (*hit && fault.kind == FAULT_READ_ERROR &&
		(doc.events_n == 0 || strcmp(doc.events[0].kind, "read_error"))) {
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
	bool good = true;

	*runs = 0;
	for (size_t kind = 0; kind < sizeof(kinds) / sizeof(kinds[0]); kind++) {
		bool hit = true;

		for (uint64_t at = 1; hit; at += 1 + at / 8) {
			good = one(probe, spec, kind, at, &hit) && good;
			++*runs;
		}
		good = good && *runs > 10;
	}
	return good;
}
