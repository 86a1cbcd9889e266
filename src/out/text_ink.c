/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text is made plain before it is measured, so that "+-" in place of "±" is counted as it will
 * stand. Colour codes take no column and never reach across a newline. */
#include "out/text_ink.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "sheet/wrap.h"

static const struct {
	const char *utf8, *plain;
} likenesses[] = {
	{"±", "+-"}, {"µ", "u"}, {"μ", "u"}, {"…", ".."}, {"–", "-"}, {"—", "-"}, {"×", "x"},
	{"÷", "/"}, {"·", "-"}, {"‘", "'"}, {"’", "'"}, {"“", "\""}, {"”", "\""}, {"°", "deg "},
	{"≤", "<="}, {"≥", ">="}, {"→", "->"}, {"≈", "~"}, {"\u00A0", " "}, {"\u202F", " "},
};

static const char *likeness(const char *s, size_t bytes)
{
	for (size_t i = 0; i < sizeof(likenesses) / sizeof(likenesses[0]); i++)
		if (strlen(likenesses[i].utf8) == bytes &&
			memcmp(likenesses[i].utf8, s, bytes) == 0)
			return likenesses[i].plain;
	return "?";
}

char *ink_string(const struct text_style *style, const char *s)
{
	size_t size = s ? strlen(s) + 1 : 1;
	char *clean = mem_zalloc(size, 1);
	struct text plain = {0};

	text_copy_clean(clean, size, s ? s : "");
	if (style->utf8)
		return clean;
	for (const char *p = clean; *p;) {
		size_t bytes = wrap_bytes(p, 1);

		if (bytes == 1)
			text_add_bytes(&plain, p, 1);
		else
			text_add(&plain, "%s", likeness(p, bytes));
		p += bytes;
	}
	free(clean);
	return text_take(&plain);
}

static void add_colored(const struct text_style *style, struct text *out, enum ink_color color,
	const char *s, size_t length)
{
	static const char *const codes[] = {"", "\033[1m", "\033[1;33m", "\033[2m"};
	bool on = style->color && color != INK_PLAIN && length > 0;

	if (on)
		text_add(out, "%s", codes[color]);
	text_add_bytes(out, s, length);
	if (on)
		text_add(out, "\033[0m");
}

void ink_add(const struct text_style *style, struct text *out, enum ink_color color,
	const char *s)
{
	add_colored(style, out, color, s, strlen(s));
}

void ink_left(const struct text_style *style, struct text *out, const char *s, size_t columns)
{
	size_t n = wrap_columns(s);

	ink_add(style, out, INK_PLAIN, s);
	text_add_fill(out, ' ', n < columns ? columns - n : 0);
}

void ink_right(const struct text_style *style, struct text *out, const char *s, size_t columns)
{
	size_t n = wrap_columns(s);

	text_add_fill(out, ' ', n < columns ? columns - n : 0);
	ink_add(style, out, INK_PLAIN, s);
}

void ink_newline(struct text *out)
{
	while (out->length && out->chars[out->length - 1] == ' ')
		out->chars[--out->length] = 0;
	text_add(out, "\n");
}

void ink_wrap(const struct text_style *style, struct text *out, enum ink_color color,
	const char *s, size_t used, size_t hang)
{
	size_t length;

	for (;;) {
		size_t room = style->columns > used ? style->columns - used : 1;
		const char *next = wrap_next(s, room, &length);

		add_colored(style, out, color, s, length);
		ink_newline(out);
		if (!*next)
			return;
		s = next;
		used = hang;
		text_add_fill(out, ' ', hang);
	}
}
