/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words, order and rounding of the report, before there is ink. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "sheet/sheet.h"
#include "sheet/wrap.h"
#include "tests/unit/made_up.h"

static void values_are_rounded(void **state)
{
	static const struct {
		enum unit unit;
		double v, low, high;
		const char *value, *interval;
	} rows[] = {
		{UNIT_BYTES_PER_S, 161.337e6, 160.9157e6, 161.7583e6, "161.34 MB/s", "± 0.42"},
		{UNIT_BYTES_PER_S, 161.337e6, 161.0e6, 162.4e6, "161.3 MB/s", "161.0 … 162.4"},
		{UNIT_BYTES_PER_S, 77e6, 76.9004e6, 77.0996e6, "77.00 MB/s", "± 0.10"},
		{UNIT_BYTES_PER_S, 99.96e6, 98.96e6, 100.96e6, "100.0 MB/s", "± 1.0"},
		{UNIT_BYTES_PER_S, 8.13e9, 7.92e9, 8.34e9, "8130 MB/s", "± 210"},
		{UNIT_S, 0.0127, 0.01252, 0.01288, "12.70 ms", "± 0.18"},
		{UNIT_S, 0, 0, 0, "0 µs", "± 0"},
		{UNIT_S, 0, 0, 1e-6, "0.0 µs", "0.0 … 1.0"},
		{UNIT_S, 3981.7, 3969.1, 3994.3, "66.36 min", "± 0.21"},
		{UNIT_PER_S, 161337, 157124, 165550, "161300 /s", "± 4200"},
		{UNIT_PER_S, 5, 5, 5, "5 /s", "± 0"},
		{UNIT_PER_S, 5, 5 - 1e-12, 5 + 1e-12, "5.00000000 /s", "± 0.00000001"},
		{UNIT_PER_S, 3, 0, 1000, "3 /s", "0 … 1000"},
		{UNIT_PER_S, 78.68, NAN, NAN, "78.68 /s", ""},
		{UNIT_PER_S, 123456.7, NAN, NAN, "123457 /s", ""},
		{UNIT_RPM, 7200, NAN, NAN, "7200 rpm", ""},
		{UNIT_RATIO, 0.0212, 0.02, 0.0224, "2.12 %", "± 0.12"},
		{UNIT_RATIO, 0, NAN, NAN, "0 %", ""},
		{UNIT_NONE, 2.0924, 2.0794, 2.1054, "2.092", "± 0.013"},
		{UNIT_NONE, -0.0001, -0.6, 0.5998, "0.00", "± 0.60"},
		{UNIT_BYTES, 65536, 65536, 65536, "64 KiB", ""},
		{UNIT_BYTES, 1048576, 524288, 1048576, "1 MiB", "512 KiB … 1 MiB"},
		{UNIT_S, 1e30, 1e29, 2e30, "2.78e+26 h", "2.78e+25 … 5.56e+26"},
		{UNIT_BYTES_PER_S, 1e308, -1e308, 1.7e308, "1e+299 GB/s", "-1e+299 … 1.7e+299"},
	};
	char value[96];
	char interval[96];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		sheet_format_value(value, interval, sizeof(value), rows[i].unit, rows[i].v,
			rows[i].low, rows[i].high);
		assert_string_equal(value, rows[i].value);
		assert_string_equal(interval, rows[i].interval);
	}
}

static void lines_are_broken(void **state)
{
	static const char text[] = "one two  three éééé fourteenletters five";
	static const char *const lines[] = {"one two", "three éééé", "fourteenle", "tters five"};
	const char *s = text;
	size_t length;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		const char *next = wrap_next(s, 10, &length);

		assert_int_equal(length, strlen(lines[i]));
		assert_memory_equal(s, lines[i], length);
		s = next;
	}
	assert_string_equal(s, "");
	assert_int_equal(wrap_lines(text, 10), 4);
	assert_int_equal(wrap_lines("", 10), 1);
	assert_int_equal(wrap_lines("exactly 10", 10), 1);
	assert_int_equal(wrap_lines("éééééééééé", 10), 1);
	assert_int_equal(wrap_columns("a±b…"), 4);
	assert_int_equal(wrap_bytes("±…x", 2), 5);
}

