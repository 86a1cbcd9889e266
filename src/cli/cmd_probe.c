/* SPDX-License-Identifier: GPL-2.0-or-later */
/* parse → open → plan → filters → survey → save → sheet → ink → exit status, one drive after the
 * other. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/around.h"
#include "cli/commands.h"
#include "cli/measure.h"
#include "cli/paper.h"
#include "cli/privacy.h"
#include "cli/save.h"
#include "cli/say.h"
#include "cli/signals.h"
#include "cli/wish.h"
#include "cli/worst.h"
#include "doc/doc_json.h"

/* What is the same for all drives. */
struct job {
	const struct options *o;
	const struct terminal *t;
	struct opener opener;
	struct typed_wish wish;
	struct paper paper;
};

static bool document_to_stdout(const struct options *o)
{
	return o->json || (o->output && strcmp(o->output, "-") == 0);
}

/* DIR/sda.json; to be freed. */
static char *output_path(const struct options *o, const char *shown)
{
	const char *slash = strrchr(shown, '/');
	struct text path = {0};
	size_t name_at;

	if (!save_is_directory(o->output))
		return mem_strdup(o->output);
	text_add(&path, "%s%s", o->output, text_ends(o->output, "/") ? "" : "/");
	name_at = path.length;
	text_add(&path, "%s.json", slash ? slash + 1 : shown);
	for (char *p = path.chars + name_at; *p; p++)
		if (*p == ':')
			*p = '-';
	return text_take(&path);
}

static int save(const struct options *o, const struct doc *doc)
{
	struct doc_json_options json = paper_json(o);
	struct text content = {0};
	struct err e;
	char *path;
	int status = EXIT_FINE;

	if (!o->output || strcmp(o->output, "-") == 0)
		return EXIT_FINE;
	path = output_path(o, doc->identity.device_name);
	doc_json_write(doc, &json, &content);
	if (save_file(path, &content, &e)) {
		say("%s", e.text);
		status = EXIT_UNSURE;
	}
	text_release(&content);
	free(path);
	return status;
}

static int show(struct job *job, const struct doc *doc)
{
	if (job->o->quiet && !job->paper.json)
		return EXIT_FINE;
	return paper_add(&job->paper, doc);
}

static bool anything_known(const struct doc *doc)
{
	for (size_t i = 0; i < doc->findings_n; i++)
		if (doc->findings[i].how != HOW_UNKNOWN)
			return true;
	return false;
}

static bool unreadable_met(const struct doc *doc)
{
	for (size_t i = 0; i < doc->events_n; i++)
		if (strcmp(doc->events[i].kind, "read_error") == 0)
			return true;
	return false;
}

/* What the survey's end means for the exit status; says what the report does not. */
static int judge_end(const struct doc *doc, int status, const struct err *e)
{
	int exit_status = unreadable_met(doc) ? EXIT_BAD : EXIT_FINE;

	switch (status) {
	case 0: return exit_status;
	case -EINTR: return worst(exit_status, EXIT_PARTLY);
	case -ENODEV: case -ETIME: exit_status = worst(exit_status, EXIT_PARTLY); break;
	case -EPROTO: exit_status = worst(exit_status, EXIT_UNSURE); break;
	default:
		exit_status = worst(exit_status, anything_known(doc) ? EXIT_PARTLY : EXIT_UNSURE);
	}
	say("%s", e->text);
	return exit_status;
}

/* Whether asking it once more makes sense. */
static bool reachable(int end)
{
	return !signals_stop && end != -ENODEV && end != -ETIME;
}

static int measured(struct job *job, struct measure *m, struct around *around)
{
	struct err e = {0};
	int status, end;

	m->argv = privacy_argv(job->o, m->info.name);
	around_opened(around, &m->doc);
	end = measure_run(m, &e);
	measure_close(m);
	around_after(around, &m->doc, reachable(end));
	status = judge_end(&m->doc, end, &e);
	if (m->trace_error) {
		say("cannot write the recording %s: %s; it is not whole", m->trace,
			strerror(-m->trace_error));
		status = worst(status, EXIT_UNSURE);
	}
	status = worst(status, save(job->o, &m->doc));
	return worst(status, show(job, &m->doc));
}

