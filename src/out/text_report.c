/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Item by item, a line or a few each. Of a figure's explanation the parts that fit stand, from the
 * first on. Widths here are known to sheet/sheet.c, which counts lines. */
#include "out/text_report.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "out/text_ink.h"
#include "sheet/wrap.h"

#define INDENT   2
#define LABEL    20 /* columns of a fact's label */
#define NAME     19 /* of a figure's */
#define VALUE    12 /* of its value, right-aligned */
#define INTERVAL 14
#define TWO_LINES_BELOW 72 /* columns: a figure's explanation goes below it */

static bool is_narrow(const struct text_style *style)
{
	return style->columns < TWO_LINES_BELOW;
}

static void draw_title(const struct text_style *style, char *const *s, struct text *out)
{
	ink_wrap(style, out, INK_BOLD, s[0], 0, INDENT);
}

static void draw_heading(const struct text_style *style, char *const *s, struct text *out)
{
	if (out->length)
		text_add(out, "\n");
	draw_title(style, s, out);
}

static void draw_labelled(const struct text_style *style, const char *label, const char *value,
	struct text *out)
{
	struct text t = {0};

	text_add_fill(out, ' ', INDENT);
	if (is_narrow(style)) {
		text_add(&t, "%s: %s", label, value);
		ink_wrap(style, out, INK_PLAIN, text_chars(&t), INDENT, 2 * INDENT);
	} else {
		ink_left(style, out, label, LABEL);
		ink_wrap(style, out, INK_PLAIN, value, INDENT + LABEL, INDENT + LABEL);
	}
	text_release(&t);
}

/* The parts between ", " that fit into that many columns, in their order, behind `before`. */
static void add_parts(const struct text_style *style, struct text *out, const char *before,
	const char *how, size_t columns)
{
	struct text kept = {0};

	while (*how) {
		const char *end = strstr(how, ", ");
		size_t length = end ? (size_t)(end - how) : strlen(how);
		size_t was = kept.length;

		text_add(&kept, "%s%.*s", was ? ", " : before, (int)length, how);
		if (wrap_columns(text_chars(&kept)) > columns)
			kept.chars[kept.length = was] = 0;
		how += end ? length + 2 : length;
	}
	ink_add(style, out, INK_DIM, text_chars(&kept));
	text_release(&kept);
}

static void add_value(const struct text_style *style, struct text *out, char *const *s)
{
	ink_left(style, out, s[0], NAME);
	if (wrap_columns(s[1]) >= VALUE)
		text_add(out, " ");
	ink_right(style, out, s[1], VALUE);
}

/* The line as far as it goes, then what fits of how it was had. Releases the line. */
static void end_figure(const struct text_style *style, struct text *line, const char *before,
	const char *how, struct text *out)
{
	size_t used = wrap_columns(line->chars);

	/* only strange numbers are wider than their place */
	text_add_bytes(out, line->chars, wrap_bytes(line->chars, style->columns));
	add_parts(style, out, before, how, style->columns > used ? style->columns - used : 0);
	ink_newline(out);
	text_release(line);
}

static void draw_figure_narrow(const struct text_style *style, char *const *s, struct text *out)
{
	struct text t = {0};

	text_add_fill(&t, ' ', INDENT);
	add_value(style, &t, s);
	end_figure(style, &t, "", "", out);
	text_add(&t, "%s%s%s", s[2], s[2][0] && s[3][0] ? ", " : "", s[3]);
	if (t.length) {
		text_add_fill(out, ' ', 2 * INDENT);
		ink_wrap(style, out, INK_DIM, t.chars, 2 * INDENT, 2 * INDENT);
	}
	text_release(&t);
}

static void draw_figure(const struct text_style *style, char *const *s, struct text *out)
{
	struct text line = {0};

	if (is_narrow(style)) {
		draw_figure_narrow(style, s, out);
		return;
	}
	text_add_fill(&line, ' ', INDENT);
	add_value(style, &line, s);
	text_add(&line, " ");
	ink_left(style, &line, s[2], INTERVAL);
	end_figure(style, &line, " ", s[3], out);
}

static void draw_unsure(const struct text_style *style, char *const *s, struct text *out)
{
	struct text line = {0};

	if (is_narrow(style)) {
		text_add(&line, "too uncertain: %s%s%s", s[1], s[3][0] ? ", " : "", s[3]);
		draw_labelled(style, s[0], line.chars, out);
		text_release(&line);
		return;
	}
	text_add_fill(&line, ' ', INDENT);
	ink_left(style, &line, s[0], NAME + 1);
	text_add(&line, "too uncertain: %s", s[1]);
	end_figure(style, &line, ", ", s[3], out);
}

