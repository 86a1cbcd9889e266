/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Filter for tests: a drive that answers badly where and when it is told to. */
#ifndef DRIVE_FAULT_H
#define DRIVE_FAULT_H

#include "drive/drive.h"

enum fault_kind {
	FAULT_READ_ERROR, /* the reads it hits get `error` */
	FAULT_RUN_ERROR,  /* from that read on runs end with `error` (-ENODEV, -EINTR, -ETIME) */
	FAULT_DELAY,      /* the reads it hits take delay_ns longer */
};

/* Hits a read when its number (counted from 1 over all reads issued) is in [first_read, last_read]
 * and it touches [from_bytes, to_bytes). */
struct fault {
	enum fault_kind kind;
	uint64_t first_read, last_read;
	uint64_t from_bytes, to_bytes;
	int error;
	uint64_t delay_ns;
};

/* A new drive in front of inner (which must outlive it); the faults are copied. Never fails. */
struct drive *fault_open(struct drive *inner, const struct fault *faults, size_t n);

/* How many reads were hit so far: 0 tells a test that it met no fault. */
uint64_t fault_hits(const struct drive *fault);

#endif
