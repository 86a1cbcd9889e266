/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of questions. First whether it is awake, with the one question that wakes nothing; then
 * who it is; then each page that it lists. What it does not list is not tried: old drives and bridges
 * hang on less. One that got no answer is the last. */
#include <errno.h>
#include <string.h>

#include "smart/ask_parts.h"
#include "smart/ata_parts.h"
#include "smart/bytes.h"
#include "smart/scsi_parts.h"

bool asking_go_on(const struct asking *a)
{
	return !a->silent;
}

const struct page *asking_put(struct asking *a, enum question_kind kind, uint32_t id, size_t size)
{
	const struct page *there = pages_find(a->pages, kind, id);
	int got;

	/* what the system kept may have changed since: asked anew but for what never changes */
	if (there && there->status == 0 && !strcmp(there->source, "command"))
		return there;
	if (a->silent)
		return NULL;
	memset(a->buffer, 0, size);
	got = a->asker->ask(a->asker->context, kind, id, a->buffer, size);
	a->silent = got == -ETIME || got == -ENODEV;
	if (got > (int)size)
		got = -EIO;
	if (got < 0 && there && there->status == 0)
		return there;
	pages_add(a->pages, kind, id, got < 0 ? got : 0, "command", a->buffer,
		got < 0 ? 0 : (size_t)got);
	return got < 0 ? NULL : pages_find(a->pages, kind, id);
}

/* ---- ATA -------------------------------------------------------------------------------------- */

/* 00h and 01h are standby; 40h and 41h that of a drive with a flash cache in front (ACS-5 7.3). */
static bool ata_asleep(const struct page *power)
{
	uint8_t state = power && power->length ? power->bytes[0] : 0xFF;

	return state <= 1 || state == 0x40;
}

/* Whether it may be asked more. */
static bool ata_awake(struct asking *a)
{
	const struct page *power = asking_put(a, ASK_ATA_POWER, 0, 1);

	return asking_go_on(a) && (a->wish->wake || !ata_asleep(power));
}

/* READ LOG EXT of pages that the log's own first page lists (device statistics, ACS-5 9.5.2). */
static void ask_statistics(struct asking *a)
{
	const struct page *list = asking_put(a, ASK_ATA_LOG, 0x04u << 16, 512);
	uint8_t pages[512];

	if (!list || list->length < 512 || list->bytes[2] != 0)
		return;
	memcpy(pages, list->bytes, sizeof(pages));
	for (size_t i = 0; i < pages[8] && i < 16; i++)
		if (pages[9 + i] >= 1 && pages[9 + i] <= 7)
			asking_put(a, ASK_ATA_LOG, 0x04u << 16 | pages[9 + i], 512);
}

/* General purpose logs by their directory: a word for each log, its length in sectors. 10h is not
 * among them, for reading it clears what it holds. */
static void ask_general_logs(struct asking *a, bool seagate)
{
	static const uint8_t logs[] = {0x03, 0x07, 0x0C, 0x11};
	const struct page *directory = asking_put(a, ASK_ATA_LOG, 0, 512);
	uint8_t lengths[512];

	if (!directory || directory->length < 512)
		return;
	memcpy(lengths, directory->bytes, sizeof(lengths));
	for (size_t i = 0; i < sizeof(logs); i++)
		if (le16(lengths + 2 * logs[i]))
			asking_put(a, ASK_ATA_LOG, (uint32_t)logs[i] << 16, 512);
	if (le16(lengths + 2 * 0x04))
		ask_statistics(a);
	/* a page of FARM is 32 sectors; the second one has the hours */
	if (seagate && le16(lengths + 2 * 0xA6) > 32) {
		asking_put(a, ASK_ATA_LOG, 0xA6u << 16, 512);
		asking_put(a, ASK_ATA_LOG, 0xA6u << 16 | 32, 512);
	}
}

static void ask_smart_logs(struct asking *a, const struct ata_abilities *able)
{
	/* old drives say in their SMART data alone which logs they keep (ACS-3 7.49.6) */
	const struct page *data = pages_answer(a->pages, ASK_ATA_SMART_DATA, 0, 512);

	if (able->error_log || (data && data->bytes[370] & 1u))
		asking_put(a, ASK_ATA_SMART_LOG, 0x01, 512);
	if (able->self_test_log || (data && data->bytes[367] & 0x10u))
		asking_put(a, ASK_ATA_SMART_LOG, 0x06, 512);
	if (able->sct)
		asking_put(a, ASK_ATA_SMART_LOG, 0xE0, 512);
}

static bool word_valid(uint16_t word)
{
	return word >> 14 == 1;
}

