/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rate across the surface. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/truth/question.h"

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

/* Rows speak of parts of the same size; which one it is, some may be missing. */
static int part_rate(const struct witness_box *box, const struct series *s, const double *row,
	double *truth)
{
	const struct finding *mean = doc_find(box->doc, "zones.mean_bytes_per_s");
	uint64_t region, block = box->truth->logical_block_bytes, at, n, from, to;
	double step = INFINITY;

	if (!mean || mean->how == HOW_UNKNOWN)
		return -ENODATA;
	region = mean->to_bytes - mean->from_bytes;
	for (size_t i = 1; i < s->rows; i++)
		step = fmin(step, s->values[i * s->columns] - s->values[(i - 1) * s->columns]);
	at = (uint64_t)(row[0] - (double)mean->from_bytes);
	n = (uint64_t)((double)region / step + 0.5);
	from = mean->from_bytes + region / n * (at / (region / n));
	to = from + region / n;
	from -= from % block;
	to -= to % block;
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

const struct question zones_questions[] = {
	{"zones.outer_bytes_per_s", .truth = question_region_rate, .rightly_unknown = no_end},
	{"zones.inner_bytes_per_s", .truth = question_region_rate, .rightly_unknown = no_end},
	{"zones.mean_bytes_per_s", .truth = question_region_rate, .rightly_unknown = whole},
	{"zones.outer_inner_ratio", .truth = outer_inner, .rightly_unknown = no_end},
	{"zones.full_scan_s", .truth = full_scan, .rightly_unknown = whole},
	{"zones.rate", .row_truth = part_rate, .value_column = 1, .low_column = 2, .high_column = 3},
	{0},
};
