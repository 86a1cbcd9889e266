/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Identify and Get Log Page (NVM Express 2.0, 5.17 and 5.16). */
#include <errno.h>
#include <string.h>

#include "question_inside.h"

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

int question_nvme(struct asked *a, enum question_kind kind, uint32_t id, uint8_t *buffer, size_t size)
{
	switch (kind) {
	case ASK_NVME_CONTROLLER: return ask_identify_nvme(a, true, buffer, size);
	case ASK_NVME_NAMESPACE: return ask_identify_nvme(a, false, buffer, size);
	case ASK_NVME_LOG: return ask_nvme_log(a, id, buffer, size);
	default: return -EOPNOTSUPP;
	}
}
