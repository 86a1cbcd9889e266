/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the rate depends on the size of the requests. All sizes take turns, ROUNDS times over, each
 * time on fresh ground, so that what differs from place to place and from moment to moment is in
 * every point's scatter. Four short pieces cannot tell their scatter well: the sizes borrow from
 * each other (stat/moderate.h). A size that is too slow for its share of the time is left out. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "base/units.h"
#include "probe/sequential_pieces.h"
#include "stat/moderate.h"
#include "stat/robust.h"

#define SIZE_FIRST (4u << 10)
#define SIZES      11u /* to 4 MiB */
#define ROUNDS     4u
#define STRETCH    4    /* a large request may take that much longer than its share */
#define SATURATED  0.98 /* of the best rate */
#define LEAD_BYTES (1u << 20)
/* No point is surer than this: short pieces hold few track switches and none of the rare retries;
 * and a drive that is asked for less than it reads ahead stops now and then, which they may not
 * meet. */
#define FLOOR_RATIO  0.01
#define FLOOR_SLOW   0.02
#define POINTS_MIN   3u
#define SCATTER_MOST 0.15 /* relative standard deviation of one piece, over all */

struct point {
	uint32_t request;
	double s_per_byte[ROUNDS];
	size_t rounds;
	double mean; /* of s_per_byte */
	struct interval rate;
};

static bool is_possible(
	const struct sequential *q, uint32_t request, uint64_t each_ns, double bytes_per_s)
{
	const struct scope *scope = q->s.scope;

	return request % q->s.drive->info.logical_block_bytes == 0 &&
	       (scope->to_bytes - scope->from_bytes) / request >= 4 * ROUNDS &&
	       request / bytes_per_s * 1e9 <= STRETCH * (double)each_ns;
}

/* One piece. At the full rate a number of reads that does not depend on how long they take, one at
 * least; slower ones are ended by time. Before them, untimed, two reads at least and where the rate
 * allows as much as brings each member of an array to its place. */
static int read_point(struct sequential *q, uint32_t request, uint64_t each_ns, double bytes_per_s,
	struct stretch *t)
{
	double each_s = (double)each_ns / 1e9;
	size_t lead = (size_t)fmax(2, ceil(fmin(LEAD_BYTES, each_s * bytes_per_s) / request));
	size_t timed = (size_t)ceil(each_s * bytes_per_s / request);
	uint64_t limit_ns = (uint64_t)(((double)(lead + 1) * request / bytes_per_s + each_s) * 1e9);
	struct watched sample;
	int status;

	do {
		sample = session_watch(&q->s);
		status = sequential_piece(q, request, 2 * limit_ns, lead, lead + timed, t);
	} while (session_again(&q->s, &sample) && status == 0);
	return status;
}

/* Fills points; *n of them were read in every round. */
static int read_points(
	struct sequential *q, uint64_t each_ns, double bytes_per_s, struct point *points, size_t *n)
{
	memset(points, 0, SIZES * sizeof(*points));
	for (size_t round = 0; round < ROUNDS; round++) {
		for (unsigned i = 0; i < SIZES; i++) {
			struct point *p = &points[i];
			struct stretch t;
			int status;

			p->request = SIZE_FIRST << i;
			if (!is_possible(q, p->request, each_ns, bytes_per_s))
				continue;
			status = read_point(q, p->request, each_ns, bytes_per_s, &t);
			if (status)
				return status;
			if (t.ns)
				p->s_per_byte[p->rounds++] = (double)t.ns / 1e9 / (double)t.bytes;
		}
	}
	*n = 0;
	for (unsigned i = 0; i < SIZES; i++)
		if (points[i].rounds == ROUNDS)
			points[(*n)++] = points[i];
	return 0;
}

/* The full rate: the mean of all that are as good as the best, which alone would be the
 * luckiest. */
static double best_rate(const struct point *points, size_t n)
{
	double most = 0, sum = 0;
	size_t good = 0;

	for (size_t i = 0; i < n; i++)
		most = fmax(most, points[i].rate.value);
	for (size_t i = 0; i < n; i++)
		if (points[i].rate.value >= SATURATED * most) {
			sum += points[i].rate.value;
			good++;
		}
	return sum / (double)good;
}

/* Fills the points' rates. The variance of a point is its own, drawn towards what is typical, and
 * at least the median one: four short pieces agree by chance now and then. false: from place to
 * place the rate differs by more than request sizes could be compared. */
