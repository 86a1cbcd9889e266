/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reading half of findings, series and events. What the catalogue does not know is skipped;
 * what it knows must be sound, because from here on nobody can tell a loaded document from a fresh
 * one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "doc/doc_fields.h"
#include "doc/doc_json_check.h"

#define ROWS_MAX 1000000u

static double or_zero(double value)
{
	return isnan(value) ? 0 : value;
}

/* The members that known findings have; the sentence's end says what is wrong. */
static const char *read_known(struct finding *f, const json_t *object)
{
	uint64_t runs;

	if (json_read_real(object, "value", -INFINITY, INFINITY, &f->value) ||
		(isnan(f->value) && !f->text))
		return "has no value";
	if (json_read_real(object, "low", -INFINITY, INFINITY, &f->low) ||
		json_read_real(object, "high", -INFINITY, INFINITY, &f->high) ||
		isnan(f->low) != isnan(f->high) || f->low > f->high)
		return "has an interval that is none";
	if (f->value < f->low || f->value > f->high)
		return "has a value outside its interval";
	if (json_read_real(object, "confidence", 0, 1, &f->confidence))
		return "has a confidence that is not between 0 and 1";
	if (json_read_count(object, "samples", INT64_MAX, &f->samples) ||
		json_read_count(object, "runs", UINT32_MAX, &runs))
		return "has a count that is none";
	if (json_read_real(object, "spread", 0, INFINITY, &f->spread) ||
		json_read_real(object, "lost_share", 0, 1, &f->lost_share))
		return "has a spread or share out of range";
	f->runs = (unsigned)runs;
	f->confidence = or_zero(f->confidence);
	f->lost_share = or_zero(f->lost_share);
	return NULL;
}

static const char *read_where(struct finding *f, const json_t *object)
{
	const json_t *cached = json_object_get(object, "cached");
	uint64_t request;
	uint64_t depth;

	if (json_read_count(object, "from_bytes", INT64_MAX, &f->from_bytes) ||
		json_read_count(object, "to_bytes", INT64_MAX, &f->to_bytes) ||
		f->from_bytes > f->to_bytes)
		return "speaks of a region that is none";
	if (json_read_count(object, "request_bytes", UINT32_MAX, &request) ||
		json_read_count(object, "depth", UINT32_MAX, &depth))
		return "has a request size or depth that is none";
	if (cached && !json_is_boolean(cached))
		return "says neither true nor false for cached";
	f->request_bytes = (uint32_t)request;
	f->depth = (unsigned)depth;
	f->cached = json_is_true(cached);
	return NULL;
}

/* An optional string member, cleaned, which the caller frees; false when it is something else. */
static bool take_string(const json_t *object, const char *name, char **string)
{
	const json_t *value = json_object_get(object, name);

	*string = NULL;
	if (!value)
		return true;
	if (!json_is_string(value))
		return false;
	*string = json_copy_string(value);
	return true;
}

static bool read_how(const json_t *object, enum how *how)
{
	const char *name = json_string_value(json_object_get(object, "how"));

	for (int h = HOW_UNKNOWN; h <= HOW_REPORTED; h++) {
		if (name && strcmp(how_name((enum how)h), name) == 0) {
			*how = (enum how)h;
			return true;
		}
	}
	return false;
}

/* Base units of most figures begin at nothing. */
static bool is_below_zero(const struct quantity *q, const struct finding *f)
{
	return q->unit != UNIT_NONE && !f->text && (f->value < 0 || f->low < 0);
}

static int read_finding(struct doc *doc, const char *key, const json_t *object, struct err *e)
{
	struct finding f = {.value = NAN, .low = NAN, .high = NAN, .spread = NAN};
	char *text = NULL;
	char *method = NULL;
	char *why_not = NULL;
	const char *wrong = NULL;

	if (!json_is_object(object) || !read_how(object, &f.how))
		return json_damaged(e, "findings", key, "does not say how it was had");
	if (!take_string(object, "text", &text) || !take_string(object, "method", &method) ||
		!take_string(object, "why_not", &why_not))
		wrong = "has a text, method or reason that is not a string";
	f.text = f.how == HOW_UNKNOWN ? NULL : text;
	f.method = method;
	f.why_not = f.how == HOW_UNKNOWN ? why_not : NULL;
	if (!wrong && f.how == HOW_UNKNOWN && (!why_not || !why_not[0]))
		wrong = "is unknown without a reason";
	if (!wrong && f.how != HOW_UNKNOWN)
		wrong = read_known(&f, object);
	if (!wrong && is_below_zero(quantity_find(key), &f))
		wrong = "is below zero";
	if (!wrong)
		wrong = read_where(&f, object);
	if (!wrong)
		doc_put(doc, key, &f);
	free(text);
	free(method);
	free(why_not);
	return wrong ? json_damaged(e, "findings", key, wrong) : 0;
}

