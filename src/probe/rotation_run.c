/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random order makes the numbers of turns between two visits of a place differ, so that neither half
 * nor twice the period fits; each visit is a seek, which ends the read-ahead of the one before, and
 * each step leads to a block that no read before has brought into the drive's cache. Shifts are
 * reckoned in time, by a short stream's rate: so much later passes a place so many bytes further. */
#include "probe/rotation_run.h"

#include <errno.h>
#include <math.h>

#include "stat/robust.h"

#define SPREAD        0.01    /* of the region: the anchors of a run */
#define TRIES         8u      /* places for an anchor */
#define TRIES_NEAR    4u      /* of them where the run belongs */
#define FAST_PLACE_S  0.0005  /* sooner than this no fresh place is read, but for few on fast drives */
#define STREAM_S      0.09
#define STREAM_BYTES  65536u
#define STREAM_APART  (16u << 20) /* bytes from an anchor, at most */
#define SKEW_SHARE    1.12    /* the medium is this much faster than a stream: skews */
#define PERIOD_USUAL  0.00833 /* s */
#define LARGE_TURNS   0.05    /* of a turn: the large steps */
#define HITS_MOST     0.35    /* share of visits answered from the cache */
#define COHERENT      0.55
#define SUPPORT       0.6
#define USED          0.7
#define RESIDUAL      0.02    /* of a turn */
#define STEP_TURNS    0.012   /* jumps that split an anchor */
#define STEP_TICKS    1.6
#define SCALE_SD      0.3
#define CLEAR         5.0     /* standard errors */
#define RHO_LEAST     0.05
#define RHO_MOST      4.0

static bool in_region(const struct session *s, uint64_t at, uint32_t length)
{
	return at >= s->scope->from_bytes && at + length <= s->scope->to_bytes;
}

/* A whole unit at the share of the region. */
static uint64_t place_at(const struct session *s, const struct run_plan *plan, double share)
{
	uint64_t region = s->scope->to_bytes - s->scope->from_bytes, at;

	at = s->scope->from_bytes + (uint64_t)(share * (double)(region - plan->unit));
	at += (plan->unit - at % plan->unit) % plan->unit;
	while (at + plan->unit > s->scope->to_bytes)
		at -= plan->unit;
	return at;
}

static void add_row(struct run *run, unsigned j, const struct io *io)
{
	struct anchor *a = &run->anchors[j];

	a->visits++;
	if (run->n == RUN_VISITS_MAX)
		return;
	run->offset[run->n] = io->offset;
	run->rows[run->n++] = (struct period_row){
		.time_s = (double)io->done_ns / 1e9,
		.shift_s = ((double)io->offset - (double)a->first) * run->seconds_a_byte,
		.anchor = j,
	};
}

static double latency_s(const struct io *io)
{
	return (double)(io->done_ns - io->sent_ns) / 1e9;
}

/* A fresh place that is read from the medium; the read is the anchor's first visit. */
static int choose_anchor(struct session *s, struct rng *rng, const struct run_plan *plan,
	struct run *run, unsigned j, bool *found)
{
	*found = false;
	for (unsigned k = 0; k < TRIES && !*found; k++) {
		double part = k < TRIES_NEAR ? plan->part + SPREAD * (j + rng_uniform(rng)) / RUN_ANCHORS
					     : 0.02 + 0.95 * rng_uniform(rng);
		uint64_t at = place_at(s, plan, part);
		int status;

		s->ios[0] = (struct io){.offset = at, .length = plan->unit};
		status = session_run(s, 1, 1, plan->until_ns);
		if (status || s->ios[0].error == -ECANCELED)
			return status;
		if (s->ios[0].error)
			continue;
		run->tried++;
		if (latency_s(&s->ios[0]) < fmax(plan->fast_s, FAST_PLACE_S)) {
			run->fast++;
			continue;
		}
		run->anchors[j] = (struct anchor){.first = at, .at = at};
		add_row(run, j, &s->ios[0]);
		*found = true;
	}
	return 0;
}

static int choose_anchors(struct session *s, struct rng *rng, const struct run_plan *plan,
	struct run *run, bool *found)
{
	int status = 0;

	*found = true;
	for (unsigned j = 0; j < RUN_ANCHORS && *found && !status; j++)
		status = choose_anchor(s, rng, plan, run, j, found);
	return status;
}

/* How fast the medium passes there, by a short stream a little behind the first anchor. */
static int measure_rate(struct session *s, const struct run_plan *plan, struct run *run)
{
	uint64_t region = s->scope->to_bytes - s->scope->from_bytes;
	uint64_t apart = region / 600 < STREAM_APART ? region / 600 : STREAM_APART;
	uint64_t from = run->anchors[0].at + apart - apart % plan->unit;
	uint64_t until_ns = drive_now_ns(s->drive) + (uint64_t)(STREAM_S * 1e9);
	size_t n;
	int status;

	if (!in_region(s, from, 2 * STREAM_BYTES))
		from = s->scope->from_bytes;
	status = session_stream(s, from, s->scope->to_bytes, STREAM_BYTES, until_ns, &n);
	run->bytes_per_s = stretch_bytes_per_s(stretch_of(s->ios, n, 1));
	run->seconds_a_byte = run->bytes_per_s > 0 ? 1 / (SKEW_SHARE * run->bytes_per_s) : 0;
	return status;
}

/* Bytes to the next place of an anchor. */
static int64_t step_bytes(const struct run_plan *plan, const struct run *run, bool large)
{
	double turns = large ? fmax(LARGE_TURNS, plan->manner.share) : plan->manner.share;
	double period_s = run->guess.period_s > 0 ? run->guess.period_s
			  : plan->period_s > 0	  ? plan->period_s
						  : PERIOD_USUAL;
	double units = turns * period_s / run->seconds_a_byte / plan->unit;
	int64_t step = (int64_t)fmax(floor(units + 0.5), 1) * plan->unit;

	if (plan->manner.units && !large)
		return (int64_t)plan->manner.units * plan->unit;
	return plan->manner.units < 0 ? -step : step;
}

