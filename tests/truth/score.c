/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Curves are compared at places spread over all of the drive, so that a map that is fine where it
 * looked closely and wrong in between is seen. */
#include "tests/truth/score.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "probe/stroke.h"

#define PLACES        400u
#define RIGHT_PLACE   0.0002 /* of the capacity */
#define SMALL_BYTES   (10ull * 1000 * 1000 * 1000) /* drives whose boundaries are intervals */
#define SMALL_TRACK   (256u << 10)

static double zone_curve(const struct witness_box *box)
{
	const struct series *s = doc_find_series(box->doc, "zones.rate");
	const struct finding *mean = doc_find(box->doc, "zones.mean_bytes_per_s");
	double sum = 0, *edges;
	size_t row = 0;

	if (!s || !s->rows || !mean || mean->how == HOW_UNKNOWN)
		return NAN;
	edges = mem_zalloc(s->rows + 1, sizeof(*edges));
	stroke_parts(s, (double)mean->from_bytes, (double)mean->to_bytes, edges);
	for (unsigned i = 0; i < PLACES; i++) {
		double at = (double)mean->from_bytes +
			(i + 0.5) / PLACES * (double)(mean->to_bytes - mean->from_bytes), truth;

		while (row + 1 < s->rows && edges[row + 1] < at)
			row++;
		if (oracle_zone_rate(box->oracle, box->seed, (uint64_t)at, &truth))
			sum = NAN;
		else
			sum += fabs(s->values[row * s->columns + 1] / truth - 1) / PLACES;
	}
	free(edges);
	return sum;
}

/* Whether tracks are so short that boundaries are only told as intervals. */
static bool small(const struct witness_box *box)
{
	struct oracle_track track;

	return box->truth->size_bytes < SMALL_BYTES ||
		(oracle_track(box->oracle, box->seed, box->truth->size_bytes / 2, &track) == 0 &&
			track.mean_bytes < SMALL_TRACK);
}

static bool in_place(const struct witness_box *box, const double *row, double truth, bool intervals)
{
	return fabs(row[0] - truth) <= RIGHT_PLACE * (double)box->truth->size_bytes ||
		(intervals && row[1] <= truth && truth <= row[2]);
}

static void boundaries(const struct witness_box *box, double *scores)
{
	const struct series *s = doc_find_series(box->doc, "zones.boundaries");
	struct oracle_boundary b;
	bool intervals = small(box), *matched;

	if (!s || oracle_boundary(box->oracle, box->seed, 0, &b))
		return;
	matched = mem_zalloc(s->rows + 1, sizeof(*matched));
	scores[SCORE_ZONE_STEPS] = scores[SCORE_ZONE_FOUND] = scores[SCORE_ZONE_FALSE] = 0;
	for (unsigned i = 0; oracle_boundary(box->oracle, box->seed, i, &b) == 0; i++) {
		bool found = false;

		for (size_t k = 0; k < s->rows; k++) {
			const double *row = s->values + k * s->columns;

			found = found || in_place(box, row, (double)b.offset_bytes, intervals);
			/* out of place, but by its own words there may be this one: not false */
			matched[k] = matched[k] ||
				in_place(box, row, (double)b.offset_bytes, true);
		}
		if (b.step < SCORE_STEP_LEAST)
			continue;
		scores[SCORE_ZONE_STEPS]++;
		scores[SCORE_ZONE_FOUND] += found;
	}
	for (size_t k = 0; k < s->rows; k++)
		scores[SCORE_ZONE_FALSE] += !matched[k];
	free(matched);
}

static void seeks(const struct witness_box *box, double *scores)
{
	const struct series *s = doc_find_series(box->doc, "seek.curve");
	double sum = 0, worst = 0, truth;
	unsigned n = 0;

	for (size_t i = 0; s && i < s->rows; i++) {
		const double *row = s->values + i * s->columns;

		if (isnan(row[1]) || oracle_seek(box->oracle, row[0], &truth))
			continue;
		sum += fabs(row[1] - truth);
		worst = fmax(worst, fabs(row[1] - truth));
		n++;
	}
	if (n) {
		scores[SCORE_SEEK_CURVE] = sum / n;
		scores[SCORE_SEEK_WORST] = worst;
	}
}

void score_document(const struct witness_box *box, double *scores)
{
	for (int i = 0; i < SCORES; i++)
		scores[i] = NAN;
	scores[SCORE_ZONE_CURVE] = zone_curve(box);
	boundaries(box, scores);
	seeks(box, scores);
}
