/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The catalogue is two constant tables, in the order a report shows them. A new figure is a new
 * row here (and in document.schema.json, which a test holds against this table). Nothing else
 * knows a figure's title, unit or tolerance. */
#include "doc/quantity.h"

#include <string.h>

#define CLASS      "What it is"
#define MECHANICS  "The mechanics"
#define SEQUENTIAL "Reading in a row"
#define ZONES      "Across the surface"
#define ACCESS     "Random reads"
#define CACHE      "Cache and queue"
#define CLOCK      "Electronics and clock"

static const struct quantity quantities[] = {
	{"class.kind", CLASS, "kind", UNIT_NONE, BETTER_NEITHER, 0.5,
		"What the timing of plain reads shows: single_spindle, several_actuators, "
		"no_rotation_seen or cannot_tell."},
	{"class.interface_limited", CLASS, "interface-limited", UNIT_NONE, BETTER_NEITHER,
		0.5,
		"1: the rate is that of the interface, so the zones of the medium are hidden; 0: "
		"it is not."},
	{"class.smr_suspect", CLASS, "shingled (SMR)", UNIT_NONE, BETTER_NEITHER, 0.5,
		"1: some places answer as if nothing were stored there, or not in the order of "
		"their addresses, as drive-managed shingled drives do; 0: none was met."},
	{"class.read_on_arrival", CLASS, "read on arrival", UNIT_NONE, BETTER_NEITHER, 0.5,
		"1: what passes under the head before the sector asked for is kept as well; 0: it "
		"is not."},
	{"class.without_medium", CLASS, "faster than a disk", UNIT_RATIO, BETTER_NEITHER,
		0.05,
		"Share of random reads answered too soon to have come from a medium that turns: "
		"flash, never written, all zero, or held in memory."},

	{"rotation.rpm", MECHANICS, "rotation", UNIT_RPM, BETTER_NEITHER, 0.001,
		"Speed of rotation, from the times at which reads were complete."},
	{"rotation.nominal_rpm", MECHANICS, "nominal speed", UNIT_RPM, BETTER_NEITHER, 0.001,
		"The usual speed of drives that the measured one is within 0.5 % of."},
	{"rotation.reported_rpm", MECHANICS, "reported speed", UNIT_RPM, BETTER_NEITHER, 0.001,
		"The speed that the drive says it turns at."},
	{"rotation.period_s", MECHANICS, "one revolution", UNIT_S, BETTER_LOWER, 0.001,
		"Time of one revolution."},
	{"rotation.latency_mean_s", MECHANICS, "rotational latency", UNIT_S, BETTER_LOWER,
		0.001, "Mean time until a place comes under the head: half a revolution."},
	{"rotation.drift_ratio", MECHANICS, "spindle drift", UNIT_PPM, BETTER_LOWER, 0.5,
		"Largest difference of the speed between parts of the run, of the speed."},
	{"track.outer_bytes", MECHANICS, "track near start", UNIT_BYTES, BETTER_HIGHER, 0.02,
		"Bytes in one track near the beginning of the address space."},
	{"track.inner_bytes", MECHANICS, "track near end", UNIT_BYTES, BETTER_HIGHER, 0.02,
		"Bytes in one track near the end of the address space."},
	{"track.skew_s", MECHANICS, "track skew", UNIT_S, BETTER_LOWER, 0.05,
		"Time by which a track begins later than the end of the one before, for the head to "
		"get there."},
	{"seek.turnaround_s", MECHANICS, "read without a seek", UNIT_S, BETTER_LOWER, 0.05,
		"Time from the request to the data of a place on the same track that comes under "
		"the head just in time: command, transfer and host."},
	{"seek.shortest_s", MECHANICS, "shortest move", UNIT_S, BETTER_LOWER, 0.05,
		"Time of the shortest move, to a track or head next to it."},
	{"seek.track_to_track_s", MECHANICS, "track to track", UNIT_S, BETTER_LOWER, 0.05,
		"Time of a move by one cylinder."},
	{"seek.third_stroke_s", MECHANICS, "third of the stroke", UNIT_S, BETTER_LOWER, 0.03,
		"Time of a move over a third of all tracks, rotation not included."},
	{"seek.full_stroke_s", MECHANICS, "full stroke", UNIT_S, BETTER_LOWER, 0.03,
		"Time of a move from the first to the last track, rotation not included."},
	{"seek.average_s", MECHANICS, "average seek", UNIT_S, BETTER_LOWER, 0.03,
		"Mean time of a move between two random tracks, rotation not included."},
	{"seek.in_out_ratio", MECHANICS, "inward to outward", UNIT_NONE, BETTER_NEITHER, 0.03,
		"Time of moves towards the spindle over that of moves away from it."},
	{"seek.random_s", MECHANICS, "seek between reads", UNIT_S, BETTER_LOWER, 0.03,
		"Mean time of the moves between random bytes, of which longer outer tracks hold more, "
		"rotation not included."},
	{"seek.transfer_s", MECHANICS, "rest of transfer", UNIT_S, BETTER_LOWER, 0.05,
		"What a random read takes longer than one of a single block, for the rest of its "
		"blocks to pass under the head."},
	{"seek.remainder_s", MECHANICS, "left over", UNIT_NONE, BETTER_NEITHER, 0.5,
		"What is left of the mean access time, in seconds, after read without a seek, seek "
		"of random reads, mean rotational latency and rest of the transfer."},

	{"sequential.bytes_per_s", SEQUENTIAL, "large direct reads", UNIT_BYTES_PER_S,
		BETTER_HIGHER, 0.02,
		"Rate of large reads one after the other, past the page cache."},
	{"sequential.cpu_share", SEQUENTIAL, "processor time", UNIT_RATIO, BETTER_LOWER, 0.20,
		"Share of one processor, user and system, spent on those reads."},
	{"sequential.saturating_request_bytes", SEQUENTIAL, "full speed from", UNIT_BYTES,
		BETTER_LOWER, 0.50,
		"Smallest request size that still reads at the full sequential rate."},
	{"buffered.bytes_per_s", SEQUENTIAL, "through page cache", UNIT_BYTES_PER_S,
		BETTER_HIGHER, 0.03,
		"Sequential rate of the drive when it is read through the page cache, as a "
		"plain copy does."},
	{"buffered.cached_share", SEQUENTIAL, "already in memory", UNIT_RATIO, BETTER_NEITHER, 0.05,
		"Share of the region read for the buffered figure that was in memory before the "
		"drive was asked."},
	{"cached.bytes_per_s", SEQUENTIAL, "from page cache", UNIT_BYTES_PER_S, BETTER_HIGHER, 0.10,
		"How fast data already held in the page cache can be read: a figure of the "
		"machine's memory and processor, not of the drive."},
	{"patterns.reread_bytes_per_s", SEQUENTIAL, "the same again", UNIT_BYTES_PER_S,
		BETTER_HIGHER, 0.05,
		"Rate when the same region is read a second time, past the page cache: shows "
		"the drive's own cache."},
	{"patterns.backward_bytes_per_s", SEQUENTIAL, "backwards", UNIT_BYTES_PER_S,
		BETTER_HIGHER, 0.05,
		"Rate of reads that walk towards the beginning of the drive."},
	{"patterns.strided_bytes_per_s", SEQUENTIAL, "with gaps", UNIT_BYTES_PER_S,
		BETTER_HIGHER, 0.05,
		"Rate of reads that leave out a fixed distance after each one."},

	{"zones.outer_bytes_per_s", ZONES, "first zone", UNIT_BYTES_PER_S, BETTER_HIGHER, 0.02,
		"Sequential rate at the beginning of the address space, on most disks the outer "
		"edge."},
	{"zones.inner_bytes_per_s", ZONES, "last zone", UNIT_BYTES_PER_S, BETTER_HIGHER, 0.02,
		"Sequential rate at the end of the address space, on most disks the inner edge."},
	{"zones.mean_bytes_per_s", ZONES, "mean", UNIT_BYTES_PER_S, BETTER_HIGHER, 0.02,
		"Capacity divided by the time to read all of it."},
	{"zones.outer_inner_ratio", ZONES, "first to last", UNIT_NONE, BETTER_NEITHER, 0.03,
		"Rate of the first zone over that of the last."},
	{"zones.full_scan_s", ZONES, "whole drive read in", UNIT_S, BETTER_LOWER, 0.02,
		"Time to read every byte once, from the rates measured across the surface."},
	{"zones.count", ZONES, "zones", UNIT_NONE, BETTER_NEITHER, 0.1,
		"Zones of tracks that hold the same number of sectors: steps of the rate, and one."},

	{"access.mean_s", ACCESS, "mean time", UNIT_S, BETTER_LOWER, 0.03,
		"Mean time of one small read at a random place, nothing else outstanding."},
	{"access.plain_mean_s", ACCESS, "plain mean", UNIT_S, BETTER_LOWER, 0.03,
		"Mean of the random reads as they came, without a model."},
	{"access.model_mean_s", ACCESS, "mean by model", UNIT_S, BETTER_LOWER, 0.03,
		"Mean time that moves over all distances and half a revolution add up to."},
	{"access.p50_s", ACCESS, "median", UNIT_S, BETTER_LOWER, 0.03,
		"Half of the random reads took no longer than this."},
	{"access.p90_s", ACCESS, "90 % within", UNIT_S, BETTER_LOWER, 0.04,
		"Nine of ten random reads took no longer than this."},
	{"access.p99_s", ACCESS, "99 % within", UNIT_S, BETTER_LOWER, 0.06,
		"Ninety-nine of a hundred random reads took no longer than this."},
	{"access.p999_s", ACCESS, "99.9 % within", UNIT_S, BETTER_LOWER, 0.15,
		"All but one of a thousand random reads took no longer than this."},
	{"access.iops", ACCESS, "reads one by one", UNIT_PER_S, BETTER_HIGHER, 0.03,
		"Random reads per second, each waiting for the one before."},
	{"seekers.iops", ACCESS, "reads queued", UNIT_PER_S, BETTER_HIGHER, 0.05,
		"Random reads per second with several outstanding at a time."},
	{"seekers.cpu_share", ACCESS, "processor time", UNIT_RATIO, BETTER_LOWER, 0.20,
		"Share of one processor, user and system, spent on the queued random reads."},

	{"cache.hit_s", CACHE, "read again", UNIT_S, BETTER_LOWER, 0.05,
		"Time of a small read that the drive still holds in its own cache."},
	{"cache.readahead_bytes", CACHE, "reads ahead", UNIT_BYTES, BETTER_NEITHER, 0.05,
		"How far behind a single small read the drive reads on by itself."},
	{"cache.readahead_stream_bytes", CACHE, "ahead of a stream", UNIT_BYTES,
		BETTER_NEITHER, 0.05,
		"How far behind the last of several reads in a row the drive reads on by itself."},
	{"cache.segments", CACHE, "places remembered", UNIT_NONE, BETTER_NEITHER, 0.1,
		"How many places read last the drive still holds in its cache."},
	{"queue.gain_2", CACHE, "two at a time", UNIT_NONE, BETTER_HIGHER, 0.05,
		"Random reads per second with two outstanding over those with one."},
	{"queue.gain_32", CACHE, "32 at a time", UNIT_NONE, BETTER_HIGHER, 0.05,
		"Random reads per second with 32 outstanding over those with one."},

	{"overhead.command_s", CLOCK, "command overhead", UNIT_S, BETTER_LOWER, 0.05,
		"Time of a read from the drive's cache that transfers nothing: command and host."},
	{"overhead.interface_bytes_per_s", CLOCK, "interface", UNIT_BYTES_PER_S, BETTER_HIGHER,
		0.05, "Rate at which the drive's cache is read over its interface."},
	{"clock.hit_s", CLOCK, "fastest answer", UNIT_S, BETTER_LOWER, 0.1,
		"Median time of a small read that needs no medium."},
	{"clock.granularity_s", CLOCK, "clock step", UNIT_S, BETTER_LOWER, 0.5,
		"Smallest difference seen between two times."},
	{"clock.tick_s", CLOCK, "completion tick", UNIT_S, BETTER_LOWER, 0.5,
		"Grid that the times of completion lie on."},
	{"clock.jitter_s", CLOCK, "host jitter", UNIT_S, BETTER_LOWER, 0.5,
		"Scatter of the times of reads that need no medium: half of them are within this "
		"of their median."},
	{"clock.error_ratio", CLOCK, "clock's own error", UNIT_PPM, BETTER_LOWER, 0.5,
		"What the rate of the clock may be wrong by, as part of every speed of rotation."},
};

