/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The same places again and again while the other probes run, one visit each time: over so many turns
 * the mean speed is known a hundred times better, and whether it stayed the same. A visit goes one
 * step further than the one before, where that is never in the cache; else it reads the same place,
 * which long since is not. What came too soon for the medium is not a visit. */
#include "probe/probe_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "probe/phase.h"
#include "probe/phase_visits.h"
#include "probe/rotation_put.h"
#include "stat/long_period.h"

#define PLACES      8u
#define FIRST_RUN   100u  /* in the list of visits: those before are rotation's */
#define ROWS_LEAST  2u
#define AWAY_TRACKS 6.0   /* from where tracks were followed */
#define STEADY      100e-6 /* beyond it the speed has no mean worth more than the short one */
#define LEAST_S     10e-6
#define LEAST_RATIO 3e-6  /* of the period: half-width */
#define DOUBT_RATIO 60e-6 /* what the long mean may differ by from the short one, beside its interval */

struct spindle {
	struct session s;
	struct visits visits;
	struct interval period;
	double fast_s;
	uint32_t unit;
	bool same;     /* places are read again as they were */
	unsigned look; /* this one */
};

/* Where place a is, and the length of its track; false: no track is known there. */
static bool place_of(const struct spindle *p, unsigned a, uint64_t *offset, double *track_bytes)
{
	const struct series *s = doc_find_series(p->s.doc, "track.length");
	const struct scope *scope = p->s.scope;
	const double *row;
	double at, away;

	if (!s || s->rows < ROWS_LEAST)
		return false;
	row = s->values + a * (s->rows - 1) / (PLACES - 1) * s->columns;
	away = (AWAY_TRACKS + 3 * a) * row[1]; /* several may be beside one walk */
	at = row[0] + away;
	if (at + 2 * row[1] > (double)scope->to_bytes)
		at = row[0] - away;
	if (at < (double)scope->from_bytes + 2 * row[1])
		return false;
	*offset = (uint64_t)at / p->unit * p->unit;
	*track_bytes = row[1];
	return true;
}

static bool is_ours(const struct visit *v)
{
	return v->run >= FIRST_RUN;
}

static uint64_t steps_before(const struct spindle *p, unsigned a)
{
	uint64_t n = 0;

	for (size_t i = 0; i < p->visits.n; i++)
		n += is_ours(&p->visits.at[i]) && p->visits.at[i].anchor == a;
	return p->same ? 0 : n;
}

/* One visit to each place, in random order. */
static int visit_all(struct spindle *p)
{
	uint64_t order[PLACES], first, steps;
	struct session *s = &p->s;
	struct rng rng;
	int status = 0;

	rng_init(&rng, s->scope->seed + p->look, 'n');
	for (unsigned i = 0; i < PLACES; i++)
		order[i] = i;
	rng_shuffle(&rng, order, PLACES);
	for (unsigned i = 0; i < PLACES && !status; i++) {
		struct io *io = &s->ios[0];
		double track;

		if (!place_of(p, (unsigned)order[i], &first, &track))
			continue;
		steps = steps_before(p, (unsigned)order[i]);
		*io = (struct io){.offset = first - steps * p->unit, .length = p->unit};
		status = session_run(s, 1, 1, 0);
		if (status || io->error || (double)(io->done_ns - io->sent_ns) / 1e9 < p->fast_s)
			continue;
		visits_add(&p->visits,
			&(struct visit){FIRST_RUN + p->look, (unsigned)order[i], io->offset,
				-(double)steps * p->unit / track * p->period.value,
				(double)io->done_ns / 1e9});
	}
	return status;
}

static int fit(const struct spindle *p, struct long_period *f)
{
	struct long_look *looks = mem_zalloc(p->visits.n + 1, sizeof(*looks));
	size_t n = 0;
	int status;

	for (size_t i = 0; i < p->visits.n; i++) {
		const struct visit *v = &p->visits.at[i];

		if (is_ours(v) && v->anchor < PLACES)
			looks[n++] = (struct long_look){v->run - FIRST_RUN, v->anchor, v->done_s,
				v->shift_s / p->period.value};
	}
	status = long_period_fit(looks, n, p->period.value, LEAST_S, f);
	free(looks);
	return status;
}

static void put_drift(struct spindle *p, const struct long_period *f)
{
	double half = 1.96 * f->drift_se;
	struct finding finding = session_finding(&p->s,
		(struct interval){f->drift, fmax(0, f->drift - 2 * half), f->drift + half},
		f->stretches);

	finding.request_bytes = p->unit;
	finding.depth = 1;
	doc_put(p->s.doc, "rotation.drift_ratio", &finding);
}

static void put(struct spindle *p, const struct long_period *f)
{
	double within = 3 * interval_half(p->period) + DOUBT_RATIO * p->period.value;
	double sway = isnan(f->drift) ? SWAY_RATIO : f->drift / sqrt((double)f->stretches);
	double half = hypot(1.96 * f->se_s, sway / 2 * f->period_s);

	if (fabs(f->period_s - p->period.value) > within)
		return; /* turns were miscounted */
	if (!isnan(f->drift))
		put_drift(p, f);
	if (f->drift <= STEADY)
		rotation_put(&p->s,
			interval_at_least(interval_around(f->period_s, half),
				LEAST_RATIO * f->period_s),
			f->stretches * PLACES, p->unit);
}

static int measure(struct spindle *p)
{
	struct long_period f;
	int status = phase_fast_s(&p->s, &p->fast_s);

	for (size_t i = 0; i < p->visits.n; i++)
		if (is_ours(&p->visits.at[i]))
			p->look = p->visits.at[i].run - FIRST_RUN + 1;
	p->unit = phase_unit(p->s.doc, &p->s.drive->info);
	p->same = phase_step(p->s.doc) > 0;
	if (!status)
		status = visit_all(p);
	visits_save(&p->visits, p->s.doc);
	if (fit(p, &f) == 0)
		put(p, &f);
	return status;
}

/* Several arms read, each perhaps over a spindle of its own: their phases are not one. */
static bool is_several(const struct doc *doc)
{
	const struct finding *kind = doc_find(doc, "class.kind");

	return kind && kind->text && strcmp(kind->text, "several_actuators") == 0;
}

int spindle_run(struct drive *d, const struct scope *scope, struct doc *doc, struct err *e)
{
	struct spindle p = {0};
	int status = 0;

	session_start(&p.s, "spindle", "spindle/1", 1, d, scope, doc, e);
	visits_init(&p.visits);
	visits_load(&p.visits, doc);
	if (phase_period(doc, &p.period) && !is_several(doc))
		status = measure(&p);
	visits_release(&p.visits);
	session_end(&p.s);
	return status;
}