/* Says how many members of the object are not in the catalogue: a newer platter put them there. */
static void note_left_out(struct doc *doc, const json_t *object, size_t read, const char *one,
	const char *several)
{
	size_t n = json_object_size(object) - read;

	if (n)
		doc_note(doc, "%zu %s of a newer platter %s left out.", n, n == 1 ? one : several,
			n == 1 ? "was" : "were");
}

int json_read_findings(struct doc *doc, const json_t *findings, struct err *e)
{
	const struct quantity *q;
	size_t read = 0;
	int status;

	for (size_t i = 0; (q = quantity_at(i)); i++) {
		const json_t *object = json_object_get(findings, q->key);

		if (!object)
			continue;
		if ((status = read_finding(doc, q->key, object, e)))
			return status;
		read++;
	}
	note_left_out(doc, findings, read, "figure", "figures");
	return 0;
}

/* The columns known here must come first; a newer platter may have added others behind them. */
static bool same_columns(const struct series_kind *kind, const json_t *columns)
{
	for (size_t c = 0; c < SERIES_COLUMNS_MAX && kind->columns[c]; c++) {
		const char *name = json_string_value(json_array_get(columns, c));

		if (!name || strcmp(name, kind->columns[c]) != 0)
			return false;
	}
	return true;
}

static bool read_row(struct series *s, const json_t *row, size_t width)
{
	double values[SERIES_COLUMNS_MAX];

	if (!json_is_array(row) || json_array_size(row) != width)
		return false;
	for (size_t c = 0; c < s->columns; c++) {
		const json_t *value = json_array_get(row, c);

		if (!json_is_number(value) && !json_is_null(value))
			return false;
		values[c] = json_is_null(value) ? NAN : json_number_value(value);
	}
	series_add(s, values);
	return true;
}

static int read_one_series(struct doc *doc, const struct series_kind *kind, const json_t *object,
	struct err *e)
{
	const json_t *columns = json_object_get(object, "columns");
	const json_t *rows = json_object_get(object, "rows");
	struct series *s;

	if (!json_is_array(columns) || !json_is_array(rows) || !same_columns(kind, columns))
		return json_damaged(e, "series", kind->key,
			"has no rows, or other columns than it should");
	if (json_array_size(rows) > ROWS_MAX)
		return json_damaged(e, "series", kind->key, "has more than a million rows");
	s = doc_series(doc, kind->key);
	for (size_t r = 0; r < json_array_size(rows); r++)
		if (!read_row(s, json_array_get(rows, r), json_array_size(columns)))
			return json_damaged(e, "series", kind->key,
				"has a row that is not one of numbers");
	return 0;
}

int json_read_series(struct doc *doc, const json_t *all, struct err *e)
{
	const struct series_kind *kind;
	size_t read = 0;
	int status;

	for (size_t i = 0; (kind = series_kind_at(i)); i++) {
		const json_t *object = json_object_get(all, kind->key);

		if (!object)
			continue;
		if ((status = read_one_series(doc, kind, object, e)))
			return status;
		read++;
	}
	note_left_out(doc, all, read, "series", "series");
	return 0;
}

static int read_event(struct doc *doc, const json_t *object, struct err *e)
{
	struct event event = {0};
	char name[32];
	uint64_t length;

	if (!json_is_object(object) ||
		json_read_string(object, "kind", event.kind, sizeof(event.kind)) || !event.kind[0])
		return json_damaged(e, "events", "", "holds one that does not say what happened");
	if (json_read_count(object, "offset", INT64_MAX, &event.offset) ||
		json_read_count(object, "length", UINT32_MAX, &length) ||
		json_read_real(object, "at_s", 0, INFINITY, &event.at_s) ||
		json_read_real(object, "took_s", 0, INFINITY, &event.took_s) ||
		json_read_string(object, "errno", name, sizeof(name)))
		return json_damaged(e, "events", "",
			"holds one with a place, time or error that is none");
	event.length = (uint32_t)length;
	event.at_s = or_zero(event.at_s);
	event.took_s = or_zero(event.took_s);
	event.error = errno_of_name(name);
	doc_event(doc, &event);
	return 0;
}

int json_read_events(struct doc *doc, const json_t *root, struct err *e)
{
	const json_t *events;
	uint64_t dropped;
	int status = json_member(root, "events", JSON_ARRAY, &events, e);

	for (size_t i = 0; !status && i < json_array_size(events); i++)
		status = read_event(doc, json_array_get(events, i), e);
	if (status)
		return status;
	if (json_read_count(root, "events_dropped", INT64_MAX, &dropped))
		return json_damaged(e, "", "events_dropped", "is not a whole number from 0 up");
	doc->events_dropped += dropped;
	return 0;
}
