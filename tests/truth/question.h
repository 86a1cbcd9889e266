/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is what the probes said true? Holds findings and rows of series against the oracle.
 *
 * One question is one key: a quantity of the catalogue or a series. The questions of a probe stand
 * in its own file, question_PROBE.c, one row of a table each; a row needs the key and one of truth,
 * quantile, verdict and row_truth. */
#ifndef TRUTH_QUESTION_H
#define TRUTH_QUESTION_H

#include <stdbool.h>
#include <stddef.h>

#include "doc/doc.h"
#include "tests/truth/oracle.h"

/* A document and the drive it speaks of. */
struct witness_box {
	struct oracle *oracle;
	const struct truth *truth;
	uint64_t seed; /* the specimen, and the seed of the run */
	const struct doc *doc;
};

#define COLUMN_NONE 99u /* as a column: there is none */

enum bar {
	BAR_INTERVAL, /* an interval of 95 %: holds the truth in 92 to 98 % of the runs */
	BAR_LEAST,    /* a count, a bound, a word: right in 92 % of the runs or more */
	BAR_SURE,     /* must not be wrong once */
};

struct question {
	const char *key;
	/* The truth as a number, given where and how the finding says it was measured; right when
	 * it lies in [low, high]. 0; -ENOENT: there is no such thing on this drive, "unknown" is
	 * right and a figure is wrong; -ENODATA: nothing to hold it against. Of an unknown finding
	 * it is asked only with `absent`. */
	int (*truth)(const struct witness_box *box, const struct finding *f, double *truth);
	/* Instead: a quantile of the random reads. */
	double quantile;
	/* Instead, for words and flags: 1 right, 0 wrong, -1 as good as "unknown" ("cannot_tell"),
	 * -ENOENT and -ENODATA as above. */
	int (*verdict)(const struct witness_box *box, const struct finding *f);
	/* Instead, for a series: as truth, of one row. Rows whose low is NAN claim nothing. */
	int (*row_truth)(const struct witness_box *box, const struct series *s, const double *row,
		double *truth);
	unsigned value_column, low_column, high_column; /* of row_truth; low COLUMN_NONE: the value
	                                                   itself must be the truth */
	/* There is no such thing on this drive: "unknown" is right, a figure is wrong. May be NULL. */
	bool (*absent)(const struct witness_box *box);
	/* It exists, but "unknown" for the reason the finding gives is right. May be NULL. */
	bool (*rightly_unknown)(const struct witness_box *box, const struct finding *f);
	/* Of the runs on a drive, the share that may say unknown where neither of these holds. */
	double refused_most;
	enum bar bar;
};

/* The questions of a probe; ends with a row without a key. */
extern const struct question clock_questions[], buffered_questions[], cached_questions[],
	sequential_questions[], rotation_questions[], track_questions[], zones_questions[],
	access_questions[], seek_questions[], cache_questions[], queue_questions[],
	seekers_questions[], patterns_questions[], class_questions[];

/* All of them one after the other. */
size_t question_count(void);
const struct question *question_at(size_t i);
/* The probe whose question it is. */
const char *question_probe(size_t i);
/* Which question a key is; the count when it is none. */
size_t question_find(const char *key);

/* What came of one question: one run, or the sum of many. */
struct cell {
	unsigned inside, outside; /* known, and the interval holds the truth, or not */
	unsigned unknown;         /* rightly: does not exist, or for a good reason */
	unsigned refused;         /* exists and was not told */
	unsigned known_wrong;     /* told, and does not exist */
	unsigned no_truth;        /* the oracle has no answer to hold it against */
	double bias_sum;          /* (value - truth) / half-width, summed */
	double half_sum;          /* half-width / value, summed */
	double half_worst;
	double error_sum;         /* |value - truth|, summed */
	double value, truth;      /* of the last one told; NAN: none */
};

/* Adds to cells (question_count() of them) what the document says on that probe's questions.
 * print: each one outside is told on stdout as a TAP comment. */
void question_judge(
	const struct witness_box *box, const char *probe, struct cell *cells, bool print);

/* ---- helpers for truth functions ---- */

/* What lies between the start and a power of two behind where a finding's reads ended: the oracle
 * keeps what it worked out, and need not do so for every seed. */
uint64_t question_rounded_end(const struct witness_box *box, uint64_t to);
/* Rate of a stream at the start of the region, and of one over all of it. */
int question_stream_rate(const struct witness_box *box, const struct finding *f, double *truth);
int question_region_rate(const struct witness_box *box, const struct finding *f, double *truth);
/* Random reads as the finding's region, size and depth say. */
int question_random_reads(
	const struct witness_box *box, const struct finding *f, struct oracle_access *a);
int question_iops(const struct witness_box *box, const struct finding *f, double *truth);
/* Processor time of one read of that size. */
double question_cpu_s(const struct truth *t, uint32_t bytes);
/* SMR in use: places next to each other have nothing in common. */
bool question_patchwork(const struct witness_box *box);
/* "the runs differ too much" */
bool question_runs_differ(const struct finding *f);
/* One arm moves over one spindle, with or without a bridge; places are in order. */
bool question_one_disk(const struct witness_box *box);
/* absent: nothing turns in it, or its reads never get there. */
bool question_nothing_turns(const struct witness_box *box);

#endif
