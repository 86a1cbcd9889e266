/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the clock probe says of drives planted here, and the line between hits and the medium. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <errno.h>
#include <math.h>
#include <string.h>

#include "probe/hit.h"
#include "sim/truth.h"
#include "sim/sim_inside.h"
#include "tests/unit/plain_drive.h"

/* Runs the clock probe on a simulated drive: built-in, and a line on top of it. */
static void clock_of(const char *like, const char *line, struct doc *doc)
{
	struct scope scope = {.seed = 3, .runs = 3, .effort = EFFORT_STANDARD};
	struct truth t;
	struct err e = {0};
	struct drive *d;

	truth_init(&t);
	assert_int_equal(truth_of_spec(like, &t, &e), 0);
	if (line)
		assert_int_equal(truth_set(&t, line, &e), 0);
	assert_int_equal(truth_check(&t, &e), 0);
	d = sim_drive_open(&t, 3, "sim:test");
	scope.to_bytes = d->info.size_bytes;
	scope.budget_ns = 1200000000u;
	doc_init(doc);
	assert_int_equal(probe_find("clock")->run(d, &scope, doc, &e), 0);
	assert_true(drive_now_ns(d) < 1000000000u + scope.budget_ns + 100000000u);
	drive_close(d);
}

static void a_disk(void **state)
{
	struct doc doc;

	(void)state;
	clock_of("hts545050b9sa02", NULL, &doc);
	/* 16 us of host, 5 more on average, 120 us of command, one sector at 270 MB/s */
	NEAR(doc_value(&doc, "clock.hit_s"), 142e-6, 4e-6);
	NEAR(doc_value(&doc, "overhead.command_s"), 141e-6, 5e-6);
	NEAR(doc_value(&doc, "overhead.interface_bytes_per_s"), 270e6, 8e6);
	assert_int_equal(doc_find(&doc, "clock.tick_s")->how, HOW_UNKNOWN);
	NEAR(hit_threshold_s(&doc), 142e-6 + 150e-6, 6e-6);
	doc_release(&doc);

	clock_of("usb2", NULL, &doc);
	NEAR(doc_value(&doc, "clock.tick_s"), 125e-6, 1e-7);
	/* both ways of 42 MB/s and 270 MB/s, one behind the other */
	NEAR(doc_value(&doc, "overhead.interface_bytes_per_s"), 1 / (1 / 42e6 + 1 / 270e6), 6e5);
	doc_release(&doc);
}

/* A place that cannot be read is asked for once, and the others tell what there is to know. */
static void bad_places_are_read_once(void **state)
{
	struct doc doc;

	(void)state;
	clock_of("hts725050a9a362", "fault=eio 300000000000 200000000000", &doc);
	assert_true(doc_find(&doc, "clock.hit_s")->how != HOW_UNKNOWN);
	assert_true(doc.events_n > 8);
	for (size_t i = 0; i < doc.events_n; i++)
		for (size_t k = 0; k < i; k++)
			assert_true(doc.events[k].offset != doc.events[i].offset);
	doc_release(&doc);
}

/* Where every read again costs a turn the platter is timed like any other. */
static void rotation_without_a_cache(void **state)
{
	static const char *const likes[] = {"hts725050a9a362", "hts545050b9sa02", "max3073nc",
		"6e040l0"};

	(void)state;
	for (size_t i = 0; i < sizeof(likes) / sizeof(likes[0]); i++) {
		struct truth t;
		struct err e = {0};
		struct scope scope = {.seed = 3, .runs = 3, .effort = EFFORT_STANDARD};
		struct drive *d;
		struct doc doc;

		if (truth_of_spec(likes[i], &t, &e) || truth_set(&t, "cache_segments=0", &e) ||
			truth_set(&t, "rpm_error_ppm=0", &e) || truth_check(&t, &e))
			fail_msg("%s", e.text);
		d = sim_drive_open(&t, 3, "sim:test");
		scope.to_bytes = d->info.size_bytes;
		doc_init(&doc);
		scope.budget_ns = 1200000000u;
		assert_int_equal(probe_find("clock")->run(d, &scope, &doc, &e), 0);
		scope.budget_ns = 5000000000u;
		assert_int_equal(probe_find("rotation")->run(d, &scope, &doc, &e), 0);
		NEAR(doc_value(&doc, "rotation.rpm"), t.rpm, 100e-6 * t.rpm);
		doc_release(&doc);
		drive_close(d);
	}
}

static void no_memory(void **state)
{
	static const char *const keys[] = {
		"clock.hit_s", "overhead.command_s", "overhead.interface_bytes_per_s"};
	struct doc doc;

	(void)state;
	clock_of("hts545050b9sa02", "cache_segments = 0", &doc);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(doc_find(&doc, keys[i])->how, HOW_UNKNOWN);
	assert_true(isnan(hit_threshold_s(&doc)));
	/* a place that comes round once a turn is no grid of completions */
	assert_int_equal(doc_find(&doc, "clock.tick_s")->how, HOW_UNKNOWN);
	doc_release(&doc);
	clock_of("hts725050a9a362", "cache_segments = 0", &doc);
	assert_int_equal(doc_find(&doc, "clock.tick_s")->how, HOW_UNKNOWN);
	doc_release(&doc);
	clock_of("virtual", NULL, &doc);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(doc_find(&doc, keys[i])->how, HOW_UNKNOWN);
	doc_release(&doc);
	/* as fast the first time: the answer is told, a cache is not */
	clock_of("smrnew", NULL, &doc);
	NEAR(doc_value(&doc, "clock.hit_s"), 128e-6, 6e-6);
	assert_int_equal(doc_find(&doc, "overhead.command_s")->how, HOW_UNKNOWN);
	doc_release(&doc);
}

static void thresholds(void **state)
{
	double gap[] = {0.0002, 0.00021, 0.0011, 0.005, 0.009}, line = 0;
	double none[] = {0.0002, 0.0003, 0.0004, 0.0005, 0.0006, 0.0007, 0.0008, 0.0009, 0.0010, 0.0011,
		0.0012, 0.0013};

	(void)state;
	assert_int_equal(hit_threshold_of(gap, 5, 0.0002, 0.00833, &line), 0);
	NEAR(line, (0.00021 + 0.0011) / 2, 1e-9);
	/* 0.15 of a revolution of 0.0083 s ends at 1.45 ms: gaps of 0.1 ms tell nothing */
	assert_int_equal(hit_threshold_of(none, 12, 0.0002, 0.00833, &line), -ERANGE);
	/* nothing but hits */
	assert_int_equal(hit_threshold_of(gap, 2, 0.0002, 0.00833, &line), 0);
	assert_true(line > 0.00021);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_disk),
		cmocka_unit_test(bad_places_are_read_once),
		cmocka_unit_test(rotation_without_a_cache),
		cmocka_unit_test(no_memory),
		cmocka_unit_test(thresholds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
