/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a document as a whole is worth where no single interval says it: curves and lists held
 * against the truth. */
#ifndef TRUTH_SCORE_H
#define TRUTH_SCORE_H

#include "tests/truth/question.h"

enum score {
	SCORE_ZONE_CURVE,   /* mean of |rate by the map / rate - 1| over the drive */
	SCORE_ZONE_STEPS,   /* boundaries where the rate falls by SCORE_STEP_LEAST or more, … */
	SCORE_ZONE_FOUND,   /* … and those of them that the document has in the right place */
	SCORE_ZONE_FALSE,   /* boundaries it has where there is none */
	SCORE_SEEK_CURVE,   /* mean of |time by the document - time| over its distances, seconds */
	SCORE_SEEK_WORST,   /* the largest of them */
	SCORES
};
#define SCORE_STEP_LEAST 0.007

/* Each of scores[SCORES]: NAN where the document has none of it or there is no truth. Without a list
 * of boundaries those three are NAN: refused. */
void score_document(const struct witness_box *box, double *scores);

#endif
