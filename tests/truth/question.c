/* SPDX-License-Identifier: GPL-2.0-or-later */
/* For each key one function that says what the truth is, given where and how the finding says it
 * was measured. Percentiles are judged by the share of reads within the claimed times, because a
 * distribution may be flat where the percentile lies. */
#include "tests/truth/question.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define STRIDE 4u /* records from one read to the next in the strided pattern */

static const char *const curves[QUESTION_CURVES] = {"zones.rate", "sequential.rate_by_request"};

size_t question_count(void)
{
	size_t n = 0;

	while (quantity_at(n))
		n++;
	return n + QUESTION_CURVES;
}

const char *question_key(size_t question)
{
	size_t n = question_count() - QUESTION_CURVES;

	return question < n ? quantity_at(question)->key : curves[question - n];
}

size_t question_find(const char *key)
{
	for (size_t i = 0; i < question_count(); i++)
		if (strcmp(question_key(i), key) == 0)
			return i;
	return question_count();
}

/* What lies between the region's start and a power of two behind where a finding's reads ended: the
 * oracle keeps what it worked out, and need not do so for every seed. */
static uint64_t rounded_end(const struct witness_box *box, uint64_t to)
{
	uint64_t end = 1u << 20;

	if (box->truth->kind == TRUTH_SMR)
		return to; /* what lies there changes from band to band */
	/* members of an array stand to each other differently along the way: a longer stretch */
	if (box->truth->kind == TRUTH_ARRAY)
		to *= 8;
	while (end < to)
		end *= 2;
	return end < box->truth->size_bytes ? end : box->truth->size_bytes;
}

/* A stream at the start of the region. */
static int stream_truth(const struct witness_box *box, const struct finding *f, double *truth)
{
	return oracle_rate(
		box->oracle, box->seed, 0, rounded_end(box, f->to_bytes), f->request_bytes, truth);
}

static int rate_of(const struct witness_box *box, const struct finding *f, double *truth)
{
	return oracle_rate(
		box->oracle, box->seed, f->from_bytes, f->to_bytes, f->request_bytes, truth);
}

static int cached_truth(const struct witness_box *box, const struct finding *f, double *truth)
{
	return oracle_cached(
		box->oracle, f->from_bytes, (uint32_t)(f->to_bytes - f->from_bytes), truth);
}

static int buffered_truth(const struct witness_box *box, const struct finding *f, double *truth)
{
	/* three places of a drive on which every place is different have no mean to be held
	 * against */
	if (box->truth->kind == TRUTH_SMR && box->truth->smr_dirty_share > 0)
		return -ENODATA;
	return oracle_buffered(
		box->oracle, box->seed, 0, rounded_end(box, f->to_bytes), f->request_bytes, truth);
}

static int nothing_cached(const struct witness_box *box, const struct finding *f, double *truth)
{
	(void)f;
	*truth = 0;
	return box->truth->resident_n ? -ENODATA : 0;
}

/* Processor time of one read of that size. */
static double cpu_s(const struct truth *t, uint32_t bytes)
{
	return t->host_user_s + t->host_system_s + t->host_system_s_per_mb * bytes / 1e6;
}

static int sequential_cpu(const struct witness_box *box, const struct finding *f, double *truth)
{
	const struct finding *rate = doc_find(box->doc, "sequential.bytes_per_s");
	int status = stream_truth(box, rate, truth);

	*truth *= cpu_s(box->truth, f->request_bytes) / f->request_bytes;
	return status;
}

/* The smallest of the sizes that were tried whose true rate is within 2 % of the best. */
static int saturating(const struct witness_box *box, const struct finding *f, double *truth)
{
	const struct series *s = doc_find_series(box->doc, "sequential.rate_by_request");
	double best = 0, rates[16];

	if (!s || s->rows > 16)
		return -ENODATA;
	for (size_t i = 0; i < s->rows; i++) {
		if (oracle_rate(box->oracle, box->seed, 0, rounded_end(box, f->to_bytes),
			    (uint32_t)s->values[i * s->columns], &rates[i]))
			return -ENODATA;
		best = fmax(best, rates[i]);
	}
	for (size_t i = s->rows; i-- > 0;)
		if (rates[i] >= 0.98 * best)
			*truth = s->values[i * s->columns];
	return 0;
}

static int full_scan(const struct witness_box *box, const struct finding *f, double *truth)
{
	int status = rate_of(box, f, truth);

	*truth = (double)(f->to_bytes - f->from_bytes) / *truth;
	return status;
}

