/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One packet out, one packet back, never waiting longer than told to. A reply that comes after its
 * time is known by its tag and thrown away. */
#include "front.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/mem.h"
#include "broker.h"
#include "clock_linux.h"
#include "message.h"

#define STOP_PATIENCE_MS 500 /* for the broker to end by itself */

struct platform {
	pthread_mutex_t lock; /* one packet out and its reply in, at a time */
	int socket;
	pid_t broker;
	uint32_t tag;
	int dead; /* negative errno once the broker must not be asked any more */
};

int platform_start(struct platform **platform, struct err *e)
{
	int pair[2];
	pid_t front = getpid(), broker;

	*platform = NULL;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return err_set(
			e, -errno, "No socket for platter's device process (%s).", strerror(errno));
	broker = fork();
	if (broker == 0)
		broker_main(pair[1], front);
	close(pair[1]);
	if (broker < 0) {
		int status = -errno;

		close(pair[0]);
		return err_set(e, status, "Platter's device process could not be started (%s).",
			strerror(-status));
	}
	*platform = mem_zalloc(1, sizeof(**platform));
	pthread_mutex_init(&(*platform)->lock, NULL);
	(*platform)->socket = pair[0];
	(*platform)->broker = broker;
	return 0;
}

void platform_stop(struct platform *p)
{
	struct timespec pause = {0, 1000000};

	if (!p)
		return;
	close(p->socket);
	for (int ms = 0; ms < STOP_PATIENCE_MS; ms++) {
		if (waitpid(p->broker, NULL, WNOHANG) != 0) {
			free(p);
			return;
		}
		nanosleep(&pause, NULL);
	}
	/* stuck in a device: it ends when the device answers, and nobody waits for that */
	kill(p->broker, SIGKILL);
	nanosleep(&pause, NULL);
	waitpid(p->broker, NULL, WNOHANG);
	free(p);
}

static void forget_fds(int *fds)
{
	for (int i = 0; fds && i < MESSAGE_FDS_MAX; i++) {
		if (fds[i] >= 0)
			close(fds[i]);
		fds[i] = -1;
	}
}

int front_wait_readable(int socket, uint64_t deadline_ns)
{
	for (;;) {
		struct pollfd p = {.fd = socket, .events = POLLIN};
		uint64_t now_ns = clock_raw_ns();
		int n;

		if (now_ns >= deadline_ns)
			return -ETIME;
		n = poll(&p, 1, (int)((deadline_ns - now_ns) / 1000000u + 1));
		if (n > 0)
			return 0;
		if (n < 0 && errno != EINTR)
			return -errno;
	}
}

static int call(struct platform *p, struct wire_request *request, struct wire_reply *reply, int *fds,
	uint64_t limit_ns)
{
	uint64_t deadline_ns = clock_raw_ns() + limit_ns;
	int status = p->dead;

	request->tag = ++p->tag;
	if (!status)
		status = message_send(p->socket, request, sizeof(*request), NULL, 0);
	while (!status) {
		status = front_wait_readable(p->socket, deadline_ns);
		if (!status)
			status = message_receive(p->socket, reply, sizeof(*reply), fds);
		if (!status && reply->tag == request->tag)
			return 0;
		if (!status)
			forget_fds(fds);
	}
	p->dead = status;
	return status;
}

int front_call(struct platform *p, struct wire_request *request, struct wire_reply *reply, int *fds,
	uint64_t limit_ns)
{
	int status;

	pthread_mutex_lock(&p->lock);
	status = call(p, request, reply, fds, limit_ns);
	pthread_mutex_unlock(&p->lock);
	return status;
}

void front_tell(struct platform *p, struct wire_request *request)
{
	pthread_mutex_lock(&p->lock);
	request->tag = ++p->tag;
	if (!p->dead)
		message_send(p->socket, request, sizeof(*request), NULL, 0);
	pthread_mutex_unlock(&p->lock);
}
