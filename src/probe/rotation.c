/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The platter is a clock: a read ends when its last byte has passed the head, so the times at which
 * reads of a place end differ by whole turns. Two runs (rotation_run.h) at different places must
 * agree; then all their visits are fitted together. Anything else is told as what it is: no
 * medium, no beat, a beat that no track makes, a cache that hides it. */
#include "probe/probe_table.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "probe/phase.h"
#include "probe/rotation_put.h"
#include "probe/rotation_run.h"
#include "stat/distribution.h"

#define CAPACITY   768u
#define RUNS_MOST  5u
#define AGREE      400e-6 /* of the period */
#define TICK_MOST  300e-6 /* s */
#define UNITS_LEAST 512u  /* in the region */
#define LEFT_LIGHT  0.58   /* of the budget: with less left a run makes do with fewer visits */
#define TICK_ERROR  0.5    /* of a tick: what both ends of the baseline may be off by */
#define OLD_BLOCK  4096u  /* what a drive may work in though it says 512 */

struct rotation {
	struct session s;
	struct rng rng;
	uint32_t unit;
	double fast_s, tick_s;
	size_t manner;        /* index of those below */
	struct run *runs;     /* RUNS_MOST */
	unsigned runs_n;      /* made */
	unsigned good[2];     /* the two that agree */
	bool agreed;
};

static const double parts[RUNS_MOST] = {0.05, 0.50, 0.28, 0.72, 0.90};

/* Backwards first: that defeats read-ahead; forwards for drives that keep what passes before. */
static struct manner manner_of(const struct rotation *r, size_t i)
{
	static const struct manner manners[] = {{-1, 0}, {0, 0}, {0, 0.03}, {0, 0.06}, {0, 0.12}};
	struct manner m = manners[i];

	if (i == 1)
		m.units = -(int)(r->unit < OLD_BLOCK ? OLD_BLOCK / r->unit : 2);
	return m;
}
#define MANNERS 5u

static struct run_plan plan_of(const struct rotation *r)
{
	struct run_plan plan = {
		.unit = r->unit,
		.fast_s = r->fast_s,
		.tick_s = r->tick_s,
		.part = parts[r->runs_n],
		.manner = manner_of(r, r->manner),
		.small = 6,
		.large = 5,
		.last = 2,
		.until_ns = r->s.start_ns + r->s.scope->budget_ns,
	};

	for (unsigned i = 0; i < r->runs_n; i++)
		if (r->runs[i].outcome == RUN_GOOD)
			plan.period_s = r->runs[i].fit.period_s;
	if (r->s.scope->effort == EFFORT_QUICK ||
		(double)session_left_ns(&r->s) < LEFT_LIGHT * (double)r->s.scope->budget_ns) {
		plan.small = 5;
		plan.large = 4;
		plan.last = 1;
	}
	return plan;
}

/* Whether the last run agrees with an earlier one. */
static bool agrees(struct rotation *r)
{
	const struct run *last = &r->runs[r->runs_n - 1];

	if (last->outcome != RUN_GOOD)
		return false;
	for (unsigned i = 0; i + 1 < r->runs_n; i++) {
		const struct run *other = &r->runs[i];

		if (other->outcome != RUN_GOOD ||
			fabs(other->fit.period_s / last->fit.period_s - 1) > AGREE)
			continue;
		r->good[0] = i;
		r->good[1] = r->runs_n - 1;
		return true;
	}
	return false;
}

/* Makes runs until two agree, or none can be expected to. */
static int make_runs(struct rotation *r)
{
	while (r->runs_n < RUNS_MOST && !r->agreed) {
		struct run_plan plan = plan_of(r);
		struct run *run = &r->runs[r->runs_n];
		int status = rotation_attempt(&r->s, &r->rng, &plan, run);

		if (status)
			return status;
		if (run->outcome == RUN_CACHED && r->manner + 1 < MANNERS) {
			r->manner++;
			continue;
		}
		r->runs_n++;
		if (run->outcome == RUN_SHORT || run->outcome == RUN_CACHED)
			break;
		r->agreed = agrees(r);
		if (r->runs_n == 3 && run->outcome != RUN_GOOD &&
			r->runs[0].outcome != RUN_GOOD && r->runs[1].outcome != RUN_GOOD)
			break;
	}
	return 0;
}

/* The visits of the two runs, each with the shift its own fit makes of it. */
static void collect(const struct rotation *r, struct visits *v)
{
	for (unsigned k = 0; k < 2; k++) {
		const struct run *run = &r->runs[r->good[k]];

		for (size_t i = 0; i < run->n; i++)
			visits_add(v, &(struct visit){
				.run = k,
				.anchor = run->rows[i].anchor,
				.offset = run->offset[i],
				.shift_s = run->rows[i].shift_s *
					run->fit.scale[run->rows[i].anchor],
				.done_s = run->rows[i].time_s,
			});
	}
}