/* Each anchor `times` times, in random order, none twice running where that can be had. */
static size_t draw_order(struct rng *rng, unsigned times, uint64_t *order)
{
	size_t n = (size_t)times * RUN_ANCHORS;

	for (size_t i = 0; i < n; i++)
		order[i] = i % RUN_ANCHORS;
	rng_shuffle(rng, order, n);
	for (size_t i = 1; i < n; i++)
		for (size_t k = 0; k < n && order[i] == order[i - 1]; k++) {
			size_t other = (i + 1 + k) % n;
			uint64_t kept = order[other];

			if (kept == order[i])
				continue;
			order[other] = order[i];
			order[i] = kept;
		}
	return n;
}

/* Visits every anchor `times` times. *full: all were made. */
static int visit(struct session *s, struct rng *rng, const struct run_plan *plan, struct run *run,
	unsigned times, bool large, bool *full)
{
	uint64_t order[RUN_BATCH], who[RUN_BATCH];
	size_t n = draw_order(rng, times, order), planned = 0;
	int status;

	*full = true;
	for (size_t i = 0; i < n; i++) {
		struct anchor *a = &run->anchors[order[i]];
		uint64_t at = (uint64_t)((int64_t)a->at + step_bytes(plan, run, large));

		if (!in_region(s, at, plan->unit))
			continue;
		a->at = at;
		who[planned] = order[i];
		s->ios[planned++] = (struct io){.offset = at, .length = plan->unit};
	}
	if (!planned)
		return 0;
	status = session_run(s, planned, 1, plan->until_ns);
	for (size_t i = 0; i < planned; i++) {
		*full &= s->ios[i].error != -ECANCELED;
		if (s->ios[i].error)
			continue;
		run->asked++;
		if (latency_s(&s->ios[i]) < plan->fast_s)
			run->hits++;
		else
			add_row(run, (unsigned)who[i], &s->ios[i]);
	}
	return status;
}

static bool mostly_cached(const struct run *run)
{
	return (double)run->hits > HITS_MOST * (double)run->asked;
}

static bool find_period(struct run *run)
{
	return period_search(run->rows, run->n, PERIOD_SHORTEST_S, PERIOD_LONGEST_S, &run->guess) ==
		       0 &&
	       run->guess.coherence > fmax(COHERENT, run->guess.chance);
}

double rotation_step_turns(double tick_s, double period_s)
{
	return fmax(STEP_TURNS, STEP_TICKS * tick_s / period_s);
}

/* The whole run at once. */
static bool fit_all(const struct run_plan *plan, struct run *run)
{
	struct period_belief belief = {.scale_sd = SCALE_SD,
		.step = rotation_step_turns(plan->tick_s, run->guess.period_s)};
	double sorted[RUN_ANCHORS];

	period_scan_scale(run->rows, run->n, &run->guess);
	if (period_fit(run->rows, run->n, &run->guess, &belief, &run->fit, NULL))
		return false;
	run->clear = 0;
	for (unsigned j = 0; j < RUN_ANCHORS; j++) {
		sorted[j] = run->fit.scale[j] / SKEW_SHARE;
		run->clear += run->fit.scale[j] > CLEAR * run->fit.scale_se[j];
	}
	run->rho = stat_median(sorted, RUN_ANCHORS);
	return run->fit.support >= SUPPORT &&
	       (double)run->fit.used >= USED * (double)run->fit.rows &&
	       run->fit.residual_s < RESIDUAL * run->fit.period_s &&
	       run->fit.period_s > PERIOD_SHORTEST_S && run->fit.period_s < PERIOD_LONGEST_S;
}

static bool moves_with_place(const struct run *run)
{
	return run->rho > RHO_LEAST && run->rho < RHO_MOST && 2 * run->clear > RUN_ANCHORS;
}

/* What follows the choice of the anchors. */
static int visit_all(
	struct session *s, struct rng *rng, const struct run_plan *plan, struct run *run)
{
	bool full;
	int status = visit(s, rng, plan, run, 2, false, &full);

	run->outcome = RUN_CACHED;
	if (status || mostly_cached(run))
		return status;
	status = visit(s, rng, plan, run, plan->small - 2, false, &full);
	if (status || mostly_cached(run))
		return status;
	run->outcome = full ? RUN_INCOHERENT : RUN_SHORT;
	if (!full || !find_period(run))
		return 0;
	status = visit(s, rng, plan, run, plan->large, true, &full);
	if (!status && full && plan->last)
		status = visit(s, rng, plan, run, plan->last, false, &full);
	if (status)
		return status;
	if (!full)
		run->outcome = RUN_SHORT;
	else if (mostly_cached(run))
		run->outcome = RUN_CACHED;
	else if (fit_all(plan, run))
		run->outcome = moves_with_place(run) ? RUN_GOOD : RUN_PLACELESS;
	return 0;
}

int rotation_attempt(struct session *s, struct rng *rng, const struct run_plan *plan, struct run *run)
{
	bool found;
	int status;

	*run = (struct run){.outcome = RUN_FAST, .rho = NAN};
	status = choose_anchors(s, rng, plan, run, &found);
	if (status || !found) {
		if (drive_now_ns(s->drive) >= plan->until_ns)
			run->outcome = RUN_SHORT;
		return status;
	}
	status = measure_rate(s, plan, run);
	run->outcome = RUN_SHORT;
	if (status || !(run->seconds_a_byte > 0))
		return status;
	return visit_all(s, rng, plan, run);
}
