/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words, order and rounding of the report, before there is ink. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>

#include "sheet/sheet_build.h"
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
		{UNIT_NONE, 24, 24, 24, "24", ""},
		{UNIT_NONE, 24, 23, 25, "24", "± 1"},
		{UNIT_NONE, 24, 24, 26, "24", "24 … 26"},
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
	item = item_with(&sheet, SHEET_FIGURE, 0, "first to last");
	assert_string_equal(item->text[1], "2.092");
	assert_string_equal(item->text[2], "± 0.013");
	item = item_with(&sheet, SHEET_FIGURE, 0, "processor time");
	assert_string_equal(item->text[1], "2.10 %");
	assert_string_equal(item->text[2], "± 0.10");
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
		"READ ERRORS: 2 reads failed, the first in a read of 64 KiB at LBA 2048000.",
		"SLOW READS: 2, the longest: a read of 4 KiB at LBA 16 took 12 s.", "PAGE CACHE",
		"OTHER LOAD"};
	struct sheet sheet;
	struct doc doc;

	(void)state;
	made_up_document(&doc);
	doc.simulated = true;
	doc.complete = false;
	snprintf(doc.settings.direct, sizeof(doc.settings.direct), "refused");
	doc_event(&doc, &(struct event){.kind = "foreign_load"});
	doc_event(&doc, &(struct event){.kind = "read_error", .offset = 1048576000,
		.length = 65536, .error = -5});
	doc_event(&doc, &(struct event){.kind = "slow_read", .offset = 512, .length = 512,
		.took_s = 2.5});
	doc_event(&doc, &(struct event){.kind = "slow_read", .offset = 8192, .length = 4096,
		.took_s = 12.01});
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

/* Each way past the drive that memory may have taken has its own words; the direct one has none. */
static void memory_is_warned_of(void **state)
{
	static const struct {
		const char *direct, *says;
	} rows[] = {{"direct", NULL}, {"refused", "direct reads were refused"},
		{"below_cached", "what the device is made of is cached"},
		{"page_cache", "not read directly"}};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct sheet sheet;
		struct doc doc;

		made_up_document(&doc);
		snprintf(doc.settings.direct, sizeof(doc.settings.direct), "%s", rows[i].direct);
		sheet_of_doc(&sheet, &doc, false);
		if (rows[i].says)
			assert_non_null(item_with(&sheet, SHEET_WARNING, 0, rows[i].says));
		else
			assert_null(item_with(&sheet, SHEET_WARNING, 0, ""));
		sheet_release(&sheet);
		doc_release(&doc);
	}
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

/* Each bar is made of whole bins: its count is whole, and all bars together are all reads. */
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
		assert_true(item->points[i].y == floor(item->points[i].y));
		assert_true(item->points[i].x_to > item->points[i].x);
		if (i)
			assert_true(fabs(item->points[i].x - item->points[i - 1].x_to) < 1e-9);
	}
	assert_true(shown == all);
	/* 10 ms is nearer to the edge at 9.514 ms than to that at 10.375 ms, by a quarter of an ms */
	assert_true(fabs(item->points[2].x - 10.3747) < 1e-3);
	sheet_release(&sheet);
	doc_release(&doc);
}

