/* SPDX-License-Identifier: GPL-2.0-or-later */
/* RAID0 deals chunks out to its members: the part of a request on one member is one range, read as
 * one request there. RAID1 gives the whole request to one member: the one that reads on where it
 * was, else the one with the least to do, else the one whose last read was nearest (as md does
 * it). Linear has one member after the other, and so have the arms of a disk with more than one:
 * members that share a spindle, but no noise. A request is done when its last part is. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "sim/model_inside.h"

struct parent {
	struct model_request *request;
	unsigned parts; /* not done yet */
	uint64_t delay_ns;
};

struct part {
	struct model_request request; /* first: what the member gives back */
	struct parent *parent;
	unsigned member;
};

enum { STREAM_ARM = 1100 };

struct array {
	enum truth_level level;
	unsigned members;
	uint64_t each_bytes; /* linear: of a member */
	struct model *member[TRUTH_MEMBERS_MAX];
	unsigned busy[TRUTH_MEMBERS_MAX];    /* parts it holds */
	uint64_t last_end[TRUTH_MEMBERS_MAX]; /* bytes */
};

static void give(struct model *m, struct parent *parent, unsigned member, uint64_t offset,
	uint32_t length)
{
	struct array *a = m->state;
	struct part *p = mem_zalloc(1, sizeof(*p));

	p->parent = parent;
	p->member = member;
	p->request.offset = offset;
	p->request.length = length;
	p->request.arrive_ns = parent->request->arrive_ns;
	parent->parts++;
	a->busy[member]++;
	a->last_end[member] = offset + length;
	model_submit(a->member[member], &p->request);
}

static void give_striped(struct model *m, struct parent *parent)
{
	const struct truth *t = &m->truth;
	uint64_t chunk = t->chunk_bytes, from[TRUTH_MEMBERS_MAX];
	uint64_t at = parent->request->offset, end = at + parent->request->length;
	uint32_t length[TRUTH_MEMBERS_MAX] = {0};

	while (at < end) {
		uint64_t n = chunk - at % chunk, number = at / chunk;
		unsigned i = (unsigned)(number % t->members);

		if (n > end - at)
			n = end - at;
		if (!length[i])
			from[i] = number / t->members * chunk + at % chunk;
		length[i] += (uint32_t)n;
		at += n;
	}
	for (unsigned i = 0; i < t->members; i++)
		if (length[i])
			give(m, parent, i, from[i], length[i]);
}

