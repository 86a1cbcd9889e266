/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random reads by how many are outstanding: as a table, with the gain over one at a time. */
#include <math.h>
#include <stdio.h>

#include "sheet/sheet_build.h"

enum { DEPTH, IOPS, LOW, HIGH, MEAN, MEAN_LOW, MEAN_HIGH };
#define ROWS_MAX 10

static double at(const struct series *s, size_t row, size_t column)
{
	return s->values[row * s->columns + column];
}

/* A file may hold anything. */
static bool is_level(const struct series *s, size_t row)
{
	return at(s, row, DEPTH) >= 1 && at(s, row, DEPTH) <= 65536 && at(s, row, IOPS) > 0 &&
		at(s, row, IOPS) < 1e9;
}

static size_t levels_of(const struct doc *doc)
{
	const struct series *s = doc_find_series(doc, "queue.iops");
	size_t n = 0;

	for (size_t r = 0; s && r < s->rows; r++)
		n += is_level(s, r);
	return n;
}

bool sheet_has_queue(const struct doc *doc)
{
	return levels_of(doc) >= 2;
}

/* "78.7" and "± 1.1" (or the ends) in two cells; empty where there is none. */
static void add_pair(struct sheet_item *item, enum unit unit, double v, double low, double high)
{
	char value[96] = "", interval[96] = "";

	if (v > 0 && v < 1e9)
		sheet_format_value(value, interval, sizeof(value), unit, v,
			low <= v ? low : NAN, high >= v ? high : NAN);
	sheet_add_cell(item, value);
	sheet_add_cell(item, interval);
}

void sheet_add_queue(struct sheet *sheet, const struct doc *doc)
{
	const struct series *s = doc_find_series(doc, "queue.iops");
	struct sheet_item *item;
	double first = 0;
	size_t shown = 0;
	char cell[64];

	if (!sheet_has_queue(doc))
		return;
	item = sheet_add(sheet, SHEET_TABLE, "random reads by how many are outstanding",
		NULL, NULL, NULL);
	item->columns = 6;
	for (size_t r = 0; r < s->rows && shown < ROWS_MAX; r++) {
		if (!is_level(s, r))
			continue;
		shown++;
		snprintf(cell, sizeof(cell), "%.0f at a time", at(s, r, DEPTH));
		sheet_add_cell(item, cell);
		add_pair(item, UNIT_PER_S, at(s, r, IOPS), at(s, r, LOW), at(s, r, HIGH));
		first = first > 0 ? first : at(s, r, IOPS);
		snprintf(cell, sizeof(cell), "× %.2f", at(s, r, IOPS) / first);
		sheet_add_cell(item, cell);
		add_pair(item, UNIT_S, at(s, r, MEAN), at(s, r, MEAN_LOW), at(s, r, MEAN_HIGH));
	}
}
