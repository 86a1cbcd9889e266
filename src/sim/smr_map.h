/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a drive-managed SMR drive keeps what it is asked for. Bands are unmapped, dirty or clean by
 * a fixed pseudo-random pattern; some fragments of dirty bands lie in the media cache at the outer
 * edge. */
#ifndef SIM_SMR_MAP_H
#define SIM_SMR_MAP_H

#include <stdint.h>

#include "sim/truth.h"

enum smr_where { SMR_HOME, SMR_UNMAPPED, SMR_ELSEWHERE };

struct smr_map {
	uint64_t sectors, band, fragment, cache; /* physical sectors */
	double unmapped_share, dirty_share, fragment_share;
};

struct smr_piece {
	enum smr_where where;
	uint64_t at, n; /* where it lies on the medium, sectors */
};

void smr_map_init(struct smr_map *s, const struct truth *t);

/* The first piece of [from, to). from < to. */
struct smr_piece smr_map_first(const struct smr_map *s, uint64_t from, uint64_t to);

#endif