/* Where every read is there, edges are round and the last is the longest read. */
static void histogram_of_reads(void **state)
{
	static const double ms[] = {4, 5, 5, 7.5, 12, 12, 14.9, 15, 19, 21.3};
	static const double counts[] = {1, 3, 3, 2, 1}; /* below 5, 10, 15, 20 and the longest */
	struct sheet sheet;
	struct doc doc;
	const struct sheet_item *item;

	(void)state;
	doc_init(&doc);
	doc_put_unknown(&doc, "access.mean_s", NULL, "Not asked.");
	series_add(doc_series(&doc, "access.histogram"), (double[]){0.004, 0.016, 8});
	series_add(doc_series(&doc, "access.histogram"), (double[]){0.016, 0.064, 2});
	for (size_t i = 0; i < sizeof(ms) / sizeof(ms[0]); i++)
		series_add(doc_series(&doc, "access.reads"), (double[]){0, ms[i] / 1000, 0});
	sheet_of_doc(&sheet, &doc, false);
	item = item_with(&sheet, SHEET_BARS, 1, "ms");
	assert_int_equal(item->points_n, 5);
	for (size_t i = 0; i < 5; i++) {
		assert_true(fabs(item->points[i].x - 5 * (double)i) < 1e-9);
		assert_true(item->points[i].y == counts[i]);
	}
	assert_true(fabs(item->points[4].x_to - 21.3) < 1e-9);
	sheet_release(&sheet);
	doc_release(&doc);
}

/* A point speaks for its whole stretch, and the axis for the whole drive, with one point or many. */
static void curve_spans_the_drive(void **state)
{
	struct sheet sheet;
	struct doc doc;
	const struct sheet_item *item;

	(void)state;
	made_up_document(&doc);
	sheet_of_doc(&sheet, &doc, false);
	item = item_with(&sheet, SHEET_CURVE, 2, "MB/s");
	assert_string_equal(item->text[0], "rate from the first to the last sector");
	assert_string_equal(item->text[1], "GB");
	assert_int_equal(item->points_n, 64);
	assert_true(fabs(item->points[0].y - 161.2) < 0.001);
	assert_true(item->x == 0);
	assert_true(fabs(item->x_to - 500.107862016) < 1e-9);
	assert_true(fabs(item->points[0].x) < 1e-4);
	assert_true(fabs(item->points[0].x_to - 500.107862016 / 64) < 1e-4);
	assert_true(fabs(item->points[63].x_to - 500.107862016) < 1e-4);
	sheet_release(&sheet);
	doc_series(&doc, "zones.rate")->rows = 0;
	series_add(doc_series(&doc, "zones.rate"),
		(double[]){MADE_UP_BYTES / 2.0, 100e6, NAN, NAN});
	sheet_of_doc(&sheet, &doc, false);
	item = item_with(&sheet, SHEET_CURVE, 2, "MB/s");
	assert_int_equal(item->points_n, 1);
	assert_true(fabs(item->points[0].x) < 1e-4);
	assert_true(fabs(item->points[0].x_to - 500.107862016) < 1e-4);
	sheet_release(&sheet);
	doc_release(&doc);
}

/* Of the last tenth nothing is said that sounds like the whole drive. */
static void region_is_named(void **state)
{
	static const char *const titles[] = {"region's first zone", "region's last zone",
		"region's mean", "region read in"};
	static const uint64_t from = 450000000000;
	struct sheet sheet;
	struct doc doc;
	const struct sheet_item *item;

	(void)state;
	made_up_document(&doc);
	doc.settings.from_bytes = from;
	doc_put(&doc, "sequential.bytes_per_s", &(struct finding){.how = HOW_MEASURED,
		.value = 6e7, .low = 5.9e7, .high = 6.1e7, .confidence = 0.95, .samples = 9,
		.spread = NAN, .from_bytes = from, .to_bytes = from + 64000000});
	doc_put(&doc, "zones.mean_bytes_per_s", &(struct finding){.how = HOW_MEASURED,
		.value = 6e7, .low = 5.9e7, .high = 6.1e7, .confidence = 0.95, .samples = 9,
		.spread = NAN, .from_bytes = from, .to_bytes = MADE_UP_BYTES});
	doc_series(&doc, "zones.rate")->rows = 0;
	for (double x = 455; x < 500; x += 10)
		series_add(doc_series(&doc, "zones.rate"), (double[]){x * 1e9, 6e7, NAN, NAN});
	sheet_of_doc(&sheet, &doc, false);
	for (size_t i = 0; i < 4; i++)
		assert_non_null(item_with(&sheet, SHEET_FIGURE, 0, titles[i]));
	assert_null(item_with(&sheet, SHEET_FIGURE, 0, "whole drive"));
	assert_non_null(item_with(&sheet, SHEET_FACT, 1, "only the region 450 – 500 GB"));
	item = item_with(&sheet, SHEET_FIGURE, 0, "large direct reads");
	assert_string_equal(item->text[3], "9 samples, 64 MB at 450 GB");
	item = item_with(&sheet, SHEET_CURVE, 0, "rate over the region");
	assert_true(fabs(item->x - 450) < 1e-9 && fabs(item->x_to - 500.107862016) < 1e-9);
	assert_true(fabs(item->points[0].x - 450) < 1e-4);
	sheet_release(&sheet);
	doc_release(&doc);
}

