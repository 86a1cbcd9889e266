/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The mean time of a random read as the sum of its parts. Each is rounded as its own interval has it,
 * like every other figure: they add up to what the least certain of them leaves open. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "sheet/sheet_build.h"

static const struct {
	const char *key, *sign;
} parts[] = {
	{"seek.turnaround_s", ""},
	{"seek.random_s", "+ "},
	{"rotation.latency_mean_s", "+ "},
	{"seek.transfer_s", "+ "},
	{"seek.remainder_s", "+ "},
	{"access.mean_s", "= "},
};
#define PARTS (sizeof(parts) / sizeof(parts[0]))
#define SUM   5u

bool sheet_in_budget(const char *key)
{
	for (size_t i = 0; i < SUM; i++)
		if (strcmp(parts[i].key, key) == 0)
			return true;
	return false;
}

static const struct finding *known(const struct doc *doc, const char *key)
{
	const struct finding *f = doc_find(doc, key);

	return f && f->how != HOW_UNKNOWN && fabs(f->value) < 1e6 ? f : NULL;
}

bool sheet_has_budget(const struct doc *doc)
{
	for (size_t i = 0; i < PARTS; i++)
		if (!known(doc, parts[i].key))
			return false;
	return known(doc, "access.mean_s")->value > 0;
}

/* A part that is nothing, for certain. */
static bool is_none(const struct finding *f)
{
	return f->value == 0 && f->low == 0 && f->high == 0;
}

static void add_samples(struct sheet_item *item, const struct finding *f)
{
	char s[64] = "";

	if (f->how == HOW_DERIVED)
		snprintf(s, sizeof(s), "derived");
	else if (f->samples)
		snprintf(s, sizeof(s), "%llu sample%s", (unsigned long long)f->samples,
			f->samples == 1 ? "" : "s");
	sheet_add_cell(item, s);
}

static void add_part(struct sheet_item *item, size_t part, const struct finding *f,
	struct unit_scale scale)
{
	bool negative = f->value < 0;
	double flip = negative ? -1 : 1;
	char value[96], interval[96], s[128];

	sheet_format_scaled(value, interval, sizeof(value), scale, flip * f->value,
		negative ? -f->high : f->low, negative ? -f->low : f->high);
	snprintf(s, sizeof(s), "%s%s", negative ? "- " : parts[part].sign, value);
	sheet_add_cell(item, part == SUM ? "mean time" : f->quantity->title);
	sheet_add_cell(item, s);
	sheet_add_cell(item, interval);
	add_samples(item, f);
}

void sheet_add_budget(struct sheet *sheet, const struct doc *doc)
{
	struct unit_scale scale;
	struct sheet_item *item;
	char s[96];

	if (!sheet_has_budget(doc))
		return;
	scale = units_scale(UNIT_S, doc_value(doc, "access.mean_s"));
	snprintf(s, sizeof(s), "where the time of a random read goes, %s", scale.name);
	scale.name = "";
	item = sheet_add(sheet, SHEET_TABLE, s, NULL, NULL, NULL);
	item->columns = 4;
	for (size_t i = 0; i < PARTS; i++) {
		const struct finding *f = known(doc, parts[i].key);

		if (!is_none(f))
			add_part(item, i, f, scale);
	}
}
