/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A serial number or WWN names one specimen, and a report is made to be shown: what people see is
 * its last four characters. Characters are counted, not bytes, so that no UTF-8 sequence is cut. */
#include "doc/identity.h"

#include <stdio.h>
#include <string.h>

#define SHOWN 4

static bool starts_character(char c)
{
	return ((unsigned char)c & 0xC0) != 0x80;
}

void identity_mask(char *dst, size_t size, const char *serial)
{
	const char *tail = serial + strlen(serial);
	size_t hidden = 0;
	size_t shown = 0;
	size_t used = 0;

	for (const char *p = serial; *p; p++)
		hidden += starts_character(*p);
	if (hidden > SHOWN) {
		while (shown < SHOWN)
			shown += starts_character(*--tail);
		hidden -= SHOWN;
	}
	while (used + 1 < size && used < hidden)
		dst[used++] = '*';
	if (size)
		snprintf(dst + used, size - used, "%s", tail);
}
