/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The container, and the count of lines that keeps a report within a screen or two. The widths here
 * are those of out/text_report, which a test holds against this count. */
#include "sheet/sheet.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "sheet/sheet_build.h"
#include "sheet/wrap.h"

#define CURVE_LINES 9  /* title, six rows, axis, its numbers */
#define LABEL       22 /* columns before a fact's value */

static char *clean_copy(const char *s)
{
	size_t size;
	char *copy;

	if (!s)
		return NULL;
	size = strlen(s) + 1;
	copy = mem_zalloc(size, 1);
	text_copy_clean(copy, size, s);
	return copy;
}

struct sheet_item *sheet_add(struct sheet *sheet, enum sheet_kind kind, const char *a,
	const char *b, const char *c, const char *d)
{
	struct sheet_item *item;

	sheet->items = mem_grow(sheet->items, sheet->n, &sheet->capacity, sizeof(*sheet->items));
	item = &sheet->items[sheet->n++];
	*item = (struct sheet_item){.kind = kind,
		.text = {clean_copy(a), clean_copy(b), clean_copy(c), clean_copy(d)}};
	return item;
}

/* Room for one more, in steps of a power of two. */
static void *room_for_one(void *array, size_t n, size_t size)
{
	return (n & (n - 1)) == 0 ? mem_resize(array, n ? 2 * n : 1, size) : array;
}

void sheet_add_point(struct sheet_item *item, struct sheet_point point)
{
	item->points = room_for_one(item->points, item->points_n, sizeof(*item->points));
	item->points[item->points_n++] = point;
}

void sheet_add_mark(struct sheet_item *item, double x)
{
	item->marks = room_for_one(item->marks, item->marks_n, sizeof(*item->marks));
	item->marks[item->marks_n++] = x;
}

void sheet_add_cell(struct sheet_item *item, const char *s)
{
	item->cells = room_for_one(item->cells, item->cells_n, sizeof(*item->cells));
	item->cells[item->cells_n++] = clean_copy(s);
}

void sheet_truncate(struct sheet *sheet, size_t n)
{
	while (sheet->n > n) {
		struct sheet_item *item = &sheet->items[--sheet->n];

		for (size_t i = 0; i < 4; i++)
			free(item->text[i]);
		for (size_t i = 0; i < item->cells_n; i++)
			free(item->cells[i]);
		free(item->cells);
		free(item->marks);
		free(item->points);
	}
}

void sheet_release(struct sheet *sheet)
{
	sheet_truncate(sheet, 0);
	free(sheet->items);
	*sheet = (struct sheet){0};
}

/* Lines at this width, in plain ASCII too, where "…" and "±" take two columns each. */
static size_t lines_of(const char *s, size_t width)
{
	struct text plain = {0};
	size_t n = wrap_lines(s, width);
	size_t n_plain;

	for (const char *p = s; *p;) {
		size_t bytes = wrap_bytes(p, 1);

		text_add_bytes(&plain, bytes > 1 ? ".." : p, bytes > 1 ? 2 : 1);
		p += bytes;
	}
	n_plain = wrap_lines(text_chars(&plain), width);
	text_release(&plain);
	return n > n_plain ? n : n_plain;
}

size_t sheet_note_lines(const char *note)
{
	return lines_of(note, SHEET_COLUMNS - 2);
}

static size_t unknown_lines(const char *label, const char *why)
{
	struct text t = {0};
	size_t n;

	text_add(&t, "%s: unknown: %s", label, why);
	n = lines_of(text_chars(&t), SHEET_COLUMNS - 4);
	text_release(&t);
	return n;
}

static size_t item_lines(const struct sheet_item *item)
{
	char *const *s = item->text;

	switch (item->kind) {
	case SHEET_HEADING: return 2;
	case SHEET_FACT: return lines_of(s[1], SHEET_COLUMNS - LABEL);
	case SHEET_UNKNOWN: return unknown_lines(s[0], s[1]);
	case SHEET_NOTE:
	case SHEET_WARNING: return sheet_note_lines(s[0]);
	case SHEET_CURVE: return CURVE_LINES + (item->marks_n > 0);
	case SHEET_TABLE: return 1 + item->cells_n / item->columns;
	case SHEET_BARS: return 1 + item->points_n;
	case SHEET_TITLE:
	case SHEET_FIGURE:
	case SHEET_UNSURE: break;
	}
	return 1;
}

size_t sheet_lines(const struct sheet *sheet)
{
	size_t n = 0;

	for (size_t i = 0; i < sheet->n; i++)
		n += item_lines(&sheet->items[i]);
	return n;
}

void sheet_cut(char *s, size_t columns)
{
	static const char more[] = "…";
	static const char more_parts[] = ", …";
	size_t keep;

	if (columns < 8 || wrap_columns(s) <= columns)
		return;
	/* what goes is longer than what comes in its place: at least a byte a column */
	keep = wrap_bytes(s, columns - 5);
	for (size_t i = keep; i > keep / 2; i--) {
		if (s[i] == ',' && s[i + 1] == ' ') {
			memcpy(s + i, more_parts, sizeof(more_parts));
			return;
		}
	}
	keep = wrap_bytes(s, columns - 3);
	while (keep > 0 && s[keep - 1] == ' ')
		keep--;
	memcpy(s + keep, more, sizeof(more));
}

void sheet_join(struct text *out, const char *format, ...)
{
	va_list ap;

	if (out->length)
		text_add(out, ", ");
	va_start(ap, format);
	text_add_v(out, format, ap);
	va_end(ap);
}
