/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The mean time of a random read as the sum of its parts. All stand with the decimals that the
 * least certain of them has, and what is left over is what makes the rounded figures add up. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "sheet/sheet_build.h"

static const struct {
	const char *key, *sign;
} parts[] = {
	{"seek.turnaround_s", ""},
	{"seek.average_s", "+ "},
	{"rotation.latency_mean_s", "+ "},
	{"seek.remainder_s", "+ "},
	{"access.mean_s", "= "},
};
#define PARTS     (sizeof(parts) / sizeof(parts[0]))
#define REMAINDER 3u
#define SUM       4u

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

static double half_width(const struct finding *f)
{
	return isfinite(f->low) && isfinite(f->high) ? (f->high - f->low) / 2 : 0;
}

/* Decimals that give the widest half-width two digits; at most what a microsecond needs. */
static int decimals_of(const struct doc *doc, struct unit_scale scale)
{
	double widest = 0;
	int decimals;

	for (size_t i = 0; i < PARTS; i++)
		widest = fmax(widest, half_width(known(doc, parts[i].key)) * scale.factor);
	decimals = widest > 0 ? 1 - (int)floor(log10(widest)) : 2;
	return decimals < 1 ? 1 : decimals > 3 ? 3 : decimals;
}

static double rounded(double x, int decimals)
{
	double power = pow(10, decimals);

	return round(x * power) / power;
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

void sheet_add_budget(struct sheet *sheet, const struct doc *doc)
{
	struct unit_scale scale;
	struct sheet_item *item;
	double left;
	char s[96];
	int decimals;

	if (!sheet_has_budget(doc))
		return;
	scale = units_scale(UNIT_S, doc_value(doc, "access.mean_s"));
	decimals = decimals_of(doc, scale);
	left = rounded(doc_value(doc, parts[SUM].key) * scale.factor, decimals);
	for (size_t i = 0; i < REMAINDER; i++)
		left -= rounded(doc_value(doc, parts[i].key) * scale.factor, decimals);
	snprintf(s, sizeof(s), "where the time of a random read goes, %s", scale.name);
	item = sheet_add(sheet, SHEET_TABLE, s, NULL, NULL, NULL);
	item->columns = 4;
	for (size_t i = 0; i < PARTS; i++) {
		const struct finding *f = known(doc, parts[i].key);
		double shown = rounded(i == REMAINDER ? left : f->value * scale.factor, decimals);
		bool negative = shown < 0;

		sheet_add_cell(item, i == SUM ? "mean time" : f->quantity->title);
		snprintf(s, sizeof(s), "%s%.*f", negative ? "- " : parts[i].sign, decimals,
			fabs(shown));
		sheet_add_cell(item, s);
		/* an interval too small for the digits shown is not "± 0" */
		snprintf(s, sizeof(s), "± %.*f", decimals,
			fmax(half_width(f) * scale.factor, pow(10, -decimals)));
		sheet_add_cell(item, isfinite(f->low) ? s : "");
		add_samples(item, f);
	}
}
