/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who a SCSI drive is: INQUIRY, vital product data, READ CAPACITY(16). A page is believed only
 * when it names itself; its own length and the answer's both bound what is read. Where an ATA drive
 * stands behind, the names given here are the bridge's and are told as such. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "smart/bytes.h"
#include "smart/scsi_parts.h"
#include "smart/smart.h"

#define INQUIRY_LEAST 36u

struct names {
	char vendor[9], product[17], revision[5];
};

static const struct page *inquiry_of(const struct pages *pages)
{
	return pages_answer(pages, ASK_SCSI_INQUIRY, 0, INQUIRY_LEAST);
}

static bool names_of(const struct pages *pages, struct names *names)
{
	const struct page *inquiry = inquiry_of(pages);

	*names = (struct names){0};
	if (!inquiry)
		return false;
	bytes_string(names->vendor, inquiry->bytes + 8, 8);
	bytes_string(names->product, inquiry->bytes + 16, 16);
	bytes_string(names->revision, inquiry->bytes + 32, 4);
	return true;
}

int scsi_type(const struct pages *pages)
{
	const struct page *inquiry = inquiry_of(pages);

	return inquiry ? inquiry->bytes[0] & 0x1F : -1;
}

static bool holds(const char *s, const char *word)
{
	for (size_t n = strlen(word); *s; s++)
		if (strncasecmp(s, word, n) == 0)
			return true;
	return false;
}

bool scsi_raid_volume(const char *vendor, const char *product)
{
	static const char *const words[] = {"raid", "perc ", "logical volume", "logical disk",
		"logical drv", "logical drive", "logicaldrv"};
	static const char *const makers[] = {"LSI", "AVAGO", "BROADCOM", "LENOVO", "INTEL", "IBM",
		"FTS", "SMC", "CISCO", "HUAWEI", "INSPUR"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (holds(product, words[i]))
			return true;
	for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++)
		if (strcasecmp(vendor, makers[i]) == 0 && strncmp(product, "MR", 2) == 0)
			return true;
	return strcasecmp(vendor, "DELL") == 0 && strncasecmp(product, "PERC", 4) == 0;
}

bool scsi_pages_raid_volume(const struct pages *pages)
{
	struct names names;

	return names_of(pages, &names) && scsi_raid_volume(names.vendor, names.product);
}

bool scsi_has_factory_log(const struct pages *pages)
{
	static const char *const makers[] = {"SEAGATE", "HITACHI", "HGST", "IBM-ESXS"};
	struct names names;

	if (!names_of(pages, &names))
		return false;
	for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++)
		if (strcasecmp(names.vendor, makers[i]) == 0)
			return true;
	return strncmp(names.product, "ST", 2) == 0;
}

static const char *type_name(int type)
{
	switch (type) {
	case SCSI_DISK: return "disk";
	case 0x05: return "CD/DVD";
	case 0x07: return "optical";
	case 0x0D: return "enclosure";
	case 0x0E: return "simplified disk";
	case SCSI_ZONED: return "zoned disk";
	default: return "";
	}
}

static void put_names(struct facts *facts, const struct names *names)
{
	char model[40];

	snprintf(model, sizeof(model), "%s%s%s", names->vendor,
		names->vendor[0] && names->product[0] ? " " : "", names->product);
	facts_text(facts, "INQUIRY", FACT_OPEN, names->vendor, "scsi_vendor");
	facts_text(facts, "INQUIRY", FACT_OPEN, names->product, "scsi_product");
	facts_text(facts, "INQUIRY", FACT_OPEN, model, "scsi_model_name");
	facts_text(facts, "INQUIRY", FACT_OPEN, names->revision, "scsi_revision");
	facts_text(facts, "INQUIRY", FACT_OPEN, model, "model_name");
	facts_text(facts, "INQUIRY", FACT_OPEN, names->revision, "firmware_version");
}

