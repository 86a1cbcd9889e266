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
#include "doc/facts_json.h"
#include "doc/json_make.h"

static void set_secret(json_t *object, const char *key, const char *s,
	const struct doc_json_options *options)
{
	char *shown = secret_as_shown(s, options);

	json_put_string(object, key, shown);
	free(shown);
}

static void set_field(json_t *object, const struct field *f, const struct doc *doc,
	const struct doc_json_options *options)
{
	const void *p = (const char *)doc + f->offset;
	const void *known = (const char *)doc + f->known_offset;
	uint64_t n = 0;

	switch (f->type) {
	case FIELD_STRING: json_put_string(object, f->name, p); return;
	case FIELD_SECRET: set_secret(object, f->name, p, options); return;
	case FIELD_FLAG:
		if (*(const bool *)known)
			json_put(object, f->name, json_boolean(*(const bool *)p));
		return;
	case FIELD_REAL:
		if (f->always || *(const double *)p > 0)
			json_put(object, f->name, json_layout_number(*(const double *)p));
		return;
	case FIELD_U64: n = *(const uint64_t *)p; break;
	case FIELD_U32: n = *(const uint32_t *)p; break;
	}
	if (f->always || n)
		json_put(object, f->name, json_whole(n));
}

static void set_fields(json_t *object, const char *name, const struct doc *doc,
	const struct doc_json_options *options)
{
	const struct field *f;

	for (size_t i = 0; (f = field_at(i)); i++)
		if (strcmp(f->object, name) == 0)
			set_field(object, f, doc, options);
}

static json_t *fields_of(const char *name, const struct doc *doc)
{
	json_t *object = json_had(json_object());

	set_fields(object, name, doc, NULL);
	return object;
}

/* Where the name of a file begins in an argument; 0: it holds none. before: the argument before it. */
static size_t file_name_at(const char *before, const char *arg)
{
	static const char *const options[] = {"--output", "--trace", "--save", "--load"};

	if (strcmp(before, "-o") == 0)
		return 1;
	for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		size_t n = strlen(options[i]);

		if (strcmp(before, options[i]) == 0)
			return 1;
		if (strncmp(arg, options[i], n) == 0 && arg[n] == '=')
			return n + 2;
	}
	return strncmp(arg, "-o", 2) == 0 && arg[2] ? 3 : 0;
}

/* People name files after the drive. */
static json_t *argument_of(const char *before, const char *arg, bool anonymous)
{
	size_t at = anonymous ? file_name_at(before, arg) : 0;
	struct text t = {0};
	json_t *value;

	if (!at)
		return json_clean(arg);
	text_add_bytes(&t, arg, at - 1);
	text_add(&t, "FILE");
	value = json_clean(text_chars(&t));
	text_release(&t);
	return value;
}

static json_t *settings_of(const struct doc *doc, const struct doc_json_options *options)
{
	json_t *object = json_had(json_object());

	if (doc->settings.argv) {
		json_t *argv = json_had(json_array());

		for (char **arg = doc->settings.argv; *arg; arg++)
			json_push(argv, argument_of(arg == doc->settings.argv ? "" : arg[-1], *arg,
				options && options->anonymous));
		json_put(object, "argv", argv);
	}
	set_fields(object, "settings", doc, NULL);
	return object;
}

/* smartctl's device object; type and protocol only where the transport tells them for sure. */
static json_t *device_of(const struct identity *id, bool anonymous)
{
	/* a file's name, which may be the drive's serial number */
	bool file = anonymous && strcmp(id->device_type, "dump") == 0;
	json_t *object = json_had(json_object());

	json_put_string(object, "name", file ? "dump" : id->device_name);
	if (strcmp(id->transport, "nvme") == 0) {
		json_put_string(object, "type", "nvme");
		json_put_string(object, "protocol", "NVMe");
	} else if (strcmp(id->transport, "sata") == 0 || strcmp(id->transport, "ata") == 0) {
		json_put_string(object, "type", "sat");
		json_put_string(object, "protocol", "ATA");
	} else if (strcmp(id->transport, "sas") == 0 || strcmp(id->transport, "fc") == 0) {
		json_put_string(object, "type", "scsi");
		json_put_string(object, "protocol", "SCSI");
	}
	return object;
}

