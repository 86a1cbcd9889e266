/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where every sector lies. Sectors here are physical ones (truth: physical_block_bytes).
 *
 * Cylinders are grouped in bands of `run` cylinders. In a band head 0 reads its `run` tracks, then
 * head 1 its own, and so on: run 1 is the classic cylinder layout; with more, odd heads run back
 * (serpentine). A zone is a whole number of bands with the same sectors per track (of one head).
 *
 * Turns: revolutions of the platter that a stream from sector 0 needs to come to a place, gaps for
 * track, head and band skew included. The fraction of it is the angle of that place. */
#ifndef SIM_DISK_GEOMETRY_H
#define SIM_DISK_GEOMETRY_H

#include <stdint.h>

#include "sim/disk_seek.h"
#include "sim/truth.h"

struct disk_zone {
	uint64_t first_sector, first_cylinder, bands;
	double turns; /* at first_sector */
	uint64_t per_band; /* sectors */
	unsigned spt[TRUTH_HEADS_MAX]; /* sectors per track of each head */
	uint64_t before[TRUTH_HEADS_MAX]; /* sectors of the band before that head */
};

struct disk_geometry {
	uint64_t sectors, cylinders;
	uint32_t sector_bytes;
	unsigned heads, run, zones;
	double turn_ns;    /* of this specimen */
	double track_turns, head_turns, band_turns; /* from a track, head, band to the next */
	struct disk_zone zone[TRUTH_ZONES_MAX];
};

struct disk_place {
	uint64_t cylinder;
	unsigned head, spt;
	unsigned sector; /* in its track */
	double turns;    /* at its start */
};

/* The geometry of the specimen `seed`: its rpm error and head densities. seek gets fitted to it. */
void disk_geometry_init(struct disk_geometry *g, struct disk_seek *seek, const struct truth *t,
	uint64_t seed);

/* sector < g->sectors */
struct disk_place disk_locate(const struct disk_geometry *g, uint64_t sector);

/* Turns at the end of the sector before `sector` (before any gap). 0 < sector <= g->sectors. */
double disk_turns_end(const struct disk_geometry *g, uint64_t sector);

/* First sector that is not read completely when a stream has come to `turns`. */
uint64_t disk_sector_at(const struct disk_geometry *g, double turns);

#endif
