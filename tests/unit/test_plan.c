/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plans over a small probe table of the test's own, which stands in for probe/probe_table.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <string.h>

#include "plan/plan.h"
#include "plan/survey.h"
#include "tests/unit/tiny_drive.h"

/* ---- the table: three probes whose keys are in the catalogue --------------------------------- */

static int seekers_returns;      /* what the probe "seekers" ends with */

static void put(struct doc *doc, const char *key)
{
	doc_put(doc, key, &(struct finding){.how = HOW_MEASURED, .value = 5, .low = 4, .high = 6,
		.confidence = 0.95, .samples = 3, .method = "test/1"});
}

static int run_buffered(struct drive *d, const struct scope *scope, struct doc *doc, struct err *e)
{
	(void)e;
	(void)scope;
	put(doc, "buffered.bytes_per_s");
	return drive_read(d, 0, 4096, NULL, NULL);
}

static int run_access(struct drive *d, const struct scope *scope, struct doc *doc, struct err *e)
{
	struct event event = {.kind = "read_error", .length = 512, .error = -EIO};
	int status = 0;

	(void)e;
	for (int i = 0; i < 4 && status == 0; i++)
		status = drive_read(d, scope->from_bytes, 512, NULL, NULL);
	if (status)
		return status;
	event.at_s = (double)drive_now_ns(d) / 1e9;
	doc_event(doc, &event);
	put(doc, "access.mean_s");
	return 0;
}

static int run_seekers(struct drive *d, const struct scope *scope, struct doc *doc, struct err *e)
{
	(void)d;
	(void)scope;
	(void)doc;
	if (seekers_returns)
		err_set(e, seekers_returns, "10 reads in a row failed");
	return seekers_returns;
}

static const struct probe table[] = {
	{"buffered", "?", DRIVE_PAGE_CACHE, true, {1, 3, 9}, run_buffered, NULL, {NULL}, NULL, 0,
		true, {{1, 2, 9}, {.5, 1, 3}}},
	{"access", "?", DRIVE_DIRECT, true, {5, 18, 75}, run_access, NULL, {NULL}, NULL, 0, false,
		{{0}}},
	{"seekers", "?", DRIVE_DIRECT, false, {2, 5, 12}, run_seekers, "overhead", {NULL}, NULL, 1,
		false, {{0}}},
	{"queue", "?", DRIVE_DIRECT, false, {1, 1, 1}, run_seekers, NULL, {"seekers", NULL}, NULL, 0,
		false, {{0}}},
	{"class", "?", DRIVE_DIRECT, false, {1, 1, 1}, run_seekers, NULL, {"queue", NULL}, NULL, 0,
		false, {{0}}},
	{"spindle", "?", DRIVE_DIRECT, false, {0.5, 0.5, 0.5}, run_seekers, NULL, {NULL},
		"seekers", 0, false, {{0}}},
	{"patterns", "?", DRIVE_DIRECT, true, {1, 3, 3}, run_seekers, NULL, {NULL}, NULL, 2, false,
		{{0}}},
	{"cache", "?", DRIVE_DIRECT, true, {1, 1, 1}, run_seekers, NULL, {NULL}, NULL, 1, false,
		{{0}}},
};
#define TABLE_N (sizeof(table) / sizeof(table[0]))

const struct probe *probe_at(size_t i)
{
	return i < TABLE_N ? &table[i] : NULL;
}

const struct probe *probe_find(const char *name)
{
	for (size_t i = 0; i < TABLE_N; i++)
		if (strcmp(table[i].name, name) == 0)
			return &table[i];
	return NULL;
}

/* ---- plan ------------------------------------------------------------------------------------ */

static int make(const struct wish *wish, struct plan *plan, struct err *e)
{
	struct tiny t;

	tiny_init(&t);
	*e = (struct err){0};
	return plan_make(wish, &t.drive.info, plan, e);
}

