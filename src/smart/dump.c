/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tag says the kind of page. In the four records of libatasmart's there is no id and the status is
 * 32 bits wide; all others carry their id in front. */
#include "smart/dump.h"

#include <errno.h>
#include <string.h>

#define HEADER 8u
#define ID_BYTES 4u

static const struct record {
	char tag[5];
	enum question_kind kind;
	bool ours;       /* an id comes before the page */
	size_t exactly;  /* bytes of a page of it, 0: any number up to PAGE_BYTES_MAX */
} records[] = {
	{"IDFY", ASK_ATA_IDENTIFY, false, 512},
	{"SMST", ASK_ATA_SMART_STATUS, false, 4},
	{"SMDT", ASK_ATA_SMART_DATA, false, 512},
	{"SMTH", ASK_ATA_SMART_THRESHOLDS, false, 512},
	{"PAPM", ASK_ATA_POWER, true, 0},
	{"PASL", ASK_ATA_SMART_LOG, true, 0},
	{"PAGL", ASK_ATA_LOG, true, 0},
	{"PSIQ", ASK_SCSI_INQUIRY, true, 0},
	{"PSVP", ASK_SCSI_VPD, true, 0},
	{"PSRC", ASK_SCSI_CAPACITY, true, 0},
	{"PSMS", ASK_SCSI_MODE, true, 0},
	{"PSLS", ASK_SCSI_LOG, true, 0},
	{"PSDD", ASK_SCSI_DEFECTS, true, 0},
	{"PSTU", ASK_SCSI_READY, true, 0},
	{"PNIC", ASK_NVME_CONTROLLER, true, 0},
	{"PNIN", ASK_NVME_NAMESPACE, true, 0},
	{"PNLP", ASK_NVME_LOG, true, 0},
};
#define RECORDS (sizeof(records) / sizeof(records[0]))
#define ATASMART_RECORDS 4u

static void add_be32(struct text *dump, uint32_t value)
{
	const char bytes[4] = {(char)(value >> 24), (char)(value >> 16), (char)(value >> 8),
		(char)value};

	text_add_bytes(dump, bytes, sizeof(bytes));
}

static uint32_t be32_at(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void write_page(struct text *dump, const struct record *r, const struct page *p)
{
	if (p->status != 0 || !p->length || (r->exactly == 512 && p->length < 512))
		return;
	text_add_bytes(dump, r->tag, 4);
	if (r->kind == ASK_ATA_SMART_STATUS) {
		add_be32(dump, 4);
		add_be32(dump, p->bytes[0] == 1);
		return;
	}
	if (r->ours) {
		add_be32(dump, (uint32_t)(ID_BYTES + p->length));
		add_be32(dump, p->id);
		text_add_bytes(dump, (const char *)p->bytes, p->length);
		return;
	}
	add_be32(dump, (uint32_t)r->exactly);
	text_add_bytes(dump, (const char *)p->bytes, r->exactly);
}

static void write_kinds(struct text *dump, const struct pages *pages, size_t kinds)
{
	for (size_t i = 0; i < kinds; i++)
		for (size_t k = 0; k < pages->n; k++)
			if (pages->pages[k].kind == records[i].kind)
				write_page(dump, &records[i], &pages->pages[k]);
}

void dump_write(struct text *dump, const struct pages *pages)
{
	write_kinds(dump, pages, RECORDS);
}

void dump_write_atasmart(struct text *dump, const struct pages *pages)
{
	write_kinds(dump, pages, ATASMART_RECORDS);
}

/* Whether it was a page. */
static bool read_page(struct pages *pages, const struct record *r, const uint8_t *bytes, size_t n)
{
	uint8_t passed;

	if (r->ours) {
		if (n <= ID_BYTES || n - ID_BYTES > PAGE_BYTES_MAX)
			return false;
		pages_add(pages, r->kind, be32_at(bytes), 0, "file", bytes + ID_BYTES, n - ID_BYTES);
		return true;
	}
	if (n != r->exactly)
		return false;
	if (r->kind == ASK_ATA_SMART_STATUS) {
		if (be32_at(bytes) > 1)
			return false;
		passed = (uint8_t)be32_at(bytes);
		pages_add(pages, r->kind, 0, 0, "file", &passed, 1);
		return true;
	}
	pages_add(pages, r->kind, 0, 0, "file", bytes, n);
	return true;
}

#define PAGES_READ_MAX 1024

int dump_read(struct pages *pages, const void *dump, size_t length)
{
	const uint8_t *bytes = dump;
	size_t at = 0;
	int n = 0;

	while (length - at >= HEADER && n < PAGES_READ_MAX) {
		size_t size = be32_at(bytes + at + 4);

		if (size > length - at - HEADER)
			break;
		for (size_t i = 0; i < RECORDS; i++)
			if (memcmp(bytes + at, records[i].tag, 4) == 0)
				n += read_page(pages, &records[i], bytes + at + HEADER, size);
		at += HEADER + size;
	}
	return n ? n : -EINVAL;
}

bool dump_cut_off(const void *dump, size_t length)
{
	const uint8_t *bytes = dump;
	size_t at = 0;

	while (length - at >= HEADER) {
		size_t size = be32_at(bytes + at + 4);

		if (size > length - at - HEADER)
			return true;
		at += HEADER + size;
	}
	return at != length;
}
