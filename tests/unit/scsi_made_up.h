/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SCSI answers laid out by hand from SPC-5, SBC-4 and SPL-4: a 15k SAS drive with every page. */
#ifndef TESTS_UNIT_SCSI_MADE_UP_H
#define TESTS_UNIT_SCSI_MADE_UP_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "smart/pages.h"

#define LOG(code, subpage) ((uint32_t)(code) << 8 | (subpage))

static inline void made_up_be(uint8_t *p, size_t n, uint64_t value)
{
	while (n--) {
		p[n] = (uint8_t)value;
		value >>= 8;
	}
}

static inline void made_up_answer(struct pages *pages, enum question_kind kind, uint32_t id,
	const void *bytes, size_t length)
{
	pages_add(pages, kind, id, 0, "command", bytes, length);
}

static inline void made_up_inquiry(struct pages *pages, const char *vendor, const char *product,
	const char *revision)
{
	uint8_t p[96] = {[2] = 6, [4] = 91, [5] = 1};
	char names[29];

	snprintf(names, sizeof(names), "%-8.8s%-16.16s%-4.4s", vendor, product, revision);
	memcpy(p + 8, names, 28);
	made_up_answer(pages, ASK_SCSI_INQUIRY, 0, p, sizeof(p));
}

static inline void made_up_vpd(struct pages *pages, uint8_t code, const void *bytes, size_t length)
{
	uint8_t p[1024] = {[1] = code};

	made_up_be(p + 2, 2, length);
	memcpy(p + 4, bytes, length);
	made_up_answer(pages, ASK_SCSI_VPD, code, p, 4 + length);
}

/* A log page that grows by parameters. */
struct made_up_log {
	uint8_t bytes[4096];
	size_t length;
};

static inline struct made_up_log made_up_log(uint8_t code, uint8_t subpage)
{
	return (struct made_up_log){{subpage ? code | 0x40 : code, subpage}, 4};
}

static inline void made_up_parameter(struct made_up_log *log, uint16_t code, const void *bytes,
	size_t n)
{
	uint8_t *p = log->bytes + log->length;

	made_up_be(p, 2, code);
	p[2] = 0x03;
	p[3] = (uint8_t)n;
	memcpy(p + 4, bytes, n);
	log->length += 4 + n;
	made_up_be(log->bytes + 2, 2, log->length - 4);
}

static inline void made_up_count(struct made_up_log *log, uint16_t code, size_t n, uint64_t value)
{
	uint8_t bytes[16];

	made_up_be(bytes, n, value);
	made_up_parameter(log, code, bytes, n);
}

static inline void made_up_log_put(struct pages *pages, const struct made_up_log *log)
{
	uint8_t code = log->bytes[0] & 0x3F;

	made_up_answer(pages, ASK_SCSI_LOG, LOG(code, log->bytes[1]), log->bytes, log->length);
}

/* With an 8-byte block descriptor before the page, as drives send them. */
static inline void made_up_mode(struct pages *pages, const uint8_t *page, size_t n)
{
	uint8_t p[128] = {[3] = 0x10, [7] = 8};

	made_up_be(p, 2, 14 + n);
	memcpy(p + 16, page, n);
	made_up_answer(pages, ASK_SCSI_MODE, LOG(page[0] & 0x3F, 0), p, 16 + n);
}

static inline void made_up_sas_identity(struct pages *pages)
{
	static const uint8_t list[] = {0x00, 0x80, 0x83, 0xB0, 0xB1, 0xB2};
	static const uint8_t names[] = {
		0x01, 0x03, 0, 8, 0x50, 0x00, 0xC5, 0x00, 0x9A, 0x1B, 0x2C, 0x3D,  /* logical unit */
		0x61, 0x93, 0, 8, 0x50, 0x00, 0xC5, 0x00, 0x9A, 0x1B, 0x2C, 0x3E,  /* port, SAS */
		0x61, 0x94, 0, 4, 0, 0, 0, 1};
	static const uint8_t limits[60] = {[3] = 8, [6] = 8, [10] = 2};
	static const uint8_t character[60] = {0x3A, 0x98, 0, 0x03};
	static const uint8_t provisioning[4] = {0, 0, 0, 0};
	static const uint8_t capacity[32] = {[4] = 0x45, 0xDD, 0x2F, 0xAF, 0, 0, 0x02, 0x00, 0x03,
		0x03, 0x00, 0x00};

	made_up_inquiry(pages, "SEAGATE", "ST600MP0036", "N003");
	made_up_vpd(pages, 0x00, list, sizeof(list));
	made_up_vpd(pages, 0x80, "Z1Z5DWJK0000C5497XQA", 20);
	made_up_vpd(pages, 0x83, names, sizeof(names));
	made_up_vpd(pages, 0xB0, limits, sizeof(limits));
	made_up_vpd(pages, 0xB1, character, sizeof(character));
	made_up_vpd(pages, 0xB2, provisioning, sizeof(provisioning));
	made_up_answer(pages, ASK_SCSI_CAPACITY, 0, capacity, sizeof(capacity));
}

static inline void made_up_sas_modes(struct pages *pages)
{
	static const uint8_t recovery[12] = {0x81, 10, 0xC0, 11, [10] = 0x1B, 0x58};
	static const uint8_t caching[20] = {0x88, 18, 0x14, [12] = 0x20};
	static const uint8_t exceptions[12] = {0x9C, 10, 0x10, 6};

	made_up_mode(pages, recovery, sizeof(recovery));
	made_up_mode(pages, caching, sizeof(caching));
	made_up_mode(pages, exceptions, sizeof(exceptions));
}

