/* SPDX-License-Identifier: GPL-2.0-or-later */
/* IDENTIFY DEVICE (ACS-5, 7.13): who an ATA drive is. A word that is 0000h or FFFFh says nothing, and
 * many have a validity pattern of their own in bits 15:14; what is not valid is left out, since old
 * drives and bridges have junk there. */
#include "smart/ata_parts.h"

#include <stdio.h>
#include <string.h>

void ata_string(char *dst, const uint8_t *bytes, size_t length)
{
	size_t begin = 0, end = length;

	for (size_t i = 0; i < length; i++) {
		uint8_t c = bytes[i ^ 1];

		dst[i] = c > ' ' && c <= '~' ? (char)c : ' ';
	}
	while (end && dst[end - 1] == ' ')
		end--;
	while (begin < end && dst[begin] == ' ')
		begin++;
	memmove(dst, dst + begin, end - begin);
	dst[end - begin] = 0;
}

const uint8_t *ata_identify(const struct pages *pages)
{
	const struct page *p = pages_answer(pages, ASK_ATA_IDENTIFY, 0, ATA_SECTOR);
	bool empty = true;

	if (!p)
		return NULL;
	for (size_t i = 1; i < ATA_SECTOR; i++)
		if (p->bytes[i] != p->bytes[0])
			empty = false;
	/* bit 15 of word 0: a packet device, unless it is the number of CompactFlash */
	if (empty || (ata_word(p->bytes, 0) & 0x8000u && ata_word(p->bytes, 0) != 0x848A))
		return NULL;
	return p->bytes;
}

static bool told(uint16_t word)
{
	return word != 0 && word != 0xFFFF;
}

static bool pattern_valid(uint16_t word)
{
	return (word & 0xC000u) == 0x4000u;
}

static uint64_t sectors_of(const uint8_t *id)
{
	uint64_t n = 0;

	if (told(ata_word(id, 69)) && ata_word(id, 69) & 1u << 3)
		n = le_n(id + 460, 8);
	if (!n && pattern_valid(ata_word(id, 83)) && ata_word(id, 83) & 1u << 10)
		n = le_n(id + 200, 8);
	if (!n || n >> 48)
		n = le_n(id + 120, 4);
	return n;
}

static uint32_t logical_bytes_of(const uint8_t *id)
{
	uint16_t w = ata_word(id, 106);
	uint64_t bytes = 2 * le_n(id + 234, 4);

	if (!pattern_valid(w) || !(w & 1u << 12) || bytes < 256 || bytes > 65536)
		return 512;
	return (uint32_t)bytes;
}

void ata_who_read(struct ata_who *who, const struct pages *pages, uint64_t size_bytes)
{
	const uint8_t *id = ata_identify(pages);

	*who = (struct ata_who){.logical_bytes = 512};
	if (id) {
		ata_string(who->serial, id + 20, 20);
		ata_string(who->firmware, id + 46, 8);
		ata_string(who->model, id + 54, 40);
		who->solid = ata_word(id, 217) == 1;
		who->logical_bytes = logical_bytes_of(id);
		who->sectors = sectors_of(id);
	}
	who->hours_known = ata_statistic(&who->hours, pages, 1, 0x10, 4);
	if (size_bytes)
		who->sectors = size_bytes / who->logical_bytes;
}

static void put_wwn(struct facts *facts, const char *source, const uint8_t *id)
{
	uint64_t wwn = 0;
	char text[24];

	if (!(pattern_valid(ata_word(id, 84)) && ata_word(id, 84) & 1u << 8) &&
		!(pattern_valid(ata_word(id, 87)) && ata_word(id, 87) & 1u << 8))
		return;
	for (size_t w = 108; w < 112; w++)
		wwn = wwn << 16 | ata_word(id, w);
	if (wwn >> 60 != 5 || !(wwn << 4))
		return;
	facts_integer(facts, source, 5, "wwn.naa");
	facts_integer(facts, source, (int64_t)(wwn >> 36 & 0xFFFFFF), "wwn.oui");
	facts_integer(facts, source, (int64_t)(wwn & 0xFFFFFFFFF), "wwn.id");
	for (size_t i = 0; i < facts->n; i++)
		if (strcmp(facts->facts[i].path, "wwn.id") == 0)
			facts->facts[i].privacy = FACT_SPECIMEN;
	snprintf(text, sizeof(text), "0x%016llx", (unsigned long long)wwn);
	facts_text(facts, source, FACT_SPECIMEN, text, "logical_unit_id");
}

static void put_size(struct facts *facts, const char *source, const uint8_t *id)
{
	uint64_t sectors = sectors_of(id);
	uint32_t logical = logical_bytes_of(id);
	uint16_t w106 = ata_word(id, 106), w209 = ata_word(id, 209);

	if (sectors && sectors < 1ull << 48) {
		facts_integer(facts, source, (int64_t)sectors, "user_capacity.blocks");
		if (sectors <= INT64_MAX / logical)
			facts_integer(facts, source, (int64_t)(sectors * logical),
				"user_capacity.bytes");
	}
	facts_integer(facts, source, logical, "logical_block_size");
	/* a drive that does not speak of them has both of one size */
	if (!pattern_valid(w106))
		w106 = 0;
	facts_integer(facts, source, (int64_t)logical << (w106 & 1u << 13 ? w106 & 15u : 0),
		"physical_block_size");
	if (pattern_valid(w209) && w106 & 1u << 13)
		facts_integer(facts, source, (int64_t)(w209 & 0x3FFFu) * logical,
			"platter.alignment_offset_bytes");
}

