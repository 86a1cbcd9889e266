/* SPDX-License-Identifier: GPL-2.0-or-later */
/* IDENTIFY DEVICE, words 69, 82-94, 128, 169, 206: what the drive can do and what of it is switched on.
 * Words 82-84 tell what is supported, 85-87 what is on; each triple is valid when bits 15:14 of its
 * last (for 82 and 83: of 83) are 01. */
#include "smart/ata_parts.h"

static bool pattern_valid(uint16_t word)
{
	return (word & 0xC000u) == 0x4000u;
}

static bool told(uint16_t word)
{
	return word != 0 && word != 0xFFFF;
}

/* Supported and on; on is told only where the drive says that its words are valid. */
struct feature {
	bool supported, on, on_known;
};

static struct feature feature_of(const uint8_t *id, unsigned word, unsigned bit)
{
	struct feature f = {0};

	if (!pattern_valid(ata_word(id, 83)))
		return f;
	f.supported = ata_word(id, word) & 1u << bit;
	f.on_known = f.supported && pattern_valid(ata_word(id, 87));
	f.on = f.on_known && ata_word(id, word + 3) & 1u << bit;
	return f;
}

static void put_smart(struct facts *facts, const char *source, const uint8_t *id)
{
	struct feature smart = feature_of(id, 82, 0);

	if (!pattern_valid(ata_word(id, 83)))
		return;
	facts_flag(facts, source, smart.supported, "smart_support.available");
	if (smart.on_known)
		facts_flag(facts, source, smart.on, "smart_support.enabled");
}

static void put_caches(struct facts *facts, const char *source, const uint8_t *id)
{
	struct feature write = feature_of(id, 82, 5), ahead = feature_of(id, 82, 6);
	struct feature host_area = feature_of(id, 82, 10);

	/* word 84 and not 87: what it can do, not what is on */
	if (pattern_valid(ata_word(id, 84)))
		facts_flag(facts, source, ata_word(id, 84) & 1u << 5,
			"ata_smart_data.capabilities.gp_logging_supported");
	if (write.on_known)
		facts_flag(facts, source, write.on, "write_cache.enabled");
	if (ahead.on_known)
		facts_flag(facts, source, ahead.on, "read_lookahead.enabled");
	if (host_area.supported)
		facts_flag(facts, source, true, "platter.host_protected_area_supported");
}

/* 1 and 128 save most, with and without spinning down; 254 nothing. */
static void put_apm_level(struct facts *facts, const char *source, unsigned level)
{
	facts_integer(facts, source, level, "ata_apm.level");
	facts_flag(facts, source, level == 254, "ata_apm.max_performance");
	facts_flag(facts, source, level == 1 || level == 128, "ata_apm.min_power");
	facts_flag(facts, source, level < 128, "ata_apm.with_standby");
}

static void put_power(struct facts *facts, const char *source, const uint8_t *id)
{
	struct feature apm = feature_of(id, 83, 3), aam = feature_of(id, 83, 9);
	uint16_t w91 = ata_word(id, 91), w94 = ata_word(id, 94);

	if (apm.on_known) {
		facts_flag(facts, source, apm.on, "ata_apm.enabled");
		/* the high byte is some makers' own */
		if (apm.on && (w91 & 0xFFu))
			put_apm_level(facts, source, w91 & 0xFFu);
	}
	if (!aam.on_known)
		return;
	facts_flag(facts, source, aam.on, "ata_aam.enabled");
	if (aam.on && (w94 & 0xFFu))
		facts_integer(facts, source, w94 & 0xFFu, "ata_aam.level");
	if (told(w94) && w94 >> 8)
		facts_integer(facts, source, w94 >> 8, "ata_aam.recommended_level");
}

static void put_security(struct facts *facts, const char *source, const uint8_t *id)
{
	uint16_t w = ata_word(id, 128);

	if (w == 0xFFFF || !(w & 1u))
		return;
	facts_integer(facts, source, w, "ata_security.state");
	facts_flag(facts, source, w & 2u, "ata_security.enabled");
	if (w & 2u)
		facts_flag(facts, source, w & 1u << 8, "ata_security.pw_level_max");
	facts_flag(facts, source, w & 4u, "ata_security.locked");
	facts_flag(facts, source, w & 8u, "ata_security.frozen");
}

static void put_trim_and_zones(struct facts *facts, const char *source, const uint8_t *id)
{
	uint16_t w69 = ata_word(id, 69), w169 = ata_word(id, 169);

	if (w69 == 0xFFFF)
		w69 = 0;
	if (w169 != 0xFFFF)
		facts_flag(facts, source, w169 & 1u, "trim.supported");
	if (w169 != 0xFFFF && w169 & 1u) {
		facts_flag(facts, source, w69 & 1u << 14, "trim.deterministic");
		facts_flag(facts, source, w69 & 1u << 5, "trim.zeroed");
	}
	if ((w69 & 3u) == 1)
		facts_text(facts, source, FACT_OPEN, "host_aware", "zoned_device.capabilities");
	if ((w69 & 3u) == 2)
		facts_text(facts, source, FACT_OPEN, "device_managed", "zoned_device.capabilities");
}

/* The value of the recovery time limit can only be asked for by writing a log: it is not asked. */
static void put_sct(struct facts *facts, const char *source, const uint8_t *id)
{
	uint16_t w = ata_word(id, 206), major = ata_word(id, 80);

	/* the word came with ATA/ATAPI-7 */
	if (w == 0xFFFF || major == 0xFFFF || major < 1u << 7)
		return;
	facts_flag(facts, source, (w & 9u) == 9, "ata_sct_capabilities.error_recovery_control_supported");
	if (!(w & 1u))
		return;
	facts_integer(facts, source, w, "ata_sct_capabilities.value");
	facts_flag(facts, source, w & 1u << 4, "ata_sct_capabilities.feature_control_supported");
	facts_flag(facts, source, w & 1u << 5, "ata_sct_capabilities.data_table_supported");
	if (w & 8u)
		facts_text(facts, source, FACT_OPEN, "supported, value not read",
			"platter.error_recovery");
}

void ata_identify_features(struct facts *facts, const char *source, const uint8_t *id)
{
	put_trim_and_zones(facts, source, id);
	put_smart(facts, source, id);
	put_caches(facts, source, id);
	put_power(facts, source, id);
	put_security(facts, source, id);
	put_sct(facts, source, id);
}
