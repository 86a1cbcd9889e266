/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The mechanics and electronics of a simulated drive, without a host: requests arrive at absolute
 * times and complete at absolute times. No clock, no I/O: the caller advances time, whether virtual
 * (sim/sim.h) or real (the test bed, which answers real block requests at these times). */
#ifndef SIM_MODEL_H
#define SIM_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/truth.h"

struct model;

enum model_how {
	MODEL_MISS = 1,    /* the medium was visited */
	MODEL_HIT = 2,     /* came from the drive's cache */
	MODEL_STREAM = 4,  /* caught up with a read-ahead under way */
	MODEL_RETRY = 8,   /* needed more than one try */
	MODEL_UNMAPPED = 16, /* answered without the medium */
	MODEL_GONE = 32,   /* the drive is not there any more (fault `remove`) */
};

struct model_request {
	uint64_t offset;     /* bytes */
	uint32_t length;     /* bytes */
	uint64_t arrive_ns;  /* when the drive gets the command */
	uint64_t done_ns;    /* answer: when its last byte has left the drive */
	int error;           /* answer: 0 or negative errno */
	unsigned how;        /* answer: enum model_how bits */
	void *owner;         /* the caller's */
	struct model_request *next; /* the model's, while it holds the request */
};

/* A specimen of the drive t describes (copied). seed: its noise and what differs between
 * specimens. */
struct model *model_open(const struct truth *t, uint64_t seed);
void model_close(struct model *m);

/* Hands over a request, which must live until model_take() gives it back. arrive_ns must not be
 * before an earlier arrival, nor before a time already given to model_take(). */
void model_submit(struct model *m, struct model_request *r);

/* When to ask model_take() next if nothing more arrives before then; UINT64_MAX: none pending. An
 * array may have nothing to give at that time (a part of a request is done): ask here again. */
uint64_t model_next_ns(struct model *m);

/* A request that is complete at now_ns, earliest first; NULL: none. */
struct model_request *model_take(struct model *m, uint64_t now_ns);

/* Faults put in while running (the test bed's `ctl`): see sim/truth.h for the words.
 * 0 or -EINVAL. */
int model_fault(struct model *m, const char *words);
/* Whether model_fault() understands the words (or "at SECONDS WORDS" of a truth file). */
bool model_fault_valid(const char *words);

#endif
