/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hdparm's lines out of platter's own probes: -T is the probe cached, -t is buffered, or sequential
 * past the page cache. Only -T --direct, one place read again and again past the page cache, is no
 * question platter asks, and is read here. A line is printed when there is a figure, never half. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/measure.h"
#include "cli/paper.h"
#include "cli/privacy.h"
#include "cli/say.h"
#include "cli/signals.h"
#include "cli/worst.h"
#include "out/hdparm_lines.h"

#define REQUEST_BYTES (2u << 20) /* hdparm's buffer */
#define CACHED_S      2.0
/* about 3 s of reading: what the probes leave of their budget for it */
#define BUFFERED_S    (3.0 / 0.93)
#define SEQUENTIAL_S  (3.0 / 0.62)
#define BATCH_READS   64u
#define GIB           (UINT64_C(1) << 30)

/* One figure: bytes read in so much time. */
struct timing {
	uint64_t bytes;
	double seconds;
};

struct question {
	const char *probe;  /* whose series of runs holds the timing */
	const char *series, *figure;
	double budget_s;
};

static const struct question cached_reads = {"cached", "cached.runs", "cached.bytes_per_s",
	CACHED_S};
static const struct question disk_reads = {"buffered", "buffered.runs", "buffered.bytes_per_s",
	BUFFERED_S};
static const struct question direct_reads = {"sequential", "sequential.runs",
	"sequential.bytes_per_s", SEQUENTIAL_S};

static struct timing sum_of_runs(const struct doc *doc, const char *key)
{
	const struct series *s = doc_find_series(doc, key);
	struct timing t = {0};

	for (size_t i = 0; s && i < s->rows; i++) {
		t.bytes += (uint64_t)s->values[i * s->columns + 1];
		t.seconds += s->values[i * s->columns + 2];
	}
	return t;
}

/* The largest multiple of the block that one command of the drive carries, up to 2 MiB. */
static uint32_t request_of(const struct drive_info *info)
{
	uint32_t bytes = info->max_request_bytes < REQUEST_BYTES ? info->max_request_bytes
		: REQUEST_BYTES;

	bytes -= bytes % info->logical_block_bytes;
	return bytes ? bytes : info->logical_block_bytes;
}

/* Gives the plan's step the time and the request size of the question. */
static void fit_step(const struct measure *m, struct step *step, const struct question *q)
{
	step->scope.budget_ns = (uint64_t)(q->budget_s * 1e9);
	if (q == &direct_reads)
		step->scope.request_bytes = request_of(&m->info);
	if (q == &cached_reads)
		step->scope.from_bytes = 0;
}

static int find_timing(const struct measure *m, const struct question *q, struct timing *timing,
	struct err *e)
{
	const struct finding *f = doc_find(&m->doc, q->figure);

	*timing = sum_of_runs(&m->doc, q->series);
	if (!f || f->how == HOW_UNKNOWN || timing->seconds <= 0)
		return err_set(e, -EIO, "%s: %s", m->name, f && f->why_not ? f->why_not
			: "too little was read to give a figure");
	return 0;
}

static int run_question(struct measure *m, const struct question *q, struct timing *timing,
	struct err *e)
{
	int status;

	fit_step(m, &m->plan.steps[0], q);
	status = measure_run(m, e);
	return status ? status : find_timing(m, q, timing, e);
}

/* The first 2 MiB again and again, for two seconds. */
static int reread_directly(struct measure *m, struct timing *timing, struct err *e)
{
	struct io ios[BATCH_READS];
	uint64_t size = m->info.size_bytes < REQUEST_BYTES ? m->info.size_bytes : REQUEST_BYTES;
	uint64_t end_ns = drive_now_ns(m->direct.top) + (uint64_t)(CACHED_S * 1e9);
	uint64_t at = 0;

	while (drive_now_ns(m->direct.top) < end_ns) {
		struct batch b = {.ios = ios, .n = BATCH_READS, .depth = 1, .until_ns = end_ns};
		int status;

		for (size_t i = 0; i < BATCH_READS; i++) {
			uint64_t length = request_of(&m->info);

			length = length < size - at ? length : size - at;
			ios[i] = (struct io){.offset = at, .length = (uint32_t)length};
			at = (at + length) % size;
		}
		status = drive_run(m->direct.top, &b);
		if (status)
			return err_set(e, status, "%s: the drive could not go on: %s", m->name,
				strerror(-status));
		for (size_t i = 0; i < BATCH_READS && ios[i].error != -ECANCELED; i++) {
			if (ios[i].error)
				return err_set(e, ios[i].error,
					"%s: byte %" PRIu64 " cannot be read: %s",
					m->name, ios[i].offset, strerror(-ios[i].error));
			timing->bytes += ios[i].length;
			timing->seconds += (double)(ios[i].done_ns - ios[i].sent_ns) / 1e9;
		}
	}
	return timing->seconds > 0 ? 0 : err_set(e, -EIO, "%s: nothing was read", m->name);
}

static void say_simulated(const struct measure *m)
{
	if (m->info.simulated)
		say("%s is a simulated drive: the figures are a model's", m->info.name);
}

