/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The document as a file: written, read, damaged in every way. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>

#include "base/rng.h"
#include "doc/doc_json.h"
#include "tests/unit/made_up.h"

#define GOLDEN "tests/documents/made_up.json"

static void read_whole_file(const char *name, struct text *out)
{
	char buffer[4096];
	FILE *f = fopen(name, "rb");
	size_t n;

	assert_non_null(f);
	while ((n = fread(buffer, 1, sizeof(buffer), f)) > 0)
		text_add_bytes(out, buffer, n);
	fclose(f);
}

/* Everything the format can hold. */
static void full_document(struct doc *doc)
{
	made_up_document(doc);
	doc_put_unknown(doc, "access.p999_s", "access/1", "1200 reads cannot bound it.");
	doc_put(doc, "seekers.cpu_share", &(struct finding){.how = HOW_REPORTED, .text = "little",
		.value = NAN, .low = NAN, .high = NAN, .spread = NAN, .cached = true});
	doc_put(doc, "buffered.bytes_per_s", &(struct finding){.how = HOW_MEASURED,
		.value = 1e8 / 3, .low = 1e7 / 3, .high = 2e8 / 3, .confidence = 0.95,
		.samples = 9, .runs = 3,
		.spread = 0.1 + 0.2, .method = "buffered/1", .lost_share = 0.25, .cached = true});
	series_add(doc_series(doc, "zones.rate"), (double[]){1e13 / 3, NAN, INFINITY, 1e300});
	doc_event(doc, &(struct event){.kind = "read_error", .offset = 1048576000, .length = 4096,
		.error = -EIO, .at_s = 3.25});
	doc_event(doc, &(struct event){.kind = "stopped", .at_s = 55});
	doc_event(doc, &(struct event){.kind = "slow_read", .offset = 65536, .length = 65536,
		.at_s = 4.5, .took_s = 12.25});
	doc_event(doc, &(struct event){.kind = "read_error", .offset = 512, .length = 512,
		.error = -133});
	doc->events_dropped = 12;
	doc_note(doc, "A note with \"quotes\", \\ and an é.");
	doc->settings.seed = UINT64_MAX;
	doc->settings.max_time_s = 90;
	doc->identity.start_bytes = 1048576;
	snprintf(doc->identity.backing, sizeof(doc->identity.backing), "a file on /dev/sda2");
	doc->complete = false;
	doc->simulated = true;
}

static void write_document(const struct doc *doc, bool show_serial, struct text *out)
{
	struct doc_json_options options = {.show_serial = show_serial};

	doc_json_write(doc, &options, out);
}

static void round_trip_is_identical(void **state)
{
	struct doc doc;
	struct doc again;
	struct text first = {0};
	struct text second = {0};
	struct err e = {0};

	(void)state;
	for (int show = 0; show < 2; show++) {
		full_document(&doc);
		write_document(&doc, show, &first);
		assert_int_equal(doc_json_read(&again, first.chars, first.length, &e), 0);
		write_document(&again, show, &second);
		assert_string_equal(first.chars, second.chars);
		assert_true(again.settings.seed == UINT64_MAX);
		assert_true(doc_value(&again, "access.mean_s") == doc_value(&doc, "access.mean_s"));
		assert_string_equal(doc_find(&again, "access.p999_s")->why_not,
			"1200 reads cannot bound it.");
		assert_int_equal(again.events[0].error, -EIO);
		assert_true(again.events[2].took_s == 12.25);
		assert_int_equal(again.events[3].error, -133);
		assert_int_equal(again.events_dropped, 12);
		assert_int_equal(again.identity.size_bytes, MADE_UP_BYTES);
		assert_true(again.identity.rotating_known && again.identity.rotating);
		assert_true(isnan(doc_find_series(&again, "zones.rate")->values[64 * 4 + 1]));
		assert_string_equal(again.settings.argv[2], "/dev/sda");
		assert_true(again.simulated && !again.complete);
		doc_release(&doc);
		doc_release(&again);
		text_release(&first);
		text_release(&second);
	}
}

