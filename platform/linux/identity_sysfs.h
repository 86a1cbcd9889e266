/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who a drive is, as far as sysfs knows: no command is sent, nothing is woken. */
#ifndef PLATFORM_LINUX_IDENTITY_SYSFS_H
#define PLATFORM_LINUX_IDENTITY_SYSFS_H

#include "doc/identity.h"

/* kernel_name: as under /sys/class/block ("sda1", "cciss!c0d0" or "cciss/c0d0"). 0 or -ENOENT.
 * simulated stays false: only the text in its sectors tells. */
int identity_of(struct identity *id, const char *kernel_name);

#endif
