/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How much of a range of a block device is in the page cache. */
#ifndef PLATFORM_LINUX_RESIDENCY_H
#define PLATFORM_LINUX_RESIDENCY_H

#include <stdint.h>

/* Asks without reading or touching anything. Bytes of [offset, offset+length) that are cached, to
 * the page. 0, or -ENOTSUP where the kernel does not tell this user the truth. */
int residency_bytes(int fd, uint64_t offset, uint64_t length, uint64_t *bytes);

/* The older way alone (mincore on a mapping that is never touched); the one above falls back on
 * it. Same returns. */
int residency_by_mincore(int fd, uint64_t offset, uint64_t length, uint64_t *bytes);

#endif
