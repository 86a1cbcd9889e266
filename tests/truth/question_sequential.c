/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One block after the other, by request size. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "tests/truth/question.h"

#define TRIED_MOST 16u

static int stream(const struct witness_box *box, const struct finding *f, double *truth)
{
	oracle_specimen(box->oracle, box->seed, 0);
	return question_stream_rate(box, f, truth);
}

static int cpu(const struct witness_box *box, const struct finding *f, double *truth)
{
	const struct finding *rate = doc_find(box->doc, "sequential.bytes_per_s");
	int status = stream(box, rate, truth);

	*truth *= question_cpu_s(box->truth, f->request_bytes) / f->request_bytes;
	return status;
}

/* True rates of the sizes that were tried, and the best of them. */
static int tried_rates(const struct witness_box *box, uint64_t to, double *rates, double *best)
{
	const struct series *s = doc_find_series(box->doc, "sequential.rate_by_request");

	*best = 0;
	if (!s || s->rows > TRIED_MOST)
		return -ENODATA;
	oracle_specimen(box->oracle, box->seed, 0);
	for (size_t i = 0; i < s->rows; i++) {
		if (oracle_rate(box->oracle, box->seed, 0, question_rounded_end(box, to),
			    (uint32_t)s->values[i * s->columns], &rates[i]))
			return -ENODATA;
		*best = fmax(*best, rates[i]);
	}
	return 0;
}

/* The smallest of the sizes that were tried whose true rate is within 2 % of the best. */
static int saturating(const struct witness_box *box, const struct finding *f, double *truth)
{
	const struct series *s = doc_find_series(box->doc, "sequential.rate_by_request");
	double best, rates[TRIED_MOST];

	if (tried_rates(box, f->to_bytes, rates, &best))
		return -ENODATA;
	for (size_t i = s->rows; i-- > 0;)
		if (rates[i] >= 0.98 * best)
			*truth = s->values[i * s->columns];
	return 0;
}

/* The largest size tried is faster than the others by enough to be above 2 % now and then. */
static bool still_rises(const struct witness_box *box, const struct finding *f)
{
	const struct series *s = doc_find_series(box->doc, "sequential.rate_by_request");
	const struct finding *rate = doc_find(box->doc, "sequential.bytes_per_s");
	double best, rates[TRIED_MOST], before = 0;

	if (!s || !rate || !strstr(f->why_not, "still rising") ||
		tried_rates(box, rate->to_bytes, rates, &best))
		return false;
	for (size_t i = 0; i + 1 < s->rows; i++)
		before = fmax(before, rates[i]);
	return rates[s->rows - 1] > 1.005 * before;
}

/* The run of a second and a half has its runs of 1 MiB to read first. */
static bool too_slow(const struct witness_box *box, const struct finding *f)
{
	const struct finding *rate = doc_find(box->doc, "sequential.bytes_per_s");
	double truth;

	return strstr(f->why_not, "too slow for several request sizes") && rate &&
		rate->how != HOW_UNKNOWN && stream(box, rate, &truth) == 0 && truth < 16e6;
}

static bool no_size(const struct witness_box *box, const struct finding *f)
{
	return question_patchwork(box) || still_rises(box, f) || too_slow(box, f);
}

static bool scattered(const struct witness_box *box, const struct finding *f)
{
	return question_runs_differ(f) && question_patchwork(box);
}

static int by_size(const struct witness_box *box, const struct series *s, const double *row,
	double *truth)
{
	const struct finding *f = doc_find(box->doc, "sequential.bytes_per_s");

	(void)s;
	if (!f || f->how == HOW_UNKNOWN)
		return -ENODATA;
	oracle_specimen(box->oracle, box->seed, 0);
	return oracle_rate(box->oracle, box->seed, 0, question_rounded_end(box, f->to_bytes),
		(uint32_t)row[0], truth);
}

const struct question sequential_questions[] = {
	{"sequential.bytes_per_s", .truth = stream, .rightly_unknown = scattered},
	{"sequential.cpu_share", .truth = cpu, .rightly_unknown = scattered},
	{"sequential.saturating_request_bytes", .truth = saturating, .rightly_unknown = no_size, .refused_most = 0.1,
		.bar = BAR_LEAST},
	{"sequential.rate_by_request", .row_truth = by_size, .value_column = 1, .low_column = 2,
		.high_column = 3},
	{0},
};
