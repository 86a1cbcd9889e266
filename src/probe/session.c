/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requests are written into one array that lives as long as the probe, so that nothing is
 * allocated while the drive is being timed. A failed read is counted, told to the document and
 * never repeated. */
#include "probe/session.h"

#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"
#include "probe/disturbance.h"
#include "stat/robust.h"

#define GAP_BYTES  (32u << 20)
#define QUEUE_NS   25000000u /* what each read outstanding may add before a read is slow */

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

void session_end(struct session *s)
{
	free(s->ios);
	s->ios = NULL;
	disturbance_tell(s);
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

static void note_slow(struct session *s, const struct io *io)
{
	doc_event(s->doc, &(struct event){
		.kind = "slow_read",
		.offset = io->offset,
		.length = io->length,
		.at_s = (double)io->sent_ns / 1e9,
		.took_s = (double)(io->done_ns - io->sent_ns) / 1e9,
	});
	if (s->slow++ == 0 ||
		io->done_ns - io->sent_ns > s->slowest.done_ns - s->slowest.sent_ns)
		s->slowest = *io;
}

static void count_traffic(struct session *s, const struct io *io)
{
	uint64_t most = s->drive->info.max_request_bytes;

	s->issued.requests += (io->length + most - 1) / most;
	s->issued.bytes += io->length;
	s->issued.large += io->length > most / 2;
}

/* Counts one read that was answered. One that was too slow is kept out of every figure: what kept it was no
 * seek and no turn. */
static void count_read(struct session *s, struct io *io, unsigned depth)
{
	bool slow = io->done_ns > io->sent_ns + SESSION_SLOW_NS + (depth - 1) * (uint64_t)QUEUE_NS;

	s->answered++;
	count_traffic(s, io);
	if (slow)
		note_slow(s, io);
	if (io->error == 0) {
		s->own_bytes += io->length;
		s->failed_in_row = s->gone_in_row = 0;
		io->error = slow ? SESSION_TOO_SLOW : 0;
		return;
	}
	s->failed++;
	s->failed_in_row++;
	s->gone_in_row = io->error == -ENODEV || io->error == -ENXIO ? s->gone_in_row + 1 : 0;
	note_failure(s, io);
}

int session_run(struct session *s, size_t n, unsigned depth, uint64_t until_ns)
{
	struct batch b = {.ios = s->ios, .n = n, .depth = depth, .until_ns = until_ns};
	unsigned unanswered = 0;
	bool give_up = false;
	int status;

	assert(n > 0 && n <= s->capacity);
	status = drive_run(s->drive, &b);
	for (size_t i = 0; i < n && s->gone_in_row < SESSION_GONE_MAX; i++) {
		if (s->ios[i].error == -ECANCELED) {
			/* on its way when the run broke off: the device may have counted it */
			if (status && unanswered++ < depth)
				count_traffic(s, &s->ios[i]);
			continue;
		}
		count_read(s, &s->ios[i], depth);
		give_up |= s->failed_in_row >= SESSION_FAILURES_MAX;
	}
	if (status)
		return status;
	if (s->gone_in_row >= SESSION_GONE_MAX)
		return err_set(s->e, -ENODEV,
			"%s was lost while %s was measured: it no longer answers as a drive; look at "
			"its cabling and power before reading on",
			s->drive->info.name, s->probe);
	if (give_up)
		return err_set(s->e, -EIO,
			"measuring %s on %s was given up: %d reads in a row "
			"failed, so nothing more was read for it; look at the drive's health and "
			"cabling",
			s->probe, s->drive->info.name, SESSION_FAILURES_MAX);
	return 0;
}

int session_run_again(struct session *s, size_t n, uint64_t until_ns)
{
	struct io *ios = s->ios;
	int status = session_run(s, 1, 1, until_ns);

	for (size_t i = 1; i < n; i++)
		ios[i].error = -ECANCELED;
	if (status || n == 1 || ios[0].error)
		return status;
	s->ios = ios + 1;
	status = session_run(s, n - 1, 1, until_ns);
	s->ios = ios;
	return status;
}

int session_warm_up(struct session *s)
{
	uint32_t block = s->drive->info.logical_block_bytes;
	uint64_t blocks = (s->scope->to_bytes - s->scope->from_bytes) / block;
	size_t n = blocks < SESSION_FAILURES_MAX ? (size_t)blocks : SESSION_FAILURES_MAX;

	assert(n <= s->capacity);
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
	uint64_t lost = s->failed + s->slow + s->watch.reads_thrown_away;

	return s->answered ? fmin((double)lost / (double)s->answered, 1) : 0;
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

const char *session_longer(const struct session *s)
{
	return s->scope->effort == EFFORT_FULL ? "" : ": --full has more time";
}

void session_unknown(const struct session *s, const char *format, ...)
{
	const struct quantity *q;
	char reason[256];
	const struct probe *probe = probe_find(s->probe);
	size_t length = strlen(s->probe);
	va_list ap;

	va_start(ap, format);
	vsnprintf(reason, sizeof(reason), format, ap);
	va_end(ap);
	for (size_t i = 0; (q = quantity_at(i)); i++)
		if (((strncmp(q->key, s->probe, length) == 0 && q->key[length] == '.') ||
			    (probe && probe_puts(probe, q->key))) &&
			!doc_find(s->doc, q->key))
			doc_put_unknown(s->doc, q->key, s->method, "%s", reason);
}

static void format_figure(char *dst, size_t size, double shown)
{
	if (shown < 999.5)
		snprintf(dst, size, "%.3g", shown);
	else
		snprintf(dst, size, "%.0f", shown);
}

/* "0 to 770 MB/s" */
static void format_range(char *dst, size_t size, enum unit unit, double low, double high)
{
	struct unit_scale scale = units_scale(unit, high);
	char ends[2][48];

	format_figure(ends[0], sizeof(ends[0]), low * scale.factor);
	format_figure(ends[1], sizeof(ends[1]), high * scale.factor);
	snprintf(dst, size, "%s to %s%s%s", ends[0], ends[1], scale.name[0] ? " " : "", scale.name);
}

void session_put(struct session *s, const char *key, const struct finding *f)
{
	if (session_is_busy(s)) {
		session_put_busy(s, key);
		return;
	}
	if (f->value > 0 && (f->low <= 0 || f->high - f->low > 2 * f->value)) {
		char range[128];

		format_range(range, sizeof(range), quantity_find(key)->unit, fmax(f->low, 0), f->high);
		doc_put_unknown(s->doc, key, s->method, "the runs differ too much: %s", range);
		return;
	}
	s->lost_most = fmax(s->lost_most, f->lost_share);
	doc_put(s->doc, key, f);
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

size_t stretch_parts(const struct io *ios, size_t n, size_t skip, double *rates)
{
	size_t timed = 0, each;

	while (timed < n && ios[timed].error != -ECANCELED)
		timed++;
	if (skip == 0)
		skip = 1;
	each = timed > skip ? (timed - skip) / STRETCH_PARTS : 0;
	if (each < 2)
		return 0;
	for (size_t k = 0; k < STRETCH_PARTS; k++) {
		size_t first = skip + k * each;
		struct stretch t = stretch_of(ios + first - 1, each + 1, 1);

		rates[k] = stretch_bytes_per_s(t);
		if (!(rates[k] > 0))
			return 0;
	}
	return STRETCH_PARTS;
}

struct finding session_finding_of_runs(
	struct session *s, const struct repeats *r, double floor_ratio, uint64_t samples)
{
	struct finding f;
	struct interval v = {.value = r->runs[0], .low = NAN, .high = NAN};

	if (r->n > 1) {
		interval_mean(r->runs, r->n, CONFIDENCE, &v);
	} else if (interval_mean_correlated(r->parts, r->parts_n, CONFIDENCE, &v) == 0) {
		v = interval_around(r->runs[0], interval_half(v) / v.value * r->runs[0]);
	} else {
		doc_note(s->doc, "One run of %s was too short to tell how much runs differ: its figure "
			"has no interval.", s->probe);
		v = (struct interval){.value = r->runs[0], .low = NAN, .high = NAN};
	}
	if (!isnan(v.low))
		v = interval_at_least(v, floor_ratio * v.value);
	f = session_finding(s, v, samples);
	f.runs = (unsigned)r->n;
	f.spread = r->n > 1 ? stat_sd(r->runs, r->n) : NAN;
	return f;
}
