/* SPDX-License-Identifier: GPL-2.0-or-later */
/* ATA commands in ATA PASS-THROUGH(16), or (12) where a bridge takes no longer one (SAT-5). */
#include <errno.h>
#include <string.h>

#include "question_inside.h"

struct ata {
	uint8_t command, feature;
	bool extend;
	unsigned sectors; /* coming in; 0: no data, the registers are wanted */
	uint8_t low, mid, high, page_high;
};

static void pack(struct exchange *x, const struct ata *c, bool in_twelve)
{
	uint8_t *b = x->cdb;

	memset(b, 0, sizeof(x->cdb));
	x->length = in_twelve ? 12 : 16;
	b[0] = in_twelve ? 0xA1 : 0x85;
	b[1] = (uint8_t)((c->sectors ? 4 : 3) << 1 | c->extend);
	b[2] = c->sectors ? 0x0E : 0x20;
	if (in_twelve) {
		b[3] = c->feature;
		b[4] = (uint8_t)c->sectors;
		b[5] = c->low;
		b[6] = c->mid;
		b[7] = c->high;
		b[9] = c->command;
		return;
	}
	b[4] = c->feature;
	b[6] = (uint8_t)c->sectors;
	b[8] = c->low;
	b[9] = c->page_high;
	b[10] = c->mid;
	b[12] = c->high;
	b[14] = c->command;
}

static int ask_ata(struct asked *a, const struct ata *c, struct exchange *x)
{
	int status;

	if (!a->scope.ata)
		return -EOPNOTSUPP;
	if (a->short_ata && c->extend)
		return -EOPNOTSUPP;
	pack(x, c, a->short_ata);
	status = question_exchange(a, x);
	/* some USB bridges take no command of 16 bytes */
	if (status == -EOPNOTSUPP && !a->short_ata && x->sense.key == KEY_ILLEGAL &&
		x->sense.asc == 0x20 && c->command == 0xEC) {
		pack(x, c, true);
		status = question_exchange(a, x);
		a->short_ata = status > 0;
	}
	if (status >= 0 && x->sense.registers && x->sense.status & 1u)
		return -EOPNOTSUPP; /* the drive aborted it */
	return status;
}

static int ask_ata_data(struct asked *a, const struct ata *c, uint8_t *buffer, size_t size)
{
	struct exchange x = {.data = buffer};
	struct ata command = *c;
	int status;

	command.sectors = (unsigned)(size / QUESTION_SECTOR_BYTES);
	if (command.sectors > 32)
		command.sectors = 32;
	if (command.sectors == 0)
		return -EINVAL;
	if (!c->low && c->command != 0x2F && command.sectors > 1)
		command.sectors = 1;
	x.size = command.sectors * QUESTION_SECTOR_BYTES;
	status = ask_ata(a, &command, &x);
	if (status < 0)
		return status;
	return status < (int)QUESTION_SECTOR_BYTES ? -ENODATA : status;
}

static int ask_identify(struct asked *a, uint8_t *buffer, size_t size)
{
	static const struct ata identify = {.command = 0xEC};
	int status = ask_ata_data(a, &identify, buffer, size < QUESTION_SECTOR_BYTES ? size : QUESTION_SECTOR_BYTES);

	if (status < (int)QUESTION_SECTOR_BYTES)
		return status;
	if (question_all_zero(buffer, QUESTION_SECTOR_BYTES))
		return -ENODATA;
	/* word 27 begins the model, its first letter in the upper byte: "ST…" */
	a->scope.farm = buffer[55] == 'S' && buffer[54] == 'T';
	return status;
}

static int ask_power(struct asked *a, uint8_t *buffer)
{
	static const struct ata power = {.command = 0xE5};
	struct exchange x = {0};
	int status = ask_ata(a, &power, &x);

	if (status < 0)
		return status;
	if (!x.sense.registers)
		return -ENODATA;
	buffer[0] = x.sense.count;
	return 1;
}

static int ask_smart_status(struct asked *a, uint8_t *buffer)
{
	static const struct ata ask = {.command = 0xB0, .feature = 0xDA, .mid = 0x4F, .high = 0xC2};
	struct exchange x = {0};
	int status = ask_ata(a, &ask, &x);

	if (status < 0)
		return status;
	status = sense_smart_status(&x.sense);
	if (status < 0)
		return -ENODATA;
	buffer[0] = (uint8_t)status;
	return 1;
}

static int ask_smart(struct asked *a, uint8_t feature, uint32_t id, uint8_t *buffer, size_t size)
{
	struct ata c = {.command = 0xB0, .feature = feature, .low = (uint8_t)id, .mid = 0x4F,
		.high = 0xC2};

	return id > 0xFF ? -EINVAL : ask_ata_data(a, &c, buffer, size);
}

static int ask_log_ext(struct asked *a, uint32_t id, uint8_t *buffer, size_t size)
{
	struct ata c = {.command = 0x2F, .extend = true, .low = (uint8_t)(id >> 16),
		.mid = (uint8_t)id, .page_high = (uint8_t)(id >> 8)};

	return id >> 24 ? -EINVAL : ask_ata_data(a, &c, buffer, size);
}

int question_ata(struct asked *a, enum question_kind kind, uint32_t id, uint8_t *buffer, size_t size)
{
	switch (kind) {
	case ASK_ATA_IDENTIFY: return ask_identify(a, buffer, size);
	case ASK_ATA_POWER: return ask_power(a, buffer);
	case ASK_ATA_SMART_STATUS: return ask_smart_status(a, buffer);
	case ASK_ATA_SMART_DATA: return ask_smart(a, 0xD0, 0, buffer, size);
	case ASK_ATA_SMART_THRESHOLDS: return ask_smart(a, 0xD1, 0, buffer, size);
	case ASK_ATA_SMART_LOG: return ask_smart(a, 0xD5, id, buffer, size);
	case ASK_ATA_LOG: return ask_log_ext(a, id, buffer, size);
	default: return -EOPNOTSUPP;
	}
}
