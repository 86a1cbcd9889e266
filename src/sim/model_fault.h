/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Faults of a simulated drive, put in by words (sim/truth.h lists them). */
#ifndef SIM_MODEL_FAULT_H
#define SIM_MODEL_FAULT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"
#include "sim/model.h"

#define FAULTS_MAX 32u

struct range_fault {
	enum { RANGE_EIO, RANGE_SLOW, RANGE_RETRY } kind;
	uint64_t from, to;  /* bytes */
	int error;          /* positive errno, RANGE_EIO */
	double delay_ns;    /* RANGE_EIO, RANGE_SLOW */
	double turns;       /* RANGE_RETRY */
	uint64_t count;     /* how often still */
};

struct faults {
	unsigned n, later_n;
	struct range_fault range[FAULTS_MAX];
	struct { uint64_t at_ns; char words[96]; } later[TRUTH_LINES_MAX]; /* from start_ns on */
	bool putting_later;     /* the words of the last faults_set() were for later */
	bool started;
	uint64_t start_ns;      /* arrival of the first request */
	double hang_ns;         /* the next read waits */
	bool standby;           /* spun down */
	uint64_t idle_ns;       /* spins down after; 0: never */
	double noise_share, noise_ns;
	int gone;               /* positive errno, 0: there */
};

struct fault_effect {
	int error;       /* negative errno or 0 */
	double delay_ns; /* more time for this read */
	double turns;    /* more turns */
	double hang_ns;  /* the drive does nothing for this long first */
	unsigned how;    /* MODEL_RETRY, MODEL_GONE */
};

/* 0 or -EINVAL (nothing changed). `at SECONDS WORDS` is taken too. */
int faults_set(struct faults *f, const char *words);

/* Puts in what is due when a request arrives. True: words became due (*words). */
bool faults_due(struct faults *f, uint64_t arrive_ns, const char **words);

/* What meets this request; counts are used up. */
struct fault_effect faults_meet(struct faults *f, const struct model_request *r, struct rng *rng);

#endif
