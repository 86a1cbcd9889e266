/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long tracks are, from the first to the last, and how much later each begins than the one before
 * it ends: walks (track_walk.h) at pairs of places, the ends of the region first, then in between
 * as long as there is time. */
#include "probe/probe_table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "probe/phase.h"
#include "probe/phase_visits.h"
#include "probe/track_walk.h"
#include "stat/robust.h"

#define CAPACITY    (WALK_PLACES * WALK_STEPS_MOST)
#define PAIRS_MOST  64u
#define PAIRS_FIRST 5u     /* as many at least are wished for */
#define APART       0.009  /* of the region: the two places of a pair */
#define EDGE        0.005  /* of the region: the first and the last place */
#define STEPS       46u    /* not quite two tracks */
#define STEPS_LEAST 28u    /* more than one */
#define DIFFER_SHARE 0.5   /* of the skew */
#define SKEW_FLOOR  3e-6   /* s */
#define SEEK_GUESS  0.003  /* s */
#define TICK_TURNS  0.02   /* of a turn: a coarser grid of times hides the borders */

struct track {
	struct session s;
	struct rng rng;
	struct walk_plan plan;
	struct walk *walks;  /* PAIRS_MOST pairs, the good ones */
	size_t n, asked, hits;
};

/* Where pair i begins: both ends, the middle, and then ever finer between. */
static double pair_part(size_t i)
{
	double step = 1, at = 0;

	if (i == 0)
		return EDGE;
	if (i == 1)
		return 1 - EDGE - APART;
	for (size_t k = i - 1; k; k >>= 1) {
		step /= 2;
		at += (double)(k & 1) * step;
	}
	return EDGE + at * (1 - 2 * EDGE - APART);
}

/* Steps a walk may have so that the first pairs all get theirs. */
static size_t steps_for(const struct track *t)
{
	double each_s = t->plan.period_s.value / 2 + SEEK_GUESS;
	double reads = (double)t->s.scope->budget_ns * 0.95 / 1e9 / each_s;

	return (size_t)fmin(fmax(reads / (WALK_PLACES * PAIRS_FIRST), STEPS_LEAST), STEPS);
}

static int walk_all(struct track *t)
{
	struct session *s = &t->s;
	uint64_t longest_ns = 0;

	t->plan.steps = steps_for(t);
	t->plan.until_ns = s->start_ns + s->scope->budget_ns;
	for (size_t i = 0; i < PAIRS_MOST && session_left_ns(s) > longest_ns; i++) {
		uint64_t before_ns = drive_now_ns(s->drive), took_ns;
		struct walk_pair pair;
		int status;

		t->plan.part[0] = pair_part(i);
		t->plan.part[1] = t->plan.part[0] + APART;
		status = walk_pair(s, &t->rng, &t->plan, &pair);
		t->asked += pair.asked;
		t->hits += pair.hits;
		for (unsigned k = 0; k < WALK_PLACES; k++)
			if (pair.at[k].good)
				t->walks[t->n++] = pair.at[k];
		if (status || !pair.full)
			return status;
		took_ns = drive_now_ns(s->drive) - before_ns;
		longest_ns = took_ns > longest_ns ? took_ns : longest_ns;
	}
	return 0;
}

static int by_place(const void *a, const void *b)
{
	const struct walk *x = a, *y = b;

	return (x->from > y->from) - (x->from < y->from);
}

static double mean_jump(const struct walk *w)
{
	return w->jumps ? stat_mean(w->jump_s, w->jumps) : NAN;
}

static void put_series(struct track *t)
{
	struct series *series = doc_series(t->s.doc, "track.length");

	series->rows = 0;
	for (size_t i = 0; i < t->n; i++) {
		const struct walk *w = &t->walks[i];
		double row[] = {((double)w->from + (double)w->to) / 2, w->bytes.value, w->bytes.low,
			w->bytes.high, mean_jump(w)};

		series_add(series, row);
	}
}

