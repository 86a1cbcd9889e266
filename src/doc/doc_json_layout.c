/* SPDX-License-Identifier: GPL-2.0-or-later */
/* jansson writes either one long line or a line for each number. Here a value stands on one line
 * when that fits, else its members get a line each, indented by two. 15 digits are what a double
 * gives back unchanged, so reading and writing a file again gives the same bytes. */
#include "doc/doc_json_layout.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define WIDTH  100
#define DIGITS 15
#define WHOLE_BELOW 1e15

json_t *json_layout_number(double value)
{
	char digits[40];
	json_t *number;

	if (!isfinite(value))
		return json_null();
	snprintf(digits, sizeof(digits), "%.*g", DIGITS, value);
	value = strtod(digits, NULL);
	/* rounding may have left the range of doubles */
	if (!isfinite(value))
		return json_null();
	if (fabs(value) < WHOLE_BELOW && value == floor(value))
		number = json_integer((json_int_t)value);
	else
		number = json_real(value);
	if (!number)
		abort();
	return number;
}

static int append(const char *bytes, size_t length, void *out)
{
	text_add_bytes(out, bytes, length);
	return 0;
}

static void one_line(const json_t *value, struct text *out)
{
	if (json_dump_callback(value, append, out, JSON_ENCODE_ANY | JSON_REAL_PRECISION(DIGITS)))
		abort();
}

static void lay(const json_t *value, size_t indent, size_t before, struct text *out);

static void lay_members(const json_t *object, size_t indent, struct text *out)
{
	void *i = json_object_iter((json_t *)object);

	while (i) {
		json_t *key = json_string(json_object_iter_key(i));
		size_t start = out->length;

		if (!key)
			abort();
		text_add_fill(out, ' ', indent);
		one_line(key, out);
		json_decref(key);
		text_add(out, ": ");
		lay(json_object_iter_value(i), indent, out->length - start, out);
		i = json_object_iter_next((json_t *)object, i);
		text_add(out, i ? ",\n" : "\n");
	}
}

static void lay_elements(const json_t *array, size_t indent, struct text *out)
{
	size_t n = json_array_size(array);

	for (size_t i = 0; i < n; i++) {
		text_add_fill(out, ' ', indent);
		lay(json_array_get(array, i), indent, indent, out);
		text_add(out, i + 1 < n ? ",\n" : "\n");
	}
}

/* before: characters already on the line. */
static void lay(const json_t *value, size_t indent, size_t before, struct text *out)
{
	size_t start = out->length;
	bool object = json_is_object(value);

	one_line(value, out);
	if (!(object || json_is_array(value)) || before + out->length - start < WIDTH)
		return;
	out->length = start;
	text_add(out, object ? "{\n" : "[\n");
	if (object)
		lay_members(value, indent + 2, out);
	else
		lay_elements(value, indent + 2, out);
	text_add_fill(out, ' ', indent);
	text_add(out, object ? "}" : "]");
}

void json_layout(const json_t *value, struct text *out)
{
	lay(value, 0, 0, out);
	text_add(out, "\n");
}
