/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counters the kernel keeps, read from its files. */
#ifndef PLATFORM_LINUX_WITNESS_LINUX_H
#define PLATFORM_LINUX_WITNESS_LINUX_H

#include <stdint.h>
#include <sys/types.h>

#include "drive/drive.h"

/* Adds to w what is known: the I/O counters of the disk with that number (of a partition: those of
 * the whole disk, because its heads serve everybody), how long the threads of process reader
 * waited for a CPU, and what this machine's host took. reader 0: none. */
void witness_read(struct witness *w, uint64_t number, pid_t reader);

#endif
