/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Read off the geometry and the seek curve that the simulated disk itself is made of. */
#include <errno.h>
#include <math.h>
#include <stdbool.h>

#include "tests/truth/oracle_inside.h"

/* ln 2: the median of an exponential delay is this much of its mean. */
#define MEDIAN_OF_EXPONENTIAL 0.69314718055994531

static bool has_mechanics(const struct oracle *o)
{
	const struct truth *t = oracle_truth(o);

	return (t->kind == TRUTH_DISK || t->kind == TRUTH_SMR) && t->actuators == 1;
}

static const struct disk_zone *zone_at(const struct disk_geometry *g, uint64_t sector)
{
	unsigned z = 0;

	while (z + 1 < g->zones && g->zone[z + 1].first_sector <= sector)
		z++;
	return &g->zone[z];
}

int oracle_track(struct oracle *o, uint64_t seed, uint64_t offset, struct oracle_track *track)
{
	const struct disk_geometry *g;
	const struct disk_zone *z;
	double turn_s;

	if (!has_mechanics(o) || offset >= oracle_truth(o)->size_bytes)
		return -ENOENT;
	g = oracle_geometry(o, seed, NULL);
	z = zone_at(g, offset / g->sector_bytes);
	turn_s = g->turn_ns * 1e-9;
	*track = (struct oracle_track){
		.bytes = disk_locate(g, offset / g->sector_bytes).spt * (double)g->sector_bytes,
		.mean_bytes = (double)z->per_band / g->run / g->heads * g->sector_bytes,
		.least_bytes = INFINITY,
		.track_skew_s = (g->track_turns - 1) * turn_s,
		.head_skew_s = (g->head_turns - g->run - (g->run - 1) * (g->track_turns - 1)) *
			turn_s,
		.heads = g->heads,
		.tracks_per_run = g->run,
	};
	track->band_skew_s = (g->band_turns - g->heads * g->head_turns) * turn_s +
		track->head_skew_s;
	for (unsigned h = 0; h < g->heads; h++) {
		track->least_bytes = fmin(track->least_bytes, z->spt[h] * (double)g->sector_bytes);
		track->most_bytes = fmax(track->most_bytes, z->spt[h] * (double)g->sector_bytes);
	}
	return 0;
}

static double zone_rate(const struct disk_geometry *g, const struct disk_zone *z)
{
	/* sectors in a band over its turns, which are the same everywhere */
	return (double)z->per_band * g->sector_bytes / (g->band_turns * g->turn_ns) * 1e9;
}

int oracle_zone_rate(struct oracle *o, uint64_t seed, uint64_t offset, double *bytes_per_s)
{
	const struct disk_geometry *g;

	if (!has_mechanics(o) || offset >= oracle_truth(o)->size_bytes ||
		!oracle_medium_limits(o, seed, offset, 1 << 20))
		return -ENOENT;
	g = oracle_geometry(o, seed, NULL);
	*bytes_per_s = zone_rate(g, zone_at(g, offset / g->sector_bytes));
	return 0;
}

int oracle_boundary(struct oracle *o, uint64_t seed, unsigned i, struct oracle_boundary *boundary)
{
	const struct disk_geometry *g;
	const struct disk_zone *before, *after;

	if (!has_mechanics(o))
		return -ENOENT;
	g = oracle_geometry(o, seed, NULL);
	if (i + 1 >= g->zones)
		return -ENOENT;
	before = &g->zone[i];
	after = before + 1;
	boundary->offset_bytes = after->first_sector * g->sector_bytes;
	boundary->bytes_per_s_before = zone_rate(g, before);
	boundary->bytes_per_s_after = zone_rate(g, after);
	boundary->step = 1 - boundary->bytes_per_s_after / boundary->bytes_per_s_before;
	return 0;
}

int oracle_stroke(struct oracle *o, uint64_t seed, uint64_t offset, double *share)
{
	const struct disk_geometry *g;

	if (!has_mechanics(o) || offset >= oracle_truth(o)->size_bytes)
		return -ENOENT;
	g = oracle_geometry(o, seed, NULL);
	*share = (double)disk_locate(g, offset / g->sector_bytes).cylinder / (double)g->cylinders;
	return 0;
}

