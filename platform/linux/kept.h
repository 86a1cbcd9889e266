/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of platform_kept_pages() and platform_kept_facts(). */
#ifndef PLATFORM_LINUX_KEPT_H
#define PLATFORM_LINUX_KEPT_H

#include <stddef.h>

#include "doc/facts.h"
#include "smart/pages.h"
#include "sysfs.h"

#define KEPT_SOURCE "sysfs"

/* For a whole disk (d->dir is d->whole). */
void kept_pages(const struct sysfs_device *d, struct pages *pages);
void kept_facts(const struct sysfs_device *d, struct facts *facts);
/* Its way to the machine: speeds, bridge, host adapter. */
void kept_link(const struct sysfs_device *d, struct facts *facts);

/* "H:C:T:L", the SCSI address, the four numbers in address[]. 0 or -ENOENT. */
int kept_address(const struct sysfs_device *d, unsigned address[4]);
/* Where libata keeps what it knows of the drive and of its link; "" when it is not libata's. */
void kept_ata_paths(const struct sysfs_device *d, char *device, char *link, size_t size);

#endif
