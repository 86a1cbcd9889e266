/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The catalogue is two constant tables, in the order a report shows them. A new figure is a new
 * row here (and in document.schema.json, which a test holds against this table). Nothing else
 * knows a figure's title, unit or tolerance. */
#include "doc/quantity.h"

#include <string.h>

#define SEQUENTIAL "Reading in a row"
#define ZONES      "Across the surface"
#define ACCESS     "Random reads"

static const struct quantity quantities[] = {
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

	{"access.mean_s", ACCESS, "mean time", UNIT_S, BETTER_LOWER, 0.03,
		"Mean time of one small read at a random place, nothing else outstanding."},
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
};

static const struct series_kind kinds[] = {
	{"zones.rate", "rate across the surface",
		{"offset_bytes", "bytes_per_s", "low", "high", NULL}},
	{"access.histogram", "time of a random read", {"low_s", "high_s", "count", NULL}},
	{"access.reads", "each random read", {"distance_bytes", "latency_s", NULL}},
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
