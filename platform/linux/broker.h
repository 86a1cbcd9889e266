/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The process that keeps the privileges and does little with them: opens block devices, read-only
 * and nothing else, starts a reader for each, or an asker, and answers what is in the page cache. It looks at
 * nothing that comes from a drive. */
#ifndef PLATFORM_LINUX_BROKER_H
#define PLATFORM_LINUX_BROKER_H

#include <sys/types.h>

/* The life of the broker, in the child that parent forked for it; socket leads to the front. Never
 * returns: ends when the socket does or the parent dies. */
_Noreturn void broker_main(int socket, pid_t parent);

#endif
