/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A drive that sleeps is woken apart from what is measured: told with its time, in no figure. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <string.h>

#include "plan/survey.h"
#include "plan/wake.h"
#include "sim/sim.h"
#include "sim/sim_inside.h"
#include "sim/truth.h"

#define SPIN_UP_S 4 /* of that built-in drive, as its truth file says */

static const char *const access_only[] = {"access"};

/* A plan of the probe "access", twice, and the drive left alone before the second for idle_ns. */
struct twice {
	struct drive *drive;
	uint64_t idle_ns;
};

static void step(void *arg, const struct plan *plan, size_t k)
{
	struct twice *t = arg;

	(void)plan;
	if (k == 1)
		sim_drive_pass(t->drive, t->idle_ns, 0);
}

static void survey(const char *more, bool again, uint64_t idle_ns, struct doc *doc)
{
	struct wish wish = {.effort = EFFORT_QUICK, .probes = access_only, .probes_n = 1,
		.seed = 5};
	struct twice t = {.idle_ns = idle_ns};
	struct survey survey = {.step = step, .arg = &t};
	struct truth truth;
	struct plan plan;
	struct err e;

	assert_int_equal(truth_of_spec("hts725050a9a362", &truth, &e), 0);
	if (more)
		assert_int_equal(truth_set(&truth, more, &e), 0);
	assert_int_equal(truth_check(&truth, &e), 0);
	t.drive = survey.direct = sim_drive_open(&truth, 5, "sim:test");
	assert_int_equal(plan_make(&wish, &survey.direct->info, &plan, &e), 0);
	if (again) {
		plan.steps[1] = plan.steps[plan.n - 1];
		plan.steps[0] = plan.steps[1];
		plan.n = 2;
	}
	doc_init(doc);
	assert_int_equal(survey_run(&survey, &plan, doc, &e), 0);
	drive_close(survey.direct);
}

static unsigned spin_ups(const struct doc *doc, double *took_s)
{
	unsigned n = 0;

	for (size_t i = 0; i < doc->events_n; i++) {
		if (strcmp(doc->events[i].kind, "spin_up") != 0)
			continue;
		n++;
		*took_s = doc->events[i].took_s;
	}
	return n;
}

static unsigned others(const struct doc *doc)
{
	double took_s;

	return (unsigned)doc->events_n - spin_ups(doc, &took_s);
}

/* With and without the sleep the drive's figures are those of the same drive: its wait is in none. */
static void spin_up_is_in_no_figure(void **state)
{
	struct doc slept, awake;
	double took_s = 0;
	const struct finding *f;

	(void)state;
	survey("fault=standby", false, 0, &slept);
	survey(NULL, false, 0, &awake);
	assert_int_equal(spin_ups(&awake, &took_s), 0);
	assert_int_equal(spin_ups(&slept, &took_s), 1);
	assert_int_equal(others(&slept), 0);
	assert_true(took_s > SPIN_UP_S && took_s < SPIN_UP_S + 0.1);
	f = doc_find(&awake, "access.mean_s");
	assert_true(doc_value(&slept, "access.mean_s") < f->value + 3 * (f->high - f->low));
	assert_true(doc_value(&slept, "access.p99_s") < 0.1 ||
		isnan(doc_value(&slept, "access.p99_s")));
	doc_release(&slept);
	doc_release(&awake);
}

/* It falls asleep while nobody reads: the next step begins with waking it once more. */
static void asleep_again_between_steps(void **state)
{
	struct doc doc;
	double took_s = 0;

	(void)state;
	survey("fault=idle-standby 5", true, UINT64_C(6000000000), &doc);
	assert_int_equal(spin_ups(&doc, &took_s), 1);
	assert_true(took_s > SPIN_UP_S);
	assert_int_equal(others(&doc), 0);
	assert_true(doc_value(&doc, "access.mean_s") < 0.02);
	doc_release(&doc);
	survey("fault=idle-standby 5", true, UINT64_C(4000000000), &doc);
	assert_int_equal(spin_ups(&doc, &took_s), 0);
	doc_release(&doc);
}

/* A place that cannot be read is told and another one tried. */
static void bad_places_are_told(void **state)
{
	struct scope scope = {.to_bytes = 4096, .seed = 1};
	struct drive *d;
	struct truth truth;
	struct doc doc;
	struct err e;

	(void)state;
	truth_init(&truth);
	assert_int_equal(truth_set(&truth, "fault=eio 0 4096", &e), 0);
	assert_int_equal(truth_check(&truth, &e), 0);
	d = sim_drive_open(&truth, 1, "sim:test");
	doc_init(&doc);
	assert_int_equal(wake_drive(d, &scope, 0, false, &doc), 0);
	assert_int_equal(doc.events_n, WAKE_TRIES);
	assert_string_equal(doc.events[0].kind, "read_error");
	assert_int_equal(doc.events[0].error, -EIO);
	doc_release(&doc);
	drive_close(d);
}

static void opening_may_have_woken_it(void **state)
{
	struct drive_info info = {.logical_block_bytes = 512, .first_read_ns = 6500000000};
	struct doc doc;

	(void)state;
	doc_init(&doc);
	wake_told_by_opening(&info, &doc);
	assert_int_equal(doc.events_n, 1);
	assert_string_equal(doc.events[0].kind, "spin_up");
	assert_true(doc.events[0].took_s == 6.5);
	info.first_read_ns = 30000000;
	wake_told_by_opening(&info, &doc);
	assert_int_equal(doc.events_n, 1);
	doc_release(&doc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(spin_up_is_in_no_figure),
		cmocka_unit_test(asleep_again_between_steps),
		cmocka_unit_test(bad_places_are_told),
		cmocka_unit_test(opening_may_have_woken_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
