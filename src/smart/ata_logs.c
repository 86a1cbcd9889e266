/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The other logs: directory (00h), errors (01h, 03h), pending defects (0Ch), SATA event counters (11h), SCT
 * status (E0h; ACS-5, 8), and Seagate's field record (A6h), whose hours a swindler does not reset. */
#include "smart/ata_parts.h"

#include <string.h>

static const struct page *general(const struct pages *pages, unsigned log, unsigned page)
{
	return pages_answer(pages, ASK_ATA_LOG, log << 16 | page, ATA_SECTOR);
}

static void put_directory(struct facts *facts, const struct pages *pages)
{
	const struct page *gpl = general(pages, 0, 0);
	const struct page *smart = pages_answer(pages, ASK_ATA_SMART_LOG, 0, ATA_SECTOR);
	size_t row = 0;

	if (gpl)
		facts_integer(facts, "log directory", (int64_t)le_n(gpl->bytes, 2),
			"ata_log_directory.gp_dir_version");
	if (smart)
		facts_integer(facts, "log directory", (int64_t)le_n(smart->bytes, 2),
			"ata_log_directory.smart_dir_version");
	for (size_t log = 1; log < 256; log++) {
		int64_t of_gpl = gpl ? (int64_t)le_n(gpl->bytes + 2 * log, 2) : 0;
		int64_t of_smart = smart ? smart->bytes[2 * log] : 0;

		if (!of_gpl && !of_smart)
			continue;
		facts_integer(facts, "log directory", (int64_t)log,
			"ata_log_directory.table[%zu].address", row);
		if (of_gpl)
			facts_integer(facts, "log directory", of_gpl,
				"ata_log_directory.table[%zu].gp_sectors", row);
		if (of_smart)
			facts_integer(facts, "log directory", of_smart,
				"ata_log_directory.table[%zu].smart_sectors", row);
		row++;
	}
}

static void put_errors(struct facts *facts, const struct pages *pages)
{
	const struct page *old = pages_answer(pages, ASK_ATA_SMART_LOG, 0x01, ATA_SECTOR);
	const struct page *new = general(pages, 0x03, 0);

	/* a version of 0 is of a drive that sends an empty sector */
	if (new && new->bytes[0])
		facts_integer(facts, "extended error log", (int64_t)le_n(new->bytes + 500, 2),
			"ata_smart_error_log.extended.count");
	if (old && old->bytes[0])
		facts_integer(facts, "SMART error log", (int64_t)le_n(old->bytes + 452, 2),
			"ata_smart_error_log.summary.count");
}

/* Descriptors of 16 bytes from byte 16 on: hours, and the sector. */
static void put_defects(struct facts *facts, const struct pages *pages)
{
	const struct page *p = general(pages, 0x0C, 0);
	uint64_t count;

	if (!p)
		return;
	count = le_n(p->bytes, 4);
	facts_integer(facts, "pending defects log", (int64_t)count, "ata_pending_defects_log.count");
	for (size_t i = 0; i < count && i < 31 && 32 + 16 * i <= p->length; i++) {
		const uint8_t *d = p->bytes + 16 + 16 * i;
		uint64_t lba = le_n(d + 8, 8);

		if (lba >> 48)
			continue;
		facts_integer(facts, "pending defects log", (int64_t)lba,
			"ata_pending_defects_log.table[%zu].lba", i);
		if (le_n(d, 4) != 0xFFFFFFFF)
			facts_integer(facts, "pending defects log", (int64_t)le_n(d, 4),
				"ata_pending_defects_log.table[%zu].hours", i);
	}
}

static const char *phy_words(unsigned id)
{
	static const struct {
		uint16_t id;
		const char *words;
	} names[] = {
		{0x001, "commands failed by a CRC error"}, {0x002, "R_ERR for data"},
		{0x003, "R_ERR for data to the host"}, {0x004, "R_ERR for data to the drive"},
		{0x005, "R_ERR for non-data"}, {0x006, "R_ERR for non-data to the host"},
		{0x007, "R_ERR for non-data to the drive"}, {0x008, "non-data repeated to the host"},
		{0x009, "link lost while ready"}, {0x00A, "link resets"},
		{0x00B, "CRC errors to the drive"}, {0x00D, "other errors to the drive"},
		{0x00F, "R_ERR for data to the drive, CRC"},
		{0x010, "R_ERR for data to the drive, other"},
		{0x012, "R_ERR for non-data to the drive, CRC"},
		{0x013, "R_ERR for non-data to the drive, other"},
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].id == id)
			return names[i].words;
	return "maker's own";
}