static int outer_inner(const struct witness_box *box, const struct finding *f, double *truth)
{
	const struct finding *outer = doc_find(box->doc, "zones.outer_bytes_per_s");
	const struct finding *inner = doc_find(box->doc, "zones.inner_bytes_per_s");
	double a, b;
	int status = rate_of(box, outer, &a);

	(void)f;
	if (status == 0)
		status = rate_of(box, inner, &b);
	if (status == 0)
		*truth = a / b;
	return status;
}

static int access_of(
	const struct witness_box *box, const struct finding *f, struct oracle_access *a)
{
	return oracle_access(
		box->oracle, f->from_bytes, f->to_bytes, f->request_bytes, f->depth, a);
}

static int access_mean(const struct witness_box *box, const struct finding *f, double *truth)
{
	struct oracle_access a = {0};
	int status = access_of(box, f, &a);

	*truth = a.mean_s;
	return status;
}

static int iops(const struct witness_box *box, const struct finding *f, double *truth)
{
	struct oracle_access a = {0};
	int status = access_of(box, f, &a);

	*truth = a.iops;
	return status;
}

static int seekers_cpu(const struct witness_box *box, const struct finding *f, double *truth)
{
	int status = iops(box, f, truth);

	*truth *= cpu_s(box->truth, f->request_bytes);
	return status;
}

/* Pieces' length as the document's note says it. */
static uint64_t piece_bytes(const struct doc *doc, enum oracle_pattern which)
{
	uint64_t n[3];
	char unit[3][8];

	for (size_t i = 0; i < doc->notes_n; i++)
		if (sscanf(doc->notes[i],
			    "Patterns were read in pieces: re-read %" SCNu64 " %7[A-Za-z]"
			    ", backward %" SCNu64 " %7[A-Za-z], strided %" SCNu64 " %7[A-Za-z]",
			    &n[0], unit[0], &n[1], unit[1], &n[2], unit[2]) == 6)
			return unit[which][0] == 'M'   ? n[which] << 20
			       : unit[which][0] == 'K' ? n[which] << 10
						       : n[which];
	return 0;
}

static int pattern(const struct witness_box *box, const struct finding *f, double *truth,
	enum oracle_pattern which)
{
	uint64_t piece = piece_bytes(box->doc, which);

	if (piece == 0)
		return -ENODATA;
	return oracle_pattern(box->oracle, which, f->from_bytes, f->to_bytes, f->request_bytes,
		piece, STRIDE, truth);
}

static int reread(const struct witness_box *box, const struct finding *f, double *truth)
{
	return pattern(box, f, truth, ORACLE_REREAD);
}

static int backward(const struct witness_box *box, const struct finding *f, double *truth)
{
	return pattern(box, f, truth, ORACLE_BACKWARD);
}

static int strided(const struct witness_box *box, const struct finding *f, double *truth)
{
	return pattern(box, f, truth, ORACLE_STRIDED);
}

static const struct {
	const char *key;
	int (*truth)(const struct witness_box *box, const struct finding *f, double *truth);
	double quantile; /* instead of truth */
} answers[] = {
	{"cached.bytes_per_s", cached_truth, 0},
	{"buffered.bytes_per_s", buffered_truth, 0},
	{"buffered.cached_share", nothing_cached, 0},
	{"sequential.bytes_per_s", stream_truth, 0},
	{"sequential.cpu_share", sequential_cpu, 0},
	{"sequential.saturating_request_bytes", saturating, 0},
	{"zones.outer_bytes_per_s", rate_of, 0},
	{"zones.inner_bytes_per_s", rate_of, 0},
	{"zones.mean_bytes_per_s", rate_of, 0},
	{"zones.outer_inner_ratio", outer_inner, 0},
	{"zones.full_scan_s", full_scan, 0},
	{"access.mean_s", access_mean, 0},
	{"access.p50_s", NULL, 0.5},
	{"access.p90_s", NULL, 0.9},
	{"access.p99_s", NULL, 0.99},
	{"access.p999_s", NULL, 0.999},
	{"access.iops", iops, 0},
	{"seekers.iops", iops, 0},
	{"seekers.cpu_share", seekers_cpu, 0},
	{"patterns.reread_bytes_per_s", reread, 0},
	{"patterns.backward_bytes_per_s", backward, 0},
	{"patterns.strided_bytes_per_s", strided, 0},
};

static void count(
	struct cell *cell, double value, double low, double high, double truth, bool inside)
{
	double half = (high - low) / 2;

	if (inside)
		cell->inside++;
	else
		cell->outside++;
	cell->bias_sum += half > 0 ? (value - truth) / half : 0;
	cell->half_sum += value > 0 ? half / value : 0;
	cell->half_worst = fmax(cell->half_worst, value > 0 ? half / value : 0);
}

