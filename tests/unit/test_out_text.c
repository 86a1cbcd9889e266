/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report as text: how long, how wide, and made of which bytes. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdlib.h>

#include "base/rng.h"
#include "out/text_report.h"
#include "sheet/sheet_build.h"
#include "sheet/wrap.h"
#include "tests/unit/made_up.h"

static const struct text_style at_80 = {.columns = 80, .utf8 = true};

/* Checks each line's width and bytes, returns how many there are. */
static size_t check_lines(const char *s, const struct text_style *style)
{
	size_t lines = 0;

	while (*s) {
		char line[2048];
		size_t n = strcspn(s, "\n");

		assert_int_equal(s[n], '\n');
		assert_true(n < sizeof(line));
		memcpy(line, s, n);
		line[n] = 0;
		for (size_t i = 0; i < n; i++) {
			unsigned char c = (unsigned char)line[i];

			assert_true(c >= 0x20 && c != 0x7F);
			assert_true(style->utf8 || c < 0x80);
		}
		if (wrap_columns(line) > style->columns)
			fail_msg("%zu columns: %s", wrap_columns(line), line);
		assert_true(n == 0 || line[n - 1] != ' ');
		lines++;
		s += n + 1;
	}
	return lines;
}

static void report(const struct doc *doc, const struct text_style *style, struct text *out)
{
	struct sheet sheet;

	sheet_of_doc(&sheet, doc, false);
	text_report(&sheet, style, out);
	sheet_release(&sheet);
}

/* At every width, in both kinds of characters; at 80 columns no more than SHEET_LINES. */
static void check_report(const struct doc *doc)
{
	static const unsigned widths[] = {40, 41, 59, 60, 71, 72, 79, 80, 81, 120, 200};
	struct text out = {0};

	for (size_t i = 0; i < 2 * sizeof(widths) / sizeof(widths[0]); i++) {
		struct text_style style = {.columns = widths[i / 2], .utf8 = i % 2};
		size_t lines;

		report(doc, &style, &out);
		lines = check_lines(out.chars, &style);
		if (style.columns == SHEET_COLUMNS && lines > SHEET_LINES)
			fail_msg("%zu lines:\n%s", lines, out.chars);
		text_release(&out);
	}
}

static void everything_known(void **state)
{
	struct doc doc;
	struct text out = {0};

	(void)state;
	made_up_document(&doc);
	check_report(&doc);
	report(&doc, &at_80, &out);
	assert_non_null(strstr(out.chars, "161.34 MB/s ± 0.42"));
	assert_non_null(strstr(out.chars, "12.71 ms ± 0.18"));
	assert_non_null(strstr(out.chars, "400      500 GB\n"));
	text_release(&out);
	doc_release(&doc);
}

static void everything_unknown(void **state)
{
	struct doc doc;
	struct text out = {0};
	const struct quantity *q;

	(void)state;
	made_up_document(&doc);
	for (size_t i = 0; (q = quantity_at(i)); i++)
		doc_put_unknown(&doc, q->key, NULL, "The drive gave no answer.");
	check_report(&doc);
	/* each with a reason of its own, long */
	for (size_t i = 0; (q = quantity_at(i)); i++)
		doc_put_unknown(&doc, q->key, NULL, "Reason number %zu, which goes on and on about "
			"what the drive did, what it should have done, what others of its kind "
			"do, and about the weather on that day, which was fine.", i);
	check_report(&doc);
	report(&doc, &at_80, &out);
	assert_non_null(strstr(out.chars, "unknown: Reason number 0"));
	text_release(&out);
	doc_release(&doc);
	doc_init(&doc);
	check_report(&doc);
	doc_release(&doc);
}

/* Everything that makes a report longer, at once. */
static void partial_and_simulated(void **state)
{
	struct doc doc;
	struct text out = {0};

	(void)state;
	made_up_document(&doc);
	doc.complete = false;
	doc.simulated = true;
	snprintf(doc.settings.direct, sizeof(doc.settings.direct), "refused");
	doc.settings.from_bytes = 1000000000;
	memset(doc.identity.in_use, 'u', sizeof(doc.identity.in_use) - 1);
	memset(doc.identity.backing, 'b', sizeof(doc.identity.backing) - 1);
	memset(doc.identity.model_name, 'm', sizeof(doc.identity.model_name) - 1);
	memset(doc.identity.device_name, 'd', sizeof(doc.identity.device_name) - 1);
	memset(doc.host.cpu, 'c', sizeof(doc.host.cpu) - 1);
	doc_event(&doc, &(struct event){.kind = "foreign_load"});
	doc_event(&doc, &(struct event){.kind = "no_answer"});
	for (int i = 0; i < 2000; i++)
		doc_event(&doc, &(struct event){.kind = "read_error", .offset = 1ull << 62});
	for (int i = 0; i < 30; i++)
		doc_note(&doc, "Note %d, with the words that are needed to make it longer than a "
			"line of eighty columns.", i);
	check_report(&doc);
	report(&doc, &at_80, &out);
	assert_non_null(strstr(out.chars, "! SIMULATED DRIVE"));
	assert_non_null(strstr(out.chars, "! PARTIAL"));
	assert_non_null(strstr(out.chars, "add -o FILE or --json."));
	text_release(&out);
	doc_release(&doc);
}

