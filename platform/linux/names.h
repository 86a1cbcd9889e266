/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From what a person types to a block device, without opening it. */
#ifndef PLATFORM_LINUX_NAMES_H
#define PLATFORM_LINUX_NAMES_H

#include <limits.h>
#include <stdint.h>

#include "base/err.h"

struct device_name {
	char node[PATH_MAX]; /* what to open */
	char shown[256];     /* the kernel's node, "/dev/sda", which holds no serial number */
	char kernel[64];     /* "sda"; "" when sysfs does not know it */
	uint64_t number;     /* dev_t */
};

/* name: a node or a link to one, "serial:…", "wwn:…". 0, or as platform_open() with e filled. */
int names_resolve(struct device_name *d, const char *name, struct err *e);

#endif
