/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The document as a tree of JSON values, then laid out. Findings and series follow the catalogue's
 * order whatever the order in which they were put, so equal documents give equal bytes. */
#include "doc/doc_json.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "doc/doc_fields.h"
#include "doc/doc_json_layout.h"

static json_t *had(json_t *value)
{
	if (!value)
		abort();
	return value;
}

static void set(json_t *object, const char *key, json_t *value)
{
	if (json_object_set_new(object, key, had(value)))
		abort();
}

static void append(json_t *array, json_t *value)
{
	if (json_array_append_new(array, had(value)))
		abort();
}

/* Whatever the bytes: valid UTF-8 without control characters. */
static json_t *clean_string(const char *s)
{
	size_t size = strlen(s) + 1;
	char *clean = mem_zalloc(size, 1);
	json_t *string;

	text_copy_clean(clean, size, s);
	string = had(json_string(clean));
	free(clean);
	return string;
}

static void set_string(json_t *object, const char *key, const char *s)
{
	if (s && s[0])
		set(object, key, clean_string(s));
}

static json_t *whole(uint64_t n)
{
	struct text digits = {0};
	json_t *value;

	if (n <= INT64_MAX)
		return had(json_integer((json_int_t)n));
	text_add(&digits, "%llu", (unsigned long long)n);
	value = had(json_string(text_chars(&digits)));
	text_release(&digits);
	return value;
}

static void set_secret(json_t *object, const char *key, const char *s, bool show)
{
	char masked[256];

	identity_mask(masked, sizeof(masked), s);
	set_string(object, key, show ? s : masked);
}

static void set_field(json_t *object, const struct field *f, const struct doc *doc, bool show)
{
	const void *p = (const char *)doc + f->offset;
	const void *known = (const char *)doc + f->known_offset;
	uint64_t n = 0;

	switch (f->type) {
	case FIELD_STRING: set_string(object, f->name, p); return;
	case FIELD_SECRET: set_secret(object, f->name, p, show); return;
	case FIELD_FLAG:
		if (*(const bool *)known)
			set(object, f->name, json_boolean(*(const bool *)p));
		return;
	case FIELD_REAL:
		if (f->always || *(const double *)p > 0)
			set(object, f->name, json_layout_number(*(const double *)p));
		return;
	case FIELD_U64: n = *(const uint64_t *)p; break;
	case FIELD_U32: n = *(const uint32_t *)p; break;
	}
	if (f->always || n)
		set(object, f->name, whole(n));
}

static void set_fields(json_t *object, const char *name, const struct doc *doc, bool show)
{
	const struct field *f;

	for (size_t i = 0; (f = field_at(i)); i++)
		if (strcmp(f->object, name) == 0)
			set_field(object, f, doc, show);
}

static json_t *fields_of(const char *name, const struct doc *doc)
{
	json_t *object = had(json_object());

	set_fields(object, name, doc, false);
	return object;
}

static json_t *settings_of(const struct doc *doc)
{
	json_t *object = had(json_object());

	if (doc->settings.argv) {
		json_t *argv = had(json_array());

		for (char **arg = doc->settings.argv; *arg; arg++)
			append(argv, clean_string(*arg));
		set(object, "argv", argv);
	}
	set_fields(object, "settings", doc, false);
	return object;
}

/* smartctl's device object; type and protocol only where the transport tells them for sure. */
static json_t *device_of(const struct identity *id)
{
	json_t *object = had(json_object());

	set_string(object, "name", id->device_name);
	if (strcmp(id->transport, "nvme") == 0) {
		set_string(object, "type", "nvme");
		set_string(object, "protocol", "NVMe");
	} else if (strcmp(id->transport, "sata") == 0 || strcmp(id->transport, "ata") == 0) {
		set_string(object, "type", "sat");
		set_string(object, "protocol", "ATA");
	} else if (strcmp(id->transport, "sas") == 0 || strcmp(id->transport, "fc") == 0) {
		set_string(object, "type", "scsi");
		set_string(object, "protocol", "SCSI");
	}
	return object;
}

static json_t *identity_of(const struct doc *doc, bool show_serial)
{
	const struct identity *id = &doc->identity;
	json_t *object = had(json_object());

	set(object, "device", device_of(id));
	if (id->size_bytes) {
		json_t *capacity = had(json_object());

		if (id->logical_block_bytes)
			set(capacity, "blocks", whole(id->size_bytes / id->logical_block_bytes));
		set(capacity, "bytes", whole(id->size_bytes));
		set(object, "user_capacity", capacity);
	}
	set_fields(object, "identity", doc, show_serial);
	return object;
}

