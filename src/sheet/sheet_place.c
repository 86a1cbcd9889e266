/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which part of the drive is spoken of, and how a place is named: both ends in one unit, with the
 * digits that their distance asks for. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "sheet/sheet_build.h"

#define NARROW 50 /* a part of the way to it that is named by its length and place */
#define SLACK_BYTES 1048576u /* at the end, where requests do not divide the size */

struct sheet_scope sheet_scope_of(const struct doc *doc)
{
	uint64_t size = doc->identity.size_bytes;
	struct sheet_scope scope = {doc->settings.from_bytes, doc->settings.to_bytes, true};

	if (scope.to_bytes <= scope.from_bytes)
		scope = (struct sheet_scope){0, size, true};
	scope.whole = scope.from_bytes == 0 && scope.to_bytes + SLACK_BYTES >= size;
	return scope;
}

/* "450.40" → "450.4", "450.00" → "450" */
static void drop_zeros(char *s)
{
	size_t n = strlen(s);

	if (!strchr(s, '.'))
		return;
	while (s[n - 1] == '0')
		n--;
	s[s[n - 1] == '.' ? n - 1 : n] = 0;
}

void sheet_format_place(char *dst, size_t size, uint64_t from_bytes, uint64_t to_bytes,
	bool brief)
{
	struct unit_scale scale = units_scale(UNIT_BYTES, (double)to_bytes);
	double distance = ((double)to_bytes - (double)from_bytes) * scale.factor;
	int decimals = distance > 0 ? 1 - (int)floor(log10(distance)) : 0;
	char from[64];
	char to[64];

	if (brief && distance > 0 && distance * NARROW < (double)to_bytes * scale.factor) {
		units_format_capacity(from, sizeof(from), to_bytes - from_bytes);
		units_format_capacity(to, sizeof(to), from_bytes);
		snprintf(dst, size, "%s at %s", from, to);
		return;
	}
	decimals = decimals < 0 ? 0 : decimals > 6 ? 6 : decimals;
	snprintf(from, sizeof(from), "%.*f", decimals, (double)from_bytes * scale.factor);
	snprintf(to, sizeof(to), "%.*f", decimals, (double)to_bytes * scale.factor);
	drop_zeros(from);
	drop_zeros(to);
	snprintf(dst, size, "%s – %s %s", from, to, scale.name);
}