static void places_are_named(void **state)
{
	static const struct {
		uint64_t from, to;
		bool brief;
		const char *place;
	} rows[] = {
		{0, 402653184, true, "0 – 403 MB"},
		{0, 21743819776, true, "0 – 22 GB"},
		{478364041728, 500107862016, true, "478 – 500 GB"},
		{450000000000, 450400000000, false, "450 – 450.4 GB"},
		{450000000000, 450400000000, true, "400 MB at 450 GB"},
		{0, 1500000000, true, "0 – 1.5 GB"},
		{5, 5, false, "5 – 5 bytes"},
	};
	char place[160];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		sheet_format_place(place, sizeof(place), rows[i].from, rows[i].to, rows[i].brief);
		assert_string_equal(place, rows[i].place);
	}
}

/* An interval wider than its value is no figure. */
static void wide_intervals_are_no_figures(void **state)
{
	static const struct {
		enum unit unit;
		double v, low, high;
		const char *says; /* NULL: it is a figure */
	} rows[] = {
		{UNIT_BYTES_PER_S, 320e6, 0, 770e6, "between 0 and 770 MB/s"},
		{UNIT_PER_S, 100000, 0, 11800000, "between 0 and 12000000 /s"},
		{UNIT_BYTES_PER_S, 17e9, 1e9, 33e9, "between 1 and 33 GB/s"},
		{UNIT_BYTES, 32768, 16384, 2097152, "between 16 KiB and 2 MiB"},
		{UNIT_S, 0.01, 0.00501, 0.01502, "between 5 and 15 ms"},
		{UNIT_S, 0.01, 0.0051, 0.0149, NULL},
		{UNIT_S, 0.01, NAN, NAN, NULL},
		{UNIT_RATIO, 0.001, 0, 0.015, NULL},
		{UNIT_RATIO, 0.1, 0, 0.5, "between 0 and 50 %"},
	};
	char says[160];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		bool unsure = sheet_is_unsure(rows[i].unit, rows[i].v, rows[i].low, rows[i].high);

		assert_int_equal(unsure, rows[i].says != NULL);
		if (!unsure)
			continue;
		sheet_format_unsure(says, sizeof(says), rows[i].unit, rows[i].low, rows[i].high);
		assert_string_equal(says, rows[i].says);
	}
}

/* Figures that lost samples say so before anything else. */
static void losses_are_told(void **state)
{
	static const struct {
		double lost;
		const char *how;
	} rows[] = {{0.193, "19 % left out, 850 samples, 4 KiB"}, {0.009, "850 samples, 4 KiB"}};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct sheet sheet;
		struct doc doc;

		made_up_document(&doc);
		doc_put(&doc, "access.mean_s", &(struct finding){.how = HOW_MEASURED,
			.value = 0.01, .low = 0.009, .high = 0.011, .confidence = 0.95,
			.samples = 850, .spread = NAN, .to_bytes = MADE_UP_BYTES,
			.request_bytes = 4096, .depth = 1, .lost_share = rows[i].lost});
		sheet_of_doc(&sheet, &doc, false);
		assert_string_equal(item_with(&sheet, SHEET_FIGURE, 0, "mean time")->text[3],
			rows[i].how);
		sheet_release(&sheet);
		doc_release(&doc);
	}
}

