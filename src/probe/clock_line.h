/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the two halves of the clock probe share. */
#ifndef PROBE_CLOCK_LINE_H
#define PROBE_CLOCK_LINE_H

#include "base/rng.h"
#include "probe/session.h"

struct clock_places {
	struct session s;
	struct rng rng;
	uint64_t first, n; /* places: first + k * unit, k below n */
	uint32_t unit;     /* bytes of a small read */
};

/* A place from which length bytes can be read, a multiple of `align` bytes from the drive's start
 * where there is one. */
uint64_t clock_place(struct clock_places *c, uint64_t length, uint64_t align);

/* Re-reads of many sizes until until_ns: overhead.command_s and overhead.interface_bytes_per_s, known
 * or unknown. hit_s: of a small read. Returns as session_run. */
int clock_line(struct clock_places *c, double hit_s, uint64_t until_ns);

#endif
