/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Device statistics, log 04h (ACS-5, 9.5): pages of quadwords, the highest byte of each saying whether it is
 * there and valid. Better than attributes where a drive has it, since the meaning is the standard's;
 * what an attribute has told already is not told again, as drives count it differently there. */
#include "smart/ata_parts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SUPPORTED 0x80u
#define VALID     0x40u

struct statistic {
	uint8_t page, offset, bytes;
	bool is_signed;
	const char *name;
	const char *path; /* of the fact that it is, when nothing else told it; NULL: only listed */
};

static const struct statistic statistics[] = {
	{1, 0x08, 4, false, "Power-on resets", NULL},
	{1, 0x10, 4, false, "Power-on hours", "power_on_time.hours"},
	{1, 0x18, 6, false, "Logical sectors written", NULL},
	{1, 0x20, 6, false, "Write commands", NULL},
	{1, 0x28, 6, false, "Logical sectors read", NULL},
	{1, 0x30, 6, false, "Read commands", NULL},
	{1, 0x38, 6, false, "Date and time", NULL},
	{1, 0x40, 4, false, "Pending errors", NULL},
	{1, 0x48, 2, false, "Workload utilization", NULL},
	{1, 0x50, 6, false, "Utilization rate", NULL},
	{2, 0x08, 4, false, "Free falls", NULL},
	{2, 0x10, 4, false, "Shocks over limit", NULL},
	{3, 0x08, 4, false, "Spindle hours", "platter.spindle_hours"},
	{3, 0x10, 4, false, "Head flying hours", "platter.head_flying_hours"},
	{3, 0x18, 4, false, "Head loads", "platter.head_loads"},
	{3, 0x20, 4, false, "Reallocated sectors", "platter.reallocated_sectors"},
	{3, 0x28, 4, false, "Read recovery attempts", NULL},
	{3, 0x30, 4, false, "Start failures", "platter.start_failures"},
	{3, 0x38, 4, false, "Reallocation candidates", "platter.pending_sectors"},
	{3, 0x40, 4, false, "Emergency head unloads", NULL},
	{4, 0x08, 4, false, "Reported uncorrectable errors", "platter.reported_uncorrect"},
	{4, 0x10, 4, false, "Resets during commands", NULL},
	{4, 0x18, 4, false, "Physical elements changed", NULL},
	{5, 0x08, 1, true, "Temperature", "temperature.current"},
	{5, 0x10, 1, true, "Average short term temperature", NULL},
	{5, 0x18, 1, true, "Average long term temperature", NULL},
	{5, 0x20, 1, true, "Highest temperature", "temperature.lifetime_max"},
	{5, 0x28, 1, true, "Lowest temperature", "temperature.lifetime_min"},
	{5, 0x30, 1, true, "Highest short term temperature", NULL},
	{5, 0x38, 1, true, "Lowest short term temperature", NULL},
	{5, 0x40, 1, true, "Highest long term temperature", NULL},
	{5, 0x48, 1, true, "Lowest long term temperature", NULL},
	{5, 0x50, 4, false, "Minutes too hot", "temperature.over_limit_minutes"},
	{5, 0x58, 1, true, "Highest allowed temperature", "temperature.op_limit_max"},
	{5, 0x60, 4, false, "Minutes too cold", "temperature.under_limit_minutes"},
	{5, 0x68, 1, true, "Lowest allowed temperature", "temperature.op_limit_min"},
	{6, 0x08, 4, false, "Hardware resets", NULL},
	{6, 0x10, 4, false, "Asynchronous signal recoveries", NULL},
	{6, 0x18, 4, false, "Interface CRC errors", "platter.crc_errors"},
	{7, 0x08, 1, false, "Endurance used, percent", "platter.life_used_percent"},
};
#define STATISTICS (sizeof(statistics) / sizeof(statistics[0]))

/* A page is its own log page, or one sector of the whole log read by SMART READ LOG; its third byte
 * is its number. */
static const uint8_t *page_of(const struct pages *pages, unsigned number)
{
	const struct page *p = pages_answer(pages, ASK_ATA_LOG, 0x04u << 16 | number, ATA_SECTOR);

	if (p && p->bytes[2] == number)
		return p->bytes;
	for (unsigned way = 0; way < 2; way++) {
		p = pages_answer(pages, way ? ASK_ATA_SMART_LOG : ASK_ATA_LOG,
			way ? 0x04 : 0x04u << 16, ATA_SECTOR);
		for (size_t at = 0; p && at + ATA_SECTOR <= p->length && at < 8 * ATA_SECTOR;
			at += ATA_SECTOR)
			if (p->bytes[at + 2] == number && le_n(p->bytes + at, 2))
				return p->bytes + at;
	}
	return NULL;
}