/* When there is no room for the reasons a clause of each stands, else how many there are; none is
 * cut in the middle. */
static void reasons_are_not_cut(void **state)
{
	struct sheet sheet;
	struct doc doc;
	const struct quantity *q;
	char clause[64];

	(void)state;
	made_up_document(&doc);
	for (size_t i = 0; (q = quantity_at(i)); i++)
		doc_put_unknown(&doc, q->key, NULL, "%zu reads cannot bound this one here, it "
			"needs 3688 of them, and there was no time for so many on a drive that "
			"takes as long as this one does for every read: a full run makes them", i);
	sheet_of_doc(&sheet, &doc, false);
	for (size_t i = 0; (q = quantity_at(i)); i++)
		if (strcmp(q->key, "access.p999_s") == 0)
			snprintf(clause, sizeof(clause), "%zu reads cannot bound this one here", i);
	assert_string_equal(item_with(&sheet, SHEET_UNKNOWN, 0, "99.9 % within")->text[1], clause);
	sheet_release(&sheet);
	for (size_t i = 0; (q = quantity_at(i)); i++)
		doc_put_unknown(&doc, q->key, NULL, "Reason number %zu goes on and on and has no "
			"place to break it anywhere so that there is no clause of it that could "
			"stand for the whole of it and it is long besides that", i);
	sheet_of_doc(&sheet, &doc, false);
	for (size_t i = 0; i < sheet.n; i++)
		if (sheet.items[i].kind == SHEET_UNKNOWN)
			assert_null(strstr(sheet.items[i].text[1], "…"));
	assert_non_null(item_with(&sheet, SHEET_UNKNOWN, 1, "for 7 reasons, which --json names"));
	sheet_release(&sheet);
	doc_release(&doc);
}

/* A number is never cut: "physically 40" would be another drive. */
static void facts_are_cut_between_parts(void **state)
{
	static const struct {
		size_t columns;
		const char *in, *out;
	} rows[] = {
		{30, "500107862016 bytes, 4096 each", "500107862016 bytes, 4096 each"},
		{28, "500107862016 bytes, 4096 each", "500107862016 bytes, …"},
		{28, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaaaaaaaaaaa…"},
		{10, "ééééééé é ééé", "ééééééé…"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *s = mem_strdup(rows[i].in);

		sheet_cut(s, rows[i].columns);
		assert_string_equal(s, rows[i].out);
		free(s);
	}
}

static void simulated_time_is_the_drives(void **state)
{
	struct sheet sheet;
	struct doc doc;

	(void)state;
	made_up_document(&doc);
	doc.simulated = doc.identity.simulated = true;
	sheet_of_doc(&sheet, &doc, false);
	assert_non_null(item_with(&sheet, SHEET_NOTE, 0, "took 56 s of the drive's time"));
	assert_non_null(item_with(&sheet, SHEET_FACT, 1, "rotating (as described)"));
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
		cmocka_unit_test(memory_is_warned_of),
		cmocka_unit_test(unknowns_share_a_reason),
		cmocka_unit_test(beside_or_alone),
		cmocka_unit_test(histogram_keeps_every_read),
		cmocka_unit_test(histogram_of_reads),
		cmocka_unit_test(curve_spans_the_drive),
		cmocka_unit_test(region_is_named),
		cmocka_unit_test(places_are_named),
		cmocka_unit_test(wide_intervals_are_no_figures),
		cmocka_unit_test(losses_are_told),
		cmocka_unit_test(reasons_are_not_cut),
		cmocka_unit_test(facts_are_cut_between_parts),
		cmocka_unit_test(simulated_time_is_the_drives),
		cmocka_unit_test(odd_series),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
