/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The mechanics in the report: speeds, the sum of a read's time, the curve of moves, the queue. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "sheet/sheet_build.h"
#include "tests/unit/made_up.h"

static const struct sheet_item *item_with(const struct sheet *sheet, enum sheet_kind kind,
	size_t text, const char *part)
{
	for (size_t i = 0; i < sheet->n; i++)
		if (sheet->items[i].kind == kind && sheet->items[i].text[text] &&
			strstr(sheet->items[i].text[text], part))
			return &sheet->items[i];
	return NULL;
}

static void made_up_sheet(struct sheet *sheet, struct doc *doc,
	void (*change)(struct doc *doc))
{
	made_up_document(doc);
	if (change)
		change(doc);
	sheet_of_doc(sheet, doc, false);
}

static void gone(struct sheet *sheet, struct doc *doc)
{
	sheet_release(sheet);
	doc_release(doc);
}

/* What stands in the n-th row of the sum; *digit: of what its last digit counts. */
static double printed(const struct sheet_item *table, size_t row, double *digit)
{
	const char *cell = table->cells[4 * row + 1];
	const char *number = cell + strspn(cell, "+-= "), *point = strchr(number, '.');
	double v = strtod(number, NULL);

	*digit = pow(10, -(point ? (double)strlen(point + 1) : 0.0));
	return cell[0] == '-' ? -v : v;
}

/* Whatever the figures are, what is printed adds up but for the rounding of each. */
static void the_sum_adds_up(void **state)
{
	(void)state;
	for (unsigned k = 0; k < 50; k++) {
		const double turnaround = 0.0003 + k * 3.1e-6, random = 0.0077 + k * 1.37e-5;
		const struct sheet_item *table;
		struct sheet sheet;
		struct doc doc;
		double sum = 0, rounding = 0, digit, mean;

		made_up_document(&doc);
		mean = doc_value(&doc, "access.mean_s");
		made_up_figure(&doc, "seek.random_s", random, 0.0001, 400, 4096, 1);
		made_up_figure(&doc, "seek.turnaround_s", turnaround, 1e-5, 14, 4096, 1);
		made_up_figure(&doc, "seek.remainder_s",
			mean - random - turnaround - 30 / 7203.6 - 0.00006, 1e-4, 400, 4096, 1);
		sheet_of_doc(&sheet, &doc, false);
		table = item_with(&sheet, SHEET_TABLE, 0, "where the time of a random read goes, ms");
		assert_non_null(table);
		assert_int_equal(table->cells_n, 24);
		for (size_t row = 0; row < 5; row++) {
			sum += printed(table, row, &digit);
			rounding += digit / 2;
		}
		mean = printed(table, 5, &digit);
		assert_true(fabs(sum - mean) <= rounding + digit / 2);
		assert_string_equal(table->cells[8], "rotational latency");
		assert_string_equal(table->cells[9], "+ 4.16458"); /* 30 s / 7203.6, */
		assert_string_equal(table->cells[10], "± 0.00023"); /* as the document has it */
		gone(&sheet, &doc);
	}
}

static void one_block(struct doc *doc)
{
	made_up_figure(doc, "seek.transfer_s", 0, 0, 400, 4096, 1);
}

/* A read of a single block has no rest that would be transferred. */
static void what_is_nothing_is_no_part(void **state)
{
	const struct sheet_item *table;
	struct sheet sheet;
	struct doc doc;

	(void)state;
	made_up_sheet(&sheet, &doc, one_block);
	table = item_with(&sheet, SHEET_TABLE, 0, "where the time of a random read goes, ms");
	assert_non_null(table);
	assert_int_equal(table->cells_n, 20);
	gone(&sheet, &doc);
}

static void no_latency(struct doc *doc)
{
	doc_put_unknown(doc, "rotation.latency_mean_s", NULL, "No rotation was seen.");
}

