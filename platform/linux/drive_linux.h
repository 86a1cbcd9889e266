/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The front's side of one open block device: a struct drive over shared memory and a reader. */
#ifndef PLATFORM_LINUX_DRIVE_LINUX_H
#define PLATFORM_LINUX_DRIVE_LINUX_H

#include "front.h"

/* How a drive is opened where the usual way is not meant; only tests use other values. */
struct drive_linux_options {
	enum wire_queue queue; /* WIRE_QUEUE_BEST */
	uint64_t limit_ns;     /* without an answer for a read: FRONT_LIMIT_NS */
};

/* Asks the broker to open node (which has that device number), and waits till the reader is ready.
 * Fills of info: name (node), size, blocks, path, methods; the caller refines the rest. The reply
 * is handed out also when its status is bad. 0 and *drive, or negative errno as the system gave
 * it. */
int drive_linux_open(struct platform *p, const char *node, uint64_t number, bool direct,
	const struct drive_linux_options *options, struct wire_reply *reply, struct drive **drive);

/* Process that reads for this drive; for tests. */
int drive_linux_reader(const struct drive *d);

/* platform_open() with options. */
int drive_linux_open_name(struct platform *p, const char *name, enum drive_path path,
	const struct drive_linux_options *options, struct drive **drive, struct err *e);

#endif
