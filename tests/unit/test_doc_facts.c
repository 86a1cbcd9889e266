/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Facts and signs in a document: written, read back, hidden from whom they must be, hostile. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "doc/doc_json.h"
#include "tests/unit/made_up.h"

/* Every type, an array with a hole, sources that mix, a disagreement, each secrecy. */
static void made_up_facts(struct doc *doc)
{
	struct facts *f = &doc->smart;

	facts_text(f, "IDENTIFY", FACT_OPEN, "ST4000NM0033", "model_name");
	facts_text(f, "IDENTIFY", FACT_SPECIMEN, "Z1Z5DWJK", "serial_number");
	facts_integer(f, "SMART DATA", 5, "ata_smart_attributes.table[0].id");
	facts_integer(f, "SMART DATA", 100, "ata_smart_attributes.table[0].value");
	facts_integer(f, "SMART DATA", 9, "ata_smart_attributes.table[2].id");
	facts_integer(f, "thresholds", 36, "mixed.table[1].thresh");
	facts_integer(f, "SMART DATA", 5, "mixed.table[1].id");
	facts_integer(f, "SMART DATA", 7, "mixed.table[1].raw.value");
	facts_integer(f, "thresholds", 36, "mixed.table[0].thresh");
	facts_integer(f, "SMART DATA", 5, "mixed.table[0].id");
	facts_integer(f, "FARM", 5, "mixed.table[0].odd.a");
	facts_integer(f, "FARM", 5, "9begins.with.a.digit[10]");
	facts_integer(f, "SMART DATA", 5, "mixed.table[1].odd.a");
	facts_integer(f, "FARM", 5, "mixed.table[0].odd.b");
	facts_integer(f, "FARM", 5, "mixed.table[1].odd.b");
	facts_integer(f, "attribute 194", 41, "temperature.current");
	facts_real(f, "NVMe", 41.0, "platter.whole_real");
	facts_real(f, "NVMe", 0.1 + 0.2, "platter.real");
	facts_flag(f, "IDENTIFY", true, "smart_support.available");
	facts_flag(f, "IDENTIFY", false, "smart_support.enabled");
	facts_integer(f, "SCT", 60, "temperature.drive_trip");
	facts_integer(f, "x", INT64_MAX, "platter.largest");
	facts_integer(f, "x", INT64_MIN, "platter.least");
	facts_integer(f, "IDENTIFY", 7200, "rotation_rate");
	facts_integer(f, "VPD B1h", 5400, "rotation_rate");
	facts_text(f, "VPD 80h", FACT_SPECIMEN, "OTHER9999", "serial_number");
	facts_integer(f, "IDENTIFY", 123456789, "wwn.id");
	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->facts[i].path, "wwn.id") == 0)
			f->facts[i].privacy = FACT_SPECIMEN;
	facts_integer(&doc->smart_after, "attribute 194", 44, "temperature.current");
	facts_text(&doc->contents, "libblkid", FACT_PRIVATE, "Ann's photos", "partitions[0].label");
	facts_text(&doc->contents, "libblkid", FACT_OPEN, "ext4", "partitions[0].type");
	signs_add(&doc->signs, "smart.failed", SIGN_REJECT, "It will fail.", "status is %s", "failed");
	signs_add(&doc->signs, "hours", SIGN_INFO, "It was used.", "%d hours", 12);
	signs_unmade(&doc->signs, "contents", "There is no right to open it.");
	doc->signs.made = 17;
}

static void same_facts(const struct facts *a, const struct facts *b)
{
	assert_int_equal(a->n, b->n);
	for (size_t i = 0; i < a->n; i++) {
		const struct fact *x = &a->facts[i];
		const struct fact *y = facts_find(b, x->path);

		assert_non_null(y);
		assert_int_equal(x->type, y->type);
		assert_int_equal(x->privacy, y->privacy);
		assert_string_equal(x->source, y->source);
		if (x->type == FACT_TEXT)
			assert_string_equal(x->text, y->text);
		else if (x->type == FACT_REAL)
			assert_true(fabs(x->real - y->real) < 1e-14);
		else
			assert_true(x->integer == y->integer);
		assert_true(!x->other == !y->other);
		if (x->other) {
			assert_string_equal(x->other, y->other);
			assert_string_equal(x->other_source, y->other_source);
		}
	}
}