static void numbers_survive(void **state)
{
	struct rng rng;
	struct doc doc;
	struct doc again;
	struct text first = {0};
	struct text second = {0};

	(void)state;
	rng_init(&rng, 1, 1);
	doc_init(&doc);
	for (int i = 0; i < 20000; i++) {
		double v = ldexp(rng_normal(&rng), (int)rng_below(&rng, 200) - 100);
		double w = 1e15 + (i % 2 ? -i : i);

		if (i % 3 == 0)
			v = nextafter(floor(v), i % 2 ? INFINITY : -INFINITY);
		series_add(doc_series(&doc, "access.reads"), (double[]){v, w, v});
	}
	doc_json_write(&doc, NULL, &first);
	assert_int_equal(doc_json_read(&again, first.chars, first.length, NULL), 0);
	doc_json_write(&again, NULL, &second);
	assert_string_equal(first.chars, second.chars);
	for (size_t i = 0; i < 60000; i++) {
		double a = doc_find_series(&doc, "access.reads")->values[i];
		double b = doc_find_series(&again, "access.reads")->values[i];

		assert_true(fabs(a - b) <= 1e-14 * fabs(a));
	}
	doc_release(&doc);
	doc_release(&again);
	text_release(&first);
	text_release(&second);
}

static void serial_is_masked(void **state)
{
	struct doc doc;
	struct text out = {0};

	(void)state;
	made_up_document(&doc);
	doc_json_write(&doc, NULL, &out);
	assert_null(strstr(out.chars, "110101PCK404VLGX0PBJ"));
	assert_null(strstr(out.chars, "0x5000cca5c0d1e2f3"));
	assert_non_null(strstr(out.chars, "\"****************0PBJ\""));
	text_release(&out);
	write_document(&doc, true, &out);
	assert_non_null(strstr(out.chars, "\"110101PCK404VLGX0PBJ\""));
	assert_non_null(strstr(out.chars, "\"0x5000cca5c0d1e2f3\""));
	text_release(&out);
	doc_release(&doc);
}

/* The file's bytes are a promise to other programs: a change here is a change of the format. */
static void golden_document(void **state)
{
	struct doc doc;
	struct text golden = {0};
	struct text out = {0};

	(void)state;
	full_document(&doc);
	snprintf(doc.platter_version, sizeof(doc.platter_version), "1.0");
	doc_json_write(&doc, NULL, &out);
	if (getenv("BLESS")) {
		FILE *f = fopen(GOLDEN, "wb");

		assert_non_null(f);
		assert_int_equal(fwrite(out.chars, 1, out.length, f), out.length);
		assert_int_equal(fclose(f), 0);
	}
	read_whole_file(GOLDEN, &golden);
	assert_string_equal(out.chars, golden.chars);
	doc_release(&doc);
	text_release(&golden);
	text_release(&out);
}

/* Reading fails or not; when it fails there is a sentence. What was read can be written. */
static int try_read(const char *bytes, size_t length, struct err *e)
{
	struct doc doc;
	struct text out = {0};
	int status;

	*e = (struct err){0};
	status = doc_json_read(&doc, bytes, length, e);
	if (status) {
		assert_int_equal(status, e->code);
		assert_true(strlen(e->text) > 20);
	} else {
		doc_json_write(&doc, NULL, &out);
		assert_true(out.length > 100);
	}
	doc_release(&doc);
	text_release(&out);
	return status;
}

static void cut_at_every_byte(void **state)
{
	struct doc doc;
	struct text out = {0};
	struct err e;

	(void)state;
	doc_init(&doc);
	made_up_identity(&doc);
	made_up_circumstances(&doc);
	made_up_figure(&doc, "access.mean_s", 0.0127, 0.0002, 1200, 4096, 1);
	series_add(doc_series(&doc, "access.reads"), (double[]){1e9, 0.0125, 2e9});
	doc_event(&doc, &(struct event){.kind = "stopped", .at_s = 1});
	doc_note(&doc, "One note.");
	doc_json_write(&doc, NULL, &out);
	for (size_t n = 0; n < out.length - 1; n++) {
		char *exact = mem_copy(out.chars, n, 1); /* so that reading past the end is seen */

		assert_int_equal(try_read(exact, n, &e), -EINVAL);
		free(exact);
	}
	assert_int_equal(try_read(out.chars, out.length / 2, &e), -EINVAL);
	assert_non_null(strstr(e.text, "line"));
	assert_int_equal(try_read(out.chars, out.length - 1, &e), 0);
	doc_release(&doc);
	text_release(&out);
}

