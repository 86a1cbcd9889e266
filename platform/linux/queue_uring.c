/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One ring, the drive its only registered file, IORING_OP_READ its only operation. Each read is
 * submitted by itself, so that its stamp is taken right before its own system call and not before
 * that of a whole row. While the next read has to wait for its time, the ring's descriptor is
 * polled instead of slept on: a completion must not wait for it. */
#include <errno.h>
#include <liburing.h>
#include <poll.h>
#include <stdlib.h>

#include "base/mem.h"
#include "clock_linux.h"
#include "queue.h"

#define SPIN_NS 150000u
#define LOOK_NS 50000000u

struct queue_uring {
	struct queue queue;
	struct io_uring ring;
	uint32_t lanes[DRIVE_DEPTH_MAX]; /* the free ones, a stack */
	unsigned free_n;
};

/* What comes back with a completion. */
static uint64_t pack(uint32_t i, uint32_t lane)
{
	return (uint64_t)i << 32 | lane;
}

static int submit(struct queue_uring *q, struct work *w, uint32_t i)
{
	struct wire_io *io = &w->shared->ios[i];
	struct io_uring_sqe *sqe = io_uring_get_sqe(&q->ring);
	uint32_t lane;
	int status;

	if (!sqe)
		return -EBUSY;
	lane = q->lanes[--q->free_n];
	io_uring_prep_read(sqe, 0, work_memory(w, i, lane), io->length, io->offset);
	sqe->flags |= IOSQE_FIXED_FILE;
	sqe->user_data = pack(i, lane);
	work_issue(w, i);
	atomic_store_explicit(&io->sent_ns, clock_raw_ns(), memory_order_relaxed);
	do
		status = io_uring_submit(&q->ring);
	while (status == -EINTR);
	return status < 0 ? status : 0;
}

/* Takes every completion there is. */
static void reap(struct queue_uring *q, struct work *w)
{
	struct io_uring_cqe *cqe;

	while (io_uring_peek_cqe(&q->ring, &cqe) == 0 && cqe) {
		uint64_t done_ns = clock_raw_ns(), what = cqe->user_data;
		uint32_t i = (uint32_t)(what >> 32), lane = (uint32_t)what;
		int result = cqe->res;

		io_uring_cqe_seen(&q->ring, cqe);
		work_done(w, i, work_memory(w, i, lane), result, done_ns);
		q->lanes[q->free_n++] = lane;
	}
}

static int wait_one(struct queue_uring *q)
{
	struct io_uring_cqe *cqe;
	int status;

	do
		status = io_uring_wait_cqe(&q->ring, &cqe);
	while (status == -EINTR);
	return status;
}

/* Waits for a completion, but no longer than wait_ns; returns at once when a sleep takes longer. */
static void wait_briefly(struct queue_uring *q, uint64_t wait_ns)
{
	struct pollfd p = {.fd = q->ring.ring_fd, .events = POLLIN};
	struct timespec limit = {0, 0};

	if (wait_ns <= SPIN_NS)
		return;
	wait_ns -= SPIN_NS;
	limit.tv_nsec = (long)(wait_ns < LOOK_NS ? wait_ns : LOOK_NS);
	ppoll(&p, 1, &limit, NULL);
}

static int run(struct queue *queue, struct work *w)
{
	struct queue_uring *q = (struct queue_uring *)queue;
	enum work_verdict verdict = WORK_GO;
	uint32_t i = 0, under_way = 0;
	uint64_t wait_ns;
	int status = 0;

	q->free_n = 0;
	for (uint32_t lane = w->depth; lane-- > 0;)
		q->lanes[q->free_n++] = lane;
	while (!status) {
		while (under_way < w->depth && !status &&
			(verdict = work_look(w, i, clock_raw_ns(), &wait_ns)) == WORK_GO) {
			status = submit(q, w, i++);
			under_way++;
		}
		if (verdict == WORK_END && under_way == 0)
			break;
		if (!status && verdict == WORK_WAIT && under_way < w->depth)
			wait_briefly(q, wait_ns);
		else if (!status)
			status = wait_one(q);
		reap(q, w);
		under_way = w->depth - q->free_n;
	}
	return status ? status : work_status(w);
}

static const struct queue_ops ops = {.run = run};

int queue_uring_open(int fd, struct queue **out)
{
	struct queue_uring *q = mem_zalloc(1, sizeof(*q));
	int status = io_uring_queue_init(DRIVE_DEPTH_MAX, &q->ring, 0);

	*out = NULL;
	if (status == 0) {
		status = io_uring_register_files(&q->ring, &fd, 1);
		if (status != 0)
			io_uring_queue_exit(&q->ring);
	}
	if (status != 0) {
		free(q);
		return status;
	}
	q->queue.ops = &ops;
	*out = &q->queue;
	return 0;
}
