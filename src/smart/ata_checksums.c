/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Sectors of 512 bytes whose sum is 0 modulo 256 (ACS-5). A wrong one is told and its content used all the
 * same: there are firmwares that never make it right. */
#include "smart/ata_parts.h"

#include "base/text.h"

bool ata_sum_is_zero(const uint8_t *sector)
{
	unsigned sum = 0;

	for (size_t i = 0; i < ATA_SECTOR; i++)
		sum += sector[i];
	return (sum & 0xFFu) == 0;
}

void ata_checksums_read(struct facts *facts, const struct pages *pages)
{
	static const struct {
		enum question_kind kind;
		uint32_t id;
		const char *name;
	} summed[] = {
		{ASK_ATA_IDENTIFY, 0, "IDENTIFY DEVICE"},
		{ASK_ATA_SMART_DATA, 0, "SMART data"},
		{ASK_ATA_SMART_THRESHOLDS, 0, "SMART thresholds"},
		{ASK_ATA_SMART_LOG, 0x01, "SMART error log"},
		{ASK_ATA_SMART_LOG, 0x06, "SMART self-test log"},
		{ASK_ATA_LOG, 0x03u << 16, "extended error log"},
		{ASK_ATA_LOG, 0x07u << 16, "extended self-test log"},
		{ASK_ATA_LOG, 0x11u << 16, "SATA event counters"},
	};
	struct text bad = {0};

	for (size_t i = 0; i < sizeof(summed) / sizeof(summed[0]); i++) {
		const struct page *p = pages_answer(pages, summed[i].kind, summed[i].id, ATA_SECTOR);

		/* IDENTIFY has a sum only when its last word says so */
		if (!p || (p->kind == ASK_ATA_IDENTIFY && p->bytes[510] != 0xA5))
			continue;
		if (!ata_sum_is_zero(p->bytes))
			text_add(&bad, "%s%s", bad.length ? ", " : "", summed[i].name);
	}
	facts_text(facts, "checksums", FACT_OPEN, text_chars(&bad), "platter.checksums_bad");
	text_release(&bad);
}