static void standard_probes_in_table_order(void **state)
{
	struct plan plan;
	struct err e;

	(void)state;
	assert_int_equal(make(&(struct wish){.effort = EFFORT_STANDARD, .seed = 7}, &plan, &e), 0);
	assert_int_equal(plan.n, 4);
	assert_string_equal(plan.steps[0].probe->name, "buffered");
	assert_string_equal(plan.steps[1].probe->name, "access");
	assert_int_equal(plan.steps[1].scope.budget_ns, 18000000000u);
	assert_int_equal(plan.budget_ns, 25000000000u);
	/* of the 3 s that "buffered" may use a drive that turns takes 2 */
	assert_int_equal(plan.steps[0].expected_ns, 2000000000u);
	assert_int_equal(plan.expected_ns, 24000000000u);
	assert_int_equal(plan.steps[1].scope.runs, 3);
	assert_int_equal(plan.steps[1].scope.seed, 7);
	assert_int_equal(plan.steps[1].scope.from_bytes, 0);
	assert_int_equal(plan.steps[1].scope.to_bytes, 1u << 20);
}

static void named_probes_once_each_in_table_order(void **state)
{
	const char *const names[] = {"seekers", "access", "seekers"};
	struct wish wish = {.effort = EFFORT_QUICK, .probes = names, .probes_n = 3, .runs = 5};
	struct plan plan;
	struct err e;

	(void)state;
	assert_int_equal(make(&wish, &plan, &e), 0);
	assert_int_equal(plan.n, 2);
	assert_string_equal(plan.steps[0].probe->name, "access");
	assert_string_equal(plan.steps[1].probe->name, "seekers");
	assert_int_equal(plan.expected_ns, 7000000000u);
	assert_int_equal(plan.steps[0].scope.runs, 5);
	wish.probes_n = 0;
	assert_int_equal(make(&wish, &plan, &e), -EINVAL);
}

static void what_a_probe_needs_comes_before_it(void **state)
{
	const char *const names[] = {"class"};
	struct wish wish = {.probes = names, .probes_n = 1};
	struct plan plan;
	struct err e;

	(void)state;
	assert_int_equal(make(&wish, &plan, &e), 0);
	assert_int_equal(plan.n, 3);
	assert_string_equal(plan.steps[0].probe->name, "seekers");
	assert_string_equal(plan.steps[1].probe->name, "queue");
	assert_string_equal(plan.steps[2].probe->name, "class");
}

static void a_short_probe_comes_after_each_that_follows(void **state)
{
	static const char *const expected[] = {
		"buffered", "access", "seekers", "spindle", "queue", "spindle"};
	const char *const names[] = {"spindle", "buffered", "access", "queue"};
	struct wish wish = {.probes = names, .probes_n = 4};
	struct plan plan;
	struct err e;

	(void)state;
	assert_int_equal(make(&wish, &plan, &e), 0);
	assert_int_equal(plan.n, 6);
	for (size_t i = 0; i < 6; i++)
		assert_string_equal(plan.steps[i].probe->name, expected[i]);
	assert_int_equal(plan.steps[3].scope.budget_ns, 500000000u);
}

static void keys_belong_to_their_probe(void **state)
{
	(void)state;
	assert_true(probe_puts(&table[2], "seekers.iops"));
	assert_true(probe_puts(&table[2], "overhead.command_s"));
	assert_false(probe_puts(&table[2], "seek.average_s"));
	assert_false(probe_puts(&table[1], "overhead.command_s"));
}

#define NEAR(ns, seconds) assert_true(fabs((double)(ns) / 1e9 - (seconds)) < 1e-6)

static void what_does_not_turn_takes_its_own_time(void **state)
{
	struct wish wish = {.effort = EFFORT_STANDARD};
	struct tiny t;
	struct plan plan;
	struct err e;

	(void)state;
	tiny_init(&t);
	t.drive.info.rotating = ROTATING_NO;
	assert_int_equal(plan_make(&wish, &t.drive.info, &plan, &e), 0);
	assert_int_equal(plan.steps[0].scope.budget_ns, 3000000000u);
	assert_int_equal(plan.steps[0].expected_ns, 1000000000u);
}

