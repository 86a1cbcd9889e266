/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ask → judge → document → paper, one drive after the other. Nothing is measured and no sleeping drive
 * woken unless that is wished. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/asked.h"
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/open.h"
#include "cli/paper.h"
#include "cli/save.h"
#include "cli/say.h"
#include "cli/signals.h"
#include "cli/worst.h"
#include "judge/judge_signs.h"
#include "smart/dump.h"

struct job {
	const struct options *o;
	struct opener opener;
	struct paper paper;
};

static int exit_of(const struct asked *a, const struct signs *signs)
{
	if (signs->n && signs->signs[0].severity == SIGN_REJECT)
		return EXIT_BAD;
	return a->not_asked[0] ? EXIT_UNSURE : EXIT_FINE;
}

/* What is on it, unless to look would wake it. */
static void look_at_contents(struct job *job, const struct asked *a, const char *name,
	struct doc *doc)
{
	struct err e = {0};

	if (a->asleep)
		snprintf(e.text, sizeof(e.text), "To look what is on the drive would wake it.");
	platform_contents(a->asleep ? NULL : job->opener.platform, name, &doc->contents, &e);
	if (e.text[0])
		signs_unmade(&doc->signs, "contents", "%s", e.text);
}

/* The document takes over what was told. */
static void make_doc(struct doc *doc, struct asked *a, bool from_file)
{
	struct judge_signs_input in = {.identity = &doc->identity, .smart = &doc->smart, .from_file = from_file,
		.contents = doc->contents.n ? &doc->contents : NULL,
		.not_asked = a->not_asked[0] ? a->not_asked : NULL};

	doc->identity = a->identity;
	doc->smart = a->facts;
	a->facts = (struct facts){0};
	judge_signs(&doc->signs, &in);
	if (a->not_asked[0] && a->from_file)
		signs_unmade(&doc->signs, "file", "%s", a->not_asked);
	if (a->not_asked[0])
		doc_note(doc, "%s", a->not_asked);
	doc->complete = !a->not_asked[0];
}

static int save(const struct options *o, const struct asked *a)
{
	struct text dump = {0};
	struct err e;
	int status = EXIT_FINE;

	dump_write(&dump, &a->pages);
	if (!dump.length) {
		say("%s was not written: there is no answer of the drive to keep", o->save);
		status = EXIT_UNSURE;
	} else if (save_file(o->save, &dump, &e)) {
		say("%s", e.text);
		status = EXIT_UNSURE;
	}
	text_release(&dump);
	return status;
}

/* Many of the system's sentences name the drive themselves. */
static void say_of(const char *name, const char *sentence)
{
	if (text_starts(sentence, name))
		say("%s", sentence);
	else
		say("%s: %s", name, sentence);
}

/* What was asked becomes paper; device: its name, NULL: it is not there. */
static int show(struct job *job, struct asked *a, const char *device)
{
	struct doc doc;
	int status = EXIT_FINE;

	doc_init(&doc);
	platform_utc_now(doc.start_time, sizeof(doc.start_time));
	platform_host(&doc.host);
	if (job->o->anonymous)
		ask_anonymise(a);
	if (device)
		look_at_contents(job, a, device, &doc);
	if (job->o->save)
		status = save(job->o, a);
	make_doc(&doc, a, !device);
	if (a->not_asked[0] && !job->paper.json)
		say_of(a->identity.device_name, a->not_asked);
	status = worst(status, worst(exit_of(a, &doc.signs), paper_add(&job->paper, &doc)));
	doc_release(&doc);
	return status;
}

static int show_drive(struct job *job, const char *name)
{
	enum ask_how how = job->o->wake ? ASK_WAKE : ASK_AWAKE;
	struct asked a;
	struct err e = {0};
	int status = ask_drive(&a, job->opener.platform, name, how, &e);

	if (status) {
		say("%s", e.text);
		status = open_exit_status(status);
	} else {
		status = show(job, &a, name);
	}
	asked_release(&a);
	return status;
}

static int show_dump(struct job *job, const char *file)
{
	const char *slash = strrchr(file, '/');
	struct text content = {0};
	struct asked a = {0};
	int status = load_file(file, &content);

	if (status) {
		say("cannot read %s: %s", file, strerror(-status));
		status = EXIT_UNSURE;
	} else if (ask_dump(&a, job->o->anonymous ? "dump" : slash ? slash + 1 : file, content.chars, content.length)) {
		say("%s is no file that platter smart --save or skdump --save wrote", file);
		status = EXIT_USAGE;
	} else {
		status = show(job, &a, NULL);
	}
	text_release(&content);
	asked_release(&a);
	return status;
}

static int check_usage(const struct options *o)
{
	struct err e;

	if (o->load && (o->operands_n || o->wake))
		return usage_error(COMMAND_SMART,
			"--load shows a file in place of a drive; neither a drive nor --wake goes with it");
	if (o->operands_n == 0 && !o->load)
		return usage_error(COMMAND_SMART,
			"smart needs a drive; platter list shows the drives there are");
	if (o->save && o->operands_n > 1)
		return usage_error(COMMAND_SMART, "--save keeps one drive at a time");
	if (o->anonymous && (o->show_serial || o->full_identity))
		return usage_error(COMMAND_SMART,
			"--anonymous and what shows whole names exclude each other");
	for (size_t i = 0; i < o->operands_n; i++)
		if (open_source(o->operands[i]) != SOURCE_DEVICE)
			return usage_error(COMMAND_SMART,
				"%s is no drive of this machine, and only such can be asked",
				o->operands[i]);
	if (open_check_distinct(o->operands, o->operands_n, &e))
		return usage_error(COMMAND_SMART, "%s", e.text);
	return EXIT_FINE;
}

int cmd_smart(const struct options *o, const struct terminal *t)
{
	struct job job = {.o = o, .paper = {.o = o, .t = t, .json = o->json,
		.array = o->operands_n > 1}};
	int status = check_usage(o);
	struct err e = {0};

	if (status == EXIT_FINE)
		status = say_output_open();
	if (status == EXIT_FINE && o->save && save_check(o->save, &e)) {
		say("%s", e.text);
		status = EXIT_USAGE;
	}
	if (status != EXIT_FINE)
		return status;
	if (opener_start(&job.opener, o->operands, o->operands_n, &e)) {
		say("%s", e.text);
		return EXIT_UNSURE;
	}
	if (o->load)
		status = show_dump(&job, o->load);
	for (size_t i = 0; i < o->operands_n && !signals_stop; i++)
		status = worst(status, show_drive(&job, o->operands[i]));
	status = worst(status, paper_end(&job.paper));
	opener_stop(&job.opener);
	return status;
}
