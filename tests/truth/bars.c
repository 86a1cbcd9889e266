/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A bar on drives is judged drive by drive and told with the worst of them; random drives, one run
 * each, are one drive here. */
#include "tests/truth/bars.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define UNSEEN_FROM 501u
#define RPM_WRONG   0.001 /* further off than this is another speed */
#define SMALL_TRACK (256u << 10)

void bars_add(struct bars *bars, bool met, const char *what, const char *format, ...)
{
	struct bar_result *b = &bars->bars[bars->n];
	va_list ap;

	if (bars->n == BARS_MAX)
		return;
	bars->n++;
	b->met = met;
	snprintf(b->what, sizeof(b->what), "%s", what);
	va_start(ap, format);
	vsnprintf(b->measured, sizeof(b->measured), format, ap);
	va_end(ap);
}

/* What is asked of one number on every drive. */
struct demand {
	const char *what;
	enum number kind;
	const char *key; /* of a question */
	enum score score;
	double quantile; /* of the runs; 0: their mean */
	double limit, unit;
	const char *unit_name;
	/* The limit on a drive; NAN: none. NULL: the same everywhere. */
	double (*limit_of)(const struct truth *t, const char *name);
};

static bool one_spindle(const struct truth *t)
{
	return (t->kind == TRUTH_DISK && t->actuators == 1) ||
		(t->kind == TRUTH_SMR && t->smr_unmapped_share < 1);
}

static double rpm_limit(const struct truth *t, const char *name)
{
	(void)name;
	if (!one_spindle(t))
		return NAN;
	return t->bridge_bytes_per_s > 0 ? 300e-6 : 100e-6;
}

static double curve_limit(const struct truth *t, const char *name)
{
	(void)name;
	if (t->outer_sectors_per_track * t->physical_block_bytes < SMALL_TRACK)
		return 0.006;
	return t->head_density_spread <= 0 ? 0.002 : t->head_density_spread <= 0.02 ? 0.004 : 0.015;
}

static double disk_limit(const struct truth *t, const char *name)
{
	(void)name;
	return t->kind == TRUTH_DISK && t->actuators == 1 && t->bridge_bytes_per_s <= 0 ? 1 : NAN;
}

static const struct demand demands[] = {
	{"rpm: p95 of the error at most 100 ppm, 300 ppm behind USB 2", NUMBER_RELATIVE_ERROR,
		"rotation.rpm", 0, 0.95, 1, 1e-6, "ppm", rpm_limit},
	{"zone curve: mean error at most 0.2 % (heads +-2 %: 0.4, short tracks: 0.6, +-6 %: 1.5)",
		NUMBER_SCORE, NULL, SCORE_ZONE_CURVE, 0, 1, 0.01, "%", curve_limit},
	{"full scan: mean error at most 0.4 %", NUMBER_RELATIVE_ERROR, "zones.full_scan_s", 0, 0,
		0.004, 0.01, "%", disk_limit},
	{"seek curve: mean error at most 70 us", NUMBER_SCORE, NULL, SCORE_SEEK_CURVE, 0, 70e-6,
		1e-6, "us", NULL},
	{"shortest move: mean error at most 50 us", NUMBER_ABSOLUTE_ERROR, "seek.shortest_s", 0, 0,
		50e-6, 1e-6, "us", NULL},
	{"third of the stroke: mean error at most 100 us", NUMBER_ABSOLUTE_ERROR,
		"seek.third_stroke_s", 0, 0, 100e-6, 1e-6, "us", NULL},
	{"full stroke: mean error at most 200 us", NUMBER_ABSOLUTE_ERROR, "seek.full_stroke_s", 0, 0,
		200e-6, 1e-6, "us", NULL},
	{"mean access: median of the error at most 1 %", NUMBER_RELATIVE_ERROR, "access.mean_s", 0,
		0.5, 0.01, 0.01, "%", disk_limit},
	{"mean access: p95 of the error at most 2 %", NUMBER_RELATIVE_ERROR, "access.mean_s", 0,
		0.95, 0.02, 0.01, "%", disk_limit},
	{"processor time of a run: median at most 0.5 s", NUMBER_CPU_S, NULL, 0, 0.5, 0.5, 1, "s",
		NULL},
};

static double limit_of(const struct demand *d, const struct field *f, unsigned drive, unsigned k)
{
	struct truth t;
	double limit;

	if (!d->limit_of)
		return d->limit;
	field_truth(f, drive, k, &t);
	limit = d->limit_of(&t, field_name(f, drive));
	return d->limit_of == disk_limit ? limit * d->limit : limit;
}

