/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tables of what may be sent, and the only ioctl() calls of this program that send a command. A
 * byte that no rule speaks of must be zero. ATA commands inside a SCSI one (SAT-5, ATA PASS-THROUGH
 * (12) and (16)) are unpacked into registers first, so that one table serves both forms; ACS-5 names
 * the commands, SPC-5 and SBC-4 the SCSI ones, NVM Express 2.0 the rest. */
#include "command.h"

#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>

#define SECTOR_BYTES 512u

enum { PIO_IN = 4, NON_DATA = 3 };     /* protocols of SAT */
enum { READ_LOG_EXT = 0x2F, SMART = 0xB0, CHECK_POWER = 0xE5, IDENTIFY = 0xEC };
enum { SMART_READ_LOG = 0xD5, LOG_FARM = 0xA6 };

/* The registers of an ATA command. */
struct registers {
	unsigned protocol;
	bool extend;
	unsigned flags; /* byte 2 of the command that carries them */
	unsigned feature, count, device, command;
	uint64_t lba;
};

static unsigned be(const uint8_t *bytes, size_t n)
{
	unsigned value = 0;

	for (size_t i = 0; i < n; i++)
		value = value << 8 | bytes[i];
	return value;
}

static bool unpack(struct registers *r, const uint8_t *c)
{
	*r = (struct registers){.protocol = c[1] >> 1 & 15u, .extend = c[1] & 1u, .flags = c[2]};
	if (c[1] & 0xE0u) /* more than one command */
		return false;
	if (c[0] == 0x85) {
		r->feature = be(c + 3, 2);
		r->count = be(c + 5, 2);
		r->lba = (uint64_t)c[11] << 40 | (uint64_t)c[9] << 32 | (uint64_t)c[7] << 24 |
			(uint64_t)c[12] << 16 | (uint64_t)c[10] << 8 | c[8];
		r->device = c[13];
		r->command = c[14];
		return !c[15] && (r->extend || !(c[3] | c[5] | c[7] | c[9] | c[11]));
	}
	r->feature = c[3];
	r->count = c[4];
	r->lba = (uint64_t)c[7] << 16 | (uint64_t)c[6] << 8 | c[5];
	r->device = c[8];
	r->command = c[9];
	return !c[10] && !c[11] && !r->extend;
}

static bool is_in(unsigned value, const uint8_t *list, size_t n)
{
	return value <= 0xFF && memchr(list, (int)value, n) != NULL;
}

/* Which logs, and how many sectors of one at a time. */
static bool log_allowed(const struct registers *r, const struct command_scope *scope)
{
	static const uint8_t smart[] = {0x00, 0x01, 0x04, 0x06, 0xE0};
	static const uint8_t general[] = {0x00, 0x02, 0x03, 0x04, 0x07, 0x0C, 0x11, 0x30};
	unsigned log = r->lba & 0xFF;

	if (r->count < 1 || r->count > 32)
		return false;
	if (r->command == SMART)
		return is_in(log, smart, sizeof(smart));
	return is_in(log, general, sizeof(general)) || (log == LOG_FARM && scope->farm);
}

static const struct ata_rule {
	uint8_t command, feature;
	bool data;         /* coming in; else none */
	bool log;          /* the low byte of the address names one */
	uint64_t lba;      /* what the address must be, */
	uint64_t lba_free; /* but for these bits */
} ata_rules[] = {
	{IDENTIFY, 0x00, true, false, 0, 0},
	{CHECK_POWER, 0x00, false, false, 0, 0},
	{SMART, 0xD0, true, false, 0xC24F00, 0},               /* READ DATA */
	{SMART, 0xD1, true, false, 0xC24F00, 0},               /* READ THRESHOLDS */
	{SMART, SMART_READ_LOG, true, true, 0xC24F00, 0xFF},
	{SMART, 0xDA, false, false, 0xC24F00, 0},              /* RETURN STATUS */
	{READ_LOG_EXT, 0x00, true, true, 0, 0xFF0000FFFF},     /* page, 16 bits in two places */
};

