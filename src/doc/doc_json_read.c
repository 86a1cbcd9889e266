/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file is a stranger: each value is checked for type and range before it is used, each string is
 * cleaned, and the first thing that is wrong ends the reading with a sentence that names the place.
 * What is unknown is skipped, so that files of a newer minor version can be read. */
#include "doc/doc_json.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"
#include "doc/doc_fields.h"

#define ROWS_MAX  1000000u
#define ARGV_MAX  1000u
#define NOTES_MAX 1000u

static int damaged(struct err *e, const char *object, const char *name, const char *what)
{
	char place[96];

	text_copy_clean(place, sizeof(place), name);
	return err_set(e, -EINVAL, "the result file is damaged: %s%s%s %s", object,
		object[0] && name[0] ? "." : "", place, what);
}

/* The member, checked to be an object or array; a missing one gives NULL and 0. */
static int member(const json_t *root, const char *name, json_type type, const json_t **value,
	struct err *e)
{
	*value = json_object_get(root, name);
	if (!*value || json_typeof(*value) == type)
		return 0;
	return damaged(e, "", name, type == JSON_OBJECT ? "is not an object" : "is not a list");
}

static int read_whole(const json_t *value, uint64_t max, uint64_t *n)
{
	if (json_is_string(value)) {
		if (units_parse_u64(json_string_value(value), n))
			return -EINVAL;
	} else if (json_is_integer(value) && json_integer_value(value) >= 0) {
		*n = (uint64_t)json_integer_value(value);
	} else {
		return -EINVAL;
	}
	return *n > max ? -ERANGE : 0;
}

/* "" for a missing one. */
static int read_string(const json_t *object, const char *name, char *dst, size_t size)
{
	const json_t *value = json_object_get(object, name);

	dst[0] = 0;
	if (!value)
		return 0;
	if (!json_is_string(value))
		return -EINVAL;
	text_copy_clean(dst, size, json_string_value(value));
	return 0;
}

/* A cleaned copy of any length, which the caller frees. */
static char *copy_string(const json_t *value)
{
	size_t size = json_string_length(value) + 1;
	char *copy = mem_zalloc(size, 1);

	text_copy_clean(copy, size, json_string_value(value));
	return copy;
}

static int read_field(struct doc *doc, const struct field *f, const json_t *object, struct err *e)
{
	const json_t *value = json_object_get(object, f->name);
	char *p = (char *)doc + f->offset;
	uint64_t n;

	if (!value)
		return 0;
	switch (f->type) {
	case FIELD_STRING:
	case FIELD_SECRET:
		if (read_string(object, f->name, p, f->size))
			return damaged(e, f->object, f->name, "is not a string");
		return 0;
	case FIELD_FLAG:
		if (!json_is_boolean(value))
			return damaged(e, f->object, f->name, "is neither true nor false");
		*(bool *)p = json_is_true(value);
		*(bool *)((char *)doc + f->known_offset) = true;
		return 0;
	case FIELD_REAL:
		if (!json_is_number(value) || !(json_number_value(value) >= 0))
			return damaged(e, f->object, f->name, "is not a number from 0 up");
		*(double *)p = json_number_value(value);
		return 0;
	case FIELD_U64:
		if (read_whole(value, UINT64_MAX, (uint64_t *)p))
			return damaged(e, f->object, f->name, "is not a whole number from 0 up");
		return 0;
	case FIELD_U32:
		if (read_whole(value, UINT32_MAX, &n))
			return damaged(e, f->object, f->name, "is not a whole number below 2^32");
		*(uint32_t *)p = (uint32_t)n;
		return 0;
	}
	return 0;
}

static int read_fields(struct doc *doc, const json_t *root, struct err *e)
{
	const struct field *f;
	int status;

	for (size_t i = 0; (f = field_at(i)); i++) {
		const json_t *object;

		if ((status = member(root, f->object, JSON_OBJECT, &object, e)))
			return status;
		if (object && (status = read_field(doc, f, object, e)))
			return status;
	}
	return 0;
}

