/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A serial number or WWN names one specimen, and a report is made to be shown: what people see is
 * its last four characters, of a short one none, and not how short it is. Characters are counted, not bytes, so that no UTF-8 sequence is cut. */
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
	} else if (hidden) {
		hidden = SHOWN;
	}
	while (used + 1 < size && used < hidden)
		dst[used++] = '*';
	if (size)
		snprintf(dst + used, size - used, "%s", tail);
}

/* FNV-1a of 64 bits, folded to 30: six digits to the base of 32. Blanks and case do not count, so
 * that sources that pad differently agree. */
void identity_stand_in(char dst[IDENTITY_STAND_IN], const char *serial)
{
	static const char digits[] = "0123456789ABCDEFGHJKLMNPQRSTUVWX";
	uint64_t hash = 0xCBF29CE484222325;
	size_t n = 5;

	dst[0] = 0;
	if (!serial[0])
		return;
	for (; *serial; serial++) {
		if (*serial == ' ')
			continue;
		hash ^= (unsigned char)(*serial >= 'a' && *serial <= 'z' ? *serial - 32 : *serial);
		hash *= 0x100000001B3;
	}
	hash ^= hash >> 32;
	memcpy(dst, "ANON-", 5);
	for (; n + 1 < IDENTITY_STAND_IN; n++, hash >>= 5)
		dst[n] = digits[hash & 31];
	dst[n] = 0;
}
