/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lengths asked for are those that old drives and bridges are known to bear: at most 252 bytes at
 * first, more only of a page that says it is longer. */
#include <errno.h>
#include <string.h>

#include "question_inside.h"

#define SHORT_BYTES  252u /* a multiple of 4 that one byte holds: SCSI-2 lengths are one byte */
#define HEADER_TEN   8u   /* of MODE SENSE(10) */
#define HEADER_SIX   4u

static void put_be(uint8_t *at, size_t n, uint32_t value)
{
	while (n--) {
		at[n] = (uint8_t)value;
		value >>= 8;
	}
}

static int ask_scsi(struct asked *a, const uint8_t *cdb, size_t length, uint8_t *buffer, size_t size,
	struct sense *sense)
{
	struct exchange x = {.data = buffer, .size = (unsigned)size, .length = (uint8_t)length};
	int status;

	memcpy(x.cdb, cdb, length);
	status = question_exchange(a, &x);
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

int question_scsi(struct asked *a, enum question_kind kind, uint32_t id, uint8_t *buffer, size_t size)
{
	switch (kind) {
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
