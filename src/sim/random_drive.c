/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A year is drawn, and around what was usual that year everything else. Between 1994 and today a
 * track came to hold some 60 times the bytes and a surface some 150 times the tracks; most figures
 * grew by about the same factor every year, so they are drawn along a straight line of
 * logarithms. What some drives do otherwise (skews, read-ahead, directions) is drawn apart. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "sim/truth.h"

enum { STREAM_RANDOM_DRIVE = 4711, STREAM_HABITS = 4712 };
#define FIRST_YEAR 1994
#define YEARS      33u

/* From `first` in 1994 to `last` today, with a scatter of ± `scatter` (a factor). */
static double grown(struct rng *r, double age, double first, double last, double scatter)
{
	return first * pow(last / first, age) * pow(scatter, 2 * rng_uniform(r) - 1);
}

static double between(struct rng *r, double low, double high)
{
	return low + (high - low) * rng_uniform(r);
}

static bool chance(struct rng *r, double share)
{
	return rng_uniform(r) < share;
}

static void draw_mechanics(struct rng *r, double age, struct truth *t)
{
	static const double OLD[] = {3600, 4500, 5400, 7200};
	static const double RPM[] = {4200, 5400, 5700, 5900, 7200, 10000, 10500, 15000};
	double fast;

	/* nothing over 7200 at first, 15000 from about 2000 to 2015 */
	t->rpm = age < 0.1 ? OLD[rng_below(r, 4)] :
			     RPM[rng_below(r, age > 0.15 && age < 0.7 ? 8 : 7)];
	fast = t->rpm / 7200;
	t->heads = 1 + (unsigned)rng_below(r, 20);
	t->tracks_per_run = age > 0.3 && chance(r, 0.5) ? 20 + (unsigned)rng_below(r, 150) : 1;
	t->head_density_spread = age > 0.4 && chance(r, 0.5) ? between(r, 0, 0.06) : 0;
	t->track_to_track_s = grown(r, age, 0.0018, 0.0004, 1.3) / sqrt(fast);
	t->average_seek_s = grown(r, age, 0.011, 0.0085, 1.2) / fast;
	t->full_stroke_s = t->average_seek_s * between(r, 1.75, 2.1);
	t->head_switch_s = t->track_to_track_s * between(r, 0.6, 1.2);
	t->settle_noise_s = between(r, 0.00002, 0.00007);
	t->zones = 4 + (unsigned)rng_below(r, 8) + (unsigned)(age * 24);
}

static void draw_capacity(struct rng *r, double age, struct truth *t)
{
	double small = t->rpm > 7200 ? 0.6 : 1; /* smaller platters */
	double bytes = grown(r, age, 80 * 512, 4200 * 512, 1.3) * small, size;
	double tracks = grown(r, age, 2800, 520000, 1.6) * small;
	double ratio = between(r, 0.45, 0.65);

	t->logical_block_bytes = age > 0.6 && chance(r, 0.2) ? 4096 : 512;
	t->physical_block_bytes = age > 0.5 && chance(r, 0.8) ? 4096 : t->logical_block_bytes;
	size = tracks * t->heads * bytes * (1 + ratio) / 2;
	size = fmin(fmax(size, 0.5e9), 32e12);
	t->size_bytes = (uint64_t)(size / 4096) * 4096;
	t->outer_sectors_per_track = (unsigned)(bytes / (double)t->physical_block_bytes + 1);
	t->inner_sectors_per_track = (unsigned)(ratio * t->outer_sectors_per_track + 1);
}

static void draw_electronics(struct rng *r, double age, struct truth *t)
{
	double rate = t->outer_sectors_per_track * (double)t->physical_block_bytes * t->rpm / 60;
	double cache = grown(r, age, 192 << 10, 220 << 20, 2.5), segment;

	t->command_s = grown(r, age, 0.0006, 0.00006, 1.4);
	t->command_jitter_s = t->command_s * 0.08;
	t->interface_bytes_per_s = fmax(grown(r, age, 8e6, 550e6, 1.2), rate * 1.4);
	cache = fmin(fmax(cache, 64 << 10), 512 << 20);
	t->cache_bytes = (uint64_t)cache / 4096 * 4096;
	t->cache_segments = 1 + (unsigned)rng_below(r, 2 + (uint64_t)(age * 62));
	while (t->cache_segments > 1 && t->cache_bytes / t->cache_segments < 48 << 10)
		t->cache_segments--;
	segment = (double)t->cache_bytes / t->cache_segments;
	t->readahead_bytes = (uint64_t)(segment * between(r, 0.35, 0.5)) / 4096 * 4096;
	t->read_on_arrival = age > 0.5 && chance(r, 0.3);
	t->queue_depth = age > 0.3 && chance(r, 0.9) ? 32 : 1;
	t->queue_order = chance(r, 0.9) ? TRUTH_SPTF : TRUTH_FCFS;
	t->max_request_bytes = age < 0.3 ? 128 << 10 : 1 << 20;
}

static void draw_habits(struct rng *r, struct truth *t)
{
	static const double TICKS_S[] = {0.00005, 0.0001, 0.000125, 0.00025};

	if (chance(r, 0.7)) {
		t->rpm_wander_ppm = between(r, 0, 40);
		t->rpm_wander_s = between(r, 3, 40);
	}
	if (chance(r, 0.3)) {
		t->track_skew_turns = between(r, 0.05, 0.4);
		t->head_skew_turns = between(r, 0.05, 0.4);
	}
	if (chance(r, 0.3))
		t->seek_inward_ratio = between(r, 0.85, 1.2);
	if (chance(r, 0.15))
		t->readahead_stop = TRUTH_STOP_TRACK;
	t->zero_latency = chance(r, 0.25);
	if (chance(r, 0.03))
		t->completion_tick_s = TICKS_S[rng_below(r, 4)];
}

void truth_random(uint64_t seed, struct truth *t)
{
	struct rng r;
	unsigned year;
	double age;

	rng_init(&r, seed, STREAM_RANDOM_DRIVE);
	truth_init(t);
	year = (unsigned)rng_below(&r, YEARS);
	age = year / (double)(YEARS - 1);
	draw_mechanics(&r, age, t);
	draw_capacity(&r, age, t);
	draw_electronics(&r, age, t);
	rng_init(&r, seed, STREAM_HABITS);
	draw_habits(&r, t);
	snprintf(t->model, sizeof(t->model), "RANDOM DRIVE OF %u", FIRST_YEAR + year);
	snprintf(t->serial, sizeof(t->serial), "RND%08llu", (unsigned long long)(seed % 100000000));
}
