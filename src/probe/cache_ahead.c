/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A fresh place is read, the drive is left alone long enough to read on, and one place behind is asked
 * for: in its cache or not. Distances double until it is not, then the gap is halved, each time by two
 * reads at two places and a third where they differ. Reads well inside and outside of what was found must
 * agree: a drive that reads on to the end of a track, or as it likes, has no one length, and gets none. */
#include "probe/cache_ahead.h"

#include <errno.h>
#include <math.h>

#define READS_MOST   8u
#define REACH_MOST   (16u << 20)
#define REGION_PART  64u
#define START_BYTES  (32u << 10)
#define STEPS        24u    /* distances tried */
#define FINE         0.06   /* of the length: the gap is not halved further */
#define SEARCH_SHARE 0.7    /* of the time; the rest is that of the checks */
#define CHECKS       8u
#define CHECKS_LEAST 4u
#define AT_ODDS      2u     /* answers that contradict: no one length */
#define PAUSE_TURNS  0.4
#define BLIND_TURNS  6.0    /* where the rate is not known */
#define BLIND_PART   8      /* and then no further than this of the most */

struct reach {
	struct cache_probe *c;
	unsigned reads;
	uint64_t until_ns, search_until_ns;
	double distance[STEPS + CHECKS];
	unsigned tried[STEPS + CHECKS], hit[STEPS + CHECKS];
	size_t n;
	unsigned at_odds, trials;
	bool out_of_time;
};

/* Time for the drive to read so far, ns, and a chance part of a turn, so that a miss is one. */
static double pause_ns(struct cache_probe *c, uint64_t bytes)
{
	double turns = (c->bytes_per_s > 0 ? PAUSE_TURNS : BLIND_TURNS) + rng_uniform(&c->rng);
	double read_s = c->bytes_per_s > 0 ? 1.2 * (double)bytes / c->bytes_per_s : 0;

	return (read_s + turns * c->period_s) * 1e9;
}

static void note(struct reach *r, uint64_t bytes, bool hit)
{
	size_t i = 0;

	while (i < r->n && r->distance[i] != (double)bytes)
		i++;
	if (i == STEPS + CHECKS)
		return;
	if (i == r->n) {
		r->n++;
		r->distance[i] = (double)bytes;
	}
	r->tried[i]++;
	r->hit[i] += hit;
}

/* Whether the last of so many bytes behind a fresh place is held. *held is left alone when a read failed
 * or the time is up. */
static int trial(struct reach *r, uint64_t bytes, bool *held)
{
	struct cache_probe *c = r->c;
	struct session *s = &c->s;
	uint64_t lead = r->reads * (uint64_t)c->unit, at;
	struct io *probe = &s->ios[0];
	int status;

	if (drive_now_ns(s->drive) >= r->until_ns) {
		r->out_of_time = true;
		return 0;
	}
	at = cache_place(c, lead + bytes);
	for (unsigned i = 0; i < r->reads; i++)
		s->ios[i] = (struct io){.offset = at + i * (uint64_t)c->unit, .length = c->unit};
	status = session_run(s, r->reads, 1, 0);
	if (status || s->ios[0].error || s->ios[r->reads - 1].error)
		return status;
	cache_count_fresh(c, &s->ios[0]);
	*probe = (struct io){.offset = at + lead + bytes - c->unit, .length = c->unit,
		.not_before_ns = drive_now_ns(s->drive) + (uint64_t)pause_ns(c, bytes)};
	status = session_run(s, 1, 1, 0);
	if (status || probe->error)
		return status;
	*held = (double)(probe->done_ns - probe->sent_ns) / 1e9 < c->line_s;
	r->trials++;
	note(r, bytes, *held);
	return 0;
}

/* By two trials, and a third where they differ. */
static int settled(struct reach *r, uint64_t bytes, bool *held)
{
	bool a = false, b = false;
	int status = trial(r, bytes, &a);

	if (!status)
		status = trial(r, bytes, &b);
	*held = a;
	if (status || a == b)
		return status;
	r->at_odds++;
	return trial(r, bytes, held);
}

static uint64_t whole(const struct reach *r, double bytes)
{
	uint64_t n = (uint64_t)(bytes / r->c->unit + 0.5);

	return (n ? n : 1) * r->c->unit;
}

static uint64_t most(const struct reach *r)
{
	uint64_t part = r->c->n * r->c->unit / REGION_PART;
	uint64_t n = part < REACH_MOST ? part : REACH_MOST;

	return whole(r, r->c->bytes_per_s > 0 ? (double)n : (double)n / BLIND_PART);
}

static bool in_time(const struct reach *r)
{
	return !r->out_of_time && drive_now_ns(r->c->s.drive) < r->search_until_ns;
}

static void narrow(struct ahead *a, uint64_t at, bool held)
{
	if (held)
		a->low = at;
	else
		a->high = at;
}

