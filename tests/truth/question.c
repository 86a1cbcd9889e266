/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The tables of all probes as one list, and how a row of them is judged. Percentiles are judged by
 * the share of reads within the claimed times, because a distribution may be flat where the
 * percentile lies. */
#include "tests/truth/question.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
	const char *probe;
	const struct question *questions;
} tables[] = {
	{"clock", clock_questions},
	{"buffered", buffered_questions},
	{"cached", cached_questions},
	{"sequential", sequential_questions},
	{"rotation", rotation_questions},
	{"track", track_questions},
	{"zones", zones_questions},
	{"access", access_questions},
	{"seek", seek_questions},
	{"cache", cache_questions},
	{"queue", queue_questions},
	{"seekers", seekers_questions},
	{"patterns", patterns_questions},
	{"class", class_questions},
};
#define TABLES (sizeof(tables) / sizeof(tables[0]))

/* Question i, and in *table whose it is; NULL past the last. */
static const struct question *locate(size_t i, size_t *table)
{
	for (*table = 0; *table < TABLES; ++*table)
		for (const struct question *q = tables[*table].questions; q->key; q++)
			if (i-- == 0)
				return q;
	return NULL;
}

size_t question_count(void)
{
	size_t n = 0;

	for (size_t k = 0; k < TABLES; k++)
		for (const struct question *q = tables[k].questions; q->key; q++)
			n++;
	return n;
}

const struct question *question_at(size_t i)
{
	size_t table;

	return locate(i, &table);
}

const char *question_probe(size_t i)
{
	size_t table;

	return locate(i, &table) ? tables[table].probe : NULL;
}

size_t question_find(const char *key)
{
	const struct question *q;
	size_t i = 0;

	while ((q = question_at(i)) && strcmp(q->key, key))
		i++;
	return i;
}

/* One claim of [low, high] against the truth. */
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
	cell->error_sum += fabs(value - truth);
	cell->value = value;
	cell->truth = truth;
}

static bool holds(double low, double high, double truth)
{
	return low <= truth + fabs(truth) * 1e-9 && high >= truth - fabs(truth) * 1e-9;
}

static void judge_quantile(
	const struct witness_box *box, const struct finding *f, double q, struct cell *cell)
{
	struct oracle_access a;
	double below, above, truth;

	if (question_random_reads(box, f, &a) ||
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

static void judge_verdict(const struct witness_box *box, const struct question *q,
	const struct finding *f, struct cell *cell)
{
	int status = q->verdict(box, f);

	if (status == 1)
		cell->inside++;
	else if (status == 0)
		cell->outside++;
	else if (status == -1)
		cell->refused++;
	else if (status == -ENOENT)
		cell->known_wrong++;
	else
		cell->no_truth++;
}

static void judge_number(const struct witness_box *box, const struct question *q,
	const struct finding *f, struct cell *cell)
{
	double truth = NAN;
	int status = q->truth(box, f, &truth);

	if (status == -ENOENT)
		cell->known_wrong++;
	else if (status)
		cell->no_truth++;
	else
		count(cell, f->value, f->low, f->high, truth, holds(f->low, f->high, truth));
}

static void judge_unknown(const struct witness_box *box, const struct question *q,
	const struct finding *f, struct cell *cell, bool print)
{
	if ((q->absent && q->absent(box)) || (f && q->rightly_unknown && q->rightly_unknown(box, f)))
		cell->unknown++;
	else
		cell->refused++;
	if (print)
		printf("# %s, seed %" PRIu64 ": unknown: %s\n", q->key, box->seed,
			f ? f->why_not : "not put");
}

static void judge_finding(
	const struct witness_box *box, const struct question *q, struct cell *cell, bool print)
{
	const struct finding *f = doc_find(box->doc, q->key);
	unsigned wrong = cell->outside + cell->known_wrong;

	if (!f || f->how == HOW_UNKNOWN) {
		judge_unknown(box, q, f, cell, print);
		return;
	}
	if (q->absent && q->absent(box))
		cell->known_wrong++;
	else if (q->quantile > 0)
		judge_quantile(box, f, q->quantile, cell);
	else if (q->verdict)
		judge_verdict(box, q, f, cell);
	else
		judge_number(box, q, f, cell);
	if (!print || cell->outside + cell->known_wrong == wrong)
		return;
	if (f->text)
		printf("# %s, seed %" PRIu64 ": %s is wrong\n", q->key, box->seed, f->text);
	else
		printf("# %s, seed %" PRIu64 ": %.7g, from %.7g to %.7g, truth %.7g\n", q->key,
			box->seed, f->value, f->low, f->high, cell->truth);
}

static void judge_series(
	const struct witness_box *box, const struct question *q, struct cell *cell, bool print)
{
	const struct series *s = doc_find_series(box->doc, q->key);

	for (size_t i = 0; s && i < s->rows; i++) {
		const double *row = s->values + i * s->columns;
		double value = row[q->value_column], low = value, high = value, truth;
		int status;

		if (q->low_column != COLUMN_NONE) {
			low = row[q->low_column];
			high = row[q->high_column];
		}
		if (isnan(low) || isnan(value))
			continue;
		status = q->row_truth(box, s, row, &truth);
		if (status == -ENOENT)
			cell->known_wrong++;
		else if (status)
			cell->no_truth++;
		else
			count(cell, value, low, high, truth, holds(low, high, truth));
		if (print && status != -ENODATA && (status || !holds(low, high, truth)))
			printf("# %s at %.7g, seed %" PRIu64
			       ": %.6g, from %.6g to %.6g, truth %.6g\n",
				q->key, row[0], box->seed, value, low, high, status ? NAN : truth);
	}
}

void question_judge(
	const struct witness_box *box, const char *probe, struct cell *cells, bool print)
{
	const struct question *q;

	for (size_t i = 0; (q = question_at(i)); i++) {
		if (strcmp(question_probe(i), probe))
			continue;
		if (q->row_truth)
			judge_series(box, q, &cells[i], print);
		else
			judge_finding(box, q, &cells[i], print);
	}
}
