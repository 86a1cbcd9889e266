/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Through the page cache, the drive's pace. */
#include <errno.h>

#include "tests/truth/question.h"

static int rate(const struct witness_box *box, const struct finding *f, double *truth)
{
	/* three places of a drive on which every place is different have no mean to be held
	 * against */
	if (question_patchwork(box))
		return -ENODATA;
	oracle_specimen(box->oracle, box->seed, 0);
	return oracle_buffered(box->oracle, box->seed, 0, question_rounded_end(box, f->to_bytes),
		f->request_bytes, truth);
}

static int cached_share(const struct witness_box *box, const struct finding *f, double *truth)
{
	(void)f;
	*truth = 0;
	return box->truth->resident_n ? -ENODATA : 0;
}

/* No figure since its interval would be as wide as itself. */
static bool scattered(const struct witness_box *box, const struct finding *f)
{
	return question_runs_differ(f) && question_patchwork(box);
}

const struct question buffered_questions[] = {
	{"buffered.bytes_per_s", .truth = rate, .rightly_unknown = scattered},
	{"buffered.cached_share", .truth = cached_share, .bar = BAR_LEAST},
	{0},
};