static const struct sheet_item *item_with(const struct sheet *sheet, enum sheet_kind kind,
	size_t text, const char *part)
{
	for (size_t i = 0; i < sheet->n; i++)
		if (sheet->items[i].kind == kind && sheet->items[i].text[text] &&
			strstr(sheet->items[i].text[text], part))
			return &sheet->items[i];
	return NULL;
}

static void sheet_says_who_and_what(void **state)
{
	struct sheet sheet;
	struct doc doc;
	const struct sheet_item *item;

	(void)state;
	made_up_document(&doc);
	sheet_of_doc(&sheet, &doc, false);
	assert_int_equal(sheet.items[0].kind, SHEET_TITLE);
	assert_string_equal(sheet.items[0].text[0], "Hitachi HTS725050A9A362, 500 GB");
	assert_null(item_with(&sheet, SHEET_WARNING, 0, ""));
	assert_non_null(item_with(&sheet, SHEET_FACT, 1, "****************0PBJ"));
	assert_null(item_with(&sheet, SHEET_FACT, 1, "PCK404VLGX0PBJ"));
	assert_non_null(item_with(&sheet, SHEET_FACT, 1, "rotating (says the system)"));
	assert_non_null(item_with(&sheet, SHEET_FACT, 1, "mounted, RAID member"));
	item = item_with(&sheet, SHEET_FIGURE, 0, "large direct reads");
	assert_string_equal(item->text[1], "161.34 MB/s");
	assert_string_equal(item->text[2], "± 0.42");
	assert_non_null(strstr(item->text[3], "900 samples"));
	assert_non_null(strstr(item->text[3], "2.1 % of a CPU"));
	assert_null(item_with(&sheet, SHEET_FIGURE, 0, "processor time"));
	assert_non_null(item_with(&sheet, SHEET_NOTE, 0, "4 ×\u00A0Intel Xeon E5-2680 v4"));
	assert_non_null(item_with(&sheet, SHEET_NOTE, 0, "2026-11-30 18:50 UTC"));
	assert_non_null(item_with(&sheet, SHEET_NOTE, 0, "95 % intervals"));
	sheet_release(&sheet);
	sheet_of_doc(&sheet, &doc, true);
	assert_non_null(item_with(&sheet, SHEET_FACT, 1, "110101PCK404VLGX0PBJ"));
	assert_non_null(item_with(&sheet, SHEET_FACT, 1, "0x5000cca5c0d1e2f3"));
	sheet_release(&sheet);
	doc_release(&doc);
}

static void warnings_come_first(void **state)
{
	static const char *const words[] = {"SIMULATED DRIVE", "PARTIAL: the drive went away",
		"READ ERRORS: 2 reads failed, the first at LBA 2048000.", "PAGE CACHE",
		"OTHER LOAD"};
	struct sheet sheet;
	struct doc doc;

	(void)state;
	made_up_document(&doc);
	doc.simulated = true;
	doc.complete = false;
	snprintf(doc.settings.direct, sizeof(doc.settings.direct), "refused");
	doc_event(&doc, &(struct event){.kind = "foreign_load"});
	doc_event(&doc, &(struct event){.kind = "read_error", .offset = 1048576000, .error = -5});
	doc_event(&doc, &(struct event){.kind = "read_error", .offset = 512, .error = -5});
	doc_event(&doc, &(struct event){.kind = "drive_gone"});
	sheet_of_doc(&sheet, &doc, false);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		assert_int_equal(sheet.items[1 + i].kind, SHEET_WARNING);
		assert_non_null(strstr(sheet.items[1 + i].text[0], words[i]));
		assert_true(wrap_columns(sheet.items[1 + i].text[0]) <= 76);
	}
	sheet_release(&sheet);
	doc_release(&doc);
}

