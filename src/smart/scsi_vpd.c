/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Vital product data (SPC-5 7.7, SBC-4 6.6): serial, name, limits, rotation, provisioning, actuators. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "smart/bytes.h"
#include "smart/scsi_parts.h"

#define SHORT_SERIAL 8 /* what the label of a Seagate drive shows */
#define LONG_SERIAL  20
#define RANGES_MAX   16

/* A vital product data page that names itself; length: bytes there are, header included. */
static const uint8_t *vpd(const struct pages *pages, uint8_t code, size_t least, size_t *length)
{
	const struct page *page = pages_answer(pages, ASK_SCSI_VPD, code, least < 4 ? 4 : least);
	size_t said;

	if (!page || page->bytes[1] != code)
		return NULL;
	said = 4u + be16(page->bytes + 2);
	*length = said < page->length ? said : page->length;
	return *length >= least ? page->bytes : NULL;
}

bool scsi_lists_vpd(const struct pages *pages, uint8_t code)
{
	size_t length;
	const uint8_t *list = vpd(pages, 0x00, 4, &length);

	return list && memchr(list + 4, code, length - 4) != NULL;
}

/* ATA Information (SAT-5 12.4.2): the command that was used stands at 56, its answer from 60 on. */
const uint8_t *scsi_identify_device(const struct pages *pages)
{
	size_t length;
	const uint8_t *p = vpd(pages, 0x89, 572, &length);

	return p && p[56] == 0xEC && !bytes_all(p + 60, 512, 0) ? p + 60 : NULL;
}

/* Seagate drives, by whatever name they are sold, add board and place of manufacture to the
 * eight characters that stand on the label. */
static bool has_tail(const struct facts *facts, const char *serial)
{
	static const char *const makers[] = {"SEAGATE", "HP", "HPE"};
	const char *vendor = facts_words(facts, "scsi_vendor");

	if (strlen(serial) != LONG_SERIAL || strncmp(serial + SHORT_SERIAL, "0000", 4) != 0)
		return false;
	for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++)
		if (strcasecmp(vendor, makers[i]) == 0)
			return true;
	return text_starts(facts_words(facts, "scsi_product"), "ST");
}

static void read_serial(struct facts *facts, const struct pages *pages, bool bridged)
{
	static const char source[] = "VPD 80h";
	char serial[256];
	size_t length;
	const uint8_t *p = vpd(pages, 0x80, 4, &length);

	if (!p || length - 4 >= sizeof(serial))
		return;
	bytes_string(serial, p + 4, length - 4);
	if (bridged) {
		if (strcasecmp(serial, facts_words(facts, "serial_number")) != 0)
			facts_text(facts, source, FACT_SPECIMEN, serial,
				"platter.bridge.serial_number");
		return;
	}
	facts_text(facts, source, FACT_SPECIMEN, serial, "serial_number");
	if (has_tail(facts, serial)) {
		serial[SHORT_SERIAL] = 0;
		facts_text(facts, source, FACT_SPECIMEN, serial, "platter.label_serial_number");
	}
}

/* How good a name of the logical unit a designator is; 0: none. SPC-5 7.7.6. */
static int worth(const uint8_t *d)
{
	bool unit = (d[1] & 0x30) == 0;

	switch (d[1] & 0x0F) {
	case 3: return unit && (d[3] == 8 || d[3] == 16) ? 3 : 0; /* NAA */
	case 2: return unit && (d[3] == 8 || d[3] == 12 || d[3] == 16) ? 2 : 0; /* EUI-64 */
	default: return 0;
	}
}

static void put_protocol(struct facts *facts, unsigned protocol)
{
	static const char *const names[] = {"Fibre Channel", "parallel SCSI", "SSA", "IEEE 1394",
		"RDMA", "iSCSI", "SAS", "ADT", "ATA", "UAS", "SOP", "PCIe"};

	if (protocol >= sizeof(names) / sizeof(names[0]))
		return;
	facts_text(facts, "VPD 83h", FACT_OPEN, names[protocol], "scsi_transport_protocol.name");
	facts_integer(facts, "VPD 83h", protocol, "scsi_transport_protocol.value");
}

