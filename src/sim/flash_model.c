/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Flash: pages lie on units that read side by side; each read waits for its units, then its data go
 * over one interface. A read that goes on where the last one ended finds its first pages fetched
 * already, so that only the units' rate and the interface limit a stream. `none` answers at
 * once. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "sim/model_inside.h"

struct flash {
	double *unit_free_ns;
	double bus_ns;
	uint64_t expected; /* where the last read ended */
};

/* When all pages of the request have been read by their units. */
static double units_ready(struct model *m, const struct model_request *r, double start_ns)
{
	const struct truth *t = &m->truth;
	struct flash *f = m->state;
	double page_ns = (double)t->flash_page_bytes / t->flash_unit_bytes_per_s * 1e9;
	uint64_t page = r->offset / t->flash_page_bytes;
	uint64_t last = (r->offset + r->length - 1) / t->flash_page_bytes;
	double ready = start_ns;

	for (; page <= last; page++) {
		double *unit = &f->unit_free_ns[page % t->flash_units];

		*unit = fmax(*unit, start_ns) + page_ns;
		ready = fmax(ready, *unit);
	}
	/* the first page of each unit is part of the array read */
	return fmax(start_ns, ready - page_ns);
}

static void flash_submit(struct model *m, struct model_request *r)
{
	const struct truth *t = &m->truth;
	struct flash *f = m->state;
	struct fault_effect e = faults_meet(&m->faults, r, &m->rng);
	double start = (double)r->arrive_ns + t->command_s * 1e9 + e.hang_ns, done;

	r->how = e.how | MODEL_MISS;
	r->error = e.error;
	if (r->offset != f->expected)
		start += (t->flash_read_s + t->flash_jitter_s * rng_exponential(&m->rng)) * 1e9;
	else
		r->how |= MODEL_STREAM;
	if (t->flash_outlier_share > 0 && rng_uniform(&m->rng) < t->flash_outlier_share)
		start += t->flash_outlier_s * 1e9;
	f->expected = r->offset + r->length;
	done = units_ready(m, r, start) + e.delay_ns;
	if (!e.error) {
		double rate = t->interface_bytes_per_s / 1e9, move = r->length / rate;

		/* pages go out as they come */
		f->bus_ns = fmax(fmax(f->bus_ns, start) + move, done);
		done = f->bus_ns;
	}
	r->done_ns = model_ns(done);
	if (e.how & MODEL_GONE)
		r->done_ns = r->arrive_ns;
	model_answer(m, r);
}

static void flash_close(struct model *m)
{
	struct flash *f = m->state;

	free(f->unit_free_ns);
}

static const struct model_ops FLASH_OPS = {.submit = flash_submit, .close = flash_close};

void flash_model_init(struct model *m)
{
	struct flash *f = mem_zalloc(1, sizeof(*f));

	f->unit_free_ns = mem_zalloc(m->truth.flash_units, sizeof(*f->unit_free_ns));
	f->expected = UINT64_MAX;
	m->state = f;
	m->ops = &FLASH_OPS;
}

static void none_submit(struct model *m, struct model_request *r)
{
	struct fault_effect e = faults_meet(&m->faults, r, &m->rng);

	r->how = e.how;
	r->error = e.error;
	r->done_ns = r->arrive_ns + model_ns(e.delay_ns + e.hang_ns);
	model_answer(m, r);
}

static const struct model_ops NONE_OPS = {.submit = none_submit};

void none_model_init(struct model *m)
{
	m->ops = &NONE_OPS;
}
