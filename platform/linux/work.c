/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Content nobody wants goes to private memory; each read in flight has a lane of it. For direct reads
 * it is made of huge pages, so that a large read reaches the drive whole; what comes through the page
 * cache goes where any program's would. Content that is wanted goes to the arena the
 * front sees. All of it is touched and locked before the first read is timed. */
#include "work.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "clock_linux.h"

#define HUGE_BYTES (2u << 20)
#define LANE_MIN   4096u
#define SPIN_NS    150000u   /* a sleeper wakes up late: the last part is waited awake */
#define LOOK_NS    50000000u /* and looks up this often for the stop flag */

static int grow_pool(struct work *w, size_t bytes)
{
	char *p;

	if (bytes <= w->pool_bytes)
		return 0;
	bytes = (bytes + HUGE_BYTES - 1) / HUGE_BYTES * HUGE_BYTES;
	p = mmap(NULL, bytes + HUGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
		0);
	if (p == MAP_FAILED)
		return -ENOMEM;
	/* the part before the first whole huge page, and the smaller pool from before, stay unused:
	 * pools grow a few times in the life of a reader */
	if (w->pool)
		munmap(w->pool, w->pool_bytes);
	p += (HUGE_BYTES - (uintptr_t)p % HUGE_BYTES) % HUGE_BYTES;
	if (fcntl(w->fd, F_GETFL) & O_DIRECT)
		madvise(p, bytes, MADV_HUGEPAGE);
	memset(p, 0, bytes);
	mlock(p, bytes);
	w->pool = p;
	w->pool_bytes = bytes;
	return 0;
}

static void touch_arena(struct work *w, size_t bytes)
{
	if (bytes <= w->arena_touched)
		return;
	for (size_t at = w->arena_touched / 4096 * 4096; at < bytes; at += 4096)
		((volatile char *)w->arena)[at] = 0;
	mlock(w->arena, bytes);
	w->arena_touched = bytes;
}

static bool fits(const struct wire_io *io)
{
	if (io->length == 0 || io->length > DRIVE_LENGTH_MAX)
		return false;
	return io->arena == WIRE_NOWHERE ||
	       (io->arena < WIRE_ARENA_BYTES && io->length <= WIRE_ARENA_BYTES - io->arena);
}

int work_prepare(struct work *w)
{
	size_t unwanted = 0, wanted = 0, pool;

	w->n = w->shared->n;
	w->depth = w->shared->depth;
	w->until_ns = w->shared->until_ns;
	w->gone = false;
	if (w->n == 0 || w->n > DRIVE_BATCH_MAX || w->depth == 0 || w->depth > DRIVE_DEPTH_MAX)
		return -EINVAL;
	for (uint32_t i = 0; i < w->n; i++) {
		const struct wire_io *io = &w->shared->ios[i];

		if (!fits(io))
			return -EINVAL;
		if (io->arena == WIRE_NOWHERE && io->length > unwanted)
			unwanted = io->length;
		if (io->arena != WIRE_NOWHERE && io->arena + io->length > wanted)
			wanted = io->arena + io->length;
	}
	w->lane_bytes = LANE_MIN;
	while (w->lane_bytes < unwanted)
		w->lane_bytes *= 2;
	pool = w->lane_bytes * w->depth;
	touch_arena(w, wanted);
	return grow_pool(w, pool < WORK_POOL_BYTES_MAX ? pool : WORK_POOL_BYTES_MAX);
}

enum work_verdict work_look(struct work *w, uint32_t i, uint64_t now_ns, uint64_t *wait_ns)
{
	uint64_t not_before_ns;

	*wait_ns = 0;
	if (i >= w->n || w->gone || atomic_load_explicit(&w->shared->stop, memory_order_relaxed))
		return WORK_END;
	not_before_ns = w->shared->ios[i].not_before_ns;
	if (w->until_ns && (now_ns >= w->until_ns || not_before_ns >= w->until_ns))
		return WORK_END;
	if (not_before_ns <= now_ns)
		return WORK_GO;
	*wait_ns = not_before_ns - now_ns;
	return WORK_WAIT;
}

enum work_verdict work_wait(struct work *w, uint32_t i)
{
	enum work_verdict verdict;
	uint64_t wait_ns;

	while ((verdict = work_look(w, i, clock_raw_ns(), &wait_ns)) == WORK_WAIT) {
		struct timespec pause = {0, 0};

		if (wait_ns <= SPIN_NS)
			continue;
		wait_ns -= SPIN_NS;
		pause.tv_nsec = (long)(wait_ns < LOOK_NS ? wait_ns : LOOK_NS);
		clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
	}
	return verdict;
}

void *work_memory(struct work *w, uint32_t i, uint32_t lane)
{
	const struct wire_io *io = &w->shared->ios[i];

	if (io->arena != WIRE_NOWHERE)
		return w->arena + io->arena;
	return w->pool + lane % (w->pool_bytes / w->lane_bytes) * w->lane_bytes;
}

void work_issue(struct work *w, uint32_t i)
{
	atomic_store_explicit(&w->shared->issued, i + 1, memory_order_release);
}

/* What is left of a read that came back short. */
static ssize_t read_rest(struct work *w, const struct wire_io *io, char *memory, ssize_t got)
{
	while (got > 0 && (size_t)got < io->length) {
		ssize_t more = pread(w->fd, memory + got, io->length - (size_t)got,
			(off_t)(io->offset + (uint64_t)got));

		if (more <= 0)
			return more < 0 ? -errno : 0;
		got += more;
	}
	return got;
}

void work_done(struct work *w, uint32_t i, void *memory, ssize_t result, uint64_t done_ns)
{
	struct wire_io *io = &w->shared->ios[i];

	if (result > 0 && (size_t)result < io->length) {
		result = read_rest(w, io, memory, result);
		done_ns = clock_raw_ns();
	}
	io->error = result < 0 ? (int32_t)result : 0;
	if (result == 0) {
		io->error = -ENODEV;
		w->gone = true;
	}
	atomic_store_explicit(&io->done_ns, done_ns, memory_order_release);
}

int work_status(const struct work *w)
{
	if (w->gone)
		return -ENODEV;
	if (atomic_load_explicit(&w->shared->stop, memory_order_relaxed) &&
		atomic_load_explicit(&w->shared->issued, memory_order_relaxed) < w->n)
		return -EINTR;
	return 0;
}

int work_run_plain(struct work *w)
{
	for (uint32_t i = 0; work_wait(w, i) == WORK_GO; i++) {
		struct wire_io *io = &w->shared->ios[i];
		void *memory = work_memory(w, i, 0);
		uint64_t sent_ns, done_ns;
		ssize_t got;

		work_issue(w, i);
		sent_ns = clock_raw_ns();
		atomic_store_explicit(&io->sent_ns, sent_ns, memory_order_relaxed);
		got = pread(w->fd, memory, io->length, (off_t)io->offset);
		done_ns = clock_raw_ns();
		work_done(w, i, memory, got < 0 ? -errno : got, done_ns);
	}
	return work_status(w);
}
