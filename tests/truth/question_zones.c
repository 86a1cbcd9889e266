/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rate across the surface. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "probe/stroke.h"
#include "tests/truth/question.h"

#define PARTS_MOST 1024u

static int full_scan(const struct witness_box *box, const struct finding *f, double *truth)
{
	int status = question_region_rate(box, f, truth);

	*truth = (double)(f->to_bytes - f->from_bytes) / *truth;
	return status;
}

static int outer_inner(const struct witness_box *box, const struct finding *f, double *truth)
{
	const struct finding *outer = doc_find(box->doc, "zones.outer_bytes_per_s");
	const struct finding *inner = doc_find(box->doc, "zones.inner_bytes_per_s");
	double a, b;
	int status = question_region_rate(box, outer, &a);

	(void)f;
	if (status == 0)
		status = question_region_rate(box, inner, &b);
	if (status == 0)
		*truth = a / b;
	return status;
}

/* Rows speak of parts that adjoin. */
static int part_rate(const struct witness_box *box, const struct series *s, const double *row,
	double *truth)
{
	const struct finding *mean = doc_find(box->doc, "zones.mean_bytes_per_s");
	uint64_t block = box->truth->logical_block_bytes, from, to;
	size_t i = (size_t)(row - s->values) / s->columns;
	double edges[PARTS_MOST + 1];

	if (!mean || mean->how == HOW_UNKNOWN || s->rows > PARTS_MOST)
		return -ENODATA;
	/* members of an array turn against each other while it is looked at, and its rate at a place
	 * is another some seconds later, by up to 5 % */
	if (box->truth->kind == TRUTH_ARRAY)
		return -ENODATA;
	stroke_parts(s, (double)mean->from_bytes, (double)mean->to_bytes, edges);
	from = (uint64_t)edges[i] / block * block;
	to = (uint64_t)edges[i + 1] / block * block;
	return oracle_rate(box->oracle, box->seed, from, to, mean->request_bytes, truth);
}

/* Where places next to each other have nothing in common, or by its own words too coarse a map for
 * an end of the drive. */
static bool no_end(const struct witness_box *box, const struct finding *f)
{
	unsigned places, percent;
	const struct finding *outer = doc_find(box->doc, "zones.outer_bytes_per_s");
	const struct finding *inner = doc_find(box->doc, "zones.inner_bytes_per_s");

	if (question_patchwork(box))
		return true;
	if (strcmp(f->quantity->key, "zones.outer_inner_ratio") == 0)
		return outer && inner && (outer->how == HOW_UNKNOWN || inner->how == HOW_UNKNOWN);
	return sscanf(f->why_not, "%u places over the whole region bound the rate of its %*s "
		"%*u/32 only to %u", &places, &percent) == 2 && percent >= 10;
}

static bool whole(const struct witness_box *box, const struct finding *f)
{
	(void)f;
	return question_patchwork(box);
}

/* How many zones: steps that are one. */
static int zones_planted(const struct witness_box *box, const struct finding *f, double *truth)
{
	struct oracle_boundary b;
	unsigned n = 0;

	(void)f;
	if (!question_one_disk(box))
		return -ENODATA;
	for (unsigned i = 0; oracle_boundary(box->oracle, box->seed, i, &b) == 0; i++)
		n += b.step > 0;
	*truth = n + 1;
	return 0;
}

/* The end of a zone that is nearest to what the row says. */
static int nearest_end(const struct witness_box *box, const struct series *s, const double *row,
	double *truth)
{
	struct oracle_boundary b;

	(void)s;
	*truth = INFINITY;
	if (!question_one_disk(box))
		return -ENODATA;
	for (unsigned i = 0; oracle_boundary(box->oracle, box->seed, i, &b) == 0; i++)
		if (fabs((double)b.offset_bytes - row[0]) < fabs(*truth - row[0]))
			*truth = (double)b.offset_bytes;
	return isfinite(*truth) ? 0 : -ENOENT;
}

/* Zones may be too much alike, or heads too unlike, to be told: the finding says so. */
static bool no_zones(const struct witness_box *box, const struct finding *f)
{
	(void)f;
	return box->truth->head_density_spread > 0 || !question_one_disk(box) ||
		box->truth->bridge_bytes_per_s > 0;
}

const struct question zones_questions[] = {
	{"zones.outer_bytes_per_s", .truth = question_region_rate, .rightly_unknown = no_end},
	{"zones.inner_bytes_per_s", .truth = question_region_rate, .rightly_unknown = no_end},
	{"zones.mean_bytes_per_s", .truth = question_region_rate, .rightly_unknown = whole},
	{"zones.outer_inner_ratio", .truth = outer_inner, .rightly_unknown = no_end},
	{"zones.full_scan_s", .truth = full_scan, .rightly_unknown = whole},
	{"zones.count", .truth = zones_planted, .rightly_unknown = no_zones, .refused_most = 0.1,
		.bar = BAR_LEAST},
	{"zones.boundaries", .row_truth = nearest_end, .value_column = 0, .low_column = 1,
		.high_column = 2},
	{"zones.rate", .row_truth = part_rate, .value_column = 1, .low_column = 2, .high_column = 3},
	{0},
};
