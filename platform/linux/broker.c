/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A loop over requests of a fixed form. The only flags anything is ever opened with are O_RDONLY,
 * O_CLOEXEC, O_DIRECT and, to see whether a drive is held, O_EXCL and O_NONBLOCK; what was opened
 * must be the block device the front has looked at, whatever happened to its name meanwhile. */
#include "broker.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "asker.h"
#include "confine.h"
#include "message.h"
#include "reader.h"
#include "residency.h"
#include "signatures.h"
#include "wire.h"

#define DRIVES_MAX 256

struct broker {
	int socket;
	int fds[DRIVES_MAX]; /* of the drives open; -1: free */
};

static int open_device(const struct wire_request *request)
{
	int fd = open(request->path, O_RDONLY | O_CLOEXEC | (request->direct ? O_DIRECT : 0));
	struct stat st;

	if (fd < 0)
		return -errno;
	if (fstat(fd, &st) == 0 && S_ISBLK(st.st_mode) && st.st_rdev == request->number)
		return fd;
	close(fd);
	return -ENOTBLK;
}

static int look_at(int fd, struct wire_reply *reply)
{
	int logical = 0;
	unsigned physical = 0;
	uint64_t size = 0;

	if (ioctl(fd, BLKGETSIZE64, &size) != 0 || ioctl(fd, BLKSSZGET, &logical) != 0)
		return -errno;
	if (ioctl(fd, BLKPBSZGET, &physical) != 0)
		physical = 0;
	reply->size_bytes = size;
	reply->logical_block_bytes = logical > 0 ? (uint32_t)logical : 0;
	reply->physical_block_bytes = physical;
	return size ? 0 : -ENOMEDIUM;
}

/* Memory for a front and a reader that neither can make shorter under the other. */
static int make_shared(void)
{
	int fd = memfd_create("platter", MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0)
		return -errno;
	if (ftruncate(fd, (off_t)WIRE_SHARED_BYTES) != 0 ||
		fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
		int status = -errno;

		close(fd);
		return status;
	}
	return fd;
}

/* Forks the reader of fd. to_front[0], to_front[1]: the front's end of its socket, the memory. */
static int start_reader(int fd, uint32_t queue, int to_front[2], int32_t *pid)
{
	int pair[2], shared = make_shared();
	pid_t broker = getpid(), child;

	if (shared < 0)
		return shared;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) {
		int status = -errno;

		close(shared);
		return status;
	}
	child = fork();
	if (child == 0)
		reader_main(fd, pair[1], shared, (enum wire_queue)queue, broker);
	close(pair[1]);
	if (child < 0) {
		int status = -errno;

		close(pair[0]);
		close(shared);
		return status;
	}
	to_front[0] = pair[0];
	to_front[1] = shared;
	*pid = (int32_t)child;
	return 0;
}

static void serve_open(struct broker *b, const struct wire_request *request)
{
	struct wire_reply reply = {.tag = request->tag};
	int to_front[MESSAGE_FDS_MAX], fd;
	uint32_t slot = 0;

	while (slot < DRIVES_MAX && b->fds[slot] >= 0)
		slot++;
	reply.drive = slot;
	fd = slot < DRIVES_MAX ? open_device(request) : -EMFILE;
	reply.status = fd < 0 ? fd : look_at(fd, &reply);
	if (!reply.status)
		reply.status = start_reader(fd, request->queue, to_front, &reply.reader);
	if (reply.status) {
		if (fd >= 0)
			close(fd);
		message_send(b->socket, &reply, sizeof(reply), NULL, 0);
		return;
	}
	b->fds[slot] = fd;
	message_send(b->socket, &reply, sizeof(reply), to_front, MESSAGE_FDS_MAX);
	close(to_front[0]);
	close(to_front[1]);
}

/* Whoever uses a device in earnest has claimed it; to ask is to claim it for an instant. */
static bool is_held(const struct wire_request *request)
{
	int fd = open(request->path, O_RDONLY | O_CLOEXEC | O_EXCL | O_NONBLOCK);

	if (fd >= 0)
		close(fd);
	return fd < 0 && errno == EBUSY;
}

/* Forks who looks for signatures; *to_front: the front's end of its socket. 0 or negative errno. */
static int start_looking(int fd, int *to_front)
{
	pid_t broker = getpid(), child;
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return -errno;
	child = fork();
	if (child == 0)
		signatures_main(fd, pair[1], broker);
	close(pair[1]);
	if (child < 0) {
		int status = -errno;

		close(pair[0]);
		return status;
	}
	*to_front = pair[0];
	return 0;
}

static void serve_contents(struct broker *b, struct wire_request *request)
{
	struct wire_reply reply = {.tag = request->tag};
	int fd, to_front;

	request->direct = 0;
	fd = open_device(request);
	reply.bytes = fd >= 0 && is_held(request);
	reply.status = fd < 0 ? fd : start_looking(fd, &to_front);
	if (fd >= 0)
		close(fd);
	message_send(b->socket, &reply, sizeof(reply), &to_front, reply.status == 0);
	if (reply.status == 0)
		close(to_front);
}

static void serve_resident(struct broker *b, const struct wire_request *request, bool known)
{
	struct wire_reply reply = {.tag = request->tag, .status = -EBADF};

	if (known)
		reply.status = residency_bytes(
			b->fds[request->drive], request->offset, request->length, &reply.bytes);
	message_send(b->socket, &reply, sizeof(reply), NULL, 0);
}

/* The asker opens the drive itself, so that one that hangs in its open holds nobody else up. */
static void serve_ask(struct broker *b, const struct wire_request *request)
{
	struct wire_reply reply = {.tag = request->tag};
	pid_t broker = getpid(), child;
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0) {
		reply.status = -errno;
		message_send(b->socket, &reply, sizeof(reply), NULL, 0);
		return;
	}
	child = fork();
	if (child == 0)
		asker_main(pair[1], request, broker);
	reply.status = child < 0 ? -errno : 0;
	close(pair[1]);
	message_send(b->socket, &reply, sizeof(reply), pair, child < 0 ? 0 : 1);
	close(pair[0]);
}

static void serve(struct broker *b, struct wire_request *request)
{
	bool known = request->drive < DRIVES_MAX && b->fds[request->drive] >= 0;

	request->path[sizeof(request->path) - 1] = 0;
	switch (request->verb) {
	case WIRE_OPEN: serve_open(b, request); break;
	case WIRE_ASK: serve_ask(b, request); break;
	case WIRE_RESIDENT: serve_resident(b, request, known); break;
	case WIRE_CONTENTS: serve_contents(b, request); break;
	case WIRE_CLOSE:
		if (known) {
			close(b->fds[request->drive]);
			b->fds[request->drive] = -1;
		}
		break;
	default: break;
	}
}

_Noreturn void broker_main(int socket, pid_t parent)
{
	static struct wire_request request;
	struct broker b = {.socket = socket};

	if (confine_descriptors(&b.socket, 1) != 0 || confine_broker(parent) != 0)
		_exit(1);
	for (int i = 0; i < DRIVES_MAX; i++)
		b.fds[i] = -1;
	while (message_receive(b.socket, &request, sizeof(request), NULL) == 0)
		serve(&b, &request);
	_exit(0); /* readers follow: the kernel kills them when this process is gone */
}
