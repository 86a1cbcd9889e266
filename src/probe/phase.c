/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The step is not written down anywhere: it is the smallest distance between two visits in a row
 * of one anchor, as the series of visits tells it. */
#include "probe/phase.h"

#include <math.h>

#include "stat/robust.h"

enum { VISIT_RUN, VISIT_ANCHOR, VISIT_OFFSET, VISIT_SHIFT };
enum { TRACK_OFFSET, TRACK_BYTES, TRACK_LOW, TRACK_HIGH };

bool phase_known(const struct doc *doc)
{
	return doc_value(doc, "rotation.period_s") > 0;
}

bool phase_period(const struct doc *doc, struct interval *period_s)
{
	const struct finding *f = doc_find(doc, "rotation.period_s");

	if (!phase_known(doc))
		return false;
	*period_s = (struct interval){f->value, f->low, f->high};
	if (isnan(f->low) || isnan(f->high))
		period_s->low = period_s->high = f->value;
	return true;
}

uint32_t phase_unit(const struct doc *doc, const struct drive_info *info)
{
	const struct finding *f = doc_find(doc, "rotation.period_s");
	uint32_t block = info->logical_block_bytes, unit = info->physical_block_bytes;

	if (f && f->request_bytes && f->request_bytes % block == 0)
		return f->request_bytes;
	return unit > block && unit % block == 0 ? unit : block;
}

int64_t phase_step(const struct doc *doc)
{
	const struct series *s = doc_find_series(doc, "rotation.visits");
	double step = 0;

	if (!phase_known(doc) || !s)
		return 0;
	for (size_t i = 1; i < s->rows; i++) {
		const double *row = s->values + i * s->columns;

		for (size_t k = i; k-- > 0;) {
			const double *before = s->values + k * s->columns;
			double d = row[VISIT_OFFSET] - before[VISIT_OFFSET];

			if (row[VISIT_RUN] != before[VISIT_RUN])
				break;
			if (row[VISIT_ANCHOR] != before[VISIT_ANCHOR])
				continue;
			if (d != 0 && (step == 0 || fabs(d) < fabs(step)))
				step = d;
			break;
		}
	}
	return (int64_t)step;
}

#define GUESS_RUNS 2u
#define GUESS_MOST 128u  /* anchors of a run */
#define GUESS_WITHIN 0.15

/* Median over the anchors of a run of the track's length as their visits' shifts have it, and where
 * they lie. false: none tells it. */
static bool track_of_run(const struct series *s, unsigned run, double period_s, double *at,
	double *bytes)
{
	double first[GUESS_MOST], best[GUESS_MOST] = {0}, length[GUESS_MOST] = {0};
	bool seen[GUESS_MOST] = {false};
	size_t n = 0;

	*at = 0;
	for (size_t i = 0; i < s->rows; i++) {
		const double *row = s->values + i * s->columns;
		size_t a = (size_t)row[VISIT_ANCHOR];

		if (row[VISIT_RUN] != run || a >= GUESS_MOST)
			continue;
		if (!seen[a])
			first[a] = row[VISIT_OFFSET];
		seen[a] = true;
		if (fabs(row[VISIT_SHIFT]) > fabs(best[a])) {
			best[a] = row[VISIT_SHIFT];
			length[a] = period_s * (row[VISIT_OFFSET] - first[a]) / best[a];
		}
	}
	for (size_t a = 0; a < GUESS_MOST; a++)
		if (best[a] != 0 && length[a] > 0) {
			*at += (first[a] - *at) / (double)(n + 1);
			length[n++] = length[a];
		}
	*bytes = stat_median(length, n);
	return n > 0;
}

/* A straight line through what the two runs of rotation saw. */
static bool guess_track(const struct doc *doc, double at, struct interval *bytes)
{
	const struct series *s = doc_find_series(doc, "rotation.visits");
	double where[GUESS_RUNS], length[GUESS_RUNS], value;
	struct interval period_s;

	if (!s || !phase_period(doc, &period_s) ||
		!track_of_run(s, 0, period_s.value, &where[0], &length[0]))
		return false;
	value = length[0];
	if (track_of_run(s, 1, period_s.value, &where[1], &length[1]) && where[0] != where[1])
		value += (length[1] - length[0]) * (at - where[0]) / (where[1] - where[0]);
	value = fmin(fmax(value, 0.4 * length[0]), 2.5 * length[0]);
	*bytes = interval_of_logarithm(value, GUESS_WITHIN);
	return true;
}

static struct interval track_at(const struct series *s, size_t row)
{
	const double *v = s->values + row * s->columns;
	struct interval bytes = {v[TRACK_BYTES], v[TRACK_LOW], v[TRACK_HIGH]};

	if (isnan(bytes.low) || isnan(bytes.high))
		bytes.low = bytes.high = bytes.value;
	return bytes;
}

bool phase_track_bytes(const struct doc *doc, uint64_t offset, struct interval *bytes)
{
	const struct series *s = doc_find_series(doc, "track.length");
	struct interval a, b;
	double at = (double)offset, part;
	size_t next = 0;

	if (!s || s->rows == 0)
		return guess_track(doc, at, bytes);
	while (next < s->rows && s->values[next * s->columns + TRACK_OFFSET] < at)
		next++;
	if (next == 0 || next == s->rows) {
		*bytes = track_at(s, next ? next - 1 : 0);
		return true;
	}
	a = track_at(s, next - 1);
	b = track_at(s, next);
	part = at - s->values[(next - 1) * s->columns + TRACK_OFFSET];
	part /= s->values[next * s->columns + TRACK_OFFSET] -
		s->values[(next - 1) * s->columns + TRACK_OFFSET];
	bytes->value = a.value + (b.value - a.value) * part;
	bytes->low = a.low + (b.low - a.low) * part;
	bytes->high = a.high + (b.high - a.high) * part;
	return true;
}
