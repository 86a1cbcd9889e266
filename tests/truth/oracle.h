/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a perfect observer with endless time would find on a simulated drive (opened by sim_open
 * with its host in front), worked out without any probe: from the geometry where there is a
 * formula, else by long runs on the model. One oracle a truth; what it has worked out it keeps.
 *
 * Each question returns 0 and its answer; -ENOENT when the thing does not exist on this drive or
 * region (too small, no such state); answers do not change when asked again. Rates are bytes per
 * second over the whole time from the first byte's request to the last byte, i.e. bytes/time, with
 * positioning before the first byte left out. */
#ifndef TRUTH_ORACLE_H
#define TRUTH_ORACLE_H

#include <stdint.h>

#include "sim/truth.h"

struct oracle;

/* t is copied. Never fails for a truth that truth_check() accepted. */
struct oracle *oracle_open(const struct truth *t);
void oracle_close(struct oracle *o);

/* From now on rates, buffered rates and patterns are those of this specimen, so long after it was
 * switched on, where specimens differ in them (arrays, whose members stand to each other as chance
 * and the time since have it; heads of unlike density). Before the first call: those of some
 * specimen. */
void oracle_specimen(struct oracle *o, uint64_t seed, double after_s);

/* Turns per second of the specimen sim_open(…, seed) gives, rpm error included; -ENOENT: nothing
 * turns. */
int oracle_turns_per_s(struct oracle *o, uint64_t seed, double *turns_per_s);

/* Uncached stream of requests of request_bytes at depth 1 over [from, to): the mean rate
 * (to - from) / time. Disks: exact for the specimen `seed` (turns, skews, expected re-reads);
 * where something else is the limit (interface, bridge, flash, array, host): by simulation, in
 * which seed does not matter. */
int oracle_rate(struct oracle *o, uint64_t seed, uint64_t from, uint64_t to,
	uint32_t request_bytes, double *bytes_per_s);

/* Random aligned reads of request_bytes, uniform over [from, to), `depth` kept outstanding; latency
 * sent → done with the host's delays. iops: completions per second. Needs (to - from) of at least
 * 16 requests. From 200 000 reads, of which 200 are beyond p999 (50 000 at a depth over 1); the specimen's own rpm error (at
 * most some 0.006 %) is not in it. */
struct oracle_access {
	double mean_s, p50_s, p90_s, p99_s, p999_s, iops;
	double mean_se_s; /* standard error of mean_s */
	double iops_se;
};
int oracle_access(struct oracle *o, uint64_t from, uint64_t to, uint32_t request_bytes,
	unsigned depth, struct oracle_access *answer);
/* Share of such reads that take at most latency_s, to judge a quantile whose distribution is
 * flat there: a claimed p99 interval [low, high] is right when share(low) <= 0.99 <=
 * share(high). */
int oracle_access_share(struct oracle *o, uint64_t from, uint64_t to, uint32_t request_bytes,
	unsigned depth, double latency_s, double *share);

/* Page cache: the same length_bytes (from `from`) read again and again in one call each. */
int oracle_cached(struct oracle *o, uint64_t from, uint32_t length_bytes, double *bytes_per_s);

/* Through the page cache, nothing resident: sequential reads of request_bytes over [from, to). */
int oracle_buffered(struct oracle *o, uint64_t seed, uint64_t from, uint64_t to,
	uint32_t request_bytes, double *bytes_per_s);

/* iozone's reading patterns, uncached, depth 1, records of record_bytes:
 * REREAD: [from, from + range_bytes) read twice in order, the second time counts.
 * BACKWARD: the records of [from, to) from the last to the first.
 * STRIDED: every stride_records-th record of [from, to), once through.
 * All are done in pieces of range_bytes, one after the other at places spread over [from, to); the
 * answer is bytes over time of all pieces. The way to a piece's first record is not counted: for
 * BACKWARD and STRIDED time runs from its completion, for REREAD from the end of the first pass.
 * -ENOENT: range_bytes does not fit, or has fewer than two records. */
enum oracle_pattern { ORACLE_REREAD, ORACLE_BACKWARD, ORACLE_STRIDED };
int oracle_pattern(struct oracle *o, enum oracle_pattern pattern, uint64_t from, uint64_t to,
	uint32_t record_bytes, uint64_t range_bytes, unsigned stride_records, double *bytes_per_s);

/* ---- the mechanics of one disk with one arm; -ENOENT: there is none, or no such place ---- */

struct oracle_track {
	double bytes;      /* of the track that holds the offset */
	double mean_bytes; /* over the heads there */
	double least_bytes, most_bytes; /* of the heads there */
	/* From the end of a track to the beginning of the next, in time: the same head's, another
	 * head's, and the next band's (sim/disk_geometry.h). */
	double track_skew_s, head_skew_s, band_skew_s;
	unsigned heads, tracks_per_run;
};
int oracle_track(struct oracle *o, uint64_t seed, uint64_t offset, struct oracle_track *track);

/* Where zone i ends and the next begins, from 0 on. Zones may lie so close in density that their
 * step is nothing. */
struct oracle_boundary {
	uint64_t offset_bytes;
	double step; /* share of the rate that is lost there */
	double bytes_per_s_before, bytes_per_s_after;
};
int oracle_boundary(struct oracle *o, uint64_t seed, unsigned i, struct oracle_boundary *boundary);

/* Rate of a long stream in the zone that holds the offset; -ENOENT also where something else than
 * the medium limits it. */
int oracle_zone_rate(struct oracle *o, uint64_t seed, uint64_t offset, double *bytes_per_s);

/* Place of an offset on the stroke, 0..1, by cylinders. */
int oracle_stroke(struct oracle *o, uint64_t seed, uint64_t offset, double *share);

/* The bare move, rotation, command and settling noise (whose mean is 0) not included, over a share
 * of the stroke; at least one cylinder; the mean of both directions. Its mean over all pairs of places. */
int oracle_seek(struct oracle *o, double stroke_share, double *time_s);
int oracle_average_seek(struct oracle *o, double *time_s);
/* Its mean over all pairs of bytes of [from, to). */
int oracle_random_seek(
	struct oracle *o, uint64_t seed, uint64_t from, uint64_t to, double *time_s);
/* What a read of request bytes, at any place of [from, to), takes longer on the medium than its first
 * sector alone: the others pass, and some lie behind the end of the track. */
int oracle_transfer(struct oracle *o, uint64_t seed, uint64_t from, uint64_t to, uint32_t request,
	double *time_s);
/* A move to the next track in the order of addresses: one of these two. */
int oracle_shortest(struct oracle *o, double *least_s, double *most_s);

/* From the request to the data of a place on the track the head is on that comes just in time, as
 * the host sees it (median): command, the sectors, the last of them over the interface, host.
 * Behind a bridge -ENODATA. */
int oracle_turnaround(struct oracle *o, uint64_t seed, uint64_t offset, uint32_t request_bytes,
	double *time_s);

/* ---- electronics and cache of one disk; -ENOENT: no disk, no cache, or nothing mapped ---- */

/* A read that the cache holds, median. */
int oracle_hit(struct oracle *o, uint32_t request_bytes, double *median_s);
/* The line through such medians: at no bytes, and its slope. */
int oracle_interface(struct oracle *o, double *command_s, double *bytes_per_s);
/* How far behind the end of a read the disk reads on by itself. */
int oracle_readahead(struct oracle *o, uint64_t *bytes);
/* How many places read last it holds, the last one included. */
int oracle_segments(struct oracle *o, unsigned *n);

#endif
