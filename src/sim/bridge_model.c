/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A bridge takes one request after the other, asks the drive behind it for pieces it can hold, and
 * passes each on at its own rate, its answer waiting for the bus's next frame. As nothing
 * overlaps, a request's end is known when it comes. */
#include <math.h>

#include "base/mem.h"
#include "sim/model_inside.h"

struct bridge {
	struct model *inner;
	double free_ns;
};

/* One piece: asked for at t_ns; returns when the host has it. */
static double piece(struct model *m, struct model_request *r, double t_ns)
{
	const struct truth *t = &m->truth;
	struct bridge *b = m->state;
	double frame = t->bridge_frame_s * 1e9, done;

	r->arrive_ns = model_ns(t_ns + t->bridge_command_s * 1e9);
	model_submit(b->inner, r);
	while (!model_take(b->inner, model_next_ns(b->inner)))
		continue;
	done = (double)r->done_ns;
	if (!r->error)
		done += r->length / t->bridge_bytes_per_s * 1e9;
	return frame > 0 ? ceil(done / frame) * frame : done;
}

static void bridge_submit(struct model *m, struct model_request *r)
{
	struct bridge *b = m->state;
	double t = fmax((double)r->arrive_ns, b->free_ns);
	uint32_t most = (uint32_t)m->truth.bridge_request_bytes;

	for (uint32_t at = 0; at < r->length && !r->error; at += most) {
		struct model_request p = {.offset = r->offset + at, .length = r->length - at};

		if (p.length > most)
			p.length = most;
		t = piece(m, &p, t);
		r->how |= p.how;
		r->error = p.error;
	}
	b->free_ns = t;
	r->done_ns = r->how & MODEL_GONE ? r->arrive_ns : model_ns(t);
	model_answer(m, r);
}

static void bridge_fault(struct model *m, const char *words)
{
	struct bridge *b = m->state;

	model_fault(b->inner, words);
}

static void bridge_close(struct model *m)
{
	struct bridge *b = m->state;

	model_close(b->inner);
}

static const struct model_ops BRIDGE_OPS = {
	.submit = bridge_submit,
	.fault = bridge_fault,
	.close = bridge_close,
};

void bridge_model_init(struct model *m, uint64_t seed)
{
	struct bridge *b = mem_zalloc(1, sizeof(*b));
	struct truth inner = m->truth;

	inner.bridge_bytes_per_s = 0;
	inner.fault_n = 0; /* they come through bridge_fault() */
	b->inner = model_open(&inner, seed);
	m->state = b;
	m->ops = &BRIDGE_OPS;
}