/* Without one of the parts there is no sum, and each of the others has its row. */
static void half_a_sum_is_none(void **state)
{
	struct sheet sheet;
	struct doc doc;

	(void)state;
	made_up_sheet(&sheet, &doc, NULL);
	assert_null(item_with(&sheet, SHEET_FIGURE, 0, "seek between reads"));
	assert_null(item_with(&sheet, SHEET_FIGURE, 0, "left over"));
	assert_non_null(item_with(&sheet, SHEET_FIGURE, 0, "average seek"));
	gone(&sheet, &doc);
	made_up_sheet(&sheet, &doc, no_latency);
	assert_null(item_with(&sheet, SHEET_TABLE, 0, "where the time"));
	assert_non_null(item_with(&sheet, SHEET_FIGURE, 0, "seek between reads"));
	assert_string_equal(item_with(&sheet, SHEET_FIGURE, 0, "left over")->text[1], "100 µs");
	assert_string_equal(item_with(&sheet, SHEET_FIGURE, 0, "left over")->text[2], "± 40");
	gone(&sheet, &doc);
}

static void reports_5400(struct doc *doc)
{
	doc_put(doc, "rotation.reported_rpm", &(struct finding){.how = HOW_REPORTED,
		.value = 5400, .low = NAN, .high = NAN, .spread = NAN});
}

static void reports_7190(struct doc *doc)
{
	doc_put(doc, "rotation.reported_rpm", &(struct finding){.how = HOW_REPORTED,
		.value = 7190, .low = NAN, .high = NAN, .spread = NAN});
}

static void no_usual_speed(struct doc *doc)
{
	doc_put_unknown(doc, "rotation.nominal_rpm", NULL, "no usual speed is near");
}

static void reports_another(struct doc *doc)
{
	no_usual_speed(doc);
	reports_5400(doc);
}

static void not_seen_to_turn(struct doc *doc)
{
	no_usual_speed(doc);
	doc_put_unknown(doc, "rotation.rpm", NULL, "No rotation was seen.");
}

/* 7200 rpm reported, and measured; another; or one that could not be measured. */
static void a_reported_speed_without_a_usual_one(void **state)
{
	static const struct {
		void (*change)(struct doc *doc);
		const char *says;
	} rows[] = {{no_usual_speed, "7200 rpm, as measured"},
		{reports_another, "5400 rpm, but it turns at another"},
		{not_seen_to_turn, "7200 rpm, which was not seen in its times"}};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct sheet sheet;
		struct doc doc;

		made_up_sheet(&sheet, &doc, rows[i].change);
		assert_string_equal(
			item_with(&sheet, SHEET_FACT, 0, "reported speed")->text[1], rows[i].says);
		gone(&sheet, &doc);
	}
}

static void reports_nothing(struct doc *doc)
{
	doc_put_unknown(doc, "rotation.reported_rpm", NULL, "not reported");
}

static void speeds_stand_side_by_side(void **state)
{
	static const struct {
		void (*change)(struct doc *doc);
		const char *says;
	} rows[] = {{NULL, "7200 rpm, as the drive reports"},
		{reports_5400, "7200 rpm, but the drive reports 5400 rpm"},
		{reports_7190, "7200 rpm; the drive reports 7190 rpm"},
		{reports_nothing, "7200 rpm; the drive reports none"}};

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		const struct sheet_item *item;
		struct sheet sheet;
		struct doc doc;

		made_up_sheet(&sheet, &doc, rows[i].change);
		item = item_with(&sheet, SHEET_FACT, 0, "nominal speed");
		assert_string_equal(item->text[1], rows[i].says);
		item = item_with(&sheet, SHEET_FACT, 0, "kind");
		assert_string_equal(item->text[1], "single spindle, 7200 rpm");
		assert_null(item_with(&sheet, SHEET_FIGURE, 0, "reported speed"));
		gone(&sheet, &doc);
	}
}

static void with_flags(struct doc *doc)
{
	made_up_figure(doc, "class.interface_limited", 1, 0, 64, 0, 0);
	made_up_figure(doc, "class.without_medium", 0.12, 0.01, 500, 0, 0);
	doc_put_unknown(doc, "class.smr_suspect", NULL, "No rotation was seen.");
}

