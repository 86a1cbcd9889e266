/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each call is passed on first and written down after it was answered, into memory; when enough has
 * gathered it goes to the sink, between two calls. Nearly all of a recording is small differences,
 * so that a read takes about ten bytes. */
#include "drive/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "drive/trace_format.h"

#define FLUSH_BYTES (64u << 10)

struct trace {
	struct drive drive;
	struct drive *inner;
	struct trace_sink sink;
	struct text held; /* bytes not yet given to the sink */
	int status;
	uint64_t time_ns;    /* the last time written */
	uint64_t end_bytes;  /* the end of the last io written */
	uint32_t length;     /* of the last io written */
};

static void put_byte(struct trace *t, unsigned byte)
{
	text_add_fill(&t->held, (char)byte, 1);
}

static void put_varint(struct trace *t, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		put_byte(t, (unsigned)(v & 0x7F) | 0x80);
	put_byte(t, (unsigned)v);
}

/* The difference of two unsigned numbers, modulo 2^64, as a signed varint. */
static void put_difference(struct trace *t, uint64_t v)
{
	put_varint(t, (v << 1) ^ (v >> 63 ? UINT64_MAX : 0));
}

static void put_time(struct trace *t, uint64_t ns)
{
	put_difference(t, ns - t->time_ns);
	t->time_ns = ns;
}

static void put_string(struct trace *t, const char *s)
{
	put_varint(t, strlen(s));
	text_add_bytes(&t->held, s, strlen(s));
}

static void put_double(struct trace *t, double v)
{
	uint64_t bits;

	_Static_assert(sizeof(bits) == sizeof(v), "doubles of 64 bits");
	memcpy(&bits, &v, sizeof(bits));
	put_varint(t, bits);
}

static void put_status(struct trace *t, int status)
{
	put_varint(t, (uint64_t)(-(int64_t)status));
}

static void flush(struct trace *t)
{
	if (t->status == 0 && t->held.length)
		t->status = t->sink.write(t->sink.arg, t->held.chars, t->held.length);
	t->held.length = 0;
}

static void flush_if_much(struct trace *t)
{
	if (t->held.length >= FLUSH_BYTES)
		flush(t);
}

static void put_header(struct trace *t, unsigned plan_version)
{
	const struct drive_info *info = &t->drive.info;

	text_add_bytes(&t->held, TRACE_MAGIC, TRACE_MAGIC_BYTES);
	put_varint(t, plan_version);
	put_string(t, info->name);
	put_varint(t, info->size_bytes);
	put_varint(t, info->logical_block_bytes);
	put_varint(t, info->physical_block_bytes);
	put_varint(t, info->memory_align_bytes);
	put_varint(t, info->max_request_bytes);
	put_varint(t, (uint64_t)info->path);
	put_varint(t, (uint64_t)info->rotating);
	put_varint(t, info->simulated | (isnan(info->clock_error_ratio) ? 0 : TRACE_CLOCK_ERROR));
	if (!isnan(info->clock_error_ratio))
		put_double(t, info->clock_error_ratio);
	put_varint(t, info->reported_rpm);
	put_varint(t, (uint64_t)info->power);
	put_varint(t, info->first_read_ns);
	put_string(t, info->read_method ? info->read_method : "");
	put_string(t, info->queue_method ? info->queue_method : "");
}

static uint64_t trace_now_ns(struct drive *d)
{
	struct trace *t = (struct trace *)d;
	uint64_t now_ns = drive_now_ns(t->inner);

	put_byte(t, TRACE_NOW);
	put_time(t, now_ns);
	flush_if_much(t);
	return now_ns;
}

static void put_io(struct trace *t, const struct io *io)
{
	unsigned flags = (io->length == t->length ? TRACE_IO_SAME_LENGTH : 0) |
		(io->not_before_ns ? TRACE_IO_NOT_BEFORE : 0) |
		(io->error ? TRACE_IO_ERROR : 0) |
		(io->sent_ns || io->done_ns ? TRACE_IO_TIMES : 0) |
		(io->data ? TRACE_IO_CONTENT : 0);

	put_byte(t, flags);
	put_difference(t, io->offset - t->end_bytes);
	if (!(flags & TRACE_IO_SAME_LENGTH))
		put_varint(t, io->length);
	if (flags & TRACE_IO_NOT_BEFORE)
		put_time(t, io->not_before_ns);
	if (flags & TRACE_IO_ERROR)
		put_status(t, io->error);
	if (flags & TRACE_IO_TIMES) {
		put_time(t, io->sent_ns);
		put_time(t, io->done_ns);
	}
	t->end_bytes = io->offset + io->length;
	t->length = io->length;
}

static int trace_run(struct drive *d, struct batch *b)
{
	struct trace *t = (struct trace *)d;
	int status = drive_run(t->inner, b);

	put_byte(t, TRACE_RUN);
	put_varint(t, b->n);
	put_varint(t, b->depth);
	put_varint(t, b->until_ns ? 1 : 0);
	if (b->until_ns)
		put_time(t, b->until_ns);
	put_status(t, status);
	for (size_t i = 0; i < b->n; i++)
		put_io(t, &b->ios[i]);
	flush_if_much(t);
	return status;
}

static int trace_witness(struct drive *d, struct witness *w)
{
	struct trace *t = (struct trace *)d;
	int status = drive_witness(t->inner, w);

	put_byte(t, TRACE_WITNESS);
	put_status(t, status);
	if (status == 0) {
		const uint64_t counters[] = {w->device_reads, w->device_read_bytes,
			w->device_writes, w->device_written_bytes, w->reader_user_ns,
			w->reader_system_ns, w->run_delay_ns, w->steal_ns};

		put_varint(t, w->known);
		for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++)
			put_varint(t, counters[i]);
	}
	flush_if_much(t);
	return status;
}

static int trace_resident(struct drive *d, uint64_t offset, uint64_t length, uint64_t *bytes)
{
	struct trace *t = (struct trace *)d;
	int status = drive_resident(t->inner, offset, length, bytes);

	put_byte(t, TRACE_RESIDENT);
	put_varint(t, offset);
	put_varint(t, length);
	put_status(t, status);
	put_varint(t, *bytes);
	flush_if_much(t);
	return status;
}

static void trace_close(struct drive *d)
{
	struct trace *t = (struct trace *)d;

	flush(t);
	text_release(&t->held);
	free(t);
}

static const struct drive_ops trace_ops = {
	.now_ns = trace_now_ns,
	.run = trace_run,
	.witness = trace_witness,
	.resident = trace_resident,
	.close = trace_close,
};

struct drive *trace_open(struct drive *inner, unsigned plan_version, const struct trace_sink *sink)
{
	struct trace *t = mem_zalloc(1, sizeof(*t));

	t->drive.ops = &trace_ops;
	t->drive.info = inner->info;
	t->inner = inner;
	t->sink = *sink;
	put_header(t, plan_version);
	return &t->drive;
}

int trace_status(const struct drive *trace)
{
	return ((const struct trace *)trace)->status;
}
