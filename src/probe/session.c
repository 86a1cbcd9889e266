/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests are written into one array that lives as long as the probe, so that nothing is
 * allocated while the drive is being timed. A failed read is counted, told to the document and
 * never repeated. Foreign load shows as more bytes or requests in the device's own counters than
 * were asked for. */
#include "probe/session.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "stat/robust.h"

#define GAP_BYTES (32u << 20)

void session_start(struct session *s, const char *probe, const char *method, size_t capacity,
	struct drive *d, const struct scope *scope, struct doc *doc, struct err *e)
{
	assert(scope->from_bytes < scope->to_bytes && scope->to_bytes <= d->info.size_bytes);
	memset(s, 0, sizeof(*s));
	s->drive = d;
	s->scope = scope;
	s->doc = doc;
	s->e = e;
	s->probe = probe;
	s->method = method;
	s->capacity = capacity;
	s->ios = mem_zalloc(capacity, sizeof(*s->ios));
	s->start_ns = drive_now_ns(d);
	drive_witness(d, &s->before);
}

static uint64_t above(uint64_t a, uint64_t b)
{
	return a > b ? a - b : 0;
}

/* Share of the device's traffic that was not ours, by bytes and by requests, whichever is more. */
static double foreign_share(const struct session *s, const struct witness *seen)
{
	bool cache = s->drive->info.path != DRIVE_DIRECT;
	/* through a page cache the kernel reads ahead of what was asked, and merges and cuts */
	uint64_t slack = cache ? s->own_bytes / 10 + (32u << 20) : 64u << 10;
	uint64_t foreign =
		seen->device_written_bytes + above(seen->device_read_bytes, s->own_bytes + slack);
	uint64_t requests = seen->device_writes, all = seen->device_reads + seen->device_writes;
	double bytes_share, requests_share;

	if (!cache && s->answered &&
		s->own_bytes / s->answered <= s->drive->info.max_request_bytes / 2)
		requests += above(seen->device_reads, s->answered + 3);
	bytes_share = (double)foreign /
		      ((double)seen->device_read_bytes + (double)seen->device_written_bytes + 1);
	requests_share = (double)requests / ((double)all + 1);
	return fmax(bytes_share, requests_share);
}

bool session_disturbed(
	const struct session *s, const struct witness *before, uint64_t reads, uint64_t bytes)
{
	struct witness now, seen;

	drive_witness(s->drive, &now);
	seen = witness_since(before, &now);
	if (!(seen.known & WITNESS_DEVICE))
		return false;
	/* large reads may be cut into several requests: then only bytes tell */
	return seen.device_writes > 0 || seen.device_read_bytes > bytes ||
	       (bytes <= reads * s->drive->info.max_request_bytes / 2 && seen.device_reads > reads);
}

void session_end(struct session *s)
{
	struct witness after, seen;
	double share;

	free(s->ios);
	s->ios = NULL;
	drive_witness(s->drive, &after);
	seen = witness_since(&s->before, &after);
	if (!(seen.known & WITNESS_DEVICE) || s->answered == 0)
		return;
	share = foreign_share(s, &seen);
	if (share > 0.01) {
		struct event event = {
			.kind = "foreign_load",
			.at_s = (double)s->start_ns / 1e9,
		};

		doc_event(s->doc, &event);
		doc_note(s->doc,
			"While %s was measured, %.0f %% of the drive's traffic was not "
			"platter's: its figures are those of a busy drive.",
			s->probe, share * 100);
	}
}

static void note_failure(struct session *s, const struct io *io)
{
	struct event event = {
		.kind = "read_error",
		.offset = io->offset,
		.length = io->length,
		.error = io->error,
		.at_s = (double)io->sent_ns / 1e9,
	};

	doc_event(s->doc, &event);
}

int session_run(struct session *s, size_t n, unsigned depth, uint64_t until_ns)
{
	struct batch b = {.ios = s->ios, .n = n, .depth = depth, .until_ns = until_ns};
	bool give_up = false;
	int status;

	assert(n > 0 && n <= s->capacity);
	status = drive_run(s->drive, &b);
	for (size_t i = 0; i < n; i++) {
		const struct io *io = &s->ios[i];

		if (io->error == -ECANCELED)
			continue;
		s->answered++;
		if (io->error == 0) {
			s->own_bytes += io->length;
			s->failed_in_row = 0;
			continue;
		}
		s->failed++;
		note_failure(s, io);
		if (++s->failed_in_row >= SESSION_FAILURES_MAX)
			give_up = true;
	}
	if (status == 0 && give_up)
		return err_set(s->e, -EIO,
			"measuring %s on %s was given up: %d reads in a row "
			"failed, so the drive is left alone; look at its health and cabling before "
			"reading on",
			s->probe, s->drive->info.name, SESSION_FAILURES_MAX);
	return status;
}

