/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For tests of probes: a drive whose every answer is known, and one probe run on it. Include behind
 * cmocka.h. */
#ifndef TESTS_PLAIN_DRIVE_H
#define TESTS_PLAIN_DRIVE_H

#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "probe/probe.h"

#define NEAR(got, want, within) assert_true(fabs((got) - (want)) <= (within))

/* Answers one read after the other, each in each_ns + length / rate. */
struct plain {
	struct drive drive;
	uint64_t now_ns;
	double each_ns, bytes_per_s;
	uint64_t from, to; /* a read outside fails the test */
	uint64_t resident; /* this many bytes at the start are in its page cache */
	uint64_t reads, hash;
	uint64_t fail_from, fail_to; /* reads counted from 1 that get -EIO */
	uint64_t end_at;             /* from this read on runs end with end_status */
	int end_status;
	int fail_error;               /* instead of -EIO */
	uint64_t slow_at;             /* this read takes 3 s longer */
	double jitter;                /* each read takes up to so much of each_ns longer */
	struct rng rng;
	bool counts;                  /* has device counters, */
	uint64_t foreign_every;       /* in which after so many reads one of 64 KiB is another's */
	struct witness seen;
};

static inline uint64_t plain_now(struct drive *d)
{
	return ((struct plain *)d)->now_ns;
}

/* Failed reads count, and large ones in two pieces. */
static inline void count(struct plain *p, const struct io *io)
{
	p->seen.device_reads += io->length > p->drive.info.max_request_bytes / 2 ? 2 : 1;
	p->seen.device_read_bytes += io->length;
	if (p->foreign_every && p->reads % p->foreign_every == 0) {
		p->seen.device_reads++;
		p->seen.device_read_bytes += 65536;
	}
}

static inline int plain_witness(struct drive *d, struct witness *w)
{
	struct plain *p = (struct plain *)d;

	*w = p->seen;
	w->known = p->counts ? WITNESS_DEVICE : 0;
	return p->counts ? 0 : -ENOTSUP;
}

static inline int plain_run(struct drive *d, struct batch *b)
{
	struct plain *p = (struct plain *)d;

	for (size_t i = 0; i < b->n; i++) {
		struct io *io = &b->ios[i];

		if (b->until_ns && p->now_ns >= b->until_ns)
			return 0;
		if (p->end_at && p->reads + 1 >= p->end_at)
			return p->end_status;
		assert_true(io->offset >= p->from && io->offset + io->length <= p->to);
		p->reads++;
		p->hash = (p->hash ^ io->offset) * 0x100000001B3u ^ io->length;
		io->sent_ns = p->now_ns;
		p->now_ns += (uint64_t)(p->each_ns + io->length / p->bytes_per_s * 1e9);
		if (p->jitter > 0)
			p->now_ns += (uint64_t)(p->each_ns * p->jitter * rng_uniform(&p->rng));
		if (p->reads == p->slow_at)
			p->now_ns += 3000000000u;
		io->done_ns = p->now_ns;
		io->error = p->reads >= p->fail_from && p->reads <= p->fail_to
				    ? p->fail_error ? p->fail_error : -EIO
				    : 0;
		count(p, io);
	}
	return 0;
}

static inline int plain_resident(struct drive *d, uint64_t offset, uint64_t length, uint64_t *bytes)
{
	struct plain *p = (struct plain *)d;
	uint64_t end = offset + length < p->resident ? offset + length : p->resident;

	*bytes = end > offset ? end - offset : 0;
	return 0;
}

static const struct drive_ops plain_ops = {
	.now_ns = plain_now,
	.run = plain_run,
	.resident = plain_resident,
	.witness = plain_witness,
};

static inline struct plain plain_drive(uint64_t size, uint32_t block)
{
	struct plain p = {
		.drive = {.ops = &plain_ops,
			.info =
				{
					.name = "plain",
					.size_bytes = size,
					.logical_block_bytes = block,
					.physical_block_bytes = block,
					.max_request_bytes = 1u << 20,
				}},
		.now_ns = 1000,
		.each_ns = 100e3,
		.bytes_per_s = 100e6,
		.to = size,
		.resident = 2u << 20,
	};

	return p;
}

static inline struct scope whole(const struct plain *p, const struct probe *probe)
{
	return (struct scope){
		.from_bytes = p->from,
		.to_bytes = p->to,
		.seed = 5,
		.runs = 3,
		.effort = EFFORT_STANDARD,
		.budget_ns = (uint64_t)(probe->seconds[EFFORT_STANDARD] * 1e9),
	};
}

static inline int run(const char *name, struct plain *p, struct doc *doc, struct err *e)
{
	const struct probe *probe = probe_find(name);
	struct scope scope = whole(p, probe);

	doc_init(doc);
	p->drive.info.path = probe->path;
	return probe->run(&p->drive, &scope, doc, e);
}

/* A probe that does nothing on a drive that does not turn, as this one. */
static inline bool needs_rotation(const struct probe *probe)
{
	for (size_t i = 0; i < PROBE_NEEDS_MAX && probe->needs[i]; i++)
		if (strcmp(probe->needs[i], "rotation") == 0)
			return true;
	return probe->between != NULL;
}

#endif