static const char *hostile(struct rng *rng, char *dst, size_t size)
{
	static const char *const parts[] = {"\x1b[2J", "\xff", "é", "…", "a", " ", "wordwordword",
		"\n", "\t", "\xc2\x9b", "漢", "%s", "\x7f", "0123456789", ", ", "\r"};
	size_t used = 0;

	for (uint64_t n = rng_below(rng, 60); n > 0; n--) {
		const char *part = parts[rng_below(rng, sizeof(parts) / sizeof(parts[0]))];

		if (used + strlen(part) + 1 >= size)
			break;
		memcpy(dst + used, part, strlen(part));
		used += strlen(part);
	}
	dst[used] = 0;
	return dst;
}

static double any_number(struct rng *rng)
{
	return ldexp(rng_normal(rng), (int)rng_below(rng, 2000) - 1000);
}

static void put_anything(struct doc *doc, struct rng *rng, const char *key)
{
	char s[512];
	double v = any_number(rng);
	double half = fabs(any_number(rng));
	bool sound = isfinite(v - half) && isfinite(v + half * 2);

	if (rng_below(rng, 3) == 0)
		doc_put_unknown(doc, key, "a/1", "x%s", hostile(rng, s, sizeof(s)));
	else
		doc_put(doc, key, &(struct finding){.how = HOW_MEASURED, .value = v,
			.low = sound ? v - half : NAN, .confidence = 0.95,
			.high = sound ? v + half * (double)(1 + rng_below(rng, 2)) : NAN,
			.samples = rng_u64(rng), .request_bytes = (uint32_t)rng_u64(rng),
			.depth = (unsigned)rng_u64(rng), .runs = (unsigned)rng_below(rng, 4),
			.lost_share = rng_uniform(rng), .spread = NAN,
			.text = rng_below(rng, 9) ? NULL : hostile(rng, s, sizeof(s))});
}

/* Numbers near 1 as well: some are in range by chance. */
static void add_anything(struct doc *doc, struct rng *rng, const char *key)
{
	double row[SERIES_COLUMNS_MAX];

	for (size_t i = 0; i < SERIES_COLUMNS_MAX; i++)
		row[i] = rng_below(rng, 2) ? any_number(rng) : rng_normal(rng);
	series_add(doc_series(doc, key), row);
}

/* Documents that no drive would give, but a file may. */
static void strange_documents(void **state)
{
	struct rng rng;

	(void)state;
	rng_init(&rng, 3, 3);
	for (int i = 0; i < 150; i++) {
		struct doc doc;
		const struct quantity *q;
		char s[512];

		made_up_document(&doc);
		for (size_t k = 0; (q = quantity_at(k)); k++)
			put_anything(&doc, &rng, q->key);
		for (size_t r = 0; r < 20; r++) {
			series_add(doc_series(&doc, "zones.rate"), (double[]){any_number(&rng),
				any_number(&rng), any_number(&rng), any_number(&rng)});
			series_add(doc_series(&doc, "access.histogram"),
				(double[]){any_number(&rng), any_number(&rng), any_number(&rng)});
			add_anything(&doc, &rng, "zones.boundaries");
			add_anything(&doc, &rng, "seek.curve");
			add_anything(&doc, &rng, "queue.iops");
		}
		hostile(&rng, doc.identity.model_name, sizeof(doc.identity.model_name));
		hostile(&rng, doc.identity.serial_number, sizeof(doc.identity.serial_number));
		hostile(&rng, doc.identity.in_use, sizeof(doc.identity.in_use));
		hostile(&rng, doc.host.cpu, sizeof(doc.host.cpu));
		hostile(&rng, doc.start_time, sizeof(doc.start_time));
		for (uint64_t n = rng_below(&rng, 5); n > 0; n--)
			doc_note(&doc, "n%s", hostile(&rng, s, sizeof(s)));
		check_report(&doc);
		doc_release(&doc);
	}
}

