/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random reads, one at a time. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/truth/question.h"

static int mean(const struct witness_box *box, const struct finding *f, double *truth)
{
	struct oracle_access a = {0};
	int status = question_random_reads(box, f, &a);

	*truth = a.mean_s;
	return status;
}

/* Too few reads for that percentile, by the finding's own words; checked against the rule. */
static bool too_few_reads(const struct finding *f)
{
	unsigned reads, needs;
	double percent, tail = 0.025;

	if (sscanf(f->why_not, "%u reads cannot bound the %lf %% quantile, it needs %u", &reads,
		    &percent, &needs) != 3)
		return false;
	return reads < needs && pow(percent / 100, needs) <= tail &&
	       pow(percent / 100, needs - 1) > tail;
}

/* A tail of few reads may have an interval as wide as itself. */
static bool few_or_scattered(const struct witness_box *box, const struct finding *f)
{
	return too_few_reads(f) || (question_runs_differ(f) &&
		(strncmp(f->quantity->key, "access.p99", 10) == 0 || question_patchwork(box)));
}

/* Where no single arm moves over a platter, its mean is nothing. */
static bool no_model(const struct witness_box *box)
{
	return !question_one_disk(box);
}

/* A command that waits for the end of a track, or a spindle that sways, blurs the edges that the model
 * looks for. */
static bool blurred(const struct witness_box *box, const struct finding *f)
{
	(void)f;
	return box->truth->readahead_stop == TRUTH_STOP_TRACK || box->truth->rpm_wander_ppm > 0 ||
		box->truth->zero_latency;
}

const struct question access_questions[] = {
	{"access.mean_s", .truth = mean, .rightly_unknown = few_or_scattered},
	{"access.plain_mean_s", .truth = mean, .rightly_unknown = few_or_scattered},
	{"access.model_mean_s", .truth = mean, .absent = no_model,
		.rightly_unknown = blurred, .refused_most = 0.05},
	{"access.p50_s", .quantile = 0.5, .rightly_unknown = few_or_scattered},
	{"access.p90_s", .quantile = 0.9, .rightly_unknown = few_or_scattered},
	{"access.p99_s", .quantile = 0.99, .rightly_unknown = few_or_scattered},
	{"access.p999_s", .quantile = 0.999, .rightly_unknown = few_or_scattered},
	{"access.iops", .truth = question_iops, .rightly_unknown = few_or_scattered},
	{0},
};
