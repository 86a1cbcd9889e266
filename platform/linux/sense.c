/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registers come in a descriptor of type 09h (SAT-5 12.2.7) or, in the fixed format, in the
 * fields for "information" and "command specific" (12.2.8), told by 00h/1Dh, "ATA pass through
 * information available". In the fixed format bridges do not agree on the order of the address. */
#include "sense.h"

#include <string.h>

#define DESCRIPTOR_ATA    0x09
#define DESCRIPTOR_LENGTH 14u

static void descriptors(struct sense *s, const uint8_t *bytes, size_t n)
{
	size_t end = 8u + bytes[7], at = 8;

	if (end > n)
		end = n;
	for (; at + 2 <= end; at += 2u + bytes[at + 1]) {
		const uint8_t *d = bytes + at;

		if (d[0] != DESCRIPTOR_ATA || d[1] != 12 || at + DESCRIPTOR_LENGTH > end)
			continue;
		s->registers = true;
		s->error = d[3];
		s->count = d[5];
		s->low = d[7];
		s->mid = d[9];
		s->high = d[11];
		s->status = d[13];
		return;
	}
}

static void fixed(struct sense *s, const uint8_t *bytes, size_t n)
{
	s->key = bytes[2] & 15u;
	if (n < 14)
		return;
	s->asc = bytes[12];
	s->ascq = bytes[13];
	s->registers = s->asc == 0x00 && s->ascq == 0x1D;
	s->error = bytes[3];
	s->status = bytes[4];
	s->count = bytes[6];
	s->low = bytes[9];
	s->mid = bytes[10];
	s->high = bytes[11];
}

void sense_read(struct sense *s, const uint8_t *bytes, size_t n)
{
	unsigned code = n ? bytes[0] & 0x7Fu : 0;

	memset(s, 0, sizeof(*s));
	if (n < 8 || code < 0x70 || code > 0x73)
		return;
	s->there = true;
	if (code < 0x72) {
		fixed(s, bytes, n);
		return;
	}
	s->key = bytes[1] & 15u;
	s->asc = bytes[2];
	s->ascq = bytes[3];
	descriptors(s, bytes, n);
}

int sense_smart_status(const struct sense *s)
{
	if (!s->registers)
		return -1;
	if (s->mid == 0x4F && (s->high == 0xC2 || s->low == 0xC2))
		return 1;
	if (s->mid == 0xF4 && (s->high == 0x2C || s->low == 0x2C))
		return 0;
	return -1;
}
