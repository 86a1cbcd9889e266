/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The truth matrix: the whole default run on every simulated drive, many seeds each, and every
 * interval held against what was planted. TAP on stdout.
 *
 *   truth [--seeds N] [--random N] [--probe NAME] [--drive NAME] [--table] [--print] [--jobs N]
 *         [--no-faults] [--planted]
 *
 * Seeds choose both the specimen of the drive (its phase, its speed, its noise) and the run's own
 * draws. An interval of 95 % must hold the truth in at least 88 of 100 seeds for each pair of
 * question and drive, and in 92 to 98 % of all. With fewer seeds than 100 a share must only be no
 * worse than chance lets such a share be: never once in a thousand for a pair, three standard
 * errors for a pool. --probe runs that one and what it needs, and judges that one. --drive also
 * takes "random" and "random:SEED". */
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim.h"
#include "stat/distribution.h"
#include "tests/truth/bars.h"
#include "tests/truth/faults.h"
#include "tests/truth/planted.h"

#define SEEDS      10u
#define ALL_SEEDS  100u
#define RANDOM     40u
#define UNLIKELY   0.001
#define POOL_ERRORS 3.0 /* standard errors */
#define PAIR_LEAST 0.88
#define POOL_LEAST 0.92
#define POOL_MOST  0.98
#define HALF_MOST  0.02
#define BAR_SLACK  2 /* errors of ten runs instead of a hundred, against their limits */

struct options {
	struct field field;
	bool table, faults, planted; /* planted: that alone */
};

static unsigned tests;

__attribute__((format(printf, 2, 3))) static void tap(bool good, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	printf("%sok %u - ", good ? "" : "not ", ++tests);
	vprintf(format, ap);
	putchar('\n');
	va_end(ap);
}

/* So few inside that it is no bad luck. */
static bool too_few(const struct cell *c, double least, bool all_seeds)
{
	if (cell_judged(c) == 0)
		return false;
	if (all_seeds)
		return cell_share(c) < least;
	return stat_binomial_cdf(c->inside, cell_judged(c), least) < UNLIKELY;
}

/* More refusals than the question allows, chance included. */
static bool too_many_refused(const struct question *q, const struct cell *c)
{
	unsigned n = cell_judged(c) + c->refused;

	if (c->refused == 0 || q->refused_most >= 1)
		return false;
	return q->refused_most <= 0 || stat_binomial_cdf(n - c->refused, n, 1 - q->refused_most) < UNLIKELY;
}

