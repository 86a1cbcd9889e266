/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What kind of thing answers, from what the other probes found; reads nothing. A platter was seen or
 * it was not; one arm gains nothing from two reads at a time, and delivers no more than a track a
 * turn. Between what one arm can do and what two must there is room: what falls there is not told.
 * Flash is never claimed: reads of places that were never written look the same. */
#include "probe/probe_table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "probe/hit.h"
#include "probe/phase.h"
#include "probe/rotation_put.h"
#include "probe/session.h"
#include "stat/robust.h"

#define FAST_S        0.0005 /* sooner than this no arm has moved a fiftieth of the region, */
#define FAR_SHARE     0.02   /* which a read must be from the one before to be judged */
#define READS_LEAST   48u
#define NO_MEDIUM     0.92   /* share of fast reads: nothing turns, or nothing of it is seen */
#define MIXED         0.9    /* with more fast ones than this two at a time tell nothing of arms */
#define SUSPECT       0.02
#define GAIN_SEVERAL  1.15   /* lower bound, */
#define GAIN_POINT    1.22   /* and value */
#define GAIN_ONE      1.18   /* value, */
#define GAIN_ONE_HIGH 1.4    /* and upper bound, of one arm */
#define RATE_SEVERAL  1.2    /* tracks a turn, lower bound */
#define LIMIT_SHARE   0.8
#define FLAT          1.1    /* first zone to last */
#define PLACES_HELD   4      /* of six visited by turns: with fewer too few visits meet what was held */
#define HELD_BYTES    (512u << 20) /* a drive's memory may hold a region as small */

static const char HELD[] = "the region is small enough to be kept in the drive's memory";

struct class {
	struct session s;
	bool turns;
	size_t reads, fast; /* random reads far from the one before; of them sooner than any medium */
	double median_s, p90_s;
	double tracks_a_turn, tracks_low; /* NAN: not known */
};

static void count_fast(struct class *c)
{
	const struct series *reads = doc_find_series(c->s.doc, "access.reads");
	double far = FAR_SHARE * (double)(c->s.scope->to_bytes - c->s.scope->from_bytes);
	double least = fmax(hit_threshold_s(c->s.doc), FAST_S), *times;

	if (!reads || reads->rows == 0)
		return;
	times = mem_zalloc(reads->rows, sizeof(*times));
	for (size_t i = 0; i < reads->rows; i++) {
		const double *row = reads->values + i * reads->columns;

		if (!(row[0] >= far))
			continue;
		c->fast += row[1] < least;
		times[c->reads++] = row[1];
	}
	stat_sort(times, c->reads);
	c->median_s = stat_quantile_sorted(times, c->reads, 0.5);
	c->p90_s = stat_quantile_sorted(times, c->reads, 0.9);
	free(times);
}

/* Rate of the part of the map that is nearest to offset; its lower bound too. */
static double rate_at(const struct series *rates, double offset, double *low)
{
	double best = INFINITY, rate = NAN;

	for (size_t i = 0; i < rates->rows; i++) {
		const double *row = rates->values + i * rates->columns;

		if (!(fabs(row[0] - offset) < best))
			continue;
		best = fabs(row[0] - offset);
		rate = row[1];
		*low = row[2];
	}
	return rate;
}

/* Median over the places where the track's length is known. */
static void count_tracks(struct class *c)
{
	const struct series *rates = doc_find_series(c->s.doc, "zones.rate");
	const struct series *tracks = doc_find_series(c->s.doc, "track.length");
	double *value, *low;
	struct interval period;

	if (!rates || !tracks || tracks->rows == 0 || rates->rows == 0 ||
		!phase_period(c->s.doc, &period))
		return;
	value = mem_zalloc(tracks->rows, sizeof(*value));
	low = mem_zalloc(tracks->rows, sizeof(*low));
	for (size_t i = 0; i < tracks->rows; i++) {
		const double *row = tracks->values + i * tracks->columns;
		double rate_low = NAN, rate = rate_at(rates, row[0], &rate_low);

		value[i] = rate * period.value / row[1];
		low[i] = rate_low * period.value / row[3];
	}
	c->tracks_a_turn = stat_median(value, tracks->rows);
	c->tracks_low = stat_median(low, tracks->rows);
	free(value);
	free(low);
}

/* Two figures of one thing, each weighed by what it knows. */
static struct interval pooled(struct interval a, struct interval b)
{
	double ha = interval_half(a) / a.value, hb = interval_half(b) / b.value;
	double wa = 1 / (ha * ha), wb = 1 / (hb * hb);

	return interval_of_logarithm(
		exp((wa * log(a.value) + wb * log(b.value)) / (wa + wb)), 1 / sqrt(wa + wb));
}

