/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long a track is, and by how much later the next begins. */
#include <errno.h>

#include "tests/truth/question.h"

/* Of the track in the middle of what was walked: heads differ. */
static int end_bytes(const struct witness_box *box, const struct finding *f, double *truth)
{
	struct oracle_track track;

	if (oracle_track(box->oracle, box->seed, f->from_bytes / 2 + f->to_bytes / 2, &track))
		return -ENODATA;
	*truth = track.bytes;
	return 0;
}

static int row_bytes(const struct witness_box *box, const struct series *s, const double *row,
	double *truth)
{
	struct oracle_track track;

	(void)s;
	if (oracle_track(box->oracle, box->seed, (uint64_t)row[0], &track))
		return -ENODATA;
	*truth = track.bytes;
	return 0;
}

/* The skew in the middle, were all of them in a row. Where two halves differ there is no such thing. */
static int skew(const struct witness_box *box, const struct finding *f, double *truth)
{
	struct oracle_track t;
	double share[3], kind[3], all = 0, below;

	if (oracle_track(box->oracle, box->seed, f->from_bytes, &t))
		return -ENODATA;
	kind[0] = t.track_skew_s;
	kind[1] = t.head_skew_s;
	kind[2] = t.band_skew_s;
	share[0] = (t.tracks_per_run - 1.0) * t.heads;
	share[1] = t.heads - 1.0;
	share[2] = 1;
	for (unsigned i = 0; i < 3; i++)
		all += share[i];
	for (unsigned i = 0; i < 3; i++) {
		below = 0;
		for (unsigned k = 0; k < 3; k++)
			below += kind[k] < kind[i] ? share[k] : 0;
		if (below < 0.4 * all && below + share[i] > 0.6 * all) {
			*truth = kind[i];
			return 0;
		}
	}
	return -ENODATA;
}

const struct question track_questions[] = {
	{"track.outer_bytes", .truth = end_bytes, .absent = question_nothing_turns,
		.refused_most = 0.1},
	{"track.inner_bytes", .truth = end_bytes, .absent = question_nothing_turns,
		.refused_most = 0.1},
	{"track.skew_s", .truth = skew, .absent = question_nothing_turns, .refused_most = 0.5},
	{"track.length", .row_truth = row_bytes, .value_column = 1, .low_column = 2,
		.high_column = 3},
	{0},
};