/* Until something is held and something further is not, or the end of what is looked at. */
static int bracket(struct reach *r, struct ahead *a)
{
	uint64_t limit = most(r), at = whole(r, START_BYTES);
	bool first = true;
	int status = 0;

	at = at < limit ? at : limit;
	while (!status && in_time(r) && (a->high == 0 || a->low == 0)) {
		bool held = false;

		if (a->high || a->low)
			at = whole(r, a->low ? (double)a->low * 4 : (double)a->high / 4);
		at = at < limit ? at : limit;
		status = first ? settled(r, at, &held) : trial(r, at, &held);
		first = false;
		if (status || r->out_of_time)
			return status;
		narrow(a, at, held);
		if ((held && at >= limit) || (!held && at <= r->c->unit))
			break;
	}
	return status;
}

/* Tries a guess before anything else. */
static int try_guess(struct reach *r, const struct ahead *guess, struct ahead *a)
{
	bool held = false;
	int status = settled(r, guess->low, &held);

	if (status || r->out_of_time)
		return status;
	narrow(a, guess->low, held);
	if (!held)
		return 0;
	status = settled(r, guess->high, &held);
	if (!status && !r->out_of_time)
		narrow(a, guess->high, held);
	return status;
}

/* a->low is held and a->high is not, next to each other but for FINE as far as there is time; low 0:
 * nothing is held. high 0: all is. */
static int search(struct reach *r, const struct ahead *guess, struct ahead *a)
{
	int status = guess->low && guess->high ? try_guess(r, guess, a) : 0;

	if (!status)
		status = bracket(r, a);
	while (!status && in_time(r) && a->low && a->high > a->low + r->c->unit &&
		(double)(a->high - a->low) > FINE * (double)a->high) {
		double low = (double)a->low, high = (double)a->high;
		uint64_t middle = whole(r, high > 2 * low ? sqrt(low * high) : (low + high) / 2);
		bool held = false;

		if (middle <= a->low || middle >= a->high)
			break;
		status = settled(r, middle, &held);
		if (status || r->out_of_time)
			return status;
		narrow(a, middle, held);
	}
	return status;
}

/* Places well inside must be held, and well outside not. *checks: how many were asked. */
static int check(struct reach *r, uint64_t low, uint64_t high, unsigned *checks)
{
	static const double parts[CHECKS] = {0.6, 1.4, 0.8, 1.2, 0.4, 1.4, 0.9, 0.7};
	int status = 0;

	for (*checks = 0; *checks < CHECKS && !status; ++*checks) {
		bool inside = parts[*checks] < 1, held = inside;
		double bytes = parts[*checks] * (double)(inside ? low : high);

		if (!inside && bytes > 1.5 * (double)most(r))
			continue;
		status = trial(r, whole(r, bytes), &held);
		if (r->out_of_time)
			break;
		r->at_odds += held != inside;
	}
	return status;
}

static void put(struct reach *r, const char *key, uint64_t low, uint64_t high, unsigned checks)
{
	struct session *s = &r->c->s;
	struct finding f;

	if (low && !high)
		doc_put_unknown(s->doc, key, s->method,
			"it reads at least %.0f KiB ahead, which is as far as was looked",
			(double)low / 1024);
	else if (r->at_odds >= AT_ODDS)
		doc_put_unknown(s->doc, key, s->method, "how far it reads ahead differs from place to "
			"place, as where it ends with the track");
	else if (!high || (low && checks < CHECKS_LEAST))
		doc_put_unknown(s->doc, key, s->method,
			"there was no time for as many reads as it takes%s", session_longer(s));
	else {
		f = session_finding(s, (struct interval){.value = low ? (double)(low + high) / 2 : 0,
			.low = (double)low, .high = (double)high}, r->trials);
		f.request_bytes = r->c->unit;
		f.depth = 1;
		doc_put(s->doc, key, &f);
	}
}

int cache_ahead(struct cache_probe *c, const char *key, unsigned reads, uint64_t budget_ns,
	struct ahead *found)
{
	uint64_t now_ns = drive_now_ns(c->s.drive);
	struct reach r = {.c = c, .reads = reads, .until_ns = now_ns + budget_ns,
		.search_until_ns = now_ns + (uint64_t)(SEARCH_SHARE * (double)budget_ns)};
	struct series *series = doc_series(c->s.doc, "cache.readahead");
	struct ahead a = {0, 0};
	unsigned checks = 0;
	int status = search(&r, found, &a);

	if (!status && a.low && a.high)
		status = check(&r, a.low, a.high, &checks);
	if (status)
		return status;
	for (size_t i = 0; i < r.n; i++)
		series_add(series, (double[]){r.distance[i], r.tried[i],
					   (double)r.hit[i] / r.tried[i], reads});
	put(&r, key, a.low, a.high, checks);
	if (a.low || a.high)
		*found = a;
	return 0;
}