/* What two random reads at a time gain; the reads one by one of the access probe are as good as those
 * of the queue's first depth, and there are more of them. false: not known. */
static bool gain_of_two(const struct doc *doc, struct interval *gain)
{
	const struct finding *single = doc_find(doc, "access.iops"), *f = doc_find(doc, "queue.gain_2");
	const struct series *s = doc_find_series(doc, "queue.iops");
	struct interval iops[2] = {{0, 0, 0}, {0, 0, 0}};

	for (size_t i = 0; s && i < s->rows; i++) {
		const double *row = s->values + i * s->columns;

		if (row[0] <= 2 && row[2] > 0)
			iops[row[0] > 1] = (struct interval){row[1], row[2], row[3]};
	}
	if (!f || f->how == HOW_UNKNOWN || !(iops[0].value > 0) || !(iops[1].value > 0))
		return false;
	if (single && single->how != HOW_UNKNOWN && single->low > 0 && single->high > single->low)
		iops[0] = pooled(iops[0], (struct interval){single->value, single->low, single->high});
	*gain = interval_ratio(iops[1], iops[0]);
	return true;
}

static void put_kind(struct class *c, const char *kind)
{
	struct finding f = session_finding(
		&c->s, (struct interval){.low = NAN, .high = NAN}, c->reads);

	f.how = HOW_DERIVED;
	f.text = kind;
	doc_put(c->s.doc, "class.kind", &f);
}

static void nothing_turns(struct class *c)
{
	put_kind(c, "no_rotation_seen");
	doc_note(c->s.doc,
		"No rotation was seen: %zu of %zu random reads were answered in less than %.2g ms, sooner "
		"than a platter can. So do flash, a virtual disk, a memory in front of a drive, and "
		"places of a shingled drive or a thin volume that were never written.",
		c->fast, c->reads, 1e3 * fmax(hit_threshold_s(c->s.doc), FAST_S));
}

__attribute__((format(printf, 2, 3))) static void cannot_tell(struct class *c, const char *format, ...)
{
	char why[200];
	va_list ap;

	va_start(ap, format);
	vsnprintf(why, sizeof(why), format, ap);
	va_end(ap);
	put_kind(c, "cannot_tell");
	doc_note(c->s.doc, "What kind of drive it is cannot be told: %s.", why);
}

/* More than one arm reads, so more than one spindle may turn. */
static void several(struct class *c)
{
	put_kind(c, "several_actuators");
	rotation_put_several(&c->s);
}

/* Something turns: how many arms read it? */
static void count_arms(struct class *c)
{
	struct interval gain;

	if (c->tracks_low > RATE_SEVERAL) {
		several(c);
		doc_note(c->s.doc, "More than one arm reads: %.2f tracks are read in a revolution. It is an "
			"array, or a drive with two actuators.", c->tracks_a_turn);
	} else if (!gain_of_two(c->s.doc, &gain)) {
		cannot_tell(c, "a platter turns, but whether one arm reads it was not measured");
	} else if (c->reads && (double)c->fast > MIXED * (double)c->reads) {
		cannot_tell(c, "a platter turns, but nearly all random reads were answered without it");
	} else if (gain.low > GAIN_SEVERAL && gain.value > GAIN_POINT) {
		several(c);
		doc_note(c->s.doc, "More than one arm reads: with two random reads at a time %.2f times "
			"as many are answered (%.2f to %.2f), with one arm they would be as many. It is an "
			"array, or a drive with two actuators.", gain.value, gain.low, gain.high);
	} else if (gain.value < GAIN_ONE && gain.high < GAIN_ONE_HIGH) {
		put_kind(c, "single_spindle");
	} else {
		cannot_tell(c, "with two random reads at a time %.2f to %.2f times as many were answered, "
			"too many for one arm and too few for two", gain.low, gain.high);
	}
}

static bool is_fast(const struct class *c)
{
	return (double)c->fast >= NO_MEDIUM * (double)c->reads ||
		(c->median_s < 0.001 && c->p90_s < 0.002);
}

/* What was read once may all have stayed in the drive's memory. */
static bool may_be_held(const struct class *c)
{
	return !c->turns && c->s.scope->to_bytes - c->s.scope->from_bytes < HELD_BYTES;
}

static void judge_kind(struct class *c)
{
	const struct finding *period = doc_find(c->s.doc, "rotation.period_s");

	if (c->turns)
		count_arms(c);
	else if (c->reads < READS_LEAST)
		cannot_tell(c, "too few random reads were made");
	else if (!is_fast(c))
		cannot_tell(c, "%.150s", period && period->why_not ? period->why_not :
			"rotation was not looked for");
	else if (may_be_held(c))
		cannot_tell(c, "%s", HELD);
	else
		nothing_turns(c);
}

