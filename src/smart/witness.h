/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A second reader of an ATA drive's SMART bytes, for what was read wrong here. It is given bytes and opens
 * nothing. The Makefile picks who it is: libatasmart, or nobody. */
#ifndef SMART_WITNESS_H
#define SMART_WITNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct witness_says {
	const char *overall; /* its verdict, a literal: "GOOD", "BAD_SECTOR", …; NULL: none */
	bool hours_told, celsius_told, bad_told;
	double hours, celsius;
	uint64_t bad; /* reallocated and pending sectors */
};

extern const char *const witness_name; /* NULL: nobody */
/* dump: in the format of smart/dump.h, IDENTIFY and SMART pages only. False: it says nothing. */
bool witness_ask(struct witness_says *says, const void *dump, size_t length);

#endif