static void draw_unknown(const struct text_style *style, char *const *s, struct text *out)
{
	struct text t = {0};

	text_add(&t, "%s: unknown: %s", s[0], s[1]);
	text_add_fill(out, ' ', INDENT);
	ink_wrap(style, out, INK_PLAIN, text_chars(&t), INDENT, 2 * INDENT);
	text_release(&t);
}

static void draw_note(const struct text_style *style, char *const *s, struct text *out)
{
	text_add_fill(out, ' ', INDENT);
	ink_wrap(style, out, INK_PLAIN, s[0], INDENT, INDENT);
}

static void draw_warning(const struct text_style *style, char *const *s, struct text *out)
{
	ink_add(style, out, INK_WARNING, "! ");
	ink_wrap(style, out, INK_WARNING, s[0], 2, 2);
}

#define GAP 2 /* between the columns of a table */
#define CUT_LEAST 8 /* columns of a cell that is cut */

/* Cells as they will stand, the caller's to free, and how wide each column is. */
static char **table_cells(const struct text_style *style, const struct sheet_item *item,
	size_t *widths)
{
	char **cells = mem_zalloc(item->cells_n + 1, sizeof(*cells));

	for (size_t i = 0; i < item->cells_n; i++) {
		size_t *width = &widths[i % item->columns];

		cells[i] = ink_string(style, item->cells[i]);
		if (wrap_columns(cells[i]) > *width)
			*width = wrap_columns(cells[i]);
	}
	return cells;
}

/* How many columns fit; the last may be made narrower for that. */
static size_t fitting(const struct text_style *style, const struct sheet_item *item,
	size_t *widths)
{
	size_t used = INDENT, c;

	for (c = 0; c < item->columns; c++) {
		size_t before = used + (c ? GAP : 0);

		used = before + widths[c];
		if (used <= style->columns)
			continue;
		if (!item->cut_last || c + 1 < item->columns ||
			before + CUT_LEAST > style->columns)
			break;
		widths[c] = used = style->columns - before;
	}
	return c;
}

static void cut_cell(char *cell, size_t columns)
{
	if (columns < CUT_LEAST || wrap_columns(cell) <= columns)
		return;
	memcpy(cell + wrap_bytes(cell, columns - 2), "..", 3);
}

/* Columns that do not fit are left out, the last ones first. */
static void draw_table(const struct text_style *style, const struct sheet_item *item,
	struct text *out)
{
	size_t *widths = mem_zalloc(item->columns, sizeof(*widths));
	char **cells = table_cells(style, item, widths);
	char *title = ink_string(style, item->text[0]);
	size_t shown;

	shown = fitting(style, item, widths);
	for (size_t i = 0; i < item->cells_n; i++)
		if (item->cut_last && i % item->columns + 1 == item->columns)
			cut_cell(cells[i], widths[item->columns - 1]);
	text_add_fill(out, ' ', INDENT);
	ink_wrap(style, out, INK_PLAIN, title, INDENT, INDENT);
	for (size_t i = 0; i < item->cells_n; i++) {
		size_t c = i % item->columns;

		if (c < shown) {
			text_add_fill(out, ' ', c ? GAP : INDENT);
			if (c == 0 || strncmp(cells[i], "+-", 2) == 0 ||
				strncmp(cells[i], "±", 2) == 0)
				ink_left(style, out, cells[i], widths[c]);
			else
				ink_right(style, out, cells[i], widths[c]);
		}
		if (c + 1 == item->columns)
			ink_newline(out);
	}
	for (size_t i = 0; i < item->cells_n; i++)
		free(cells[i]);
	free(cells);
	free(title);
	free(widths);
}

static void draw(const struct sheet_item *item, const struct text_style *style, struct text *out)
{
	char *s[4];

	for (size_t i = 0; i < 4; i++)
		s[i] = ink_string(style, item->text[i]);
	switch (item->kind) {
	case SHEET_TITLE: draw_title(style, s, out); break;
	case SHEET_HEADING: draw_heading(style, s, out); break;
	case SHEET_FACT: draw_labelled(style, s[0], s[1], out); break;
	case SHEET_UNSURE: draw_unsure(style, s, out); break;
	case SHEET_FIGURE: draw_figure(style, s, out); break;
	case SHEET_UNKNOWN: draw_unknown(style, s, out); break;
	case SHEET_NOTE: draw_note(style, s, out); break;
	case SHEET_WARNING: draw_warning(style, s, out); break;
	case SHEET_CURVE: chart_curve(style, item, out); break;
	case SHEET_TABLE: draw_table(style, item, out); break;
	case SHEET_BARS: chart_bars(style, item, out); break;
	}
	for (size_t i = 0; i < 4; i++)
		free(s[i]);
}

void text_report(const struct sheet *sheet, const struct text_style *style, struct text *out)
{
	assert(style->columns >= 40 && style->columns <= 200);
	for (size_t i = 0; i < sheet->n; i++)
		draw(&sheet->items[i], style, out);
}
