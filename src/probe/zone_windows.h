/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of the zones probe share: the windows it reads, and how it goes about them. */
#ifndef PROBE_ZONE_WINDOWS_H
#define PROBE_ZONE_WINDOWS_H

#include "base/rng.h"
#include "probe/session.h"
#include "probe/zone_map.h"
#include "probe/zone_steps.h"

#define CHUNKS_SKIP 10u /* at most, to get there and for the members of an array to find their step */
#define CHUNKS_MIN  8u  /* timed; fewer where chunks are long */
#define CHUNKS_MAX  2048u
#define CHANGES_MAX 4096u
#define POSITION_S  0.016 /* seek and turn */

struct zones {
	struct session s;
	struct rng rng;
	struct zone_map map;
	size_t windows_max;   /* room in it */
	size_t cells, points; /* cells is a multiple of points */
	uint32_t chunk;
	size_t skip, least;      /* chunks of a window: untimed, and timed at least */
	double window_s;
	double brief_s;          /* the same, where in_track is enough; 0: it never is */
	bool brief;              /* windows are read so now */
	double turn_s;           /* time of a revolution; where it is not known, that of 7200 rpm */
	bool turns;              /* it is known */
	double noise;            /* what windows next to each other differ by, of the logarithm; 0: not known */
	double in_track_noise;   /* the same of in_track, of brief windows */
	double in_track;         /* of the last window */
	double pilot_s_per_byte; /* at the start of the region */
	uint64_t lost;           /* windows thrown away */
	uint64_t slips;          /* windows in which a revolution was lost */
	unsigned lost_turns;     /* during the last window */
	bool slipped;            /* one was lost during the last window */
	bool disturbed;          /* others were at the drive during the last window, or the reader waited */
	bool by_others;          /* the former */
	double *x, *y;           /* one window's line: bytes, s */
	double *room;            /* CHUNKS_MAX numbers */
	size_t points_read;      /* of it */
	double timed_s;          /* of all windows kept, */
	unsigned pauses;
	double paused_s, paused_s_squared; /* sums of what of it is not in their figures: turns lost, and
	                                      what windows were slower than when read again */
	double *change;          /* by window: how much slower its second half was, relative */
	size_t changes;
	struct zone_steps steps; /* found; n 0 and levels NULL: none were looked for */
	size_t doubtful;         /* zones that cannot be told; the staircase is good for a curve only */
	bool stepped;            /* the map is a staircase, and steps says how it goes down */
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
 * faster than. pilot_s_per_byte 0: no place could be read. Returns as session_run. */
int zones_pilot(struct zones *z);

/* Takes chunks twice as large. False: none as large may be read. */
bool zones_double_chunk(struct zones *z);

/* Chooses how long a window is and what of it is not timed, from longer streams at a few places.
 * Returns as session_run. */
int zones_choose_window(struct zones *z);

/* What a window scatters by, where steps are looked for. */
double zones_noise(const struct zones *z);

/* Reads one window around that place, where the region has room for it, and keeps it. Returns as
 * session_run. */
int zones_visit(struct zones *z, double middle);

/* Whether there is time (until that share of the budget) and room for one more. */
bool zones_may_go_on(const struct zones *z, double share);

/* Looks closer at where the rate changes, and at the widest gaps, until that share of the budget is
 * spent. Returns as session_run. */
int zones_search(struct zones *z, double share);

/* Windows that neither neighbour resembles, read again. Returns as session_run. */
int zones_read_outliers(struct zones *z);

/* The region's first and last part in ENDS have figures of their own. */
#define ENDS 32u
uint64_t zones_part_start(const struct zones *z, size_t i, size_t n);

/* Puts everything the map says. False: too little for an interval. */
bool zones_put(struct zones *z);

#endif
