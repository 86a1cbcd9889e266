/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the windows say, put into the document. Where the rate falls in steps that stand out, the map is
 * a staircase: a row for each zone, and all figures are sums over zones. Else rows are equal parts,
 * and figures are those of a polygon through the windows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "probe/phase.h"
#include "probe/zone_windows.h"
#include "stat/robust.h"

#define SMALL_BYTES  10000000000u
#define SMALL_TRACK  262144.0
#define PLACE_MOST   0.0002 /* of the region */
#define PLACED_SHARE 0.9    /* of the ends, known to that */
#define ENDS_WIDEST  0.10   /* half-width; more is no figure */
#define FLOOR_RATIO  0.0015 /* see zone_map.h: of the whole region, */
#define POINT_FLOOR  0.002  /* and of one point, a quarter of a second; */
#define STEPS_FLOOR  0.8    /* so much of it where a staircase takes in all windows of a zone */
#define SCATTER_MOST 0.25   /* standard deviation of one window; more: there are no zones */
#define QUIET_LEAST  12u  /* windows that nobody disturbed, where somebody did others */
#define PATCHES_LEAST 12u /* windows that must have nothing in common for it to be told */
#define SLIPS_NOTED  0.1
#define SMOOTH        0.008 /* standard deviation of a window; more: rows are taken together */
#define EDGE_HALVES   1.5
#define SMOOTH_UNSURE 0.006 /* what a step of the rate inside may make of that */
#define LIMITED      0.8 /* of the interface's rate */

/* What the windows cannot be trusted beyond: where all of them become slower (an array whose
 * members had read ahead) or faster as they go on, a longer stream would be different by as much.
 * 0 where that may be chance. */
static double settling(const struct zones *z)
{
	double mean = fabs(stat_mean(z->change, z->changes));
	double se = stat_sd(z->change, z->changes) / sqrt((double)z->changes);

	return mean > 3 * se ? mean : 0;
}

/* Rate over [from, to). */
static struct interval rate_over(const struct zones *z, double from, double to, double floor_ratio)
{
	struct interval v =
		z->stepped ? zone_steps_mean(&z->steps, from, to, STEPS_FLOOR * floor_ratio,
				     CONFIDENCE)
			   : zone_map_mean(&z->map, from, to, floor_ratio, CONFIDENCE);
	double half = v.high / v.value - 1, share = z->paused_s / z->timed_s;
	/* one pause says little of how often they come: most drives pause less often */
	double few = z->pauses / (1.0 + z->pauses);

	half = hypot(half, 1.96 * few * sqrt(z->paused_s_squared) / z->timed_s);
	share *= few;
	half += settling(z);
	return interval_inverse(interval_of_logarithm(v.value * (1 + share), half), 1);
}

static struct finding finding_over(
	const struct zones *z, struct interval v, uint64_t from, uint64_t to)
{
	struct finding f = session_finding(&z->s, v, 0);

	f.from_bytes = from;
	f.to_bytes = to;
	f.samples = zone_map_count(&z->map, (double)from, (double)to);
	f.request_bytes = z->chunk;
	f.depth = 1;
	f.lost_share = (double)z->lost / (double)(z->map.n + z->lost);
	return f;
}

/* Rate of one row. Where windows scatter much, that of the parts beside it is taken in, as far on one
 * side as on the other: a slope falls out, and three times as many windows have a say. */
static struct interval row_rate(const struct zones *z, double from, double to)
{
	struct interval alone = rate_over(z, from, to, POINT_FLOOR);
	double first = (double)z->s.scope->from_bytes, last = (double)z->s.scope->to_bytes;
	double wider = fmin(to - from, fmin(from - first, last - to));
	struct interval v;

	if (z->stepped || z->map.variance < SMOOTH * SMOOTH)
		return alone;
	v = rate_over(z, from - wider, to + wider, POINT_FLOOR);
	/* not over an edge, as from one arm's half to the other's */
	if (fabs(log(v.value / alone.value)) > EDGE_HALVES * (alone.high / alone.value - 1))
		return alone;
	return interval_of_logarithm(v.value, hypot(v.high / v.value - 1, SMOOTH_UNSURE));
}

static void put_row(struct zones *z, double from, double to, bool known)
{
	struct interval v = row_rate(z, from, to);
	double row[4] = {from + (to - from) / 2, v.value, known ? v.low : NAN, known ? v.high : NAN};

	series_add(doc_series(z->s.doc, "zones.rate"), row);
}

/* Rows without an interval where windows next to each other have nothing in common. */
static void put_curve(struct zones *z, bool smooth)
{
	double from = (double)z->s.scope->from_bytes, to = (double)z->s.scope->to_bytes;

	if (z->stepped) {
		for (size_t i = 0; i <= z->steps.n; i++)
			put_row(z, i ? z->steps.steps[i - 1].place : from,
				i < z->steps.n ? z->steps.steps[i].place : to, true);
		return;
	}
	for (size_t i = 0; i < z->points; i++)
		put_row(z, (double)zones_part_start(z, i, z->points),
			(double)zones_part_start(z, i + 1, z->points), smooth);
}

