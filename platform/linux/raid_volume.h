/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is a "disk" a volume that a RAID controller makes of disks that are not to be seen? */
#ifndef PLATFORM_LINUX_RAID_VOLUME_H
#define PLATFORM_LINUX_RAID_VOLUME_H

#include <stdbool.h>
#include <stddef.h>

#include "sysfs.h"

/* True for such a volume. host: the driver of the SCSI host it hangs on, "" when there is none. */
bool raid_volume(const struct sysfs_device *d, char *host, size_t size);

#endif
