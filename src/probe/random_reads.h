/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Aligned random places in a region, for the probes that jump. */
#ifndef PROBE_RANDOM_READS_H
#define PROBE_RANDOM_READS_H

#include "base/rng.h"
#include "probe/session.h"

struct places {
	uint64_t first;   /* offset of place 0, aligned to request */
	uint64_t n;       /* places in the region */
	uint32_t request; /* bytes read at each */
};

#define PLACES_MIN 64 /* fewer: every read would come from the drive's cache */

/* Wished request size, else max(4 KiB, logical block), never less than a logical block; places are
 * multiples of it from the drive's start. n may be 0. */
struct places places_of(const struct session *s);

/* Whether there are PLACES_MIN of them. Where not, what the probe has not put is put as unknown with
 * that reason. */
bool places_suffice(const struct places *p, struct session *s);

/* Fills s->ios[from … n-1] with uniform places. */
void places_draw(const struct places *p, struct session *s, struct rng *rng, size_t from, size_t n);

#endif