/* T_DIR in, BYT_BLOK, T_LENGTH in the count; or CK_COND alone: give the registers back. */
enum { FLAGS_IN = 0x0E, FLAGS_NONE = 0x20 };

static bool ata_allowed(const uint8_t *cdb, size_t length, bool in,
	const struct command_scope *scope)
{
	struct registers r;

	if (!scope->ata || !unpack(&r, cdb) || r.device)
		return false;
	for (size_t i = 0; i < sizeof(ata_rules) / sizeof(ata_rules[0]); i++) {
		const struct ata_rule *a = &ata_rules[i];

		if (r.command != a->command || r.feature != a->feature)
			continue;
		return in == a->data && r.protocol == (a->data ? PIO_IN : NON_DATA) &&
			r.flags == (a->data ? FLAGS_IN : FLAGS_NONE) &&
			r.extend == (r.command == READ_LOG_EXT) &&
			(r.lba & ~a->lba_free) == a->lba &&
			length == r.count * SECTOR_BYTES &&
			(a->log ? log_allowed(&r, scope) : r.count == a->data);
	}
	return false;
}

/* EVPD, or the standard data; a page code is without meaning there. */
static bool inquiry_allowed(const uint8_t *c, size_t length)
{
	return c[1] <= 1 && (c[1] || !c[2]) && be(c + 3, 2) == length && !c[5];
}

/* Current values (PC 0) of pages known to hold only settings; block descriptors as they come. */
static bool mode_sense_allowed(const uint8_t *c, size_t length)
{
	static const uint8_t pages[] = {0x01, 0x04, 0x08, 0x0A, 0x19, 0x1A, 0x1C, 0x3F};
	bool ten = c[0] == 0x5A;
	unsigned size = ten ? be(c + 7, 2) : c[4];

	return (c[1] & ~8u) == 0 && is_in(c[2], pages, sizeof(pages)) && !c[3] && size == length &&
		(ten ? !(c[4] | c[5] | c[6] | c[9]) : !c[5]);
}

/* Cumulative values (PC 1), nothing saved (SP 0), from the first parameter on. */
static bool log_sense_allowed(const uint8_t *c, size_t length)
{
	static const uint16_t pages[] = {0x0000, 0x00FF, 0x0200, 0x0300, 0x0500, 0x0600, 0x0D00,
		0x0D01, 0x0E00, 0x0E01, 0x1000, 0x1100, 0x1500, 0x1501, 0x1800, 0x1900, 0x2F00,
		0x3E00};
	unsigned page = (c[2] & 0x3Fu) << 8 | c[3];

	if (c[1] || c[2] >> 6 != 1 || c[4] | c[5] | c[6] | c[9] || be(c + 7, 2) != length)
		return false;
	for (size_t i = 0; i < sizeof(pages) / sizeof(pages[0]); i++)
		if (pages[i] == page)
			return true;
	return false;
}

static bool capacity_allowed(const uint8_t *c, size_t length)
{
	static const uint8_t form[16] = {0x9E, 0x10, [13] = 32};

	return length == 32 && memcmp(c, form, sizeof(form)) == 0;
}

/* The grown list alone, whatever form of address it is in, and no more of it than its header. */
static bool defects_allowed(const uint8_t *c, size_t length)
{
	static const uint8_t ten[10] = {0x37, [2] = 8, [8] = 4};
	static const uint8_t twelve[12] = {0xB7, [1] = 8, [9] = 8};
	uint8_t form[12];
	size_t n = c[0] == 0x37 ? 10 : 12, at = c[0] == 0x37 ? 2 : 1;

	memcpy(form, c, n);
	form[at] &= 0xF8;
	return length == (c[0] == 0x37 ? 4 : 8) &&
		memcmp(form, c[0] == 0x37 ? ten : twelve, n) == 0;
}