/* Rate over the first or the last of ENDS parts. false: it is not known well enough. */
static bool put_end(struct zones *z, const char *key, size_t part, struct interval *rate)
{
	uint64_t start = zones_part_start(z, part, ENDS), end = zones_part_start(z, part + 1, ENDS);
	double from = (double)start, to = (double)end, half;
	struct finding f;

	if (start == end)
		return false;
	*rate = rate_over(z, from, to, POINT_FLOOR);
	half = rate->high / rate->value - 1;
	if (!z->stepped)
		half = fmax(half, zone_map_scatter(&z->map, from, to, CONFIDENCE));
	*rate = interval_of_logarithm(rate->value, half);
	f = finding_over(z, *rate, start, end);
	if (f.samples == 0 && z->lost)
		doc_put_unknown(
			z->s.doc, key, z->s.method, "that end of the region could not be read");
	else if (f.samples == 0 || half > ENDS_WIDEST)
		doc_put_unknown(z->s.doc, key, z->s.method,
			"%zu places over the whole region bound the rate of its %s only to %.0f %%%s",
			z->map.n, part ? "last 1/32" : "first 1/32", half * 100,
			session_longer(&z->s));
	else
		session_put(&z->s, key, &f);
	return f.samples > 0 && half <= ENDS_WIDEST;
}

static void put_ends(struct zones *z)
{
	struct interval outer, inner;
	bool ends = put_end(z, "zones.outer_bytes_per_s", 0, &outer);
	struct finding f;

	ends = put_end(z, "zones.inner_bytes_per_s", ENDS - 1, &inner) && ends;
	if (!ends) {
		doc_put_unknown(z->s.doc, "zones.outer_inner_ratio", z->s.method,
			"the rate at an end of the region is not known");
		return;
	}
	f = finding_over(
		z, interval_ratio(outer, inner), z->s.scope->from_bytes, z->s.scope->to_bytes);
	f.how = HOW_DERIVED;
	session_put(&z->s, "zones.outer_inner_ratio", &f);
}

static void put_mean(struct zones *z, struct interval rate)
{
	uint64_t from = z->s.scope->from_bytes, to = z->s.scope->to_bytes;
	struct finding f = finding_over(z, rate, from, to);

	session_put(&z->s, "zones.mean_bytes_per_s", &f);
	f = finding_over(z, interval_inverse(rate, (double)zones_region(z)), from, to);
	f.how = HOW_DERIVED;
	session_put(&z->s, "zones.full_scan_s", &f);
}

/* Tracks too short, or a drive too small, for an end of a zone to have a place: only an interval. */
static bool is_small(const struct zones *z)
{
	struct interval track;
	uint64_t middle = z->s.scope->from_bytes + zones_region(z) / 2;

	return zones_region(z) < SMALL_BYTES ||
		(phase_track_bytes(z->s.doc, middle, &track) && track.value < SMALL_TRACK);
}

/* The half-width that most of the ends are known to, of the region. */
static double place_doubt(const struct zones *z)
{
	double *half = mem_zalloc(z->steps.n, sizeof(*half)), doubt;

	for (size_t i = 0; i < z->steps.n; i++)
		half[i] = (z->steps.steps[i].high - z->steps.steps[i].low) / 2;
	stat_sort(half, z->steps.n);
	doubt = stat_quantile_sorted(half, z->steps.n, PLACED_SHARE) / (double)zones_region(z);
	free(half);
	return doubt;
}

static void put_boundaries(struct zones *z)
{
	struct series *rows;
	double doubt = z->steps.n ? place_doubt(z) : 0;

	if (doubt > PLACE_MOST && !is_small(z)) {
		doc_note(z->s.doc, "Where zones end is known only to %.2g %% of the drive, so the places "
			"are not listed%s.", doubt * 100, session_longer(&z->s));
		return;
	}
	rows = doc_series(z->s.doc, "zones.boundaries");

	for (size_t i = 0; i < z->steps.n; i++) {
		const struct zone_step *step = &z->steps.steps[i];
		double row[5] = {step->place, step->low, step->high,
			exp(-z->steps.levels[i].level), exp(-z->steps.levels[i + 1].level)};

		series_add(rows, row);
	}
}

/* How many zones may be hidden: one that is too narrow, or whose step is too small, for any map of so many
 * places, and between those where the rate falls by several times what it mostly does the ones left out. */
static double hidden_zones(const struct zone_steps *s)
{
	double *step = mem_zalloc(s->n + 1, sizeof(*step)), hidden = 1, usual;

	for (size_t i = 0; i < s->n; i++)
		step[i] = s->levels[i + 1].level - s->levels[i].level;
	stat_sort(step, s->n);
	usual = stat_quantile_sorted(step, s->n, 0.5);
	for (size_t i = 0; i < s->n; i++)
		hidden += fmax(round(step[i] / usual) - 1, 0);
	free(step);
	return hidden;
}

