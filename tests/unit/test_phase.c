/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The platter as a clock, read from documents written by hand. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>

#include "probe/phase.h"

static const struct drive_info INFO = {
	.size_bytes = 1u << 30, .logical_block_bytes = 512, .physical_block_bytes = 4096};

static void put_period(struct doc *doc, uint32_t unit)
{
	doc_put(doc, "rotation.period_s", &(struct finding){.how = HOW_MEASURED,
		.value = 0.00833, .low = 0.00832, .high = 0.00834, .confidence = 0.95, .samples = 96,
		.spread = NAN, .method = "rotation/1", .request_bytes = unit});
}

static void nothing_is_known_before(void **state)
{
	struct interval v = {1, 2, 3};
	struct doc doc;

	(void)state;
	doc_init(&doc);
	assert_false(phase_known(&doc));
	assert_false(phase_period(&doc, &v));
	assert_false(phase_track_bytes(&doc, 0, &v));
	assert_true(v.value == 1 && v.low == 2 && v.high == 3);
	assert_int_equal(phase_step(&doc), 0);
	assert_int_equal(phase_unit(&doc, &INFO), 4096);
	doc_put_unknown(&doc, "rotation.period_s", "rotation/1", "no rotation was seen");
	assert_false(phase_known(&doc));
	doc_release(&doc);
}

static void period_and_unit_are_rotation_s(void **state)
{
	struct interval v;
	struct doc doc;

	(void)state;
	doc_init(&doc);
	put_period(&doc, 512);
	assert_true(phase_known(&doc) && phase_period(&doc, &v));
	assert_true(v.value == 0.00833 && v.low == 0.00832 && v.high == 0.00834);
	assert_int_equal(phase_unit(&doc, &INFO), 512);
	doc_release(&doc);
}

static void step_is_the_smallest_between_visits_of_one_anchor(void **state)
{
	/* anchors in turn, visits of one missing, anchor numbers used again in the second run */
	static const double rows[][5] = {
		{0, 0, 1000000, 0, 1.0}, {0, 1, 9000000, 0, 1.1}, {0, 0, 999488, 0, 1.2},
		{0, 0, 998464, 0, 1.3}, {0, 1, 8999488, 0, 1.4}, {1, 0, 5000064, 0, 1.5},
	};
	struct doc doc;

	(void)state;
	doc_init(&doc);
	put_period(&doc, 512);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		series_add(doc_series(&doc, "rotation.visits"), rows[i]);
	assert_int_equal(phase_step(&doc), -512);
	doc_release(&doc);
}

static void track_is_interpolated_between_its_places(void **state)
{
	static const double rows[][5] = {
		{1000, 600, 590, 610, 0.001}, {3000, 400, 396, 404, NAN}, {4000, 300, NAN, NAN, NAN}};
	struct interval v;
	struct doc doc;

	(void)state;
	doc_init(&doc);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		series_add(doc_series(&doc, "track.length"), rows[i]);
	assert_true(phase_track_bytes(&doc, 0, &v));
	assert_true(v.value == 600 && v.low == 590 && v.high == 610);
	assert_true(phase_track_bytes(&doc, 2000, &v));
	assert_true(v.value == 500 && v.low == 493 && v.high == 507);
	assert_true(phase_track_bytes(&doc, 1u << 20, &v));
	assert_true(v.value == 300 && v.low == 300 && v.high == 300);
	doc_release(&doc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_known_before),
		cmocka_unit_test(period_and_unit_are_rotation_s),
		cmocka_unit_test(step_is_the_smallest_between_visits_of_one_anchor),
		cmocka_unit_test(track_is_interpolated_between_its_places),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
