/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A virtual disk: some reads are answered by its host's memory, the others take a lognormal time in
 * whatever is behind; reads that go on where one ended are read ahead. Nothing of it turns. */
#include <math.h>

#include "base/mem.h"
#include "sim/model_inside.h"

#define ENDS 8u /* streams that are recognised */

struct virtual_disk {
	double bus_ns;
	uint64_t ends[ENDS];
	unsigned newest;
};

static bool goes_on(struct virtual_disk *v, const struct model_request *r)
{
	for (unsigned i = 0; i < ENDS; i++)
		if (v->ends[i] == r->offset) {
			v->ends[i] += r->length;
			return true;
		}
	v->newest = (v->newest + 1) % ENDS;
	v->ends[v->newest] = r->offset + r->length;
	return false;
}

static void virtual_submit(struct model *m, struct model_request *r)
{
	const struct truth *t = &m->truth;
	struct virtual_disk *v = m->state;
	struct fault_effect e = faults_meet(&m->faults, r, &m->rng);
	bool stream = goes_on(v, r);
	bool hit = stream || rng_uniform(&m->rng) < t->virtual_hit_share;
	double ns = t->command_s * 1e9 + e.delay_ns + e.hang_ns;

	r->how = e.how | (stream ? MODEL_STREAM : hit ? MODEL_HIT : MODEL_MISS);
	r->error = e.error;
	if (hit)
		ns += t->virtual_hit_s * 1e9;
	else
		ns += t->virtual_median_s * exp(t->virtual_sigma * rng_normal(&m->rng)) * 1e9;
	ns += (double)r->arrive_ns;
	if (!e.error) {
		/* data go out as they come in order; small answers overtake slow ones */
		double move = r->length / t->interface_bytes_per_s * 1e9;

		v->bus_ns = fmax(v->bus_ns, (double)r->arrive_ns) + move;
		ns = fmax(ns + move, v->bus_ns);
	}
	r->done_ns = e.how & MODEL_GONE ? r->arrive_ns : model_ns(ns);
	model_answer(m, r);
}

static const struct model_ops VIRTUAL_OPS = {.submit = virtual_submit};

void virtual_model_init(struct model *m)
{
	struct virtual_disk *v = mem_zalloc(1, sizeof(*v));

	for (unsigned i = 0; i < ENDS; i++)
		v->ends[i] = UINT64_MAX;
	m->state = v;
	m->ops = &VIRTUAL_OPS;
}
