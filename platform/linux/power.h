/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a drive's platters turn, told by sysfs alone: no command is sent, nothing is opened. */
#ifndef PLATFORM_LINUX_POWER_H
#define PLATFORM_LINUX_POWER_H

#include "drive/drive.h"
#include "sysfs.h"

/* POWER_ASLEEP: the kernel has put it, or one of the drives it is made of, to sleep. POWER_AWAKE:
 * it has nothing that turns. POWER_UNKNOWN: a disk that goes into standby by its own timer is
 * active to the kernel all the same. */
enum drive_power power_of(const struct sysfs_device *d);

#endif
