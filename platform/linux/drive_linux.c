/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A batch is copied into the shared memory, the reader woken, and waited for in slices: each looks
 * at the stop flag, at the oldest unanswered read, and lets the watcher draw. A reader that does
 * not answer is left alone, never waited for: it may sit in the kernel, where nothing reaches
 * it. */
#include "drive_linux.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "clock_linux.h"
#include "message.h"
#include "sysfs.h"
#include "witness_linux.h"

#define SLICE_MS    50
#define TICK_NS     100000000u
#define ARENA_ALIGN 4096u
#define ERRNO_MAX   4095

struct drive_linux {
	struct drive drive;
	struct platform *platform;
	uint64_t number;  /* of the device */
	uint64_t sectors; /* what sysfs said at open; 0 not known */
	uint32_t id;      /* the broker's word for it */
	int reader;       /* process */
	int socket;
	struct wire_shared *shared;
	char *arena;
	uint64_t limit_ns;
	uint64_t ticked_ns;
	int dead; /* negative errno once the drive cannot go on */
};

static struct drive_linux *self(struct drive *d)
{
	return (struct drive_linux *)d;
}

static uint64_t now_ns(struct drive *d)
{
	(void)d;
	return clock_raw_ns();
}

static bool told_to_stop(const struct batch_hook *hook)
{
	return hook && hook->stop && *hook->stop;
}

