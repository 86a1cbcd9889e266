/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The finished segments of a disk's cache: ranges of sectors, the least recently used one is given
 * up. The segment being filled by a stream is the disk's own (sim/disk_model.c). */
#ifndef SIM_DISK_CACHE_H
#define SIM_DISK_CACHE_H

#include <stdbool.h>
#include <stdint.h>

struct disk_cache {
	unsigned n;
	uint64_t capacity; /* sectors in one segment */
	uint64_t tick;
	uint64_t *from, *to, *used; /* [from, to); empty when to is 0 */
};

/* n may be 0. Release with disk_cache_release(). */
void disk_cache_init(struct disk_cache *c, unsigned n, uint64_t capacity);
void disk_cache_release(struct disk_cache *c);

/* Which segment holds all of [from, to): its place, or -1. */
int disk_cache_find(const struct disk_cache *c, uint64_t from, uint64_t to);
void disk_cache_use(struct disk_cache *c, int place);

/* Keeps the newest `capacity` sectors of [from, to) in place of the least recently used segment. */
void disk_cache_put(struct disk_cache *c, uint64_t from, uint64_t to);

#endif
