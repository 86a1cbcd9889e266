/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A whole survey of a simulated drive, recorded and played back: the document is the same to the
 * byte; a recording cut off anywhere gives a document all the same, and says what is missing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <string.h>
#include <unistd.h>
#include <stdlib.h>

#include "doc/doc_json.h"
#include "drive/trace.h"
#include "plan/survey.h"
#include "sim/replay.h"
#include "sim/sim.h"

#define SEED 5

static int keep(void *arg, const void *bytes, size_t length)
{
	text_add_bytes(arg, bytes, length);
	return 0;
}

/* Where reads through the page cache go: the same kind of source as the direct ones. */
struct source {
	struct text *record[2]; /* by enum drive_path; NULL: play */
	const char *play[2];
	struct drive *raw;      /* the cached drive under the recording */
};

static int open_one(struct source *s, enum drive_path path, struct drive **raw, struct drive **top,
	struct err *e)
{
	struct trace_sink sink = {keep, s->record[path]};
	int status;

	if (s->play[path]) {
		status = replay_open(s->play[path], PLAN_VERSION, raw, e);
		*top = *raw;
		return status;
	}
	status = sim_open("sim:hts725050a9a362", path, SEED, raw, e);
	if (status == 0)
		*top = trace_open(*raw, PLAN_VERSION, &sink);
	return status;
}

static int open_cached(void *arg, struct drive **drive, struct err *e)
{
	struct source *s = arg;

	return open_one(s, DRIVE_PAGE_CACHE, &s->raw, drive, e);
}

/* The document of a survey, as JSON to be freed. */
static char *survey_json(struct source *s, struct drive *direct, const char *const *probes,
	size_t n, int *status)
{
	struct survey survey = {.direct = direct, .open_cached = open_cached, .arg = s};
	struct wish wish = {.effort = EFFORT_QUICK, .seed = SEED, .probes = probes, .probes_n = n};
	struct text json = {0};
	struct err e = {0};
	struct plan plan;
	struct doc doc;

	doc_init(&doc);
	assert_int_equal(plan_make(&wish, &direct->info, &plan, &e), 0);
	*status = survey_run(&survey, &plan, &doc, &e);
	doc_json_write(&doc, NULL, &json);
	doc_release(&doc);
	return text_take(&json);
}

static void write_file(char *name, const struct text *t, size_t length)
{
	int fd;

	strcpy(name, "/tmp/platter-survey-XXXXXX");
	fd = mkstemp(name);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, t->chars, length), (ssize_t)length);
	close(fd);
}

static void replayed_survey_is_the_same_to_the_byte(void **state)
{
	struct text file[2] = {{0}, {0}};
	struct source live = {.record = {&file[0], &file[1]}}, played = {0};
	struct drive *raw, *top;
	struct err e;
	char name[2][64], *before, *after;
	int status;

	(void)state;
	assert_int_equal(open_one(&live, DRIVE_DIRECT, &raw, &top, &e), 0);
	before = survey_json(&live, top, NULL, 0, &status);
	assert_int_equal(status, 0);
	drive_close(top);
	drive_close(raw);
	drive_close(live.raw);
	for (int i = 0; i < 2; i++) {
		write_file(name[i], &file[i], file[i].length);
		played.play[i] = name[i];
	}
	assert_int_equal(open_one(&played, DRIVE_DIRECT, &raw, &top, &e), 0);
	after = survey_json(&played, top, NULL, 0, &status);
	assert_int_equal(status, 0);
	assert_string_equal(replay_missing(raw), "");
	assert_string_equal(before, after);
	drive_close(raw);
	for (int i = 0; i < 2; i++) {
		unlink(name[i]);
		text_release(&file[i]);
	}
	free(before);
	free(after);
}

static void cut_off_it_gives_a_document_and_says_so(void **state)
{
	static const char *const probes[] = {"access"};
	struct text file = {0};
	struct source live = {.record = {&file, NULL}};
	struct drive *raw, *top;
	struct err e;
	char name[64];
	int status;

	(void)state;
	assert_int_equal(open_one(&live, DRIVE_DIRECT, &raw, &top, &e), 0);
	free(survey_json(&live, top, probes, 1, &status));
	assert_int_equal(status, 0);
	drive_close(top);
	drive_close(raw);
	for (size_t k = 3; k < 60; k++) { /* behind the header */
		struct source played = {0};
		struct doc doc;
		char *json;

		write_file(name, &file, file.length * k / 60);
		played.play[0] = name;
		assert_int_equal(open_one(&played, DRIVE_DIRECT, &raw, &top, &e), 0);
		json = survey_json(&played, top, probes, 1, &status);
		assert_int_equal(status, -EPROTO);
		assert_non_null(strstr(replay_missing(raw), "cut off"));
		doc_init(&doc);
		assert_int_equal(doc_json_read(&doc, json, strlen(json), &e), 0);
		assert_false(doc.complete);
		assert_non_null(doc_find(&doc, "access.mean_s"));
		doc_release(&doc);
		free(json);
		drive_close(raw);
		unlink(name);
	}
	text_release(&file);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(replayed_survey_is_the_same_to_the_byte),
		cmocka_unit_test(cut_off_it_gives_a_document_and_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