static void plain_ascii_says_the_same(void **state)
{
	struct text_style style = {.columns = 120};
	struct doc doc;
	struct text out = {0};

	(void)state;
	made_up_document(&doc);
	doc_note(&doc, "90 µs – “quick” 漢");
	report(&doc, &style, &out);
	assert_non_null(strstr(out.chars, "161.34 MB/s +- 0.42"));
	assert_non_null(strstr(out.chars, "90 us - \"quick\" ?"));
	assert_non_null(strstr(out.chars, "4 x Intel Xeon"));
	assert_non_null(strstr(out.chars, "####"));
	text_release(&out);
	doc_release(&doc);
}

static void colour_only_when_asked(void **state)
{
	struct text_style style = {.columns = 80, .utf8 = true, .color = true};
	struct doc doc;
	struct text plain = {0};
	struct text colored = {0};
	struct text stripped = {0};

	(void)state;
	made_up_document(&doc);
	doc.simulated = true;
	report(&doc, &at_80, &plain);
	assert_null(strchr(plain.chars, '\033'));
	report(&doc, &style, &colored);
	assert_non_null(strstr(colored.chars, "\033[1;33m"));
	for (const char *p = colored.chars; *p; p++) {
		if (*p == '\033')
			p = strchr(p, 'm');
		else
			text_add_bytes(&stripped, p, 1);
	}
	assert_string_equal(stripped.chars, plain.chars);
	text_release(&plain);
	text_release(&colored);
	text_release(&stripped);
	doc_release(&doc);
}

/* Twice as fast is drawn twice as high: column by column, filled cells against the truth. */
static void curve_is_to_scale(void **state)
{
	struct sheet_point points[2] = {{0, 50, 120, 120, 120}, {50, 100, 60, 60, 60}};
	char title[] = "t";
	char x_unit[] = "GB";
	char y_unit[] = "MB/s";
	struct sheet_item item = {.kind = SHEET_CURVE, .text = {title, x_unit, y_unit},
		.points = points, .points_n = 2, .x_to = 100};
	struct sheet sheet = {.items = &item, .n = 1};
	struct text_style style = {.columns = 80};
	struct text out = {0};
	const char *line;
	size_t first = 0;
	size_t last = 0;

	(void)state;
	text_report(&sheet, &style, &out);
	for (line = out.chars; (line = strchr(line, '\n')) && *++line;) {
		first += line[9] == '#';
		last += strcspn(line, "\n") == 79 && line[78] == '#';
	}
	assert_int_equal(first, 6);
	assert_int_equal(last, 3);
	text_release(&out);
}

/* The line of out that begins with `start` after its indent; "" when there is none. */
static const char *line_with(const struct text *out, const char *start, char *line, size_t size)
{
	const char *p = strstr(out->chars, start);

	snprintf(line, size, "%.*s", p ? (int)strcspn(p, "\n") : 0, p ? p : "");
	return line;
}

/* What was not read is not drawn, and the axis goes on to the end of the region. */
static void curve_has_gaps(void **state)
{
	struct sheet_point points[2] = {{450, 460, 50, 50, 50}, {490, 500, 50, 50, 50}};
	char title[] = "t";
	char x_unit[] = "GB";
	char y_unit[] = "MB/s";
	struct sheet_item item = {.kind = SHEET_CURVE, .text = {title, x_unit, y_unit},
		.points = points, .points_n = 2, .x = 450, .x_to = 500};
	struct sheet sheet = {.items = &item, .n = 1};
	struct text_style style = {.columns = 60};
	struct text out = {0};
	char line[128];

	(void)state;
	text_report(&sheet, &style, &out);
	assert_string_equal(line_with(&out, "50 +", line, sizeof(line)),
		"50 +##########                              ##########");
	assert_string_equal(line_with(&out, "450 ", line, sizeof(line)),
		"450       460       470       480       490 GB");
	text_release(&out);
}

/* What is told in words, in a table without samples, or only where it is not nothing. */
static bool has_no_line(const char *key)
{
	static const char *const keys[] = {"buffered.cached_share", "class.kind",
		"class.interface_limited", "class.smr_suspect", "class.read_on_arrival",
		"class.without_medium", "rotation.nominal_rpm", "rotation.reported_rpm",
		"queue.gain_2", "queue.gain_32", "access.plain_mean_s", "access.model_mean_s"};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strcmp(keys[i], key) == 0)
			return true;
	return false;
}

