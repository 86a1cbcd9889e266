/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The schema and the program are held in step: what one knows, the other does. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <unistd.h>

#include "doc/doc_fields.h"
#include "doc/doc_json.h"
#include "tests/unit/made_up.h"

#define SCHEMA   "src/doc/document.schema.json"
#define VALIDATE "/usr/bin/python3 tests/schema/validate.py "

static json_t *load_schema(void)
{
	json_error_t error;
	json_t *schema = json_load_file(SCHEMA, JSON_REJECT_DUPLICATES, &error);

	if (!schema)
		fail_msg(SCHEMA ":%d: %s", error.line, error.text);
	return schema;
}

static json_t *properties_of(json_t *schema, const char *object)
{
	json_t *properties = json_object_get(json_object_get(json_object_get(schema, "properties"),
		object), "properties");

	assert_true(json_is_object(properties));
	return properties;
}

static const char *string_of(const json_t *object, const char *name)
{
	return json_string_value(json_object_get(object, name));
}

static void findings_in_step(void **state)
{
	json_t *schema = load_schema();
	json_t *known = properties_of(schema, "findings");
	const struct quantity *q;
	size_t n = 0;

	(void)state;
	for (; (q = quantity_at(n)); n++) {
		json_t *row = json_object_get(known, q->key);

		if (!row)
			fail_msg("%s is in the catalogue, not in the schema", q->key);
		assert_string_equal(string_of(row, "title"), q->title);
		assert_string_equal(string_of(row, "description"), q->meaning);
		assert_string_equal(string_of(row, "$ref"), q->unit == UNIT_NONE
			? "#/$defs/finding" : "#/$defs/finding_from_zero");
	}
	assert_int_equal(json_object_size(known), n);
	json_decref(schema);
}

static void series_in_step(void **state)
{
	json_t *schema = load_schema();
	json_t *known = properties_of(schema, "series");
	const struct series_kind *kind;
	size_t n = 0;

	(void)state;
	for (; (kind = series_kind_at(n)); n++) {
		json_t *row = json_object_get(known, kind->key);
		json_t *properties = json_object_get(row, "properties");
		json_t *columns = json_object_get(json_object_get(properties, "columns"), "const");
		size_t c = 0;

		if (!columns)
			fail_msg("%s is in the catalogue, not in the schema", kind->key);
		for (; c < SERIES_COLUMNS_MAX && kind->columns[c]; c++)
			assert_string_equal(json_string_value(json_array_get(columns, c)),
				kind->columns[c]);
		assert_int_equal(json_array_size(columns), c);
	}
	assert_int_equal(json_object_size(known), n);
	json_decref(schema);
}

static void members_in_step(void **state)
{
	json_t *schema = load_schema();
	const struct field *f;

	(void)state;
	for (size_t i = 0; (f = field_at(i)); i++)
		if (!json_object_get(properties_of(schema, f->object), f->name))
			fail_msg("%s.%s is not in the schema", f->object, f->name);
	json_decref(schema);
}

/* Writes the text to a file and has the validator look at it. */
static void validate(const char *json, bool valid)
{
	char name[] = "/tmp/platter-schema-XXXXXX";
	char command[256];
	char line[512];
	int fd = mkstemp(name);
	FILE *out;
	bool said = false;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, json, strlen(json)), strlen(json));
	close(fd);
	snprintf(command, sizeof(command), VALIDATE "%s %s 2>&1", valid ? "" : "--not", name);
	out = popen(command, "r");
	assert_non_null(out);
	while (fgets(line, sizeof(line), out)) {
		if (strncmp(line, "ok 1", 4) == 0)
			said = true;
		else if (strncmp(line, "1..", 3) != 0)
			print_message("# %s", line);
	}
	unlink(name);
	assert_int_equal(pclose(out), 0);
	assert_true(said);
}

static bool have_validator(void)
{
	return system("/usr/bin/python3 -c 'import jsonschema' 2>/dev/null") == 0;
}

