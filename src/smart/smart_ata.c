/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An ATA drive's answers in the order in which they are trusted: who it is, its own verdict, SCT and the
 * attributes as this family means them, then what the standard's logs tell besides. */
#include "smart/ata_parts.h"
#include "smart/smart.h"

static void read_state(struct facts *facts, const struct pages *pages)
{
	const struct page *power = pages_answer(pages, ASK_ATA_POWER, 0, 1);
	const struct page *status = pages_answer(pages, ASK_ATA_SMART_STATUS, 0, 1);

	/* ACS-5, 7.3: 00h and 01h are standby, 40h is standby with a cache that answers */
	if (power)
		facts_flag(facts, "CHECK POWER MODE",
			power->bytes[0] <= 1 || power->bytes[0] == 0x40, "platter.asleep");
	if (status)
		facts_flag(facts, "SMART RETURN STATUS", status->bytes[0] == 1, "smart_status.passed");
}

void smart_read_ata(struct facts *facts, const struct pages *pages, uint64_t size_bytes)
{
	struct ata_attributes attributes;
	struct ata_who who;

	ata_identify_read(facts, pages);
	ata_who_read(&who, pages, size_bytes);
	read_state(facts, pages);
	ata_smart_data_read(facts, pages);
	ata_sct_read(facts, pages);
	if (ata_attributes_parse(&attributes, pages)) {
		ata_attributes_read(facts, &attributes, &who);
		ata_judged_read(facts, &attributes, &who);
	}
	ata_statistics_read(facts, pages, &who);
	ata_errors_read(facts, pages);
	ata_tests_read(facts, pages);
	ata_farm_read(facts, pages);
	ata_checksums_read(facts, pages);
	ata_witness_read(facts, pages, &attributes, &who);
}