static void bytes_changed_anywhere(void **state)
{
	static const char bytes[] = "\0\"{}[],:-0e.nt\x1b\xff\\";
	struct doc doc;
	struct text out = {0};
	struct rng rng;
	struct err e;
	size_t refused = 0, series_n;

	(void)state;
	rng_init(&rng, 7, 7);
	full_document(&doc);
	series_n = doc.series_n;
	doc.series_n = 0; /* the rest is what is interesting, and quick */
	doc_json_write(&doc, NULL, &out);
	doc.series_n = series_n;
	for (int i = 0; i < 4000; i++) {
		char *copy = mem_copy(out.chars, out.length, 1);

		for (uint64_t k = 1 + rng_below(&rng, 3); k > 0; k--)
				copy[rng_below(&rng, out.length)] =
				bytes[rng_below(&rng, sizeof(bytes) - 1)];
		refused += try_read(copy, out.length, &e) != 0;
		free(copy);
	}
	assert_in_range(refused, 2000, 4000);
	doc_release(&doc);
	text_release(&out);
}

#define HEAD \
	"{\"platter_document\":{\"version\":[1,0]},\"identity\":{},\"complete\":true," \
	"\"simulated\":false,"
#define READS(columns, rows) \
	HEAD "\"findings\":{},\"series\":{\"access.reads\":{\"columns\":[" columns "]," \
	"\"rows\":[" rows "]}}}"
#define IN_ORDER "\"distance_bytes\",\"latency_s\",\"offset_bytes\""
#define LATER(identity) \
	"{\"platter_document\":{\"version\":[1,77]},\"identity\":{" identity "},\"findings\":{}," \
	"\"complete\":true,\"simulated\":false}"
#define FINDING(members) HEAD "\"findings\":{\"access.mean_s\":{" members "}}}"