static int read_identity(struct doc *doc, const json_t *identity, struct err *e)
{
	struct identity *id = &doc->identity;
	const json_t *part;
	int status;

	if ((status = member(identity, "device", JSON_OBJECT, &part, e)))
		return status;
	if (read_string(part, "name", id->device_name, sizeof(id->device_name)))
		return damaged(e, "identity", "device.name", "is not a string");
	if ((status = member(identity, "user_capacity", JSON_OBJECT, &part, e)))
		return status;
	if (part && read_whole(json_object_get(part, "bytes"), INT64_MAX, &id->size_bytes))
		return damaged(e, "identity", "user_capacity.bytes", "is not a whole number from 0 up");
	return 0;
}

static int read_argv(struct doc *doc, const json_t *settings, struct err *e)
{
	const json_t *argv;
	size_t n;
	int status = member(settings, "argv", JSON_ARRAY, &argv, e);

	if (status || !argv)
		return status;
	n = json_array_size(argv);
	if (n > ARGV_MAX)
		return damaged(e, "settings", "argv", "is too long");
	doc->settings.argv = mem_zalloc(n + 1, sizeof(char *));
	for (size_t i = 0; i < n; i++) {
		if (!json_is_string(json_array_get(argv, i)))
			return damaged(e, "settings", "argv", "holds something that is not a string");
		doc->settings.argv[i] = copy_string(json_array_get(argv, i));
	}
	return 0;
}

/* NAN for a missing one or null; -EINVAL for what is not a number of low … high. */
static int read_real(const json_t *object, const char *name, double low, double high, double *value)
{
	const json_t *v = json_object_get(object, name);

	*value = NAN;
	if (!v || json_is_null(v))
		return 0;
	if (!json_is_number(v))
		return -EINVAL;
	*value = json_number_value(v);
	return isfinite(*value) && *value >= low && *value <= high ? 0 : -EINVAL;
}

static int read_count(const json_t *object, const char *name, uint64_t max, uint64_t *n)
{
	const json_t *v = json_object_get(object, name);

	*n = 0;
	return v ? read_whole(v, max, n) : 0;
}

static double or_zero(double value)
{
	return isnan(value) ? 0 : value;
}