static inline void made_up_sas_errors(struct pages *pages)
{
	struct made_up_log log = made_up_log(0x03, 0);
	static const uint64_t counts[] = {170693715, 3, 2, 170693720, 5, 416922123456789, 13};

	for (uint16_t i = 0; i < 7; i++)
		made_up_count(&log, i, i == 5 ? 8 : 4, counts[i]);
	made_up_count(&log, 0x8000, 4, 99);
	made_up_log_put(pages, &log);
	log = made_up_log(0x02, 0);
	made_up_count(&log, 5, 8, 5000000000);
	made_up_count(&log, 6, 4, 0);
	made_up_count(&log, 3, 4, 0xFFFFFFFF);
	made_up_log_put(pages, &log);
	log = made_up_log(0x06, 0);
	made_up_count(&log, 0, 4, 27);
	made_up_log_put(pages, &log);
	made_up_answer(pages, ASK_SCSI_DEFECTS, 0, ((uint8_t[]){0, 0x0C, 0, 0, 0, 0, 0x6D, 0x48}), 8);
}

static inline void made_up_sas_age(struct pages *pages)
{
	struct made_up_log log = made_up_log(0x0D, 0);
	uint8_t scan[12] = {0}, found[20] = {[4] = 0x51, 0x11, 0x00};

	made_up_count(&log, 0, 2, 41);
	made_up_count(&log, 1, 2, 60);
	made_up_log_put(pages, &log);
	log = made_up_log(0x0E, 0);
	made_up_parameter(&log, 1, "201950", 6);
	made_up_count(&log, 3, 4, 10000);
	made_up_count(&log, 4, 4, 37);
	made_up_count(&log, 6, 4, 0xFFFFFFFF);
	made_up_log_put(pages, &log);
	log = made_up_log(0x15, 0);
	made_up_be(scan, 4, 63318 * 60 + 32);
	scan[5] = 1;
	made_up_be(scan + 6, 2, 412);
	made_up_be(scan + 8, 2, 0x8000);
	made_up_parameter(&log, 0, scan, sizeof(scan));
	made_up_parameter(&log, 1, found, sizeof(found));
	made_up_parameter(&log, 2, found, sizeof(found));
	found[4] = 0x41;
	made_up_parameter(&log, 3, found, sizeof(found));
	made_up_log_put(pages, &log);
	log = made_up_log(0x15, 1);
	made_up_count(&log, 0, 4, 4);
	made_up_log_put(pages, &log);
	log = made_up_log(0x11, 0);
	made_up_count(&log, 1, 4, 7);
	made_up_log_put(pages, &log);
}

static inline void made_up_sas_verdict(struct pages *pages, uint8_t asc, uint8_t ascq)
{
	struct made_up_log log = made_up_log(0x2F, 0);
	uint8_t test[16] = {0x20, 0, 0x12, 0x34}, failed[16] = {0x47, 3, 0x00, 0x10, [11] = 0x7B, 3,
		0x11, 0x00};
	uint8_t exception[4] = {asc, ascq, 43, 60};
	const uint8_t unused[16] = {0};

	made_up_parameter(&log, 0, exception, sizeof(exception));
	made_up_log_put(pages, &log);
	log = made_up_log(0x10, 0);
	made_up_parameter(&log, 1, test, sizeof(test));
	made_up_parameter(&log, 2, failed, sizeof(failed));
	for (uint16_t i = 3; i <= 20; i++)
		made_up_parameter(&log, i, unused, sizeof(unused));
	made_up_log_put(pages, &log);
}

static inline void made_up_sas_phys(struct pages *pages)
{
	struct made_up_log log = made_up_log(0x18, 0);
	uint8_t port[4 + 48] = {6, 0, 1, 1, [4] = 0, 0, 0, 44, 0x10, 0x0B};

	made_up_be(port + 12, 8, 0x5000C5009A1B2C3E);
	made_up_be(port + 20, 8, 0x500605B000000001);
	made_up_be(port + 36, 4, 21);
	made_up_be(port + 44, 4, 2);
	made_up_parameter(&log, 1, port, sizeof(port));
	port[9] = 0x00;
	made_up_be(port + 36, 4, 0);
	made_up_parameter(&log, 2, port, sizeof(port));
	made_up_log_put(pages, &log);
}

/* The lists of log pages, without and with subpages. */
static inline void made_up_sas_lists(struct pages *pages)
{
	static const uint8_t plain[] = {0, 0, 0, 12, 0x00, 0x02, 0x03, 0x06, 0x0D, 0x0E, 0x10, 0x11,
		0x15, 0x18, 0x2F, 0x3E};
	static const uint8_t both[] = {0x40, 0xFF, 0, 8, 0x00, 0x00, 0x00, 0xFF, 0x0D, 0x00, 0x15, 0x01};

	made_up_answer(pages, ASK_SCSI_LOG, LOG(0, 0), plain, sizeof(plain));
	made_up_answer(pages, ASK_SCSI_LOG, LOG(0, 0xFF), both, sizeof(both));
}

static inline void made_up_sas(struct pages *pages)
{
	made_up_answer(pages, ASK_SCSI_READY, 0, ((uint8_t[]){0, 0, 0}), 3);
	made_up_sas_identity(pages);
	made_up_sas_modes(pages);
	made_up_sas_lists(pages);
	made_up_sas_errors(pages);
	made_up_sas_age(pages);
	made_up_sas_verdict(pages, 0, 0);
	made_up_sas_phys(pages);
}

#endif
