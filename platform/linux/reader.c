/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Confine yourself, say so, then: a byte comes, the batch in shared memory is carried out, a byte
 * goes. Depth 1 is always a plain pread; the queue for more is chosen once. */
#include "reader.h"

#include <errno.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "confine.h"
#include "queue.h"
#include "work.h"

struct reader {
	int socket;
	struct work work;
	struct queue *queue;
};

static int choose_queue(struct reader *r, enum wire_queue wanted)
{
	if (wanted != WIRE_QUEUE_THREADS && queue_uring_open(r->work.fd, &r->queue) == 0) {
		r->work.shared->queue = WIRE_QUEUE_URING;
		return 0;
	}
	if (wanted == WIRE_QUEUE_URING)
		return -ENOTSUP;
	r->work.shared->queue = WIRE_QUEUE_THREADS;
	return queue_threads_open(&r->queue);
}

static uint64_t to_ns(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_usec * 1000u;
}

static void publish_usage(struct wire_shared *shared)
{
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage) != 0)
		return;
	shared->user_ns = to_ns(usage.ru_utime);
	shared->system_ns = to_ns(usage.ru_stime);
}

static void serve_batch(struct reader *r)
{
	struct work *w = &r->work;
	int status = work_prepare(w);

	if (status == 0)
		status = w->depth == 1 ? work_run_plain(w) : r->queue->ops->run(r->queue, w);
	w->shared->status = status;
	publish_usage(w->shared);
}

static int say(int socket)
{
	return send(socket, "", 1, MSG_NOSIGNAL) == 1;
}

_Noreturn void reader_main(int fd, int socket, int shared, enum wire_queue queue, pid_t parent)
{
	static struct reader r;
	int fds[] = {fd, socket};
	char go;
	void *memory = mmap(NULL, WIRE_SHARED_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);

	if (memory == MAP_FAILED || confine_descriptors(fds, 2) != 0)
		_exit(1);
	r.work.fd = fds[0];
	r.socket = fds[1];
	r.work.shared = memory;
	r.work.arena = (char *)memory + WIRE_ARENA_AT;
	r.work.shared->status = confine_reader(parent);
	if (r.work.shared->status == 0)
		r.work.shared->status = choose_queue(&r, queue);
	if (r.work.shared->status) {
		say(r.socket);
		_exit(1);
	}
	publish_usage(r.work.shared);
	while (say(r.socket) && recv(r.socket, &go, 1, 0) == 1)
		serve_batch(&r);
	_exit(0);
}