static void judge_quantile(
	const struct witness_box *box, const struct finding *f, double q, struct cell *cell)
{
	struct oracle_access a;
	double below, above, truth;

	if (access_of(box, f, &a) ||
		oracle_access_share(box->oracle, f->from_bytes, f->to_bytes, f->request_bytes,
			f->depth, f->low - 1e-9, &below) ||
		oracle_access_share(box->oracle, f->from_bytes, f->to_bytes, f->request_bytes,
			f->depth, f->high, &above)) {
		cell->no_truth++;
		return;
	}
	truth = q == 0.5 ? a.p50_s : q == 0.9 ? a.p90_s : q == 0.99 ? a.p99_s : a.p999_s;
	count(cell, f->value, f->low, f->high, truth, below <= q && above >= q);
}

/* Too few reads for that percentile, by the finding's own words; checked against the rule. */
static bool too_few_reads(const struct finding *f)
{
	unsigned reads, needs;
	double percent, tail = 0.025;

	if (!f->why_not ||
		sscanf(f->why_not, "%u reads cannot bound the %lf %% quantile, it needs %u", &reads,
			&percent, &needs) != 3)
		return false;
	return reads < needs && pow(percent / 100, needs) <= tail &&
	       pow(percent / 100, needs - 1) > tail;
}

/* Where places next to each other have nothing in common an end of the drive has no rate, and
 * request sizes cannot be compared. */
static bool no_zones(const struct witness_box *box, const struct finding *f)
{
	return box->truth->kind == TRUTH_SMR && box->truth->smr_dirty_share > 0 &&
	       (strcmp(f->method, "zones/1") == 0 ||
		       strcmp(f->quantity->key, "sequential.saturating_request_bytes") == 0);
}

/* No figure since its interval would be as wide as itself: tails of few reads, drives on which every place
 * is different. */
static bool scattered(const struct witness_box *box, const struct finding *f)
{
	return f->why_not && strncmp(f->why_not, "the runs differ too much", 24) == 0 &&
	       (strncmp(f->quantity->key, "access.p99", 10) == 0 ||
		       (box->truth->kind == TRUTH_SMR && box->truth->smr_dirty_share > 0));
}

/* Too coarse a map for an end of the drive, by its own words. */
static bool map_too_coarse(const struct witness_box *box, const struct finding *f)
{
	unsigned places, percent;
	const struct finding *outer = doc_find(box->doc, "zones.outer_bytes_per_s");
	const struct finding *inner = doc_find(box->doc, "zones.inner_bytes_per_s");

	if (strcmp(f->quantity->key, "zones.outer_inner_ratio") == 0)
		return outer && inner && (outer->how == HOW_UNKNOWN || inner->how == HOW_UNKNOWN);
	return strncmp(f->quantity->key, "zones.", 6) == 0 && f->why_not &&
	       sscanf(f->why_not, "%u places over the whole region bound the rate of its %*s %*u/32 "
				  "only to %u", &places, &percent) == 2 && percent >= 10;
}

/* The largest size tried is faster than the next by enough to be above 2 % now and then. */
static bool still_rises(const struct witness_box *box, const struct finding *f)
{
	const struct series *s = doc_find_series(box->doc, "sequential.rate_by_request");
	const struct finding *rate = doc_find(box->doc, "sequential.bytes_per_s");
	double best = 0, last = 0;

	if (strcmp(f->quantity->key, "sequential.saturating_request_bytes") || !s || !rate ||
		!f->why_not || !strstr(f->why_not, "still rising"))
		return false;
	for (size_t i = 0; i < s->rows; i++) {
		best = fmax(best, last);
		if (oracle_rate(box->oracle, box->seed, 0, rounded_end(box, rate->to_bytes),
			    (uint32_t)s->values[i * s->columns], &last))
			return false;
	}
	return last > 1.005 * best;
}

/* Pieces take longer than the time there is: 8 MiB in order (4 pieces read twice), 4 MiB or less. */
static bool no_time(const struct witness_box *box, const struct finding *f)
{
	uint64_t end = box->truth->size_bytes < 64u << 20 ? box->truth->size_bytes : 64u << 20;
	double rate;

	if (strncmp(f->quantity->key, "patterns.", 9) || !f->why_not ||
		!strstr(f->why_not, "there was no time for 4 pieces"))
		return false;
	return oracle_rate(box->oracle, box->seed, 0, end, 65536, &rate) == 0 && rate < 6e6;
}

