/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file is a stranger: the first thing that is wrong ends the reading with a sentence that names
 * the place. What is unknown is skipped, so that files of a newer minor version can be read. */
#include "doc/doc_json.h"

#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "doc/doc_fields.h"
#include "doc/doc_json_check.h"
#include "doc/facts_json.h"

#define ARGV_MAX  1000u
#define NOTES_MAX 1000u
#define NO_WHOLE_NUMBER "is not a whole number from 0 up"

static int read_field(struct doc *doc, const struct field *f, const json_t *object, struct err *e)
{
	const json_t *value = json_object_get(object, f->name);
	void *p = (char *)doc + f->offset;
	void *known = (char *)doc + f->known_offset;
	uint64_t n;

	if (!value)
		return 0;
	switch (f->type) {
	case FIELD_STRING:
	case FIELD_SECRET:
		if (json_read_string(object, f->name, p, f->size))
			return json_damaged(e, f->object, f->name, "is not a string");
		return 0;
	case FIELD_FLAG:
		if (!json_is_boolean(value))
			return json_damaged(e, f->object, f->name, "is neither true nor false");
		*(bool *)p = json_is_true(value);
		*(bool *)known = true;
		return 0;
	case FIELD_REAL:
		if (!json_is_number(value) || !(json_number_value(value) >= 0))
			return json_damaged(e, f->object, f->name, "is not a number from 0 up");
		*(double *)p = json_number_value(value);
		return 0;
	case FIELD_U64:
		if (json_read_whole(value, UINT64_MAX, (uint64_t *)p))
			return json_damaged(e, f->object, f->name, NO_WHOLE_NUMBER);
		return 0;
	case FIELD_U32:
		if (json_read_whole(value, UINT32_MAX, &n))
			return json_damaged(e, f->object, f->name, "is no whole number below 2^32");
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

		if ((status = json_member(root, f->object, JSON_OBJECT, &object, e)))
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

	if ((status = json_member(identity, "device", JSON_OBJECT, &part, e)))
		return status;
	if (json_read_string(part, "name", id->device_name, sizeof(id->device_name)))
		return json_damaged(e, "identity", "device.name", "is not a string");
	if ((status = json_member(identity, "user_capacity", JSON_OBJECT, &part, e)))
		return status;
	if (part && json_read_whole(json_object_get(part, "bytes"), INT64_MAX, &id->size_bytes))
		return json_damaged(e, "identity", "user_capacity.bytes", NO_WHOLE_NUMBER);
	return 0;
}

static int read_argv(struct doc *doc, const json_t *settings, struct err *e)
{
	const json_t *argv;
	size_t n;
	int status = json_member(settings, "argv", JSON_ARRAY, &argv, e);

	if (status || !argv)
		return status;
	n = json_array_size(argv);
	if (n > ARGV_MAX)
		return json_damaged(e, "settings", "argv", "is too long");
	doc->settings.argv = mem_zalloc(n + 1, sizeof(char *));
	for (size_t i = 0; i < n; i++) {
		if (!json_is_string(json_array_get(argv, i)))
			return json_damaged(e, "settings", "argv",
				"holds something that is not a string");
		doc->settings.argv[i] = json_copy_string(json_array_get(argv, i));
	}
	return 0;
}

static int read_notes(struct doc *doc, const json_t *root, struct err *e)
{
	const json_t *notes;
	int status = json_member(root, "notes", JSON_ARRAY, &notes, e);

	if (status)
		return status;
	if (json_array_size(notes) > NOTES_MAX)
		return json_damaged(e, "", "notes", "has more than a thousand sentences");
	for (size_t i = 0; i < json_array_size(notes); i++) {
		char *note;

		if (!json_is_string(json_array_get(notes, i)))
			return json_damaged(e, "", "notes", "holds something that is not a string");
		note = json_copy_string(json_array_get(notes, i));
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
		return json_damaged(e, "", "complete", "is neither true nor false");
	if (!json_is_boolean(simulated))
		return json_damaged(e, "", "simulated", "is neither true nor false");
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
	if (json_read_whole(json_array_get(version, 0), UINT32_MAX, &major) ||
		json_read_whole(json_array_get(version, 1), UINT32_MAX, &minor) || major < 1)
		return json_damaged(e, "platter_document", "version", "is not two whole numbers");
	if (major > DOC_FORMAT_MAJOR)
		return err_set(e, -EPROTONOSUPPORT,
			"the result file was written by a newer platter (format %u.%u; this one "
			"reads up to %d): use that platter or a newer one to read it",
			(unsigned)major, (unsigned)minor, DOC_FORMAT_MAJOR);
	doc->version[0] = (unsigned)major;
	doc->version[1] = (unsigned)minor;
	if (json_read_string(program, "version", doc->platter_version,
		    sizeof(doc->platter_version)))
		return json_damaged(e, "platter", "version", "is not a string");
	return 0;
}

static int read_root(struct doc *doc, const json_t *root, struct err *e)
{
	static const char *const objects[] = {"settings", "identity", "findings", "series"};
	const json_t *parts[4];
	int status = read_version(doc, root, e);

	for (size_t i = 0; !status && i < 4; i++)
		status = json_member(root, objects[i], JSON_OBJECT, &parts[i], e);
	if (status || (status = read_fields(doc, root, e)))
		return status;
	if (!parts[1] || !parts[2])
		return json_damaged(e, "", parts[1] ? "findings" : "identity", "is missing");
	if ((status = read_argv(doc, parts[0], e)) || (status = read_identity(doc, parts[1], e)) ||
		(status = facts_json_read(&doc->smart, root, "smart", e)) ||
		(status = facts_json_read(&doc->smart_after, root, "smart_after", e)) ||
		(status = facts_json_read(&doc->contents, root, "contents", e)) ||
		(status = json_read_signs(doc, root, e)) ||
		(status = json_read_findings(doc, parts[2], e)) ||
		(status = json_read_series(doc, parts[3], e)) ||
		(status = json_read_events(doc, root, e)) || (status = read_notes(doc, root, e)))
		return status;
	return read_flags(doc, root, e);
}

static int not_json(const json_error_t *error, struct err *e)
{
	char what[JSON_ERROR_TEXT_LENGTH];

	if (json_error_code(error) == json_error_premature_end_of_input)
		return err_set(e, -EINVAL,
			"the result file ends in the middle, at line %d: it was cut off when "
			"it was written or copied; fetch it again or probe the drive again",
			error->line);
	text_copy_clean(what, sizeof(what), error->text);
	return err_set(e, -EINVAL,
		"this is not a platter result: line %d, column %d is not JSON (%s)", error->line,
		error->column, what);
}

int doc_json_read(struct doc *doc, const char *bytes, size_t length, struct err *e)
{
	json_error_t error;
	json_t *root;
	int status;

	doc_init(doc);
	if (!length)
		return err_set(e, -EINVAL,
			"the result file is empty: it was never written to the end; probe the "
			"drive again");
	root = json_loadb(bytes, length, JSON_REJECT_DUPLICATES, &error);
	if (!root)
		return not_json(&error, e);
	if (json_is_object(root))
		status = read_root(doc, root, e);
	else
		status = err_set(e, -EINVAL,
			"this is JSON, but not a platter result: it is a list; give a file that "
			"platter wrote");
	json_decref(root);
	return status;
}