static json_t *identity_of(const struct doc *doc, const struct doc_json_options *options)
{
	const struct identity *id = &doc->identity;
	json_t *object = json_had(json_object());

	json_put(object, "device", device_of(id, options && options->anonymous));
	if (id->size_bytes) {
		json_t *capacity = json_had(json_object());

		if (id->logical_block_bytes)
			json_put(capacity, "blocks", json_whole(id->size_bytes / id->logical_block_bytes));
		json_put(capacity, "bytes", json_whole(id->size_bytes));
		json_put(object, "user_capacity", capacity);
	}
	set_fields(object, "identity", doc, options);
	return object;
}

static void set_value(json_t *object, const struct finding *f)
{
	if (f->text) {
		json_put(object, "text", json_clean(f->text));
	} else {
		json_put(object, "value", json_layout_number(f->value));
		if (isfinite(f->low) && isfinite(f->high)) {
			json_put(object, "low", json_layout_number(f->low));
			json_put(object, "high", json_layout_number(f->high));
		}
	}
	if (f->confidence > 0)
		json_put(object, "confidence", json_layout_number(f->confidence));
	json_put(object, "samples", json_whole(f->samples));
	if (f->runs)
		json_put(object, "runs", json_whole(f->runs));
	if (f->runs && isfinite(f->spread))
		json_put(object, "spread", json_layout_number(f->spread));
}

static json_t *finding_of(const struct finding *f)
{
	json_t *object = json_had(json_object());
	bool known = f->how != HOW_UNKNOWN;

	if (known)
		set_value(object, f);
	json_put(object, "how", json_clean(how_name(f->how)));
	if (!known)
		json_put(object, "why_not", json_clean(f->why_not));
	json_put_string(object, "method", f->method);
	if (f->to_bytes) {
		json_put(object, "from_bytes", json_whole(f->from_bytes));
		json_put(object, "to_bytes", json_whole(f->to_bytes));
	}
	if (f->request_bytes)
		json_put(object, "request_bytes", json_whole(f->request_bytes));
	if (f->depth)
		json_put(object, "depth", json_whole(f->depth));
	if (known)
		json_put(object, "lost_share", json_layout_number(f->lost_share));
	if (f->cached)
		json_put(object, "cached", json_true());
	return object;
}

static json_t *findings_of(const struct doc *doc)
{
	json_t *object = json_had(json_object());
	const struct quantity *q;

	for (size_t i = 0; (q = quantity_at(i)); i++) {
		const struct finding *f = doc_find(doc, q->key);

		if (f)
			json_put(object, q->key, finding_of(f));
	}
	return object;
}

static json_t *one_series_of(const struct series *s)
{
	json_t *object = json_had(json_object());
	json_t *columns = json_had(json_array());
	json_t *rows = json_had(json_array());

	for (size_t c = 0; c < s->columns; c++)
		json_push(columns, json_string(s->kind->columns[c]));
	for (size_t r = 0; r < s->rows; r++) {
		json_t *row = json_had(json_array());

		for (size_t c = 0; c < s->columns; c++)
			json_push(row, json_layout_number(s->values[r * s->columns + c]));
		json_push(rows, row);
	}
	json_put(object, "columns", columns);
	json_put(object, "rows", rows);
	return object;
}

static json_t *series_of(const struct doc *doc)
{
	json_t *object = json_had(json_object());
	const struct series_kind *kind;

	for (size_t i = 0; (kind = series_kind_at(i)); i++) {
		const struct series *s = doc_find_series(doc, kind->key);

		if (s)
			json_put(object, kind->key, one_series_of(s));
	}
	return object;
}

static json_t *events_of(const struct doc *doc)
{
	json_t *array = json_had(json_array());
	char buffer[16];

	for (size_t i = 0; i < doc->events_n; i++) {
		const struct event *event = &doc->events[i];
		json_t *object = json_had(json_object());

		json_put(object, "kind", json_clean(event->kind));
		if (event->length || event->offset)
			json_put(object, "offset", json_whole(event->offset));
		if (event->length)
			json_put(object, "length", json_whole(event->length));
		if (event->error)
			json_put_string(object, "errno",
				errno_name(buffer, sizeof(buffer), event->error));
		json_put(object, "at_s", json_layout_number(event->at_s));
		if (event->took_s > 0)
			json_put(object, "took_s", json_layout_number(event->took_s));
		json_push(array, object);
	}
	return array;
}