static struct interval period_of(const struct rotation *r, const struct period_fit *fit)
{
	double half = stat_student_quantile(0.5 + CONFIDENCE / 2, (double)fit->dof) * fit->se_s;
	double apart = fabs(r->runs[r->good[0]].fit.period_s - r->runs[r->good[1]].fit.period_s);
	double sway = fmax(SWAY_RATIO * fit->period_s, apart);
	double span_s = r->runs[r->good[1]].rows[0].time_s - r->runs[r->good[0]].rows[0].time_s;
	double tick = TICK_ERROR * r->tick_s * fit->period_s / span_s;

	return interval_around(fit->period_s, sqrt(half * half + sway * sway + tick * tick));
}

static void put(struct rotation *r)
{
	struct period_belief belief = {.scale_sd = 0.1};
	struct period_row *rows = mem_zalloc(2 * RUN_VISITS_MAX, sizeof(*rows));
	struct period_guess guess = {.scale = 1, .unsure = AGREE};
	struct period_fit fit;
	struct visits v;
	size_t n;

	visits_init(&v);
	collect(r, &v);
	n = visits_rows(&v, rows, NULL);
	guess.period_s = (r->runs[r->good[0]].fit.period_s + r->runs[r->good[1]].fit.period_s) / 2;
	belief.step = rotation_step_turns(r->tick_s, guess.period_s);
	if (period_fit(rows, n, &guess, &belief, &fit, NULL) == 0) {
		rotation_put(&r->s, period_of(r, &fit), fit.used, r->unit);
		visits_save(&v, r->s.doc);
		doc_put_unknown(r->s.doc, "rotation.drift_ratio", r->s.method,
			"the speed was only measured once");
	}
	visits_release(&v);
	free(rows);
}

/* Why no two runs agreed: the outcome that says most. */
static void say_why(const struct rotation *r)
{
	size_t seen[RUN_SHORT + 1] = {0}, fast = 0, tried = 0;

	for (unsigned i = 0; i < r->runs_n; i++) {
		seen[r->runs[i].outcome]++;
		fast += r->runs[i].fast;
		tried += r->runs[i].tried;
	}
	if (seen[RUN_CACHED])
		session_unknown(&r->s, "whichever way places next to each other were visited, they were "
			"answered too soon to time a platter by: a cache hides it, or there is none");
	else if (seen[RUN_PLACELESS])
		session_unknown(&r->s, "no rotation seen: reads end on a regular beat, but it does "
			"not move with the place that is read, as it would on a platter");
	else if (seen[RUN_FAST])
		session_unknown(&r->s, "no rotation seen: %zu of %zu reads at fresh places were "
			"answered too soon to have come from a medium that turns", fast, tried);
	else if (seen[RUN_INCOHERENT])
		session_unknown(&r->s, "no rotation seen: the times at which reads ended follow no "
			"period between 3500 and 16500 rpm");
	else if (seen[RUN_GOOD] > 1)
		session_unknown(&r->s, "the speed differed from one measurement to the next");
	else
		session_unknown(&r->s, "there was no time for two measurements that agree: a longer "
			"run makes them");
}

static int measure(struct rotation *r)
{
	struct session *s = &r->s;
	int status;

	rotation_put_reported(s);
	if ((s->scope->to_bytes - s->scope->from_bytes) / r->unit < UNITS_LEAST) {
		session_unknown(s, "the region is too small: reads of %u different blocks are needed",
			UNITS_LEAST);
		return 0;
	}
	r->tick_s = fmax(0, doc_value(s->doc, "clock.tick_s")); /* 0 when not known */
	if (r->tick_s > TICK_MOST) {
		session_unknown(s, "the ends of reads are only seen every %.3g ms, too coarse to time "
			"a platter", r->tick_s * 1e3);
		return 0;
	}
	status = phase_fast_s(s, &r->fast_s);
	if (!status)
		status = make_runs(r);
	if (status)
		return status;
	if (r->agreed)
		put(r);
	else
		say_why(r);
	return 0;
}

int rotation_run(struct drive *d, const struct scope *scope, struct doc *doc, struct err *e)
{
	struct rotation r = {.manner = 0};
	int status;

	rng_init(&r.rng, scope->seed, 'r');
	session_start(&r.s, "rotation", "rotation/1", CAPACITY, d, scope, doc, e);
	r.unit = phase_unit(doc, &d->info);
	r.runs = mem_zalloc(RUNS_MOST, sizeof(*r.runs));
	status = measure(&r);
	free(r.runs);
	session_end(&r.s);
	return status;
}
