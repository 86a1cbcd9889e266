/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Everything is counted: a place is found by divisions from its number, and the number from the
 * turns of a stream the same way back. Widths of zones belong to the model, density of the heads
 * and the error of the spindle to the specimen. */
#include "sim/disk_geometry.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"

enum { STREAM_WIDTHS = 101, STREAM_HEADS, STREAM_SPINDLE };

static double spread(struct rng *r, double share)
{
	return 1 + share * (2 * rng_uniform(r) - 1);
}

/* Sectors per track of every zone and head; zone z is as wide as width[z] of the whole. */
static void init_densities(struct disk_geometry *g, const struct truth *t, uint64_t seed,
	double *width)
{
	double density[TRUTH_HEADS_MAX], sum = 0, outer = t->outer_sectors_per_track;
	double step = t->zones > 1 ? (outer - t->inner_sectors_per_track) / (t->zones - 1) : 0;
	struct rng heads, widths;

	rng_init(&heads, seed, STREAM_HEADS);
	rng_init(&widths, t->zones, STREAM_WIDTHS);
	for (unsigned h = 0; h < g->heads; h++)
		density[h] = spread(&heads, t->head_density_spread);
	for (unsigned z = 0; z < t->zones; z++) {
		struct disk_zone *zone = &g->zone[z];

		sum += width[z] = spread(&widths, t->zone_width_spread);
		for (unsigned h = 0; h < g->heads; h++) {
			double spt = floor((outer - step * z) * density[h] + 0.5);

			zone->spt[h] = spt < 1 ? 1 : (unsigned)spt;
			zone->before[h] = zone->per_band;
			zone->per_band += (uint64_t)g->run * zone->spt[h];
		}
	}
	for (unsigned z = 0; z < t->zones; z++)
		width[z] /= sum;
}

/* Deals the sectors out to the zones, whole bands each; zones without a sector are left out. */
static void init_zones(struct disk_geometry *g, const struct truth *t, const double *width)
{
	double per_cylinder = 0;
	uint64_t sector = 0, cylinder = 0;

	for (unsigned z = 0; z < t->zones; z++)
		per_cylinder += width[z] * (double)g->zone[z].per_band / g->run;
	for (unsigned z = 0; z < t->zones && sector < g->sectors; z++) {
		struct disk_zone *zone = &g->zone[z];
		double wide = width[z] * (double)g->sectors / per_cylinder / g->run;
		uint64_t bands = (uint64_t)ceil(wide < 1 ? 1 : wide);
		uint64_t left = (g->sectors - sector + zone->per_band - 1) / zone->per_band;

		zone->bands = bands < left && z + 1 < t->zones ? bands : left;
		zone->first_sector = sector;
		zone->first_cylinder = cylinder;
		sector += zone->bands * zone->per_band;
		cylinder += zone->bands * g->run;
		g->zones = z + 1;
	}
	g->cylinders = cylinder;
}

static void init_turns(struct disk_geometry *g, const struct disk_seek *seek, const struct truth *t)
{
	uint64_t back = g->run > 1 && g->heads % 2 == 0 ? g->run : 1;
	double switch_ns = g->heads > 1 ? t->head_switch_s * 1e9 : 0;
	double track = disk_seek_ns(seek, 1) * t->skew_margin / g->turn_ns;
	double head = switch_ns * t->skew_margin / g->turn_ns;
	double band = fmax(disk_seek_ns(seek, back), switch_ns) * t->skew_margin / g->turn_ns;
	double turns = 0;

	track = fmax(track, t->track_skew_turns);
	head = fmax(head, g->heads > 1 ? t->head_skew_turns : 0);
	band = fmax(band, g->run > 1 ? head : track);
	g->track_turns = 1 + track;
	g->head_turns = g->run + (g->run - 1) * track + head;
	g->band_turns = g->heads * g->head_turns - head + band;
	for (unsigned z = 0; z < g->zones; z++) {
		g->zone[z].turns = turns;
		turns += (double)g->zone[z].bands * g->band_turns;
	}
}

