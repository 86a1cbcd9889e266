/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Cells first, then widths, then lines. */
#include "cli/list_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "sheet/sheet.h"
#include "sheet/wrap.h"

enum { NAME, SIZE, MODEL, SERIAL, RPM, BUS, TEMP, HEALTH, USE, COLUMNS };
#define CELL  256
#define GAP   2u
#define ROOMY 14u /* columns a cell keeps as long as others have more */
#define LEAST 8u /* columns a cut cell keeps, */
#define BARE  4u /* and where even that is too much */

struct cells {
	char cell[COLUMNS][CELL];
};

static void add_word(struct text *t, const char *word)
{
	if (word[0])
		text_add(t, "%s%s", t->length ? ", " : "", word);
}

static void take(char *cell, struct text *t)
{
	text_copy_clean(cell, CELL, t->length ? text_chars(t) : "-");
	text_release(t);
}

void list_rotation(char *dst, size_t size, const struct list_row *row)
{
	double rpm = facts_number(&row->facts, "rotation_rate");
	const struct identity *id = &row->identity;

	if (isnan(rpm) && id->reported_rpm)
		rpm = id->reported_rpm;
	if (rpm > 0)
		snprintf(dst, size, "%.0f", rpm);
	else if (rpm == 0 || strcmp(id->device_type, "nvme") == 0)
		snprintf(dst, size, "SSD");
	else if (!id->rotating_known || strcmp(id->device_type, "disk") != 0)
		snprintf(dst, size, "-");
	else
		snprintf(dst, size, "%s", id->rotating ? "turns?" : "SSD?");
}

static void model_cell(char *cell, const struct identity *id)
{
	struct text t = {0};

	if (id->model_name[0] || id->vendor[0])
		text_add(&t, "%s%s%s", id->vendor, id->vendor[0] && id->model_name[0] ? " " : "",
			id->model_name);
	else
		text_add(&t, "%s", id->backing[0] ? id->backing : id->device_type);
	take(cell, &t);
}

static void serial_cell(char *cell, const struct identity *id, bool whole)
{
	char masked[CELL];
	size_t n;

	identity_mask(masked, sizeof(masked), id->serial_number);
	n = strspn(masked, "*");
	snprintf(cell, CELL, "%s", whole && id->serial_number[0] ? id->serial_number
		: masked[n] ? masked + n : id->serial_number[0] ? "****" : "-");
}

static void temperature_cell(char *cell, const struct list_row *row, bool utf8)
{
	double now = row->health && !isnan(row->health->temperature) ? row->health->temperature
		: facts_number(&row->facts, "temperature.current");

	if (isnan(now))
		snprintf(cell, CELL, "-");
	else
		snprintf(cell, CELL, "%.0f %sC", now, utf8 ? "°" : "");
}

bool list_not_looked_at(const struct list_row *row)
{
	char words[1024];

	if (!row->identity.size_bytes || row->drive->identity.in_use[0] || row->twin)
		return false;
	sheet_format_use(words, sizeof(words), &row->contents, true);
	if (words[0])
		return false;
	sheet_format_contents(words, sizeof(words), &row->contents);
	return !words[0];
}

static void add_unused(struct text *t, const struct list_row *row)
{
	char words[1024], holds[1100];

	sheet_format_contents(words, sizeof(words), &row->contents);
	snprintf(holds, sizeof(holds), "%s%s", text_starts(words, "no known ") ? "" : "holds ", words);
	add_word(t, !row->identity.size_bytes ? "no medium" : words[0] ? holds
		: list_not_looked_at(row) ? "?" : "");
}

static void use_cell(char *cell, const struct list_row *row)
{
	const struct listed_drive *d = row->drive;
	struct text t = {0};
	char words[1024], twin[300];

	if (d->failing_known && d->failing)
		add_word(&t, "signs of failing");
	if (row->identity.asleep_known && row->identity.asleep)
		add_word(&t, "asleep");
	if (row->twin) {
		snprintf(twin, sizeof(twin), "same drive as %s", row->twin);
		add_word(&t, twin);
	}
	sheet_format_use(words, sizeof(words), &row->contents, true);
	add_word(&t, words[0] ? words : d->identity.in_use);
	if (!words[0] && !d->identity.in_use[0])
		add_unused(&t, row);
	if (!d->readable)
		add_word(&t, "may not be read by you");
	take(cell, &t);
}