/* One line: opens the drive, measures, closes it. */
static int time_one(const struct options *o, const struct terminal *t, struct opener *opener,
	const char *name, const struct question *q, struct timing *timing)
{
	bool reread = q == &cached_reads && o->direct;
	const char *probe = reread ? direct_reads.probe : q->probe;
	struct measure m = {.opener = opener, .name = name, .moving = t->err,
		.wish = {.effort = EFFORT_STANDARD, .probes = &probe, .probes_n = 1, .seed = 1,
			.runs = 1, .from_bytes = q == &cached_reads ? 0 : o->offset.value * GIB}};
	struct err e = {0};
	int status, exit_status = EXIT_FINE;

	*timing = (struct timing){0};
	status = measure_open(&m, &e);
	if (status == 0 && (q == &cached_reads || !o->cached))
		say_simulated(&m);
	if (status)
		exit_status = m.bad_plan ? EXIT_USAGE : open_exit_status(status);
	else
		status = reread ? reread_directly(&m, timing, &e) : run_question(&m, q, timing, &e);
	if (status && exit_status == EXIT_FINE)
		exit_status = EXIT_UNSURE;
	if (status && !signals_stop)
		say("%s", e.text);
	measure_close(&m);
	doc_release(&m.doc);
	return exit_status;
}

/* Both questions as one survey, and its document. */
static int document_drive(struct paper *paper, struct opener *opener, const char *name)
{
	const struct options *o = paper->o;
	const struct question *both[] = {&cached_reads, o->direct ? &direct_reads : &disk_reads};
	const bool asked[] = {o->cached, o->disk};
	const struct question *questions[2];
	const char *probes[2];
	struct measure m = {.opener = opener, .name = name, .moving = paper->t->err,
		.wish = {.effort = EFFORT_STANDARD, .probes = probes, .seed = 1, .runs = 1,
			.from_bytes = o->disk ? o->offset.value * GIB : 0}};
	struct timing timing;
	struct err e = {0};
	size_t n = 0;
	int status;

	for (size_t i = 0; i < 2; i++)
		if (asked[i]) {
			questions[n] = both[i];
			probes[n++] = both[i]->probe;
		}
	m.wish.probes_n = n;
	status = measure_open(&m, &e);
	if (status) {
		say("%s", e.text);
		doc_release(&m.doc);
		return m.bad_plan ? EXIT_USAGE : open_exit_status(status);
	}
	for (size_t i = 0; i < m.plan.n; i++)
		for (size_t k = 0; k < n; k++)
			if (strcmp(m.plan.steps[i].probe->name, questions[k]->probe) == 0)
				fit_step(&m, &m.plan.steps[i], questions[k]);
	m.argv = privacy_argv(o, m.info.name);
	status = measure_run(&m, &e);
	for (size_t i = 0; i < n && status == 0; i++)
		status = find_timing(&m, questions[i], &timing, &e);
	measure_close(&m);
	if (status && !signals_stop)
		say("%s", e.text);
	status = worst(status ? EXIT_UNSURE : EXIT_FINE, paper_add(paper, &m.doc));
	doc_release(&m.doc);
	return status;
}

static int time_drive(const struct options *o, const struct terminal *t, struct opener *opener,
	const char *name)
{
	const struct question *disk = o->direct ? &direct_reads : &disk_reads;
	struct text out = {0};
	struct timing timing;
	int status = EXIT_FINE;

	hdparm_header(&out, name);
	status = say_output(&out);
	text_release(&out);
	if (o->cached && status == EXIT_FINE) {
		status = time_one(o, t, opener, name, &cached_reads, &timing);
		if (status == EXIT_FINE)
			hdparm_cached(&out, o->direct, timing.bytes, timing.seconds);
		status = worst(status, say_output(&out));
		text_release(&out);
	}
	if (o->disk && status == EXIT_FINE && !signals_stop) {
		status = time_one(o, t, opener, name, disk, &timing);
		if (status == EXIT_FINE)
			hdparm_disk(&out, o->direct, o->offset.value, timing.bytes, timing.seconds);
		status = worst(status, say_output(&out));
		text_release(&out);
	}
	return status;
}

static int check_usage(const struct options *o)
{
	struct err e;

	if (!o->cached && !o->disk)
		return usage_error(COMMAND_HDPARM, "nothing to time: give -t, -T or both");
	if (o->operands_n == 0)
		return usage_error(COMMAND_HDPARM,
			"a drive is needed; platter list shows the drives "
			"there are");
	if (o->json && o->cached && o->direct)
		return usage_error(COMMAND_HDPARM,
			"-T --direct reads one place again and again, of which there is no "
			"document; leave --json or --direct away");
	if (open_check_distinct(o->operands, o->operands_n, &e))
		return usage_error(COMMAND_HDPARM, "%s", e.text);
	if (o->offset.given && o->offset.value > INT64_MAX / GIB)
		return usage_error(COMMAND_HDPARM,
			"--offset %" PRIu64 " GiB is past the end of every "
			"drive", o->offset.value);
	return EXIT_FINE;
}

int cmd_hdparm(const struct options *o, const struct terminal *t)
{
	struct paper paper = {.o = o, .t = t, .json = true, .array = o->operands_n > 1};
	struct opener opener;
	struct err e = {0};
	int status = check_usage(o);

	if (status == EXIT_FINE)
		status = say_output_open();
	if (status)
		return status;
	if (opener_start(&opener, o->operands, o->operands_n, &e)) {
		say("%s", e.text);
		return EXIT_UNSURE;
	}
	for (size_t i = 0; i < o->operands_n && !signals_stop; i++)
		status = worst(status, o->json ? document_drive(&paper, &opener, o->operands[i])
			: time_drive(o, t, &opener, o->operands[i]));
	if (o->json)
		status = worst(status, paper_end(&paper));
	opener_stop(&opener);
	return status;
}
