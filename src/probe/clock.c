/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What times are worth here. At random places a small read is made and at once made again: where the
 * first takes several times as long, the others are answers that need no medium, and tell the path
 * from the drive to the clock. More re-reads after chance waits, and the first reads, show whether
 * completions are only seen on a grid. */
#include "probe/probe_table.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "probe/clock_line.h"
#include "stat/robust.h"
#include "stat/tick.h"

#define AT_ONCE       5u /* re-reads of a place, */
#define LATER         4u /* and those after a wait */
#define PLACE_READS   (1 + AT_ONCE + LATER)
#define PLACES_MOST   64u
#define PLACES_SHARE  0.6 /* of the budget; the rest is the interface's */
#define WAIT_LEAST_NS 1000000.0
#define WAIT_MOST_NS  30000000.0
#define CONTRAST      3.0   /* first read to re-read, where there is a memory */
#define FAST_S        0.002 /* without that contrast: no revolution is so short, */
#define STEADY        0.3   /* nor so even: half of the re-reads within this of their median */
#define LEAST         16u
#define FLOOR_S       2e-7
#define TICK_FROM_S   0.0001
#define TICK_TO_S     0.02

struct clock_probe {
	struct clock_places c;
	double *first_s, *again_s, *gap_s, *first_gap_s;
	size_t firsts, agains, gaps, first_gaps;
	uint64_t *stamps;
	size_t stamps_n;
	double wait_ns;
	uint64_t last_first_ns; /* when the first read of the place before was done; 0: it failed */
};

static double latency_s(const struct io *io)
{
	return (double)(io->done_ns - io->sent_ns) / 1e9;
}

static void keep_stamps(struct clock_probe *p, const struct io *io)
{
	p->stamps[p->stamps_n++] = io->sent_ns;
	p->stamps[p->stamps_n++] = io->done_ns;
}

static void keep(struct clock_probe *p)
{
	const struct io *ios = p->c.s.ios;

	if (ios[0].error == 0) {
		p->first_s[p->firsts++] = latency_s(&ios[0]);
		if (p->last_first_ns)
			p->first_gap_s[p->first_gaps++] =
				(double)(ios[0].done_ns - p->last_first_ns) / 1e9;
	}
	p->last_first_ns = ios[0].error ? 0 : ios[0].done_ns;
	for (size_t i = 0; i < PLACE_READS; i++) {
		if (ios[i].error)
			continue;
		keep_stamps(p, &ios[i]);
		if (i == 0 || ios[i - 1].error)
			continue;
		if (i <= AT_ONCE)
			p->again_s[p->agains++] = latency_s(&ios[i]);
		else
			p->gap_s[p->gaps++] = (double)(ios[i].done_ns - ios[i - 1].done_ns) / 1e9;
	}
}

/* One place: read, read again at once, and again after waits. */
static int read_place(struct clock_probe *p, uint64_t until_ns)
{
	struct session *s = &p->c.s;
	uint64_t at = clock_place(&p->c, p->c.unit, 0), later;
	int status;

	for (size_t i = 0; i < PLACE_READS; i++)
		s->ios[i] = (struct io){.offset = at, .length = p->c.unit};
	status = session_run_again(s, 1 + AT_ONCE, until_ns);
	for (size_t i = 1 + AT_ONCE; i < PLACE_READS; i++)
		s->ios[i].error = -ECANCELED;
	if (status == 0 && s->ios[0].error == 0 && drive_now_ns(s->drive) < until_ns) {
		struct io *ios = s->ios;

		later = drive_now_ns(s->drive);
		for (size_t i = 1 + AT_ONCE; i < PLACE_READS; i++) {
			later += (uint64_t)(p->wait_ns * (0.5 + rng_uniform(&p->c.rng)));
			ios[i] = (struct io){
				.offset = at, .length = p->c.unit, .not_before_ns = later};
		}
		s->ios = ios + 1 + AT_ONCE;
		status = session_run(s, LATER, 1, until_ns);
		s->ios = ios;
	}
	keep(p);
	return status;
}