/* Of random drives, whose limits differ, the largest ratio to its limit would be one bad draw: the
 * mean of each is taken instead. Of a drive's runs: the quantile asked for. */
static double measured(const struct demand *d, const struct field *f, unsigned drive, size_t which,
	double *limit)
{
	struct numbers n = numbers_of(f, drive, d->kind, which);
	double x = d->quantile > 0 ? numbers_quantile(&n, d->quantile) : numbers_mean(&n);

	*limit = limit_of(d, f, drive, 0);
	if (drive == f->drives)
		*limit = d->limit_of == curve_limit ? NAN : d->limit_of == rpm_limit ? 100e-6 :
								     d->limit;
	free(n.values);
	return x;
}

static void judge_demand(const struct field *f, const struct demand *d, struct bars *bars)
{
	size_t which = d->key ? question_find(d->key) : d->score;
	double worst = 0, x, limit;
	char text[160] = "", met_by[160] = "";
	unsigned missed = 0, drives = 0;

	if (d->key && which == question_count()) {
		bars_add(bars, false, d->what, "no question for it");
		return;
	}
	for (unsigned drive = 0; drive <= f->drives; drive++) {
		x = measured(d, f, drive, which, &limit);
		if (!isfinite(x) || !isfinite(limit))
			continue;
		drives++;
		missed += x > limit * bars->slack;
		if (x / limit < worst)
			continue;
		worst = x / limit;
		snprintf(text, sizeof(text), "%.3g %s on %s", x / d->unit, d->unit_name,
			field_name(f, drive));
	}
	snprintf(met_by, sizeof(met_by), "met on %u of %u drives", drives - missed, drives);
	if (drives)
		bars_add(bars, missed == 0, d->what, "at worst %s; %s", text, met_by);
	else
		bars_add(bars, false, d->what, "not measured");
}

static double sum_scores(const struct field *f, unsigned drive, enum score score, size_t *n)
{
	struct numbers x = numbers_of(f, drive, NUMBER_SCORE, score);
	double sum = numbers_mean(&x) * (double)x.n;

	*n = x.n;
	free(x.values);
	return *n ? sum : 0;
}

static void judge_boundaries(const struct field *f, struct bars *bars)
{
	double steps = 0, found = 0, wrong = 0, worst = 1;
	const char *name = "none";
	size_t told = 0, n;

	for (unsigned d = 0; d <= f->drives; d++) {
		double s = sum_scores(f, d, SCORE_ZONE_STEPS, &n);
		double here = sum_scores(f, d, SCORE_ZONE_FOUND, &n);

		wrong += sum_scores(f, d, SCORE_ZONE_FALSE, &n);
		steps += s;
		found += here;
		told += n;
		if (s > 0 && here / s < worst) {
			worst = here / s;
			name = field_name(f, d);
		}
	}
	bars_add(bars, told && found >= 0.95 * steps && wrong <= 0.2 * (double)told,
		"zone boundaries: at least 95 % of steps of 0.7 % found, at most 0.2 false, or refused",
		"%.1f %% of %.0f found (worst: %.1f %% on %s), %.3f false a drive, %zu runs told them",
		steps > 0 ? found / steps * 100 : 0, steps, worst * 100, name,
		told ? wrong / (double)told : 0, told);
}

/* Refusals of class.kind on the built-in drives that `which` chooses. */
static void judge_class(const struct field *f, struct bars *bars, const char *what,
	bool (*which)(const struct truth *t), double refused_most)
{
	size_t question = question_find("class.kind");
	struct cell sum = {0};
	unsigned n;

	for (unsigned d = 0; d < f->drives; d++) {
		struct truth t;
		struct cell c = field_cell(f, d, question);

		field_truth(f, d, 0, &t);
		if (which(&t))
			cell_add(&sum, &c);
	}
	n = cell_judged(&sum) + sum.refused + sum.known_wrong + sum.unknown;
	bars_add(bars, n && sum.outside + sum.known_wrong == 0 &&
			sum.refused <= refused_most * n, what,
		"%u wrong, %u refused of %u", sum.outside + sum.known_wrong, sum.refused, n);
}

static bool is_healthy(const struct truth *t)
{
	return t->kind == TRUTH_DISK && t->actuators == 1;
}

static bool is_used_smr(const struct truth *t)
{
	return t->kind == TRUTH_SMR && t->smr_unmapped_share < 1;
}

static bool is_other(const struct truth *t)
{
	return !is_healthy(t) && !is_used_smr(t);
}