/* quick asks 1 + 5 + 1 + 1 = 8 s, standard 3 + 18 + 3 + 1 = 25 s; nine tenths of a limit are shared */
static void a_limit_is_shared_as_the_efforts_share(void **state)
{
	struct wish wish = {.effort = EFFORT_STANDARD, .max_time_ns = 60000000000u};
	struct plan plan;
	struct err e;

	(void)state;
	assert_int_equal(make(&wish, &plan, &e), 0);
	NEAR(plan.steps[1].scope.budget_ns, 18);
	assert_int_equal(plan.steps[1].scope.effort, EFFORT_STANDARD);
	/* 22.5 s are nine tenths of what standard asks, and enough for it */
	wish.max_time_ns = 25000000000u;
	assert_int_equal(make(&wish, &plan, &e), 0);
	NEAR(plan.steps[0].scope.budget_ns, 2.7);
	NEAR(plan.steps[1].scope.budget_ns, 16.2);
	assert_int_equal(plan.steps[1].scope.effort, EFFORT_STANDARD);
	/* 16.5 s are half way from quick to standard */
	wish.max_time_ns = 18333333333u;
	assert_int_equal(make(&wish, &plan, &e), 0);
	NEAR(plan.steps[0].scope.budget_ns, 2);
	NEAR(plan.steps[1].scope.budget_ns, 11.5);
	assert_int_equal(plan.steps[1].scope.effort, EFFORT_QUICK);
	assert_false(plan.short_of_time);
	/* 7.2 s are nine tenths of what quick asks */
	wish.max_time_ns = 8000000000u;
	assert_int_equal(make(&wish, &plan, &e), 0);
	NEAR(plan.steps[1].scope.budget_ns, 4.5);
	assert_int_equal(plan.n, 4);
	assert_false(plan.short_of_time);
}

static void steps_are_left_out_where_a_limit_has_no_room(void **state)
{
	const char *const names[] = {"access", "patterns"};
	struct wish wish = {.effort = EFFORT_STANDARD, .max_time_ns = 7000000000u};
	struct plan plan;
	struct err e;

	(void)state;
	/* 6.3 s are less than four fifths of 8 s, more than those of 7 s */
	assert_int_equal(make(&wish, &plan, &e), 0);
	assert_true(plan.short_of_time);
	assert_int_equal(plan.n, 3);
	assert_string_equal(plan.steps[2].probe->name, "cache");
	assert_int_equal(plan.left_out_n, 1);
	assert_string_equal(plan.left_out[0]->name, "patterns");
	NEAR(plan.steps[1].scope.budget_ns, 4.5);
	/* with four fifths of the 8 s, a run would not be one in part */
	NEAR(plan.enough_ns, 6.4 / 0.9);
	/* what was asked for by name stays */
	wish.probes = names;
	wish.probes_n = 2;
	wish.max_time_ns = 1;
	assert_int_equal(make(&wish, &plan, &e), 0);
	assert_int_equal(plan.n, 2);
	assert_int_equal(plan.left_out_n, 0);
	assert_int_equal(plan.steps[1].scope.budget_ns, 1);
	assert_true(plan.short_of_time);
}

static void more_runs_take_more_time_up_to_a_limit(void **state)
{
	struct wish wish = {.effort = EFFORT_STANDARD, .runs = 30};
	struct plan plan;
	struct err e;

	(void)state;
	assert_int_equal(make(&wish, &plan, &e), 0);
	NEAR(plan.steps[0].scope.budget_ns, 30); /* ten times the 3 s of 3 runs */
	NEAR(plan.steps[1].scope.budget_ns, 18); /* has no runs */
	wish.runs = 1;
	assert_int_equal(make(&wish, &plan, &e), 0);
	NEAR(plan.steps[0].scope.budget_ns, 3);
	wish.runs = 30;
	wish.max_time_ns = 30000000000u;
	/* 22 s + a second for each of 5 runs are 27 s */
	assert_int_equal(make(&wish, &plan, &e), 0);
	assert_int_equal(plan.steps[0].scope.runs, 5);
	NEAR(plan.steps[0].scope.budget_ns, 5);
}

