/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static void reserve(struct text *t, size_t more)
{
	size_t need = t->length + more + 1;

	if (need <= t->capacity)
		return;
	t->capacity = need < 2 * t->capacity ? 2 * t->capacity : need;
	t->chars = mem_resize(t->chars, t->capacity, 1);
}

void text_add_v(struct text *t, const char *format, va_list ap)
{
	va_list again;
	int n;

	va_copy(again, ap);
	n = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (n < 0)
		return;
	reserve(t, (size_t)n);
	vsnprintf(t->chars + t->length, (size_t)n + 1, format, ap);
	t->length += (size_t)n;
}

void text_add(struct text *t, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	text_add_v(t, format, ap);
	va_end(ap);
}

void text_add_bytes(struct text *t, const char *bytes, size_t length)
{
	reserve(t, length);
	memcpy(t->chars + t->length, bytes, length);
	t->length += length;
	t->chars[t->length] = 0;
}

void text_add_fill(struct text *t, char c, size_t count)
{
	reserve(t, count);
	memset(t->chars + t->length, c, count);
	t->length += count;
	t->chars[t->length] = 0;
}

const char *text_chars(const struct text *t)
{
	return t->chars ? t->chars : "";
}

char *text_take(struct text *t)
{
	char *s;

	reserve(t, 0);
	t->chars[t->length] = 0;
	s = t->chars;
	*t = (struct text){0};
	return s;
}

void text_release(struct text *t)
{
	free(t->chars);
	*t = (struct text){0};
}

bool text_starts(const char *s, const char *prefix)
{
	return strncmp(s, prefix, strlen(prefix)) == 0;
}

bool text_ends(const char *s, const char *suffix)
{
	size_t a = strlen(s);
	size_t b = strlen(suffix);

	return a >= b && strcmp(s + a - b, suffix) == 0;
}

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

char *text_trim(char *s)
{
	size_t n;

	while (is_space(*s))
		s++;
	n = strlen(s);
	while (n && is_space(s[n - 1]))
		s[--n] = 0;
	return s;
}

/* Length of the UTF-8 sequence at s (RFC 3629: no overlong form, no surrogate, at most U+10FFFF),
 * 0 when it is not one. The string's ending 0 is no continuation byte, so nothing past it is read. */
static size_t utf8_length(const unsigned char *s)
{
	size_t n = s[0] < 0x80 ? 1 : s[0] >= 0xC2 && s[0] < 0xE0 ? 2 : s[0] >= 0xE0 && s[0] < 0xF0 ? 3
		: s[0] >= 0xF0 && s[0] < 0xF5 ? 4 : 0;

	for (size_t i = 1; i < n; i++)
		if ((s[i] & 0xC0) != 0x80)
			return 0;
	if ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xED && s[1] > 0x9F) ||
		(s[0] == 0xF0 && s[1] < 0x90) || (s[0] == 0xF4 && s[1] > 0x8F))
		return 0;
	/* U+0080 to U+009F are control characters too: terminals obey them */
	return n == 2 && s[0] == 0xC2 && s[1] < 0xA0 ? 0 : n;
}

/* U+061C, U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069 turn the direction of what follows
 * round; U+2028 and U+2029 end a line. s is a sequence of n bytes. */
static bool moves_text(const unsigned char *s, size_t n)
{
	if (n == 2)
		return s[0] == 0xD8 && s[1] == 0x9C;
	if (n != 3 || s[0] != 0xE2)
		return false;
	return (s[1] == 0x80 && (s[2] == 0x8E || s[2] == 0x8F || (s[2] >= 0xA8 && s[2] <= 0xAE))) ||
		(s[1] == 0x81 && s[2] >= 0xA6 && s[2] <= 0xA9);
}

void text_copy_clean(char *dst, size_t size, const char *src)
{
	size_t used = 0;

	while (*src && used + 1 < size) {
		const unsigned char *s = (const unsigned char *)src;
		size_t n = utf8_length(s);
		bool good = n && (n > 1 || (*s >= 0x20 && *s != 0x7F)) && !moves_text(s, n);

		if (good && used + n >= size)
			break;
		if (good)
			memcpy(dst + used, src, n);
		else
			dst[used] = '?';
		used += good ? n : 1;
		src += n ? n : 1;
	}
	if (size)
		dst[used] = 0;
}
