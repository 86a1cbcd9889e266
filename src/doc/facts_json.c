/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Three trees of one shape are made from the paths: values, sources, secrecy. The order of all that
 * is written is that of the tree, which is also the order in which it is read back, so that a document
 * written again has the same bytes. */
#include "doc/facts_json.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "doc/identity.h"
#include "doc/json_make.h"

/* One step of a path: the member's name, or the element's number. */
struct step {
	char name[FACT_PATH_MAX]; /* "": an element */
	size_t index;
	char next; /* what follows: '.', '[', 0: the value */
};

/* Takes a step off the path; false when it is none ("a..b", "a[x]"). */
static bool take_step(const char **path, struct step *step)
{
	const char *p = *path;
	size_t n = strcspn(p, ".[]");

	step->name[0] = 0;
	if (*p == '[') {
		char *end;

		if (p[1] < '0' || p[1] > '9')
			return false;
		step->index = strtoul(p + 1, &end, 10);
		if (*end != ']' || step->index >= FACTS_MAX)
			return false;
		p = end + 1;
	} else {
		if (!n || n >= sizeof(step->name))
			return false;
		memcpy(step->name, p, n);
		step->name[n] = 0;
		p += n;
	}
	step->next = *p;
	if (*p && *p != '.' && *p != '[')
		return false;
	*path = *p == '.' ? p + 1 : p;
	return true;
}

static json_t *child(json_t *at, const struct step *step)
{
	if (step->name[0])
		return json_object_get(at, step->name);
	return json_array_get(at, step->index);
}

static void put_child(json_t *at, const struct step *step, json_t *value)
{
	if (step->name[0]) {
		json_put(at, step->name, value);
		return;
	}
	while (json_array_size(at) <= step->index)
		json_push(at, json_null());
	if (json_array_set_new(at, step->index, value))
		abort();
}

/* value is handed over; left out when something else is in its way. */
static void place(json_t *root, const char *path, json_t *value)
{
	json_t *at = root;
	struct step step;

	while (take_step(&path, &step)) {
		json_t *there;

		if (step.name[0] ? !json_is_object(at) : !json_is_array(at))
			break;
		there = child(at, &step);
		if (!step.next) {
			if (there && !json_is_null(there))
				break;
			put_child(at, &step, value);
			return;
		}
		if (!there || json_is_null(there)) {
			there = json_had(step.next == '[' ? json_array() : json_object());
			put_child(at, &step, there);
		}
		at = there;
	}
	json_decref(value);
}

/* ---- what may be shown ------------------------------------------------------------------------ */

static bool shown_whole(const struct doc_json_options *o)
{
	return o && !o->anonymous && (o->show_serial || o->full_identity);
}

char *secret_as_shown(const char *secret, const struct doc_json_options *options)
{
	size_t size = strlen(secret) + IDENTITY_STAND_IN;
	char *shown = mem_zalloc(size, 1);

	if (shown_whole(options))
		snprintf(shown, size, "%s", secret);
	else if (options && options->anonymous)
		identity_stand_in(shown, secret);
	else
		identity_mask(shown, size, secret);
	return shown;
}

static bool hidden(const struct fact *f, const struct doc_json_options *o)
{
	switch (f->privacy) {
	case FACT_OPEN: return false;
	case FACT_SPECIMEN: return f->type != FACT_TEXT && !shown_whole(o);
	case FACT_PRIVATE: return !(o && o->full_identity && !o->anonymous);
	}
	return true;
}

/* A text of the fact, its own or the other source's. */
static json_t *text_of(const struct fact *f, const char *text, const struct doc_json_options *o)
{
	char *shown;
	json_t *value;

	if (f->privacy != FACT_SPECIMEN)
		return json_clean(text);
	shown = secret_as_shown(text, o);
	value = json_clean(shown);
	free(shown);
	return value;
}

