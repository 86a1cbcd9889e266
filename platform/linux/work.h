/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A batch as the reader sees it: what may be issued when, into which memory, and what to write
 * down about it. Shared by the plain reads and both queues. Nothing here allocates, except
 * work_prepare() before a batch. */
#ifndef PLATFORM_LINUX_WORK_H
#define PLATFORM_LINUX_WORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "wire.h"

/* Memory for content nobody wants, at most; lanes share it when they need more. */
#define WORK_POOL_BYTES_MAX (64u << 20)

struct work {
	int fd; /* the drive */
	struct wire_shared *shared;
	char *arena;          /* WIRE_ARENA_BYTES, seen by the front too */
	size_t arena_touched; /* bytes of it that are in memory */
	char *pool;           /* private, huge pages where there are any */
	size_t pool_bytes;
	size_t lane_bytes; /* a power of two, for this batch */
	/* of this batch, copied so that nobody can change them under way */
	uint32_t n, depth;
	uint64_t until_ns;
	_Atomic bool gone; /* a read ended before the drive does: it is not there any more */
};

enum work_verdict {
	WORK_GO,   /* issue it now */
	WORK_WAIT, /* not yet: *wait_ns */
	WORK_END,  /* nothing more is issued in this batch */
};

/* Copies the batch in shared memory and readies memory for it. 0, -EINVAL for a batch outside the
 * limits, -ENOMEM. */
int work_prepare(struct work *w);

/* May read i be issued at now_ns? */
enum work_verdict work_look(struct work *w, uint32_t i, uint64_t now_ns, uint64_t *wait_ns);

/* The same, waiting (asleep, at last spinning) till the answer is not WORK_WAIT. */
enum work_verdict work_wait(struct work *w, uint32_t i);

/* Where read i puts what it reads; lane: 0 … depth-1, of one read at a time. */
void *work_memory(struct work *w, uint32_t i, uint32_t lane);

/* Marks read i as under way, for the one who watches; the caller stamps sent_ns right before the
 * read itself. */
void work_issue(struct work *w, uint32_t i);

/* Writes down that read i ended at done_ns with result (as of pread, or negative errno). A short
 * count is followed up by plain reads till the rest is known too; done_ns is then theirs. */
void work_done(struct work *w, uint32_t i, void *memory, ssize_t result, uint64_t done_ns);

/* Why the batch ended: 0, -EINTR (told to stop before all were issued), -ENODEV. */
int work_status(const struct work *w);

/* The whole batch at depth 1, one plain pread after another. Returns work_status(). */
int work_run_plain(struct work *w);

#endif
