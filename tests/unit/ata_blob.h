/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An ATA drive's answers made of a word table and an attribute table, with their checksums. */
#ifndef TESTS_UNIT_ATA_BLOB_H
#define TESTS_UNIT_ATA_BLOB_H

#include <stdio.h>
#include <string.h>

#include "doc/facts.h"
#include "smart/pages.h"
#include "smart/smart.h"

struct blob {
	uint8_t identify[512], data[512], limits[512];
	size_t attributes;
};

static inline void blob_le(uint8_t *p, size_t n, uint64_t value)
{
	for (; n--; value >>= 8)
		*p++ = (uint8_t)value;
}

static inline void blob_word(struct blob *b, size_t word, unsigned value)
{
	blob_le(b->identify + 2 * word, 2, value);
}

static inline void blob_string(struct blob *b, size_t word, size_t bytes, const char *s)
{
	size_t length = strlen(s);

	for (size_t i = 0; i < bytes; i++)
		b->identify[(2 * word + i) ^ 1] = (uint8_t)(i < length ? s[i] : ' ');
}

/* The last byte makes the sum of 512 zero. */
static inline void blob_sum(uint8_t *sector)
{
	unsigned sum = 0;

	for (size_t i = 0; i < 511; i++)
		sum += sector[i];
	sector[511] = (uint8_t)(0u - sum);
}

/* A SATA disk of 500 GB with SMART switched on, 512e, 7200 rpm. */
static inline void blob_begin(struct blob *b, const char *model, const char *firmware)
{
	memset(b, 0, sizeof(*b));
	blob_string(b, 10, 20, "   SPECIMEN42");
	blob_string(b, 23, 8, firmware);
	blob_string(b, 27, 40, model);
	blob_le(b->identify + 120, 4, 0x0FFFFFFF);
	blob_le(b->identify + 200, 8, 976773168);
	blob_word(b, 75, 31);
	blob_word(b, 76, 0x010E);
	blob_word(b, 77, 0x0006);
	blob_word(b, 80, 0x01F0);
	blob_word(b, 82, 0x0061);
	blob_word(b, 83, 0x4400);
	blob_word(b, 84, 0x4100);
	blob_word(b, 85, 0x0061);
	blob_word(b, 86, 0x0400);
	blob_word(b, 87, 0x4100);
	blob_word(b, 106, 0x6003);
	blob_word(b, 108, 0x5000);
	blob_word(b, 109, 0xC501);
	blob_word(b, 110, 0x2345);
	blob_word(b, 111, 0x6789);
	blob_word(b, 217, 7200);
	blob_word(b, 255, 0x00A5);
	blob_le(b->data, 2, 16);
	blob_le(b->limits, 2, 16);
}

static inline void blob_attribute(struct blob *b, uint8_t id, unsigned flags, uint8_t value,
	uint8_t worst, uint8_t threshold, uint64_t raw)
{
	uint8_t *d = b->data + 2 + 12 * b->attributes, *l = b->limits + 2 + 12 * b->attributes;

	b->attributes++;
	d[0] = l[0] = id;
	blob_le(d + 1, 2, flags);
	d[3] = value;
	d[4] = worst;
	blob_le(d + 5, 6, raw);
	l[1] = threshold;
}

static inline void blob_pages(struct pages *pages, struct blob *b)
{
	static const uint8_t passed = 1;

	blob_sum(b->identify);
	blob_sum(b->data);
	blob_sum(b->limits);
	pages_add(pages, ASK_ATA_IDENTIFY, 0, 0, "command", b->identify, 512);
	pages_add(pages, ASK_ATA_SMART_STATUS, 0, 0, "command", &passed, 1);
	pages_add(pages, ASK_ATA_SMART_DATA, 0, 0, "command", b->data, 512);
	pages_add(pages, ASK_ATA_SMART_THRESHOLDS, 0, 0, "command", b->limits, 512);
}

/* What a drive of that one attribute says. Release facts. */
static inline void blob_read(struct facts *facts, struct blob *b)
{
	struct pages pages = {0};

	*facts = (struct facts){0};
	blob_pages(&pages, b);
	smart_read_ata(facts, &pages, 0);
	pages_release(&pages);
}

/* The number at path, or -999 when it is not told. */
static inline long long told(const struct facts *facts, const char *path)
{
	const struct fact *f = facts_find(facts, path);

	return f && f->type != FACT_TEXT && f->type != FACT_REAL ? (long long)f->integer : -999;
}
#define NOT_TOLD (-999)

/* One attribute on a drive of this model: the number at path. */
static inline long long told_of(const char *model, const char *firmware, uint8_t id, uint8_t value,
	uint64_t raw, const char *path)
{
	struct blob b;
	struct facts facts;
	long long number;

	blob_begin(&b, model, firmware);
	blob_attribute(&b, id, 0x32, value, value, 0, raw);
	blob_read(&facts, &b);
	number = told(&facts, path);
	facts_release(&facts);
	return number;
}

#endif
