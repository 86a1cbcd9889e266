/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What lies below a device that is made of something else. */
#ifndef PLATFORM_LINUX_BACKING_H
#define PLATFORM_LINUX_BACKING_H

#include <stdbool.h>
#include <stddef.h>

#include "sysfs.h"

/* loop: "a file on /dev/sda2 (ext4)", never the file's path; md: "raid1 of /dev/sda1, /dev/sdb1";
 * dm: "LVM volume on /dev/sda2"; "" for a drive that stands by itself. */
void backing_of(char *dst, size_t size, const struct sysfs_device *d);

/* Calls visit with each device directly below (an array's members, the disk a loop device's file
 * lies on) till it returns not 0; returns that, or 0. */
int backing_each(const struct sysfs_device *d,
	int (*visit)(void *arg, const struct sysfs_device *below), void *arg);

/* Whether direct reads of it end in the page cache all the same: it is, or is made of, a loop device
 * that reads its file without direct I/O (/sys/block/loopN/loop/dio). */
bool backing_is_cached(const struct sysfs_device *d);

#endif
