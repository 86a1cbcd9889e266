/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random reads, several at a time. */
#include <string.h>

#include "tests/truth/question.h"

static int cpu(const struct witness_box *box, const struct finding *f, double *truth)
{
	int status = question_iops(box, f, truth);

	*truth *= question_cpu_s(box->truth, f->request_bytes);
	return status;
}

/* Three runs share some two seconds, and each needs 12 batches of 4. */
static bool too_few_reads(const struct witness_box *box, const struct finding *f)
{
	struct oracle_access a;

	return strstr(f->why_not, "too few random reads") &&
		oracle_access(box->oracle, 0, box->truth->size_bytes, 4096, 3, &a) == 0 &&
		a.iops * 2.2 / 3 < 12 * 4 * 1.4;
}

static bool scattered_or_few(const struct witness_box *box, const struct finding *f)
{
	return (question_runs_differ(f) && question_patchwork(box)) || too_few_reads(box, f);
}

const struct question seekers_questions[] = {
	{"seekers.iops", .truth = question_iops, .rightly_unknown = scattered_or_few, .refused_most = 0.05},
	{"seekers.cpu_share", .truth = cpu, .rightly_unknown = scattered_or_few, .refused_most = 0.05},
	{0},
};
