/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kinds of model have in common; only for the models and their parts in this folder.
 *
 * A kind decides when a request will be done and puts it in the outbox, which is kept in the order
 * of completion. Kinds whose decision depends on what else is waiting (a disk's queue) take it as
 * late as possible: `advance` is called with every time up to which all arrivals are known. */
#ifndef SIM_MODEL_INSIDE_H
#define SIM_MODEL_INSIDE_H

#include "base/rng.h"
#include "sim/model.h"
#include "sim/model_fault.h"

struct model_ops {
	void (*submit)(struct model *m, struct model_request *r);
	/* Takes all decisions that fall before `before_ns`. May be NULL. */
	void (*advance)(struct model *m, uint64_t before_ns);
	/* The outbox is empty: takes the next decision whatever its time. May be NULL. */
	void (*decide)(struct model *m);
	/* Instead of outbox and decide. May be NULL. */
	uint64_t (*next)(struct model *m);
	/* Words that concern what is inside too. May be NULL. */
	void (*fault)(struct model *m, const char *words);
	void (*close)(struct model *m);
};

struct model {
	const struct model_ops *ops;
	void *state; /* the kind's */
	struct truth truth;
	struct rng rng;
	struct faults faults;
	struct model_request *outbox, *outbox_last;
};

/* Puts an answered request (done_ns, error, how) in the outbox; one from the medium waits for the
 * next tick, where the truth has one. */
void model_answer(struct model *m, struct model_request *r);

/* Each gives m its ops and state after m->truth. */
void disk_model_init(struct model *m, uint64_t seed);
void flash_model_init(struct model *m);
void virtual_model_init(struct model *m);
void none_model_init(struct model *m);
void array_model_init(struct model *m, uint64_t seed);
void arms_model_init(struct model *m, uint64_t seed); /* a disk with several */
void bridge_model_init(struct model *m, uint64_t seed);

/* ns as the integer that times are kept in; negative is 0. */
static inline uint64_t model_ns(double ns)
{
	return ns > 0 ? (uint64_t)(ns + 0.5) : 0;
}

#endif
