/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What libblkid does not tell of a GPT (UEFI 2.10, 5.3.2 and 5.3.3): for how large a drive and for
 * which block size it was made, and whether both of its copies are whole. A header at byte 512 or at
 * 4096 is taken, whatever the drive's own block size: behind another bridge that may differ. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "signatures.h"

#define HEADER_BYTES  92u
#define HEADER_MAX    512u
#define ENTRIES_MAX   (1u << 20) /* bytes: 128 entries of 128 are usual */
#define SECTOR        512u
#define PROTECTIVE    0xEEu

struct copy {
	const char *state; /* "whole", "missing", … */
	bool known;        /* the numbers below can be relied on */
	uint64_t other_block;
};

static uint64_t little_endian(const unsigned char *p, unsigned bytes)
{
	uint64_t v = 0;

	while (bytes--)
		v = v << 8 | p[bytes];
	return v;
}

/* ISO 3309, as UEFI has it: begun with UINT32_MAX, and inverted at the end. */
static uint32_t crc_more(uint32_t crc, const unsigned char *p, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		crc ^= p[i];
		for (unsigned bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
	}
	return crc;
}

static bool read_at(int fd, void *dst, size_t n, uint64_t offset)
{
	return offset <= INT64_MAX && pread(fd, dst, n, (off_t)offset) == (ssize_t)n;
}

static const char *state_of_entries(int fd, const unsigned char *header, unsigned block)
{
	uint64_t at = little_endian(header + 72, 8);
	uint64_t bytes = little_endian(header + 80, 4) * little_endian(header + 84, 4);
	unsigned char piece[SECTOR];
	uint32_t crc = UINT32_MAX;

	if (!bytes || bytes > ENTRIES_MAX || at > INT64_MAX / block)
		return "its entries are damaged";
	for (uint64_t done = 0; done < bytes; done += sizeof(piece)) {
		size_t n = bytes - done < sizeof(piece) ? (size_t)(bytes - done) : sizeof(piece);

		if (!read_at(fd, piece, n, at * block + done))
			return "its entries cannot be read";
		crc = crc_more(crc, piece, n);
	}
	return ~crc == little_endian(header + 88, 4) ? "whole" : "its entries are damaged";
}

/* The sum is made with zeros in its own place. */
static bool is_header(const unsigned char *header, uint64_t number)
{
	static const unsigned char blank[4];
	uint64_t length = little_endian(header + 12, 4);
	uint32_t crc;

	if (length < HEADER_BYTES || length > HEADER_MAX)
		return false;
	crc = crc_more(crc_more(UINT32_MAX, header, 16), blank, 4);
	crc = ~crc_more(crc, header + 20, (size_t)length - 20);
	return crc == little_endian(header + 16, 4) && little_endian(header + 24, 8) == number;
}

static struct copy look_at_copy(int fd, uint64_t number, unsigned block)
{
	unsigned char header[HEADER_MAX];
	struct copy c = {.state = "missing"};

	if (number > INT64_MAX / block || !read_at(fd, header, sizeof(header), number * block)) {
		c.state = "it cannot be read";
		return c;
	}
	if (memcmp(header, "EFI PART", 8) != 0)
		return c;
	c.state = "its header is damaged";
	if (!is_header(header, number))
		return c;
	c.known = true;
	c.other_block = little_endian(header + 32, 8);
	c.state = state_of_entries(fd, header, block);
	return c;
}

static bool is_protected(int fd)
{
	unsigned char sector[SECTOR];

	if (!read_at(fd, sector, sizeof(sector), 0) || sector[510] != 0x55 || sector[511] != 0xAA)
		return false;
	for (size_t i = 0; i < 4; i++)
		if (sector[446 + 16 * i + 4] == PROTECTIVE)
			return true;
	return false;
}

static bool look_in_blocks(int fd, uint64_t drive_bytes, unsigned block, struct found *f)
{
	uint64_t last = drive_bytes / block - 1;
	struct copy first = look_at_copy(fd, 1, block), second;
	uint64_t end = first.known ? first.other_block : last;

	second = end <= last ? look_at_copy(fd, end, block)
		: (struct copy){.state = "behind the end"};
	if (!first.known && !second.known)
		return false;
	f->start = block;
	f->size = end < INT64_MAX / block ? (end + 1) * block : 0;
	snprintf(f->label, sizeof(f->label), "%s", first.state);
	snprintf(f->uuid, sizeof(f->uuid), "%s", second.state);
	snprintf(f->type, sizeof(f->type), "gpt");
	return true;
}

bool signatures_gpt(int fd, struct found *f)
{
	static const unsigned blocks[] = {512, 4096};
	off_t end = lseek(fd, 0, SEEK_END);

	memset(f, 0, sizeof(*f));
	f->kind = FOUND_GPT;
	if (!is_protected(fd))
		return false;
	for (size_t i = 0; i < 2 && end >= 4 * 4096; i++)
		if (look_in_blocks(fd, (uint64_t)end, blocks[i], f))
			return true;
	snprintf(f->type, sizeof(f->type), "PMBR");
	return true;
}
