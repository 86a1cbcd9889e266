/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each of the first `depth` threads takes the next read, waits for its time while it holds the turn
 * (so that reads go out in their order), and reads it by itself. Threads stay between batches:
 * their share of the witness must not vanish with them. */
#include <errno.h>
#include <pthread.h>
#include <unistd.h>

#include "base/mem.h"
#include "clock_linux.h"
#include "queue.h"

#define STACK_BYTES (256u << 10)

struct lane {
	struct queue_threads *q;
	uint32_t number;
	uint64_t seen; /* batches */
	pthread_t thread;
};

struct queue_threads {
	struct queue queue;
	pthread_mutex_t lock; /* guards what is below */
	pthread_cond_t begin, end;
	uint64_t batches; /* handed out so far */
	uint32_t running; /* lanes not done with this one */
	struct work *work;
	pthread_mutex_t turn; /* whose turn it is to issue; guards next */
	uint32_t next;
	uint32_t started;
	struct lane lanes[DRIVE_DEPTH_MAX];
};

static void read_one(struct work *w, uint32_t i, uint32_t lane)
{
	struct wire_io *io = &w->shared->ios[i];
	void *memory = work_memory(w, i, lane);
	uint64_t sent_ns = clock_raw_ns(), done_ns;
	ssize_t got;

	atomic_store_explicit(&io->sent_ns, sent_ns, memory_order_relaxed);
	got = pread(w->fd, memory, io->length, (off_t)io->offset);
	done_ns = clock_raw_ns();
	work_done(w, i, memory, got < 0 ? -errno : got, done_ns);
}

static void take_reads(struct queue_threads *q, struct work *w, uint32_t lane)
{
	for (;;) {
		uint32_t i;

		pthread_mutex_lock(&q->turn);
		i = q->next;
		if (work_wait(w, i) == WORK_END) {
			pthread_mutex_unlock(&q->turn);
			return;
		}
		q->next = i + 1;
		work_issue(w, i);
		pthread_mutex_unlock(&q->turn);
		read_one(w, i, lane);
	}
}

static void *lane_main(void *arg)
{
	struct lane *lane = arg;
	struct queue_threads *q = lane->q;

	pthread_mutex_lock(&q->lock);
	for (;;) {
		struct work *w;

		while (lane->seen == q->batches)
			pthread_cond_wait(&q->begin, &q->lock);
		lane->seen = q->batches;
		w = q->work;
		if (lane->number >= w->depth)
			continue;
		pthread_mutex_unlock(&q->lock);
		take_reads(q, w, lane->number);
		pthread_mutex_lock(&q->lock);
		if (--q->running == 0)
			pthread_cond_signal(&q->end);
	}
	return NULL;
}

/* Called with no batch under way. */
static int start_lanes(struct queue_threads *q, uint32_t depth)
{
	pthread_attr_t attributes;
	int status = 0;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	for (; q->started < depth && !status; q->started += !status) {
		struct lane *lane = &q->lanes[q->started];

		lane->q = q;
		lane->number = q->started;
		lane->seen = q->batches;
		status = -pthread_create(&lane->thread, &attributes, lane_main, lane);
	}
	pthread_attr_destroy(&attributes);
	return status;
}

static int run(struct queue *queue, struct work *w)
{
	struct queue_threads *q = (struct queue_threads *)queue;
	int status = start_lanes(q, w->depth);

	if (status)
		return status;
	pthread_mutex_lock(&q->lock);
	q->work = w;
	q->next = 0;
	q->running = w->depth;
	q->batches++;
	pthread_cond_broadcast(&q->begin);
	while (q->running)
		pthread_cond_wait(&q->end, &q->lock);
	pthread_mutex_unlock(&q->lock);
	return work_status(w);
}

static const struct queue_ops ops = {.run = run};

int queue_threads_open(struct queue **out)
{
	struct queue_threads *q = mem_zalloc(1, sizeof(*q));

	pthread_mutex_init(&q->lock, NULL);
	pthread_mutex_init(&q->turn, NULL);
	pthread_cond_init(&q->begin, NULL);
	pthread_cond_init(&q->end, NULL);
	q->queue.ops = &ops;
	*out = &q->queue;
	return 0;
}
