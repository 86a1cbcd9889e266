/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Words on lines: width, plain ASCII and colour. Internal to out/. */
#ifndef OUT_TEXT_INK_H
#define OUT_TEXT_INK_H

#include "out/text_report.h"

enum ink_color { INK_PLAIN, INK_BOLD, INK_WARNING, INK_DIM };

/* A copy of s (NULL: "") without control characters, in plain ASCII where the style has no UTF-8
 * ("±" "+-", "µ" "u", "…" "..", what has no likeness "?"). The caller frees it. */
char *ink_string(const struct text_style *style, const char *s);

/* Appends s in that colour, if the style has colours. */
void ink_add(const struct text_style *style, struct text *out, enum ink_color color,
	const char *s);
/* The same, filled with spaces to `columns`, on the left (right-aligned) or the right. */
void ink_left(const struct text_style *style, struct text *out, const char *s, size_t columns);
void ink_right(const struct text_style *style, struct text *out, const char *s, size_t columns);

/* Appends s and a newline, wrapped: the first line has `used` columns on it already, further ones
 * are indented by hang. */
void ink_wrap(const struct text_style *style, struct text *out, enum ink_color color,
	const char *s, size_t used, size_t hang);

/* Ends a line: trailing spaces go. */
void ink_newline(struct text *out);

/* A curve or bars; in out/chart_text.c. */
void chart_curve(const struct text_style *style, const struct sheet_item *item, struct text *out);
void chart_bars(const struct text_style *style, const struct sheet_item *item, struct text *out);

#endif