static void describe(char *dst, size_t size, const struct cell *c)
{
	unsigned n = cell_judged(c);

	int at = snprintf(dst, size,
		"%u of %u hold the truth, half-width %.2f %% (at most %.2f %%), bias %+.2f "
		"half-widths", c->inside, n, n ? c->half_sum / n * 100 : 0.0,
		c->half_worst * 100, n ? c->bias_sum / n : 0.0);
	const struct {
		unsigned n;
		const char *what;
	} others[] = {
		{c->refused, "REFUSED though it exists"},
		{c->unknown, "rightly unknown"},
		{c->known_wrong, "TOLD though there is none"},
		{c->no_truth, "without a truth"},
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (others[i].n && (size_t)at < size)
			at += snprintf(dst + at, size - (size_t)at, ", %u %s", others[i].n,
				others[i].what);
}

/* A disk whose figures must be sharp. */
static bool is_ordinary(const char *name)
{
	static const char *const names[] = {"mhz2120bh", "hts545050b9sa02", "hts725050a9a362",
		"wd1602abjs", "max3073nc", "st318451lw", "6e040l0"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static bool must_be_sharp(const char *key)
{
	static const char *const keys[] = {"sequential.bytes_per_s", "zones.outer_bytes_per_s",
		"zones.inner_bytes_per_s", "zones.mean_bytes_per_s", "zones.full_scan_s",
		"access.mean_s"};

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (strcmp(keys[i], key) == 0)
			return true;
	return false;
}

static void tell_pair(
	const char *name, const struct question *q, const struct cell *c, bool all_seeds)
{
	char text[256];
	bool good = c->known_wrong == 0 && !too_many_refused(q, c) &&
		!too_few(c, PAIR_LEAST, all_seeds);
	unsigned n = cell_judged(c);

	if (n + c->refused + c->unknown + c->known_wrong == 0) {
		if (c->no_truth)
			printf("ok %u - %s on %s # SKIP truth is not defined there\n", ++tests,
				q->key, name);
		return;
	}
	describe(text, sizeof(text), c);
	if (q->bar == BAR_SURE && c->outside)
		good = false;
	if (all_seeds && n && is_ordinary(name) && must_be_sharp(q->key) &&
		c->half_sum / n > HALF_MOST)
		good = false;
	tap(good, "%s on %s: %s", q->key, name, text);
}

static bool pooled_interval(const struct question *q)
{
	return q->bar == BAR_INTERVAL && !q->row_truth;
}

static bool pooled_least(const struct question *q)
{
	return q->bar == BAR_LEAST && !q->row_truth;
}

static bool pooled_rows(const struct question *q)
{
	return q->bar == BAR_INTERVAL && q->row_truth;
}

static void tell_pool(const char *what, const struct pool *pool, double most, bool all_seeds)
{
	double slack = all_seeds ? 0 : POOL_ERRORS * pool->se;

	if (pool->judged)
		tap(pool->share >= POOL_LEAST - slack && pool->share <= most + slack,
			"%s: %u of %u hold the truth, %.1f %% (standard error %.1f)", what,
			pool->inside, pool->judged, pool->share * 100, pool->se * 100);
}

static void tell_pools(const struct field *f, bool all_seeds)
{
	static const struct {
		const char *what;
		bool (*which)(const struct question *q);
		double most;
	} pools[] = {
		{"intervals", pooled_interval, POOL_MOST},
		{"counts, bounds and words", pooled_least, 1},
		{"rows of curves", pooled_rows, 1},
	};

	for (size_t i = 0; i < sizeof(pools) / sizeof(pools[0]); i++) {
		struct pool all = field_pool(f, pools[i].which, true, false);
		struct pool random = field_pool(f, pools[i].which, false, true);
		char what[64];

		tell_pool(pools[i].what, &all, pools[i].most, all_seeds);
		snprintf(what, sizeof(what), "%s, random drives", pools[i].what);
		tell_pool(what, &random, pools[i].most, false);
	}
}

static void tell_table(const struct field *f)
{
	const struct question *q;

	printf("# %-36s", "percent inside");
	for (unsigned d = 0; d < f->drives; d++)
		printf(" %7.7s", sim_name_at(d, NULL));
	printf(" random\n");
	for (size_t i = 0; (q = question_at(i)); i++) {
		printf("# %-36s", q->key);
		for (unsigned d = 0; d <= f->drives; d++) {
			struct cell c = field_cell(f, d, i);

			if (cell_judged(&c))
				printf(" %6.1f%s", cell_share(&c) * 100,
					c.refused ? "!" : c.unknown ? "*" : " ");
			else
				printf(" %7s", c.refused ? "refused" : c.unknown ? "unknown" :
					c.known_wrong ? "WRONG" : c.no_truth ? "?" : "-");
		}
		putchar('\n');
	}
}

static void tell_bars(const struct field *f, bool all_seeds)
{
	struct bars bars = {.slack = all_seeds ? 1 : BAR_SLACK};

	if (f->probe || f->drive)
		return;
	bars_judge(f, &bars);
	for (size_t i = 0; i < bars.n; i++)
		tap(bars.bars[i].met, "%s: %s", bars.bars[i].what, bars.bars[i].measured);
}

static void tell(const struct options *o)
{
	const struct field *f = &o->field;
	bool all_seeds = f->seeds >= ALL_SEEDS;
	const struct question *q;

	if (o->table)
		tell_table(f);
	for (size_t i = 0; (q = question_at(i)); i++)
		for (unsigned d = 0; d <= f->drives; d++) {
			struct cell c = field_cell(f, d, i);

			tell_pair(d < f->drives ? sim_name_at(d, NULL) : "random drives", q, &c,
				all_seeds);
		}
	tell_pools(f, all_seeds);
	tell_bars(f, all_seeds);
	tap(f->broken == 0, "every run ends well, and the same twice");
}

static void tell_faults(const struct options *o)
{
	static const char *const drives[] = {"sim:hts725050a9a362", "sim:6e040l0"};
	const struct probe *probe;

	for (size_t d = 0; d < sizeof(drives) / sizeof(drives[0]); d++)
		for (size_t k = 0; (probe = probe_at(k)); k++) {
			unsigned runs;
			bool good;

			if ((o->field.probe && strcmp(o->field.probe, probe->name)) ||
				(o->field.drive && strcmp(o->field.drive, drives[d] + strlen("sim:"))))
				continue;
			good = faults_everywhere(probe, drives[d], &runs);
			tap(good, "any single fault while %s runs on %s (%u runs)", probe->name,
				drives[d], runs);
		}
}

/* Drives with something planted: each figure told is true (of the drive left alone, where others are at it),
 * and all of them as often as the intervals say. */
static void tell_planted(const struct options *o)
{
	static const struct {
		const char *what;
		struct planted drive;
	} rows[] = {
#define DISK "hts725050a9a362"
		{"others read 0.05 of the time, which is seen", {DISK, {NULL}, {"foreign_share=0.05"}}},
		{"others read 0.2 of the time, which is seen", {DISK, {NULL}, {"foreign_share=0.2"}}},
		{"others read 0.5 of the time, which is seen", {DISK, {NULL}, {"foreign_share=0.5"}}},
		{"others read 0.05 of the time, which is not seen",
			{DISK, {NULL}, {"foreign_share=0.05", "counters=0"}}},
		{"others read 0.2 of the time, which is not seen",
			{DISK, {NULL}, {"foreign_share=0.2", "counters=0"}}},
		{"others read 0.5 of the time, which is not seen",
			{DISK, {NULL}, {"foreign_share=0.5", "counters=0"}}},
		{"one disk behind another", {"raid0", {"level=linear", "size=0"}, {NULL}}},
	};

	if (o->field.probe || o->field.drive)
		return;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct cell cells[QUESTIONS_MAX] = {0}, all = {0};
		const struct question *q;
		bool good = planted_run(&rows[i].drive, o->field.seeds, o->field.print, cells);
		unsigned wrong = 0;

		for (size_t k = 0; (q = question_at(k)); k++) {
			if (!planted_must_stand(&rows[i].drive, question_probe(k)))
				continue;
			if (!q->row_truth)
				cell_add(&all, &cells[k]);
			if (!too_few(&cells[k], PAIR_LEAST, false) && !cells[k].known_wrong)
				continue;
			wrong++;
			printf("# %s: %u of %u hold the truth\n", q->key, cells[k].inside,
				cell_judged(&cells[k]) + cells[k].known_wrong);
		}
		tap(good && !wrong && !too_few(&all, POOL_LEAST, false),
			"%s: %u of %u figures hold the truth, %u unknown", rows[i].what, all.inside,
			cell_judged(&all), all.refused + all.unknown);
	}
}

static unsigned number(const char *typed)
{
	return (unsigned)strtoul(typed, NULL, 10);
}

static bool parse(int argc, char **argv, struct options *o)
{
	static const struct option names[] = {
		{"seeds", required_argument, NULL, 's'},
		{"random", required_argument, NULL, 'r'},
		{"probe", required_argument, NULL, 'p'},
		{"drive", required_argument, NULL, 'd'},
		{"jobs", required_argument, NULL, 'j'},
		{"no-faults", no_argument, NULL, 'F'},
		{"planted", no_argument, NULL, 'B'},
		{"table", no_argument, NULL, 't'},
		{"print", no_argument, NULL, 'P'},
		{NULL, 0, NULL, 0},
	};
	int c;

	while ((c = getopt_long(argc, argv, "", names, NULL)) != -1) {
		switch (c) {
		case 's': o->field.seeds = number(optarg); break;
		case 'r': o->field.random_n = number(optarg); break;
		case 'j': o->field.jobs = number(optarg); break;
		case 'p': o->field.probe = optarg; break;
		case 'd': o->field.drive = optarg; break;
		case 'F': o->faults = false; break;
		case 'B': o->planted = true; break;
		case 't': o->table = true; break;
		case 'P': o->field.print = true; break;
		default: return false;
		}
	}
	return o->field.seeds > 0 && o->field.jobs > 0 && optind == argc;
}

int main(int argc, char **argv)
{
	struct options o = {.faults = true,
		.field = {.effort = EFFORT_STANDARD, .seeds = SEEDS, .random_first = 1,
			.random_n = RANDOM, .jobs = 2, .twice = true}};
	unsigned seed;

	if (!parse(argc, argv, &o)) {
		fprintf(stderr, "truth: see the head of tests/truth/truth.c\n");
		return 2;
	}
	/* one random drive by its number, wherever it is */
	if (o.field.drive && sscanf(o.field.drive, "random:%u", &seed) == 1) {
		o.field.random_first = seed;
		o.field.random_n = 1;
	}
	if (o.planted) {
		tell_planted(&o);
		printf("1..%u\n", tests);
		return 0;
	}
	if (field_run(&o.field))
		return 2;
	tell(&o);
	if (o.faults) {
		tell_planted(&o);
		tell_faults(&o);
	}
	printf("1..%u\n", tests);
	field_release(&o.field);
	return 0;
}