static int read_places(struct clock_probe *p)
{
	struct session *s = &p->c.s;
	uint64_t until_ns = s->start_ns + (uint64_t)((double)s->scope->budget_ns * PLACES_SHARE);
	int status = 0;

	p->wait_ns = WAIT_LEAST_NS;
	for (size_t k = 0; k < PLACES_MOST && status == 0 && drive_now_ns(s->drive) < until_ns; k++) {
		status = read_place(p, until_ns);
		if (k == 0 && p->agains) /* waits of several answers, so that a grid can show */
			p->wait_ns = fmin(fmax(3e9 * p->again_s[p->agains - 1], WAIT_LEAST_NS),
				WAIT_MOST_NS);
	}
	return status;
}

static void put_granularity(struct clock_probe *p)
{
	struct session *s = &p->c.s;
	uint64_t least = UINT64_MAX;
	struct finding f;

	for (size_t i = 0; i + 1 < p->stamps_n; i++)
		for (size_t k = i + 1; k < p->stamps_n && k < i + 2 * PLACE_READS; k++) {
			uint64_t gap = p->stamps[k] - p->stamps[i];

			if (gap > 0 && gap < least)
				least = gap;
		}
	for (size_t i = 3; i < p->stamps_n; i++) {
		int64_t gap = (int64_t)(p->stamps[i] - p->stamps[i - 1]) -
			      (int64_t)(p->stamps[i - 2] - p->stamps[i - 3]);
		uint64_t size = (uint64_t)(gap < 0 ? -gap : gap);

		if (size > 0 && size < least)
			least = size;
	}
	if (least == UINT64_MAX) {
		doc_put_unknown(s->doc, "clock.granularity_s", s->method,
			"the clock did not go on between the reads");
		return;
	}
	f = session_finding(s,
		(struct interval){.value = (double)least / 1e9, .low = 0, .high = (double)least / 1e9},
		p->stamps_n);
	doc_put(s->doc, "clock.granularity_s", &f);
}

static void put_tick(struct clock_probe *p)
{
	struct session *s = &p->c.s;
	struct interval later, first;
	bool by_later = tick_find(p->gap_s, p->gaps, TICK_FROM_S, 1.2 * p->wait_ns / 1e9, CONFIDENCE,
				&later) == 0;
	bool by_first = tick_find(p->first_gap_s, p->first_gaps, TICK_FROM_S, TICK_TO_S, CONFIDENCE,
				&first) == 0;
	struct finding f;

	/* without a memory a place comes round again once a turn: that is no grid of the completions */
	if (by_later && !by_first && stat_median(p->again_s, p->agains) > later.value / 2)
		by_later = false;

	if (!by_later && !by_first) {
		doc_put_unknown(s->doc, "clock.tick_s", s->method,
			p->gaps + p->first_gaps < 2 * LEAST ?
				"too few reads were answered in the time there was" :
				"no tick was seen: reads are complete at any time");
		return;
	}
	if (!by_later || (by_first && first.value > later.value)) {
		later = first;
		p->gaps = p->first_gaps;
	}
	f = session_finding(s, later, p->gaps);
	f.request_bytes = p->c.unit;
	f.depth = 1;
	session_put(s, "clock.tick_s", &f);
}

static void put_error(struct clock_probe *p)
{
	struct session *s = &p->c.s;
	double error = s->drive->info.clock_error_ratio;

	if (isnan(error)) {
		doc_put_unknown(s->doc, "clock.error_ratio", s->method,
			"the system does not say how far its clock may be off");
		return;
	}
	doc_put(s->doc, "clock.error_ratio", &(struct finding){.how = HOW_REPORTED, .value = error,
		.low = NAN, .high = NAN, .spread = NAN, .method = s->method});
}

/* Takes out what was not answered like the others: less than half way, by ratio, to a first read. */
static void only_hits(struct clock_probe *p, double first)
{
	double again = stat_median(p->again_s, p->agains), limit = sqrt(first * again);

	while (p->agains && p->again_s[p->agains - 1] > limit)
		p->agains--;
}

