/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What hdparm -T measures: the first 2 MiB of the region read again and again from the page cache,
 * a figure of memory and processor. hdparm subtracts the time of as many empty loops from its own;
 * here only the reads themselves are timed, each on its own, and nothing has to be subtracted.
 * Nothing is flushed before or after: the first read brings in what is not there.
 * Interval: Student's t over the runs, at least FLOOR_RATIO. */
#include "probe/probe_table.h"

#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "probe/session.h"

#define READ_BYTES  (2u << 20)
#define BATCH_READS 4096u
#define FLOOR_RATIO 0.0005 /* one clock step in some 50 µs reads, averaged */

struct figures {
	double *rates; /* by run */
	double parts[STRETCH_PARTS];
};

/* Reads for run_ns; sums what was read and the time inside the reads. */
static int one_run(
	struct session *s, uint32_t length, uint64_t run_ns, uint64_t *bytes, uint64_t *ns)
{
	uint64_t end_ns = drive_now_ns(s->drive) + run_ns;
	size_t n = BATCH_READS;

	*bytes = *ns = 0;
	do {
		int status;

		for (size_t i = 0; i < n; i++)
			s->ios[i] = (struct io){.offset = s->scope->from_bytes, .length = length};
		status = session_run(s, n, 1, end_ns);
		if (status)
			return status;
		for (size_t i = 0; i < n && s->ios[i].error != -ECANCELED; i++) {
			if (s->ios[i].error)
				continue;
			*bytes += length;
			*ns += s->ios[i].done_ns - s->ios[i].sent_ns;
		}
	} while (drive_now_ns(s->drive) < end_ns);
	return 0;
}

/* True when the region's first bytes are, as far as can be known, in the page cache. */
static bool is_resident(struct session *s, uint32_t length)
{
	uint64_t resident;

	if (drive_resident(s->drive, s->scope->from_bytes, length, &resident)) {
		doc_note(s->doc, "This system does not tell what is in the page cache: that the "
				 "cached figure came from there is taken on trust.");
		return true;
	}
	return resident >= length;
}

/* Run k, in `parts` parts where it is the only one. -ERANGE: the clock does not show the reads. */
static int read_run(struct session *s, uint32_t length, size_t k, size_t parts, struct figures *f)
{
	uint64_t bytes = 0, ns = 0;
	double row[3];

	for (size_t i = 0; i < parts; i++) {
		uint64_t part_bytes, part_ns;
		int status = one_run(
			s, length, s->scope->budget_ns / s->scope->runs / parts, &part_bytes, &part_ns);

		if (status)
			return status;
		if (part_ns == 0)
			return -ERANGE;
		f->parts[i] = (double)part_bytes / ((double)part_ns / 1e9);
		bytes += part_bytes;
		ns += part_ns;
	}
	f->rates[k] = (double)bytes / ((double)ns / 1e9);
	row[0] = (double)(k + 1);
	row[1] = (double)bytes;
	row[2] = (double)ns / 1e9;
	series_add(doc_series(s->doc, "cached.runs"), row);
	return 0;
}

static int measure(struct session *s, uint32_t length, struct figures *figures)
{
	size_t runs = s->scope->runs, parts = runs == 1 ? STRETCH_PARTS : 1;
	struct repeats r = {figures->rates, runs, figures->parts, parts};
	uint64_t samples;
	struct finding f;
	int status;

	s->ios[0] = (struct io){.offset = s->scope->from_bytes, .length = length};
	status = session_run(s, 1, 1, 0);
	if (status)
		return status;
	if (s->ios[0].error || !is_resident(s, length)) {
		session_unknown(s, s->ios[0].error
					   ? "the first blocks of the region cannot be read"
					   : "what was read did not stay in the page cache");
		return 0;
	}
	samples = s->answered;
	for (size_t k = 0; k < runs; k++) {
		status = read_run(s, length, k, parts, figures);
		if (status == -ERANGE) {
			session_unknown(s, "the reads took no time this drive's clock can show");
			return 0;
		}
		if (status)
			return status;
	}
	f = session_finding_of_runs(s, &r, FLOOR_RATIO, s->answered - samples);
	f.to_bytes = f.from_bytes + length;
	f.request_bytes = length;
	f.depth = 1;
	f.cached = true;
	session_put(s, "cached.bytes_per_s", &f);
	return 0;
}

int cached_run(struct drive *d, const struct scope *scope, struct doc *doc, struct err *e)
{
	uint64_t region = scope->to_bytes - scope->from_bytes;
	struct figures figures = {.rates = mem_zalloc(scope->runs, sizeof(double))};
	struct session s;
	int status;

	session_start(&s, "cached", "cached/1", BATCH_READS, d, scope, doc, e);
	status = measure(&s, region < READ_BYTES ? (uint32_t)region : READ_BYTES, &figures);
	session_end(&s);
	free(figures.rates);
	return status;
}
