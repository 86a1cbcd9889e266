/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the page cache. */
#include "tests/truth/question.h"

static int rate(const struct witness_box *box, const struct finding *f, double *truth)
{
	return oracle_cached(
		box->oracle, f->from_bytes, (uint32_t)(f->to_bytes - f->from_bytes), truth);
}

const struct question cached_questions[] = {
	{"cached.bytes_per_s", .truth = rate},
	{0},
};
