/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the queue probe says of drives whose answers are known, and what a full queue is. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <errno.h>
#include <math.h>

#include "probe/full_queue.h"
#include "sim/sim.h"
#include "tests/unit/plain_drive.h"

static void full_queue(void **state)
{
	/* two outstanding; the last is issued at 50, and what is complete later ran empty */
	struct io ios[] = {
		{.sent_ns = 10, .done_ns = 30},
		{.sent_ns = 10, .done_ns = 20},
		{.sent_ns = 20, .done_ns = 40, .error = -EIO},
		{.sent_ns = 30, .done_ns = 50},
		{.sent_ns = 40, .done_ns = 60},
		{.sent_ns = 50, .done_ns = 70},
		{.error = -ECANCELED},
	};
	double done[7];

	(void)state;
	assert_int_equal(full_queue_times(ios, 7, 10, 0, done), 3);
	NEAR(done[0], 10e-9, 1e-15);
	NEAR(done[1], 20e-9, 1e-15);
	NEAR(done[2], 40e-9, 1e-15);
	assert_int_equal(full_queue_times(ios, 7, 10, 2, done), 1);
	NEAR(done[0], 40e-9, 1e-15);
	assert_int_equal(full_queue_times(ios, 7, 10, 3, done), 0);
}

static void one_after_the_other(void **state)
{
	struct plain p = plain_drive(500107862016, 512);
	struct err e = {0};
	const struct series *s;
	struct doc doc;
	double each = 10e-3 + 4096 / 100e6;

	(void)state;
	p.each_ns = 10e6;
	assert_int_equal(run("queue", &p, &doc, &e), 0);
	NEAR(doc_value(&doc, "queue.gain_2"), 1, 1e-6);
	NEAR(doc_value(&doc, "queue.gain_32"), 1, 1e-6);
	s = doc_find_series(&doc, "queue.iops");
	assert_int_equal(s->rows, 6);
	for (size_t k = 0; k < 6; k++) {
		const double *row = s->values + k * s->columns;

		NEAR(row[0], 1 << k, 0);
		NEAR(row[1], 1 / each, 1e-3);
		NEAR(row[4], each * row[0], 1e-5);
	}
	assert_true(p.now_ns < 7500000000u);
	doc_release(&doc);
}

static void arms_show(void **state)
{
	static const struct {
		const char *spec;
		double least, most;
	} drives[] = {
		{"sim:hts725050a9a362", 0.85, 1.2},
		{"sim:usb2", 0.85, 1.2},
		{"sim:raid0", 1.22, 1.8},
		{"sim:raid1", 1.22, 1.8},
	};

	(void)state;
	for (size_t k = 0; k < sizeof(drives) / sizeof(drives[0]); k++) {
		struct scope scope = {.seed = 4, .runs = 3, .effort = EFFORT_STANDARD};
		const struct finding *f;
		struct err e = {0};
		struct drive *d;
		struct doc doc;

		assert_int_equal(sim_open(drives[k].spec, DRIVE_DIRECT, 4, &d, &e), 0);
		scope.to_bytes = d->info.size_bytes;
		scope.budget_ns = 7500000000u;
		doc_init(&doc);
		assert_int_equal(probe_find("queue")->run(d, &scope, &doc, &e), 0);
		f = doc_find(&doc, "queue.gain_2");
		assert_true(f->value > drives[k].least && f->value < drives[k].most);
		doc_release(&doc);
		drive_close(d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(full_queue),
		cmocka_unit_test(one_after_the_other),
		cmocka_unit_test(arms_show),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
