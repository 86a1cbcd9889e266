/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is what a probe said true? Holds findings and rows of series against the oracle. */
#ifndef TRUTH_QUESTION_H
#define TRUTH_QUESTION_H

#include <stdbool.h>
#include <stddef.h>

#include "doc/doc.h"
#include "tests/truth/oracle.h"

/* What is asked: every quantity of the catalogue, then each row of these two series. */
#define QUESTION_CURVES 2
size_t question_count(void);
const char *question_key(size_t question);
/* Which question a key is; the count when it is none. */
size_t question_find(const char *key);

/* What came of one question on one drive, over many seeds. */
struct cell {
	unsigned inside, outside; /* known, and the interval holds the truth, or not */
	unsigned unknown;         /* rightly: does not exist, or too few reads as said */
	unsigned unknown_wrong;   /* exists and was not told */
	unsigned known_wrong;     /* told, and does not exist */
	unsigned no_truth;        /* the oracle has no answer to hold it against */
	double bias_sum;          /* (value - truth) / half-width, summed */
	double half_sum;          /* half-width / value, summed */
	double half_worst;
};

struct witness_box {
	struct oracle *oracle;
	const struct truth *truth;
	uint64_t seed;
	const struct doc *doc;
};

/* Adds to cells (question_count() of them) what the document says on the questions that belong to
 * this probe. print: each one outside is told on stdout as a TAP comment. */
void question_judge(
	const struct witness_box *box, const char *probe, struct cell *cells, bool print);

#endif
