/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the drive keeps. Only where a platter turns is a fast answer one from a cache; and where places
 * that nobody read before are answered fast, it is told by nothing. Places remembered: many are read, one
 * below the other, and read again from the last one back, which changes nothing as long as they are held:
 * the first that is not ends the count, the middle one of three. */
#include "probe/probe_table.h"

#include <errno.h>
#include <math.h>

#include "probe/cache_ahead.h"
#include "probe/hit.h"
#include "probe/phase.h"
#include "stat/robust.h"

#define CONTRAST       3.0 /* fresh read to fast answer */
#define HIT_PLACES     12u
#define HIT_AGAIN      5u
#define HIT_BYTES      4096u
#define FLOOR_S        2e-7
#define SEGMENTS_MOST  72u
#define SEGMENTS_FIRST 20u /* places of the first pass: most drives keep fewer */
#define PASSES         3u
#define SLOW_IN_A_ROW  2u  /* one alone is the host's */
#define APART_MOST     (16u << 20)
#define FRESH_LEAST    8u
#define FAST_SHARE     0.1 /* of fresh places: then hits tell nothing */
#define AFTER_WAIT_S   0.0003
#define TURN_MOST      0.06
#define PLACES_LEAST   4096u
#define STREAM_READS   8u
#define AHEAD_SHARE    0.45 /* of the budget; and for the stream, which is mostly the same: */
#define STREAM_SHARE   0.22

uint64_t cache_place(struct cache_probe *c, uint64_t length)
{
	return c->first + rng_below(&c->rng, c->n - (length + c->unit - 1) / c->unit) * c->unit;
}

static double latency_s(const struct io *io)
{
	return (double)(io->done_ns - io->sent_ns) / 1e9;
}

void cache_count_fresh(struct cache_probe *c, const struct io *io)
{
	c->fresh++;
	c->fresh_fast += latency_s(io) < c->line_s;
}

/* cache.hit_s; *contrast: fresh reads took so many times as long. */
static int measure_hit(struct cache_probe *c, double *contrast)
{
	struct session *s = &c->s;
	double again_s[HIT_PLACES * HIT_AGAIN], fresh_s[HIT_PLACES];
	uint32_t length = c->unit < HIT_BYTES ? HIT_BYTES / c->unit * c->unit : c->unit;
	size_t n = 0, fresh = 0;
	struct interval v;
	struct finding f;

	for (unsigned k = 0; k < HIT_PLACES; k++) {
		uint64_t at = cache_place(c, length);
		int status;

		for (unsigned i = 0; i <= HIT_AGAIN; i++)
			s->ios[i] = (struct io){.offset = at, .length = length};
		status = session_run_again(s, 1 + HIT_AGAIN, s->start_ns + s->scope->budget_ns);
		if (status)
			return status;
		for (unsigned i = 1; i <= HIT_AGAIN; i++)
			if (!s->ios[i].error && !s->ios[i - 1].error)
				again_s[n++] = latency_s(&s->ios[i]);
		if (!s->ios[0].error) {
			fresh_s[fresh++] = latency_s(&s->ios[0]);
			cache_count_fresh(c, &s->ios[0]);
		}
	}
	*contrast = stat_median(fresh_s, fresh) / stat_median(again_s, n);
	if (!(*contrast > CONTRAST) || interval_quantile(again_s, n, 0.5, CONFIDENCE, &v))
		return 0;
	f = session_finding(s, interval_at_least(v, FLOOR_S), n);
	f.request_bytes = length;
	f.depth = 1;
	session_put(s, "cache.hit_s", &f);
	return 0;
}

/* One pass: how many of `most` places are held, apart to three times that apart: all at one distance they
 * might all be on one drive of an array. *held is left alone where a read failed or there was no
 * time. */
static int count_held(
	struct cache_probe *c, uint64_t apart, unsigned most, uint64_t until_ns, double *held)
{
	struct session *s = &c->s;
	uint64_t at = cache_place(c, 2 * (most + 1) * apart), line_ns, place[SEGMENTS_MOST];
	unsigned slow = 0;
	bool patchy = false;
	int status;

	for (unsigned i = 0; i < most; i++) {
		place[i] = at + 2 * (most - i) * apart + rng_below(&c->rng, apart / c->unit) * c->unit;
		s->ios[i] = (struct io){.offset = place[i], .length = c->unit};
	}
	status = session_run(s, most, 1, until_ns);
	for (unsigned i = 0; i < most; i++)
		if (status || s->ios[i].error)
			return status;
	line_ns = (uint64_t)(c->line_s * 1e9);
	for (unsigned i = 0; i < most; i++) {
		s->ios[0] = (struct io){.offset = place[most - 1 - i], .length = c->unit};
		status = session_run(s, 1, 1, 0);
		if (status || s->ios[0].error)
			return status;
		if (s->ios[0].done_ns - s->ios[0].sent_ns <= line_ns) {
			patchy |= slow > 0;
			slow = 0;
		} else if (++slow == SLOW_IN_A_ROW) {
			*held = i + 1 - SLOW_IN_A_ROW;
			c->patchy += patchy;
			return 0;
		}
	}
	*held = most;
	return 0;
}

