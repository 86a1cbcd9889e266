/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The drives of this machine, as a table or as JSON. Nothing is opened for it, unless --health asks
 * each drive how it is. */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/asked.h"
#include "cli/ask_all.h"
#include "cli/commands.h"
#include "cli/list_table.h"
#include "cli/say.h"
#include "cli/twins.h"
#include "cli/worst.h"
#include "host/platform.h"
#include "sheet/sheet.h"
#include "sheet/wrap.h"

#define NAMED 3u /* drives that are named where several share a reason */

struct listing {
	const struct options *o;
	struct drive_list list;
	struct list_row *rows;
	struct health *health; /* NULL: nobody was asked */
	size_t n;
};

static bool wanted(const struct options *o, const struct listed_drive *d)
{
	const char *type = d->identity.device_type;

	return o->all || (d->whole && strcmp(type, "zram") != 0 && strcmp(type, "ram") != 0);
}

/* What the system knows without asking anybody. */
static void add_row(struct listing *l, const struct listed_drive *d)
{
	struct list_row *row = &l->rows[l->n++];
	struct err ignored;
	struct asked a;

	*row = (struct list_row){.drive = d, .identity = d->identity};
	if (ask_drive(&a, NULL, d->identity.device_name, ASK_NOTHING, &ignored) == 0) {
		row->identity = a.identity;
		row->facts = a.facts;
		a.facts = (struct facts){0};
	}
	asked_release(&a);
	platform_contents(NULL, d->identity.device_name, &row->contents, &ignored);
}

static void find_twins(struct listing *l)
{
	for (size_t i = 0; i < l->n; i++)
		for (size_t k = 0; k < l->n && !l->rows[i].twin; k++)
			if (k != i && twins_are(&l->rows[i].identity, &l->rows[k].identity))
				l->rows[i].twin = l->rows[k].identity.device_name;
}

static void ask_health(struct listing *l)
{
	const char **names = mem_zalloc(l->n + 1, sizeof(*names));

	l->health = mem_zalloc(l->n + 1, sizeof(*l->health));
	for (size_t i = 0; i < l->n; i++)
		names[i] = l->rows[i].identity.device_name;
	ask_all(l->health, names, l->n);
	for (size_t i = 0; i < l->n; i++)
		l->rows[i].health = &l->health[i];
	free(names);
}

static int listing_make(struct listing *l, const struct options *o, struct err *e)
{
	int status;

	*l = (struct listing){.o = o};
	status = platform_list(&l->list, e);
	if (status)
		return status;
	l->rows = mem_zalloc(l->list.n + 1, sizeof(*l->rows));
	for (size_t i = 0; i < l->list.n; i++)
		if (wanted(o, &l->list.drives[i]))
			add_row(l, &l->list.drives[i]);
	find_twins(l);
	if (o->health)
		ask_health(l);
	return 0;
}

static void listing_release(struct listing *l)
{
	for (size_t i = 0; i < l->n; i++) {
		facts_release(&l->rows[i].facts);
		facts_release(&l->rows[i].contents);
	}
	free(l->rows);
	free(l->health);
	drive_list_release(&l->list);
}

static void add_wrapped(struct text *out, const char *s, size_t columns)
{
	size_t length, indent = 0;

	while (*s) {
		const char *next = wrap_next(s, columns - indent, &length);

		text_add_fill(out, ' ', indent);
		text_add_bytes(out, s, length);
		text_add(out, "\n");
		indent = 2;
		s = next;
	}
}

/* The word and the reason as one sentence for several drives: "each" in place of the drive's name. */
static char *reason_of(const struct list_row *row)
{
	const char *name = row->identity.device_name, *rest = row->health->why, *at;
	size_t length = strlen(name);
	struct text t = {0};

	text_add(&t, "%s: ", row->health->word);
	while (length && (at = strstr(rest, name))) {
		text_add_bytes(&t, rest, (size_t)(at - rest));
		text_add(&t, "each");
		rest = at + length;
	}
	text_add(&t, "%s", rest);
	return text_take(&t);
}

/* The row's reason stands for all rows from it on that have the same; those are not told again. */
static void add_reason(struct text *out, struct listing *l, size_t first, size_t columns)
{
	char *reason = reason_of(&l->rows[first]);
	struct text t = {0};
	size_t same = 0;

	for (size_t i = first; i < l->n; i++) {
		char *other = l->rows[i].told ? NULL : reason_of(&l->rows[i]);

		if (other && strcmp(other, reason) == 0) {
			l->rows[i].told = true;
			if (same++ < NAMED)
				text_add(&t, "%s%s", same > 1 ? ", " : "",
					l->rows[i].identity.device_name);
		}
		free(other);
	}
	if (same > NAMED)
		text_add(&t, " and %zu more", same - NAMED);
	if (same > 1)
		text_add(&t, ": %s", reason);
	else
		text_add(&t, ": %s: %s", l->rows[first].health->word, l->rows[first].health->why);
	add_wrapped(out, text_chars(&t), columns);
	text_release(&t);
	free(reason);
}

/* What else there is to know, and how to come by it. */
static void add_hints(struct text *out, struct listing *l, size_t columns)
{
	bool unreadable = false, unlooked = false;

	for (size_t i = 0; i < l->n; i++) {
		const struct health *h = l->rows[i].health;

		unreadable = unreadable || (!h && !l->rows[i].drive->readable);
		unlooked = unlooked || list_not_looked_at(&l->rows[i]);
		l->rows[i].told = !h || !h->why[0];
	}
	for (size_t i = 0; i < l->n; i++)
		if (!l->rows[i].told)
			add_reason(out, l, i, columns);
	if (unlooked)
		add_wrapped(out, "?: not in use, but not looked at; it may hold data: platter smart "
			"DEVICE looks.", columns);
	if (unreadable)
		add_wrapped(out, "Root is told more: sudo platter list --health asks the drives how "
			"they are.", columns);
}

