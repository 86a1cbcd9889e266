/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The findings, section by section in the catalogue's order. Some figures only explain another and
 * are told beside it; unknown ones with the same reason share a line. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "sheet/sheet_build.h"

/* minor is told beside major when both are known. */
static const struct {
	const char *major, *minor;
	const char *before, *after; /* words around the minor's value times factor */
	int decimals;
	double factor;
	double least; /* below this it is not worth telling */
} told_beside[] = {
	{"sequential.bytes_per_s", "sequential.cpu_share", "", " % of a CPU", 1, 100, 0},
	{"buffered.bytes_per_s", "buffered.cached_share", "", " % was cached", 0, 100, 0.005},
	{"zones.inner_bytes_per_s", "zones.outer_inner_ratio", "first : last = ", "", 2, 1, 0},
	{"seekers.iops", "seekers.cpu_share", "", " % of a CPU", 1, 100, 0},
};
#define TOLD_BESIDE (sizeof(told_beside) / sizeof(told_beside[0]))

static bool is_known(const struct finding *f)
{
	return f && f->how != HOW_UNKNOWN;
}

/* Not a row of its own. */
static bool is_beside(const struct doc *doc, const struct finding *f,
	const struct sheet_detail *detail)
{
	for (size_t i = 0; i < TOLD_BESIDE; i++) {
		if (strcmp(told_beside[i].minor, f->quantity->key) != 0)
			continue;
		return is_known(f) ? is_known(doc_find(doc, told_beside[i].major)) : !detail->all;
	}
	return false;
}

static void join_beside(struct text *how, const struct doc *doc, const char *key)
{
	for (size_t i = 0; i < TOLD_BESIDE; i++) {
		double v = doc_value(doc, told_beside[i].minor);

		if (strcmp(told_beside[i].major, key) != 0)
			continue;
		if (!(v >= told_beside[i].least && v <= 1e6))
			continue;
		sheet_join(how, "%s%.*f%s", told_beside[i].before, told_beside[i].decimals,
			v * told_beside[i].factor, told_beside[i].after);
	}
}

/* How it was had, most telling first: what does not fit is left out from the end. */
static char *describe(const struct doc *doc, const struct finding *f)
{
	struct text how = {0};
	char size[32];

	if (f->cached && !text_starts(f->quantity->key, "cached.") &&
		!text_starts(f->quantity->key, "buffered."))
		sheet_join(&how, "page cache");
	if (f->how == HOW_REPORTED)
		sheet_join(&how, "as reported");
	if (f->depth > 1)
		sheet_join(&how, "%u at a time", f->depth);
	join_beside(&how, doc, f->quantity->key);
	if (f->runs > 1)
		sheet_join(&how, "%u runs", f->runs);
	else if (f->samples > 1)
		sheet_join(&how, "%llu samples", (unsigned long long)f->samples);
	if (f->request_bytes) {
		units_format_request(size, sizeof(size), f->request_bytes);
		sheet_join(&how, "%s", size);
	}
	if (f->runs > 1 && f->samples > f->runs)
		sheet_join(&how, "%llu samples", (unsigned long long)f->samples);
	if (f->lost_share >= 0.005)
		sheet_join(&how, "%.0f %% left out", f->lost_share * 100);
	if (f->how == HOW_DERIVED)
		sheet_join(&how, "derived");
	return text_take(&how);
}

static void add_figure(struct sheet *sheet, const struct doc *doc, const struct finding *f)
{
	char value[96];
	char interval[96];
	char *how = describe(doc, f);

	interval[0] = 0;
	if (f->text)
		text_copy_clean(value, sizeof(value), f->text);
	else
		sheet_format_value(value, interval, sizeof(value), f->quantity->unit, f->value,
			f->low, f->high);
	sheet_add(sheet, SHEET_FIGURE, f->quantity->title, value, interval, how);
	free(how);
}

/* The finding of the i-th row when it is a row of this section that stands in the sheet. */
static const struct finding *row_of(const struct doc *doc, size_t i, const char *section,
	const struct sheet_detail *detail)
{
	const struct quantity *q = quantity_at(i);
	const struct finding *f;

	if (!q || strcmp(q->section, section) != 0)
		return NULL;
	f = doc_find(doc, q->key);
	return f && !is_beside(doc, f, detail) ? f : NULL;
}

/* True when an earlier unknown row of the section gave the same reason. */
static bool said_before(const struct doc *doc, size_t row, const struct finding *f,
	const struct sheet_detail *detail)
{
	for (size_t i = 0; i < row; i++) {
		const struct finding *g = row_of(doc, i, f->quantity->section, detail);

		if (g && !is_known(g) && strcmp(g->why_not, f->why_not) == 0)
			return true;
	}
	return false;
}

static void add_unknown(struct sheet *sheet, const struct doc *doc, size_t row,
	const struct finding *f, const struct sheet_detail *detail)
{
	struct text labels = {0};
	struct text why = {0};
	char *s;
	size_t used;

	if (said_before(doc, row, f, detail))
		return;
	for (size_t i = row; quantity_at(i); i++) {
		const struct finding *g = row_of(doc, i, f->quantity->section, detail);

		if (g && !is_known(g) && strcmp(g->why_not, f->why_not) == 0)
			sheet_join(&labels, "%s", g->quantity->title);
	}
	text_add(&why, "%s", f->why_not);
	used = labels.length + strlen(": unknown: ");
	s = text_take(&why);
	sheet_cut(s, detail->why_width > used + 20 ? detail->why_width - used : 20);
	if (labels.length > detail->why_width)
		sheet_cut(labels.chars, detail->why_width / 2);
	sheet_add(sheet, SHEET_UNKNOWN, text_chars(&labels), s, NULL, NULL);
	free(s);
	text_release(&labels);
}

static bool add_section(struct sheet *sheet, const struct doc *doc, const char *section,
	const struct sheet_detail *detail)
{
	size_t start = sheet->n;

	for (size_t i = 0; quantity_at(i); i++) {
		const struct finding *f = row_of(doc, i, section, detail);

		if (!f)
			continue;
		if (sheet->n == start)
			sheet_add(sheet, SHEET_HEADING, section, NULL, NULL, NULL);
		if (is_known(f))
			add_figure(sheet, doc, f);
		else
			add_unknown(sheet, doc, i, f, detail);
	}
	return sheet->n > start;
}

/* The picture that belongs under a section: that of the probe its quantities come from. */
static void add_chart(struct sheet *sheet, const struct doc *doc, const char *key)
{
	if (text_starts(key, "zones."))
		sheet_add_curve(sheet, doc);
	else if (text_starts(key, "access."))
		sheet_add_bars(sheet, doc);
}

void sheet_add_figures(struct sheet *sheet, const struct doc *doc,
	const struct sheet_detail *detail)
{
	const struct quantity *q;

	for (size_t i = 0; (q = quantity_at(i)); i++) {
		bool first = i == 0 || strcmp(quantity_at(i - 1)->section, q->section) != 0;

		if (first && add_section(sheet, doc, q->section, detail))
			add_chart(sheet, doc, q->key);
	}
}
