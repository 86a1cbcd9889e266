/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a device could not be opened, one sentence each: what it is, and what to do. Each fills e and
 * returns the errno that platform_open() promises for it. */
#ifndef PLATFORM_LINUX_SENTENCES_H
#define PLATFORM_LINUX_SENTENCES_H

#include <stdint.h>
#include <sys/types.h>

#include "base/err.h"

/* stat() of the name failed with status. */
int sentence_no_stat(struct err *e, const char *name, int status);

/* The name is of something that is not a block device. → -ENOTBLK */
int sentence_not_block(struct err *e, const char *name, mode_t mode);

/* The open, or the reader's start, failed with status. number: the device's. */
int sentence_not_opened(struct err *e, const char *name, uint64_t number, int status);

/* It is open, but the process to read it could not be made harmless or started. */
int sentence_no_reader(struct err *e, const char *name, int status);

/* It is open, but no block of it can be read: no size, or sectors the kernel does not take.
 * → -ENOMEDIUM or -EINVAL */
int sentence_no_size(struct err *e, const char *name, uint64_t number);

/* The first read ended the run with status. */
int sentence_no_first_read(struct err *e, const char *name, int status);

/* It cannot be asked about itself, by what it is. → -EOPNOTSUPP */
int sentence_not_asked(struct err *e, const char *name, uint64_t number);
/* It is a volume of a RAID controller, whose driver is host. → -EOPNOTSUPP */
int sentence_raid_volume(struct err *e, const char *name, const char *host);

#endif
