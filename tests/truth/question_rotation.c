/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How fast it turns. */
#include <errno.h>

#include "tests/truth/question.h"

static int rpm(const struct witness_box *box, const struct finding *f, double *truth)
{
	int status = oracle_turns_per_s(box->oracle, box->seed, truth);

	(void)f;
	*truth *= 60;
	return status ? -ENODATA : 0;
}

static int period(const struct witness_box *box, const struct finding *f, double *truth)
{
	int status = rpm(box, f, truth);

	*truth = 60 / *truth;
	return status;
}

static int latency(const struct witness_box *box, const struct finding *f, double *truth)
{
	int status = period(box, f, truth);

	*truth /= 2;
	return status;
}

/* A spindle that does not sway does not drift. */
static int drift(const struct witness_box *box, const struct finding *f, double *truth)
{
	(void)f;
	*truth = 0;
	return question_one_disk(box) && box->truth->rpm_wander_ppm <= 0 ? 0 : -ENODATA;
}

/* Several arms may each turn over a spindle of their own: they have no one drift. */
static bool several_arms(const struct witness_box *box, const struct finding *f)
{
	(void)f;
	return box->truth->kind == TRUTH_ARRAY || box->truth->actuators > 1;
}

const struct question rotation_questions[] = {
	{"rotation.rpm", .truth = rpm, .absent = question_nothing_turns, .refused_most = 0.05},
	{"rotation.period_s", .truth = period, .absent = question_nothing_turns,
		.refused_most = 0.05},
	{"rotation.latency_mean_s", .truth = latency, .absent = question_nothing_turns,
		.refused_most = 0.05},
	{"rotation.drift_ratio", .truth = drift, .absent = question_nothing_turns,
		.rightly_unknown = several_arms,
		.refused_most = 0.35},
	{0},
};
