/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The keys of a truth file that set one field each (sim/truth.h says what they mean). */
#ifndef SIM_TRUTH_KEYS_H
#define SIM_TRUTH_KEYS_H

#include <stddef.h>

#include "sim/truth.h"

enum truth_type {
	TRUTH_NUMBER, /* double, min … max */
	TRUTH_COUNT,  /* unsigned, min … max */
	TRUTH_BYTES,  /* uint64_t, min … max */
	TRUTH_TEXT,   /* char[64] */
	TRUTH_WORD,   /* unsigned: place in words, which are separated by | */
};

struct truth_key {
	const char *name;
	enum truth_type type;
	size_t field; /* offset in struct truth */
	double min, max;
	const char *words;
};

const struct truth_key *truth_key_find(const char *name); /* NULL: no such key */
const struct truth_key *truth_key_at(size_t i);           /* NULL: past the last */

#endif