static void put_hit(struct clock_probe *p)
{
	struct session *s = &p->c.s;
	struct interval v;
	struct finding f;

	if (interval_quantile(p->again_s, p->agains, 0.5, CONFIDENCE, &v))
		return;
	f = session_finding(s, interval_at_least(v, FLOOR_S), p->agains);
	f.request_bytes = p->c.unit;
	f.depth = 1;
	session_put(s, "clock.hit_s", &f);
	for (size_t i = 0; i < p->agains; i++)
		p->again_s[i] = fabs(p->again_s[i] - v.value);
	stat_sort(p->again_s, p->agains);
	if (interval_quantile(p->again_s, p->agains, 0.5, CONFIDENCE, &v))
		return;
	v = interval_at_least(v, FLOOR_S);
	v.low = fmax(v.low, 0);
	f.value = v.value;
	f.low = v.low;
	f.high = v.high;
	doc_put(s->doc, "clock.jitter_s", &f);
}

/* Half of the re-reads are within this of their median. */
static double half_distance(const struct clock_probe *p, double median)
{
	double *x = mem_copy(p->again_s, p->agains, sizeof(*x)), half;

	for (size_t i = 0; i < p->agains; i++)
		x[i] = fabs(x[i] - median);
	half = stat_median(x, p->agains);
	free(x);
	return half;
}

static int put_fastest(struct clock_probe *p)
{
	struct session *s = &p->c.s;
	double first, again;
	bool memory;

	if (p->firsts < LEAST / 4 || p->agains < LEAST) {
		session_unknown(s, "too few reads were answered in the time there was");
		return 0;
	}
	first = stat_median(p->first_s, p->firsts);
	again = stat_median(p->again_s, p->agains);
	memory = first > CONTRAST * again;
	if (!memory && (again > FAST_S || half_distance(p, again) > STEADY * again)) {
		session_unknown(s, "a place read again takes as long as one read for the first time: "
			"nothing was answered without the medium");
		return 0;
	}
	if (memory)
		only_hits(p, first);
	put_hit(p);
	if (memory)
		return clock_line(&p->c, again, s->start_ns + s->scope->budget_ns);
	session_unknown(s, "a place read again takes as long as one read for the first time: a cache "
		"and its interface cannot be told from what is behind it");
	return 0;
}

static void places_init(struct clock_places *c)
{
	const struct drive_info *info = &c->s.drive->info;
	const struct scope *scope = c->s.scope;
	uint32_t unit = info->physical_block_bytes;

	if (unit % info->logical_block_bytes || unit > info->max_request_bytes ||
		scope->to_bytes - scope->from_bytes < 2 * (uint64_t)unit)
		unit = info->logical_block_bytes;
	c->unit = unit;
	c->first = scope->from_bytes + (unit - scope->from_bytes % unit) % unit;
	c->n = scope->to_bytes > c->first ? (scope->to_bytes - c->first) / unit : 0;
	if (c->n == 0) {
		c->unit = info->logical_block_bytes;
		c->first = scope->from_bytes;
		c->n = (scope->to_bytes - scope->from_bytes) / c->unit;
	}
}

static int measure(struct clock_probe *p)
{
	int status = session_warm_up(&p->c.s);

	if (status == 0)
		status = read_places(p);
	if (status)
		return status;
	put_granularity(p);
	put_tick(p);
	put_error(p);
	return put_fastest(p);
}

int clock_run(struct drive *d, const struct scope *scope, struct doc *doc, struct err *e)
{
	struct clock_probe p = {.wait_ns = WAIT_LEAST_NS};
	int status;

	rng_init(&p.c.rng, scope->seed, 'k');
	session_start(&p.c.s, "clock", "clock/1", 64, d, scope, doc, e);
	places_init(&p.c);
	p.first_s = mem_zalloc(PLACES_MOST, sizeof(double));
	p.first_gap_s = mem_zalloc(PLACES_MOST, sizeof(double));
	p.again_s = mem_zalloc(PLACES_MOST * AT_ONCE, sizeof(double));
	p.gap_s = mem_zalloc(PLACES_MOST * LATER, sizeof(double));
	p.stamps = mem_zalloc(PLACES_MOST * PLACE_READS * 2, sizeof(uint64_t));
	status = measure(&p);
	session_end(&p.c.s);
	free(p.first_s);
	free(p.first_gap_s);
	free(p.again_s);
	free(p.gap_s);
	free(p.stamps);
	return status;
}
