/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A drive in standby answers its first read when the platters turn again, which takes seconds. The
 * place is drawn anew for each run and round, so that the drive's cache does not hold it. */
#include "plan/wake.h"

#include <errno.h>
#include <stdio.h>

#include "base/rng.h"

static void add_event(struct doc *doc, const char *kind, const struct io *io)
{
	struct event event = {.offset = io->offset, .length = io->length, .error = io->error,
		.at_s = (double)io->sent_ns / 1e9};

	snprintf(event.kind, sizeof(event.kind), "%s", kind);
	if (!io->error)
		event.took_s = (double)(io->done_ns - io->sent_ns) / 1e9;
	doc_event(doc, &event);
}

int wake_drive(struct drive *d, const struct scope *scope, unsigned round, bool asleep,
	struct doc *doc)
{
	uint32_t block = d->info.logical_block_bytes;
	uint64_t blocks = (scope->to_bytes - scope->from_bytes) / block;
	struct rng rng;

	rng_init(&rng, scope->seed, 'w' + ((uint64_t)round << 8));
	for (unsigned k = 0; k < WAKE_TRIES; k++) {
		struct io io = {.offset = scope->from_bytes + rng_below(&rng, blocks) * block,
			.length = block};
		struct batch b = {.ios = &io, .n = 1, .depth = 1};
		int status = drive_run(d, &b);

		if (status)
			return status;
		if (io.error == -ECANCELED)
			return 0;
		if (asleep || io.done_ns - io.sent_ns > WAKE_SLOW_NS)
			add_event(doc, "spin_up", &(struct io){.offset = io.offset, .length = block,
				.sent_ns = io.sent_ns, .done_ns = io.done_ns});
		if (!io.error)
			return 0;
		add_event(doc, "read_error", &io);
		asleep = false;
	}
	return 0;
}

void wake_told_by_opening(const struct drive_info *info, struct doc *doc)
{
	if (info->first_read_ns <= WAKE_SLOW_NS)
		return;
	doc_event(doc, &(struct event){.kind = "spin_up", .length = info->logical_block_bytes,
		.took_s = (double)info->first_read_ns / 1e9});
}