static json_t *notes_of(const struct doc *doc)
{
	json_t *array = json_had(json_array());

	for (size_t i = 0; i < doc->notes_n; i++)
		json_push(array, json_clean(doc->notes[i]));
	return array;
}

static json_t *format_of(void)
{
	json_t *object = json_had(json_object());
	json_t *version = json_had(json_array());

	json_push(version, json_integer(DOC_FORMAT_MAJOR));
	json_push(version, json_integer(DOC_FORMAT_MINOR));
	json_put(object, "version", version);
	return object;
}

static json_t *program_of(const struct doc *doc)
{
	json_t *object = json_had(json_object());

	json_put_string(object, "version", doc->platter_version);
	return object;
}

static void put_facts(json_t *root, const struct doc *doc, const struct doc_json_options *options)
{
	const struct {
		const char *name;
		const struct facts *facts;
	} parts[] = {{"smart", &doc->smart}, {"smart_after", &doc->smart_after},
		{"contents", &doc->contents}};
	json_t *sources = json_had(json_object());
	json_t *privacy = json_had(json_object());
	json_t *disagreements = json_had(json_array());

	for (size_t i = 0; i < 3; i++) {
		const struct facts *facts = parts[i].facts;

		if (!facts->n)
			continue;
		json_put(root, parts[i].name, facts_json(facts, options));
		json_put(sources, parts[i].name, facts_json_sources(facts, options));
		json_put(privacy, parts[i].name, facts_json_privacy(facts, options));
		facts_json_disagreements(disagreements, parts[i].name, facts, options);
	}
	if (!json_object_size(sources)) {
		json_decref(sources);
		json_decref(privacy);
		json_decref(disagreements);
		return;
	}
	json_put(root, "sources", sources);
	json_put(root, "private", privacy);
	json_put(root, "disagreements", disagreements);
}

static json_t *sign_of(const struct sign *s)
{
	json_t *object = json_had(json_object());

	json_put(object, "key", json_clean(s->key));
	json_put(object, "severity", json_clean(severity_name(s->severity)));
	json_put(object, "evidence", json_clean(s->evidence));
	json_put(object, "why", json_clean(s->why));
	return object;
}

static void put_signs(json_t *root, const struct signs *signs)
{
	json_t *found = json_had(json_array());
	json_t *could_not = json_had(json_array());
	json_t *checks = json_had(json_object());

	for (size_t i = 0; i < signs->n; i++)
		json_push(found, sign_of(&signs->signs[i]));
	for (size_t i = 0; i < signs->unmade_n; i++) {
		json_t *object = json_had(json_object());

		json_put(object, "key", json_clean(signs->unmade[i].key));
		json_put(object, "why_not", json_clean(signs->unmade[i].why_not));
		json_push(could_not, object);
	}
	json_put(checks, "made", json_whole(signs->made));
	json_put(checks, "could_not", could_not);
	json_put(root, "signs", found);
	json_put(root, "checks", checks);
}

void doc_json_write(const struct doc *doc, const struct doc_json_options *options,
	struct text *out)
{
	json_t *root = json_had(json_object());

	json_put(root, "platter_document", format_of());
	json_put(root, "platter", program_of(doc));
	json_put(root, "host", fields_of("host", doc));
	json_put(root, "settings", settings_of(doc, options));
	json_put(root, "run", fields_of("run", doc));
	json_put(root, "identity", identity_of(doc, options));
	put_facts(root, doc, options);
	if (doc->signs.n || doc->signs.made || doc->signs.unmade_n)
		put_signs(root, &doc->signs);
	json_put(root, "findings", findings_of(doc));
	json_put(root, "series", series_of(doc));
	json_put(root, "events", events_of(doc));
	if (doc->events_dropped)
		json_put(root, "events_dropped", json_whole(doc->events_dropped));
	json_put(root, "notes", notes_of(doc));
	json_put(root, "complete", json_boolean(doc->complete));
	json_put(root, "simulated", json_boolean(doc->simulated || doc->identity.simulated));
	json_layout(root, out);
	json_decref(root);
}
