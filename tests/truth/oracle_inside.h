/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of the oracle share; only for tests/truth/oracle*.c. */
#ifndef TRUTH_ORACLE_INSIDE_H
#define TRUTH_ORACLE_INSIDE_H

#include "drive/drive.h"
#include "sim/disk_geometry.h"
#include "tests/truth/oracle.h"

#define ORACLE_SPECIMEN 900001u /* asked where specimens do not differ */

const struct truth *oracle_truth(const struct oracle *o);
/* Valid until the next call with another seed. *seek may be NULL. */
const struct disk_geometry *oracle_geometry(
	struct oracle *o, uint64_t seed, const struct disk_seek **seek);
/* Whether the medium alone limits a stream that begins there. */
int oracle_medium_limits(struct oracle *o, uint64_t seed, uint64_t from, uint32_t request);
/* The drive t, behind its host; drive_close() it. */
struct drive *oracle_open_drive(const struct truth *t, uint64_t seed);

#endif
