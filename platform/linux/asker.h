/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The process that asks one drive about itself. It holds the descriptor, read-only, and the two
 * privileges the kernel wants for it; questions come to it by name, and what it sends for them goes
 * through command.c. When a command hangs, this process hangs, and nobody waits for it. */
#ifndef PLATFORM_LINUX_ASKER_H
#define PLATFORM_LINUX_ASKER_H

#include <sys/types.h>

#include "wire.h"

/* The life of an asker, in the child that parent forked for it; socket leads to the front. Opens
 * the device that request names. Never returns: ends when the socket does or the parent dies. */
_Noreturn void asker_main(int socket, const struct wire_request *request, pid_t parent);

#endif