bool ata_statistic(uint64_t *value, const struct pages *pages, unsigned page, unsigned offset,
	unsigned bytes)
{
	const uint8_t *p = page_of(pages, page);

	if (!p || (p[offset + 7] & (SUPPORTED | VALID)) != (SUPPORTED | VALID))
		return false;
	*value = le_n(p + offset, bytes);
	return true;
}

static int64_t value_of(const struct statistic *s, const uint8_t *p)
{
	uint64_t value = le_n(p + s->offset, s->bytes);

	return s->is_signed && value > 127 ? (int64_t)value - 256 : (int64_t)value;
}

static void list_one(struct facts *facts, const struct statistic *s, const uint8_t *p, size_t page,
	size_t row)
{
	static const char table[] = "ata_device_statistics.pages";
	const char *source = "device statistics";
	uint8_t flags = p[s->offset + 7];

	facts_integer(facts, source, s->offset, "%s[%zu].table[%zu].offset", table, page, row);
	facts_text(facts, source, FACT_OPEN, s->name, "%s[%zu].table[%zu].name", table, page, row);
	facts_integer(facts, source, s->bytes, "%s[%zu].table[%zu].size", table, page, row);
	facts_integer(facts, source, flags, "%s[%zu].table[%zu].flags.value", table, page, row);
	facts_flag(facts, source, flags & VALID, "%s[%zu].table[%zu].flags.valid", table, page, row);
	if (flags & VALID)
		facts_integer(facts, source, value_of(s, p), "%s[%zu].table[%zu].value", table, page,
			row);
}

static void list_page(struct facts *facts, const uint8_t *p, unsigned number, size_t *listed)
{
	size_t row = 0;

	for (size_t i = 0; i < STATISTICS; i++) {
		const struct statistic *s = &statistics[i];

		if (s->page != number || !(p[s->offset + 7] & SUPPORTED))
			continue;
		list_one(facts, s, p, *listed, row++);
	}
	if (!row)
		return;
	facts_integer(facts, "device statistics", number, "ata_device_statistics.pages[%zu].number",
		*listed);
	facts_integer(facts, "device statistics", (int64_t)le_n(p, 2),
		"ata_device_statistics.pages[%zu].revision", *listed);
	++*listed;
}

/* Temperatures that were never taken are sent as -128, 127 or 0. */
static bool plausible(const struct statistic *s, int64_t value)
{
	return !s->is_signed || (value > -60 && value < 127 && value != 0);
}

static void put_meaning(struct facts *facts, const struct pages *pages)
{
	for (size_t i = 0; i < STATISTICS; i++) {
		const struct statistic *s = &statistics[i];
		const uint8_t *p = s->path ? page_of(pages, s->page) : NULL;

		if (!p || (p[s->offset + 7] & (SUPPORTED | VALID)) != (SUPPORTED | VALID))
			continue;
		if (plausible(s, value_of(s, p)) && !facts_find(facts, s->path))
			facts_integer(facts, "device statistics", value_of(s, p), "%s", s->path);
	}
}

/* Two counts of one thing. */
static void compare_hours(struct facts *facts, const struct ata_who *who)
{
	double ours = facts_number(facts, "power_on_time.hours"), theirs = (double)who->hours;
	char a[32], b[64];

	if (!who->hours_known || !(fabs(ours - theirs) > 24 + ours / 20))
		return;
	snprintf(a, sizeof(a), "%.0f h", ours);
	snprintf(b, sizeof(b), "%.0f h (device statistics)", theirs);
	ata_disagree(facts, "device statistics", "power-on time", a, b);
}

static void put_bytes(struct facts *facts, const struct pages *pages, const struct ata_who *who)
{
	static const struct {
		uint8_t offset;
		const char *path;
	} moved[] = {{0x18, "platter.bytes_written"}, {0x28, "platter.bytes_read"}};
	uint64_t sectors;

	for (size_t i = 0; i < sizeof(moved) / sizeof(moved[0]); i++)
		if (ata_statistic(&sectors, pages, 1, moved[i].offset, 6) &&
			sectors <= INT64_MAX / who->logical_bytes &&
			!facts_find(facts, moved[i].path))
			facts_integer(facts, "device statistics",
				(int64_t)(sectors * who->logical_bytes), "%s", moved[i].path);
}

void ata_statistics_read(struct facts *facts, const struct pages *pages, const struct ata_who *who)
{
	size_t listed = 0;

	for (unsigned number = 1; number <= 7; number++) {
		const uint8_t *p = page_of(pages, number);

		if (p)
			list_page(facts, p, number, &listed);
	}
	put_meaning(facts, pages);
	compare_hours(facts, who);
	put_bytes(facts, pages, who);
}
