/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the two paths of a simulated drive share; only for this folder. */
#ifndef SIM_SIM_INSIDE_H
#define SIM_SIM_INSIDE_H

#include "drive/drive.h"
#include "sim/truth.h"

/* A read that takes longer than this got no answer (-ETIME). */
#define SIM_ANSWER_LIMIT_NS 60000000000u

/* The drive behind its host, uncached. t is copied. Never fails. name: as in drive_info. */
struct drive *sim_drive_open(const struct truth *t, uint64_t seed, const char *name);

/* The host's clock of such a drive goes on by ns, of which its host's CPU works cpu_ns for the reader. */
void sim_drive_pass(struct drive *direct, uint64_t ns, uint64_t cpu_ns);

/* A page cache in front of `direct`, which it owns from then on. */
struct drive *page_cache_open(const struct truth *t, uint64_t seed, struct drive *direct);

/* What is in the sectors: each begins with its LBA, 8 bytes little-endian, then "PLATTERSIMDRIVE";
 * the rest is 0. */
void sim_content(const struct drive_info *info, uint64_t offset, uint32_t length, void *data);

#endif
