/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Several reads in flight: two ways to the same end. Made once in the life of a reader, before it
 * is asked for anything; each lives until the process ends. */
#ifndef PLATFORM_LINUX_QUEUE_H
#define PLATFORM_LINUX_QUEUE_H

#include "work.h"

struct queue;

struct queue_ops {
	/* Carries out the prepared batch; as work_run_plain(). Other negative errno: the queue
	 * broke, and with it the reader. */
	int (*run)(struct queue *q, struct work *w);
};

struct queue {
	const struct queue_ops *ops;
};

/* io_uring, on the drive fd; nothing but reads is ever submitted. 0, -ENOTSUP when platter was
 * built without it, other negative errno where the system does not give it. */
int queue_uring_open(int fd, struct queue **q);

/* A thread for each read in flight, started when first needed. 0 or negative errno. */
int queue_threads_open(struct queue **q);

#endif
