/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A drive made for tests of what stands in front of one: every read takes 1 ms on a clock of its
 * own, one after the other; it counts what was asked and can be told to end or to stop somebody. */
#ifndef TESTS_TINY_DRIVE_H
#define TESTS_TINY_DRIVE_H

#include <errno.h>
#include <stdio.h>

#include "drive/drive.h"

#define TINY_READ_NS 1000000u
#define TINY_START_NS 5000000000u

struct tiny {
	struct drive drive;
	uint64_t clock_ns;
	unsigned runs, reads, closed;
	uint64_t end_at_read;           /* from this read on (1 …): end_status; 0 never */
	int end_status;
	volatile sig_atomic_t *raise;   /* set to 1 after raise_at_read reads */
	unsigned raise_at_read;
	const struct batch_hook *hook;  /* of the last run */
};

static uint64_t tiny_now_ns(struct drive *d)
{
	return ((struct tiny *)d)->clock_ns;
}

static int tiny_run(struct drive *d, struct batch *b)
{
	struct tiny *t = (struct tiny *)d;

	t->runs++;
	t->hook = b->hook;
	for (size_t i = 0; i < b->n; i++) {
		struct io *io = &b->ios[i];

		if (b->hook && b->hook->stop && *b->hook->stop)
			return -EINTR;
		if (io->not_before_ns > t->clock_ns)
			t->clock_ns = io->not_before_ns;
		if (b->until_ns && t->clock_ns >= b->until_ns)
			return 0;
		if (t->end_at_read && t->reads + 1 >= t->end_at_read)
			return t->end_status;
		t->reads++;
		io->error = 0;
		io->sent_ns = t->clock_ns;
		t->clock_ns += TINY_READ_NS;
		io->done_ns = t->clock_ns;
		if (t->raise && t->reads == t->raise_at_read)
			*t->raise = 1;
		if (b->hook && b->hook->tick)
			b->hook->tick(b->hook->arg, t->clock_ns);
	}
	return 0;
}

static int tiny_witness(struct drive *d, struct witness *w)
{
	w->known = WITNESS_DEVICE;
	w->device_reads = ((struct tiny *)d)->reads;
	return 0;
}

static int tiny_resident(struct drive *d, uint64_t offset, uint64_t length, uint64_t *bytes)
{
	(void)d;
	*bytes = offset == 0 ? length / 2 : 0;
	return 0;
}

static void tiny_close(struct drive *d)
{
	((struct tiny *)d)->closed++;
}

static const struct drive_ops tiny_ops = {tiny_now_ns, tiny_run, tiny_witness, tiny_resident,
	tiny_close};

static inline void tiny_init(struct tiny *t)
{
	*t = (struct tiny){.clock_ns = TINY_START_NS};
	t->drive.ops = &tiny_ops;
	t->drive.info = (struct drive_info){.size_bytes = 1u << 20, .logical_block_bytes = 512,
		.physical_block_bytes = 4096, .memory_align_bytes = 512, .max_request_bytes = 65536,
		.path = DRIVE_DIRECT, .rotating = ROTATING_YES,
		.clock_error_ratio = 25e-6, .read_method = "tiny",
		.queue_method = "tiny"};
	snprintf(t->drive.info.name, sizeof(t->drive.info.name), "tiny");
}

/* n reads of 4 KiB from the start. */
static inline void tiny_ios(struct io *ios, size_t n)
{
	for (size_t i = 0; i < n; i++)
		ios[i] = (struct io){.offset = i * 4096, .length = 4096};
}

#endif
