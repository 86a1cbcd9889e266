/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is asked of the whole: each bar with what was measured against it. */
#ifndef TRUTH_BARS_H
#define TRUTH_BARS_H

#include "tests/truth/field.h"

#define BARS_MAX 40

struct bar_result {
	char what[120];     /* the bar, with its limit */
	char measured[200]; /* what came of it, with the worst drive */
	bool met;
};

struct bars {
	struct bar_result bars[BARS_MAX];
	size_t n;
	double slack; /* factor that errors may exceed their limits by: 1, or more where a handful
	                 of seeds stand for a hundred */
};

/* Adds the bars that can be judged from the field's runs. */
void bars_judge(const struct field *f, struct bars *bars);
void bars_add(struct bars *bars, bool met, const char *what, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* ---- numbers out of a field, NAN left out ---- */

enum number {
	NUMBER_RELATIVE_ERROR, NUMBER_ABSOLUTE_ERROR, NUMBER_RELATIVE_WIDTH, /* of a question */
	NUMBER_SCORE, NUMBER_DRIVE_S, NUMBER_CPU_S, NUMBER_READS,
};
struct numbers {
	double *values; /* ascending */
	size_t n;
};
/* which: the question or score. drive as in field_outcome(). Release with free(n.values). */
struct numbers numbers_of(
	const struct field *f, unsigned drive, enum number kind, size_t which);
double numbers_quantile(const struct numbers *n, double q); /* NAN: none */
double numbers_mean(const struct numbers *n);               /* NAN: none */

/* The truth of a drive of the field (drive, k as in field_outcome()). */
void field_truth(const struct field *f, unsigned drive, unsigned k, struct truth *t);
const char *field_name(const struct field *f, unsigned drive);

#endif