int oracle_seek(struct oracle *o, double stroke_share, double *time_s)
{
	const struct disk_geometry *g;
	const struct disk_seek *seek;
	double distance;

	if (!has_mechanics(o) || stroke_share < 0 || stroke_share > 1)
		return -ENOENT;
	g = oracle_geometry(o, ORACLE_SPECIMEN, &seek);
	distance = fmax(1, fmin(stroke_share * (double)g->cylinders + 0.5,
		(double)g->cylinders - 1));
	*time_s = disk_seek_ns(seek, (uint64_t)distance) * 1e-9;
	return 0;
}

int oracle_average_seek(struct oracle *o, double *time_s)
{
	if (!has_mechanics(o))
		return -ENOENT;
	*time_s = oracle_truth(o)->average_seek_s;
	return 0;
}

/* Byte i of `n` that stand for as many in [from, to). */
static uint64_t byte_of(uint64_t from, uint64_t to, unsigned i, unsigned n)
{
	return from + (uint64_t)((double)(to - from) * (i + 0.5) / n);
}

int oracle_random_seek(
	struct oracle *o, uint64_t seed, uint64_t from, uint64_t to, double *time_s)
{
	enum { N = 256 };
	const struct disk_geometry *g;
	const struct disk_seek *seek;
	uint64_t a[N], b[N];

	if (!has_mechanics(o) || from >= to || to > oracle_truth(o)->size_bytes)
		return -ENOENT;
	g = oracle_geometry(o, seed, &seek);
	for (unsigned i = 0; i < N; i++) {
		a[i] = disk_locate(g, byte_of(from, to, 2 * i, 2 * N) / g->sector_bytes).cylinder;
		b[i] = disk_locate(g, byte_of(from, to, 2 * i + 1, 2 * N) / g->sector_bytes).cylinder;
	}
	*time_s = 0;
	for (unsigned i = 0; i < N; i++)
		for (unsigned k = 0; k < N; k++)
			*time_s += disk_seek_move_ns(seek, a[i], b[k]) * 1e-9 / (N * N);
	return 0;
}

int oracle_transfer(struct oracle *o, uint64_t seed, uint64_t from, uint64_t to, uint32_t request,
	double *time_s)
{
	enum { N = 1024 };
	const struct disk_geometry *g;
	double more, tracks = 0, skew;

	if (!has_mechanics(o) || from >= to || to > oracle_truth(o)->size_bytes)
		return -ENOENT;
	g = oracle_geometry(o, seed, NULL);
	more = ceil((double)request / g->sector_bytes) - 1;
	for (unsigned i = 0; i < N; i++)
		tracks += more / N / disk_locate(g, byte_of(from, to, i, N) / g->sector_bytes).spt;
	skew = g->band_turns / (g->run * g->heads) - 1;
	*time_s = tracks * (1 + skew) * g->turn_ns * 1e-9;
	return 0;
}

int oracle_shortest(struct oracle *o, double *least_s, double *most_s)
{
	const struct truth *t = oracle_truth(o);
	double one, track;

	if (!has_mechanics(o))
		return -ENOENT;
	one = t->heads > 1 ? t->head_switch_s : t->track_to_track_s;
	track = t->track_to_track_s;
	/* to the first cylinder of the next band, head 0 again */
	*most_s = fmax(one, track);
	*least_s = fmin(one, track);
	return 0;
}

int oracle_turnaround(struct oracle *o, uint64_t seed, uint64_t offset, uint32_t request_bytes,
	double *time_s)
{
	const struct truth *t = oracle_truth(o);
	const struct disk_geometry *g;
	double sectors, host = t->host_delay_s + t->host_jitter_s * MEDIAN_OF_EXPONENTIAL;

	if (t->kind != TRUTH_DISK)
		return -ENOENT;
	if (t->bridge_bytes_per_s > 0)
		return -ENODATA;
	g = oracle_geometry(o, seed, NULL);
	sectors = ceil((double)request_bytes / g->sector_bytes);
	*time_s = host + t->command_s + g->sector_bytes / t->interface_bytes_per_s +
		sectors / disk_locate(g, offset / g->sector_bytes).spt * g->turn_ns * 1e-9;
	return 0;
}