static void give_in_a_row(struct model *m, struct parent *parent)
{
	const struct array *a = m->state;
	uint64_t at = parent->request->offset, end = at + parent->request->length;

	while (at < end) {
		unsigned i = (unsigned)(at / a->each_bytes);
		uint64_t stop = (i + 1) * a->each_bytes;

		stop = stop < end ? stop : end;
		give(m, parent, i, at % a->each_bytes, (uint32_t)(stop - at));
		at = stop;
	}
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

static void give_mirrored(struct model *m, struct parent *parent)
{
	const struct model_request *r = parent->request;
	struct array *a = m->state;
	unsigned best = 0;

	for (unsigned i = 0; i < a->members; i++) {
		if (a->last_end[i] == r->offset) {
			best = i;
			break;
		}
		if (a->busy[i] < a->busy[best] || (a->busy[i] == a->busy[best] &&
				distance(a->last_end[i], r->offset) <
					distance(a->last_end[best], r->offset)))
			best = i;
	}
	give(m, parent, best, r->offset, r->length);
}

static void part_done(struct model *m, struct part *p)
{
	struct array *a = m->state;
	struct parent *parent = p->parent;
	struct model_request *r = parent->request;

	a->busy[p->member]--;
	r->how |= p->request.how;
	if (!r->error)
		r->error = p->request.error;
	if (p->request.done_ns > r->done_ns)
		r->done_ns = p->request.done_ns;
	free(p);
	if (--parent->parts)
		return;
	r->done_ns += parent->delay_ns;
	free(parent);
	model_answer(m, r);
}

/* Lets the members come to before_ns. */
static void array_advance(struct model *m, uint64_t before_ns)
{
	struct array *a = m->state;

	for (unsigned i = 0; before_ns && i < a->members; i++) {
		struct model_request *r;

		while ((r = model_take(a->member[i], before_ns - 1)) != NULL)
			part_done(m, (struct part *)(void *)r);
	}
}

static void array_submit(struct model *m, struct model_request *r)
{
	struct fault_effect e = faults_meet(&m->faults, r, &m->rng);
	const struct array *a = m->state;
	struct parent *parent;

	r->how = e.how;
	r->error = e.error;
	r->done_ns = 0;
	if (e.how & MODEL_GONE) {
		r->done_ns = r->arrive_ns;
		model_answer(m, r);
		return;
	}
	parent = mem_zalloc(1, sizeof(*parent));
	parent->request = r;
	parent->delay_ns = model_ns(e.delay_ns + e.hang_ns);
	switch (a->level) {
	case TRUTH_RAID0: give_striped(m, parent); break;
	case TRUTH_RAID1: give_mirrored(m, parent); break;
	case TRUTH_LINEAR: give_in_a_row(m, parent); break;
	}
}

static uint64_t array_next(struct model *m)
{
	struct array *a = m->state;
	uint64_t next = m->outbox ? m->outbox->done_ns : UINT64_MAX;

	for (unsigned i = 0; i < a->members; i++) {
		uint64_t t = a->busy[i] ? model_next_ns(a->member[i]) : UINT64_MAX;

		if (t < next)
			next = t;
	}
	return next;
}

static void array_fault(struct model *m, const char *words)
{
	struct array *a = m->state;

	/* what concerns a place was met here; the state of a spindle is the members' */
	if (strstr(words, "standby") || strstr(words, "clear"))
		for (unsigned i = 0; i < a->members; i++)
			model_fault(a->member[i], words);
}

static void array_close(struct model *m)
{
	struct array *a = m->state;

	for (unsigned i = 0; i < a->members; i++) {
		while (a->busy[i]) {
			struct model *member = a->member[i];
			struct part *p = (struct part *)(void *)
				model_take(member, model_next_ns(member));

			if (!p)
				continue;
			a->busy[i]--;
			if (!--p->parent->parts)
				free(p->parent);
			free(p);
		}
		model_close(a->member[i]);
	}
}

static const struct model_ops ARRAY_OPS = {
	.submit = array_submit,
	.advance = array_advance,
	.next = array_next,
	.fault = array_fault,
	.close = array_close,
};

static struct array *init(struct model *m, enum truth_level level, unsigned members,
	const struct truth *member)
{
	struct array *a = mem_zalloc(1, sizeof(*a));

	a->level = level;
	a->members = members;
	a->each_bytes = member->size_bytes;
	m->state = a;
	m->ops = &ARRAY_OPS;
	return a;
}

void array_model_init(struct model *m, uint64_t seed)
{
	struct truth member;
	struct array *a;

	/* truth_check() has seen that there is such a member */
	if (truth_of_spec(m->truth.member, &member, NULL))
		truth_init(&member);
	a = init(m, (enum truth_level)m->truth.level, m->truth.members, &member);
	for (unsigned i = 0; i < a->members; i++)
		a->member[i] = model_open(&member, seed * 1000003u + i + 1);
}

void arms_model_init(struct model *m, uint64_t seed)
{
	struct truth arm = m->truth;
	struct array *a;

	arm.actuators = 1;
	arm.size_bytes /= m->truth.actuators;
	arm.completion_tick_s = 0;
	arm.fault_n = 0; /* they come through array_fault() */
	a = init(m, TRUTH_LINEAR, m->truth.actuators, &arm);
	for (unsigned i = 0; i < a->members; i++) {
		a->member[i] = model_open(&arm, seed);
		rng_init(&a->member[i]->rng, seed, STREAM_ARM + i);
	}
}
