/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a SCSI drive is set: mode pages by MODE SENSE(10) (SPC-5 7.5, SBC-4 6.5), whose header and
 * block descriptors come before the page. */
#include "smart/bytes.h"
#include "smart/scsi_parts.h"

#define HEADER 8u

/* The page itself, of at least `least` bytes; NULL: not there. */
static const uint8_t *mode(const struct pages *pages, uint8_t code, size_t least)
{
	const struct page *page = pages_answer(pages, ASK_SCSI_MODE, SCSI_MODE_ID(code, 0), HEADER);
	const uint8_t *p;
	size_t said;
	size_t skip;

	if (!page)
		return NULL;
	said = 2u + be16(page->bytes);
	if (said > page->length)
		said = page->length;
	skip = HEADER + be16(page->bytes + 6);
	if (skip + least > said)
		return NULL;
	p = page->bytes + skip;
	return (p[0] & 0x3F) == code && 2u + p[1] >= least ? p : NULL;
}

static void read_caching(struct facts *facts, const struct pages *pages)
{
	static const char source[] = "MODE SENSE 08h";
	const uint8_t *p = mode(pages, 0x08, 3);

	if (!p)
		return;
	facts_flag(facts, source, p[2] >> 2 & 1, "write_cache.enabled");
	facts_flag(facts, source, !(p[2] & 1), "platter.read_cache.enabled");
	p = mode(pages, 0x08, 13);
	if (p)
		facts_flag(facts, source, !(p[12] & 0x20), "read_lookahead.enabled");
}

static void read_recovery(struct facts *facts, const struct pages *pages)
{
	static const char source[] = "MODE SENSE 01h";
	const uint8_t *p = mode(pages, 0x01, 4);

	if (!p)
		return;
	facts_flag(facts, source, p[2] >> 7, "platter.error_recovery.reallocates_on_write");
	facts_flag(facts, source, p[2] >> 6 & 1, "platter.error_recovery.reallocates_on_read");
	facts_integer(facts, source, p[3], "platter.error_recovery.read_retries");
	p = mode(pages, 0x01, 12);
	/* 0: the drive's own choice */
	if (p && be16(p + 10))
		facts_integer(facts, source, be16(p + 10), "platter.error_recovery_ms");
}

/* Rigid disk geometry: obsolete, and all that parallel SCSI drives tell of their rotation. */
static void read_geometry(struct facts *facts, const struct pages *pages)
{
	static const char source[] = "MODE SENSE 04h";
	const uint8_t *p = mode(pages, 0x04, 22);

	if (!p)
		return;
	if (be_n(p + 2, 3) && p[5]) {
		facts_integer(facts, source, (int64_t)be_n(p + 2, 3), "platter.geometry.cylinders");
		facts_integer(facts, source, p[5], "platter.geometry.heads");
	}
	if (be16(p + 20) > 0x400 && be16(p + 20) < 0xFFFF && !facts_find(facts, "rotation_rate"))
		facts_integer(facts, source, be16(p + 20), "rotation_rate");
}

static void read_exceptions(struct facts *facts, const struct pages *pages)
{
	static const char source[] = "MODE SENSE 1Ch";
	const uint8_t *p = mode(pages, 0x1C, 4);

	if (!p)
		return;
	facts_flag(facts, source, true, "smart_support.available");
	facts_flag(facts, source, !(p[2] & 8), "smart_support.enabled");
	facts_flag(facts, source, p[2] >> 4 & 1, "temperature_warning.enabled");
}

/* Of whichever mode page was answered; the field is of disks only. */
static void read_write_protection(struct facts *facts, const struct pages *pages)
{
	for (size_t i = 0; i < pages->n; i++) {
		const struct page *p = &pages->pages[i];

		if (p->kind != ASK_SCSI_MODE || p->status || p->length < HEADER)
			continue;
		facts_flag(facts, "MODE SENSE", p->bytes[3] >> 7, "platter.write_protected");
		return;
	}
}

void scsi_read_modes(struct facts *facts, const struct pages *pages)
{
	read_caching(facts, pages);
	read_recovery(facts, pages);
	read_geometry(facts, pages);
	read_exceptions(facts, pages);
	read_write_protection(facts, pages);
}
