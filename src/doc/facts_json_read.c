/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reading half. A name that could not be part of a path, a depth or length that no path has, ends
 * the reading; a source that is missing is "file". */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "doc/doc_json_check.h"
#include "doc/facts_json.h"

#define DEPTH_MAX 24

struct reading {
	struct facts *facts;
	const char *name; /* of the object, for sentences */
	const json_t *sources, *privacy; /* NULL: none */
	struct err *e;
	char path[FACT_PATH_MAX];
};

/* What the list says of this path, or of the longest part of it that it knows; NULL. */
static const char *listed(const json_t *list, const char *path)
{
	char part[FACT_PATH_MAX];
	char any[FACT_PATH_MAX + FACT_PATH_MAX / 2];

	snprintf(part, sizeof(part), "%s", path);
	while (part[0]) {
		const char *said = json_string_value(json_object_get(list, part));
		char *dot = strrchr(part, '.');
		char *bracket = strrchr(part, '[');

		if (said)
			return said;
		facts_json_any_row(any, part);
		said = json_string_value(json_object_get(list, any));
		if (said)
			return said;
		if (bracket && (!dot || bracket > dot))
			dot = bracket;
		if (!dot)
			return NULL;
		*dot = 0;
	}
	return NULL;
}

static enum fact_privacy privacy_from(const char *said)
{
	if (said && strcmp(said, "specimen") == 0)
		return FACT_SPECIMEN;
	return said ? FACT_PRIVATE : FACT_OPEN;
}

/* Names whose values name the specimen, whatever the file's own list says of them. */
static bool known_secret(const char *path)
{
	static const char *const names[] = {"serial_number", "label_serial_number",
		"logical_unit_id", "ext_id", "nguid", "eui64", "sas_address", "attached_sas_address",
		"wwn", "wwn.id"};
	size_t length = strlen(path);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		size_t n = strlen(names[i]);

		if (n <= length && strcmp(path + length - n, names[i]) == 0 &&
			(n == length || strchr(".]", path[length - n - 1])))
			return true;
	}
	return false;
}

static enum fact_privacy privacy_of(const struct reading *r)
{
	enum fact_privacy privacy = privacy_from(listed(r->privacy, r->path));

	return privacy == FACT_OPEN && known_secret(r->path) ? FACT_SPECIMEN : privacy;
}

static void read_value(struct reading *r, const json_t *value)
{
	const char *said = listed(r->sources, r->path);
	size_t size = said ? strlen(said) + 1 : 8;
	char *source = mem_zalloc(size, 1);
	enum fact_privacy privacy = privacy_of(r);
	size_t before = r->facts->n;

	text_copy_clean(source, size, said ? said : "file");
	switch (json_typeof(value)) {
	case JSON_INTEGER:
		facts_integer(r->facts, source, json_integer_value(value), "%s", r->path);
		break;
	case JSON_REAL: facts_real(r->facts, source, json_real_value(value), "%s", r->path); break;
	case JSON_STRING:
		facts_text(r->facts, source, privacy, json_string_value(value), "%s", r->path);
		break;
	default: facts_flag(r->facts, source, json_is_true(value), "%s", r->path); break;
	}
	if (r->facts->n > before)
		r->facts->facts[before].privacy = privacy;
	free(source);
}

static bool name_fits(const char *name)
{
	if (!name[0])
		return false;
	for (; *name; name++)
		if (*name <= ' ' || *name > '~' || strchr(".[]\"", *name))
			return false;
	return true;
}

static int read_node(struct reading *r, size_t length, unsigned depth, const json_t *at);

/* added: what snprintf put behind the path. */
static int read_child(struct reading *r, size_t length, int added, unsigned depth, const json_t *at)
{
	if (added < 0 || (size_t)added >= sizeof(r->path) - length || depth > DEPTH_MAX)
		return json_damaged(r->e, r->name, "", "goes too deep, or has too long a name");
	return read_node(r, length + (size_t)added, depth, at);
}

static int read_node(struct reading *r, size_t length, unsigned depth, const json_t *at)
{
	char *end = r->path + length;
	size_t room = sizeof(r->path) - length;
	int status = 0;

	if (json_is_null(at))
		return 0;
	if (!json_is_object(at) && !json_is_array(at)) {
		read_value(r, at);
		return 0;
	}
	if (json_array_size(at) > FACTS_MAX)
		return json_damaged(r->e, r->name, r->path, "is too long");
	for (size_t i = 0; !status && i < json_array_size(at); i++)
		status = read_child(r, length, snprintf(end, room, "[%zu]", i), depth + 1,
			json_array_get(at, i));
	for (void *i = json_object_iter((json_t *)at); !status && i;
		i = json_object_iter_next((json_t *)at, i)) {
		if (!name_fits(json_object_iter_key(i)))
			return json_damaged(r->e, r->name, "", "has a name that is none");
		status = read_child(r, length,
			snprintf(end, room, "%s%s", length ? "." : "", json_object_iter_key(i)),
			depth + 1, json_object_iter_value(i));
	}
	return status;
}

static int read_disagreements(struct reading *r, const json_t *root)
{
	const json_t *all;
	int status = json_member(root, "disagreements", JSON_ARRAY, &all, r->e);

	for (size_t i = 0; !status && i < json_array_size(all); i++) {
		const json_t *one = json_array_get(all, i);
		const json_t *other = json_object_get(one, "other");
		const json_t *source = json_object_get(one, "other_source");
		const char *path = json_string_value(json_object_get(one, "path"));
		const char *in = json_string_value(json_object_get(one, "in"));
		struct fact *f;

		if (!path || !in || !json_is_string(other) || !json_is_string(source))
			return json_damaged(r->e, "disagreements", "", "holds one that is none");
		if (strcmp(in, r->name) != 0)
			continue;
		f = (struct fact *)facts_find(r->facts, path);
		if (!f || f->other)
			continue;
		f->other = json_copy_string(other);
		f->other_source = json_copy_string(source);
	}
	return status;
}

int facts_json_read(struct facts *facts, const json_t *root, const char *name, struct err *e)
{
	struct reading r = {.facts = facts, .name = name, .e = e};
	const json_t *object;
	const json_t *lists;
	int status = json_member(root, name, JSON_OBJECT, &object, e);

	if (status || !object)
		return status;
	if ((status = json_member(root, "sources", JSON_OBJECT, &lists, e)) ||
		(status = json_member(lists, name, JSON_OBJECT, &r.sources, e)) ||
		(status = json_member(root, "private", JSON_OBJECT, &lists, e)) ||
		(status = json_member(lists, name, JSON_OBJECT, &r.privacy, e)) ||
		(status = read_node(&r, 0, 0, object)))
		return status;
	return read_disagreements(&r, root);
}
