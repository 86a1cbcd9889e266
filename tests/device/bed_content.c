/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is written on the simulated drive: every sector names itself, so that a read that landed in
 * the wrong place is seen, and platter knows that the drive is a simulated one. */
#include <string.h>

#include "tests/device/bed.h"

static const char magic[] = "PLATTERSIMDRIVE";

#define HEAD_BYTES (8 + sizeof magic - 1)

static void put_head(unsigned char *head, uint64_t lba)
{
	for (unsigned i = 0; i < 8; i++)
		head[i] = (unsigned char)(lba >> (8 * i));
	memcpy(head + 8, magic, sizeof magic - 1);
}

void bed_fill(char *dst, uint64_t offset, size_t length, uint32_t sector_bytes)
{
	uint64_t end = offset + length;

	for (uint64_t lba = offset / sector_bytes; lba * sector_bytes < end; lba++) {
		unsigned char head[HEAD_BYTES];
		uint64_t at = lba * sector_bytes;
		uint64_t from = at < offset ? offset : at;
		uint64_t to = at + HEAD_BYTES < end ? at + HEAD_BYTES : end;

		put_head(head, lba);
		if (from < to)
			memcpy(dst + (from - offset), head + (from - at), to - from);
	}
}