static void put_count(struct zones *z)
{
	double n = (double)z->steps.n + 1;
	struct finding f = finding_over(z, (struct interval){n, n, n + hidden_zones(&z->steps)},
		z->s.scope->from_bytes, z->s.scope->to_bytes);

	session_put(&z->s, "zones.count", &f);
}

/* Whether the rate is rather that of the interface. */
static bool is_limited(const struct zones *z)
{
	double interface = doc_value(z->s.doc, "overhead.interface_bytes_per_s");

	return exp(-z->steps.levels[0].level) > LIMITED * interface;
}

/* Boundaries and how many zones, or why not. */
static void put_zones(struct zones *z, bool smooth)
{
	const char *key = "zones.count", *method = z->s.method;
	double scatter = fmax(z->steps.noise, z->steps.residual) * 100;

	if (zone_map_is_disturbed(&z->map) || !smooth)
		doc_put_unknown(z->s.doc, key, method, smooth ?
			"this machine was busy with something else while most places were read" :
			"places next to each other differ so much that no zone has a rate");
	else if (z->stepped && z->doubtful == 0) {
		put_boundaries(z);
		put_count(z);
	} else if (z->doubtful) {
		doc_put_unknown(z->s.doc, key, method,
			"%zu places are too few to tell every zone%s",
			z->map.n, session_longer(&z->s));
	} else if (!zone_steps_stand(&z->steps)) {
		doc_put_unknown(z->s.doc, key, method,
			"places next to each other differ by %.1f %%, as they do where heads hold "
			"unlike tracks: the end of a zone does not stand out", scatter);
	} else {
		doc_put_unknown(z->s.doc, key, method, "the rate is the same everywhere: %s",
			is_limited(z) ? "it is that of the interface, which hides the zones" :
					"no end of a zone shows");
	}
}

static void put_notes(struct zones *z, bool smooth)
{
	if (smooth && z->steps.n == 0 && is_limited(z))
		doc_note(z->s.doc, "The interface is the limit: the drive's zones are hidden behind "
			"it.");
	if ((double)z->slips > SLIPS_NOTED * (double)z->map.n)
		doc_note(z->s.doc,
			"In %.0f %% of the places read in a row the drive lost a turn: the rate "
			"contains it.",
			100.0 * (double)z->slips / (double)z->map.n);
}

/* Windows that others disturbed are never in the map, nor those of the pilot. false: too few
 * others are left. */
static bool drop_disturbed(struct zones *z)
{
	size_t by_others = zone_map_by_others(&z->map);
	size_t spoiled = zone_map_drop_disturbed(&z->map);
	uint64_t kept = z->s.watch.spoiled - z->s.watch.thrown_away;
	uint64_t away = spoiled + z->s.watch.others_kept - by_others;

	z->lost += spoiled;
	session_throw_away(&z->s, away < kept ? away : kept, 0);
	z->s.watch.others_kept = 0;
	return (!by_others || z->map.n >= QUIET_LEAST) && !session_is_busy(&z->s);
}

static void put_busy(struct zones *z)
{
	const struct quantity *q;

	for (size_t i = 0; (q = quantity_at(i)); i++)
		if (strncmp(q->key, "zones.", 6) == 0)
			session_put_busy(&z->s, q->key);
}

/* It was seen that nobody else was at the drive. */
static bool is_left_alone(const struct zones *z)
{
	return z->s.before.known & WITNESS_DEVICE && z->s.watch.by[SPOILED_BY_OTHERS] == 0;
}

bool zones_put(struct zones *z)
{
	bool smooth;

	if (!drop_disturbed(z)) {
		put_busy(z);
		return true;
	}
	zone_map_fill_brief(&z->map);
	if (zone_map_judge(&z->map))
		return false;
	smooth = sqrt(z->map.variance) <= SCATTER_MOST;
	zone_steps_find(&z->steps, &z->map, zones_noise(z), ZONE_CLAIM);
	z->doubtful = z->steps.doubtful;
	if (z->doubtful) {
		zone_steps_release(&z->steps);
		zone_steps_find(&z->steps, &z->map, zones_noise(z), ZONE_CURVE);
	}
	zone_steps_of_streams(&z->steps, &z->map);
	z->stepped = smooth && z->steps.n > 0 && zone_steps_stand(&z->steps);
	put_curve(z, smooth);
	put_zones(z, smooth);
	put_notes(z, smooth);
	if (smooth) {
		put_mean(z, rate_over(z, (double)z->s.scope->from_bytes,
				    (double)z->s.scope->to_bytes, FLOOR_RATIO));
		put_ends(z);
		return true;
	}
	put_mean(z, interval_inverse(zone_map_plain_mean(&z->map, CONFIDENCE), 1));
	session_unknown(&z->s, "places next to each other differ so much that no zone has a rate");
	if (zone_map_is_disturbed(&z->map) || !is_left_alone(z) || z->map.n < PATCHES_LEAST)
		return true; /* that may be why */
	doc_note(z->s.doc,
		"Sequential rates at places next to each other have nothing in common: this "
		"drive does not keep its data in the order of its addresses, or answers some "
		"without reading.");
	return true;
}
