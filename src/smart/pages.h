/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a drive answered about itself, byte by byte, and which question it was. The questions here
 * are all that platter ever asks a drive besides reading its sectors; none has data going out. */
#ifndef SMART_PAGES_H
#define SMART_PAGES_H

#include <stddef.h>
#include <stdint.h>

enum question_kind {
	ASK_ATA_IDENTIFY,         /* IDENTIFY DEVICE: 512 bytes */
	ASK_ATA_POWER,            /* CHECK POWER MODE: 1 byte, the count register */
	ASK_ATA_SMART_STATUS,     /* SMART RETURN STATUS: 1 byte, 1 good, 0 failed */
	ASK_ATA_SMART_DATA,       /* SMART READ DATA: 512 bytes */
	ASK_ATA_SMART_THRESHOLDS, /* SMART READ THRESHOLDS: 512 bytes */
	ASK_ATA_SMART_LOG,        /* SMART READ LOG, id: log address */
	ASK_ATA_LOG,              /* READ LOG EXT, id: log address << 16 | page */
	ASK_SCSI_INQUIRY,         /* standard INQUIRY */
	ASK_SCSI_VPD,             /* INQUIRY, id: page code */
	ASK_SCSI_CAPACITY,        /* READ CAPACITY(16): 32 bytes */
	ASK_SCSI_MODE,            /* MODE SENSE(10), id: page code << 8 | subpage */
	ASK_SCSI_LOG,             /* LOG SENSE, id: page code << 8 | subpage */
	ASK_SCSI_DEFECTS,         /* READ DEFECT DATA, grown list, its header only */
	ASK_SCSI_READY,           /* TEST UNIT READY: 3 bytes, sense key, ASC, ASCQ; all 0: ready */
	ASK_NVME_CONTROLLER,      /* Identify, CNS 1: 4096 bytes */
	ASK_NVME_NAMESPACE,       /* Identify, CNS 0: 4096 bytes */
	ASK_NVME_LOG,             /* Get Log Page with "retain event", id: log identifier */
	ASK_KINDS
};

struct page {
	enum question_kind kind;
	uint32_t id;        /* as the kind says; else 0 */
	int status;         /* 0: bytes are the answer; negative errno: why there is none */
	const char *source; /* literal: "command", "sysfs", "file" */
	uint8_t *bytes;     /* NULL where there is none */
	size_t length;
};

struct pages { /* {0} is empty and ready */
	struct page *pages; /* in the order in which they were asked */
	size_t n, capacity;
};

#define PAGE_BYTES_MAX 65536u

/* Adds an answer (length bytes are copied) or why there is none (status below 0). The same question
 * again replaces the earlier answer. */
void pages_add(struct pages *pages, enum question_kind kind, uint32_t id, int status,
	const char *source, const void *bytes, size_t length);
/* NULL: never asked. */
const struct page *pages_find(const struct pages *pages, enum question_kind kind, uint32_t id);
/* The answer when there is one of at least `least` bytes, else NULL. */
const struct page *pages_answer(
	const struct pages *pages, enum question_kind kind, uint32_t id, size_t least);
void pages_release(struct pages *pages);

/* Who answers: asks one question, puts the answer (up to size bytes) to buffer. Its length, or
 * negative errno: -EACCES, -EPERM not allowed to ask · -EOPNOTSUPP the drive does not know it, or
 * nothing here can ask it · -ENODATA it answered without what was asked · -ETIME no answer · -EIO. */
struct asker {
	int (*ask)(void *context, enum question_kind kind, uint32_t id, void *buffer, size_t size);
	void *context;
};

#endif
