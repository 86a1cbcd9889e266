/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Greedy: as many words as fit. A word wider than the line is cut. */
#include "sheet/wrap.h"

#include <string.h>

static int starts_column(char c)
{
	return ((unsigned char)c & 0xC0) != 0x80;
}

size_t wrap_columns(const char *s)
{
	size_t n = 0;

	for (; *s; s++)
		n += (size_t)starts_column(*s);
	return n;
}

size_t wrap_bytes(const char *s, size_t columns)
{
	const char *p = s;

	for (; *p; p++)
		if (starts_column(*p) && columns-- == 0)
			break;
	return (size_t)(p - s);
}

const char *wrap_next(const char *s, size_t width, size_t *length)
{
	size_t fits = wrap_bytes(s, width);
	size_t cut = fits;

	if (s[fits] && s[fits] != ' ')
		while (cut > 0 && s[cut - 1] != ' ')
			cut--;
	if (cut == 0)
		cut = fits;
	*length = cut;
	while (*length > 0 && s[*length - 1] == ' ')
		--*length;
	s += cut;
	return s + strspn(s, " ");
}

size_t wrap_lines(const char *s, size_t width)
{
	size_t length;
	size_t n = 1;

	for (s = wrap_next(s, width, &length); *s; s = wrap_next(s, width, &length))
		n++;
	return n;
}