static void read_designators(struct facts *facts, const struct pages *pages)
{
	char name[40] = "0x";
	size_t length;
	const uint8_t *p = vpd(pages, 0x83, 4, &length);
	const uint8_t *best = NULL;

	if (!p)
		return;
	for (size_t at = 4; at + 4 <= length && at + 4 + p[at + 3] <= length; at += 4u + p[at + 3]) {
		const uint8_t *d = p + at;

		if (worth(d) > (best ? worth(best) : 0))
			best = d;
		/* of a port, and the protocol field is valid */
		if ((d[1] & 0xB0) == 0x90 && !facts_find(facts, "scsi_transport_protocol.value"))
			put_protocol(facts, d[0] >> 4);
	}
	if (!best)
		return;
	for (size_t i = 0; i < best[3]; i++)
		snprintf(name + 2 + 2 * i, 3, "%02x", best[4 + i]);
	facts_text(facts, "VPD 83h", FACT_SPECIMEN, name, "logical_unit_id");
}

static void read_limits(struct facts *facts, const struct pages *pages)
{
	static const char source[] = "VPD B0h";
	size_t length;
	const uint8_t *p = vpd(pages, 0xB0, 16, &length);

	if (!p)
		return;
	if (be16(p + 6))
		facts_integer(facts, source, be16(p + 6), "platter.limits.granularity_blocks");
	if (be32(p + 8))
		facts_integer(facts, source, be32(p + 8), "platter.limits.longest_transfer_blocks");
	if (be32(p + 12))
		facts_integer(facts, source, be32(p + 12), "platter.limits.best_transfer_blocks");
}

static const char *form_name(unsigned form)
{
	static const char *const names[] = {"", "5.25 inches", "3.5 inches", "2.5 inches",
		"1.8 inches", "< 1.8 inches"};

	return form < sizeof(names) / sizeof(names[0]) ? names[form] : "";
}

static void read_characteristics(struct facts *facts, const struct pages *pages)
{
	static const char source[] = "VPD B1h";
	size_t length;
	const uint8_t *p = vpd(pages, 0xB1, 8, &length);
	unsigned rate;
	unsigned zoned;

	if (!p)
		return;
	rate = be16(p + 4);
	if (rate == 1)
		facts_integer(facts, source, 0, "rotation_rate");
	else if (rate > 0x400 && rate < 0xFFFF)
		facts_integer(facts, source, rate, "rotation_rate");
	else if (rate && rate != 0xFFFF)
		facts_integer(facts, source, rate, "platter.rotation_code");
	if (p[7] & 15) {
		facts_integer(facts, source, p[7] & 15, "form_factor.scsi_value");
		facts_text(facts, source, FACT_OPEN, form_name(p[7] & 15), "form_factor.name");
	}
	zoned = length > 8 ? p[8] >> 4 & 3 : 0;
	if (scsi_type(pages) == SCSI_ZONED)
		facts_text(facts, source, FACT_OPEN, "host_managed", "zoned_device.capabilities");
	else if (zoned == 1 || zoned == 2)
		facts_text(facts, source, FACT_OPEN, zoned == 1 ? "host_aware" : "device_managed",
			"zoned_device.capabilities");
}

static void read_provisioning(struct facts *facts, const struct pages *pages)
{
	static const char *const names[] = {"fully provisioned", "resource provisioned",
		"thin provisioned"};
	static const char source[] = "VPD B2h";
	size_t length;
	const uint8_t *p = vpd(pages, 0xB2, 8, &length);
	unsigned type;

	if (!p)
		return;
	type = p[6] & 7;
	facts_integer(facts, source, type, "scsi_lb_provisioning.value");
	facts_text(facts, source, FACT_OPEN, type < 3 ? names[type] : "", "scsi_lb_provisioning.name");
	/* UNMAP, WRITE SAME(16), WRITE SAME(10) unmap */
	facts_flag(facts, source, (p[5] & 0xE0) != 0, "trim.supported");
}

/* Concurrent Positioning Ranges: one for each actuator (SBC-5 6.6.3). */
static void read_ranges(struct facts *facts, const struct pages *pages)
{
	static const char source[] = "VPD B9h";
	size_t length;
	const uint8_t *p = vpd(pages, 0xB9, 64, &length);
	unsigned n = 0;

	for (size_t at = 64; p && at + 32 <= length && n < RANGES_MAX; at += 32, n++) {
		if (be64(p + at + 8) > INT64_MAX || be64(p + at + 16) > INT64_MAX)
			return;
		facts_integer(facts, source, (int64_t)be64(p + at + 8),
			"platter.actuators[%u].first_block", n);
		facts_integer(facts, source, (int64_t)be64(p + at + 16),
			"platter.actuators[%u].blocks", n);
	}
}

void scsi_read_vpd(struct facts *facts, const struct pages *pages, bool bridged)
{
	read_serial(facts, pages, bridged);
	read_designators(facts, pages);
	read_limits(facts, pages);
	read_characteristics(facts, pages);
	read_provisioning(facts, pages);
	read_ranges(facts, pages);
}