/* How many reads from first on fit into the arena together. */
static size_t part_of(const struct batch *b, size_t first)
{
	size_t used = 0, i;

	for (i = first; i < b->n; i++) {
		size_t need = 0;

		if (b->ios[i].data)
			need = (b->ios[i].length + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
		if (need > WIRE_ARENA_BYTES - used)
			break;
		used += need;
	}
	return i - first;
}

static void copy_in(struct drive_linux *l, const struct batch *b, size_t first, size_t n)
{
	uint32_t used = 0;

	l->shared->n = (uint32_t)n;
	l->shared->depth = b->depth;
	l->shared->until_ns = b->until_ns;
	atomic_store(&l->shared->stop, 0);
	atomic_store(&l->shared->issued, 0);
	for (size_t i = 0; i < n; i++) {
		const struct io *io = &b->ios[first + i];
		struct wire_io *w = &l->shared->ios[i];

		w->offset = io->offset;
		w->length = io->length;
		w->not_before_ns = io->not_before_ns;
		w->error = 0;
		atomic_store_explicit(&w->sent_ns, 0, memory_order_relaxed);
		atomic_store_explicit(&w->done_ns, 0, memory_order_relaxed);
		w->arena = io->data ? used : WIRE_NOWHERE;
		if (io->data)
			used += (io->length + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
	}
}

/* Takes what was answered; returns whether there was an error among it. */
static bool copy_out(struct drive_linux *l, const struct batch *b, size_t first, size_t n)
{
	bool errors = false;

	for (size_t i = 0; i < n; i++) {
		struct io *io = &b->ios[first + i];
		struct wire_io *w = &l->shared->ios[i];
		uint64_t done_ns = atomic_load_explicit(&w->done_ns, memory_order_acquire);

		if (!done_ns)
			continue;
		io->done_ns = done_ns;
		io->sent_ns = atomic_load_explicit(&w->sent_ns, memory_order_relaxed);
		io->error = w->error < -ERRNO_MAX || w->error > 0 ? -EIO : w->error;
		errors = errors || io->error;
		if (io->data && !io->error)
			memcpy(io->data, l->arena + w->arena, io->length);
	}
	return errors;
}

/* Does the reader owe an answer, and since when? No: it rightly waits for a read's time to come.
 * *oldest: first read not known to be answered, brought up to date; idle_ns: since when nothing has
 * moved, for when nothing is under way. */
static bool owes(struct drive_linux *l, uint32_t *oldest, uint64_t idle_ns, uint64_t *since_ns)
{
	const struct wire_io *ios = l->shared->ios;
	uint32_t issued = atomic_load_explicit(&l->shared->issued, memory_order_acquire);

	while (*oldest < issued && *oldest < l->shared->n &&
		atomic_load_explicit(&ios[*oldest].done_ns, memory_order_relaxed))
		(*oldest)++;
	*since_ns = idle_ns;
	if (*oldest >= l->shared->n)
		return true;
	if (*oldest < issued) {
		uint64_t sent_ns =
			atomic_load_explicit(&ios[*oldest].sent_ns, memory_order_relaxed);

		if (sent_ns)
			*since_ns = sent_ns;
		return true;
	}
	return atomic_load(&l->shared->stop) || ios[*oldest].not_before_ns <= clock_raw_ns();
}

static void tick(struct drive_linux *l, const struct batch_hook *hook, uint64_t at_ns)
{
	if (!hook || !hook->tick || at_ns - l->ticked_ns < TICK_NS)
		return;
	l->ticked_ns = at_ns;
	hook->tick(hook->arg, at_ns);
}

/* One slice: 1 the reader has said "done", 0 not yet, -EIO it is gone. */
static int listen_to_reader(struct drive_linux *l)
{
	struct pollfd p = {.fd = l->socket, .events = POLLIN};
	char byte;
	ssize_t got;

	if (poll(&p, 1, SLICE_MS) <= 0)
		return 0;
	got = recv(l->socket, &byte, 1, MSG_DONTWAIT);
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	return got == 1 ? 1 : -EIO;
}

/* Waits for the end of what the reader was told to do. 0, -EIO, -ETIME. */
static int wait_done(struct drive_linux *l, const struct batch_hook *hook)
{
	uint64_t moved_ns = clock_raw_ns(), since_ns;
	uint32_t oldest = 0, was = 0;
	int heard;

	while ((heard = listen_to_reader(l)) == 0) {
		uint64_t at_ns = clock_raw_ns();
		bool owing = owes(l, &oldest, moved_ns, &since_ns);

		if (told_to_stop(hook))
			atomic_store(&l->shared->stop, 1);
		tick(l, hook, at_ns);
		if (owing && oldest == was && at_ns > since_ns && at_ns - since_ns > l->limit_ns)
			return -ETIME;
		if (!owing || oldest != was)
			moved_ns = at_ns;
		was = oldest;
	}
	tick(l, hook, clock_raw_ns());
	return heard < 0 ? heard : 0;
}

/* The device the kernel has under that number is no longer the one that was opened. */
static bool vanished(const struct drive_linux *l)
{
	struct sysfs_device d;

	if (!l->sectors)
		return false;
	if (sysfs_by_number(&d, l->number) != 0)
		return true;
	return sysfs_number(0, "%s/size", d.dir) != l->sectors;
}

static int give_up(struct drive_linux *l, int status)
{
	l->dead = status;
	atomic_store(&l->shared->stop, 1); /* should it ever come back */
	return status;
}

/* Hands part of a batch to the reader and takes what comes back; *errors: there were some. */
static int pass(struct drive_linux *l, const struct batch *b, size_t first, size_t n, bool *errors)
{
	int status;

	copy_in(l, b, first, n);
	if (send(l->socket, "", 1, MSG_NOSIGNAL) != 1)
		return give_up(l, -EIO);
	status = wait_done(l, b->hook);
	*errors = copy_out(l, b, first, n);
	if (status)
		return give_up(l, status);
	status = l->shared->status;
	if (!status || status == -EINTR)
		return status;
	return give_up(l, status > 0 || status < -ERRNO_MAX ? -EIO : status);
}

/* How the kernel says of a read that there is no drive any more, though its node may still be. */
static bool says_gone(int error)
{
	return error == -ENODEV || error == -ENXIO || error == -ENOMEDIUM || error == -ESHUTDOWN;
}

/* After such an answer: does a second look say the same? */
static bool still_gone(struct drive_linux *l)
{
	struct io io = {.length = l->drive.info.logical_block_bytes};
	struct batch b = {.ios = &io, .n = 1, .depth = 1};
	bool errors;
	int status = pass(l, &b, 0, 1, &errors);

	return status == -ENODEV || (status == 0 && says_gone(io.error));
}

/* The reads that met no drive were not answered: no sector is bad because of them. */
static int lose(struct drive_linux *l, const struct batch *b, size_t first, size_t n)
{
	for (size_t i = first; i < first + n; i++)
		if (says_gone(b->ios[i].error))
			b->ios[i] = (struct io){.offset = b->ios[i].offset,
				.length = b->ios[i].length,
				.data = b->ios[i].data,
				.not_before_ns = b->ios[i].not_before_ns,
				.error = -ECANCELED};
	return give_up(l, -ENODEV);
}

static int run_part(struct drive_linux *l, const struct batch *b, size_t first, size_t n)
{
	bool errors, gone = false;
	int status = pass(l, b, first, n, &errors);

	if (status == -ENODEV)
		return lose(l, b, first, n);
	if ((status && status != -EINTR) || !errors)
		return status;
	for (size_t i = first; i < first + n; i++)
		gone = gone || says_gone(b->ios[i].error);
	if (vanished(l) || (gone && still_gone(l)))
		return lose(l, b, first, n);
	return status;
}

static int run(struct drive *d, struct batch *b)
{
	struct drive_linux *l = self(d);

	if (l->dead)
		return l->dead;
	for (size_t first = 0, n; first < b->n; first += n) {
		int status = told_to_stop(b->hook) ? -EINTR : 0;

		n = part_of(b, first);
		if (!status)
			status = run_part(l, b, first, n);
		if (status)
			return status;
	}
	return 0;
}

static int witness(struct drive *d, struct witness *w)
{
	struct drive_linux *l = self(d);

	witness_read(w, l->number, l->reader);
	w->reader_user_ns = l->shared->user_ns;
	w->reader_system_ns = l->shared->system_ns;
	w->known |= WITNESS_CPU;
	return 0;
}

static int resident(struct drive *d, uint64_t offset, uint64_t length, uint64_t *bytes)
{
	struct drive_linux *l = self(d);
	struct wire_request request = {
		.verb = WIRE_RESIDENT, .drive = l->id, .offset = offset, .length = length};
	struct wire_reply reply;

	if (front_call(l->platform, &request, &reply, NULL, FRONT_LIMIT_NS) != 0 || reply.status)
		return -ENOTSUP;
	*bytes = reply.bytes;
	return 0;
}

static void close_drive(struct drive *d)
{
	struct drive_linux *l = self(d);
	struct wire_request request = {.verb = WIRE_CLOSE, .drive = l->id};

	front_tell(l->platform, &request);
	if (l->shared) {
		atomic_store(&l->shared->stop, 1);
		munmap(l->shared, WIRE_SHARED_BYTES);
	}
	if (l->socket >= 0)
		close(l->socket); /* on which the reader ends, when it can */
	free(l);
}

static const struct drive_ops ops = {
	.now_ns = now_ns,
	.run = run,
	.witness = witness,
	.resident = resident,
	.close = close_drive,
};

int drive_linux_reader(const struct drive *d)
{
	return ((const struct drive_linux *)d)->reader;
}

static void fill_info(
	struct drive_linux *l, const char *node, bool direct, const struct wire_reply *reply)
{
	struct drive_info *info = &l->drive.info;
	struct sysfs_device d;

	text_copy_clean(info->name, sizeof(info->name), node);
	info->logical_block_bytes = reply->logical_block_bytes;
	info->physical_block_bytes = reply->physical_block_bytes;
	if (info->physical_block_bytes < info->logical_block_bytes)
		info->physical_block_bytes = info->logical_block_bytes;
	if (info->logical_block_bytes)
		info->size_bytes =
			reply->size_bytes - reply->size_bytes % info->logical_block_bytes;
	info->path = direct ? DRIVE_DIRECT : DRIVE_PAGE_CACHE;
	info->clock_error_ratio = clock_error_ratio();
	info->read_method = "pread";
	info->queue_method = l->shared->queue == WIRE_QUEUE_URING ? "io_uring" : "threads";
	if (sysfs_by_number(&d, l->number) == 0)
		l->sectors = sysfs_number(0, "%s/size", d.dir);
}

int drive_linux_open(struct platform *p, const char *node, uint64_t number, bool direct,
	const struct drive_linux_options *options, struct wire_reply *reply, struct drive **drive)
{
	struct wire_request request = {
		.verb = WIRE_OPEN, .number = number, .direct = direct, .queue = options->queue};
	int fds[MESSAGE_FDS_MAX], status;
	struct drive_linux *l;
	void *memory;

	memset(reply, 0, sizeof(*reply));
	if (strlen(node) >= sizeof(request.path))
		return -ENAMETOOLONG;
	memcpy(request.path, node, strlen(node) + 1);
	status = front_call(p, &request, reply, fds, FRONT_LIMIT_NS);
	if (status || reply->status)
		return status ? status : reply->status;
	l = mem_zalloc(1, sizeof(*l));
	*l = (struct drive_linux){.drive = {.ops = &ops},
		.platform = p,
		.number = number,
		.id = reply->drive,
		.reader = reply->reader,
		.socket = fds[0],
		.limit_ns = options->limit_ns};
	memory = mmap(NULL, WIRE_SHARED_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fds[1], 0);
	close(fds[1]);
	if (memory == MAP_FAILED) {
		status = -errno;
		close_drive(&l->drive);
		return status;
	}
	l->shared = memory;
	l->arena = (char *)memory + WIRE_ARENA_AT;
	status = wait_done(l, NULL);
	if (!status)
		status = l->shared->status;
	if (status) {
		close_drive(&l->drive);
		return status;
	}
	fill_info(l, node, direct, reply);
	*drive = &l->drive;
	return 0;
}
