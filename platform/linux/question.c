/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each kind of question has a function that fills in the command; one function sends it and sorts
 * how it ended. Lengths asked for are those that old drives and bridges are known to bear: at most
 * 252 bytes at first, more only of a page that says it is longer. */
#include "question.h"

#include <errno.h>
#include <string.h>

#include "sense.h"

#define SECTOR_BYTES 512u
#define SHORT_BYTES  252u /* a multiple of 4 that one byte holds: SCSI-2 lengths are one byte */
#define HEADER_TEN   8u   /* of MODE SENSE(10) */
#define HEADER_SIX   4u
#define TRIES        3    /* a unit attention tells of a reset that was, and the command was not done */

enum { HOST_NO_CONNECT = 1, HOST_TIME_OUT = 3, DRIVER_TIMEOUT = 6 };
enum { KEY_NONE, KEY_RECOVERED, KEY_NOT_READY, KEY_ILLEGAL = 5, KEY_ATTENTION, KEY_ABORTED = 11 };

struct exchange {
	uint8_t cdb[16];
	uint8_t length;     /* of the command */
	uint8_t *data;      /* NULL: none */
	unsigned size;
	uint8_t sense_bytes[64];
	struct sense sense; /* how it ended */
};

static int verdict(const struct sg_io_hdr *h, const struct exchange *x)
{
	if (h->host_status == HOST_TIME_OUT || (h->driver_status & 15u) == DRIVER_TIMEOUT)
		return -ETIME;
	if (h->host_status == HOST_NO_CONNECT)
		return -ENODEV;
	if (x->sense.there && x->sense.key > KEY_RECOVERED) {
		if (x->sense.key == KEY_NOT_READY && x->sense.asc == 0x3A)
			return -ENOMEDIUM;
		if (x->sense.key == KEY_ATTENTION)
			return -EAGAIN;
		return x->sense.key == KEY_ILLEGAL ||
				(x->sense.key == KEY_ABORTED && x->cdb[0] >= 0x80)
			? -EOPNOTSUPP : -EIO;
	}
	if (h->host_status || (h->status & 0x3E && !x->sense.there))
		return -EIO;
	return 0;
}

static bool all_zero(const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (bytes[i])
			return false;
	return true;
}

/* The count of bytes that came, or negative errno. */
static int exchange_once(struct asked *a, struct exchange *x)
{
	struct sg_io_hdr h = {.interface_id = 'S', .timeout = COMMAND_LIMIT_MS};
	int status;

	h.cmdp = x->cdb;
	h.cmd_len = x->length;
	h.sbp = x->sense_bytes;
	h.mx_sb_len = sizeof(x->sense_bytes);
	h.dxfer_direction = x->size ? SG_DXFER_FROM_DEV : SG_DXFER_NONE;
	h.dxfer_len = x->size;
	h.dxferp = x->size ? x->data : NULL;
	if (x->size)
		memset(x->data, 0, x->size);
	memset(x->sense_bytes, 0, sizeof(x->sense_bytes));
	status = command_scsi(a->fd, &h, &a->scope);
	if (status)
		return status;
	sense_read(&x->sense, x->sense_bytes,
		h.sb_len_wr < sizeof(x->sense_bytes) ? h.sb_len_wr : sizeof(x->sense_bytes));
	status = verdict(&h, x);
	if (status)
		return status;
	if (h.resid <= 0 || (unsigned)h.resid > x->size)
		return (int)x->size;
	/* some bridges say that nothing came when all did */
	if ((unsigned)h.resid == x->size && !all_zero(x->data, x->size))
		return (int)x->size;
	return (int)(x->size - (unsigned)h.resid);
}

static int exchange(struct asked *a, struct exchange *x)
{
	int status = -EAGAIN;

	for (int i = 0; i < TRIES && status == -EAGAIN; i++)
		status = exchange_once(a, x);
	return status == -EAGAIN ? -EIO : status;
}