static struct ata_abilities abilities(const uint8_t *id)
{
	uint16_t w82 = le16(id + 164), w84 = le16(id + 168), w85 = le16(id + 170);
	uint16_t w87 = le16(id + 174), w206 = le16(id + 412);
	bool valid = word_valid(le16(id + 166));
	bool more = valid && word_valid(w84);

	return (struct ata_abilities){
		.smart = valid && (w82 & 1) && (w85 & 1),
		.error_log = more && (w84 & 1),
		.self_test_log = more && (w84 & 2),
		.general_logs = (more && (w84 & 0x20)) || (word_valid(w87) && (w87 & 0x20)),
		.sct = w206 != 0xFFFF && (w206 & 1),
		/* bytes of a word are swapped: "ST" begins the names of Seagate's models */
		.seagate = id[54] == 'T' && id[55] == 'S',
	};
}

/* SMART that is off stays off: its data are not asked for then. */
static void ask_ata_pages(struct asking *a)
{
	const struct page *identify = asking_put(a, ASK_ATA_IDENTIFY, 0, 512);
	struct ata_abilities able;

	if (!identify || identify->length < 512 || a->wish->identity_only)
		return;
	able = abilities(identify->bytes);
	if (able.smart) {
		asking_put(a, ASK_ATA_SMART_STATUS, 0, 1);
		asking_put(a, ASK_ATA_SMART_DATA, 0, 512);
		asking_put(a, ASK_ATA_SMART_THRESHOLDS, 0, 512);
		ask_smart_logs(a, &able);
	}
	if (able.general_logs)
		ask_general_logs(a, able.seagate);
}

static void ask_ata(struct asking *a)
{
	if (ata_awake(a))
		ask_ata_pages(a);
}

/* ---- NVMe ------------------------------------------------------------------------------------- */

static void ask_nvme(struct asking *a)
{
	asking_put(a, ASK_NVME_CONTROLLER, 0, 4096);
	asking_put(a, ASK_NVME_NAMESPACE, 0, 4096);
	if (!a->wish->identity_only)
		asking_put(a, ASK_NVME_LOG, 0x02, 512);
}

/* ---- SCSI, and what stands behind it ------------------------------------------------------------ */

static bool scsi_asleep(const struct page *ready)
{
	return ready && ready->length >= 3 && scsi_says_asleep(ready->bytes);
}

/* An ATA drive behind a bridge or SAS adapter: the page says so, or it bears the port's own name. */
static bool ata_behind(struct asking *a)
{
	const struct page *inquiry = pages_answer(a->pages, ASK_SCSI_INQUIRY, 0, 36);

	if (scsi_lists_vpd(a->pages, 0x89) || pages_answer(a->pages, ASK_SCSI_VPD, 0x89, 572))
		return true;
	if (inquiry && memcmp(inquiry->bytes + 8, "ATA     ", 8) == 0)
		return true;
	/* bridges say neither; one that is no ATA bridge refuses a question it does not know */
	return strcmp(a->wish->identity->transport, "usb") == 0;
}

static void ask_scsi(struct asking *a)
{
	const struct page *ready = asking_put(a, ASK_SCSI_READY, 0, 3);

	/* a node that the system knows nothing of: its driver alone knows that it is NVMe */
	if (!a->wish->identity->transport[0] && pages_find(a->pages, ASK_SCSI_READY, 0) &&
		pages_find(a->pages, ASK_SCSI_READY, 0)->status == -EOPNOTSUPP) {
		ask_nvme(a);
		return;
	}
	if (!asking_go_on(a) || (scsi_asleep(ready) && !a->wish->wake))
		return;
	asking_put(a, ASK_SCSI_INQUIRY, 0, 96);
	if (scsi_type(a->pages) < 0 || scsi_pages_raid_volume(a->pages))
		return;
	if (scsi_type(a->pages) != SCSI_DISK && scsi_type(a->pages) != SCSI_ZONED)
		return;
	ask_scsi_identity(a);
	if (ata_behind(a) && asking_go_on(a)) {
		if (!ata_awake(a))
			return;
		ask_ata_pages(a);
		if (pages_answer(a->pages, ASK_ATA_IDENTIFY, 0, 512))
			return;
	}
	if (!a->wish->identity_only)
		ask_scsi_health(a);
}

void smart_ask(struct pages *pages, const struct asker *asker, const struct smart_wish *wish)
{
	uint8_t buffer[ASK_BUFFER];
	struct asking a = {.pages = pages, .asker = asker, .wish = wish, .buffer = buffer};
	const struct identity *id = wish->identity;

	if (scsi_raid_volume(id->vendor, id->model_name))
		return;
	if (strcmp(id->transport, "nvme") == 0)
		ask_nvme(&a);
	else if (strcmp(id->transport, "sata") == 0 || strcmp(id->transport, "ata") == 0)
		ask_ata(&a);
	else
		ask_scsi(&a);
}