static void round_trip(void **state)
{
	static const struct doc_json_options all = {.full_identity = true};
	struct text first = {0}, second = {0};
	struct doc doc, again;
	struct err e = {0};

	(void)state;
	made_up_document(&doc);
	made_up_facts(&doc);
	doc_json_write(&doc, &all, &first);
	if (doc_json_read(&again, first.chars, first.length, &e))
		fail_msg("%s", e.text);
	same_facts(&doc.smart, &again.smart);
	same_facts(&doc.smart_after, &again.smart_after);
	same_facts(&doc.contents, &again.contents);
	assert_int_equal(again.signs.n, 2);
	assert_string_equal(again.signs.signs[0].evidence, "status is failed");
	assert_int_equal(again.signs.signs[0].severity, SIGN_REJECT);
	assert_string_equal(again.signs.signs[1].why, "It was used.");
	assert_string_equal(again.signs.unmade[0].why_not, "There is no right to open it.");
	assert_int_equal(again.signs.made, 17);
	doc_json_write(&again, &all, &second);
	assert_string_equal(first.chars, second.chars);
	doc_release(&doc);
	doc_release(&again);
	text_release(&first);
	text_release(&second);
}

/* What is hidden is nowhere in the file, and what was read from a whole file can be hidden. */
static void secrets(void **state)
{
	static const struct doc_json_options all = {.full_identity = true};
	static const struct doc_json_options serial = {.show_serial = true};
	static const struct doc_json_options anonymous = {.anonymous = true, .full_identity = true};
	const struct doc_json_options *shown[] = {NULL, &serial, &anonymous};
	struct text whole = {0};
	struct doc doc, again;

	(void)state;
	made_up_document(&doc);
	made_up_facts(&doc);
	doc_json_write(&doc, &all, &whole);
	assert_non_null(strstr(whole.chars, "Ann's photos"));
	assert_non_null(strstr(whole.chars, "Z1Z5DWJK"));
	assert_int_equal(doc_json_read(&again, whole.chars, whole.length, NULL), 0);
	for (size_t i = 0; i < 3; i++) {
		struct text once = {0}, twice = {0};

		doc_json_write(&doc, shown[i], &once);
		doc_json_write(&again, shown[i], &twice);
		assert_string_equal(once.chars, twice.chars);
		assert_null(strstr(once.chars, "Ann"));
		assert_int_equal(strstr(once.chars, "Z1Z5DWJK") != NULL, i == 1);
		assert_int_equal(strstr(once.chars, "OTHER9999") != NULL, i == 1);
		assert_int_equal(strstr(once.chars, "123456789") != NULL, i == 1);
		assert_int_equal(strstr(once.chars, "DWJK") != NULL, i < 2);
		assert_int_equal(strstr(once.chars, "X0PB") != NULL, i == 1);
		assert_int_equal(strstr(once.chars, "ANON-") != NULL, i == 2);
		text_release(&once);
		text_release(&twice);
	}
	doc_release(&doc);
	doc_release(&again);
	text_release(&whole);
}

static void stand_ins(void **state)
{
	char a[IDENTITY_STAND_IN], b[IDENTITY_STAND_IN];

	(void)state;
	identity_stand_in(a, "WD-WCC4N1234567");
	identity_stand_in(b, "  wd-wcc4n1234567 ");
	assert_string_equal(a, b);
	assert_int_equal(strlen(a), 11);
	identity_stand_in(b, "WD-WCC4N1234568");
	assert_string_not_equal(a, b);
	identity_stand_in(b, "");
	assert_string_equal(b, "");
}

/* The object is smartctl's; sources are told once for what comes from one. */
static void shape(void **state)
{
	struct text out = {0};
	struct doc doc;
	json_t *root, *smart, *sources;

	(void)state;
	made_up_document(&doc);
	made_up_facts(&doc);
	doc_json_write(&doc, NULL, &out);
	root = json_loads(out.chars, JSON_REJECT_DUPLICATES, NULL);
	smart = json_object_get(root, "smart");
	assert_int_equal(json_integer_value(json_object_get(json_object_get(smart, "temperature"),
		"current")), 41);
	assert_int_equal(json_array_size(json_object_get(json_object_get(smart,
		"ata_smart_attributes"), "table")), 3);
	assert_true(json_is_real(json_object_get(json_object_get(smart, "platter"), "whole_real")));
	sources = json_object_get(json_object_get(root, "sources"), "smart");
	assert_string_equal(json_string_value(json_object_get(sources, "ata_smart_attributes")),
		"SMART DATA");
	assert_string_equal(json_string_value(json_object_get(sources, "temperature.drive_trip")),
		"SCT");
	assert_string_equal(json_string_value(json_object_get(sources, "smart_support")), "IDENTIFY");
	assert_null(json_object_get(sources, "temperature"));
	assert_string_equal(json_string_value(json_object_get(sources, "mixed.table[*].thresh")),
		"thresholds");
	assert_string_equal(json_string_value(json_object_get(sources, "mixed.table[*].raw")),
		"SMART DATA");
	assert_string_equal(json_string_value(json_object_get(sources, "mixed.table[1].odd.a")),
		"SMART DATA");
	assert_int_equal(json_array_size(json_object_get(root, "disagreements")), 2);
	json_decref(root);
	doc_release(&doc);
	text_release(&out);
}