static bool judge(struct point *points, size_t n)
{
	double variances[SIZES], sorted[SIZES], least, best;
	struct moderate typical;

	for (size_t i = 0; i < n; i++) {
		double sd = stat_sd(points[i].s_per_byte, ROUNDS);

		points[i].mean = stat_mean(points[i].s_per_byte, ROUNDS);
		variances[i] = sorted[i] = fmax(pow(sd / points[i].mean, 2), 1e-10);
	}
	least = stat_median(sorted, n);
	if (moderate_fit(&typical, variances, n, ROUNDS - 1))
		return false;
	for (size_t i = 0; i < n; i++) {
		double variance =
			fmax(moderate_variance(&typical, variances[i], ROUNDS - 1), least);
		struct interval v = interval_student(
			1, sqrt(variance / ROUNDS), typical.dof + ROUNDS - 1, CONFIDENCE);

		points[i].rate =
			interval_of_logarithm(1 / points[i].mean, fmax(v.high - 1, FLOOR_RATIO));
	}
	best = best_rate(points, n);
	for (size_t i = 0; i < n; i++) {
		double rate = points[i].rate.value, half = points[i].rate.high / rate - 1;

		if (rate < SATURATED * best)
			points[i].rate = interval_of_logarithm(rate, fmax(half, FLOOR_SLOW));
	}
	return sqrt(stat_mean(variances, n)) <= SCATTER_MOST;
}

/* The smallest size that does read at the full rate. Not below the largest one tried that surely does
 * not: sizes between two that were tried were not tried. */
static struct interval saturating(const struct sequential *q, const struct point *points, size_t n)
{
	double enough = SATURATED * best_rate(points, n);
	struct interval at = {.high = points[n - 1].request};
	size_t lowest = n - 1;

	for (size_t i = n; i-- > 0;) {
		if (points[i].rate.high >= enough)
			lowest = i;
		if (points[i].rate.value >= enough)
			at.value = points[i].request;
		if (points[i].rate.low >= enough)
			at.high = points[i].request;
	}
	at.high = fmax(at.high, at.value);
	at.low = lowest ? points[lowest - 1].request : q->s.drive->info.logical_block_bytes;
	return at;
}

/* The last size tried is faster than all before it by more than SATURATED allows and chance explains. */
static bool still_rises(const struct point *points, size_t n)
{
	const struct interval *last = &points[n - 1].rate;

	for (size_t i = 0; i + 1 < n; i++)
		if (points[i].rate.value >= SATURATED * last->value ||
			points[i].rate.high >= last->value)
			return false;
	return true;
}

static void put_saturating(struct sequential *q, const struct point *points, size_t n, bool comparable)
{
	struct session *s = &q->s;
	static const char key[] = "sequential.saturating_request_bytes";
	char size[32];
	struct finding f;

	units_format_request(size, sizeof(size), points[n - 1].request);
	if (session_is_busy(s)) {
		session_put_busy(s, key);
		return;
	}
	if (!comparable) {
		doc_put_unknown(s->doc, key, s->method,
			"readings with one request size differ too much to compare sizes");
		return;
	}
	if (still_rises(points, n)) {
		doc_put_unknown(s->doc, key, s->method,
			"the rate is still rising at %s, the largest request tried", size);
		return;
	}
	f = session_finding(s, saturating(q, points, n), n * ROUNDS);
	f.how = HOW_DERIVED;
	f.to_bytes = q->wrapped ? s->scope->to_bytes : q->runs_end;
	f.depth = 1;
	doc_put(s->doc, key, &f);
}

int sequential_sweep(struct sequential *q, uint64_t budget_ns, double bytes_per_s)
{
	struct session *s = &q->s;
	struct point points[SIZES];
	bool comparable;
	size_t n;
	int status = read_points(q, budget_ns / (ROUNDS * SIZES), bytes_per_s, points, &n);

	if (status)
		return status;
	if (n < POINTS_MIN) {
		doc_put_unknown(s->doc, "sequential.saturating_request_bytes", s->method,
			"too few request sizes could be tried in the time there was");
		return 0;
	}
	comparable = judge(points, n) && !session_is_busy(s);
	for (size_t i = 0; i < n; i++) {
		const struct interval *rate = &points[i].rate;
		double row[4] = {points[i].request, rate->value, comparable ? rate->low : NAN,
			comparable ? rate->high : NAN};

		series_add(doc_series(s->doc, "sequential.rate_by_request"), row);
	}
	put_saturating(q, points, n, comparable);
	return 0;
}
