/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel's request queue says about reads of a drive. */
#ifndef PLATFORM_LINUX_QUEUE_LIMITS_H
#define PLATFORM_LINUX_QUEUE_LIMITS_H

#include <stdint.h>

#include "drive/drive.h"
#include "sysfs.h"

/* Largest read into platter's own memory that the kernel hands to the drive in one piece: the
 * queue's size limit, and as many segments as it takes, each at most a huge page (an ordinary page
 * where there are none). Whole blocks, at most DRIVE_LENGTH_MAX, at least one block. */
uint32_t queue_limits_request_bytes(const struct sysfs_device *d, uint32_t block_bytes);

/* Fills memory_align_bytes, max_request_bytes and rotating; with safe values where sysfs does not
 * know the device. */
void queue_limits_fill(struct drive_info *info, uint64_t number);

#endif