static const struct series_kind kinds[] = {
	{"zones.rate", "rate across the surface",
		{"offset_bytes", "bytes_per_s", "low", "high", NULL}},
	{"zones.boundaries", "where zones end",
		{"offset_bytes", "low", "high", "bytes_per_s_before", "bytes_per_s_after", NULL}},
	{"rotation.visits", "times of reads that tell the phase",
		{"run", "anchor", "offset_bytes", "shift_s", "done_s", NULL}},
	{"track.length", "bytes in a track", {"offset_bytes", "bytes", "low", "high", "skew_s", NULL}},
	{"access.curve", "time to data by distance, from random reads",
		{"stroke_share", "time_s", "low_s", "high_s", NULL}},
	{"seek.curve", "seek time by distance",
		{"stroke_share", "time_s", "low_s", "high_s", "inward_s", "outward_s", NULL}},
	{"cache.readahead", "share still in cache by distance",
		{"distance_bytes", "reads", "hit_share", "after_reads", NULL}},
	{"queue.iops", "random reads by depth",
		{"depth", "iops", "low", "high", "mean_s", "mean_low_s", "mean_high_s", NULL}},
	{"access.histogram", "time of a random read", {"low_s", "high_s", "count", NULL}},
	{"access.reads", "each random read", {"distance_bytes", "latency_s", "offset_bytes", NULL}},
	{"sequential.rate_by_request", "rate by request size",
		{"request_bytes", "bytes_per_s", "low", "high", NULL}},
	{"cached.runs", "runs from memory", {"run", "bytes", "seconds", NULL}},
	{"buffered.runs", "runs through the cache", {"run", "bytes", "seconds", NULL}},
	{"sequential.runs", "sequential runs", {"run", "bytes", "seconds", NULL}},
};

const struct quantity *quantity_at(size_t i)
{
	return i < sizeof(quantities) / sizeof(quantities[0]) ? &quantities[i] : NULL;
}

const struct quantity *quantity_find(const char *key)
{
	const struct quantity *q;

	for (size_t i = 0; (q = quantity_at(i)); i++)
		if (strcmp(q->key, key) == 0)
			return q;
	return NULL;
}

const struct series_kind *series_kind_at(size_t i)
{
	return i < sizeof(kinds) / sizeof(kinds[0]) ? &kinds[i] : NULL;
}

const struct series_kind *series_kind_find(const char *key)
{
	const struct series_kind *kind;

	for (size_t i = 0; (kind = series_kind_at(i)); i++)
		if (strcmp(kind->key, key) == 0)
			return kind;
	return NULL;
}
