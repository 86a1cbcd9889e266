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
 * 16 requests. From 200 000 reads, of which 200 are beyond p999; the specimen's own rpm error (at
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

#endif
