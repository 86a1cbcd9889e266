/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each kind of question has a function that fills in the command (question_ata.c and its kin); here
 * it is sent and how it ended is sorted. */
#include "question.h"

#include <errno.h>
#include <string.h>

#include "question_inside.h"
#include "sense.h"

#define TRIES        3    /* a unit attention tells of a reset that was, and the command was not done */

enum { HOST_NO_CONNECT = 1, HOST_TIME_OUT = 3, DRIVER_TIMEOUT = 6 };

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

bool question_all_zero(const uint8_t *bytes, size_t n)
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
	if ((unsigned)h.resid == x->size && !question_all_zero(x->data, x->size))
		return (int)x->size;
	return (int)(x->size - (unsigned)h.resid);
}

int question_exchange(struct asked *a, struct exchange *x)
{
	int status = -EAGAIN;

	for (int i = 0; i < TRIES && status == -EAGAIN; i++)
		status = exchange_once(a, x);
	return status == -EAGAIN ? -EIO : status;
}

int question_ask(struct asked *a, enum question_kind kind, uint32_t id, uint8_t *buffer, size_t size)
{
	if (size == 0)
		return -EINVAL;
	if (a->door == COMMAND_DOOR_NVME)
		return question_nvme(a, kind, id, buffer, size);
	if (a->door != COMMAND_DOOR_SCSI)
		return -EOPNOTSUPP;
	return kind <= ASK_ATA_LOG ? question_ata(a, kind, id, buffer, size)
				   : question_scsi(a, kind, id, buffer, size);
}