static void region_is_rounded_inward(void **state)
{
	struct wish wish = {.from_bytes = 1, .to_bytes = 4099};
	struct plan plan;
	struct err e;

	(void)state;
	assert_int_equal(make(&wish, &plan, &e), 0);
	assert_int_equal(plan.steps[0].scope.from_bytes, 512);
	assert_int_equal(plan.steps[0].scope.to_bytes, 4096);
}

static void bad_wishes_get_a_sentence(void **state)
{
	static const char *const nonsense[] = {"nonsense"};
	const struct {
		struct wish wish;
		const char *says;
	} bad[] = {
		{{.probes = nonsense, .probes_n = 1}, "there are: buffered, access, seekers"},
		{{.from_bytes = 1u << 20}, "starts at byte 1048576, but tiny ends"},
		{{.to_bytes = (1u << 20) + 1}, "ends at byte 1048577, but tiny ends"},
		{{.from_bytes = 513, .to_bytes = 1535}, "does not hold one block of 512"},
		{{.from_bytes = 4096, .to_bytes = 512}, "ends at byte 512, before its start at byte 4096"},
		{{.request_bytes = 700}, "not a multiple of the 512"},
		{{.request_bytes = (16u << 20) + 512}, "too large"},
		{{.depth = 257}, "at most 256"},
	};
	struct plan plan;
	struct err e;

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(make(&bad[i].wish, &plan, &e), -EINVAL);
		assert_non_null(strstr(e.text, bad[i].says));
	}
}

/* ---- survey ---------------------------------------------------------------------------------- */

struct bench {
	struct tiny direct, cached;
	int cached_status;
	unsigned cached_opened, steps;
	struct survey survey;
	struct plan plan;
	struct doc doc;
	struct err e;
};

static int open_cached(void *arg, struct drive **drive, struct err *e)
{
	struct bench *b = arg;

	b->cached_opened++;
	*drive = &b->cached.drive;
	if (b->cached_status)
		return err_set(e, b->cached_status, "no page cache today");
	return 0;
}

static void step(void *arg, const struct plan *plan, size_t k)
{
	struct bench *b = arg;

	assert_ptr_equal(plan, &b->plan);
	assert_int_equal(k, b->steps);
	b->steps++;
}

static int prepare(void **state)
{
	static struct bench b;
	static const char *const names[] = {"buffered", "access", "seekers"};
	struct wish wish = {.effort = EFFORT_FULL, .probes = names, .probes_n = 3, .seed = 11};

	memset(&b, 0, sizeof(b));
	tiny_init(&b.direct);
	tiny_init(&b.cached);
	b.survey = (struct survey){&b.direct.drive, open_cached, step, &b};
	doc_init(&b.doc);
	seekers_returns = 0;
	*state = &b;
	return plan_make(&wish, &b.direct.drive.info, &b.plan, &b.e);
}

static int clear(void **state)
{
	doc_release(&((struct bench *)*state)->doc);
	return 0;
}

static const char *why(const struct bench *b, const char *key)
{
	const struct finding *f = doc_find(&b->doc, key);

	assert_non_null(f);
	assert_int_equal(f->how, HOW_UNKNOWN);
	return f->why_not;
}

