/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the drive keeps and reads ahead. */
#include "tests/truth/question.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* A cache of one disk that answers from its medium; of an array's nothing is asked. */
static bool no_cache(const struct witness_box *box)
{
	return question_nothing_turns(box) || box->truth->cache_segments == 0;
}

static int hit(const struct witness_box *box, const struct finding *f, double *truth)
{
	return oracle_hit(box->oracle, f->request_bytes, truth) ? -ENODATA : 0;
}

static int readahead(const struct witness_box *box, const struct finding *f, double *truth)
{
	uint64_t bytes;

	(void)f;
	if (!question_one_disk(box) ||
		oracle_readahead(box->oracle, &bytes))
		return -ENODATA;
	*truth = (double)bytes;
	return 0;
}

/* Each member of an array forgets by itself: the places that chance deals out to them are all held until
 * one has had more than it holds, which is later than that one alone would come to it. */
static int segments(const struct witness_box *box, const struct finding *f, double *truth)
{
	struct truth member;
	unsigned n;

	if (box->truth->kind == TRUTH_ARRAY && box->truth->level == TRUTH_RAID0 &&
		truth_of_spec(box->truth->member, &member, NULL) == 0) {
		*truth = fmin(fmax(f->value, member.cache_segments + 1),
			box->truth->members * member.cache_segments + 1);
		return 0;
	}
	if (!question_one_disk(box) || oracle_segments(box->oracle, &n))
		return -ENODATA;
	*truth = n;
	return 0;
}

/* As far as was looked, by its own words. */
static bool beyond(const struct witness_box *box, const struct finding *f)
{
	(void)box;
	return f->why_not && strstr(f->why_not, "at least");
}

const struct question cache_questions[] = {
	{"cache.hit_s", .truth = hit, .absent = no_cache, .refused_most = 1},
	{"cache.readahead_bytes", .truth = readahead, .absent = no_cache, .rightly_unknown = beyond,
		.refused_most = 1, .bar = BAR_LEAST},
	{"cache.readahead_stream_bytes", .truth = readahead, .absent = no_cache,
		.rightly_unknown = beyond, .refused_most = 1, .bar = BAR_LEAST},
	{"cache.segments", .truth = segments, .absent = no_cache, .rightly_unknown = beyond,
		.refused_most = 1, .bar = BAR_LEAST},
	{0},
};
