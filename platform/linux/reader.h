/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The process that reads one drive: it has the descriptor and nothing else. */
#ifndef PLATFORM_LINUX_READER_H
#define PLATFORM_LINUX_READER_H

#include <sys/types.h>

#include "wire.h"

/* The life of a reader, in the child that parent (the broker) forked for it. fd: the drive; socket:
 * to the front; shared: the memory shared with it (closed here). Says over the socket when it is
 * ready, or why not. Never returns. */
_Noreturn void reader_main(int fd, int socket, int shared, enum wire_queue queue, pid_t parent);

#endif