static void put_segments(struct cache_probe *c, double *held, size_t passes)
{
	struct session *s = &c->s;
	struct finding f;
	double middle;

	stat_sort(held, passes);
	middle = passes ? held[passes / 2] : 0;
	if (passes == 0)
		doc_put_unknown(s->doc, "cache.segments", s->method,
			"there was no time for as many reads as it takes%s", session_longer(s));
	else if (middle >= SEGMENTS_MOST)
		doc_put_unknown(s->doc, "cache.segments", s->method,
			"at least %u places are remembered, which is as many as were read",
			SEGMENTS_MOST);
	else if (c->patchy > 1)
		doc_put_unknown(s->doc, "cache.segments", s->method, "places were held that had been read "
			"before others that were not: they are not forgotten in the order in which they "
			"were read, as by the caches of several drives");
	else if (held[passes - 1] - held[0] > fmax(2, middle / 4))
		doc_put_unknown(s->doc, "cache.segments", s->method, "from %.0f to %.0f places were "
			"remembered: they are not kept in the order in which they were read", held[0],
			held[passes - 1]);
	else {
		f = session_finding(s, (struct interval){.value = middle, .low = held[0],
			.high = held[passes - 1]}, passes);
		f.runs = (unsigned)passes;
		f.request_bytes = c->unit;
		f.depth = 1;
		doc_put(s->doc, "cache.segments", &f);
	}
}

/* ahead: bytes the drive reads on behind a read, 0 not known; places must be further apart. */
static int measure_segments(struct cache_probe *c, double ahead, uint64_t until_ns)
{
	double held[PASSES];
	uint64_t apart = c->n * c->unit / (2 * (SEGMENTS_MOST + 6));
	unsigned most = SEGMENTS_FIRST;
	size_t passes = 0;

	apart = apart < APART_MOST ? apart : APART_MOST;
	if (ahead > 0 && 4 * ahead < (double)apart)
		apart = (uint64_t)(4 * ahead);
	apart = (apart + c->unit - 1) / c->unit * c->unit;
	for (unsigned k = 0; k <= PASSES && passes < PASSES &&
		drive_now_ns(c->s.drive) < until_ns; k++) {
		int status;

		held[passes] = NAN;
		status = count_held(c, apart, most, until_ns, &held[passes]);
		if (status)
			return status;
		if (isnan(held[passes]))
			continue;
		if (held[passes] >= most && most < SEGMENTS_MOST) {
			most = SEGMENTS_MOST;
			continue;
		}
		if (held[passes] < most) /* no need to read as many again */
			most = (unsigned)fmin(1.5 * held[passes] + 4, SEGMENTS_MOST);
		passes++;
	}
	put_segments(c, held, passes);
	return 0;
}

/* Fresh places were answered at once: takes back what was said. */
static bool fresh_are_fast(struct cache_probe *c)
{
	static const char *const keys[] = {"cache.hit_s", "cache.readahead_bytes",
		"cache.readahead_stream_bytes", "cache.segments"};

	if (c->fresh < FRESH_LEAST || c->fresh_fast < FAST_SHARE * c->fresh)
		return false;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		doc_put_unknown(c->s.doc, keys[i], c->s.method, "%u of %u places that were not read before "
			"were answered without the medium, so a fast answer does not tell a cache",
			c->fresh_fast, c->fresh);
	return true;
}

static int measure(struct cache_probe *c)
{
	struct session *s = &c->s;
	double budget_ns = (double)s->scope->budget_ns, contrast = 0;
	struct ahead ahead = {0, 0};
	int status = measure_hit(c, &contrast);

	if (status)
		return status;
	if (!(contrast > CONTRAST)) {
		session_unknown(s, "reading a place again takes as long as reading it first: there is "
			"nothing to tell a cache by");
		return 0;
	}
	status = cache_ahead(c, "cache.readahead_bytes", 1, (uint64_t)(AHEAD_SHARE * budget_ns), &ahead);
	if (!status)
		status = cache_ahead(c, "cache.readahead_stream_bytes", STREAM_READS,
			(uint64_t)(STREAM_SHARE * budget_ns), &ahead);
	if (!status)
		status = measure_segments(c, (double)(ahead.high ? ahead.high : ahead.low),
			s->start_ns + s->scope->budget_ns);
	if (!status)
		fresh_are_fast(c);
	return status;
}

/* Whether there is something to measure; else all is put as unknown. */
static bool applies(struct cache_probe *c)
{
	struct session *s = &c->s;
	double tick = doc_value(s->doc, "clock.tick_s");
	double zone = doc_value(s->doc, "zones.inner_bytes_per_s");
	struct interval period;

	if (!phase_period(s->doc, &period)) {
		session_unknown(s, "no rotation was found: a fast answer does not tell a cache from a medium "
			"that is as fast");
		return false;
	}
	c->hit_s = doc_value(s->doc, "clock.hit_s");
	if (isnan(c->hit_s)) {
		session_unknown(s, "nothing was answered without the medium, so it has no cache that shows");
		return false;
	}
	if (c->n < PLACES_LEAST) {
		session_unknown(s, "the region is too small: it holds only %u places", (unsigned)c->n);
		return false;
	}
	c->period_s = period.value;
	c->line_s = c->hit_s + fmin(AFTER_WAIT_S, TURN_MOST * c->period_s);
	if (tick > 0)
		c->line_s += tick;
	c->bytes_per_s = zone > 0 ? zone : 0;
	return true;
}

int cache_run(struct drive *d, const struct scope *scope, struct doc *doc, struct err *e)
{
	struct cache_probe c = {.unit = d->info.physical_block_bytes};
	int status = 0;

	if (c.unit % d->info.logical_block_bytes || c.unit > d->info.max_request_bytes)
		c.unit = d->info.logical_block_bytes;
	rng_init(&c.rng, scope->seed, 'm');
	session_start(&c.s, "cache", "cache/1", SEGMENTS_MOST + 1, d, scope, doc, e);
	c.first = scope->from_bytes + (c.unit - scope->from_bytes % c.unit) % c.unit;
	c.n = scope->to_bytes > c.first ? (scope->to_bytes - c.first) / c.unit : 0;
	if (applies(&c))
		status = measure(&c);
	session_end(&c.s);
	return status;
}
