/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The batch is carried out by the inner drive as far as the first fault that ends a run; then the
 * answers of the reads that are hit are changed. A delayed read stalls the whole drive: its
 * clock runs ahead of the inner one by all delays so far. */
#include "drive/fault.h"

#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"

struct fault_drive {
	struct drive drive;
	struct drive *inner;
	struct fault *faults;
	size_t n;
	uint64_t issued; /* reads so far */
	uint64_t hits;
	uint64_t shift_ns; /* this clock minus the inner one */
	int ended;         /* what every run ends with from now on; 0 while none */
};

static bool hits(const struct fault *f, uint64_t number, const struct io *io)
{
	return number >= f->first_read && number <= f->last_read && io->offset < f->to_bytes &&
		io->offset + io->length > f->from_bytes;
}

/* How many of the batch's reads come before one that ends the run; *error is what it ends with. */
static size_t reads_before_end(struct fault_drive *d, const struct batch *b, int *error)
{
	for (size_t i = 0; i < b->n; i++)
		for (size_t k = 0; k < d->n; k++)
			if (d->faults[k].kind == FAULT_RUN_ERROR &&
				hits(&d->faults[k], d->issued + i + 1, &b->ios[i])) {
				*error = d->faults[k].error;
				return i;
			}
	return b->n;
}

static void answer(struct fault_drive *d, struct io *io)
{
	if (io->error == -ECANCELED)
		return;
	d->issued++;
	io->sent_ns += d->shift_ns;
	for (size_t k = 0; k < d->n; k++) {
		const struct fault *f = &d->faults[k];

		if (f->kind == FAULT_RUN_ERROR || !hits(f, d->issued, io))
			continue;
		d->hits++;
		if (f->kind == FAULT_READ_ERROR)
			io->error = f->error;
		else
			d->shift_ns += f->delay_ns;
	}
	io->done_ns += d->shift_ns;
}

/* A time on this drive's clock as the inner drive knows it; 0 stays "none". */
static uint64_t inner_time(const struct fault_drive *d, uint64_t ns)
{
	if (!ns)
		return 0;
	return ns > d->shift_ns ? ns - d->shift_ns : 1;
}

static int run_inner(struct fault_drive *d, struct batch *b, size_t n)
{
	struct batch inner = *b;
	struct io *ios = mem_copy(b->ios, n, sizeof(*ios));
	int status;

	inner.ios = ios;
	inner.n = n;
	inner.until_ns = inner_time(d, b->until_ns);
	for (size_t i = 0; i < n; i++)
		ios[i].not_before_ns = inner_time(d, ios[i].not_before_ns);
	status = drive_run(d->inner, &inner);
	for (size_t i = 0; i < n; i++) {
		b->ios[i].error = ios[i].error;
		b->ios[i].sent_ns = ios[i].sent_ns;
		b->ios[i].done_ns = ios[i].done_ns;
		answer(d, &b->ios[i]);
	}
	free(ios);
	return status;
}

static int fault_run(struct drive *drive, struct batch *b)
{
	struct fault_drive *d = (struct fault_drive *)drive;
	uint64_t issued_before = d->issued;
	int error = 0;
	int status = 0;
	size_t n;

	if (d->ended)
		return d->ended;
	n = reads_before_end(d, b, &error);
	if (n > 0)
		status = run_inner(d, b, n);
	/* the deadline may have come before the read that ends the run */
	if (status || !error || d->issued - issued_before < n)
		return status;
	d->hits++;
	d->ended = error;
	return error;
}

static uint64_t fault_now_ns(struct drive *d)
{
	struct fault_drive *f = (struct fault_drive *)d;

	return drive_now_ns(f->inner) + f->shift_ns;
}

static int fault_witness(struct drive *d, struct witness *w)
{
	return drive_witness(((struct fault_drive *)d)->inner, w);
}

static int fault_resident(struct drive *d, uint64_t offset, uint64_t length, uint64_t *bytes)
{
	return drive_resident(((struct fault_drive *)d)->inner, offset, length, bytes);
}

static void fault_close(struct drive *d)
{
	free(((struct fault_drive *)d)->faults);
	free(d);
}

static const struct drive_ops fault_ops = {
	.now_ns = fault_now_ns,
	.run = fault_run,
	.witness = fault_witness,
	.resident = fault_resident,
	.close = fault_close,
};

struct drive *fault_open(struct drive *inner, const struct fault *faults, size_t n)
{
	struct fault_drive *d = mem_zalloc(1, sizeof(*d));

	d->drive.ops = &fault_ops;
	d->drive.info = inner->info;
	d->inner = inner;
	d->faults = mem_copy(faults, n, sizeof(*faults));
	d->n = n;
	return &d->drive;
}

uint64_t fault_hits(const struct drive *fault)
{
	return ((const struct fault_drive *)fault)->hits;
}
