/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hands each kind of drive its requests in the order of time, and keeps what it answered sorted by
 * completion. */
#include "sim/model.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "sim/model_inside.h"

enum { STREAM_MODEL = 11 };

static void init_kind(struct model *m, uint64_t seed)
{
	if (m->truth.bridge_bytes_per_s > 0) {
		bridge_model_init(m, seed);
		return;
	}
	switch ((enum truth_kind)m->truth.kind) {
	case TRUTH_DISK: case TRUTH_SMR:
		if (m->truth.actuators > 1)
			arms_model_init(m, seed);
		else
			disk_model_init(m, seed);
		return;
	case TRUTH_FLASH: flash_model_init(m); return;
	case TRUTH_VIRTUAL: virtual_model_init(m); return;
	case TRUTH_ARRAY: array_model_init(m, seed); return;
	case TRUTH_NONE: none_model_init(m); return;
	}
}

struct model *model_open(const struct truth *t, uint64_t seed)
{
	struct model *m = mem_zalloc(1, sizeof(*m));

	m->truth = *t;
	rng_init(&m->rng, seed, STREAM_MODEL);
	init_kind(m, seed);
	for (unsigned i = 0; i < t->fault_n; i++)
		model_fault(m, t->fault[i]);
	return m;
}

void model_close(struct model *m)
{
	if (!m)
		return;
	if (m->ops->close)
		m->ops->close(m);
	free(m->state);
	free(m);
}

void model_answer(struct model *m, struct model_request *r)
{
	struct model_request **at = &m->outbox;
	double tick_ns = m->truth.completion_tick_s * 1e9;

	if (tick_ns > 0 && r->how & (MODEL_MISS | MODEL_STREAM))
		r->done_ns = model_ns(ceil((double)r->done_ns / tick_ns) * tick_ns);
	if (m->outbox_last && m->outbox_last->done_ns <= r->done_ns)
		at = &m->outbox_last->next;
	while (*at && (*at)->done_ns <= r->done_ns)
		at = &(*at)->next;
	r->next = *at;
	*at = r;
	if (!r->next)
		m->outbox_last = r;
}

void model_submit(struct model *m, struct model_request *r)
{
	const char *words;

	r->error = 0;
	r->how = 0;
	r->next = NULL;
	if (m->ops->advance)
		m->ops->advance(m, r->arrive_ns);
	while (faults_due(&m->faults, r->arrive_ns, &words))
		model_fault(m, words);
	m->ops->submit(m, r);
}

uint64_t model_next_ns(struct model *m)
{
	if (m->ops->next)
		return m->ops->next(m);
	if (!m->outbox && m->ops->decide)
		m->ops->decide(m);
	return m->outbox ? m->outbox->done_ns : UINT64_MAX;
}

struct model_request *model_take(struct model *m, uint64_t now_ns)
{
	struct model_request *r;

	if (m->ops->advance)
		m->ops->advance(m, now_ns + 1);
	r = m->outbox;
	if (!r || r->done_ns > now_ns)
		return NULL;
	m->outbox = r->next;
	if (!m->outbox)
		m->outbox_last = NULL;
	r->next = NULL;
	return r;
}

int model_fault(struct model *m, const char *words)
{
	int status = faults_set(&m->faults, words);

	/* what is put in later comes here again when it is due */
	if (!status && m->ops->fault && !m->faults.putting_later)
		m->ops->fault(m, words);
	return status;
}
