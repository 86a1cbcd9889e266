/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SMART READ DATA and READ THRESHOLDS: thirty attributes of 12 bytes each, from byte 2 on; one is in use
 * when its number is not 0. The layout was ATA-3's and has been the makers' own since; it never changed.
 * An attribute has failed while its value is at or below a threshold that is not 0. */
#include "smart/ata_parts.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

static void take_thresholds(struct ata_attributes *attributes, const uint8_t *bytes)
{
	for (size_t i = 0; i < ATA_ATTRIBUTES_MAX; i++) {
		const uint8_t *entry = bytes + 2 + 12 * i;

		for (size_t k = 0; entry[0] && k < attributes->n; k++) {
			struct ata_attribute *a = &attributes->list[k];

			if (a->id == entry[0] && !a->threshold_known) {
				a->threshold = entry[1];
				a->threshold_known = true;
				break;
			}
		}
	}
}

bool ata_attributes_parse(struct ata_attributes *attributes, const struct pages *pages)
{
	const struct page *data = pages_answer(pages, ASK_ATA_SMART_DATA, 0, ATA_SECTOR);
	const struct page *limits = pages_answer(pages, ASK_ATA_SMART_THRESHOLDS, 0, ATA_SECTOR);

	*attributes = (struct ata_attributes){0};
	if (!data)
		return false;
	for (size_t i = 0; i < ATA_ATTRIBUTES_MAX; i++) {
		const uint8_t *entry = data->bytes + 2 + 12 * i;
		struct ata_attribute *a = &attributes->list[attributes->n];

		if (!entry[0])
			continue;
		*a = (struct ata_attribute){.id = entry[0], .value = entry[3], .worst = entry[4],
			.flags = (uint16_t)(entry[1] | entry[2] << 8)};
		memcpy(a->raw, entry + 5, sizeof(a->raw));
		attributes->n++;
	}
	if (limits)
		take_thresholds(attributes, limits->bytes);
	attributes->rotten = !ata_sum_is_zero(data->bytes);
	return true;
}

const struct ata_attribute *ata_attribute_find(const struct ata_attributes *attributes, uint8_t id)
{
	for (size_t i = 0; i < attributes->n; i++)
		if (attributes->list[i].id == id)
			return &attributes->list[i];
	return NULL;
}

/* 254 and 255 are not values; a worst of 0 was never written. Thresholds of 254 and 255 are for tests. */
enum ata_failed ata_attribute_failed(const struct ata_attribute *a)
{
	if (!a->threshold_known || !a->threshold || a->threshold > 253)
		return ATA_NEVER_FAILED;
	if (a->value <= a->threshold)
		return ATA_FAILED_NOW;
	return a->worst && a->worst <= a->threshold ? ATA_FAILED_PAST : ATA_NEVER_FAILED;
}

/* The number that counts, then what else is packed beside it. */
static void raw_words(char *dst, size_t size, const struct ata_attribute *a, const struct ata_who *who)
{
	uint64_t minutes, count, all = le_n(a->raw, 6);
	struct ata_temperature t;

	snprintf(dst, size, "%llu", (unsigned long long)all);
	if (ata_power_on_minutes(&minutes, a, who)) {
		if (ata_hours_unit(a, who) != ATA_HOURS)
			snprintf(dst, size, "%lluh+%02llum", (unsigned long long)(minutes / 60),
				(unsigned long long)(minutes % 60));
		else if (all != minutes / 60)
			snprintf(dst, size, "%llu (%u %u %u)", (unsigned long long)(minutes / 60),
				a->raw[5], a->raw[4], a->raw[3]);
	} else if (ata_temperature(&t, a, who)) {
		if (t.min_max)
			snprintf(dst, size, "%d (Min/Max %d/%d)", t.current, t.min, t.max);
		else if (all >> 8)
			snprintf(dst, size, "%d (%u %u %u %u %u)", t.current, a->raw[5], a->raw[4],
				a->raw[3], a->raw[2], a->raw[1]);
		else
			snprintf(dst, size, "%d", t.current);
	} else if (ata_count(&count, a, who) && count != all) {
		snprintf(dst, size, "%llu (%u %u)", (unsigned long long)count,
			le16(a->raw + 4), count >> 16 ? 0u : le16(a->raw + 2));
	}
}

static void put_flags(struct facts *facts, const char *source, size_t i, uint16_t flags)
{
	static const char *const names[] = {"prefailure", "updated_online", "performance",
		"error_rate", "event_count", "auto_keep"};

	char letters[] = "POSRCK ";

	for (size_t bit = 0; bit < 6; bit++)
		if (!(flags & 1u << bit))
			letters[bit] = '-';
	if (flags >> 6)
		letters[6] = '+';
	facts_integer(facts, source, flags, "ata_smart_attributes.table[%zu].flags.value", i);
	facts_text(facts, source, FACT_OPEN, letters, "ata_smart_attributes.table[%zu].flags.string",
		i);
	for (size_t bit = 0; bit < sizeof(names) / sizeof(names[0]); bit++)
		facts_flag(facts, source, flags & 1u << bit,
			"ata_smart_attributes.table[%zu].flags.%s", i, names[bit]);
}

/* "" for never: a text that is empty is not put. */
static const char *const failed_words[] = {"", "past", "now"};

static void put_one(struct facts *facts, size_t i, const struct ata_attribute *a,
	const struct ata_who *who)
{
	static const char table[] = "ata_smart_attributes.table";
	const char *source = "SMART data", *limits = "SMART thresholds";
	char raw[64];

	raw_words(raw, sizeof(raw), a, who);
	facts_integer(facts, source, a->id, "%s[%zu].id", table, i);
	facts_text(facts, source, FACT_OPEN, ata_attribute_name(who, a->id), "%s[%zu].name", table, i);
	facts_integer(facts, source, a->value, "%s[%zu].value", table, i);
	facts_integer(facts, source, a->worst, "%s[%zu].worst", table, i);
	if (a->threshold_known)
		facts_integer(facts, limits, a->threshold, "%s[%zu].thresh", table, i);
	facts_text(facts, limits, FACT_OPEN, failed_words[ata_attribute_failed(a)],
		"%s[%zu].when_failed", table, i);
	put_flags(facts, source, i, a->flags);
	facts_integer(facts, source, (int64_t)le_n(a->raw, 6), "%s[%zu].raw.value", table, i);
	facts_text(facts, source, FACT_OPEN, raw, "%s[%zu].raw.string", table, i);
}

void ata_attributes_read(
	struct facts *facts, const struct ata_attributes *attributes, const struct ata_who *who)
{
	for (size_t i = 0; i < attributes->n; i++)
		put_one(facts, i, &attributes->list[i], who);
}
