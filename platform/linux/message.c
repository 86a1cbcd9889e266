/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sendmsg and recvmsg with SCM_RIGHTS, so that nobody else needs to know how those look. */
#include "message.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

union control {
	struct cmsghdr align;
	char bytes[CMSG_SPACE(sizeof(int) * MESSAGE_FDS_MAX)];
};

int message_send(int socket, const void *bytes, size_t length, const int *fds, size_t n)
{
	union control control = {.bytes = {0}};
	struct iovec part = {.iov_base = (void *)(size_t)bytes, .iov_len = length};
	struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
	struct cmsghdr *header;
	ssize_t sent;

	if (n) {
		message.msg_control = control.bytes;
		message.msg_controllen = CMSG_SPACE(sizeof(int) * n);
		header = CMSG_FIRSTHDR(&message);
		header->cmsg_level = SOL_SOCKET;
		header->cmsg_type = SCM_RIGHTS;
		header->cmsg_len = CMSG_LEN(sizeof(int) * n);
		memcpy(CMSG_DATA(header), fds, sizeof(int) * n);
	}
	do
		sent = sendmsg(socket, &message, MSG_NOSIGNAL);
	while (sent < 0 && errno == EINTR);
	return sent < 0 ? -errno : 0;
}

static void take_fds(struct msghdr *message, int *fds)
{
	int came[MESSAGE_FDS_MAX];

	for (struct cmsghdr *h = CMSG_FIRSTHDR(message); h; h = CMSG_NXTHDR(message, h)) {
		size_t n;

		if (h->cmsg_level != SOL_SOCKET || h->cmsg_type != SCM_RIGHTS)
			continue;
		n = (h->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		memcpy(came, CMSG_DATA(h), n * sizeof(int));
		for (size_t i = 0; i < n; i++) {
			if (fds)
				fds[i] = came[i];
			else
				close(came[i]);
		}
	}
}

int message_receive(int socket, void *bytes, size_t length, int *fds)
{
	union control control = {.bytes = {0}};
	struct iovec part = {.iov_base = bytes, .iov_len = length};
	struct msghdr message = {
		.msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes),
	};
	ssize_t got;

	if (fds)
		for (size_t i = 0; i < MESSAGE_FDS_MAX; i++)
			fds[i] = -1;
	do
		got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return errno == ECONNRESET ? -EPIPE : -errno;
	if (got == 0)
		return -EPIPE;
	take_fds(&message, fds);
	return (size_t)got == length ? 0 : -EPROTO;
}