int session_warm_up(struct session *s)
{
	uint32_t block = s->drive->info.logical_block_bytes;
	uint64_t blocks = (s->scope->to_bytes - s->scope->from_bytes) / block;
	size_t n = blocks < SESSION_FAILURES_MAX ? (size_t)blocks : SESSION_FAILURES_MAX;

	for (size_t i = 0; i < n; i++)
		s->ios[i] =
			(struct io){.offset = s->scope->from_bytes + i * block, .length = block};
	return session_run(s, n, 1, 0);
}

int session_stream(struct session *s, uint64_t from, uint64_t to, uint32_t request,
	uint64_t until_ns, size_t *n)
{
	assert(from < to);
	for (*n = 0; *n < s->capacity && from < to; (*n)++) {
		uint32_t length = to - from < request ? (uint32_t)(to - from) : request;

		s->ios[*n] = (struct io){.offset = from, .length = length};
		from += length;
	}
	return session_run(s, *n, 1, until_ns);
}

uint64_t session_gap(const struct session *s)
{
	uint64_t most = (s->scope->to_bytes - s->scope->from_bytes) / 8192, gap = GAP_BYTES;

	gap = gap < most ? gap : most;
	return gap - gap % s->drive->info.logical_block_bytes;
}

uint64_t session_elapsed_ns(const struct session *s)
{
	return drive_now_ns(s->drive) - s->start_ns;
}

uint64_t session_left_ns(const struct session *s)
{
	return above(s->scope->budget_ns, session_elapsed_ns(s));
}

double session_lost_share(const struct session *s)
{
	return s->answered ? (double)s->failed / (double)s->answered : 0;
}

struct finding session_finding(const struct session *s, struct interval v, uint64_t samples)
{
	return (struct finding){
		.how = HOW_MEASURED,
		.value = v.value,
		.low = v.low,
		.high = v.high,
		.confidence = CONFIDENCE,
		.samples = samples,
		.spread = NAN,
		.method = s->method,
		.from_bytes = s->scope->from_bytes,
		.to_bytes = s->scope->to_bytes,
		.lost_share = session_lost_share(s),
	};
}

void session_unknown(const struct session *s, const char *format, ...)
{
	const struct quantity *q;
	char reason[256];
	size_t length = strlen(s->probe);
	va_list ap;

	va_start(ap, format);
	vsnprintf(reason, sizeof(reason), format, ap);
	va_end(ap);
	for (size_t i = 0; (q = quantity_at(i)); i++)
		if (strncmp(q->key, s->probe, length) == 0 && q->key[length] == '.' &&
			!doc_find(s->doc, q->key))
			doc_put_unknown(s->doc, q->key, s->method, "%s", reason);
}

struct stretch stretch_of(const struct io *ios, size_t n, size_t skip)
{
	struct stretch t = {0};

	for (size_t i = 0; i < n; i++) {
		if (ios[i].error == -ECANCELED)
			continue;
		t.end = ios[i].offset + ios[i].length;
		if (i < skip || i == 0 || ios[i].error || ios[i - 1].error)
			continue;
		t.bytes += ios[i].length;
		t.ns += ios[i].done_ns - ios[i - 1].done_ns;
		t.reads++;
	}
	return t;
}

double stretch_bytes_per_s(struct stretch t)
{
	return t.ns ? (double)t.bytes / ((double)t.ns / 1e9) : 0;
}

double cpu_share(const struct witness *before, const struct witness *after, uint64_t elapsed_ns)
{
	struct witness seen = witness_since(before, after);

	if (!(seen.known & WITNESS_CPU) || elapsed_ns == 0)
		return NAN;
	return (double)(seen.reader_user_ns + seen.reader_system_ns) / (double)elapsed_ns;
}

struct finding session_finding_of_runs(
	const struct session *s, const double *runs, size_t n, double floor_ratio, uint64_t samples)
{
	struct finding f;
	struct interval v = {0};
	int status = interval_mean(runs, n, CONFIDENCE, &v);

	assert(status == 0);
	(void)status;
	v = interval_at_least(v, floor_ratio * v.value);
	f = session_finding(s, v, samples);
	f.low = fmax(f.low, 0);
	f.runs = (unsigned)n;
	f.spread = stat_sd(runs, n);
	return f;
}
