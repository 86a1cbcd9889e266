/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is mounted, from /proc/self/mountinfo (proc(5)). */
#ifndef PLATFORM_LINUX_MOUNTS_H
#define PLATFORM_LINUX_MOUNTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mount {
	uint64_t number;  /* device number of the file system; major 0: not one of a device */
	char where[4096]; /* mount point */
	char type[64];    /* "ext4" */
	char source[512]; /* "/dev/sda2", or anything */
};

/* Calls visit for each mount, in order, till it returns not 0; returns that or 0; negative errno
 * when there is no list. */
int mounts_each(int (*visit)(void *arg, const struct mount *m), void *arg);

/* Device number of the block device the mount's files lie on, also for file systems (btrfs) that
 * have a number of their own; 0: none. */
uint64_t mount_device(const struct mount *m);

#endif