/* What a drive has not is not worth a line, nor what nobody looks for when it is unknown. */
static void flags_are_told_when_they_hold(void **state)
{
	struct sheet sheet;
	struct doc doc;

	(void)state;
	made_up_sheet(&sheet, &doc, NULL);
	assert_null(item_with(&sheet, SHEET_FACT, 0, "interface-limited"));
	assert_null(item_with(&sheet, SHEET_FIGURE, 0, "faster than a disk"));
	gone(&sheet, &doc);
	made_up_sheet(&sheet, &doc, with_flags);
	assert_non_null(strstr(item_with(&sheet, SHEET_FACT, 0, "interface-limited")->text[1], "yes"));
	assert_string_equal(item_with(&sheet, SHEET_FIGURE, 0, "faster than a disk")->text[1], "12.0 %");
	assert_null(item_with(&sheet, SHEET_FACT, 0, "shingled"));
	assert_null(item_with(&sheet, SHEET_UNKNOWN, 0, "shingled"));
	gone(&sheet, &doc);
}

static void seek_by_root(struct doc *doc)
{
	struct series *s = doc_series(doc, "seek.curve");

	s->rows = 0;
	series_add(s, (double[]){1, 0.02, 0.019, 0.021, NAN, NAN});
	series_add(s, (double[]){0.25, 0.01, 0.009, 0.011, NAN, NAN});
}

static void no_seek_curve(struct doc *doc)
{
	doc_series(doc, "seek.curve")->rows = 0;
}

/* A root between two points is drawn as a root; before the first point nothing is. */
static void the_curve_of_moves(void **state)
{
	const struct sheet_item *item;
	struct sheet sheet;
	struct doc doc;

	(void)state;
	made_up_sheet(&sheet, &doc, seek_by_root);
	item = item_with(&sheet, SHEET_CURVE, 0, "seek time by distance");
	assert_string_equal(item->text[2], "ms");
	assert_int_equal(item->points_n, 75);
	assert_true(item->points[0].x > 24.99 && item->points[0].x < 25.01);
	for (size_t i = 0; i < item->points_n; i++) {
		double share = (item->points[i].x + item->points[i].x_to) / 200;

		assert_true(fabs(item->points[i].y - 20 * sqrt(share)) < 1e-6);
		assert_true(fabs(item->points[i].high - item->points[i].y - 1) < 1e-6);
	}
	gone(&sheet, &doc);
	made_up_sheet(&sheet, &doc, no_seek_curve);
	assert_non_null(item_with(&sheet, SHEET_CURVE, 0, "time to data by distance"));
	gone(&sheet, &doc);
}

static void one_depth(struct doc *doc)
{
	doc_series(doc, "queue.iops")->rows = 1;
}

static void the_queue_is_a_table(void **state)
{
	const struct sheet_item *item;
	struct sheet sheet;
	struct doc doc;

	(void)state;
	made_up_sheet(&sheet, &doc, NULL);
	item = item_with(&sheet, SHEET_TABLE, 0, "outstanding");
	assert_int_equal(item->columns, 6);
	assert_int_equal(item->cells_n, 36);
	assert_string_equal(item->cells[30], "32 at a time");
	assert_string_equal(item->cells[31], "174.0 /s");
	assert_string_equal(item->cells[33], "× 2.21");
	assert_string_equal(item->cells[34], "183.9 ms");
	assert_null(item_with(&sheet, SHEET_FIGURE, 0, "32 at a time"));
	gone(&sheet, &doc);
	doc_init(&doc);
	made_up_curves(&doc);
	sheet_of_doc(&sheet, &doc, false);
	assert_non_null(item_with(&sheet, SHEET_HEADING, 0, "Cache and queue"));
	assert_non_null(item_with(&sheet, SHEET_TABLE, 0, "outstanding"));
	gone(&sheet, &doc);
	made_up_sheet(&sheet, &doc, one_depth);
	assert_null(item_with(&sheet, SHEET_TABLE, 0, "outstanding"));
	assert_non_null(item_with(&sheet, SHEET_FIGURE, 0, "32 at a time"));
	gone(&sheet, &doc);
}

static void unequal_parts(struct doc *doc)
{
	struct series *s = doc_series(doc, "zones.rate");

	s->rows = 0;
	series_add(s, (double[]){0.05 * MADE_UP_BYTES, 160e6, NAN, NAN});
	series_add(s, (double[]){0.4 * MADE_UP_BYTES, 120e6, NAN, NAN});
	series_add(s, (double[]){0.85 * MADE_UP_BYTES, 80e6, NAN, NAN});
}