static bool trace_stands_at(const char *trace, const char *path)
{
	struct text cached = {0};
	bool same;

	text_add(&cached, "%s.cached", trace);
	same = save_same(trace, path) || save_same(text_chars(&cached), path);
	text_release(&cached);
	return same;
}

/* Whether the document could be written; drive: its name, "" while it is not known. 0, or negative
 * errno with e. */
static int check_output(const void *arg, const char *drive, struct err *e)
{
	const struct options *o = arg;
	char *path;
	int status;

	if (!o->output || strcmp(o->output, "-") == 0)
		return 0;
	path = output_path(o, drive);
	status = save_check(path, e);
	if (status == 0 && o->trace && trace_stands_at(o->trace, path))
		status = err_set(e, -EEXIST,
			"%s would hold both the document and the recording; name two files", path);
	free(path);
	return status;
}

static int probe_one(struct job *job, const char *name)
{
	const struct options *o = job->o;
	struct measure m = {.opener = &job->opener, .name = name, .trace = o->trace,
		.from = o->from, .to = o->to, .wish = job->wish.wish,
		.no_wake = o->no_wake,
		.moving = job->t->err && !o->quiet, .lines = o->verbose,
		.may_begin = check_output, .arg = o};
	struct around around;
	struct err e = {0};
	int status;

	around_before(&around, &job->opener, name, !o->no_smart);
	if (measure_open(&m, &e)) {
		say("%s", e.text);
		status = m.open_status ? open_exit_status(m.open_status) : EXIT_USAGE;
	} else {
		status = measured(job, &m, &around);
	}
	measure_close(&m);
	around_release(&around);
	doc_release(&m.doc);
	return status;
}

static int check_usage(const struct options *o)
{
	struct err e;
	int status = 0;

	if (o->operands_n == 0)
		return usage_error(COMMAND_PROBE,
			"probe needs a drive; platter list shows the drives "
			"there are");
	if (typed_wish_check(COMMAND_PROBE, o))
		return EXIT_USAGE;
	if (o->quiet && o->verbose)
		return usage_error(COMMAND_PROBE, "--quiet and --verbose exclude each other");
	if (o->trace && strcmp(o->trace, "-") == 0)
		return usage_error(COMMAND_PROBE,
			"--trace needs a file; standard output takes no recording");
	if (o->operands_n > 1 && o->trace)
		return usage_error(COMMAND_PROBE, "--trace records one drive at a time");
	if (o->operands_n > 1 && o->output && strcmp(o->output, "-") != 0 &&
		!save_is_directory(o->output))
		return usage_error(COMMAND_PROBE, "with several drives, -o takes a directory");
	if (open_check_distinct(o->operands, o->operands_n, &e))
		return usage_error(COMMAND_PROBE, "%s", e.text);
	if (o->output && strcmp(o->output, "-") != 0 && !save_is_directory(o->output))
		status = check_output(o, "", &e);
	if (status)
		say("%s", e.text);
	return status ? EXIT_USAGE : EXIT_FINE;
}

static int probe_all(struct job *job)
{
	const struct options *o = job->o;
	struct err e = {0};
	int status = EXIT_FINE;

	if (opener_start(&job->opener, o->operands, o->operands_n, &e)) {
		say("%s", e.text);
		return EXIT_UNSURE;
	}
	job->paper = (struct paper){.o = o, .t = job->t, .json = document_to_stdout(o),
		.array = o->operands_n > 1};
	typed_wish_make(&job->wish, o);
	for (size_t i = 0; i < o->operands_n && !signals_stop; i++)
		status = worst(status, probe_one(job, o->operands[i]));
	status = worst(status, paper_end(&job->paper));
	opener_stop(&job->opener);
	typed_wish_release(&job->wish);
	return status;
}

int cmd_probe(const struct options *o, const struct terminal *t)
{
	struct job job = {.o = o, .t = t};
	int status = check_usage(o);

	/* with a file to write, the measuring is not in vain */
	if (status == EXIT_FINE && (o->output ? strcmp(o->output, "-") == 0
			: !o->quiet || o->json))
		status = say_output_open();
	return status == EXIT_FINE ? probe_all(&job) : status;
}