static void put_shape(struct facts *facts, const char *source, const uint8_t *id)
{
	static const char *const shapes[] = {NULL, "5.25 inches", "3.5 inches", "2.5 inches",
		"1.8 inches", "< 1.8 inches", "mSATA", "M.2", "MicroSSD", "CFast"};
	uint16_t turns = ata_word(id, 217), shape = ata_word(id, 168);
	char text[16];

	if (turns == 1)
		facts_integer(facts, source, 0, "rotation_rate");
	else if (turns > 0x400 && turns != 0xFFFF)
		facts_integer(facts, source, turns, "rotation_rate");
	else if (told(turns)) {
		snprintf(text, sizeof(text), "0x%04x", turns);
		facts_text(facts, source, FACT_OPEN, text, "platter.rotation_rate_reserved");
	}
	if (!told(shape) || !(shape & 15u))
		return;
	facts_integer(facts, source, shape & 15u, "form_factor.ata_value");
	if ((shape & 15u) < sizeof(shapes) / sizeof(shapes[0]))
		facts_text(facts, source, FACT_OPEN, shapes[shape & 15u], "form_factor.name");
}

static void put_speed(struct facts *facts, const char *source, const char *which, unsigned code,
	unsigned generation)
{
	static const char *const names[] = {NULL, "1.5 Gb/s", "3.0 Gb/s", "6.0 Gb/s"};

	if (!generation || generation > 3)
		return;
	facts_integer(facts, source, code, "interface_speed.%s.sata_value", which);
	facts_text(facts, source, FACT_OPEN, names[generation], "interface_speed.%s.string", which);
	facts_integer(facts, source, 15 << (generation - 1), "interface_speed.%s.units_per_second",
		which);
	facts_integer(facts, source, 100000000, "interface_speed.%s.bits_per_unit", which);
}

static void put_link(struct facts *facts, const char *source, const uint8_t *id)
{
	static const char *const versions[] = {"ATA8-AST", "SATA 1.0a", "SATA II Ext", "SATA 2.5",
		"SATA 2.6", "SATA 3.0", "SATA 3.1", "SATA 3.2", "SATA 3.3", "SATA 3.4", "SATA 3.5"};
	uint16_t w76 = ata_word(id, 76), w77 = ata_word(id, 77), w222 = ata_word(id, 222);
	unsigned best = w76 & 8u ? 3 : w76 & 4u ? 2 : w76 & 2u ? 1 : 0;

	if (told(w222)) {
		facts_text(facts, source, FACT_OPEN, w222 >> 12 == 1 ? "serial" : "parallel",
			"platter.ata_transport");
		for (unsigned bit = 11; bit-- && w222 >> 12 == 1;)
			if (w222 & 1u << bit) {
				facts_text(facts, source, FACT_OPEN, versions[bit],
					"sata_version.string");
				facts_integer(facts, source, w222 & 0xFFFu, "sata_version.value");
				break;
			}
	}
	if (!told(w76) || w76 & 1u)
		return;
	put_speed(facts, source, "max", w76 & 0xFEu, best);
	if (w77 != 0xFFFF)
		put_speed(facts, source, "current", w77 >> 1 & 7u, w77 >> 1 & 7u);
	facts_flag(facts, source, w76 & 1u << 8, "platter.ncq");
	if (w76 & 1u << 8)
		facts_integer(facts, source, (ata_word(id, 75) & 31u) + 1, "platter.queue_depth");
}

static void put_version(struct facts *facts, const char *source, const uint8_t *id)
{
	static const char *const names[] = {NULL, "ATA-1", "ATA-2", "ATA-3", "ATA/ATAPI-4",
		"ATA/ATAPI-5", "ATA/ATAPI-6", "ATA/ATAPI-7", "ATA8-ACS", "ACS-2", "ACS-3", "ACS-4",
		"ACS-5", "ACS-6"};
	uint16_t major = ata_word(id, 80), minor = ata_word(id, 81);

	if (!told(major))
		return;
	for (unsigned bit = 14; --bit;)
		if (major & 1u << bit) {
			facts_text(facts, source, FACT_OPEN, names[bit], "ata_version.string");
			break;
		}
	facts_integer(facts, source, major, "ata_version.major_value");
	if (minor != 0xFFFF)
		facts_integer(facts, source, minor, "ata_version.minor_value");
}

void ata_identify_read(struct facts *facts, const struct pages *pages)
{
	const uint8_t *id = ata_identify(pages);
	struct ata_who who;
	char source[64] = "IDENTIFY DEVICE";
	const char *from;

	if (!id)
		return;
	from = pages_find(pages, ASK_ATA_IDENTIFY, 0)->source;
	if (from && strcmp(from, "command") != 0 && strcmp(from, "file") != 0)
		snprintf(source, sizeof(source), "IDENTIFY DEVICE (%s)", from);
	ata_who_read(&who, pages, 0);
	facts_text(facts, source, FACT_OPEN, "ATA", "device.protocol");
	facts_text(facts, source, FACT_OPEN, who.model, "model_name");
	facts_text(facts, source, FACT_SPECIMEN, who.serial, "serial_number");
	put_wwn(facts, source, id);
	facts_text(facts, source, FACT_OPEN, who.firmware, "firmware_version");
	put_size(facts, source, id);
	put_shape(facts, source, id);
	put_version(facts, source, id);
	put_link(facts, source, id);
	ata_identify_features(facts, source, id);
}
