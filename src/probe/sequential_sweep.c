/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the rate depends on the size of the requests. All sizes take turns, ROUNDS times over, each time
 * on fresh ground, so that what differs from place to place and from moment to moment is in every
 * point's scatter. Four short pieces cannot tell their scatter well: the sizes borrow from each other
 * (stat/moderate.h). A size that is too slow for its share of the time is left out. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "probe/sequential_pieces.h"
#include "stat/moderate.h"
#include "stat/robust.h"

#define SIZE_FIRST  (4u << 10)
#define SIZES       11u  /* to 4 MiB */
#define ROUNDS      4u
#define STRETCH     3    /* a large request may take that much longer than its share */
#define SATURATED   0.98 /* of the best rate */
#define FLOOR_RATIO 0.001
#define POINTS_MIN  3u

struct point {
	uint32_t request;
	double s_per_byte[ROUNDS];
	size_t rounds;
	double mean, relative_variance; /* of s_per_byte; the variance of one round */
	struct interval rate;
};

static bool is_possible(const struct sequential *q, uint32_t request, uint64_t each_ns,
	double bytes_per_s)
{
	const struct scope *scope = q->s.scope;

	return request % q->s.drive->info.logical_block_bytes == 0 &&
		(scope->to_bytes - scope->from_bytes) / request >= 4 * ROUNDS &&
		request / bytes_per_s * 1e9 <= STRETCH * (double)each_ns;
}

/* Fills points; *n of them were read in every round. */
static int read_points(struct sequential *q, uint64_t each_ns, double bytes_per_s,
	struct point *points, size_t *n)
{
	memset(points, 0, SIZES * sizeof(*points));
	for (size_t round = 0; round < ROUNDS; round++) {
		for (unsigned i = 0; i < SIZES; i++) {
			struct point *p = &points[i];
			struct stretch t;
			size_t planned;
			int status;

			p->request = SIZE_FIRST << i;
			if (!is_possible(q, p->request, each_ns, bytes_per_s))
				continue;
			/* time for one read to get there and at least one more */
			status = sequential_piece(q, p->request, (uint64_t)fmax((double)each_ns,
				1.2 * p->request / bytes_per_s * 1e9), 1, &t, &planned);
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

static void judge(struct point *points, size_t n)
{
	double variances[SIZES];
	struct moderate typical;

	for (size_t i = 0; i < n; i++) {
		double sd = stat_sd(points[i].s_per_byte, ROUNDS);

		points[i].mean = stat_mean(points[i].s_per_byte, ROUNDS);
		points[i].relative_variance = fmax(pow(sd / points[i].mean, 2), 1e-10);
		variances[i] = points[i].relative_variance;
	}
	if (moderate_fit(&typical, variances, n, ROUNDS - 1))
		return;
	for (size_t i = 0; i < n; i++) {
		struct point *p = &points[i];
		double variance = moderate_variance(&typical, p->relative_variance, ROUNDS - 1);
		struct interval v = interval_student(1, sqrt(variance / ROUNDS),
			typical.dof + ROUNDS - 1, CONFIDENCE);

		p->rate = interval_of_logarithm(1 / p->mean, fmax(v.high - 1, FLOOR_RATIO));
	}
}

/* The full rate: the mean of all that are as good as the best, which alone would be the luckiest. */
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

/* The smallest size that may, does and surely does read at the full rate. */
static struct interval saturating(const struct point *points, size_t n)
{
	double enough = SATURATED * best_rate(points, n);
	struct interval at = {.high = points[n - 1].request};

	for (size_t i = n; i-- > 0; ) {
		if (points[i].rate.high >= enough)
			at.low = points[i].request;
		if (points[i].rate.value >= enough)
			at.value = points[i].request;
		if (points[i].rate.low >= enough)
			at.high = points[i].request;
	}
	at.high = fmax(at.high, at.value);
	return at;
}

int sequential_sweep(struct sequential *q, uint64_t budget_ns, double bytes_per_s)
{
	struct session *s = &q->s;
	struct point points[SIZES];
	struct finding f;
	size_t n;
	int status = read_points(q, budget_ns / (ROUNDS * SIZES), bytes_per_s, points, &n);

	if (status)
		return status;
	if (n < POINTS_MIN) {
		doc_put_unknown(s->doc, "sequential.saturating_request_bytes", s->method,
			"too few request sizes could be tried in the time there was");
		return 0;
	}
	judge(points, n);
	for (size_t i = 0; i < n; i++) {
		const struct interval *rate = &points[i].rate;
		double row[4] = {points[i].request, rate->value, rate->low, rate->high};

		series_add(doc_series(s->doc, "sequential.rate_by_request"), row);
	}
	f = session_finding(s, saturating(points, n), n * ROUNDS);
	f.how = HOW_DERIVED;
	f.to_bytes = q->wrapped ? s->scope->to_bytes : q->runs_end;
	f.depth = 1;
	doc_put(s->doc, "sequential.saturating_request_bytes", &f);
	return 0;
}
