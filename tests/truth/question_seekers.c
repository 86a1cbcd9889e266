/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random reads, several at a time. */
#include "tests/truth/question.h"

static int cpu(const struct witness_box *box, const struct finding *f, double *truth)
{
	int status = question_iops(box, f, truth);

	*truth *= question_cpu_s(box->truth, f->request_bytes);
	return status;
}

static bool scattered(const struct witness_box *box, const struct finding *f)
{
	return question_runs_differ(f) && question_patchwork(box);
}

const struct question seekers_questions[] = {
	{"seekers.iops", .truth = question_iops, .rightly_unknown = scattered},
	{"seekers.cpu_share", .truth = cpu, .rightly_unknown = scattered},
	{0},
};