static void put_share(struct class *c)
{
	double n = (double)c->reads, p = (double)c->fast / n, z = 1.959964, middle, half;
	struct finding f;

	if (c->reads < READS_LEAST || may_be_held(c)) {
		doc_put_unknown(c->s.doc, "class.without_medium", c->s.method, "%s",
			may_be_held(c) ? HELD : "too few random reads were made");
		return;
	}
	/* the interval of Wilson (1927) */
	middle = (p + z * z / (2 * n)) / (1 + z * z / n);
	half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
	f = session_finding(&c->s, (struct interval){.value = p, .low = fmin(fmax(middle - half, 0), p),
		.high = fmax(fmin(middle + half, 1), p)}, c->reads);
	f.how = HOW_DERIVED;
	doc_put(c->s.doc, "class.without_medium", &f);
}

static void put_flag(struct class *c, const char *key, bool set, uint64_t samples)
{
	double value = set ? 1 : 0;
	struct finding f = session_finding(
		&c->s, (struct interval){.value = value, .low = value, .high = value}, samples);

	f.how = HOW_DERIVED;
	doc_put(c->s.doc, key, &f);
}

static void put_smr(struct class *c)
{
	const struct finding *share = doc_find(c->s.doc, "class.without_medium");
	bool suspect = share && share->how != HOW_UNKNOWN && share->low > SUSPECT;

	if (!c->turns || !share || share->how == HOW_UNKNOWN) {
		doc_put_unknown(c->s.doc, "class.smr_suspect", c->s.method, c->turns ?
			"too few random reads were made" :
			"no rotation was seen, so there is nothing to compare fast answers with");
		return;
	}
	put_flag(c, "class.smr_suspect", suspect, c->reads);
	if (suspect)
		doc_note(c->s.doc, "%.0f %% of the random reads were answered without the medium, the others "
			"by it: so do shingled drives (SMR) where nothing was ever written, and drives "
			"with flash in front of the platters.", share->value * 100);
}

/* Where a step backwards was answered from the cache a step forwards was taken. That it was not tells
 * something only of a drive that still held what it had read there. */
static void put_arrival(struct class *c)
{
	const struct finding *places = doc_find(c->s.doc, "cache.segments");
	int64_t step = phase_step(c->s.doc);

	if (!c->turns || step == 0)
		doc_put_unknown(c->s.doc, "class.read_on_arrival", c->s.method,
			"no rotation was seen, so there is nothing to tell it by");
	else if (step > 0)
		put_flag(c, "class.read_on_arrival", true, c->reads);
	else if (!places || places->how == HOW_UNKNOWN)
		doc_put_unknown(c->s.doc, "class.read_on_arrival", c->s.method, "it did not show, but "
			"how long the drive holds what it has read is not known");
	else if (places->low < PLACES_HELD)
		doc_put_unknown(c->s.doc, "class.read_on_arrival", c->s.method, "it would not have shown: "
			"the drive holds no more than %.0f of the places read last", places->value);
	else
		put_flag(c, "class.read_on_arrival", false, c->reads);
}

/* What the interface lets through with a zone's requests, a command before each. */
static double interface_limit(const struct doc *doc, const struct finding *zone)
{
	double rate = doc_value(doc, "overhead.interface_bytes_per_s");
	double command = doc_value(doc, "overhead.command_s"), bytes = zone->request_bytes;

	return bytes > 0 ? bytes / (command + bytes / rate) : NAN;
}

static void put_limited(struct class *c)
{
	const struct finding *outer = doc_find(c->s.doc, "zones.outer_bytes_per_s");
	const struct finding *inner = doc_find(c->s.doc, "zones.inner_bytes_per_s");
	double most = NAN;

	if (outer && inner && outer->how != HOW_UNKNOWN && inner->how != HOW_UNKNOWN)
		most = interface_limit(c->s.doc, outer);
	if (isnan(most)) {
		doc_put_unknown(c->s.doc, "class.interface_limited", c->s.method,
			"the rate of the interface or that of the zones is not known");
		return;
	}
	put_flag(c, "class.interface_limited",
		outer->value > LIMIT_SHARE * most && outer->value < FLAT * inner->value,
		outer->samples + inner->samples);
}

int class_run(struct drive *d, const struct scope *scope, struct doc *doc, struct err *e)
{
	struct class c = {.tracks_a_turn = NAN, .tracks_low = NAN};

	session_start(&c.s, "class", "class/1", 1, d, scope, doc, e);
	c.turns = phase_known(doc);
	count_fast(&c);
	count_tracks(&c);
	judge_kind(&c);
	put_share(&c);
	put_smr(&c);
	put_arrival(&c);
	put_limited(&c);
	session_end(&c.s);
	return 0;
}
