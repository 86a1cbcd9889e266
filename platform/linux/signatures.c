/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Confine yourself, look, send what was found. Time, memory and files are limited by the kernel: a
 * superblock made to keep a parser busy gets no further than that. */
#include "signatures.h"

#include <sys/socket.h>
#include <unistd.h>

#include "confine.h"

static void send_one(void *arg, const struct found *found)
{
	int socket = *(int *)arg;

	if (send(socket, found, sizeof(*found), MSG_NOSIGNAL) < 0)
		_exit(1);
}

_Noreturn void signatures_main(int fd, int socket, pid_t parent)
{
	struct found last = {.kind = FOUND_ALL};
	int fds[] = {fd, socket};

	if (confine_descriptors(fds, 2) != 0 || confine_parser(parent, SIGNATURES_LIMIT_S) != 0)
		_exit(1);
	last.size = (uint64_t)-signatures_find(fds[0], send_one, &fds[1]);
	send_one(&fds[1], &last);
	_exit(0);
}
