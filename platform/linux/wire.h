/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the four kinds of process say to each other.
 *
 * front ⇄ broker: one socket of packets, a request answered by a reply that carries the same tag
 * (WIRE_CLOSE is not answered); the reply to WIRE_OPEN brings two descriptors: the socket to the
 * new reader and the memory shared with it.
 * front ⇄ asker: packets, a question answered by an answer; the asker's first answer (tag 0) says
 * that the drive is open and may be asked, or why not (status).
 * front ⇄ reader: a byte each way on a socket of their own ("go", "done"), the batch itself in the
 * shared memory. The reader's first byte says that it is ready, or why not (status).
 * Whoever finds his socket at its end knows that the other is gone, and ends. */
#ifndef PLATFORM_LINUX_WIRE_H
#define PLATFORM_LINUX_WIRE_H

#include <limits.h>
#include <stdatomic.h>
#include <stdint.h>

#include "drive/drive.h"
#include "smart/pages.h"

enum wire_verb {
	WIRE_OPEN = 1, /* path, number, direct, queue → everything in the reply */
	WIRE_CLOSE,    /* drive; no reply */
	WIRE_RESIDENT, /* drive, offset, length → bytes */
	WIRE_CONTENTS, /* path, number → a socket of struct found; bytes: 1 when it is held exclusively */
	WIRE_ASK,      /* path, number, type → the socket to an asker */
};

/* Which queue serves depth above 1. */
enum wire_queue { WIRE_QUEUE_BEST, WIRE_QUEUE_URING, WIRE_QUEUE_THREADS };

struct wire_request {
	uint32_t tag, verb;
	uint32_t drive;  /* as the reply to WIRE_OPEN said */
	uint32_t direct; /* not 0: past the page cache */
	uint32_t queue;  /* enum wire_queue */
	uint32_t type;   /* WIRE_ASK: SCSI peripheral device type, WIRE_TYPE_UNKNOWN */
	uint64_t number;         /* device number the path must have */
	uint64_t offset, length; /* bytes */
	char path[PATH_MAX];
};

#define WIRE_TYPE_UNKNOWN 0xFFu

struct wire_reply {
	uint32_t tag;
	int32_t status; /* 0 or negative errno */
	uint32_t drive;
	int32_t reader; /* process id */
	uint64_t size_bytes;
	uint32_t logical_block_bytes, physical_block_bytes;
	uint64_t bytes;
};

/* A question is named, never spelled: the asker alone makes the command of it. */
struct wire_question {
	uint32_t tag;
	uint32_t kind, id; /* as struct page */
	uint32_t size;     /* of the answer, at most */
};

#define WIRE_ANSWER_HEADER 16u

struct wire_answer {
	uint32_t tag;
	int32_t status;  /* 0 or negative errno */
	uint32_t length; /* of bytes; no more than that are sent */
	uint32_t unused;
	uint8_t bytes[PAGE_BYTES_MAX];
};

/* One read, as struct io. */
struct wire_io {
	uint64_t offset, not_before_ns;
	_Atomic uint64_t sent_ns; /* 0: not issued yet */
	_Atomic uint64_t done_ns; /* 0: not answered yet; stored last */
	uint32_t length;
	uint32_t arena; /* where in the arena the content goes, bytes; WIRE_NOWHERE: unwanted */
	int32_t error;
	uint32_t unused;
};

#define WIRE_NOWHERE     UINT32_MAX
#define WIRE_ARENA_BYTES (64u << 20)

/* The memory a front and a reader share; the arena begins at WIRE_ARENA_AT. */
struct wire_shared {
	uint32_t n, depth;
	uint64_t until_ns;
	_Atomic uint32_t stop;       /* set by the front: issue nothing more */
	_Atomic uint32_t issued;     /* reads 0 … issued-1 are under way or answered */
	int32_t status;              /* of the batch: 0 or negative errno */
	uint32_t queue;              /* enum wire_queue in use, valid once ready */
	uint64_t user_ns, system_ns; /* CPU time of the reader after its last batch */
	struct wire_io ios[DRIVE_BATCH_MAX];
};

#define WIRE_ARENA_AT     ((sizeof(struct wire_shared) + 4095) / 4096 * 4096)
#define WIRE_SHARED_BYTES (WIRE_ARENA_AT + WIRE_ARENA_BYTES)

#endif