/* An identifier tells its counter's width in words (bits 14:12); the list ends with identifier 0. */
static void put_phy(struct facts *facts, const struct pages *pages)
{
	const struct page *p = general(pages, 0x11, 0);
	size_t row = 0, at = 4;

	while (p && at + 2 <= ATA_SECTOR - 1) {
		unsigned id = (unsigned)le_n(p->bytes + at, 2), bytes = 2 * (id >> 12 & 7u);
		uint64_t value;

		if (!id || !bytes || bytes > 8 || at + 2 + bytes > ATA_SECTOR - 1)
			break;
		value = le_n(p->bytes + at + 2, bytes);
		at += 2 + bytes;
		if (value > INT64_MAX)
			continue;
		facts_integer(facts, "SATA event counters", id & 0x8FFF,
			"sata_phy_event_counters.table[%zu].id", row);
		facts_text(facts, "SATA event counters", FACT_OPEN, phy_words(id & 0x8FFF),
			"sata_phy_event_counters.table[%zu].name", row);
		facts_integer(facts, "SATA event counters", bytes,
			"sata_phy_event_counters.table[%zu].size", row);
		facts_integer(facts, "SATA event counters", (int64_t)value,
			"sata_phy_event_counters.table[%zu].value", row);
		facts_flag(facts, "SATA event counters", value == (1ull << (8 * bytes - 1) << 1) - 1,
			"sata_phy_event_counters.table[%zu].overflow", row);
		row++;
	}
}

void ata_errors_read(struct facts *facts, const struct pages *pages)
{
	put_directory(facts, pages);
	put_errors(facts, pages);
	put_defects(facts, pages);
	put_phy(facts, pages);
}

static void put_degrees(struct facts *facts, uint8_t byte, const char *name, const char *twin)
{
	int degrees = (int8_t)byte;

	/* 80h: not known; and what no drive was ever at */
	if (degrees < -60 || degrees > 120)
		return;
	facts_integer(facts, "SCT status", degrees, "ata_sct_status.temperature.%s", name);
	if (!facts_find(facts, twin))
		facts_integer(facts, "SCT status", degrees, "%s", twin);
}

void ata_sct_read(struct facts *facts, const struct pages *pages)
{
	static const struct {
		uint8_t at;
		const char *name, *twin;
	} degrees[] = {
		{200, "current", "temperature.current"},
		{201, "power_cycle_min", "temperature.power_cycle_min"},
		{202, "power_cycle_max", "temperature.power_cycle_max"},
		{203, "lifetime_min", "temperature.lifetime_min"},
		{204, "lifetime_max", "temperature.lifetime_max"},
	};
	const struct page *p = general(pages, 0xE0, 0);
	int64_t format;

	if (!p)
		p = pages_answer(pages, ASK_ATA_SMART_LOG, 0xE0, ATA_SECTOR);
	format = p ? (int64_t)le_n(p->bytes, 2) : 0;
	if (format != 2 && format != 3)
		return;
	facts_integer(facts, "SCT status", format, "ata_sct_status.format_version");
	facts_integer(facts, "SCT status", (int64_t)le_n(p->bytes + 2, 2),
		"ata_sct_status.sct_version");
	facts_integer(facts, "SCT status", p->bytes[10], "ata_sct_status.device_state.value");
	/* all zero: no sensor */
	if (!p->bytes[200] && !p->bytes[203] && !p->bytes[204])
		return;
	for (size_t i = 0; i < sizeof(degrees) / sizeof(degrees[0]); i++)
		put_degrees(facts, p->bytes[degrees[i].at], degrees[i].name, degrees[i].twin);
	if (le_n(p->bytes + 206, 4) != 0xFFFFFFFF)
		facts_integer(facts, "SCT status", (int64_t)le_n(p->bytes + 206, 4),
			"ata_sct_status.temperature.over_limit_count");
	if (le_n(p->bytes + 210, 4) != 0xFFFFFFFF)
		facts_integer(facts, "SCT status", (int64_t)le_n(p->bytes + 210, 4),
			"ata_sct_status.temperature.under_limit_count");
}

/* Pages of 16 KiB; page 1 begins at sector 32 of the log. Of each quadword bit 63 says that it is
 * there, bit 62 that it is valid. */
#define FARM_PAGE 16384u

static const uint8_t *farm_page_1(const struct pages *pages)
{
	const struct page *whole = pages_answer(pages, ASK_ATA_LOG, 0xA6u << 16, FARM_PAGE + 256);
	const struct page *part = pages_answer(pages, ASK_ATA_LOG, 0xA6u << 16 | 32, 256);

	if (part && le_n(part->bytes, 6) == 1)
		return part->bytes;
	return whole && le_n(whole->bytes + FARM_PAGE, 6) == 1 ? whole->bytes + FARM_PAGE : NULL;
}

void ata_farm_read(struct facts *facts, const struct pages *pages)
{
	static const struct {
		uint8_t quadword;
		const char *path;
	} fields[] = {
		{19, "platter.farm_power_on_hours"}, {20, "platter.farm_spindle_hours"},
		{22, "platter.farm_head_loads"}, {23, "platter.farm_power_cycles"},
	};
	const uint8_t *p = farm_page_1(pages);

	for (size_t i = 0; p && i < sizeof(fields) / sizeof(fields[0]); i++) {
		const uint8_t *q = p + 8 * fields[i].quadword;

		if ((q[7] & 0xC0u) == 0xC0u)
			facts_integer(facts, "FARM log", (int64_t)le_n(q, 6), "%s", fields[i].path);
	}
}