static void unknowns_share_a_reason(void **state)
{
	struct sheet sheet;
	struct doc doc;
	const struct sheet_item *item;

	(void)state;
	made_up_document(&doc);
	doc_put_unknown(&doc, "access.p50_s", "access/1", "Too few reads.");
	doc_put_unknown(&doc, "access.p99_s", "access/1", "Too few reads.");
	doc_put_unknown(&doc, "access.p999_s", "access/1", "Far too few reads.");
	sheet_of_doc(&sheet, &doc, false);
	item = item_with(&sheet, SHEET_UNKNOWN, 1, "Too few");
	assert_string_equal(item->text[0], "median, 99 % within");
	item = item_with(&sheet, SHEET_UNKNOWN, 1, "Far too few");
	assert_string_equal(item->text[0], "99.9 % within");
	sheet_release(&sheet);
	doc_release(&doc);
}

/* A figure that is told beside another stands alone when that one is unknown. */
static void beside_or_alone(void **state)
{
	struct sheet sheet;
	struct doc doc;

	(void)state;
	made_up_document(&doc);
	doc_put_unknown(&doc, "seekers.iops", "seekers/1", "Too few reads.");
	sheet_of_doc(&sheet, &doc, false);
	assert_non_null(item_with(&sheet, SHEET_FIGURE, 0, "processor time"));
	sheet_release(&sheet);
	doc_release(&doc);
}

static void histogram_keeps_every_read(void **state)
{
	struct sheet sheet;
	struct doc doc;
	const struct series *s;
	const struct sheet_item *item;
	double all = 0;
	double shown = 0;

	(void)state;
	made_up_document(&doc);
	s = doc_find_series(&doc, "access.histogram");
	for (size_t r = 0; r < s->rows; r++)
		all += s->values[r * 3 + 2];
	sheet_of_doc(&sheet, &doc, false);
	item = item_with(&sheet, SHEET_BARS, 1, "ms");
	assert_in_range(item->points_n, 4, 6);
	for (size_t i = 0; i < item->points_n; i++) {
		shown += item->points[i].y;
		assert_true(item->points[i].low > item->points[i].x);
		if (i)
			assert_true(fabs(item->points[i].x - item->points[i - 1].low) < 1e-9);
	}
	assert_true(fabs(shown - all) < 1e-6 * all);
	item = item_with(&sheet, SHEET_CURVE, 2, "MB/s");
	assert_int_equal(item->points_n, 64);
	assert_string_equal(item->text[1], "GB");
	assert_true(fabs(item->points[0].y - 161.2) < 0.001);
	sheet_release(&sheet);
	doc_release(&doc);
}

/* One read, or all in one bin, or rows that are nonsense, make a picture or none. */
static void odd_series(void **state)
{
	static const double rows[][3] = {{0.001, 0.002, 1}, {0, 1e-9, 5}, {1, 1, 1}, {2, 1, 1},
		{NAN, 1, 1}, {-1, 1, 1}, {0, 1e300, 3}, {0.1, 0.2, INFINITY}, {5, 6, 1e17}};
	struct sheet sheet;
	struct doc doc;

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct sheet_item *item;

		doc_init(&doc);
		doc_put_unknown(&doc, "access.mean_s", NULL, "Not asked.");
		doc_put_unknown(&doc, "zones.mean_bytes_per_s", NULL, "Not asked.");
		series_add(doc_series(&doc, "access.histogram"), rows[i]);
		for (size_t k = 0; k < 3; k++)
			series_add(doc_series(&doc, "zones.rate"),
				(double[]){rows[i][k], rows[i][2], NAN, rows[i][0]});
		sheet_of_doc(&sheet, &doc, false);
		item = item_with(&sheet, SHEET_BARS, 0, "");
		assert_true((item != NULL) == (i < 2 || i == 8));
		sheet_release(&sheet);
		doc_release(&doc);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values_are_rounded),
		cmocka_unit_test(lines_are_broken),
		cmocka_unit_test(sheet_says_who_and_what),
		cmocka_unit_test(warnings_come_first),
		cmocka_unit_test(unknowns_share_a_reason),
		cmocka_unit_test(beside_or_alone),
		cmocka_unit_test(histogram_keeps_every_read),
		cmocka_unit_test(odd_series),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
