/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The drives of this machine, as a table whose columns are as wide as what stands in them, or as
 * JSON. Nothing is opened for it. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"
#include "cli/commands.h"
#include "cli/say.h"
#include "host/platform.h"

enum { NAME, SIZE, MODEL, TRANSPORT, KIND, SECTORS, STATE, COLUMNS };
#define CELL 128

struct row {
	char cell[COLUMNS][CELL];
};

static bool wanted(const struct options *o, const struct listed_drive *d)
{
	const char *type = d->identity.device_type;

	return o->all || (d->whole && strcmp(type, "zram") != 0 && strcmp(type, "ram") != 0);
}

static void add_word(struct text *t, const char *word)
{
	text_add(t, "%s%s", t->length ? ", " : "", word);
}

static void make_row(struct row *row, const struct listed_drive *d)
{
	const struct identity *id = &d->identity;
	struct text t = {0};

	text_copy_clean(row->cell[NAME], CELL, id->device_name);
	units_format_capacity(row->cell[SIZE], CELL, id->size_bytes);
	text_add(&t, "%s%s%s", id->vendor, id->vendor[0] && id->model_name[0] ? " " : "",
		id->model_name[0] || id->vendor[0] ? id->model_name
		: id->backing[0] ? id->backing : id->device_type);
	text_copy_clean(row->cell[MODEL], CELL, text_chars(&t));
	text_release(&t);
	text_copy_clean(row->cell[TRANSPORT], CELL, id->transport[0] ? id->transport : "-");
	text_copy_clean(row->cell[KIND], CELL, !id->rotating_known ? "-"
		: id->rotating ? "rotating" : "not rotating");
	text_add(&t, "%" PRIu32 "/%" PRIu32, id->logical_block_bytes, id->physical_block_bytes);
	text_copy_clean(row->cell[SECTORS], CELL, text_chars(&t));
	text_release(&t);
	if (d->failing_known && d->failing)
		add_word(&t, "signs of failing");
	if (id->asleep_known && id->asleep)
		add_word(&t, "asleep");
	if (!d->readable)
		add_word(&t, "may not be read by you");
	if (id->in_use[0])
		add_word(&t, id->in_use);
	text_copy_clean(row->cell[STATE], CELL, t.length ? text_chars(&t) : "-");
	text_release(&t);
}

/* How many columns it takes on the screen: code points. */
static size_t width_of(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += ((unsigned char)*s & 0xC0) != 0x80;
	return n;
}

static void add_table(struct text *out, const struct row *rows, size_t n)
{
	size_t width[COLUMNS] = {0};

	for (size_t i = 0; i < n; i++)
		for (int c = 0; c < COLUMNS; c++)
			if (width_of(rows[i].cell[c]) > width[c])
				width[c] = width_of(rows[i].cell[c]);
	for (size_t i = 0; i < n; i++) {
		for (int c = 0; c < COLUMNS; c++) {
			text_add(out, "%s", rows[i].cell[c]);
			if (c + 1 < COLUMNS)
				text_add_fill(out, ' ', width[c] - width_of(rows[i].cell[c]) + 2);
		}
		text_add(out, "\n");
	}
}

static void list_text(const struct drive_list *list, const struct options *o, struct text *out)
{
	static const char *const heads[COLUMNS] = {"NAME", "SIZE", "MODEL", "TRANSPORT", "KIND",
		"SECTORS", "IN USE"};
	struct row *rows = mem_zalloc(list->n + 1, sizeof(*rows));
	size_t n = 1;

	for (int c = 0; c < COLUMNS; c++)
		text_copy_clean(rows[0].cell[c], CELL, heads[c]);
	for (size_t i = 0; i < list->n; i++)
		if (wanted(o, &list->drives[i]))
			make_row(&rows[n++], &list->drives[i]);
	if (n > 1)
		add_table(out, rows, n);
	else
		text_add(out, "No drive was found%s.\n", list->n && !o->all ?
			"; platter list --all shows partitions and memory disks" : "");
	free(rows);
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

static json_t *json_of(const struct listed_drive *d, bool show_serial)
{
	const struct identity *id = &d->identity;
	json_t *object = json_object();

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
	set_number(object, "size_bytes", id->size_bytes);
	set_number(object, "logical_block_size", id->logical_block_bytes);
	set_number(object, "physical_block_size", id->physical_block_bytes);
	set_known(object, "rotational", id->rotating_known, id->rotating);
	set_known(object, "removable", id->removable_known, id->removable);
	set_known(object, "read_only", id->read_only_known, id->read_only);
	set_text(object, "in_use", id->in_use);
	json_object_set_new(object, "whole", json_boolean(d->whole));
	json_object_set_new(object, "readable", json_boolean(d->readable));
	set_known(object, "asleep", id->asleep_known, id->asleep);
	set_known(object, "failing", d->failing_known, d->failing);
	return object;
}

static void list_json(const struct drive_list *list, const struct options *o, struct text *out)
{
	json_t *root = json_pack("{s:{s:[i,i]},s:[]}", "platter_list", "version", 1, 0, "drives");
	char *chars;

	for (size_t i = 0; i < list->n; i++)
		if (wanted(o, &list->drives[i]))
			json_array_append_new(json_object_get(root, "drives"),
				json_of(&list->drives[i], o->show_serial));
	chars = json_dumps(root, JSON_INDENT(2));
	if (chars)
		text_add(out, "%s\n", chars);
	free(chars);
	json_decref(root);
}

int cmd_list(const struct options *o, const struct terminal *t)
{
	struct drive_list list = {0};
	struct text out = {0};
	struct err e = {0};
	int status;

	(void)t;
	if (o->operands_n)
		return usage_error(COMMAND_LIST,
			"list takes no drive; to measure one: platter probe %s",
			o->operands[0]);
	if (platform_list(&list, &e)) {
		say("%s", e.text);
		return EXIT_UNSURE;
	}
	if (o->json)
		list_json(&list, o, &out);
	else
		list_text(&list, o, &out);
	drive_list_release(&list);
	status = say_output(&out);
	text_release(&out);
	return status;
}
