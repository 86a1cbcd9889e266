/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What it gains from several reads at a time. */
#include "tests/truth/question.h"

#include <errno.h>

static int iops_at(const struct witness_box *box, const struct finding *f, unsigned depth, double *iops)
{
	struct oracle_access a = {0};
	struct finding g = *f;
	int status;

	g.depth = depth;
	status = question_random_reads(box, &g, &a);
	*iops = a.iops;
	return status;
}

/* Where nobody else gains or loses: an array's members drift, a patchwork differs from place to place. */
static int gain(const struct witness_box *box, const struct finding *f, double *truth)
{
	double one, many;

	if (iops_at(box, f, 1, &one) || iops_at(box, f, f->depth, &many))
		return -ENODATA;
	*truth = many / one;
	return 0;
}

static int row(const struct witness_box *box, const struct series *s, const double *values,
	double *truth)
{
	const struct finding *f = doc_find(box->doc, "queue.gain_2");

	(void)s;
	if (!f || f->how == HOW_UNKNOWN)
		return -ENODATA;
	return iops_at(box, f, (unsigned)values[0], truth);
}

const struct question queue_questions[] = {
	{"queue.gain_2", .truth = gain, .refused_most = 0.05},
	{"queue.gain_32", .truth = gain, .refused_most = 0.2},
	{"queue.iops", .row_truth = row, .value_column = 1, .low_column = 2, .high_column = 3},
	{0},
};