/* At 80 columns each known figure stands with its interval and its samples on one line. */
static void samples_stand_on_each_line(void **state)
{
	struct doc doc;
	struct text out = {0};
	const struct quantity *q;
	char line[512];

	(void)state;
	made_up_document(&doc);
	for (size_t i = 0; (q = quantity_at(i)); i++) {
		struct finding f = *doc_find(&doc, q->key);

		f.samples = 123456;
		f.runs = 12;
		f.from_bytes = 123456789012;
		f.to_bytes = 134567890123;
		doc_put(&doc, q->key, &f);
	}
	report(&doc, &at_80, &out);
	for (size_t i = 0; (q = quantity_at(i)); i++) {
		line_with(&out, q->title, line, sizeof(line));
		if (has_no_line(q->key))
			continue;
		if (!strstr(line, "123456 samples"))
			fail_msg("%s: %s", q->key, line);
	}
	text_release(&out);
	doc_release(&doc);
}

static void narrow_figures_take_two_lines(void **state)
{
	struct text_style style = {.columns = 40, .utf8 = true};
	struct doc doc;
	struct text out = {0};

	(void)state;
	made_up_document(&doc);
	made_up_figure(&doc, "access.mean_s", 0.11, 0.09, 12, 4096, 1);
	report(&doc, &style, &out);
	assert_non_null(strstr(out.chars, "\n  large direct reads  161.34 MB/s\n"
		"    ± 0.42, 900 samples, 1 MiB\n"));
	assert_non_null(strstr(out.chars, "\n  mean time: too uncertain: between 20\n"
		"    and 200 ms, 12 samples, 4 KiB\n"));
	assert_non_null(strstr(out.chars, "\n  in use: mounted, RAID member\n"));
	text_release(&out);
	doc_release(&doc);
}

/* A mark stands under its place: of 70 columns for 0 … 100, 50 is column 35. */
static void marks_stand_under_their_places(void **state)
{
	struct sheet_point points[1] = {{0, 100, 120, 120, 120}};
	double marks[] = {0, 50, 99.9, 99.8};
	char title[] = "t";
	char x_unit[] = "GB";
	char y_unit[] = "MB/s";
	char what[] = "zones";
	struct sheet_item item = {.kind = SHEET_CURVE, .text = {title, x_unit, y_unit, what},
		.points = points, .points_n = 1, .x_to = 100, .marks = marks, .marks_n = 4};
	struct sheet sheet = {.items = &item, .n = 1};
	struct text_style style = {.columns = 80};
	struct text out = {0};
	char line[128];

	(void)state;
	text_report(&sheet, &style, &out);
	line_with(&out, "zones", line, sizeof(line));
	assert_int_equal(strlen(line), 7 + 70);
	for (size_t i = 7; i < strlen(line); i++)
		assert_int_equal(line[i], i == 7 || i == 7 + 35 || i == 7 + 69 ? '^' : ' ');
	text_release(&out);
}

/* Columns are as wide as what is in them; those that do not fit go, the last first. */
static void tables_keep_their_columns(void **state)
{
	char *cells[] = {(char[]){"read without a seek"}, (char[]){"0.35"}, (char[]){"± 0.02"},
		(char[]){"14 samples"}, (char[]){"mean time"}, (char[]){"= 12.71"},
		(char[]){"± 0.2"}, (char[]){""}};
	char title[] = "a sum";
	struct sheet_item item = {.kind = SHEET_TABLE, .text = {title}, .cells = cells,
		.cells_n = 8, .columns = 4};
	struct sheet sheet = {.items = &item, .n = 1};
	struct text_style style = {.columns = 80, .utf8 = true};
	struct text out = {0};

	(void)state;
	text_report(&sheet, &style, &out);
	assert_string_equal(out.chars, "  a sum\n"
		"  read without a seek     0.35  ± 0.02  14 samples\n"
		"  mean time            = 12.71  ± 0.2\n");
	text_release(&out);
	style.columns = 40;
	style.utf8 = false;
	text_report(&sheet, &style, &out);
	assert_string_equal(out.chars, "  a sum\n"
		"  read without a seek     0.35  +- 0.02\n"
		"  mean time            = 12.71  +- 0.2\n");
	text_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(everything_known),
		cmocka_unit_test(everything_unknown),
		cmocka_unit_test(partial_and_simulated),
		cmocka_unit_test(strange_documents),
		cmocka_unit_test(plain_ascii_says_the_same),
		cmocka_unit_test(colour_only_when_asked),
		cmocka_unit_test(curve_is_to_scale),
		cmocka_unit_test(curve_has_gaps),
		cmocka_unit_test(marks_stand_under_their_places),
		cmocka_unit_test(tables_keep_their_columns),
		cmocka_unit_test(samples_stand_on_each_line),
		cmocka_unit_test(narrow_figures_take_two_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