/* Two facts that cannot both be in one object, and paths that are none: no crash, the first stays. */
static void paths_that_clash(void **state)
{
	static const char *const paths[] = {"a", "a.b", "a[1]", "b.c", "b", "b[0]", "c[3]", "c.x", "",
		".", "d..e", "e[", "e[x]", "e[99999]", "f]", "[0]", "c[3][2]", "g[0][1].h"};
	struct text out = {0};
	struct doc doc, again;

	(void)state;
	made_up_document(&doc);
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		facts_integer(&doc.smart, "x", (int64_t)i, "%s", paths[i]);
	doc_json_write(&doc, NULL, &out);
	assert_int_equal(doc_json_read(&again, out.chars, out.length, NULL), 0);
	assert_int_equal(again.smart.n, 4);
	assert_true(facts_number(&again.smart, "c[3]") == 6);
	assert_true(facts_number(&again.smart, "g[0][1].h") == 17);
	doc_release(&doc);
	doc_release(&again);
	text_release(&out);
}

#define HEAD "{\"platter_document\":{\"version\":[1,1]},\"identity\":{},\"findings\":{}," \
	"\"complete\":true,\"simulated\":false,"

static void hostile(void **state)
{
	static const struct {
		const char *json;
		int status;
	} files[] = {
		{"\"smart\":[]", -EINVAL},
		{"\"smart\":{\"a.b\":1}", -EINVAL},
		{"\"smart\":{\"\":1}", -EINVAL},
		{"\"smart\":{\"a[0]\":1}", -EINVAL},
		{"\"smart\":{\"a b\":1}", -EINVAL},
		{"\"smart\":{\"a\":null,\"b\":[null,[]],\"c\":{}}", 0},
		{"\"smart\":{\"a\":1},\"sources\":[]", -EINVAL},
		{"\"smart\":{\"a\":1},\"sources\":{\"smart\":3}", -EINVAL},
		{"\"smart\":{\"a\":1},\"sources\":{\"smart\":{\"a\":3}}", 0},
		{"\"smart\":{\"a\":1},\"private\":{\"smart\":{\"a\":3}}", 0},
		{"\"smart\":{\"a\":1},\"disagreements\":{}", -EINVAL},
		{"\"smart\":{\"a\":1},\"disagreements\":[3]", -EINVAL},
		{"\"smart\":{\"a\":1},\"disagreements\":[{\"in\":\"smart\",\"path\":\"b\",\"other\":\"\","
		 "\"other_source\":\"\"}]", 0},
		{"\"signs\":{}", -EINVAL},
		{"\"signs\":[{\"key\":\"a\"}]", -EINVAL},
		{"\"signs\":[{\"key\":\"a\",\"severity\":\"dire\"}]", -EINVAL},
		{"\"signs\":[{\"key\":\"a\",\"severity\":\"warn\"}]", 0},
		{"\"checks\":{\"made\":-1}", -EINVAL},
		{"\"checks\":{\"made\":1,\"could_not\":[{}]}", -EINVAL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct text t = {0}, out = {0};
		struct err e = {0};
		struct doc doc;

		text_add(&t, HEAD "%s}", files[i].json);
		if (doc_json_read(&doc, t.chars, t.length, &e) != files[i].status)
			fail_msg("%s: %s", files[i].json, e.text);
		doc_json_write(&doc, NULL, &out);
		doc_release(&doc);
		text_release(&t);
		text_release(&out);
	}
}

/* As deep and as wide as a file can make it. */
static void too_deep_and_too_many(void **state)
{
	struct text t = {0}, many = {0};
	struct doc doc;

	(void)state;
	text_add(&t, HEAD "\"smart\":");
	for (int i = 0; i < 200; i++)
		text_add(&t, "{\"a\":");
	text_add(&t, "1");
	text_add_fill(&t, '}', 201);
	assert_int_equal(doc_json_read(&doc, t.chars, t.length, NULL), -EINVAL);
	doc_release(&doc);
	text_add(&many, HEAD "\"smart\":{\"a\":[");
	for (int i = 0; i < FACTS_MAX; i++)
		text_add(&many, "%s%d", i ? "," : "", i);
	text_add(&many, "],\"b\":1}}");
	assert_int_equal(doc_json_read(&doc, many.chars, many.length, NULL), 0);
	assert_int_equal(doc.smart.n, FACTS_MAX);
	assert_int_equal(doc.smart.dropped, 1);
	doc_release(&doc);
	text_release(&t);
	text_release(&many);
}

/* A file of the format before there were facts. */
static void old_document(void **state)
{
	struct text t = {0};
	struct doc doc;
	struct err e = {0};
	char buffer[4096];
	size_t n;
	FILE *f = fopen("tests/documents/made_up_1_0.json", "rb");

	(void)state;
	assert_non_null(f);
	while ((n = fread(buffer, 1, sizeof(buffer), f)) > 0)
		text_add_bytes(&t, buffer, n);
	fclose(f);
	if (doc_json_read(&doc, t.chars, t.length, &e))
		fail_msg("%s", e.text);
	assert_int_equal(doc.version[1], 0);
	assert_int_equal(doc.smart.n, 0);
	assert_true(doc_value(&doc, "rotation.rpm") == 7203.6);
	doc_release(&doc);
	text_release(&t);
}

/* The list of what is private is the file's own, and may be gone. */
static void known_secrets_need_no_list(void **state)
{
	static const char *const paths[] = {"serial_number", "platter.bridge.serial_number",
		"logical_unit_id", "nvme_namespaces[0].eui64.ext_id", "platter.sas_address"};
	struct doc doc, back;
	struct text first = {0}, out = {0};
	struct doc_json_options whole = {.full_identity = true}, nameless = {.anonymous = true};
	struct err e;

	(void)state;
	made_up_document(&doc);
	for (size_t i = 0; i < 5; i++)
		facts_text(&doc.smart, "x", FACT_OPEN, "Z1SECRETZ", "%s", paths[i]);
	facts_integer(&doc.smart, "x", 987654321, "wwn.id");
	facts_text(&doc.smart, "x", FACT_OPEN, "kept", "model_serial_number_of_none");
	doc_json_write(&doc, &whole, &first);
	assert_non_null(strstr(first.chars, "Z1SECRETZ"));
	assert_int_equal(doc_json_read(&back, first.chars, first.length, &e), 0);
	doc_json_write(&back, NULL, &out);
	assert_null(strstr(out.chars, "SECRETZ"));
	assert_null(strstr(out.chars, "987654321"));
	assert_non_null(strstr(out.chars, "kept"));
	text_release(&out);
	doc_json_write(&back, &nameless, &out);
	assert_null(strstr(out.chars, "RETZ"));
	text_release(&out);
	text_release(&first);
	doc_release(&doc);
	doc_release(&back);
}

/* Files are named after drives: in an anonymous document they have no names. */
static void files_have_no_names(void **state)
{
	static const char *const argv[] = {"platter", "probe", "-o", "SECRET1.json", "-oSECRET2",
		"--trace", "SECRET3", "--output=SECRET4", "--quick", "/dev/sda"};
	struct doc doc;
	struct text out = {0};
	struct doc_json_options nameless = {.anonymous = true};

	(void)state;
	doc_init(&doc);
	doc.settings.argv = mem_zalloc(11, sizeof(char *));
	for (size_t i = 0; i < 10; i++)
		doc.settings.argv[i] = mem_strdup(argv[i]);
	snprintf(doc.identity.device_name, sizeof(doc.identity.device_name), "SECRET5.bin");
	snprintf(doc.identity.device_type, sizeof(doc.identity.device_type), "dump");
	doc_json_write(&doc, &nameless, &out);
	assert_null(strstr(out.chars, "SECRET"));
	assert_non_null(strstr(out.chars, "--output=FILE"));
	assert_non_null(strstr(out.chars, "--quick"));
	assert_non_null(strstr(out.chars, "/dev/sda"));
	text_release(&out);
	doc_json_write(&doc, NULL, &out);
	assert_non_null(strstr(out.chars, "SECRET5.bin"));
	assert_non_null(strstr(out.chars, "SECRET1.json"));
	text_release(&out);
	doc_release(&doc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(known_secrets_need_no_list),
		cmocka_unit_test(files_have_no_names),
		cmocka_unit_test(round_trip),
		cmocka_unit_test(secrets),
		cmocka_unit_test(stand_ins),
		cmocka_unit_test(shape),
		cmocka_unit_test(paths_that_clash),
		cmocka_unit_test(hostile),
		cmocka_unit_test(too_deep_and_too_many),
		cmocka_unit_test(old_document),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