static bool ready_allowed(const uint8_t *c)
{
	static const uint8_t form[6] = {0};

	return memcmp(c, form, sizeof(form)) == 0;
}

static bool cdb_allowed(const uint8_t *c, size_t n, size_t length, bool in,
	const struct command_scope *scope)
{
	switch (c[0]) {
	case 0x00: return n == 6 && !in && ready_allowed(c);
	case 0x12: return n == 6 && in && inquiry_allowed(c, length);
	case 0x1A: return n == 6 && in && mode_sense_allowed(c, length);
	case 0x37: return n == 10 && in && defects_allowed(c, length);
	case 0x4D: return n == 10 && in && log_sense_allowed(c, length);
	case 0x5A: return n == 10 && in && mode_sense_allowed(c, length);
	case 0x85: return n == 16 && ata_allowed(c, length, in, scope);
	case 0x9E: return n == 16 && in && capacity_allowed(c, length);
	case 0xA1: return n == 12 && ata_allowed(c, length, in, scope);
	case 0xB7: return n == 12 && in && defects_allowed(c, length);
	default: return false;
	}
}

bool command_scsi_allowed(const struct sg_io_hdr *h, const struct command_scope *scope)
{
	bool in = h->dxfer_direction == SG_DXFER_FROM_DEV;

	if (h->interface_id != 'S' || !h->cmdp || h->iovec_count || h->flags || h->pack_id ||
		h->timeout != COMMAND_LIMIT_MS)
		return false;
	if (in ? !h->dxferp || !h->dxfer_len
	       : h->dxfer_direction != SG_DXFER_NONE || h->dxfer_len || h->dxferp)
		return false;
	return h->cmd_len >= 6 && h->cmd_len <= 16 &&
		cdb_allowed(h->cmdp, h->cmd_len, h->dxfer_len, in, scope);
}

/* Identify of the controller or of one namespace; logs 02h and 06h, with "retain event" set, so
 * that reading clears nothing. */
bool command_nvme_allowed(const struct nvme_admin_cmd *c)
{
	unsigned words = c->data_len / 4, log = c->cdw10 & 0xFF;

	if (c->flags || c->rsvd1 || c->cdw2 || c->cdw3 || c->metadata || c->metadata_len ||
		!c->addr || c->cdw11 || c->cdw12 || c->cdw13 || c->cdw14 || c->cdw15 ||
		c->timeout_ms != COMMAND_LIMIT_MS)
		return false;
	if (c->opcode == 0x06)
		return c->data_len == 4096 &&
			((c->cdw10 == 1 && c->nsid == 0) ||
				(c->cdw10 == 0 && c->nsid != 0 && c->nsid != 0xFFFFFFFFu));
	return c->opcode == 0x02 && c->nsid == 0xFFFFFFFFu && (log == 0x02 || log == 0x06) &&
		words >= 1 && words <= 0x400 && c->data_len % 4 == 0 &&
		c->cdw10 == (log | 1u << 15 | (words - 1) << 16);
}

int command_scsi(int fd, struct sg_io_hdr *header, const struct command_scope *scope)
{
	if (!command_scsi_allowed(header, scope))
		return -EPERM;
	return ioctl(fd, SG_IO, header) < 0 ? -errno : 0;
}

int command_nvme(int fd, struct nvme_admin_cmd *command)
{
	int status;

	if (!command_nvme_allowed(command))
		return -EPERM;
	status = ioctl(fd, NVME_IOCTL_ADMIN_CMD, command);
	return status < 0 ? -errno : status;
}

enum command_door command_door_of(int fd, uint32_t *nsid)
{
	int version = 0, id = ioctl(fd, NVME_IOCTL_ID);

	*nsid = id > 0 ? (uint32_t)id : 0;
	if (id > 0)
		return COMMAND_DOOR_NVME;
	return ioctl(fd, SG_GET_VERSION_NUM, &version) == 0 && version >= 30000 ? COMMAND_DOOR_SCSI
		: COMMAND_DOOR_NONE;
}
