/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Packets with descriptors over a socket between two processes. */
#ifndef PLATFORM_LINUX_MESSAGE_H
#define PLATFORM_LINUX_MESSAGE_H

#include <stddef.h>
#include <sys/types.h>

#define MESSAGE_FDS_MAX 2

/* Sends one packet with n descriptors (0 … MESSAGE_FDS_MAX), which stay the caller's. 0 or negative
 * errno; -EPIPE: nobody is left at the other end (no signal is raised). */
int message_send(int socket, const void *bytes, size_t length, const int *fds, size_t n);

/* Receives one packet of exactly length bytes; fds (MESSAGE_FDS_MAX of them, may be NULL) are set
 * to the descriptors that came, close-on-exec, now the caller's, or -1. 0; -EPIPE: the other end is
 * gone; -EPROTO: another length; else negative errno. Blocks. */
int message_receive(int socket, void *bytes, size_t length, int *fds);

#endif