static void every_quantity_of_a_step_is_put(void **state)
{
	struct bench *b = *state;

	assert_int_equal(survey_run(&b->survey, &b->plan, &b->doc, &b->e), 0);
	assert_true(b->doc.complete);
	assert_int_equal(b->steps, 3);
	assert_int_equal(b->cached_opened, 1);
	assert_int_equal(b->cached.closed, 1);
	assert_int_equal(b->direct.closed, 0);
	for (size_t i = 0; quantity_at(i); i++) {
		const char *key = quantity_at(i)->key;
		int ours = !strncmp(key, "buffered.", 9) || !strncmp(key, "access.", 7) ||
			!strncmp(key, "seekers.", 8) || !strncmp(key, "overhead.", 9);

		assert_int_equal(doc_find(&b->doc, key) != NULL, ours);
	}
	assert_true(doc_value(&b->doc, "access.mean_s") == 5);
	assert_string_equal(why(b, "access.p99_s"), "the probe gave no figure for it");
	assert_string_equal(b->doc.settings.effort, "full");
	assert_string_equal(b->doc.settings.direct, "direct");
	assert_string_equal(b->doc.settings.read_method, "tiny");
	assert_int_equal(b->doc.settings.seed, 11);
	assert_int_equal(b->doc.settings.runs, 3);
	assert_int_equal(b->doc.settings.plan_version, PLAN_VERSION);
	assert_int_equal(b->doc.settings.to_bytes, 1u << 20);
	/* one read through the cache, one that may wake it and four past it, of 1 ms each */
	assert_float_equal(b->doc.elapsed_s, 0.006, 1e-9);
	assert_float_equal(b->doc.events[0].at_s, 0.006, 1e-9);
	assert_false(b->doc.findings[0].cached);
}

static void a_plan_short_of_time_is_one_in_part(void **state)
{
	struct bench *b = *state;
	const struct wish wish = {.effort = EFFORT_STANDARD, .max_time_ns = 7000000000u};

	assert_int_equal(plan_make(&wish, &b->direct.drive.info, &b->plan, &b->e), 0);
	assert_int_equal(survey_run(&b->survey, &b->plan, &b->doc, &b->e), -EINTR);
	assert_false(b->doc.complete);
	assert_true(doc_value(&b->doc, "access.mean_s") == 5);
	assert_string_equal(why(b, "patterns.reread_bytes_per_s"),
		"the time limit left no time for it: --max-time of 8 s or more has it");
	assert_string_equal(b->doc.events[b->doc.events_n - 1].kind, "time_limit");
	assert_string_equal(b->doc.settings.effort, "quick");
}

static void cached_drive_that_does_not_open(void **state)
{
	struct bench *b = *state;

	b->cached_status = -EMFILE;
	assert_int_equal(survey_run(&b->survey, &b->plan, &b->doc, &b->e), -EMFILE);
	assert_string_equal(b->e.text, "no page cache today");
	assert_string_equal(why(b, "buffered.bytes_per_s"), "no page cache today");
	assert_true(doc_value(&b->doc, "access.mean_s") == 5);
	assert_false(b->doc.complete);
}

static void a_step_that_fails_does_not_end_the_others(void **state)
{
	struct bench *b = *state;

	seekers_returns = -EIO;
	assert_int_equal(survey_run(&b->survey, &b->plan, &b->doc, &b->e), -EIO);
	assert_string_equal(why(b, "seekers.iops"), "10 reads in a row failed");
	assert_true(doc_value(&b->doc, "access.mean_s") == 5);
	assert_int_equal(b->steps, 3);
	assert_false(b->doc.complete);
}

