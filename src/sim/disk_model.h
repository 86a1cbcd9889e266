/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One arm, one spindle: how long the mechanics and the cache of a disk need for a range of sectors.
 * The queue in front of it is in sim/disk_queue.c. */
#ifndef SIM_DISK_MODEL_H
#define SIM_DISK_MODEL_H

#include "sim/disk_cache.h"
#include "sim/disk_geometry.h"
#include "sim/disk_seek.h"
#include "sim/disk_spindle.h"
#include "sim/smr_map.h"

/* Reading on behind a request: sector after sector, as the platter turns, until `stop`. */
struct disk_stream {
	bool active;
	uint64_t start;  /* first sector that is in its segment */
	uint64_t base;   /* the stream began (again) here, */
	double turns;    /* at these turns, */
	double begin_ns; /* at this time */
	uint64_t have;   /* read out of turn, up to here */
	uint64_t stop;   /* it reads up to here */
	double reread_turns; /* there it needs one turn more */
};

struct disk {
	struct disk_geometry geometry;
	struct disk_seek seek;
	struct disk_spindle spindle;
	struct disk_cache cache;
	struct smr_map smr;
	struct disk_stream stream;
	const struct truth *truth;
	struct rng *rng;
	bool caches, is_smr;
	uint64_t readahead; /* sectors */
	uint64_t cylinder;  /* where the arm is while no stream is active */
	unsigned head;
	double free_ns;     /* the mechanics have nothing to do from then on */
	double bus_ns;      /* the interface, likewise */
};

/* t and rng must outlive d. */
void disk_init(struct disk *d, const struct truth *t, uint64_t seed, struct rng *rng);
void disk_release(struct disk *d);

/* Reads [from, to) from t_ns on; returns when its last sector is in the buffer and adds to *how
 * (enum model_how). more_ns, more_turns: what a fault makes it take longer. */
double disk_read(struct disk *d, double t_ns, uint64_t from, uint64_t to, double more_ns,
	double more_turns, unsigned *how);

/* About how long until the first sector of [from, to) could be delivered. */
double disk_cost_ns(const struct disk *d, double t_ns, uint64_t from, uint64_t to);

/* The spindle was stopped: streams end, the cache stays. */
void disk_stop_stream(struct disk *d, double t_ns);

#endif
