/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long the arm takes, apart from the rotation. The curve under the random reads says roughly;
 * trials that aim at a passing place sharpen it at a few distances, in and out; and a move that is
 * none tells what of it is not the arm's. Needs the rotation, the length of tracks and that curve
 * from the document. */
#include "probe/probe_table.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "probe/phase.h"
#include "probe/seek_inside.h"

#define TURNS_SHARE  0.3    /* of the budget, at most, for the moves next to none */
#define LEG_LEAST_S  0.3    /* of time for a distance; less: fewer distances */
#define TRIALS_MOST  16u    /* between two places, each way */
#define ROUGH_S      1.5e-3 /* width beyond which the way back tells something */
#define OVERTIME     0.8    /* of its time, more */
#define EDGE_PART    1.6    /* times the time of another distance: it is known least */
#define TRIALS_LEAST 3u
#define FIRST_PART   0.65   /* of a distance's time for its first pair of places */
#define TICK_MOST_S  50e-6
#define WIDTH_MOST_S 0.4e-3
#define HOST_LEAST_S 12e-6
#define FINE_S       0.07e-3 /* width that needs no more trials */
#define DOUBT_S      80e-6  /* of the curve, beside its own error */
#define EDGE         0.985  /* of the region: the longest move */

/* In the order of their weight, where there is no time for all. */
static const double shares[LEGS_MAX] = {EDGE, 1.0 / 3, 0.1, 0.65, 0.015, 0.2, 0.04, 0.5, 0.005};

/* What is between rows of a series, columns after the first being lines in the root of it. */
static double between(const struct series *s, double share, size_t column)
{
	size_t row = 1;
	const double *a, *b;
	double at;

	while (row + 1 < s->rows && s->values[row * s->columns] < share)
		row++;
	a = s->values + (row - 1) * s->columns;
	b = a + s->columns;
	at = (sqrt(share) - sqrt(a[0])) / (sqrt(b[0]) - sqrt(a[0]));
	return a[column] + (b[column] - a[column]) * fmin(fmax(at, 0), 1.2);
}

bool seek_expected(const struct seek *k, double share, double *time_s, double *se_s)
{
	const struct series *s = doc_find_series(k->s.doc, "access.curve");
	const struct finding *f = doc_find(k->s.doc, "access.mean_s");
	struct interval track;
	uint64_t middle = (k->s.scope->from_bytes + k->s.scope->to_bytes) / 2;

	if (!s || s->rows < 2 || !phase_track_bytes(k->s.doc, middle, &track))
		return false;
	*time_s = between(s, share, 1) -
		(f ? f->request_bytes : 4096) / track.value * k->period_s;
	*se_s = (between(s, share, 3) - between(s, share, 2)) / 3.92;
	return true;
}

static void init_aim(struct aim *a, const struct seek *k, double expected_s, double se_s)
{
	double scale = hypot(1.3 * se_s, DOUBT_S);
	double reach = fmin(fmax(0.12 * k->period_s + 0.3e-3, 4 * scale), 0.45 * k->period_s);

	aim_init(a, k, fmax(expected_s - reach, 0), expected_s + reach, expected_s, scale, true);
}

static double width(const struct aim *a, const struct seek *k)
{
	struct interval v = aim_interval(a, k);

	return v.high - v.low;
}

static bool enough(const struct seek *k, const struct pair *pair, unsigned n, double begun_s, double until_s)
{
	double wide = fmax(width(&pair->inward, k), width(&pair->outward, k));
	double over = wide < WIDTH_MOST_S ? 0 : OVERTIME * (until_s - begun_s);

	return n >= TRIALS_LEAST && (wide < FINE_S || seek_now(k) > until_s + over);
}

/* Trials from one place to the other and back, until until_s, or longer while they tell too little.
 * While little is known each way tells of the other, too. */
static int try_pair(
	struct seek *k, struct pair *pair, struct spot *low, struct spot *high, double until_s)
{
	double begun_s = seek_now(k);
	struct answer a;
	int status;

