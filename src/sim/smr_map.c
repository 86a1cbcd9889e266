/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hash of the band's number decides what it is, a hash of the fragment's number where it is, so
 * that nothing has to be kept. */
#include "sim/smr_map.h"

static uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 31)) * 0x7FB5D329728EA185u;
	x = (x ^ (x >> 27)) * 0x81DADEF4BC2DD44Du;
	return x ^ (x >> 33);
}

static double chance(uint64_t number, uint64_t salt)
{
	return (double)(mix(number * 0x9E3779B97F4A7C15u + salt) >> 11) * 0x1p-53;
}

void smr_map_init(struct smr_map *s, const struct truth *t)
{
	uint64_t sector = t->physical_block_bytes;

	s->sectors = (t->size_bytes + sector - 1) / sector;
	s->band = t->smr_band_bytes / sector;
	s->fragment = t->smr_fragment_bytes / sector;
	s->cache = t->smr_media_cache_bytes / sector;
	if (s->cache > s->sectors / 2)
		s->cache = s->sectors / 2;
	s->unmapped_share = t->smr_unmapped_share;
	s->dirty_share = t->smr_dirty_share;
	s->fragment_share = t->smr_fragment_share;
}

static struct smr_piece piece(enum smr_where where, uint64_t at, uint64_t n, uint64_t most)
{
	return (struct smr_piece){where, at, n < most ? n : most};
}

struct smr_piece smr_map_first(const struct smr_map *s, uint64_t from, uint64_t to)
{
	uint64_t band = from / s->band, band_end = (band + 1) * s->band;
	uint64_t fragment = from / s->fragment, fragment_end = (fragment + 1) * s->fragment;
	double what = chance(band, 1);

	if (what < s->unmapped_share)
		return piece(SMR_UNMAPPED, from, to - from, band_end - from);
	if (what >= s->unmapped_share + s->dirty_share || s->cache < s->fragment)
		return piece(SMR_HOME, from, to - from, band_end - from);
	if (chance(fragment, 2) >= s->fragment_share)
		return piece(SMR_HOME, from, to - from, fragment_end - from);
	return piece(SMR_ELSEWHERE, mix(fragment) % (s->cache / s->fragment) * s->fragment +
			from % s->fragment, to - from, fragment_end - from);
}