static void judge_finding(
	const struct witness_box *box, size_t answer, struct cell *cell, bool print)
{
	const struct finding *f = doc_find(box->doc, answers[answer].key);
	double truth = NAN;
	unsigned outside = cell->outside;
	int status;

	if (!f || f->how == HOW_UNKNOWN) {
		if (f && (too_few_reads(f) || no_zones(box, f) || map_too_coarse(box, f) || scattered(box, f) || still_rises(box, f) || no_time(box, f)))
			cell->unknown++;
		else
			cell->unknown_wrong++;
		if (print)
			printf("# %s, seed %" PRIu64 ": unknown: %s\n", answers[answer].key,
				box->seed, f ? f->why_not : "not put");
		return;
	}
	if (answers[answer].quantile > 0) {
		judge_quantile(box, f, answers[answer].quantile, cell);
		status = 0;
	} else {
		status = answers[answer].truth(box, f, &truth);
		if (status == -ENOENT)
			cell->known_wrong++;
		else if (status)
			cell->no_truth++;
		else
			count(cell, f->value, f->low, f->high, truth,
				f->low <= truth * (1 + 1e-9) && f->high >= truth * (1 - 1e-9));
	}
	if (print && cell->outside > outside)
		printf("# %s, seed %" PRIu64 ": %.6g, from %.6g to %.6g, truth %.6g\n",
			answers[answer].key, box->seed, f->value, f->low, f->high, truth);
}

/* Each row (place, rate, low, high) of the curve across the surface. */
static void judge_zones(const struct witness_box *box, struct cell *cell, bool print)
{
	const struct series *s = doc_find_series(box->doc, "zones.rate");
	const struct finding *mean = doc_find(box->doc, "zones.mean_bytes_per_s");
	uint64_t region, block = box->truth->logical_block_bytes;
	double step = INFINITY;

	if (!s || !mean || mean->how == HOW_UNKNOWN)
		return;
	region = mean->to_bytes - mean->from_bytes;
	for (size_t i = 1; i < s->rows; i++)
		step = fmin(step, s->values[i * s->columns] - s->values[(i - 1) * s->columns]);
	for (size_t i = 0; i < s->rows; i++) {
		const double *row = s->values + i * s->columns;
		/* rows speak of parts of the same size; which one is row i, some may be missing */
		uint64_t at = (uint64_t)(row[0] - (double)mean->from_bytes);
		uint64_t n = (uint64_t)((double)region / step + 0.5);
		uint64_t k = at / (region / n);
		uint64_t from = mean->from_bytes + region / n * k, to = from + region / n;
		double truth;

		if (isnan(row[2])) /* told without an interval: no claim */
			continue;
		from -= from % block;
		to -= to % block;
		if (oracle_rate(box->oracle, box->seed, from, to, mean->request_bytes, &truth)) {
			cell->no_truth++;
			continue;
		}
		count(cell, row[1], row[2], row[3], truth, row[2] <= truth && truth <= row[3]);
		if (print && !(row[2] <= truth && truth <= row[3]))
			printf("# zones.rate at %.6g, seed %" PRIu64
			       ": %.6g, from %.6g to %.6g, truth "
			       "%.6g\n",
				row[0], box->seed, row[1], row[2], row[3], truth);
	}
}

static void judge_sweep(const struct witness_box *box, struct cell *cell, bool print)
{
	const struct series *s = doc_find_series(box->doc, "sequential.rate_by_request");
	const struct finding *f = doc_find(box->doc, "sequential.bytes_per_s");

	if (!s || !f || f->how == HOW_UNKNOWN)
		return;
	for (size_t i = 0; i < s->rows; i++) {
		const double *row = s->values + i * s->columns;
		double truth;

		if (isnan(row[2]))
			continue;
		if (oracle_rate(box->oracle, box->seed, 0, rounded_end(box, f->to_bytes),
			    (uint32_t)row[0], &truth)) {
			cell->no_truth++;
			continue;
		}
		count(cell, row[1], row[2], row[3], truth, row[2] <= truth && truth <= row[3]);
		if (print && !(row[2] <= truth && truth <= row[3]))
			printf("# sequential.rate_by_request at %.0f, seed %" PRIu64
			       ": %.6g, from %.6g "
			       "to %.6g, truth %.6g\n",
				row[0], box->seed, row[1], row[2], row[3], truth);
	}
}

void question_judge(
	const struct witness_box *box, const char *probe, struct cell *cells, bool print)
{
	size_t length = strlen(probe), n = question_count() - QUESTION_CURVES;

	if (strcmp(probe, "patterns") == 0 || strcmp(probe, "sequential") == 0 ||
		strcmp(probe, "buffered") == 0)
		oracle_specimen(box->oracle, box->seed);
	for (size_t i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		const char *key = answers[i].key;

		if (strncmp(key, probe, length) == 0 && key[length] == '.')
			judge_finding(box, i, &cells[question_find(key)], print);
	}
	if (strcmp(probe, "zones") == 0)
		judge_zones(box, &cells[n], print);
	if (strcmp(probe, "sequential") == 0)
		judge_sweep(box, &cells[n + 1], print);
}
