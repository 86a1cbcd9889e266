/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Our own reading of the attributes: the counts that foretell failures, hours, temperature, life
 * used, bytes moved. The normalised values serve only for the life of flash, where the raw ones are
 * the makers' own. */
#include "smart/ata_parts.h"

#include <stdio.h>
#include <string.h>

static const char *attribute_source(char *dst, size_t size, uint8_t id)
{
	snprintf(dst, size, "SMART attribute %u", id);
	return dst;
}

static void put_counts(struct facts *facts, const struct ata_attributes *attributes,
	const struct ata_who *who)
{
	static const struct {
		uint8_t id;
		const char *path;
	} counts[] = {
		{5, "platter.reallocated_sectors"}, {197, "platter.pending_sectors"},
		{198, "platter.uncorrectable_sectors"}, {187, "platter.reported_uncorrect"},
		{188, "platter.command_timeouts"}, {199, "platter.crc_errors"},
		{12, "power_cycle_count"},
	};
	char source[32];
	uint64_t count;

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		const struct ata_attribute *a = ata_attribute_find(attributes, counts[i].id);

		if (a && ata_count(&count, a, who))
			facts_integer(facts, attribute_source(source, sizeof(source), a->id),
				(int64_t)count, "%s", counts[i].path);
	}
}

/* The normalised value falls with the hours: where it tells of many more, or many fewer, the unit of
 * this firmware is another, or somebody has set the hours back. */
static void compare_value(struct facts *facts, const struct ata_attribute *a, uint64_t hours,
	const struct ata_who *who)
{
	uint64_t by_value = a->value < 100 ? (100u - a->value) * (uint64_t)ata_hours_a_point(who) : 0;
	char ours[32], theirs[64];

	if (a->value <= 1 || a->value > 95 || !by_value ||
		(hours < 5 * by_value && by_value < 5 * (hours + 1)))
		return;
	snprintf(ours, sizeof(ours), "%llu h", (unsigned long long)hours);
	snprintf(theirs, sizeof(theirs), "about %llu h (normalised value)",
		(unsigned long long)by_value);
	ata_disagree(facts, "SMART attribute 9", "power-on time", ours, theirs);
}

static void put_hours(struct facts *facts, const struct ata_attributes *attributes,
	const struct ata_who *who)
{
	const struct ata_attribute *a = ata_attribute_find(attributes, 9);
	uint64_t minutes;

	if (!a || !ata_power_on_minutes(&minutes, a, who))
		return;
	facts_integer(facts, "SMART attribute 9", (int64_t)(minutes / 60), "power_on_time.hours");
	if (ata_hours_unit(a, who) != ATA_HOURS)
		facts_integer(facts, "SMART attribute 9", (int64_t)(minutes % 60),
			"power_on_time.minutes");
	compare_value(facts, a, minutes / 60, who);
}

static void put_temperature(struct facts *facts, const struct ata_attributes *attributes,
	const struct ata_who *who)
{
	static const uint8_t ids[] = {194, 190}; /* 231 is the life left on nearly every SSD */
	struct ata_temperature t;
	char source[32];

	for (size_t i = 0; i < sizeof(ids); i++) {
		const struct ata_attribute *a = ata_attribute_find(attributes, ids[i]);

		if (!a || !ata_temperature(&t, a, who))
			continue;
		attribute_source(source, sizeof(source), a->id);
		if (!facts_find(facts, "temperature.current"))
			facts_integer(facts, source, t.current, "temperature.current");
		if (!t.min_max)
			continue;
		if (t.of_power_cycle && !facts_find(facts, "temperature.power_cycle_min")) {
			facts_integer(facts, source, t.min, "temperature.power_cycle_min");
			facts_integer(facts, source, t.max, "temperature.power_cycle_max");
		} else if (!t.of_power_cycle && !facts_find(facts, "temperature.lifetime_max")) {
			/* 0 is what those say that keep only the highest */
			if (t.min)
				facts_integer(facts, source, t.min, "temperature.lifetime_min");
			facts_integer(facts, source, t.max, "temperature.lifetime_max");
		}
	}
}

/* Which normalised value falls from 100 to 0 (or 1) as the flash wears. */
static uint8_t life_attribute(const struct ata_who *who)
{
	static const struct {
		const char *model;
		uint8_t id;
	} lives[] = {
		{"INTEL SSD*", 233}, {"SSDSC2*", 233}, {"SSDSA*", 233}, {"*CT#*SSD*", 202},
		{"Micron*", 202}, {"MICRON*", 202}, {"Samsung SSD*", 177}, {"SAMSUNG SSD*", 177},
		{"SAMSUNG MZ*", 177},
	};

	for (size_t i = 0; i < sizeof(lives) / sizeof(lives[0]); i++)
		if (ata_like(lives[i].model, who->model))
			return lives[i].id;
	return 231;
}

static void put_life(struct facts *facts, const struct ata_attributes *attributes,
	const struct ata_who *who)
{
	uint8_t id = life_attribute(who);
	const struct ata_attribute *a = ata_attribute_find(attributes, id);
	char source[32];

	if (!who->solid || !a || a->value > 100 || facts_find(facts, "platter.life_used_percent"))
		return;
	facts_integer(facts, attribute_source(source, sizeof(source), id), 100 - a->value,
		"platter.life_used_percent");
}

static void put_bytes(struct facts *facts, const struct ata_attributes *attributes,
	const struct ata_who *who)
{
	static const struct {
		uint8_t id;
		const char *path;
	} moved[] = {{241, "platter.bytes_written"}, {225, "platter.bytes_written"},
		{242, "platter.bytes_read"}};
	uint64_t unit = ata_bytes_unit(who), raw;
	char source[32];

	for (size_t i = 0; unit && i < sizeof(moved) / sizeof(moved[0]); i++) {
		const struct ata_attribute *a = ata_attribute_find(attributes, moved[i].id);

		/* on disks 225 counts head loads */
		if (!a || (a->id == 225 && !who->solid) || facts_find(facts, moved[i].path))
			continue;
		raw = le_n(a->raw, 6);
		if (raw >= 1ull << 47 || raw > INT64_MAX / unit)
			continue;
		facts_integer(facts, attribute_source(source, sizeof(source), a->id),
			(int64_t)(raw * unit), "%s", moved[i].path);
	}
}

/* Seagate keeps milliseconds above the hours; Western Digital and Hitachi have nothing there. */
static void put_flying(struct facts *facts, const struct ata_attributes *attributes,
	const struct ata_who *who)
{
	const struct ata_attribute *a = ata_attribute_find(attributes, 240);
	uint64_t hours;

	if (!a || who->solid || facts_find(facts, "platter.head_flying_hours"))
		return;
	if (!ata_like("ST#*", who->model) && !ata_like("WDC W*", who->model) &&
		!ata_like("HGST H*", who->model) && !ata_like("Hitachi H*", who->model))
		return;
	hours = le_n(a->raw, 4);
	if (hours < 30 * 8766)
		facts_integer(facts, "SMART attribute 240", (int64_t)hours,
			"platter.head_flying_hours");
}

void ata_judged_read(
	struct facts *facts, const struct ata_attributes *attributes, const struct ata_who *who)
{
	put_counts(facts, attributes, who);
	put_hours(facts, attributes, who);
	put_temperature(facts, attributes, who);
	put_life(facts, attributes, who);
	put_bytes(facts, attributes, who);
	put_flying(facts, attributes, who);
}