static const struct {
	const char *json;
	int status;
	const char *says;
} strangers[] = {
	{"", -EINVAL, "empty"},
	{"[]", -EINVAL, "not a platter result"},
	{"{}", -EINVAL, "platter_document"},
	{"{\"a\":1}{", -EINVAL, "not JSON"},
	{"{\"platter_document\":1}", -EINVAL, "platter_document"},
	{"{\"platter_document\":{}}", -EINVAL, "version"},
	{"{\"platter_document\":{\"version\":[0,9]}}", -EINVAL, "version"},
	{"{\"platter_document\":{\"version\":[1.5,0]}}", -EINVAL, "version"},
	{"{\"platter_document\":{\"version\":[-1,0]}}", -EINVAL, "version"},
	{"{\"platter_document\":{\"version\":[99999999999999999999,0]}}", -EINVAL, "not JSON"},
	{"{\"platter_document\":{\"version\":[2,0]}}", -EPROTONOSUPPORT, "newer platter"},
	{"{\"platter_document\":{\"version\":[1,0]},\"findings\":{}}", -EINVAL,
		"identity is missing"},
	{HEAD "\"findings\":[]}", -EINVAL, "findings is not an object"},
	{HEAD "\"findings\":{}}", 0, NULL},
	{HEAD "\"findings\":{},\"findings\":{}}", -EINVAL, "duplicate"},
	{HEAD "\"findings\":{},\"new\":{\"thing\":[1,{}]}}", 0, NULL},
	{HEAD "\"findings\":{\"nobody.knows_s\":7}}", 0, NULL},
	{FINDING("\"how\":\"measured\",\"value\":-1"), -EINVAL, "below zero"},
	{FINDING("\"how\":\"measured\",\"value\":1,\"low\":-1,\"high\":2"), -EINVAL, "below zero"},
	{HEAD "\"findings\":{\"access.mean_s\":7}}", -EINVAL, "access.mean_s"},
	{FINDING("\"how\":\"guessed\",\"value\":1"), -EINVAL, "how"},
	{FINDING("\"how\":\"unknown\""), -EINVAL, "reason"},
	{FINDING("\"how\":\"unknown\",\"why_not\":\"\""), -EINVAL, "reason"},
	{FINDING("\"how\":\"unknown\",\"why_not\":3"), -EINVAL, "string"},
	{FINDING("\"how\":\"unknown\",\"why_not\":\"a\\u0000b\""), -EINVAL, "not JSON"},
	{FINDING("\"how\":\"unknown\",\"why_not\":\"No.\",\"value\":\"x\""), 0, NULL},
	{FINDING("\"how\":\"measured\""), -EINVAL, "no value"},
	{FINDING("\"how\":\"measured\",\"value\":null"), -EINVAL, "no value"},
	{FINDING("\"how\":\"measured\",\"value\":NaN"), -EINVAL, "not JSON"},
	{FINDING("\"how\":\"measured\",\"value\":1e999"), -EINVAL, "not JSON"},
	{FINDING("\"how\":\"measured\",\"value\":\"1\""), -EINVAL, "no value"},
	{FINDING("\"how\":\"measured\",\"value\":1,\"low\":0"), -EINVAL, "interval"},
	{FINDING("\"how\":\"measured\",\"value\":1,\"low\":2,\"high\":0"), -EINVAL, "interval"},
	{FINDING("\"how\":\"measured\",\"value\":1,\"low\":2,\"high\":3"), -EINVAL, "outside"},
	{FINDING("\"how\":\"measured\",\"value\":1,\"confidence\":2"), -EINVAL, "confidence"},
	{FINDING("\"how\":\"measured\",\"value\":1,\"samples\":-1"), -EINVAL, "count"},
	{FINDING("\"how\":\"measured\",\"value\":1,\"samples\":1.5"), -EINVAL, "count"},
	{FINDING("\"how\":\"measured\",\"value\":1,\"runs\":4294967296"), -EINVAL, "count"},
	{FINDING("\"how\":\"measured\",\"value\":1,\"lost_share\":1.1"), -EINVAL, "share"},
	{FINDING("\"how\":\"measured\",\"value\":1,\"spread\":-1"), -EINVAL, "spread"},
	{FINDING("\"how\":\"measured\",\"value\":1,\"from_bytes\":9,\"to_bytes\":1"), -EINVAL,
		"region"},
	{FINDING("\"how\":\"measured\",\"value\":1,\"depth\":\"x\""), -EINVAL, "depth"},
	{FINDING("\"how\":\"measured\",\"value\":1,\"cached\":1"), -EINVAL, "cached"},
	{FINDING("\"how\":\"measured\",\"value\":1,\"method\":{}"), -EINVAL, "method"},
	{FINDING("\"how\":\"measured\",\"value\":1,\"low\":1,\"high\":1"), 0, NULL},
	{HEAD "\"findings\":{},\"series\":{\"access.reads\":{}}}", -EINVAL, "access.reads"},
	{READS("\"latency_s\",\"distance_bytes\"", ""), -EINVAL, "columns"},
	{READS("\"distance_bytes\"", ""), -EINVAL, "columns"},
	{READS(IN_ORDER, "[1]"), -EINVAL, "row"},
	{READS(IN_ORDER, "[1,2,3,4]"), -EINVAL, "row"},
	{READS(IN_ORDER, "[1,1,\"2\"]"), -EINVAL, "row"},
	{READS(IN_ORDER, "7"), -EINVAL, "row"},
	{READS(IN_ORDER ",\"new\"", "[1,null,3,4]"), 0, NULL},
	{HEAD "\"findings\":{},\"series\":{\"nobody.knows\":[]}}", 0, NULL},
	{HEAD "\"findings\":{},\"events\":{}}", -EINVAL, "events is not a list"},
	{HEAD "\"findings\":{},\"events\":[{}]}", -EINVAL, "what happened"},
	{HEAD "\"findings\":{},\"events\":[{\"kind\":\"read_error\",\"length\":4294967296}]}",
		-EINVAL, "place"},
	{HEAD "\"findings\":{},\"notes\":[1]}", -EINVAL, "notes"},
	{HEAD "\"findings\":{},\"settings\":{\"seed\":-1}}", -EINVAL, "settings.seed"},
	{HEAD "\"findings\":{},\"settings\":{\"seed\":\"99999999999999999999\"}}", -EINVAL, "seed"},
	{HEAD "\"findings\":{},\"settings\":{\"argv\":[[]]}}", -EINVAL, "argv"},
	{HEAD "\"findings\":{},\"run\":{\"elapsed_s\":-1}}", -EINVAL, "run.elapsed_s"},
	{HEAD "\"findings\":{},\"host\":{\"cpu\":7}}", -EINVAL, "host.cpu"},
	{HEAD "\"findings\":{},\"host\":[]}", -EINVAL, "host is not"},
	{LATER("\"device\":{\"name\":1}"), -EINVAL, "device.name"},
	{LATER("\"user_capacity\":{\"bytes\":-5}"), -EINVAL, "user_capacity"},
	{LATER("\"rotational\":1"), -EINVAL, "rotational"},
	{LATER("\"new\":[]"), 0, NULL},
	{"{\"platter_document\":{\"version\":[1,0]},\"identity\":{},\"findings\":{},\"complete\":1,"
		"\"simulated\":false}", -EINVAL, "complete"},
	{"{\"platter_document\":{\"version\":[1,0]},\"identity\":{},\"findings\":{},"
		"\"complete\":true}",
		-EINVAL, "simulated"},
};