static void put_be(uint8_t *at, size_t n, uint32_t value)
{
	while (n--) {
		at[n] = (uint8_t)value;
		value >>= 8;
	}
}

/* ---- ATA ------------------------------------------------------------------------------------ */

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
	status = exchange(a, x);
	/* some USB bridges take no command of 16 bytes */
	if (status == -EOPNOTSUPP && !a->short_ata && x->sense.key == KEY_ILLEGAL &&
		x->sense.asc == 0x20 && c->command == 0xEC) {
		pack(x, c, true);
		status = exchange(a, x);
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

	command.sectors = (unsigned)(size / SECTOR_BYTES);
	if (command.sectors > 32)
		command.sectors = 32;
	if (command.sectors == 0)
		return -EINVAL;
	if (!c->low && c->command != 0x2F && command.sectors > 1)
		command.sectors = 1;
	x.size = command.sectors * SECTOR_BYTES;
	status = ask_ata(a, &command, &x);
	if (status < 0)
		return status;
	return status < (int)SECTOR_BYTES ? -ENODATA : status;
}

static int ask_identify(struct asked *a, uint8_t *buffer, size_t size)
{
	static const struct ata identify = {.command = 0xEC};
	int status = ask_ata_data(a, &identify, buffer, size < SECTOR_BYTES ? size : SECTOR_BYTES);

	if (status < (int)SECTOR_BYTES)
		return status;
	if (all_zero(buffer, SECTOR_BYTES))
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

/* ---- SCSI ----------------------------------------------------------------------------------- */

static int ask_scsi(struct asked *a, const uint8_t *cdb, size_t length, uint8_t *buffer, size_t size,
	struct sense *sense)
{
	struct exchange x = {.data = buffer, .size = (unsigned)size, .length = (uint8_t)length};
	int status;

	memcpy(x.cdb, cdb, length);
	status = exchange(a, &x);
	if (sense)
		*sense = x.sense;
	return status;
}

void question_learn_type(struct asked *a, const uint8_t *inquiry, size_t length)
{
	unsigned type = length ? inquiry[0] & 0x1Fu : 0x1F;

	a->scope.ata = type == 0x00 || type == 0x14;
}

static int ask_inquiry(struct asked *a, bool vpd, uint32_t page, uint8_t *buffer, size_t size)
{
	uint8_t cdb[6] = {0x12, vpd, (uint8_t)page};
	/* 36 bytes is what every device answers; 89h is 572 long in whole */
	size_t most = !vpd ? 36 : page == 0x89 ? 572 : SHORT_BYTES;
	int status;

	if (page > 0xFF)
		return -EINVAL;
	if (size > most)
		size = most;
	put_be(cdb + 3, 2, (uint32_t)size);
	status = ask_scsi(a, cdb, sizeof(cdb), buffer, size, NULL);
	/* who does not know the page may answer with the standard data all the same */
	if (status > 1 && vpd && buffer[1] != page)
		return -ENODATA;
	return status;
}

static int ask_capacity(struct asked *a, uint8_t *buffer, size_t size)
{
	static const uint8_t cdb[16] = {0x9E, 0x10, [13] = 32};

	return size < 32 ? -EINVAL : ask_scsi(a, cdb, sizeof(cdb), buffer, 32, NULL);
}

static int mode_ten(struct asked *a, uint32_t id, uint8_t *buffer, size_t size, struct sense *sense)
{
	uint8_t cdb[10] = {0x5A, 0, (uint8_t)(id >> 8), (uint8_t)id};

	put_be(cdb + 7, 2, (uint32_t)size);
	return ask_scsi(a, cdb, sizeof(cdb), buffer, size, sense);
}

/* The same with the short header, made into the long one. */
static int mode_six(struct asked *a, uint32_t id, uint8_t *buffer, size_t size)
{
	uint8_t cdb[6] = {0x1A, 0, (uint8_t)(id >> 8), (uint8_t)id, SHORT_BYTES};
	uint8_t six[SHORT_BYTES], head[HEADER_TEN] = {0};
	int got = ask_scsi(a, cdb, sizeof(cdb), six, sizeof(six), NULL);
	size_t body;

	if (got < 0)
		return got;
	if (got < (int)HEADER_SIX)
		return -ENODATA;
	body = (size_t)got - HEADER_SIX;
	if (body > size - HEADER_TEN)
		body = size - HEADER_TEN;
	put_be(head, 2, six[0] + 3u);
	head[2] = six[1];
	head[3] = six[2];
	head[7] = six[3];
	memcpy(buffer, head, HEADER_TEN);
	memcpy(buffer + HEADER_TEN, six + HEADER_SIX, body);
	return (int)(body + HEADER_TEN);
}

static int ask_mode(struct asked *a, uint32_t id, uint8_t *buffer, size_t size)
{
	struct sense sense = {0};
	int status;

	if (id >> 14 || size < HEADER_TEN)
		return -EINVAL;
	if (a->short_mode)
		return mode_six(a, id, buffer, size);
	status = mode_ten(a, id, buffer, size < SHORT_BYTES ? size : SHORT_BYTES, &sense);
	if (status != -EOPNOTSUPP || sense.asc != 0x20)
		return status;
	status = mode_six(a, id, buffer, size);
	a->short_mode = status >= 0;
	return status;
}

static int log_sense(struct asked *a, uint32_t id, uint8_t *buffer, size_t size)
{
	uint8_t cdb[10] = {0x4D, 0, (uint8_t)(0x40 | id >> 8), (uint8_t)id};

	put_be(cdb + 7, 2, (uint32_t)size);
	return ask_scsi(a, cdb, sizeof(cdb), buffer, size, NULL);
}

static int ask_log(struct asked *a, uint32_t id, uint8_t *buffer, size_t size)
{
	size_t whole;
	int got, again;

	if (id >> 14 || size < 4)
		return -EINVAL;
	got = log_sense(a, id, buffer, size < SHORT_BYTES ? size : SHORT_BYTES);
	if (got < 4)
		return got < 0 ? got : -ENODATA;
	if ((buffer[0] & 0x3Fu) != id >> 8)
		return -ENODATA;
	whole = 4u + ((size_t)buffer[2] << 8 | buffer[3]);
	whole += whole & 1u; /* odd lengths are not for every host adapter */
	if (whole > size)
		whole = size;
	if (whole <= (size_t)got || got < (int)SHORT_BYTES)
		return got;
	again = log_sense(a, id, buffer, whole > 0xFFFE ? 0xFFFE : whole);
	return again;
}

static int ask_defects(struct asked *a, uint8_t *buffer, size_t size)
{
	/* the grown list, addresses as bytes from index: what disks answer best */
	static const uint8_t twelve[12] = {0xB7, 0x0C, [9] = 8};
	static const uint8_t ten[10] = {0x37, 0, 0x0C, [8] = 4};
	int status;

	if (size < 8)
		return -EINVAL;
	status = ask_scsi(a, twelve, sizeof(twelve), buffer, 8, NULL);
	return status == -EOPNOTSUPP ? ask_scsi(a, ten, sizeof(ten), buffer, 4, NULL) : status;
}

static int ask_ready(struct asked *a, uint8_t *buffer, size_t size)
{
	static const uint8_t cdb[6] = {0};
	struct sense sense = {0};
	int status;

	if (size < 3)
		return -EINVAL;
	status = ask_scsi(a, cdb, sizeof(cdb), NULL, 0, &sense);
	if (status < 0 && !sense.there)
		return status;
	buffer[0] = sense.key;
	buffer[1] = sense.asc;
	buffer[2] = sense.ascq;
	return 3;
}

/* ---- NVMe ----------------------------------------------------------------------------------- */

static int admin(struct asked *a, struct nvme_admin_cmd *c, uint8_t *buffer, size_t length)
{
	int status;

	c->addr = (uint64_t)(uintptr_t)buffer;
	c->data_len = (uint32_t)length;
	c->timeout_ms = COMMAND_LIMIT_MS;
	memset(buffer, 0, length);
	status = command_nvme(a->fd, c);
	if (status == -EINTR || status == -ETIMEDOUT)
		return -ETIME;
	if (status < 0)
		return status == -EACCES ? -EACCES : status;
	switch (status & 0x7FF) {
	case 0: return (int)length;
	case 0x001:              /* invalid opcode */
	case 0x002:              /* invalid field */
	case 0x00B:              /* invalid namespace */
	case 0x109:              /* invalid log page */
		return -EOPNOTSUPP;
	default: return -EIO;
	}
}

static int ask_identify_nvme(struct asked *a, bool controller, uint8_t *buffer, size_t size)
{
	struct nvme_admin_cmd c = {.opcode = 0x06, .nsid = controller ? 0 : a->nsid,
		.cdw10 = controller};

	return size < 4096 ? -EINVAL : admin(a, &c, buffer, 4096);
}

static int ask_nvme_log(struct asked *a, uint32_t id, uint8_t *buffer, size_t size)
{
	size_t length = id == 0x02 ? 512 : size / 4 * 4;
	struct nvme_admin_cmd c = {.opcode = 0x02, .nsid = 0xFFFFFFFFu};

	if (size < 512 || id > 0xFF)
		return -EINVAL;
	if (length > 4096)
		length = 4096;
	c.cdw10 = id | 1u << 15 | (uint32_t)(length / 4 - 1) << 16;
	return admin(a, &c, buffer, length);
}

static int ask_door_nvme(struct asked *a, enum question_kind kind, uint32_t id, uint8_t *buffer,
	size_t size)
{
	switch (kind) {
	case ASK_NVME_CONTROLLER: return ask_identify_nvme(a, true, buffer, size);
	case ASK_NVME_NAMESPACE: return ask_identify_nvme(a, false, buffer, size);
	case ASK_NVME_LOG: return ask_nvme_log(a, id, buffer, size);
	default: return -EOPNOTSUPP;
	}
}

static int ask_door_scsi(struct asked *a, enum question_kind kind, uint32_t id, uint8_t *buffer,
	size_t size)
{
	switch (kind) {
	case ASK_ATA_IDENTIFY: return ask_identify(a, buffer, size);
	case ASK_ATA_POWER: return ask_power(a, buffer);
	case ASK_ATA_SMART_STATUS: return ask_smart_status(a, buffer);
	case ASK_ATA_SMART_DATA: return ask_smart(a, 0xD0, 0, buffer, size);
	case ASK_ATA_SMART_THRESHOLDS: return ask_smart(a, 0xD1, 0, buffer, size);
	case ASK_ATA_SMART_LOG: return ask_smart(a, 0xD5, id, buffer, size);
	case ASK_ATA_LOG: return ask_log_ext(a, id, buffer, size);
	case ASK_SCSI_INQUIRY: return ask_inquiry(a, false, 0, buffer, size);
	case ASK_SCSI_VPD: return ask_inquiry(a, true, id, buffer, size);
	case ASK_SCSI_CAPACITY: return ask_capacity(a, buffer, size);
	case ASK_SCSI_MODE: return ask_mode(a, id, buffer, size);
	case ASK_SCSI_LOG: return ask_log(a, id, buffer, size);
	case ASK_SCSI_DEFECTS: return ask_defects(a, buffer, size);
	case ASK_SCSI_READY: return ask_ready(a, buffer, size);
	default: return -EOPNOTSUPP;
	}
}

int question_ask(struct asked *a, enum question_kind kind, uint32_t id, uint8_t *buffer, size_t size)
{
	if (size == 0)
		return -EINVAL;
	return a->door == COMMAND_DOOR_NVME ? ask_door_nvme(a, kind, id, buffer, size)
		: a->door == COMMAND_DOOR_SCSI ? ask_door_scsi(a, kind, id, buffer, size)
		: -EOPNOTSUPP;
}
