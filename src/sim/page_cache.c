/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is resident is copied at memory speed; what is missing is read through the drive behind
 * first, and when the reads go on where the last one ended, a read-ahead window with it. One
 * reader, so reads are carried out one after the other whatever the depth. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/rng.h"
#include "sim/resident_set.h"
#include "sim/sim_inside.h"

enum { STREAM_MEMORY = 41 };
#define PAGE         4096u
#define CALL_NS      250.0 /* a read() that finds everything */
#define PIECES       64u   /* of one window, in flight together */
#define TICK_NS      100000000u

struct page_cache {
	struct drive drive;
	struct drive *direct; /* owned */
	struct resident_set set;
	struct rng rng;
	double bytes_per_ns, jitter;
	uint64_t readahead_bytes, last_end, tick_ns;
};

static struct page_cache *cache_of(struct drive *d)
{
	return (struct page_cache *)(void *)d;
}

static uint64_t cache_now_ns(struct drive *d)
{
	return drive_now_ns(cache_of(d)->direct);
}

/* Reads [from, to) from the drive. 0, the first read's error, or (in *status) why the drive
 * ended. */
static int fetch(struct page_cache *c, uint64_t from, uint64_t to, int *status)
{
	uint32_t most = c->direct->info.max_request_bytes;
	struct io ios[PIECES];

	while (from < to) {
		struct batch b = {.ios = ios, .depth = PIECES};

		for (; b.n < PIECES && from < to; b.n++) {
			uint64_t n = to - from < most ? to - from : most;

			ios[b.n] = (struct io){.offset = from, .length = (uint32_t)n};
			from += n;
		}
		*status = drive_run(c->direct, &b);
		if (*status)
			break;
		for (size_t i = 0; i < b.n; i++) {
			if (ios[i].error)
				return ios[i].error;
			resident_add(&c->set, ios[i].offset, ios[i].offset + ios[i].length);
		}
	}
	return *status;
}

static uint64_t page_end(const struct page_cache *c, uint64_t x)
{
	uint64_t end = (x + PAGE - 1) / PAGE * PAGE;

	return end < c->drive.info.size_bytes ? end : c->drive.info.size_bytes;
}

static int read_one(struct page_cache *c, struct io *io, int *status)
{
	uint64_t end = io->offset + io->length, window = io->offset + c->readahead_bytes;
	struct resident_range missing;
	int error = 0;

	if (io->offset != c->last_end || window < end)
		window = end;
	while (!error && resident_missing(&c->set, io->offset, end, &missing))
		error = fetch(c, missing.from / PAGE * PAGE,
			page_end(c, missing.to == end ? window : missing.to), status);
	c->last_end = end;
	return error;
}

static void copy(struct page_cache *c, const struct io *io)
{
	double slow = 1 + c->jitter * rng_normal(&c->rng);

	double ns = CALL_NS + io->length / c->bytes_per_ns * fmax(slow, 0.2);

	sim_drive_pass(c->direct, (uint64_t)ns, (uint64_t)ns);
}

static int cache_run(struct drive *d, struct batch *b)
{
	struct page_cache *c = cache_of(d);
	const struct batch_hook *hook = b->hook;

	for (size_t i = 0; i < b->n; i++) {
		struct io *io = &b->ios[i];
		uint64_t now = drive_now_ns(c->direct);
		int status = 0;

		if (hook && hook->stop && *hook->stop)
			return -EINTR;
		if (io->not_before_ns > now) {
			if (b->until_ns && io->not_before_ns >= b->until_ns)
				return 0;
			sim_drive_pass(c->direct, io->not_before_ns - now, 0);
		} else if (b->until_ns && now >= b->until_ns) {
			return 0;
		}
		io->sent_ns = drive_now_ns(c->direct);
		io->error = read_one(c, io, &status);
		if (status) {
			io->error = -ECANCELED;
			return status;
		}
		copy(c, io);
		io->done_ns = now = drive_now_ns(c->direct);
		if (!io->error && io->data)
			sim_content(&d->info, io->offset, io->length, io->data);
		if (hook && hook->tick && now >= c->tick_ns) {
			c->tick_ns = now + TICK_NS;
			hook->tick(hook->arg, now);
		}
	}
	return 0;
}

static int cache_witness(struct drive *d, struct witness *w)
{
	return drive_witness(cache_of(d)->direct, w);
}

static int cache_resident(struct drive *d, uint64_t offset, uint64_t length, uint64_t *bytes)
{
	*bytes = resident_count(&cache_of(d)->set, offset, offset + length);
	return 0;
}

static void cache_close(struct drive *d)
{
	struct page_cache *c = cache_of(d);

	drive_close(c->direct);
	resident_release(&c->set);
	free(c);
}

static const struct drive_ops CACHE_OPS = {
	.now_ns = cache_now_ns,
	.run = cache_run,
	.witness = cache_witness,
	.resident = cache_resident,
	.close = cache_close,
};

struct drive *page_cache_open(const struct truth *t, uint64_t seed, struct drive *direct)
{
	struct page_cache *c = mem_zalloc(1, sizeof(*c));

	c->drive.ops = &CACHE_OPS;
	c->drive.info = direct->info;
	c->drive.info.path = DRIVE_PAGE_CACHE;
	c->direct = direct;
	rng_init(&c->rng, seed, STREAM_MEMORY);
	c->bytes_per_ns = t->memory_bytes_per_s / 1e9;
	c->jitter = t->memory_jitter;
	c->readahead_bytes = t->host_readahead_bytes;
	c->last_end = UINT64_MAX;
	for (unsigned i = 0; i < t->resident_n; i++) {
		uint64_t from = t->resident[i].from_bytes / PAGE * PAGE;
		uint64_t size = t->size_bytes, length = t->resident[i].length_bytes;

		if (from < size)
			resident_add(&c->set, from,
				page_end(c, length < size - from ? from + length : size));
	}
	return &c->drive;
}