	spot_visit(low, k, 0, &a, &status);
	for (unsigned n = 0; n < TRIALS_MOST && !status && !seek_time_is_up(k); n++) {
		struct aim *in = &pair->inward, *out = &pair->outward;

		if (enough(k, pair, n, begun_s, until_s))
			break;
		status = aim_try(in, width(out, k) > ROUGH_S ? out : NULL, high, k);
		if (!status)
			status = aim_try(out, width(in, k) > ROUGH_S ? in : NULL, low, k);
	}
	return status;
}

/* Some move over about that share, from somewhere; another pair of about the same, if there is one,
 * says by how much the curve is wrong there. */
static int measure_pair(struct seek *k, struct pair *pair, const struct pair *other, double share,
	struct rng *rng, double until_s)
{
	const struct scope *scope = k->s.scope;
	double from = stroke_share(&k->stroke, (double)scope->from_bytes);
	double to = stroke_share(&k->stroke, (double)scope->to_bytes), at, se, centre;
	struct spot low, high;
	int status = 0;

	at = from + (to - from - share) * (0.1 + 0.8 * rng_uniform(rng));
	if (!spot_init(&low, k, stroke_offset(&k->stroke, at)) ||
		!spot_init(&high, k, stroke_offset(&k->stroke, at + share)))
		return 0;
	share = stroke_share(&k->stroke, (double)high.offset) -
		stroke_share(&k->stroke, (double)low.offset);
	if (!(share > 0) || !seek_expected(k, share, &pair->expected_s, &se))
		return 0;
	pair->share = share;
	centre = pair->expected_s;
	if (other && other->aimed) {
		centre += (aim_value(&other->inward, k) + aim_value(&other->outward, k)) / 2 -
			other->expected_s;
		se = fmin(se, hypot(width(&other->inward, k), width(&other->outward, k)) / 5.5);
	}
	init_aim(&pair->inward, k, centre, se);
	init_aim(&pair->outward, k, centre, se);
	status = try_pair(k, pair, &low, &high, until_s);
	pair->aimed = pair->inward.used >= TRIALS_LEAST && pair->outward.used >= TRIALS_LEAST &&
		fmax(width(&pair->inward, k), width(&pair->outward, k)) < WIDTH_MOST_S;
	return status;
}

/* Several pairs of places, each for its part of the time. */
static int measure_leg(struct seek *k, struct leg *leg, struct rng *rng, double until_s)
{
	double left_s = until_s - seek_now(k), sum = 0;
	int status = 0;

	while (leg->pairs_n < PAIRS_MAX && !status && !seek_time_is_up(k)) {
		struct pair *pair = &leg->pairs[leg->pairs_n];
		double end = leg->pairs_n ? until_s : until_s - (1 - FIRST_PART) * left_s;

		status = measure_pair(
			k, pair, leg->pairs_n ? pair - 1 : NULL, leg->share, rng, end);
		if (!(pair->share > 0))
			break;
		leg->aimed |= pair->aimed;
		sum += pair->share;
		leg->pairs_n++;
	}
	if (leg->pairs_n)
		leg->share = sum / (double)leg->pairs_n;
	return status;
}

/* The blur under which all trials together are likeliest. */
static void settle_blur(struct seek *k, const struct seek_findings *f)
{
	double evidence[BLURS] = {0};
	unsigned best = k->blur;

	for (size_t i = 0; i < f->legs_n; i++)
		for (size_t p = 0; p < f->legs[i].pairs_n; p++)
			for (unsigned b = 0; b < BLURS; b++) {
				const struct pair *pair = &f->legs[i].pairs[p];

				evidence[b] += threshold_evidence(&pair->inward.time[b]) +
					threshold_evidence(&pair->outward.time[b]);
			}
	for (unsigned b = 0; b < BLURS; b++)
		if (evidence[b] > evidence[best] + 1)
			best = b;
	k->blur = best;
}