void disk_geometry_init(struct disk_geometry *g, struct disk_seek *seek, const struct truth *t,
	uint64_t seed)
{
	double width[TRUTH_ZONES_MAX] = {0};
	struct rng spindle;

	memset(g, 0, sizeof(*g));
	rng_init(&spindle, seed, STREAM_SPINDLE);
	g->sector_bytes = (uint32_t)t->physical_block_bytes;
	g->sectors = (t->size_bytes + g->sector_bytes - 1) / g->sector_bytes;
	g->heads = t->heads;
	g->run = t->tracks_per_run;
	g->turn_ns = 60e9 / (t->rpm * spread(&spindle, t->rpm_error_ppm * 1e-6));
	init_densities(g, t, seed, width);
	init_zones(g, t, width);
	disk_seek_fit(seek, t, g->cylinders);
	init_turns(g, seek, t);
}

static const struct disk_zone *zone_of(const struct disk_geometry *g, uint64_t sector)
{
	unsigned lo = 0, hi = g->zones;

	while (hi - lo > 1) {
		unsigned mid = (lo + hi) / 2;

		if (g->zone[mid].first_sector <= sector)
			lo = mid;
		else
			hi = mid;
	}
	return &g->zone[lo];
}

struct disk_place disk_locate(const struct disk_geometry *g, uint64_t sector)
{
	const struct disk_zone *z = zone_of(g, sector);
	uint64_t rest = sector - z->first_sector, band = rest / z->per_band, track;
	unsigned h;
	struct disk_place p;

	rest -= band * z->per_band;
	h = (unsigned)(rest * g->heads / z->per_band); /* right, or nearly */
	while (h && rest < z->before[h])
		h--;
	while (h + 1 < g->heads && rest >= z->before[h + 1])
		h++;
	rest -= z->before[h];
	track = rest / z->spt[h];
	p.head = h;
	p.spt = z->spt[h];
	p.sector = (unsigned)(rest - track * p.spt);
	p.cylinder = z->first_cylinder + band * g->run + (h % 2 ? g->run - 1 - track : track);
	p.turns = z->turns + (double)band * g->band_turns + h * g->head_turns +
		(double)track * g->track_turns + (double)p.sector / p.spt;
	return p;
}

double disk_turns_end(const struct disk_geometry *g, uint64_t sector)
{
	struct disk_place p = disk_locate(g, sector - 1);

	return p.turns + 1.0 / p.spt;
}

uint64_t disk_sector_at(const struct disk_geometry *g, double turns)
{
	unsigned lo = 0, hi = g->zones, h, track;
	const struct disk_zone *z;
	double band, rest;
	uint64_t sector;

	while (hi - lo > 1) {
		unsigned mid = (lo + hi) / 2;

		if (g->zone[mid].turns <= turns)
			lo = mid;
		else
			hi = mid;
	}
	z = &g->zone[lo];
	rest = turns > z->turns ? turns - z->turns : 0;
	band = floor(rest / g->band_turns);
	if (band >= (double)z->bands)
		return lo + 1 < g->zones ? g->zone[lo + 1].first_sector : g->sectors;
	rest -= band * g->band_turns;
	h = (unsigned)(rest / g->head_turns);
	h = h < g->heads ? h : g->heads - 1;
	rest -= h * g->head_turns;
	track = (unsigned)(rest / g->track_turns);
	track = track < g->run ? track : g->run - 1;
	rest = fmin(rest - track * g->track_turns, 1);
	sector = z->first_sector + (uint64_t)band * z->per_band + z->before[h] +
		(uint64_t)track * z->spt[h] + (uint64_t)(rest * z->spt[h] + 1e-6);
	return sector < g->sectors ? sector : g->sectors;
}