/* The members that known findings have; the sentence's end says what is wrong. */
static const char *read_known(struct finding *f, const json_t *object)
{
	uint64_t runs;

	if (read_real(object, "value", -INFINITY, INFINITY, &f->value) || (isnan(f->value) && !f->text))
		return "has no value";
	if (read_real(object, "low", -INFINITY, INFINITY, &f->low) ||
		read_real(object, "high", -INFINITY, INFINITY, &f->high) ||
		isnan(f->low) != isnan(f->high) || f->low > f->high)
		return "has an interval that is none";
	if (f->value < f->low || f->value > f->high)
		return "has a value outside its interval";
	if (read_real(object, "confidence", 0, 1, &f->confidence))
		return "has a confidence that is not between 0 and 1";
	if (read_count(object, "samples", INT64_MAX, &f->samples) ||
		read_count(object, "runs", UINT32_MAX, &runs))
		return "has a count that is none";
	if (read_real(object, "spread", 0, INFINITY, &f->spread) ||
		read_real(object, "lost_share", 0, 1, &f->lost_share))
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

	if (read_count(object, "from_bytes", INT64_MAX, &f->from_bytes) ||
		read_count(object, "to_bytes", INT64_MAX, &f->to_bytes) ||
		f->from_bytes > f->to_bytes)
		return "speaks of a region that is none";
	if (read_count(object, "request_bytes", UINT32_MAX, &request) ||
		read_count(object, "depth", UINT32_MAX, &depth))
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
	*string = copy_string(value);
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

static int read_finding(struct doc *doc, const char *key, const json_t *object, struct err *e)
{
	struct finding f = {.value = NAN, .low = NAN, .high = NAN, .spread = NAN};
	char *text = NULL;
	char *method = NULL;
	char *why_not = NULL;
	const char *wrong = NULL;

	if (!json_is_object(object) || !read_how(object, &f.how))
		return damaged(e, "findings", key, "does not say how it was had");
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
	if (!wrong)
		wrong = read_where(&f, object);
	if (!wrong)
		doc_put(doc, key, &f);
	free(text);
	free(method);
	free(why_not);
	return wrong ? damaged(e, "findings", key, wrong) : 0;
}

static int read_findings(struct doc *doc, const json_t *findings, struct err *e)
{
	const struct quantity *q;
	int status;

	for (size_t i = 0; (q = quantity_at(i)); i++) {
		const json_t *object = json_object_get(findings, q->key);

		if (object && (status = read_finding(doc, q->key, object, e)))
			return status;
	}
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

static int read_series(struct doc *doc, const struct series_kind *kind, const json_t *object,
	struct err *e)
{
	const json_t *columns = json_object_get(object, "columns");
	const json_t *rows = json_object_get(object, "rows");
	struct series *s;

	if (!json_is_array(columns) || !json_is_array(rows) || !same_columns(kind, columns))
		return damaged(e, "series", kind->key, "has no rows, or other columns than it should");
	if (json_array_size(rows) > ROWS_MAX)
		return damaged(e, "series", kind->key, "has more than a million rows");
	s = doc_series(doc, kind->key);
	for (size_t r = 0; r < json_array_size(rows); r++)
		if (!read_row(s, json_array_get(rows, r), json_array_size(columns)))
			return damaged(e, "series", kind->key, "has a row that is not one of numbers");
	return 0;
}

static int read_all_series(struct doc *doc, const json_t *all, struct err *e)
{
	const struct series_kind *kind;
	int status;

	for (size_t i = 0; (kind = series_kind_at(i)); i++) {
		const json_t *object = json_object_get(all, kind->key);

		if (object && (status = read_series(doc, kind, object, e)))
			return status;
	}
	return 0;
}

static int read_event(struct doc *doc, const json_t *object, struct err *e)
{
	struct event event = {0};
	char name[32];
	uint64_t length;

	if (!json_is_object(object) || read_string(object, "kind", event.kind, sizeof(event.kind)) ||
		!event.kind[0])
		return damaged(e, "events", "", "holds one that does not say what happened");
	if (read_count(object, "offset", INT64_MAX, &event.offset) ||
		read_count(object, "length", UINT32_MAX, &length) ||
		read_real(object, "at_s", 0, INFINITY, &event.at_s) ||
		read_string(object, "errno", name, sizeof(name)))
		return damaged(e, "events", "", "holds one with a place, time or error that is none");
	event.length = (uint32_t)length;
	event.at_s = or_zero(event.at_s);
	event.error = errno_of_name(name);
	doc_event(doc, &event);
	return 0;
}

static int read_events(struct doc *doc, const json_t *root, struct err *e)
{
	const json_t *events;
	uint64_t dropped;
	int status = member(root, "events", JSON_ARRAY, &events, e);

	for (size_t i = 0; !status && i < json_array_size(events); i++)
		status = read_event(doc, json_array_get(events, i), e);
	if (status)
		return status;
	if (read_count(root, "events_dropped", INT64_MAX, &dropped))
		return damaged(e, "", "events_dropped", "is not a whole number from 0 up");
	doc->events_dropped += dropped;
	return 0;
}

static int read_notes(struct doc *doc, const json_t *root, struct err *e)
{
	const json_t *notes;
	int status = member(root, "notes", JSON_ARRAY, &notes, e);

	if (status)
		return status;
	if (json_array_size(notes) > NOTES_MAX)
		return damaged(e, "", "notes", "has more than a thousand sentences");
	for (size_t i = 0; i < json_array_size(notes); i++) {
		char *note;

		if (!json_is_string(json_array_get(notes, i)))
			return damaged(e, "", "notes", "holds something that is not a string");
		note = copy_string(json_array_get(notes, i));
		doc_note(doc, "%s", note);
		free(note);
	}
	return 0;
}

static int read_flags(struct doc *doc, const json_t *root, struct err *e)
{
	const json_t *complete = json_object_get(root, "complete");
	const json_t *simulated = json_object_get(root, "simulated");

	if (!json_is_boolean(complete))
		return damaged(e, "", "complete", "is neither true nor false");
	if (!json_is_boolean(simulated))
		return damaged(e, "", "simulated", "is neither true nor false");
	doc->complete = json_is_true(complete);
	doc->simulated = json_is_true(simulated);
	doc->identity.simulated = doc->simulated;
	return 0;
}

static int read_version(struct doc *doc, const json_t *root, struct err *e)
{
	const json_t *format = json_object_get(root, "platter_document");
	const json_t *version = json_object_get(format, "version");
	const json_t *program = json_object_get(root, "platter");
	uint64_t major;
	uint64_t minor;

	if (!json_is_object(format))
		return err_set(e, -EINVAL, "this is JSON, but not a platter result: it has no "
					   "\"platter_document\"; give a file that platter wrote");
	if (read_whole(json_array_get(version, 0), UINT32_MAX, &major) ||
		read_whole(json_array_get(version, 1), UINT32_MAX, &minor) || major < 1)
		return damaged(e, "platter_document", "version", "is not two whole numbers");
	if (major > DOC_FORMAT_MAJOR)
		return err_set(e, -EPROTONOSUPPORT,
			"the result file was written by a newer platter (format %u.%u; this one reads "
			"up to %d): use that platter or a newer one to read it",
			(unsigned)major, (unsigned)minor, DOC_FORMAT_MAJOR);
	doc->version[0] = (unsigned)major;
	doc->version[1] = (unsigned)minor;
	if (read_string(program, "version", doc->platter_version, sizeof(doc->platter_version)))
		return damaged(e, "platter", "version", "is not a string");
	return 0;
}

static int read_root(struct doc *doc, const json_t *root, struct err *e)
{
	static const char *const objects[] = {"settings", "identity", "findings", "series"};
	const json_t *parts[4];
	int status = read_version(doc, root, e);

	for (size_t i = 0; !status && i < 4; i++)
		status = member(root, objects[i], JSON_OBJECT, &parts[i], e);
	if (status || (status = read_fields(doc, root, e)))
		return status;
	if (!parts[1] || !parts[2])
		return damaged(e, "", parts[1] ? "findings" : "identity", "is missing");
	if ((status = read_argv(doc, parts[0], e)) || (status = read_identity(doc, parts[1], e)) ||
		(status = read_findings(doc, parts[2], e)) ||
		(status = read_all_series(doc, parts[3], e)) ||
		(status = read_events(doc, root, e)) || (status = read_notes(doc, root, e)))
		return status;
	return read_flags(doc, root, e);
}

static int not_json(const json_error_t *error, struct err *e)
{
	char what[JSON_ERROR_TEXT_LENGTH];

	if (json_error_code(error) == json_error_premature_end_of_input)
		return err_set(e, -EINVAL, "the result file ends in the middle, at line %d: it was cut "
			"off when it was written or copied; fetch it again or probe the drive again",
			error->line);
	text_copy_clean(what, sizeof(what), error->text);
	return err_set(e, -EINVAL, "this is not a platter result: line %d, column %d is not JSON (%s)",
		error->line, error->column, what);
}

int doc_json_read(struct doc *doc, const char *bytes, size_t length, struct err *e)
{
	json_error_t error;
	json_t *root;
	int status;

	doc_init(doc);
	root = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, &error);
	if (!root)
		return not_json(&error, e);
	if (json_is_object(root))
		status = read_root(doc, root, e);
	else
		status = err_set(e, -EINVAL, "this is JSON, but not a platter result: it is a list; "
					     "give a file that platter wrote");
	json_decref(root);
	return status;
}