/* Rows that adjoin are drawn with the ends they have: 0, 10, 70 and 100 % of the drive. */
static void zones_of_unequal_length(void **state)
{
	static const double ends[] = {0, 0.1, 0.7, 1};
	const struct sheet_item *item;
	struct sheet sheet;
	struct doc doc;

	(void)state;
	made_up_sheet(&sheet, &doc, unequal_parts);
	item = item_with(&sheet, SHEET_CURVE, 0, "rate from");
	assert_int_equal(item->points_n, 3);
	assert_int_equal(item->marks_n, 19);
	for (size_t i = 0; i < 3; i++) {
		assert_true(fabs(item->points[i].x - ends[i] * item->x_to) < 0.01);
		assert_true(fabs(item->points[i].x_to - ends[i + 1] * item->x_to) < 0.01);
	}
	gone(&sheet, &doc);
}

static void millionths(void **state)
{
	char value[96], interval[96];

	(void)state;
	sheet_format_value(value, interval, sizeof(value), UNIT_PPM, 20e-6, 10e-6, 30e-6);
	assert_string_equal(value, "20 ppm");
	assert_string_equal(interval, "± 10");
	sheet_format_value(value, interval, sizeof(value), UNIT_S, 1e-9, NAN, NAN);
	assert_string_equal(value, "1 ns");
}

static void means_differ(struct doc *doc)
{
	made_up_figure(doc, "access.mean_s", 0.013, 0.0001, 500, 4096, 1);
	made_up_figure(doc, "access.plain_mean_s", 0.013, 0.0001, 500, 4096, 1);
	made_up_figure(doc, "access.model_mean_s", 0.012, 0.0001, 700, 4096, 1);
}

static void means_are_one(struct doc *doc)
{
	means_differ(doc);
	made_up_figure(doc, "access.mean_s", 0.012, 0.0001, 700, 4096, 1);
}

static void two_means_only_where_they_disagree(void **state)
{
	struct sheet sheet;
	struct doc doc;

	(void)state;
	made_up_sheet(&sheet, &doc, means_are_one);
	assert_null(item_with(&sheet, SHEET_FIGURE, 0, "mean by model"));
	assert_null(item_with(&sheet, SHEET_FIGURE, 0, "plain mean"));
	gone(&sheet, &doc);
	made_up_sheet(&sheet, &doc, means_differ);
	assert_non_null(item_with(&sheet, SHEET_FIGURE, 0, "mean by model"));
	assert_non_null(item_with(&sheet, SHEET_FIGURE, 0, "plain mean"));
	gone(&sheet, &doc);
}

static void woken_once(struct doc *doc)
{
	doc_event(doc, &(struct event){.kind = "spin_up", .length = 512, .took_s = 6.12});
}

static void woken_twice(struct doc *doc)
{
	woken_once(doc);
	doc_event(doc, &(struct event){.kind = "spin_up", .length = 512, .took_s = 4});
}

static void waking_is_told_with_its_time(void **state)
{
	struct sheet sheet;
	struct doc doc;

	(void)state;
	made_up_sheet(&sheet, &doc, woken_once);
	assert_string_equal(item_with(&sheet, SHEET_FACT, 0, "spin-up")->text[1],
		"it had to be woken: 6.1 s to the first data; in no figure");
	gone(&sheet, &doc);
	made_up_sheet(&sheet, &doc, woken_twice);
	assert_string_equal(item_with(&sheet, SHEET_FACT, 0, "spin-up")->text[1], "it had to be "
		"woken, more than once: up to 6.1 s to the first data; in no figure");
	gone(&sheet, &doc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_sum_adds_up),
		cmocka_unit_test(what_is_nothing_is_no_part),
		cmocka_unit_test(half_a_sum_is_none),
		cmocka_unit_test(speeds_stand_side_by_side),
		cmocka_unit_test(a_reported_speed_without_a_usual_one),
		cmocka_unit_test(flags_are_told_when_they_hold),
		cmocka_unit_test(the_curve_of_moves),
		cmocka_unit_test(the_queue_is_a_table),
		cmocka_unit_test(zones_of_unequal_length),
		cmocka_unit_test(two_means_only_where_they_disagree),
		cmocka_unit_test(waking_is_told_with_its_time),
		cmocka_unit_test(millionths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
