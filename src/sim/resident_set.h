/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which bytes of a drive are in a page cache: ranges, sorted, none touching another. */
#ifndef SIM_RESIDENT_SET_H
#define SIM_RESIDENT_SET_H

#include <stddef.h>
#include <stdint.h>

struct resident_range {
	uint64_t from, to; /* [from, to) */
};

struct resident_set {
	struct resident_range *ranges;
	size_t n, capacity;
};

/* `struct resident_set s = {0};` is empty and ready. */
void resident_add(struct resident_set *s, uint64_t from, uint64_t to);

/* How many bytes of [from, to) are in it. */
uint64_t resident_count(const struct resident_set *s, uint64_t from, uint64_t to);

/* The first part of [from, to) that is not in it: true and *missing, or false. */
int resident_missing(const struct resident_set *s, uint64_t from, uint64_t to,
	struct resident_range *missing);

void resident_release(struct resident_set *s);

#endif
