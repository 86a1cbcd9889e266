/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who else uses a drive at the moment. */
#ifndef PLATFORM_LINUX_IN_USE_H
#define PLATFORM_LINUX_IN_USE_H

#include <stddef.h>

#include "sysfs.h"

/* "mounted", "a partition is mounted", "swap", "held by md0": what was seen of the device itself
 * and, for a whole disk, of its partitions, separated by ", "; no paths. "" nothing seen. */
void in_use_of(char *dst, size_t size, const struct sysfs_device *d);

#endif
