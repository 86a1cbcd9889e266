/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the readers of an ATA drive's answers share. Internal to smart/. Numbers in ATA are little
 * endian; words are 16 bits (ACS-5, clause 9). */
#ifndef SMART_ATA_PARTS_H
#define SMART_ATA_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "doc/facts.h"
#include "smart/bytes.h"
#include "smart/pages.h"

#define ATA_SECTOR 512u

static inline uint16_t ata_word(const uint8_t *identify, size_t n)
{
	return le16(identify + 2 * n);
}

/* As much of who it is as decides what its other bytes mean. Empty and zero: not known. */
struct ata_who {
	char model[41], serial[21], firmware[9];
	bool solid;          /* says that nothing turns */
	uint32_t logical_bytes;
	uint64_t sectors;    /* logical */
	bool hours_known;    /* the device statistics have power-on hours: these */
	uint64_t hours;
};
/* size_bytes: of the device as the system knows it, 0 not known. */
void ata_who_read(struct ata_who *who, const struct pages *pages, uint64_t size_bytes);
/* The 512 bytes of IDENTIFY DEVICE, NULL when there are none or they are of no ATA disk. */
const uint8_t *ata_identify(const struct pages *pages);
/* length characters of a string in which each word has its bytes swapped; dst has length + 1. */
void ata_string(char *dst, const uint8_t *bytes, size_t length);

/* Each puts what its pages say; nothing when they are not there. */
void ata_identify_read(struct facts *facts, const struct pages *pages);
void ata_identify_features(struct facts *facts, const char *source, const uint8_t *identify);

#define ATA_ATTRIBUTES_MAX 30

struct ata_attribute {
	uint8_t id, value, worst, threshold;
	bool threshold_known;
	uint16_t flags;
	uint8_t raw[6];
};
struct ata_attributes {
	struct ata_attribute list[ATA_ATTRIBUTES_MAX];
	size_t n;
	bool rotten; /* data or thresholds have a wrong checksum */
};
/* False: there is no SMART data. */
bool ata_attributes_parse(struct ata_attributes *attributes, const struct pages *pages);
const struct ata_attribute *ata_attribute_find(const struct ata_attributes *attributes, uint8_t id);

enum ata_failed { ATA_NEVER_FAILED, ATA_FAILED_PAST, ATA_FAILED_NOW };
enum ata_failed ata_attribute_failed(const struct ata_attribute *attribute);

void ata_attributes_read(
	struct facts *facts, const struct ata_attributes *attributes, const struct ata_who *who);

/* ---- what an attribute means on this drive ---- */

enum ata_hours_unit { ATA_HOURS, ATA_MINUTES, ATA_HALF_MINUTES, ATA_SECONDS };

/* "#": one digit, "?": one character, "[a-z]": one of these, "*": anything. */
bool ata_like(const char *pattern, const char *s);
/* *known: the family is, so that the unit is not a guess. */
enum ata_hours_unit ata_family_hours_unit(const struct ata_who *who, bool *known);
/* Hours in which the normalised value falls by one; 0: not known. */
unsigned ata_hours_a_point(const struct ata_who *who);
/* Of the raw value of attribute 9: of the family; when it is not known, the one in which the number
 * fits the device statistics, or the normalised value. */
enum ata_hours_unit ata_hours_unit(const struct ata_attribute *attribute, const struct ata_who *who);
/* Whether the raw value of this attribute is something else on this family than its number says. */
bool ata_means_other(const struct ata_who *who, uint8_t id);
/* Bytes of one unit of attributes 225/241 (written) and 242 (read); 0: not known on this family. */
uint64_t ata_bytes_unit(const struct ata_who *who);
const char *ata_attribute_name(const struct ata_who *who, uint8_t id);

/* Power-on time; false: there is none that makes sense. */
bool ata_power_on_minutes(uint64_t *minutes, const struct ata_attribute *attribute,
	const struct ata_who *who);

struct ata_temperature {
	int current, min, max; /* degrees Celsius */
	bool min_max;          /* min and max were told */
	bool of_power_cycle;   /* they are since it was switched on, not over its life */
};
/* False: no temperature in it, or none that can be. */
bool ata_temperature(struct ata_temperature *t, const struct ata_attribute *attribute,
	const struct ata_who *who);

/* How much of the raw value counts as a number of sectors, errors, …; false: it is not a count here,
 * or more than the drive has sectors. */
bool ata_count(uint64_t *count, const struct ata_attribute *attribute, const struct ata_who *who);

/* Our own reading of them: "platter.reallocated_sectors" and its like, temperature, hours. */
void ata_judged_read(
	struct facts *facts, const struct ata_attributes *attributes, const struct ata_who *who);

/* ---- logs ---- */
void ata_smart_data_read(struct facts *facts, const struct pages *pages);
void ata_statistics_read(struct facts *facts, const struct pages *pages, const struct ata_who *who);
void ata_tests_read(struct facts *facts, const struct pages *pages);
void ata_errors_read(struct facts *facts, const struct pages *pages);
void ata_sct_read(struct facts *facts, const struct pages *pages);
void ata_farm_read(struct facts *facts, const struct pages *pages);
/* A statistic of log 04h; false: not supported, not valid, or page not there. */
bool ata_statistic(uint64_t *value, const struct pages *pages, unsigned page, unsigned offset,
	unsigned bytes);

/* Names the pages whose checksum is wrong. */
void ata_checksums_read(struct facts *facts, const struct pages *pages);
bool ata_sum_is_zero(const uint8_t *sector);

/* Adds platter.disagreements[i]. */
void ata_disagree(struct facts *facts, const char *source, const char *what, const char *ours,
	const char *theirs);
/* What a second reader makes of the same bytes, and where it differs from what facts say. */
void ata_witness_read(struct facts *facts, const struct pages *pages,
	const struct ata_attributes *attributes, const struct ata_who *who);

#endif