void scsi_read_inquiry(struct facts *facts, const struct pages *pages, bool bridged)
{
	static const char *const versions[] = {"", "", "SCSI-2", "SPC", "SPC-2", "SPC-3", "SPC-4",
		"SPC-5", "SPC-6"};
	const struct page *inquiry = inquiry_of(pages);
	struct names names;

	if (!names_of(pages, &names))
		return;
	if (scsi_raid_volume(names.vendor, names.product)) {
		char controller[40];

		snprintf(controller, sizeof(controller), "%s %s", names.vendor, names.product);
		facts_text(facts, "INQUIRY", FACT_OPEN, controller, "platter.raid_volume");
	}
	if (bridged) {
		/* libata and SAS adapters fill in "ATA" for a drive of their own port */
		if (strcmp(names.vendor, "ATA") == 0)
			return;
		facts_text(facts, "INQUIRY", FACT_OPEN, names.vendor, "platter.bridge.vendor");
		facts_text(facts, "INQUIRY", FACT_OPEN, names.product, "platter.bridge.product");
		facts_text(facts, "INQUIRY", FACT_OPEN, names.revision, "platter.bridge.revision");
		return;
	}
	put_names(facts, &names);
	if (inquiry->bytes[2] < sizeof(versions) / sizeof(versions[0]))
		facts_text(facts, "INQUIRY", FACT_OPEN, versions[inquiry->bytes[2]], "scsi_version");
	facts_integer(facts, "INQUIRY", scsi_type(pages), "device_type.scsi_value");
	facts_text(facts, "INQUIRY", FACT_OPEN, type_name(scsi_type(pages)), "device_type.name");
	if (inquiry->bytes[2] >= 5)
		facts_flag(facts, "INQUIRY", inquiry->bytes[5] & 1, "platter.protection.supported");
}

void scsi_read_capacity(struct facts *facts, const struct pages *pages)
{
	static const char source[] = "READ CAPACITY(16)";
	const struct page *page = pages_answer(pages, ASK_SCSI_CAPACITY, 0, 16);
	const uint8_t *p = page ? page->bytes : NULL;
	uint64_t blocks;
	uint32_t block_bytes;

	if (!p)
		return;
	blocks = be64(p) + 1;
	block_bytes = be32(p + 8);
	if (!blocks || !block_bytes || block_bytes > 1u << 20 ||
		blocks > (uint64_t)INT64_MAX / block_bytes)
		return;
	facts_integer(facts, source, (int64_t)blocks, "user_capacity.blocks");
	facts_integer(facts, source, (int64_t)(blocks * block_bytes), "user_capacity.bytes");
	facts_integer(facts, source, block_bytes, "logical_block_size");
	facts_integer(facts, source, (int64_t)block_bytes << (p[13] & 15), "physical_block_size");
	if (be16(p + 14) & 0x3FFF)
		facts_integer(facts, source, be16(p + 14) & 0x3FFF, "platter.lowest_aligned_lba");
	facts_flag(facts, source, p[14] >> 7, "scsi_lb_provisioning.management_enabled.value");
	if (p[14] >> 7)
		facts_flag(facts, source, p[14] >> 6 & 1, "scsi_lb_provisioning.read_zeros.value");
	if (p[12] & 1) {
		facts_integer(facts, source, (p[12] >> 1 & 7) + 1, "scsi_protection_type");
		/* 8 bytes in each interval, of which a block has 2 to the power of these bits */
		facts_integer(facts, source, 8 << (p[13] >> 4), "scsi_protection_interval_bytes_per_lb");
	}
	facts_flag(facts, source, p[12] & 1, "platter.protection.enabled");
}

void smart_read_scsi(struct facts *facts, const struct pages *pages)
{
	const struct page *own = pages_answer(pages, ASK_ATA_IDENTIFY, 0, 512);
	bool bridged = own || scsi_identify_device(pages);
	/* what stands in VPD 89h the bridge has read, once */
	bool drive_answers = own && strcmp(own->source, "VPD 89h") != 0;

	scsi_read_inquiry(facts, pages, bridged);
	scsi_read_capacity(facts, pages);
	scsi_read_vpd(facts, pages, bridged);
	/* what else a controller says it has made up; a bridge's translation counts where the drive
	 * behind it cannot be asked */
	if (drive_answers || scsi_pages_raid_volume(pages))
		return;
	scsi_read_modes(facts, pages);
	scsi_read_logs(facts, pages);
	scsi_read_sas_phys(facts, pages);
}
