/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Item by item, a line or a few each. Of a figure's explanation the parts that fit stand, from the
 * first on. Widths here are known to sheet/sheet.c, which counts lines. */
#include "out/text_report.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "out/text_ink.h"
#include "sheet/wrap.h"

#define INDENT   2
#define LABEL    20 /* columns of a label */
#define VALUE    12 /* of a value, right-aligned */
#define INTERVAL 15

static void draw_title(const struct text_style *style, char *const *s, struct text *out)
{
	size_t cut = wrap_bytes(s[0], style->columns);

	s[0][cut] = 0;
	ink_add(style, out, INK_BOLD, s[0]);
	ink_newline(out);
}

static void draw_heading(const struct text_style *style, char *const *s, struct text *out)
{
	if (out->length)
		text_add(out, "\n");
	draw_title(style, s, out);
}

static void draw_fact(const struct text_style *style, char *const *s, struct text *out)
{
	text_add_fill(out, ' ', INDENT);
	ink_left(style, out, s[0], LABEL);
	ink_wrap(style, out, INK_PLAIN, s[1], INDENT + LABEL, INDENT + LABEL);
}

/* As many of the parts between ", " as take at most that many columns; ends how there. */
static void keep_parts(char *how, size_t columns)
{
	while (wrap_columns(how) > columns) {
		char *last = NULL;

		for (char *p = how; (p = strstr(p, ", ")); p++)
			last = p;
		*(last ? last : how) = 0;
	}
}

static void draw_figure(const struct text_style *style, char *const *s, struct text *out)
{
	struct text line = {0};
	size_t used;

	text_add_fill(&line, ' ', INDENT);
	ink_left(style, &line, s[0], LABEL);
	ink_right(style, &line, s[1], VALUE);
	text_add(&line, " ");
	ink_left(style, &line, s[2], INTERVAL);
	text_add(&line, " ");
	/* only strange numbers are wider than their place */
	text_add_bytes(out, line.chars, wrap_bytes(line.chars, style->columns));
	used = wrap_columns(line.chars);
	keep_parts(s[3], style->columns > used ? style->columns - used : 0);
	ink_add(style, out, INK_DIM, s[3]);
	ink_newline(out);
	text_release(&line);
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

static void draw(const struct sheet_item *item, const struct text_style *style, struct text *out)
{
	char *s[4];

	for (size_t i = 0; i < 4; i++)
		s[i] = ink_string(style, item->text[i]);
	switch (item->kind) {
	case SHEET_TITLE: draw_title(style, s, out); break;
	case SHEET_HEADING: draw_heading(style, s, out); break;
	case SHEET_FACT: draw_fact(style, s, out); break;
	case SHEET_FIGURE: draw_figure(style, s, out); break;
	case SHEET_UNKNOWN: draw_unknown(style, s, out); break;
	case SHEET_NOTE: draw_note(style, s, out); break;
	case SHEET_WARNING: draw_warning(style, s, out); break;
	case SHEET_CURVE: chart_curve(style, item, out); break;
	case SHEET_BARS: chart_bars(style, item, out); break;
	}
	for (size_t i = 0; i < 4; i++)
		free(s[i]);
}

void text_report(const struct sheet *sheet, const struct text_style *style, struct text *out)
{
	assert(style->columns >= 60 && style->columns <= 200);
	for (size_t i = 0; i < sheet->n; i++)
		draw(&sheet->items[i], style, out);
}
