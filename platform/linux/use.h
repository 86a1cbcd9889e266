/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who uses a drive, followed upwards: partition, array, volume, file system. */
#ifndef PLATFORM_LINUX_USE_H
#define PLATFORM_LINUX_USE_H

#include "doc/facts.h"
#include "sysfs.h"

/* Puts "use[i]" for each thing that uses d or a partition of it: "sda1: mounted (ext4)", "sda2: RAID
 * md0 (raid1): LVM dm-3: swap". No path, no label. */
void use_facts(struct facts *facts, const struct sysfs_device *d);

#endif
