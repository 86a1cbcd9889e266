/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All parts in the order in which they are trusted: an ATA drive's own words before those of what
 * stands in between. IDENTIFY data that a bridge hands over in its vital product data count as the
 * drive's, when the drive itself was not asked. */
#include "smart/smart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "smart/scsi_parts.h"

static void read_ready(struct facts *facts, const struct pages *pages)
{
	const struct page *ready = pages_answer(pages, ASK_SCSI_READY, 0, 3);

	if (ready && !pages_find(pages, ASK_ATA_POWER, 0))
		facts_flag(facts, "TEST UNIT READY",
			scsi_says_asleep(ready->bytes), "platter.asleep");
}

/* An ATA drive has told it already, whatever stands in between. */
static void read_protocol(struct facts *facts, const struct pages *pages)
{
	if (facts_find(facts, "device.protocol"))
		return;
	if (pages_answer(pages, ASK_NVME_CONTROLLER, 0, 1))
		facts_text(facts, "Identify", FACT_OPEN, "NVMe", "device.protocol");
	else if (pages_answer(pages, ASK_SCSI_INQUIRY, 0, 1))
		facts_text(facts, "INQUIRY", FACT_OPEN, "SCSI", "device.protocol");
}

void smart_read(struct facts *facts, const struct pages *pages, uint64_t size_bytes)
{
	const uint8_t *handed = pages_answer(pages, ASK_ATA_IDENTIFY, 0, 512)
		? NULL : scsi_identify_device(pages);
	/* the same answers and one more; the bytes stay with whom they belong to */
	struct pages all = {.n = pages->n, .capacity = pages->n + 1};

	all.pages = mem_zalloc(all.capacity, sizeof(*all.pages));
	if (pages->n)
		memcpy(all.pages, pages->pages, pages->n * sizeof(*all.pages));
	if (handed) {
		all.pages[all.n++] = (struct page){.kind = ASK_ATA_IDENTIFY, .source = "VPD 89h",
			.bytes = (uint8_t *)handed, .length = 512};
		/* the place of one that was asked for in vain */
		for (size_t i = 0; i + 1 < all.n; i++)
			if (all.pages[i].kind == ASK_ATA_IDENTIFY)
				all.pages[i] = all.pages[all.n - 1];
	}
	smart_read_ata(facts, &all, size_bytes);
	smart_read_nvme(facts, &all);
	smart_read_scsi(facts, &all);
	read_ready(facts, &all);
	read_protocol(facts, &all);
	free(all.pages);
}

static void fill_text(char *dst, size_t size, const struct facts *facts, const char *path)
{
	if (!dst[0])
		snprintf(dst, size, "%s", facts_words(facts, path));
}

static void fill_number(uint32_t *dst, const struct facts *facts, const char *path)
{
	double value = facts_number(facts, path);

	if (!*dst && value > 0 && value <= UINT32_MAX)
		*dst = (uint32_t)value;
}

void smart_fill_identity(struct identity *id, const struct facts *facts)
{
	double bytes = facts_number(facts, "user_capacity.bytes");

	fill_text(id->model_name, sizeof(id->model_name), facts, "model_name");
	fill_text(id->serial_number, sizeof(id->serial_number), facts, "serial_number");
	fill_text(id->firmware_version, sizeof(id->firmware_version), facts, "firmware_version");
	fill_text(id->wwn, sizeof(id->wwn), facts, "logical_unit_id");
	fill_text(id->vendor, sizeof(id->vendor), facts, "scsi_vendor");
	fill_number(&id->reported_rpm, facts, "rotation_rate");
	fill_number(&id->logical_block_bytes, facts, "logical_block_size");
	fill_number(&id->physical_block_bytes, facts, "physical_block_size");
	if (!id->size_bytes && bytes > 0 && bytes < 0x1p63)
		id->size_bytes = (uint64_t)bytes;
}