/* The walk nearest to an end of the region speaks of it when it lies in that 1/50 of it. */
static void put_end(struct track *t, const char *key, const struct walk *w, const char *end)
{
	const struct scope *scope = t->s.scope;
	double region = (double)(scope->to_bytes - scope->from_bytes);
	double from = (double)(w->from - scope->from_bytes) / region;
	struct finding f;

	if (strcmp(end, "first") ? from < 0.97 : from > 0.03) {
		doc_put_unknown(t->s.doc, key, t->s.method,
			"no track could be followed in the %s 2 %% of the region", end);
		return;
	}
	f = session_finding(&t->s, w->bytes, w->points);
	f.from_bytes = w->from;
	f.to_bytes = w->to;
	f.request_bytes = t->plan.unit;
	f.depth = 1;
	doc_put(t->s.doc, key, &f);
}

/* The skew in the middle of all: where heads and cylinders differ, that of most tracks. */
static void put_skew(struct track *t)
{
	double *skew_s = mem_zalloc(t->n * STAIR_JUMPS_MAX + 1, sizeof(*skew_s));
	struct interval v;
	struct finding f;
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++)
		for (size_t k = 0; k < t->walks[i].jumps; k++)
			skew_s[n++] = t->walks[i].jump_s[k];
	stat_sort(skew_s, n);
	if (n == 0 || interval_quantile(skew_s, n, 0.5, CONFIDENCE, &v)) {
		doc_put_unknown(t->s.doc, "track.skew_s", t->s.method,
			"only %zu borders between tracks were met", n);
	} else if (v.high - v.low > DIFFER_SHARE * v.value) {
		doc_put_unknown(t->s.doc, "track.skew_s", t->s.method,
			"tracks begin later by different times: %.3g to %.3g ms", v.low * 1e3,
			v.high * 1e3);
	} else {
		v = interval_at_least(v, SKEW_FLOOR);
		f = session_finding(&t->s, v, n);
		f.request_bytes = t->plan.unit;
		f.depth = 1;
		session_put(&t->s, "track.skew_s", &f);
	}
	free(skew_s);
}

static void put(struct track *t)
{
	qsort(t->walks, t->n, sizeof(*t->walks), by_place);
	put_series(t);
	put_end(t, "track.outer_bytes", &t->walks[0], "first");
	put_end(t, "track.inner_bytes", &t->walks[t->n - 1], "last");
	put_skew(t);
}

static int measure(struct track *t)
{
	struct session *s = &t->s;
	int status;

	if (!phase_period(s->doc, &t->plan.period_s)) {
		session_unknown(s, "no rotation was found, so there is no track to follow");
		return 0;
	}
	t->plan.tick_s = fmax(0, doc_value(s->doc, "clock.tick_s")); /* 0 when not known */
	if (t->plan.tick_s > TICK_TURNS * t->plan.period_s.value) {
		session_unknown(s, "the ends of reads are only seen every %.3g ms, too coarse to "
			"follow a track", t->plan.tick_s * 1e3);
		return 0;
	}
	t->plan.unit = phase_unit(s->doc, &s->drive->info);
	t->plan.step_least = phase_step(s->doc);
	status = phase_fast_s(s, &t->plan.fast_s);
	if (!status)
		status = walk_all(t);
	if (t->n)
		put(t);
	if (status)
		return status;
	session_unknown(s, 2 * t->hits > t->asked
				   ? "the drive answered from its cache, so no track could be followed"
				   : "the places of reads followed no track");
	return 0;
}

int track_run(struct drive *d, const struct scope *scope, struct doc *doc, struct err *e)
{
	struct track t = {.n = 0};
	int status;

	rng_init(&t.rng, scope->seed, 't');
	session_start(&t.s, "track", "track/1", CAPACITY, d, scope, doc, e);
	t.walks = mem_zalloc(PAIRS_MOST * WALK_PLACES, sizeof(*t.walks));
	status = measure(&t);
	free(t.walks);
	session_end(&t.s);
	return status;
}