static void set_value(json_t *object, const struct finding *f)
{
	if (f->text) {
		set(object, "text", clean_string(f->text));
	} else {
		set(object, "value", json_layout_number(f->value));
		if (isfinite(f->low) && isfinite(f->high)) {
			set(object, "low", json_layout_number(f->low));
			set(object, "high", json_layout_number(f->high));
		}
	}
	if (f->confidence > 0)
		set(object, "confidence", json_layout_number(f->confidence));
	set(object, "samples", whole(f->samples));
	if (f->runs)
		set(object, "runs", whole(f->runs));
	if (f->runs && isfinite(f->spread))
		set(object, "spread", json_layout_number(f->spread));
}

static json_t *finding_of(const struct finding *f)
{
	json_t *object = had(json_object());
	bool known = f->how != HOW_UNKNOWN;

	if (known)
		set_value(object, f);
	set(object, "how", clean_string(how_name(f->how)));
	if (!known)
		set(object, "why_not", clean_string(f->why_not));
	set_string(object, "method", f->method);
	if (f->to_bytes) {
		set(object, "from_bytes", whole(f->from_bytes));
		set(object, "to_bytes", whole(f->to_bytes));
	}
	if (f->request_bytes)
		set(object, "request_bytes", whole(f->request_bytes));
	if (f->depth)
		set(object, "depth", whole(f->depth));
	if (known)
		set(object, "lost_share", json_layout_number(f->lost_share));
	if (f->cached)
		set(object, "cached", json_true());
	return object;
}

static json_t *findings_of(const struct doc *doc)
{
	json_t *object = had(json_object());
	const struct quantity *q;

	for (size_t i = 0; (q = quantity_at(i)); i++) {
		const struct finding *f = doc_find(doc, q->key);

		if (f)
			set(object, q->key, finding_of(f));
	}
	return object;
}

static json_t *one_series_of(const struct series *s)
{
	json_t *object = had(json_object());
	json_t *columns = had(json_array());
	json_t *rows = had(json_array());

	for (size_t c = 0; c < s->columns; c++)
		append(columns, json_string(s->kind->columns[c]));
	for (size_t r = 0; r < s->rows; r++) {
		json_t *row = had(json_array());

		for (size_t c = 0; c < s->columns; c++)
			append(row, json_layout_number(s->values[r * s->columns + c]));
		append(rows, row);
	}
	set(object, "columns", columns);
	set(object, "rows", rows);
	return object;
}

static json_t *series_of(const struct doc *doc)
{
	json_t *object = had(json_object());
	const struct series_kind *kind;

	for (size_t i = 0; (kind = series_kind_at(i)); i++) {
		const struct series *s = doc_find_series(doc, kind->key);

		if (s)
			set(object, kind->key, one_series_of(s));
	}
	return object;
}

static json_t *events_of(const struct doc *doc)
{
	json_t *array = had(json_array());
	char buffer[16];

	for (size_t i = 0; i < doc->events_n; i++) {
		const struct event *event = &doc->events[i];
		json_t *object = had(json_object());

		set(object, "kind", clean_string(event->kind));
		if (event->length || event->offset)
			set(object, "offset", whole(event->offset));
		if (event->length)
			set(object, "length", whole(event->length));
		if (event->error)
			set_string(object, "errno",
				errno_name(buffer, sizeof(buffer), event->error));
		set(object, "at_s", json_layout_number(event->at_s));
		if (event->took_s > 0)
			set(object, "took_s", json_layout_number(event->took_s));
		append(array, object);
	}
	return array;
}

static json_t *notes_of(const struct doc *doc)
{
	json_t *array = had(json_array());

	for (size_t i = 0; i < doc->notes_n; i++)
		append(array, clean_string(doc->notes[i]));
	return array;
}

static json_t *format_of(void)
{
	json_t *object = had(json_object());
	json_t *version = had(json_array());

	append(version, json_integer(DOC_FORMAT_MAJOR));
	append(version, json_integer(DOC_FORMAT_MINOR));
	set(object, "version", version);
	return object;
}

static json_t *program_of(const struct doc *doc)
{
	json_t *object = had(json_object());

	set_string(object, "version", doc->platter_version);
	return object;
}

void doc_json_write(const struct doc *doc, const struct doc_json_options *options,
	struct text *out)
{
	json_t *root = had(json_object());

	set(root, "platter_document", format_of());
	set(root, "platter", program_of(doc));
	set(root, "host", fields_of("host", doc));
	set(root, "settings", settings_of(doc));
	set(root, "run", fields_of("run", doc));
	set(root, "identity", identity_of(doc, options && options->show_serial));
	set(root, "findings", findings_of(doc));
	set(root, "series", series_of(doc));
	set(root, "events", events_of(doc));
	if (doc->events_dropped)
		set(root, "events_dropped", whole(doc->events_dropped));
	set(root, "notes", notes_of(doc));
	set(root, "complete", json_boolean(doc->complete));
	set(root, "simulated", json_boolean(doc->simulated || doc->identity.simulated));
	json_layout(root, out);
	json_decref(root);
}
