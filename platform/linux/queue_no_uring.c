/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes the place of queue_uring.c where liburing is missing. */
#include <errno.h>

#include "queue.h"

int queue_uring_open(int fd, struct queue **q)
{
	(void)fd;
	*q = NULL;
	return -ENOTSUP;
}