static void a_lost_drive_ends_all(void **state)
{
	static const struct {
		int status;
		const char *why, *event;
	} ends[] = {
		{-ENODEV, "the drive was lost", "drive_gone"},
		{-ETIME, "the drive gave no answer", "no_answer"},
		{-EINTR, "stopped before it was measured", "stopped"},
	};

	for (size_t i = 0; i < 3; i++) {
		struct bench *b;

		if (i) {
			clear(state);
			assert_int_equal(prepare(state), 0);
		}
		b = *state;
		b->direct.end_at_read = 3;
		b->direct.end_status = ends[i].status;
		assert_int_equal(survey_run(&b->survey, &b->plan, &b->doc, &b->e), ends[i].status);
		assert_int_equal(b->steps, 2);
		assert_true(doc_value(&b->doc, "buffered.bytes_per_s") == 5);
		assert_string_equal(why(b, "access.mean_s"), ends[i].why);
		assert_string_equal(why(b, "seekers.iops"), ends[i].why);
		assert_int_equal(b->doc.events_n, 1);
		assert_string_equal(b->doc.events[0].kind, ends[i].event);
		assert_false(b->doc.complete);
		assert_true(b->e.text[0]);
	}
}

static void refused_direct_marks_direct_findings(void **state)
{
	struct bench *b = *state;

	b->direct.drive.info.path = DRIVE_DIRECT_REFUSED;
	b->direct.drive.info.simulated = true;
	assert_int_equal(survey_run(&b->survey, &b->plan, &b->doc, &b->e), 0);
	assert_true(doc_find(&b->doc, "access.mean_s")->cached);
	assert_false(doc_find(&b->doc, "buffered.bytes_per_s")->cached);
	assert_string_equal(b->doc.settings.direct, "refused");
	assert_int_equal(b->doc.notes_n, 1);
	assert_true(b->doc.simulated);
}

static void a_cached_file_below_marks_direct_findings(void **state)
{
	struct bench *b = *state;

	b->direct.drive.info.path = DRIVE_DIRECT_BELOW_CACHED;
	assert_int_equal(survey_run(&b->survey, &b->plan, &b->doc, &b->e), 0);
	assert_true(doc_find(&b->doc, "access.mean_s")->cached);
	assert_string_equal(b->doc.settings.direct, "below_cached");
	assert_int_equal(b->doc.notes_n, 1);
	assert_non_null(strstr(b->doc.notes[0], "losetup --direct-io=on"));
}

static void another_recording_ends_all(void **state)
{
	struct bench *b = *state;

	b->direct.end_at_read = 3;
	b->direct.end_status = -EPROTO;
	assert_int_equal(survey_run(&b->survey, &b->plan, &b->doc, &b->e), -EPROTO);
	assert_int_equal(b->steps, 2);
	assert_non_null(strstr(why(b, "access.mean_s"), "does not hold this run"));
	assert_non_null(strstr(why(b, "seekers.iops"), "another seed"));
	assert_int_equal(b->doc.events_n, 0);
	assert_false(b->doc.complete);
}

#define SURVEY_TEST(f) cmocka_unit_test_setup_teardown(f, prepare, clear)

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(standard_probes_in_table_order),
		cmocka_unit_test(named_probes_once_each_in_table_order),
		cmocka_unit_test(what_a_probe_needs_comes_before_it),
		cmocka_unit_test(a_short_probe_comes_after_each_that_follows),
		cmocka_unit_test(keys_belong_to_their_probe),
		cmocka_unit_test(what_does_not_turn_takes_its_own_time),
		cmocka_unit_test(a_limit_is_shared_as_the_efforts_share),
		cmocka_unit_test(steps_are_left_out_where_a_limit_has_no_room),
		cmocka_unit_test(more_runs_take_more_time_up_to_a_limit),
		cmocka_unit_test(region_is_rounded_inward),
		cmocka_unit_test(bad_wishes_get_a_sentence),
		SURVEY_TEST(every_quantity_of_a_step_is_put),
		SURVEY_TEST(a_plan_short_of_time_is_one_in_part),
		SURVEY_TEST(cached_drive_that_does_not_open),
		SURVEY_TEST(a_step_that_fails_does_not_end_the_others),
		SURVEY_TEST(a_lost_drive_ends_all),
		SURVEY_TEST(refused_direct_marks_direct_findings),
		SURVEY_TEST(a_cached_file_below_marks_direct_findings),
		SURVEY_TEST(another_recording_ends_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
