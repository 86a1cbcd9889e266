/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The entry points check what is asked once, so that no kind of drive has to. */
#include "drive/drive.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

uint64_t drive_now_ns(struct drive *d)
{
	return d->ops->now_ns(d);
}

static void check_io(const struct drive_info *info, const struct io *io)
{
	assert(io->length > 0 && io->length <= DRIVE_LENGTH_MAX);
	assert(!io->data || io->length <= DRIVE_CONTENT_MAX);
	assert(io->offset % info->logical_block_bytes == 0);
	assert(io->length % info->logical_block_bytes == 0);
	assert(io->offset <= info->size_bytes && io->length <= info->size_bytes - io->offset);
	(void)info;
	(void)io;
}

int drive_run(struct drive *d, struct batch *b)
{
	assert(b->n > 0 && b->n <= DRIVE_BATCH_MAX);
	assert(b->depth > 0 && b->depth <= DRIVE_DEPTH_MAX);
	for (size_t i = 0; i < b->n; i++) {
		check_io(&d->info, &b->ios[i]);
		b->ios[i].error = -ECANCELED;
		b->ios[i].sent_ns = 0;
		b->ios[i].done_ns = 0;
	}
	return d->ops->run(d, b);
}

int drive_read(struct drive *d, uint64_t offset, uint32_t length, void *data, uint64_t *latency_ns)
{
	struct io io = {.offset = offset, .length = length, .data = data};
	struct batch b = {.ios = &io, .n = 1, .depth = 1};
	int status = drive_run(d, &b);

	if (latency_ns)
		*latency_ns = io.done_ns - io.sent_ns;
	return status ? status : io.error;
}

int drive_witness(struct drive *d, struct witness *w)
{
	int status;

	memset(w, 0, sizeof(*w));
	status = d->ops->witness ? d->ops->witness(d, w) : -ENOTSUP;
	if (status)
		w->known = 0;
	return status;
}

int drive_resident(struct drive *d, uint64_t offset, uint64_t length, uint64_t *bytes)
{
	*bytes = 0;
	return d->ops->resident ? d->ops->resident(d, offset, length, bytes) : -ENOTSUP;
}

void drive_close(struct drive *d)
{
	if (d)
		d->ops->close(d);
}

struct witness witness_since(const struct witness *before, const struct witness *after)
{
	return (struct witness){
		.known = before->known & after->known,
		.device_reads = after->device_reads - before->device_reads,
		.device_read_bytes = after->device_read_bytes - before->device_read_bytes,
		.device_writes = after->device_writes - before->device_writes,
		.device_written_bytes = after->device_written_bytes - before->device_written_bytes,
		.reader_user_ns = after->reader_user_ns - before->reader_user_ns,
		.reader_system_ns = after->reader_system_ns - before->reader_system_ns,
		.run_delay_ns = after->run_delay_ns - before->run_delay_ns,
		.steal_ns = after->steal_ns - before->steal_ns,
	};
}
