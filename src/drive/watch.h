/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Filter: a drive that passes every batch on, stops when told to or when time is up, and lets
 * somebody see how far it is. Holds the inner drive, owns nothing of it. */
#ifndef DRIVE_WATCH_H
#define DRIVE_WATCH_H

#include "drive/drive.h"

struct watch_config {
	const volatile sig_atomic_t *stop; /* not 0: stop (set by a signal handler). NULL: never */
	uint64_t deadline_ns;              /* drive's clock; nothing is issued at or after it, and
	                                      runs end with -EINTR. 0: none */
	/* Called now and then, outside what is timed: time on the drive's clock. May be NULL. */
	void (*seen)(void *arg, uint64_t now_ns);
	void *arg;
};

/* A new drive in front of inner (which must outlive it). Never fails. Close with drive_close(). */
struct drive *watch_open(struct drive *inner, const struct watch_config *config);

/* Another deadline from the next run on; 0: none. */
void watch_set_deadline(struct drive *watch, uint64_t deadline_ns);

/* Why runs ended with -EINTR: false: the stop flag, or the inner drive said so; true: the deadline
 * had passed. Of a drive that is not a watch: false. */
bool watch_deadline_passed(const struct drive *watch);

#endif
