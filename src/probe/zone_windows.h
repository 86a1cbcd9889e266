/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the two halves of the zones probe share: the window, and the chunks it is read in. */
#ifndef PROBE_ZONE_WINDOWS_H
#define PROBE_ZONE_WINDOWS_H

#include "base/rng.h"
#include "probe/session.h"
#include "probe/zone_map.h"

#define CHUNKS_SKIP 10u /* at most, to get there and for the members of an array to find their step */
#define CHUNKS_MIN  8u  /* timed; fewer where chunks are long */
#define CHUNKS_MAX  2048u
#define CHANGES_MAX 64u /* windows of the pilot */

struct zones {
	struct session s;
	struct rng rng;
	struct zone_map map;
	size_t cells, points; /* cells is a multiple of points */
	uint32_t chunk;
	size_t skip, least;      /* chunks of a window: untimed, and timed at least */
	double window_s;
	double pilot_s_per_byte; /* at the start of the region */
	uint64_t lost;           /* windows thrown away */
	bool disturbed;          /* others were at the drive during the last window */
	double *x, *y;           /* room for one window's line */
	double pauses, pauses_squared; /* sums of what windows were slower than when read again */
	double *change;          /* by window: how much slower its second half was, relative */
	size_t changes;
};

/* Bytes of the region. */
uint64_t zones_region(const struct zones *z);

/* Reads the untimed and then the timed chunks from offset, the last one cut by the end of the region,
 * for limit_s at most. *s_per_byte NAN: too few, or one of them failed. Returns as session_run. */
int zones_read_window(
	struct zones *z, uint64_t offset, size_t chunks, double limit_s, double *s_per_byte);

/* Puts the window last read into the map, or counts it as lost (s_per_byte NAN). */
void zones_keep(struct zones *z, uint64_t offset, size_t chunks, double s_per_byte);

/* Chooses the chunk: of the sizes up to what one command carries the smallest that no other reads
 * faster than; then reads the window at the very start. pilot_s_per_byte 0: no place could be
 * read. Returns as session_run. */
int zones_pilot(struct zones *z);

#endif
