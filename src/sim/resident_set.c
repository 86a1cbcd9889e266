/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Found by halving; what touches the new range is drawn into it. */
#include "sim/resident_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* First range that ends at or after x. */
static size_t first_ending_at(const struct resident_set *s, uint64_t x)
{
	size_t lo = 0, hi = s->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (s->ranges[mid].to < x)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

void resident_add(struct resident_set *s, uint64_t from, uint64_t to)
{
	size_t at = first_ending_at(s, from), end = at;

	if (from >= to)
		return;
	while (end < s->n && s->ranges[end].from <= to) {
		if (s->ranges[end].from < from)
			from = s->ranges[end].from;
		if (s->ranges[end].to > to)
			to = s->ranges[end].to;
		end++;
	}
	if (end == at)
		s->ranges = mem_grow(s->ranges, s->n, &s->capacity, sizeof(*s->ranges));
	memmove(&s->ranges[at + 1], &s->ranges[end], (s->n - end) * sizeof(*s->ranges));
	s->n = s->n - (end - at) + 1;
	s->ranges[at] = (struct resident_range){from, to};
}

uint64_t resident_count(const struct resident_set *s, uint64_t from, uint64_t to)
{
	uint64_t sum = 0;

	for (size_t i = first_ending_at(s, from); i < s->n && s->ranges[i].from < to; i++) {
		uint64_t a = s->ranges[i].from > from ? s->ranges[i].from : from;
		uint64_t b = s->ranges[i].to < to ? s->ranges[i].to : to;

		sum += b > a ? b - a : 0;
	}
	return sum;
}

int resident_missing(const struct resident_set *s, uint64_t from, uint64_t to,
	struct resident_range *missing)
{
	size_t i = first_ending_at(s, from);

	if (i < s->n && s->ranges[i].from <= from) {
		from = s->ranges[i].to;
		i++;
	}
	if (from >= to)
		return 0;
	*missing = (struct resident_range){from, to};
	if (i < s->n && s->ranges[i].from < to)
		missing->to = s->ranges[i].from;
	return 1;
}

void resident_release(struct resident_set *s)
{
	free(s->ranges);
	*s = (struct resident_set){0};
}