/* A real stays a real when it is read again: 41.0, not 41. */
static json_t *real_of(double value)
{
	char digits[40];

	snprintf(digits, sizeof(digits), "%.15g", value);
	value = strtod(digits, NULL);
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *value_of(const struct fact *f, const struct doc_json_options *o)
{
	switch (f->type) {
	case FACT_INTEGER: return json_integer((json_int_t)f->integer);
	case FACT_REAL: return real_of(f->real);
	case FACT_FLAG: return json_boolean(f->integer);
	case FACT_TEXT: return text_of(f, f->text, o);
	}
	return NULL;
}

static json_t *source_of(const struct fact *f, const struct doc_json_options *o)
{
	(void)o;
	return json_clean(f->source);
}

static json_t *privacy_of(const struct fact *f, const struct doc_json_options *o)
{
	(void)o;
	return json_string(f->privacy == FACT_OPEN ? ""
			: f->privacy == FACT_SPECIMEN ? "specimen" : "private");
}

static json_t *tree_of(const struct facts *facts, const struct doc_json_options *o,
	json_t *(*leaf)(const struct fact *f, const struct doc_json_options *o))
{
	json_t *root = json_had(json_object());

	for (size_t i = 0; i < facts->n; i++)
		if (!hidden(&facts->facts[i], o))
			place(root, facts->facts[i].path, json_had(leaf(&facts->facts[i], o)));
	return root;
}

json_t *facts_json(const struct facts *facts, const struct doc_json_options *options)
{
	return tree_of(facts, options, value_of);
}

/* ---- walking trees ---------------------------------------------------------------------------- */

/* path is a buffer of FACT_PATH_MAX bytes, length of it in use. */
struct walk {
	char *path;
	void (*leaf)(void *context, const char *path, const json_t *value);
	/* true: the node was dealt with as a whole */
	bool (*node)(void *context, const char *path, const json_t *value);
	void *context;
};

static void walk(const struct walk *w, size_t length, const json_t *at)
{
	char *end = w->path + length;
	size_t room = FACT_PATH_MAX - length;

	if (json_is_null(at))
		return;
	if (!json_is_object(at) && !json_is_array(at)) {
		w->leaf(w->context, w->path, at);
		return;
	}
	if (length && w->node && w->node(w->context, w->path, at))
		return;
	for (size_t i = 0; i < json_array_size(at); i++) {
		int n = snprintf(end, room, "[%zu]", i);

		if ((size_t)n < room)
			walk(w, length + (size_t)n, json_array_get(at, i));
	}
	for (void *i = json_object_iter((json_t *)at); i; i = json_object_iter_next((json_t *)at, i)) {
		const char *key = json_object_iter_key(i);
		int n = snprintf(end, room, "%s%s", length && key[0] != '[' ? "." : "", key);

		if ((size_t)n < room)
			walk(w, length + (size_t)n, json_object_iter_value(i));
	}
	*end = 0;
}

/* The string that all leaves of a tree are; NULL: they differ. */
static const char *uniform(const json_t *at, const char *so_far)
{
	const char *all = so_far;

	if (json_is_string(at))
		return !so_far || strcmp(so_far, json_string_value(at)) == 0
			? json_string_value(at) : "";
	for (size_t i = 0; i < json_array_size(at) && !(all && !*all); i++)
		all = uniform(json_array_get(at, i), all);
	for (void *i = json_object_iter((json_t *)at); i && !(all && !*all);
		i = json_object_iter_next((json_t *)at, i))
		all = uniform(json_object_iter_value(i), all);
	return all;
}

static void put_leaf(void *context, const char *path, const json_t *value)
{
	if (json_string_value(value)[0])
		json_put(context, path, json_string(json_string_value(value)));
}

static bool put_uniform(void *context, const char *path, const json_t *at)
{
	const char *all = uniform(at, NULL);
	const char *row = strchr(path, '[');

	/* one row is never more than its values: the others' sources would hide behind it */
	while (row && row[1] == '*')
		row = strchr(row + 1, '[');
	if (!all || !all[0] || row)
		return false;
	json_put(context, path, json_string(all));
	return true;
}

/* tree is released. */
static json_t *flattened(json_t *tree, bool collapse)
{
	char path[FACT_PATH_MAX] = "";
	json_t *flat = json_had(json_object());
	struct walk w = {path, put_leaf, collapse ? put_uniform : NULL, flat};

	walk(&w, 0, tree);
	json_decref(tree);
	return flat;
}

/* ---- rows of tables --------------------------------------------------------------------------- */

/* What rows have in common: "table[*].thresh", and its source, "" where rows differ in it. */
struct rows {
	json_t *common; /* path → source */
	json_t *tree;   /* objects only, elements are members "[*]" and "[3]" */
};

void facts_json_any_row(char *dst, const char *path)
{
	while (*path) {
		*dst++ = *path++;
		if (path[-1] != '[')
			continue;
		*dst++ = '*';
		path += strspn(path, "0123456789");
	}
	*dst = 0;
}

static void note_common(void *context, const char *path, const json_t *source)
{
	const struct rows *rows = context;
	char any[FACT_PATH_MAX + FACT_PATH_MAX / 2];
	const char *said;

	facts_json_any_row(any, path);
	said = json_string_value(json_object_get(rows->common, any));
	if (!said)
		json_put(rows->common, any, json_string(json_string_value(source)));
	else if (strcmp(said, json_string_value(source)) != 0)
		json_put(rows->common, any, json_string(""));
}

/* Members are cut before each '.' and '['; one that is there already stays. */
static void place_row(void *context, const char *path, const json_t *source)
{
	const struct rows *rows = context;
	char any[FACT_PATH_MAX + FACT_PATH_MAX / 2];
	const char *p = any;
	json_t *at = rows->tree;

	facts_json_any_row(any, path);
	if (!json_string_value(json_object_get(rows->common, any))[0])
		p = path;
	while (*p) {
		size_t n = 1 + strcspn(p + 1, ".[");
		char name[FACT_PATH_MAX];
		json_t *there;

		snprintf(name, sizeof(name), "%.*s", (int)n, p);
		p += n + (p[n] == '.');
		there = json_object_get(at, name);
		if (!*p) {
			if (!there)
				json_put(at, name, json_string(json_string_value(source)));
			return;
		}
		if (!there) {
			there = json_had(json_object());
			json_put(at, name, there);
		}
		if (!json_is_object(there))
			return;
		at = there;
	}
}

json_t *facts_json_sources(const struct facts *facts, const struct doc_json_options *options)
{
	struct rows rows = {json_had(json_object()), json_had(json_object())};
	char path[FACT_PATH_MAX] = "";
	struct walk w = {path, note_common, NULL, &rows};
	json_t *tree = tree_of(facts, options, source_of);

	walk(&w, 0, tree);
	w.leaf = place_row;
	walk(&w, 0, tree);
	json_decref(tree);
	json_decref(rows.common);
	return flattened(rows.tree, true);
}

json_t *facts_json_privacy(const struct facts *facts, const struct doc_json_options *options)
{
	return flattened(tree_of(facts, options, privacy_of), false);
}

/* ---- disagreements ---------------------------------------------------------------------------- */

struct disagreeing {
	json_t *array;
	const char *in;
	const struct facts *facts;
	const struct doc_json_options *options;
};

static void put_disagreement(void *context, const char *path, const json_t *value)
{
	const struct disagreeing *d = context;
	const struct fact *f = facts_find(d->facts, path);
	json_t *object;

	(void)value;
	if (!f || !f->other)
		return;
	object = json_had(json_object());
	json_put(object, "in", json_clean(d->in));
	json_put(object, "path", json_clean(path));
	json_put(object, "source", json_clean(f->source));
	json_put(object, "other", text_of(f, f->other, d->options));
	json_put(object, "other_source", json_clean(f->other_source ? f->other_source : ""));
	json_push(d->array, object);
}

void facts_json_disagreements(json_t *array, const char *in, const struct facts *facts,
	const struct doc_json_options *options)
{
	struct disagreeing d = {array, in, facts, options};
	char path[FACT_PATH_MAX] = "";
	struct walk w = {path, put_disagreement, NULL, &d};
	json_t *tree = tree_of(facts, options, source_of);

	walk(&w, 0, tree);
	json_decref(tree);
}