static void list_text(struct listing *l, const struct terminal *t, struct text *out)
{
	struct list_style style = {.columns = t->columns, .utf8 = t->utf8,
		.show_serial = l->o->show_serial};

	if (!l->n) {
		text_add(out, "No drive was found%s.\n", l->list.n && !l->o->all ?
			"; platter list --all shows partitions and memory disks" : "");
		return;
	}
	list_table(out, l->rows, l->n, &style);
	add_hints(out, l, t->columns);
}

static void set_text(json_t *object, const char *key, const char *value)
{
	char clean[256];

	text_copy_clean(clean, sizeof(clean), value);
	if (clean[0])
		json_object_set_new(object, key, json_string(clean));
}

static void set_secret(json_t *object, const char *key, const char *value, bool show)
{
	char masked[64];

	identity_mask(masked, sizeof(masked), value);
	set_text(object, key, show ? value : masked);
}

static void set_number(json_t *object, const char *key, uint64_t value)
{
	json_object_set_new(object, key, json_integer((json_int_t)value));
}

static void set_known(json_t *object, const char *key, bool known, bool value)
{
	if (known)
		json_object_set_new(object, key, json_boolean(value));
}

static void set_told(json_t *object, const char *key, const struct facts *f, const char *path)
{
	double value = facts_number(f, path);

	if (!isnan(value))
		set_number(object, key, (uint64_t)(value > 0 ? value : 0));
}

static void set_use(json_t *object, const struct facts *contents)
{
	json_t *list = json_array();
	char path[64];

	for (size_t i = 0; i < facts_length(contents, "use"); i++) {
		snprintf(path, sizeof(path), "use[%zu]", i);
		json_array_append_new(list, json_string(facts_words(contents, path)));
	}
	json_object_set_new(object, "use", list);
}

static json_t *json_of_health(const struct health *h)
{
	json_t *object = json_object();

	set_text(object, "verdict", h->word);
	set_text(object, "why", h->why);
	set_number(object, "checks_made", h->made);
	set_number(object, "checks_not_made", h->unmade);
	return object;
}

static void set_names(json_t *object, const struct identity *id, bool show_serial)
{
	set_text(object, "name", id->device_name);
	set_text(object, "type", id->device_type);
	set_text(object, "transport", id->transport);
	set_text(object, "vendor", id->vendor);
	set_text(object, "model_name", id->model_name);
	set_secret(object, "serial_number", id->serial_number, show_serial);
	set_text(object, "firmware_version", id->firmware_version);
	set_secret(object, "wwn", id->wwn, show_serial);
	set_text(object, "backing", id->backing);
	set_text(object, "parent", id->parent);
}

static json_t *json_of(const struct list_row *row, bool show_serial)
{
	const struct listed_drive *d = row->drive;
	const struct identity *id = &row->identity;
	json_t *object = json_object();
	char contents[1024];

	set_names(object, id, show_serial);
	set_number(object, "size_bytes", id->size_bytes);
	set_number(object, "logical_block_size", id->logical_block_bytes);
	set_number(object, "physical_block_size", id->physical_block_bytes);
	set_known(object, "rotational", id->rotating_known, id->rotating);
	set_told(object, "rotation_rate", &row->facts, "rotation_rate");
	set_told(object, "temperature", &row->facts, "temperature.current");
	set_known(object, "removable", id->removable_known, id->removable);
	set_known(object, "read_only", id->read_only_known, id->read_only);
	set_text(object, "in_use", id->in_use);
	set_use(object, &row->contents);
	sheet_format_contents(contents, sizeof(contents), &row->contents);
	set_text(object, "contents", contents);
	set_text(object, "same_drive_as", row->twin ? row->twin : "");
	json_object_set_new(object, "whole", json_boolean(d->whole));
	json_object_set_new(object, "readable", json_boolean(d->readable));
	set_known(object, "asleep", id->asleep_known, id->asleep);
	set_known(object, "failing", d->failing_known, d->failing);
	if (row->health)
		json_object_set_new(object, "health", json_of_health(row->health));
	return object;
}

static void list_json(const struct listing *l, struct text *out)
{
	json_t *root = json_pack("{s:{s:[i,i]},s:[]}", "platter_list", "version", 1, 1, "drives");
	char *chars;

	for (size_t i = 0; i < l->n; i++)
		json_array_append_new(json_object_get(root, "drives"),
			json_of(&l->rows[i], l->o->show_serial));
	chars = json_dumps(root, JSON_INDENT(2));
	if (chars)
		text_add(out, "%s\n", chars);
	free(chars);
	json_decref(root);
}

/* A drive that should be replaced makes the command end so. */
static int judge_all(const struct listing *l)
{
	for (size_t i = 0; i < l->n; i++)
		if (l->rows[i].health && l->rows[i].health->bad)
			return EXIT_BAD;
	return EXIT_FINE;
}

int cmd_list(const struct options *o, const struct terminal *t)
{
	struct listing l;
	struct text out = {0};
	struct err e = {0};
	int status;

	if (o->operands_n)
		return usage_error(COMMAND_LIST,
			"list takes no drive; to measure one: platter probe %s",
			o->operands[0]);
	if (listing_make(&l, o, &e)) {
		say("%s", e.text);
		return EXIT_UNSURE;
	}
	if (o->json)
		list_json(&l, &out);
	else
		list_text(&l, t, &out);
	status = worst(say_output(&out), judge_all(&l));
	listing_release(&l);
	text_release(&out);
	return status;
}