static void validate_document(const struct doc *doc)
{
	struct text out = {0};

	doc_json_write(doc, NULL, &out);
	validate(out.chars, true);
	text_release(&out);
}

static void written_documents_are_valid(void **state)
{
	const struct quantity *q;
	struct doc doc;

	(void)state;
	if (!have_validator())
		skip();
	made_up_document(&doc);
	validate_document(&doc);
	for (size_t i = 0; (q = quantity_at(i)); i++)
		doc_put_unknown(&doc, q->key, NULL, "The drive went away.");
	doc_event(&doc, &(struct event){.kind = "drive_gone", .offset = 512, .length = 512,
		.error = -ENODEV, .at_s = 1});
	doc.settings.seed = UINT64_MAX;
	doc.complete = false;
	facts_text(&doc.smart, "VPD 80h", FACT_SPECIMEN, "12345678", "serial_number");
	facts_integer(&doc.smart, "SMART", 41, "ata_smart_attributes.table[1].raw.value");
	facts_integer(&doc.smart, "SMART", 7200, "rotation_rate");
	facts_integer(&doc.smart, "VPD B1h", 5400, "rotation_rate");
	facts_flag(&doc.contents, "libblkid", true, "partitions[0].mounted");
	signs_add(&doc.signs, "hours", SIGN_WARN, "It is old.", "many hours");
	signs_unmade(&doc.signs, "contents", "It could not be opened.");
	validate_document(&doc);
	doc_release(&doc);
	doc_init(&doc);
	validate_document(&doc);
	doc_release(&doc);
}

/* Replaces the first `what` by as many bytes of `by`. */
static void invalid_with(const char *json, const char *what, const char *by)
{
	char *copy = mem_strdup(json);
	char *at = strstr(copy, what);

	assert_non_null(at);
	assert_int_equal(strlen(what), strlen(by));
	memcpy(at, by, strlen(by));
	validate(copy, false);
	free(copy);
}

static void others_are_not(void **state)
{
	static const char region[] = "\"from_bytes\": 0,\n      \"to_bytes\": 500107862016,\n";
	char spaces[sizeof(region)];
	struct doc doc;
	struct text out = {0};

	(void)state;
	if (!have_validator())
		skip();
	made_up_document(&doc);
	doc_put_unknown(&doc, "access.iops", "access/1", "Nobody looked.");
	doc_event(&doc, &(struct event){.kind = "slow_read", .took_s = 9});
	doc_json_write(&doc, NULL, &out);
	invalid_with(out.chars, "\"version\": [1, 1]", "\"version\": [2, 1]");
	invalid_with(out.chars, "access.iops", "access.oops");
	invalid_with(out.chars, "\"unknown\"", "\"derived\"");
	invalid_with(out.chars, "\"why_not\"", "\"because\"");
	invalid_with(out.chars, "\"low\": 1", "\"law\": 1");
	invalid_with(out.chars, "\"low\": 1", "\"low\": 9");
	invalid_with(out.chars, "\"low\": 1", "\"low\":-1");
	invalid_with(out.chars, "\"value\": 1", "\"value\":-1");
	invalid_with(out.chars, "\"took_s\": 9", "\"took_s\":-9");
	memset(spaces, ' ', sizeof(spaces) - 1);
	spaces[sizeof(spaces) - 1] = 0;
	invalid_with(out.chars, region, spaces);
	invalid_with(out.chars, "\"count\"", "\"cuont\"");
	invalid_with(out.chars, "\"confidence\": 0", "\"confidence\": 2");
	invalid_with(out.chars, "\"complete\": true", "\"complete\": 1234");
	doc_release(&doc);
	text_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(findings_in_step),
		cmocka_unit_test(series_in_step),
		cmocka_unit_test(members_in_step),
		cmocka_unit_test(written_documents_are_valid),
		cmocka_unit_test(others_are_not),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
