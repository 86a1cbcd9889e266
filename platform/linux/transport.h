/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which bus a drive hangs on, told from where its directory lies in sysfs. */
#ifndef PLATFORM_LINUX_TRANSPORT_H
#define PLATFORM_LINUX_TRANSPORT_H

#include <stddef.h>

#include "sysfs.h"

/* "sata", "ata", "sas", "usb", "nvme", "virtio", "mmc", "scsi", …; "" for a device without a bus
 * (loop, md, dm). */
void transport_of(char *dst, size_t size, const struct sysfs_device *d);

#endif