static void fill(struct cells *c, const struct list_row *row, const struct list_style *style)
{
	const struct identity *id = &row->identity;

	text_copy_clean(c->cell[NAME], CELL, id->device_name);
	units_format_capacity(c->cell[SIZE], CELL, id->size_bytes);
	model_cell(c->cell[MODEL], id);
	serial_cell(c->cell[SERIAL], id, style->show_serial);
	list_rotation(c->cell[RPM], CELL, row);
	text_copy_clean(c->cell[BUS], CELL, id->transport[0] ? id->transport : "-");
	temperature_cell(c->cell[TEMP], row, style->utf8);
	if (row->health)
		text_copy_clean(c->cell[HEALTH], CELL, row->health->word);
	use_cell(c->cell[USE], row);
}

static void shrink(size_t *total, size_t *width, size_t columns, size_t least)
{
	size_t over = *total > columns ? *total - columns : 0;
	size_t spare = *width > least ? *width - least : 0;
	size_t less = over < spare ? over : spare;

	*width -= less;
	*total -= less;
}

static void cut(struct text *out, char *cell, size_t width)
{
	size_t n = wrap_columns(cell);

	if (n > width) {
		cell[wrap_bytes(cell, width > 2 ? width - 2 : 0)] = 0;
		text_add(out, "%s..", cell);
		n = wrap_columns(cell) + 2;
	} else {
		text_add(out, "%s", cell);
	}
	text_add_fill(out, ' ', n < width ? width - n : 0);
}

static bool tells(const struct cells *rows, size_t n, int c)
{
	for (size_t i = 1; i < n; i++)
		if (strcmp(rows[i].cell[c], "-") != 0)
			return true;
	return false;
}

static void leave_out(size_t *total, size_t *width)
{
	if (*width)
		*total -= *width + GAP;
	*width = 0;
}

/* Who uses a drive is what the table is read for: columns that tell nothing go before it is cut
 * short, then those that tell the least. */
static void fit(size_t *width, size_t total, const struct cells *rows, size_t n, size_t columns)
{
	static const int least_first[] = {BUS, SERIAL, RPM, TEMP, MODEL, SIZE};
	const size_t kinds = sizeof(least_first) / sizeof(least_first[0]);

	for (size_t i = 0; i < kinds && total > columns; i++)
		if (!tells(rows, n, least_first[i]))
			leave_out(&total, &width[least_first[i]]);
	shrink(&total, &width[USE], columns, ROOMY);
	shrink(&total, &width[MODEL], columns, LEAST);
	for (size_t i = 0; i < kinds && total > columns; i++)
		leave_out(&total, &width[least_first[i]]);
	shrink(&total, &width[USE], columns, LEAST);
	shrink(&total, &width[NAME], columns, LEAST);
	shrink(&total, &width[USE], columns, BARE);
}

static void draw(struct text *out, struct cells *rows, size_t n, size_t columns)
{
	size_t width[COLUMNS] = {0}, total = 0;

	for (size_t i = 0; i < n; i++)
		for (int c = 0; c < COLUMNS; c++)
			if (wrap_columns(rows[i].cell[c]) > width[c])
				width[c] = wrap_columns(rows[i].cell[c]);
	for (int c = 0; c < COLUMNS; c++)
		total += width[c] + (width[c] && c ? GAP : 0);
	fit(width, total, rows, n, columns);
	for (size_t i = 0; i < n; i++) {
		for (int c = 0; c < COLUMNS; c++) {
			if (!width[c])
				continue;
			text_add_fill(out, ' ', c ? GAP : 0);
			cut(out, rows[i].cell[c], width[c]);
		}
		while (out->length && out->chars[out->length - 1] == ' ')
			out->chars[--out->length] = 0;
		text_add(out, "\n");
	}
}

void list_table(struct text *out, const struct list_row *rows, size_t n,
	const struct list_style *style)
{
	static const char *const heads[COLUMNS] = {"NAME", "SIZE", "MODEL", "SERIAL", "RPM", "BUS",
		"TEMP", "HEALTH", "USE"};
	struct cells *cells = mem_zalloc(n + 1, sizeof(*cells));
	bool health = false;

	for (size_t i = 0; i < n; i++) {
		fill(&cells[i + 1], &rows[i], style);
		health = health || rows[i].health;
	}
	for (int c = 0; c < COLUMNS; c++)
		if (c != HEALTH || health)
			snprintf(cells[0].cell[c], CELL, "%s", heads[c]);
	draw(out, cells, n + 1, style->columns);
	free(cells);
}