static bool interval_numbers(const struct question *q)
{
	return q->bar == BAR_INTERVAL && !q->row_truth;
}

static bool bounds(const struct question *q)
{
	return q->bar == BAR_LEAST && !q->row_truth;
}

static void judge_intervals(const struct field *f, struct bars *bars)
{
	struct pool all = field_pool(f, interval_numbers, true, true);
	struct pool least = field_pool(f, bounds, true, true);
	double slack = bars->slack > 1 ? 3 : 0, worst = 1;
	const char *name = "none";
	unsigned missed = 0;

	bars_add(bars, all.share >= 0.92 - slack * all.se && all.share <= 0.98 + slack * all.se,
		"intervals of 95 %: 92 to 98 % hold the truth, all pooled",
		"%.2f %% of %u (standard error %.2f)", all.share * 100, all.judged, all.se * 100);
	for (unsigned d = 0; d <= f->drives; d++) {
		struct cell sum = {0};
		const struct question *q;

		for (size_t i = 0; (q = question_at(i)); i++)
			if (interval_numbers(q)) {
				struct cell c = field_cell(f, d, i);

				cell_add(&sum, &c);
			}
		if (cell_judged(&sum) == 0)
			continue;
		missed += cell_share(&sum) < 0.88 - (slack > 0 ? 0.05 : 0);
		if (cell_share(&sum) < worst) {
			worst = cell_share(&sum);
			name = field_name(f, d);
		}
	}
	bars_add(bars, missed == 0, "intervals: at least 88 % on every drive",
		"at worst %.1f %% on %s", worst * 100, name);
	bars_add(bars, least.judged && least.share >= 0.92 - slack * least.se,
		"counts and bounds: at least 92 % right", "%.2f %% of %u", least.share * 100,
		least.judged);
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void judge_time(const struct field *f, struct bars *bars)
{
	size_t room = (size_t)f->drives * f->seeds + f->random_n;
	double *s = calloc(room + 1, sizeof(*s)), most = 0;
	const char *name = "none";
	size_t n = 0;

	for (unsigned d = 0; s && d <= f->drives; d++)
		for (unsigned k = 0; k < field_runs(f, d); k++) {
			const struct outcome *o = field_outcome(f, d, k);

			if (!o->done)
				continue;
			s[n++] = o->cost.drive_s;
			if (o->cost.drive_s > most) {
				most = o->cost.drive_s;
				name = field_name(f, d);
			}
		}
	if (n) {
		qsort(s, n, sizeof(*s), ascending);
		bars_add(bars, s[n / 2] <= 50 && most <= 60,
			"drive time: median at most 50 s, never over 60 s",
			"median %.1f s, at most %.1f s on %s", s[n / 2], most, name);
	}
	free(s);
}

static void judge_unseen(const struct field *f, struct bars *bars)
{
	size_t kind = question_find("class.kind"), rpm = question_find("rotation.rpm");
	unsigned wrong_kind = 0, wrong_rpm = 0, refused = 0, n = 0;

	for (unsigned k = 0; k < f->random_n; k++) {
		const struct outcome *o = field_outcome(f, f->drives, k);
		const struct cell *c = &o->cells[kind], *r = &o->cells[rpm];

		if (!o->done || f->random_first + k < UNSEEN_FROM)
			continue;
		n++;
		wrong_kind += c->outside + c->known_wrong;
		refused += c->refused;
		wrong_rpm += r->known_wrong ||
			(cell_judged(r) && fabs(r->value / r->truth - 1) > RPM_WRONG);
	}
	if (n)
		bars_add(bars, wrong_kind + wrong_rpm == 0,
			"unseen drives (sim:random:501 and on): no wrong kind, no wrong speed",
			"%u of %u wrong kind, %u wrong speed, %u kinds refused", wrong_kind, n,
			wrong_rpm, refused);
}

void bars_judge(const struct field *f, struct bars *bars)
{
	for (size_t i = 0; i < sizeof(demands) / sizeof(demands[0]); i++)
		judge_demand(f, &demands[i], bars);
	judge_boundaries(f, bars);
	judge_class(f, bars, "kind of healthy single drives: none wrong, at most 5 % refused",
		is_healthy, 0.05);
	judge_class(f, bars, "kind of used SMR: none wrong, at most 25 % refused", is_used_smr, 0.25);
	judge_class(f, bars, "kind of arrays, SSDs, virtual disks, new SMR: none wrong", is_other, 1);
	judge_intervals(f, bars);
	judge_time(f, bars);
	judge_unseen(f, bars);
}
