/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the halves of the cache probe share. */
#ifndef PROBE_CACHE_AHEAD_H
#define PROBE_CACHE_AHEAD_H

#include "base/rng.h"
#include "probe/session.h"

struct cache_probe {
	struct session s;
	struct rng rng;
	uint32_t unit;        /* bytes of a small read, */
	uint64_t first, n;    /* at first + k * unit, k below n */
	double hit_s, line_s; /* a fast answer, and what it takes less than after a wait */
	double period_s;
	double bytes_per_s;   /* of the medium, not too high; 0: not known */
	unsigned fresh, fresh_fast; /* reads at fresh places; of them too soon for the medium */
	unsigned patchy; /* passes in which a place was held that was read before one that was not */
};

/* A fresh place with room for length bytes behind it. */
uint64_t cache_place(struct cache_probe *c, uint64_t length);

/* Counts a read at a fresh place. */
void cache_count_fresh(struct cache_probe *c, const struct io *io);

/* Bytes behind a read: low are held, high are not; 0: not known. */
struct ahead {
	uint64_t low, high;
};

/* How far the drive reads on behind `reads` small reads in a row, put under key, known or not; rows of
 * the series cache.readahead. In budget_ns at most. *found: a guess that is tried first; then what was
 * found, left alone where nothing was. Returns as session_run. */
int cache_ahead(struct cache_probe *c, const char *key, unsigned reads, uint64_t budget_ns,
	struct ahead *found);

#endif
