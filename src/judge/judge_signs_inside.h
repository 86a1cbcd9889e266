/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the groups of rules share. Internal to judge/. */
#ifndef JUDGE_JUDGE_SIGNS_INSIDE_H
#define JUDGE_JUDGE_SIGNS_INSIDE_H

#include <stdbool.h>

#include "doc/doc.h"
#include "judge/judge_signs.h"

enum { ON_ATA = 1, ON_SCSI = 2, ON_NVME = 4, ON_EACH = 7 };

struct judging {
	const struct judge_signs_input *in;
	struct signs *signs;
	unsigned protocol; /* one of ON_…; 0: not known, or nothing that is asked for such things */
	bool asked;        /* the drive told something of itself */
	bool told_more;    /* more than who it is: health pages too */
	bool rotates_known, rotates;
};

/* The number under the first of the paths (NULL ends them) that was told, after the probing when it
 * was told then. NAN: nowhere. */
double judge_told(const struct judging *j, const char *const *paths);
double judge_number(const struct judging *j, const char *path);
int judge_flag(const struct judging *j, const char *path);         /* 1, 0; -1: not told */
const char *judge_words(const struct judging *j, const char *path); /* "": not told */
/* The facts last told. Never NULL; empty when the drive was not asked. */
const struct facts *judge_latest(const struct judging *j);

bool judge_is_flash(const struct judging *j); /* known to have nothing that turns */
/* Of the ATA attribute with that number: "value", "thresh", "raw.value"; NAN: not told. */
double judge_attribute(const struct judging *j, unsigned id, const char *part);
double judge_raw_count(const struct judging *j, unsigned id); /* NAN: not told, or no mere count */
double judge_head_loads(const struct judging *j);             /* NAN: not told */

void judge_made(struct judging *j);
/* A check that would have needed what the drive did not tell: the reason is the caller's (not asked)
 * or that it does not tell it. */
void judge_not_told(struct judging *j, const char *key);

void judge_counts(struct judging *j);     /* errors and wear that are counted */
void judge_health(struct judging *j);     /* its own verdict, attributes, warnings, temperature */
void judge_tests(struct judging *j);      /* self-tests that failed */
void judge_wear(struct judging *j);       /* helium, heads, heat it once had */
void judge_age(struct judging *j);        /* hours, and what contradicts them */
void judge_character(struct judging *j);  /* link, recording method, recovery time, locks */
void judge_sources(struct judging *j);    /* sources that contradict each other */
void judge_change(struct judging *j);     /* before the probing, after it */
void judge_measured(struct judging *j);   /* what the reads showed */
void judge_contents(struct judging *j);   /* what is on it, who uses it */

#endif