static void damaged_documents(void **state)
{
	struct err e;

	(void)state;
	for (size_t i = 0; i < sizeof(strangers) / sizeof(strangers[0]); i++) {
		int status = try_read(strangers[i].json, strlen(strangers[i].json), &e);

		if (status != strangers[i].status || (status && !strstr(e.text, strangers[i].says)))
			fail_msg("%s\ngave %d: %s", strangers[i].json, status, e.text);
	}
}

static void deep_nesting_is_refused(void **state)
{
	struct text t = {0};
	struct err e;

	(void)state;
	text_add_fill(&t, '[', 1000000);
	assert_int_equal(try_read(t.chars, t.length, &e), -EINVAL);
	text_release(&t);
}

static void rows_are_capped(void **state)
{
	static const char whole[] = READS(IN_ORDER, "[1,2,3]");
	static const char end[] = "]}}}";
	struct text t = {0};
	struct err e;

	(void)state;
	text_add_bytes(&t, whole, strlen(whole) - strlen(end));
	for (unsigned i = 1; i < 1000000; i++)
		text_add_bytes(&t, ",[1,2,3]", 8);
	text_add(&t, "%s", end);
	assert_int_equal(try_read(t.chars, t.length, &e), 0);
	t.length -= strlen(end);
	text_add(&t, ",[1,2,3]%s", end);
	assert_int_equal(try_read(t.chars, t.length, &e), -EINVAL);
	assert_non_null(strstr(e.text, "million"));
	text_release(&t);
}

/* A newer minor version may know more; a reader is told that it was not shown. */
static void newer_figures_are_counted(void **state)
{
	static const char json[] = HEAD "\"findings\":{\"access.mean_s\":{\"how\":\"unknown\","
		"\"why_not\":\"x\"},\"a.b\":7,\"a.c\":{}},\"series\":{\"a.d\":[]}}";
	struct doc doc;

	(void)state;
	assert_int_equal(doc_json_read(&doc, json, strlen(json), NULL), 0);
	assert_int_equal(doc.notes_n, 2);
	assert_string_equal(doc.notes[0], "2 figures of a newer platter were left out.");
	assert_string_equal(doc.notes[1], "1 series of a newer platter was left out.");
	doc_release(&doc);
}

static void strings_are_cleaned(void **state)
{
	static const char json[] = HEAD "\"findings\":{\"access.mean_s\":{\"how\":\"unknown\","
		"\"why_not\":\"\\u001b[31mred\"}},\"notes\":[\"a\\nb\\u009bc\"],"
		"\"host\":{\"cpu\":\"\\u0007bell\"}}";
	struct doc doc;

	(void)state;
	assert_int_equal(doc_json_read(&doc, json, strlen(json), NULL), 0);
	assert_string_equal(doc_find(&doc, "access.mean_s")->why_not, "?[31mred");
	assert_string_equal(doc.host.cpu, "?bell");
	for (const char *p = doc.notes[0]; *p; p++)
		assert_true((unsigned char)*p >= 0x20 && (unsigned char)*p < 0x7F);
	doc_release(&doc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(round_trip_is_identical),
		cmocka_unit_test(numbers_survive),
		cmocka_unit_test(serial_is_masked),
		cmocka_unit_test(golden_document),
		cmocka_unit_test(cut_at_every_byte),
		cmocka_unit_test(bytes_changed_anywhere),
		cmocka_unit_test(damaged_documents),
		cmocka_unit_test(deep_nesting_is_refused),
		cmocka_unit_test(rows_are_capped),
		cmocka_unit_test(newer_figures_are_counted),
		cmocka_unit_test(strings_are_cleaned),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
