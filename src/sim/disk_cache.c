/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A few dozen ranges: looked through one by one. */
#include "sim/disk_cache.h"

#include <stdlib.h>

#include "base/mem.h"

void disk_cache_init(struct disk_cache *c, unsigned n, uint64_t capacity)
{
	*c = (struct disk_cache){.n = n, .capacity = capacity};
	c->from = mem_zalloc(n + 1, sizeof(*c->from));
	c->to = mem_zalloc(n + 1, sizeof(*c->to));
	c->used = mem_zalloc(n + 1, sizeof(*c->used));
}

void disk_cache_release(struct disk_cache *c)
{
	free(c->from);
	free(c->to);
	free(c->used);
}

int disk_cache_find(const struct disk_cache *c, uint64_t from, uint64_t to)
{
	for (unsigned i = 0; i < c->n; i++)
		if (c->to[i] >= to && c->from[i] <= from)
			return (int)i;
	return -1;
}

void disk_cache_use(struct disk_cache *c, int place)
{
	c->used[place] = ++c->tick;
}

void disk_cache_put(struct disk_cache *c, uint64_t from, uint64_t to)
{
	unsigned oldest = 0;

	if (to <= from || !c->n)
		return;
	for (unsigned i = 1; i < c->n; i++)
		if (c->used[i] < c->used[oldest])
			oldest = i;
	c->from[oldest] = to - from > c->capacity ? to - c->capacity : from;
	c->to[oldest] = to;
	c->used[oldest] = ++c->tick;
}
