/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a drive's own words, and what was measured of it, are signs of. Thresholds and their
 * sources stand beside each rule in the .c. */
#ifndef JUDGE_JUDGE_SIGNS_H
#define JUDGE_JUDGE_SIGNS_H

#include "doc/facts.h"
#include "doc/identity.h"
#include "doc/sign.h"

struct doc;

struct judge_signs_input {
	const struct identity *identity; /* never NULL */
	const struct facts *smart;       /* what it said before, or the only time; NULL: not asked */
	const struct facts *smart_after; /* the same after the probing; NULL: not asked again */
	const struct facts *contents;    /* what is on it and who uses it; NULL: not looked at */
	const struct doc *measured;      /* findings and events of a probe; NULL: not probed */
	const char *not_asked;           /* why smart is NULL or empty: one sentence; NULL: asked */
	bool from_file;                  /* what was told is what a file kept of it */
};

/* Adds what is found, worst first, and every check that could not be made with its reason. */
void judge_signs(struct signs *signs, const struct judge_signs_input *input);

#endif
