/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A drive's lists: as many rows as it told. */
#include <stdio.h>

#include "sheet/sheet_smart_parts.h"

/* Counters that come as a list of names and values: told where there is one above nothing. */
static void add_counters(struct sheet *sheet, const struct facts *f, const char *list,
	const char *title)
{
	size_t n = facts_length(f, list);
	struct sheet_item *table = NULL;
	char path[FACT_PATH_MAX];

	for (size_t i = 0; i < n && i < 128; i++) {
		const char *name;
		char number[32];
		double value;

		snprintf(path, sizeof(path), "%s[%zu].name", list, i);
		name = facts_words(f, path);
		snprintf(path, sizeof(path), "%s[%zu].value", list, i);
		value = facts_number(f, path);
		if (!name[0] || !(value > 0))
			continue;
		if (!table) {
			sheet_add(sheet, SHEET_HEADING, title, NULL, NULL, NULL);
			table = sheet_add(sheet, SHEET_TABLE, "what is not named is 0", NULL, NULL,
				NULL);
			table->columns = 2;
		}
		snprintf(number, sizeof(number), "%.0f", value);
		sheet_add_cell(table, name);
		sheet_add_cell(table, number);
	}
}

static void add_statistics(struct sheet *sheet, const struct facts *f)
{
	size_t n = facts_length(f, "ata_device_statistics.pages");
	char path[64], title[96];

	for (size_t i = 0; i < n && i < 16; i++) {
		snprintf(path, sizeof(path), "ata_device_statistics.pages[%zu].name", i);
		snprintf(title, sizeof(title), "Device statistics%s%.60s",
			facts_words(f, path)[0] ? ": " : "", facts_words(f, path));
		snprintf(path, sizeof(path), "ata_device_statistics.pages[%zu].table", i);
		add_counters(sheet, f, path, title);
	}
}

static void add_cell(struct sheet_item *table, const struct facts *f, size_t i, const char *part)
{
	char path[FACT_PATH_MAX], number[32] = "";
	const struct fact *cell;

	snprintf(path, sizeof(path), "ata_smart_attributes.table[%zu].%s", i, part);
	cell = facts_find(f, path);
	if (cell && cell->type != FACT_TEXT)
		snprintf(number, sizeof(number), "%lld", (long long)cell->integer);
	sheet_add_cell(table, !cell ? "-" : cell->type == FACT_TEXT ? cell->text : number);
}

static void add_attributes(struct sheet *sheet, const struct facts *f)
{
	static const char *const heads[] = {"attribute", "id", "value", "worst", "limit",
		"failed", "raw"};
	static const char *const parts[] = {"name", "id", "value", "worst", "thresh",
		"when_failed", "raw.string"};
	size_t n = facts_length(f, "ata_smart_attributes.table");
	struct sheet_item *table;

	if (!n)
		return;
	sheet_add(sheet, SHEET_HEADING, "Attributes", NULL, NULL, NULL);
	table = sheet_add(sheet, SHEET_TABLE, "value, worst and limit are the drive's own scale, on "
		"which less is worse", NULL, NULL, NULL);
	table->columns = sizeof(heads) / sizeof(heads[0]);
	table->cut_last = true;
	for (size_t c = 0; c < table->columns; c++)
		sheet_add_cell(table, heads[c]);
	for (size_t i = 0; i < n && i < 64; i++)
		for (size_t c = 0; c < table->columns; c++)
			add_cell(table, f, i, parts[c]);
}

void sheet_add_smart_tables(struct sheet *sheet, const struct facts *facts)
{
	add_attributes(sheet, facts);
	add_statistics(sheet, facts);
	add_counters(sheet, facts, "sata_phy_event_counters.table", "The link's counters");
}
