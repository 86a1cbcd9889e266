/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of question.c share. */
#ifndef PLATFORM_LINUX_QUESTION_INSIDE_H
#define PLATFORM_LINUX_QUESTION_INSIDE_H

#include "question.h"
#include "sense.h"

#define QUESTION_SECTOR_BYTES 512u

enum { KEY_NONE, KEY_RECOVERED, KEY_NOT_READY, KEY_ILLEGAL = 5, KEY_ATTENTION, KEY_ABORTED = 11 };

struct exchange {
	uint8_t cdb[16];
	uint8_t length;     /* of the command */
	uint8_t *data;      /* NULL: none */
	unsigned size;
	uint8_t sense_bytes[64];
	struct sense sense; /* how it ended */
};

/* Sends it, again after a unit attention. The count of bytes that came, or negative errno. */
int question_exchange(struct asked *a, struct exchange *x);
bool question_all_zero(const uint8_t *bytes, size_t n);

/* One kind of question each, as question_ask(). */
int question_ata(struct asked *a, enum question_kind kind, uint32_t id, uint8_t *buffer, size_t size);
int question_scsi(struct asked *a, enum question_kind kind, uint32_t id, uint8_t *buffer, size_t size);
int question_nvme(struct asked *a, enum question_kind kind, uint32_t id, uint8_t *buffer, size_t size);

#endif