static void sort_legs(struct seek_findings *f)
{
	for (size_t i = 1; i < f->legs_n; i++)
		for (size_t j = i; j && f->legs[j].share < f->legs[j - 1].share; j--) {
			struct leg leg = f->legs[j];

			f->legs[j] = f->legs[j - 1];
			f->legs[j - 1] = leg;
		}
}

double seek_span(const struct seek *k)
{
	return stroke_share(&k->stroke, (double)k->s.scope->to_bytes) -
		stroke_share(&k->stroke, (double)k->s.scope->from_bytes);
}

static int measure(struct seek *k, struct seek_findings *f)
{
	const struct scope *scope = k->s.scope;
	double span = seek_span(k);
	double end = (double)scope->budget_ns / 1e9;
	struct rng rng;
	int status;

	rng_init(&rng, scope->seed, 'k');
	k->until_ns = k->s.start_ns + (uint64_t)(TURNS_SHARE * (double)scope->budget_ns);
	status = seek_turns(k, &f->turns);
	k->until_ns = k->s.start_ns + scope->budget_ns;
	for (size_t i = 0; i < LEGS_MAX && !status && !seek_time_is_up(k); i++) {
		struct leg *leg = &f->legs[f->legs_n];
		double left = end - seek_now(k);
		double legs = fmin((double)(LEGS_MAX - i), fmax(floor(left / LEG_LEAST_S), 1));
		double part = i == 0 ? fmin(EDGE_PART, legs) : 1;

		*leg = (struct leg){.share = shares[i]};
		if (leg->share >= span)
			continue;
		status = measure_leg(k, leg, &rng, seek_now(k) + part * left / legs);
		f->legs_n += leg->pairs_n > 0;
	}
	settle_blur(k, f);
	sort_legs(f);
	return status;
}

/* What the document must hold; NULL: it does. */
static const char *missing(const struct seek *k)
{
	double time, se;

	if (!phase_known(k->s.doc))
		return "the time of a revolution is not known, so moves cannot be told from rotation";
	if (!seek_expected(k, 0.5, &time, &se))
		return "random reads show no curve that single moves could be measured from: the arm may be much "
			"slower one way than the other, or not be alone";
	if (doc_value(k->s.doc, "clock.tick_s") > TICK_MOST_S)
		return "reads end on a grid of time that is too coarse to aim by, as behind a USB "
		       "bridge";
	if (phase_step(k->s.doc) == 0)
		return "what is read near a place that was read comes from the cache";
	return NULL;
}

static void init(struct seek *k)
{
	const struct doc *doc = k->s.doc;
	struct interval period = {0};
	double skew = doc_value(doc, "track.skew_s"), hit = doc_value(doc, "clock.hit_s");
	double jitter = doc_value(doc, "clock.jitter_s");

	phase_period(doc, &period);
	k->period_s = period.value;
	k->blur = 1;
	k->unit = phase_unit(doc, &k->s.drive->info);
	k->by_tracks = phase_step(doc) > 0;
	k->skew_s = skew > 0 ? skew : 0;
	k->hit_s = hit > 0 ? hit : 0.2e-3;
	k->host_s = fmax(jitter > 0 ? 1.5 * jitter : 0, HOST_LEAST_S);
	k->hit_most_s = fmin(k->hit_s * 1.3 + 0.15e-3, k->hit_s + 0.15 * k->period_s);
}

int seek_run(struct drive *d, const struct scope *scope, struct doc *doc, struct err *e)
{
	struct seek k = {0};
	struct seek_findings *f = mem_zalloc(1, sizeof(*f));
	const char *why;
	int status = 0;

	session_start(&k.s, "seek", "seek/1", 1, d, scope, doc, e);
	stroke_init(&k.stroke, doc, d->info.size_bytes);
	init(&k);
	why = missing(&k);
	if (!why) {
		status = measure(&k, f);
		seek_put(&k, f);
	}
	if (status == 0)
		session_unknown(&k.s, "%s", why ? why : "there was not enough time for it");
	session_end(&k.s);
	stroke_release(&k.stroke);
	free(f);
	return status;
}
