/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of what a SCSI or SAS drive says (SPC-5, SBC-4, SPL-4). Internal to smart/. */
#ifndef SMART_SCSI_PARTS_H
#define SMART_SCSI_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "doc/facts.h"
#include "smart/pages.h"

#define SCSI_DISK  0x00 /* peripheral device types */
#define SCSI_ZONED 0x14

/* Standard INQUIRY, vital product data, READ CAPACITY(16), mode pages, log pages. Each does
 * nothing when its page is not there. bridged: an ATA drive answers behind it, so names here are
 * those of the bridge. */
void scsi_read_inquiry(struct facts *facts, const struct pages *pages, bool bridged);
void scsi_read_vpd(struct facts *facts, const struct pages *pages, bool bridged);
void scsi_read_capacity(struct facts *facts, const struct pages *pages);
void scsi_read_modes(struct facts *facts, const struct pages *pages);
void scsi_read_logs(struct facts *facts, const struct pages *pages);
void scsi_read_exceptions(struct facts *facts, const struct pages *pages);
void scsi_read_self_tests(struct facts *facts, const struct pages *pages);
void scsi_read_sas_phys(struct facts *facts, const struct pages *pages);

/* Whether sense key, ASC and ASCQ of TEST UNIT READY are those of a drive at rest (SPC-5, annex F):
 * it waits to be told to start, or is in a power condition of standby or sleep. Idle is awake. */
bool scsi_says_asleep(const uint8_t sense[3]);
/* Peripheral device type, -1 when there was no INQUIRY. */
int scsi_type(const struct pages *pages);
/* Whether these names (of INQUIRY, or as the system keeps them) are those of a volume that a RAID
 * controller makes of drives which it hides. */
bool scsi_raid_volume(const char *vendor, const char *product);
/* The same of the INQUIRY in pages; false when there is none. */
bool scsi_pages_raid_volume(const struct pages *pages);
/* Whether a page stands in the list that VPD page 00h or log page 00h (with subpage: 00h/FFh)
 * gives; false when the list is not there. */
bool scsi_lists_vpd(const struct pages *pages, uint8_t code);
bool scsi_lists_log(const struct pages *pages, uint8_t code, uint8_t subpage);
/* Whether the drive, or the INQUIRY's vendor, is Seagate's or Hitachi's, whose log 3Eh is known. */
bool scsi_has_factory_log(const struct pages *pages);
/* The IDENTIFY DEVICE block in VPD page 89h (512 bytes), NULL when there is none. */
const uint8_t *scsi_identify_device(const struct pages *pages);

/* One parameter of a log page. */
struct log_parameter {
	uint16_t code;
	const uint8_t *bytes;
	size_t length;
};

struct log_walk {
	const uint8_t *at, *end;
};

/* Begins with the parameters of a log page (id as in pages.h); nothing to walk when the answer is
 * not there or is another page. The next one, false when there is none. */
struct log_walk log_begin(const struct pages *pages, uint8_t code, uint8_t subpage);
bool log_next(struct log_walk *walk, struct log_parameter *parameter);
/* Puts the parameter as a number; false when it is not available (all ones, empty, too long). */
bool log_counter(const struct log_parameter *parameter, int64_t *value);

#define SCSI_LOG_ID(code, subpage) ((uint32_t)(code) << 8 | (subpage))
#define SCSI_MODE_ID(code, subpage) ((uint32_t)(code) << 8 | (subpage))

/* What an additional sense code of 5Dh or 0Bh means, in the standard's words (SPC-5, annex F);
 * "" for others. */
void scsi_exception_words(char *dst, size_t size, uint8_t asc, uint8_t ascq);

#endif
