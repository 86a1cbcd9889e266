/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The accuracy bench: the whole default run on every simulated drive and many specimens of it, on the
 * virtual clock; a page of Markdown on stdout.
 *
 *   accuracy [--seeds N] [--random FIRST:N] [--false N] [--jobs N]
 *
 * --random: drives sim:random:FIRST and on, one run each (1:100). Estimators are tuned on 1 to 500;
 * 501 to 1000 are to be judged, not looked at. --false: runs of the rotation probe on devices in
 * which nothing turns (1000). */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/accuracy/still.h"
#include "tests/truth/bars.h"

#define MEMORY_LIMIT_MIB 16.0
#define DRIVES_MAX       64u

struct options {
	struct field field;
	unsigned still;
};

/* Peak resident memory that one whole run on that drive adds, MiB; in a process of its own. */
static double memory_mib(const struct field *f, unsigned drive)
{
	char spec[64];
	int ends[2], status;
	double mib = NAN;

	if (pipe(ends))
		return NAN;
	fflush(stdout);
	if (fork() == 0) {
		struct run run = {.spec = spec, .seed = 1, .effort = f->effort};
		struct rusage before, after;
		struct plan plan;
		struct cost cost;
		struct doc doc;

		snprintf(spec, sizeof(spec), "sim:%s", field_name(f, drive));
		getrusage(RUSAGE_SELF, &before);
		runner_run(&run, &plan, &doc, &cost);
		getrusage(RUSAGE_SELF, &after);
		mib = (double)(after.ru_maxrss - before.ru_maxrss) / 1024;
		_exit(write(ends[1], &mib, sizeof(mib)) != sizeof(mib));
	}
	close(ends[1]);
	if (read(ends[0], &mib, sizeof(mib)) != sizeof(mib))
		mib = NAN;
	close(ends[0]);
	wait(&status);
	return mib;
}

static void tell_head(const struct options *o)
{
	char date[32];
	time_t now = time(NULL);

	strftime(date, sizeof(date), "%Y-%m-%d", gmtime(&now));
	printf("# How true the figures are\n\n"
	       "Made by `make bench-accuracy` on %s, platter " PLATTER_VERSION ".\n\n"
	       "The whole default run on every simulated drive, %u specimens each, and on the drives "
	       "sim:random:%u\nto sim:random:%u, once each, all on the virtual clock with caches and "
	       "read-ahead on. Every figure is held\nagainst what was planted. These are drives that "
	       "exist in arithmetic: what they leave out is not in here.\n",
		date, o->field.seeds, o->field.random_first,
		o->field.random_first + o->field.random_n - 1);
}

static void tell_bars(const struct bars *bars)
{
	size_t met = 0;

	for (size_t i = 0; i < bars->n; i++)
		met += bars->bars[i].met;
	printf("\n## What was asked for\n\n%zu of %zu met.\n\n| asked | | measured |\n|---|---|---|\n",
		met, bars->n);
	for (size_t i = 0; i < bars->n; i++)
		printf("| %s | %s | %s |\n", bars->bars[i].what,
			bars->bars[i].met ? "met" : "**not met**", bars->bars[i].measured);
}

static void print_number(const struct field *f, unsigned drive, enum number kind, double q)
{
	struct numbers n = numbers_of(f, drive, kind, 0);

	printf(" %.4g |", numbers_quantile(&n, q));
	free(n.values);
}

static void tell_costs(const struct field *f, const double *memory)
{
	printf("\n## What a run costs\n\n| drive | drive time, median | at most, s | reads, median | "
	       "processor, median | at most, s | memory, MiB |\n|---|---|---|---|---|---|---|\n");
	for (unsigned d = 0; d <= f->drives; d++) {
		if (!field_runs(f, d))
			continue;
		printf("| %s |", field_name(f, d));
		print_number(f, d, NUMBER_DRIVE_S, 0.5);
		print_number(f, d, NUMBER_DRIVE_S, 1);
		print_number(f, d, NUMBER_READS, 0.5);
		print_number(f, d, NUMBER_CPU_S, 0.5);
		print_number(f, d, NUMBER_CPU_S, 1);
		if (d < f->drives)
			printf(" %.1f |\n", memory[d]);
		else
			printf(" |\n");
	}
}

/* Empty where there is no number. */
static void print_cell(double x)
{
	if (isfinite(x))
		printf(" %.3g |", x);
	else
		printf(" |");
}

static double score_sum(const struct field *f, unsigned drive, enum score score)
{
	struct numbers n = numbers_of(f, drive, NUMBER_SCORE, score);
	double sum = n.n ? numbers_mean(&n) * (double)n.n : 0;

	free(n.values);
	return sum;
}

static double score_quantile(const struct field *f, unsigned drive, enum score score, double q)
{
	struct numbers n = numbers_of(f, drive, NUMBER_SCORE, score);
	double x = numbers_quantile(&n, q);

	free(n.values);
	return x;
}

static void tell_curves(const struct field *f)
{
	printf("\n## Curves\n\nZones: error of the map, mean over the drive; ends of zones: told in so "
	       "many runs, of the steps of 0.7 %% or more\nso many found within 0.02 %% of the "
	       "capacity (small drives: inside the interval told), false ones a run. Moves: mean\n"
	       "error over the distances told, and the largest of them.\n\n"
	       "| drive | zones, median %% | at most %% | ends told | steps | found %% | false | moves, "
	       "mean us | worst us |\n|---|---|---|---|---|---|---|---|---|\n");
	for (unsigned d = 0; d <= f->drives; d++) {
		struct numbers told = numbers_of(f, d, NUMBER_SCORE, SCORE_ZONE_STEPS);
		struct numbers moves = numbers_of(f, d, NUMBER_SCORE, SCORE_SEEK_CURVE);
		double steps = score_sum(f, d, SCORE_ZONE_STEPS);

		if (isfinite(score_quantile(f, d, SCORE_ZONE_CURVE, 0.5)) || told.n || moves.n) {
			printf("| %s |", field_name(f, d));
			print_cell(score_quantile(f, d, SCORE_ZONE_CURVE, 0.5) * 100);
			print_cell(score_quantile(f, d, SCORE_ZONE_CURVE, 1) * 100);
			printf(" %zu | %.0f |", told.n, steps);
			print_cell(score_sum(f, d, SCORE_ZONE_FOUND) / steps * 100);
			print_cell(score_sum(f, d, SCORE_ZONE_FALSE) / (double)told.n);
			print_cell(numbers_mean(&moves) * 1e6);
			print_cell(score_quantile(f, d, SCORE_SEEK_WORST, 1) * 1e6);
			putchar('\n');
		}
		free(told.values);
		free(moves.values);
	}
}

/* One row: a question on a drive. Rows of curves have no error of their own here. */
static void tell_row(const struct field *f, unsigned drive, size_t i)
{
	const struct question *q = question_at(i);
	struct cell c = field_cell(f, drive, i);
	unsigned told = cell_judged(&c);
	struct numbers error = numbers_of(f, drive, NUMBER_RELATIVE_ERROR, i);
	struct numbers width = numbers_of(f, drive, NUMBER_RELATIVE_WIDTH, i);

	if (told + c.unknown + c.refused + c.known_wrong) {
		printf("| %s | %u |", q->key, told);
		if (error.n && !q->row_truth)
			printf(" %.3g | %.3g | %.3g |", numbers_quantile(&error, 0.5) * 100,
				numbers_quantile(&error, 0.95) * 100,
				numbers_quantile(&error, 1) * 100);
		else
			printf(" | | |");
		if (told)
			printf(" %.1f |", cell_share(&c) * 100);
		else
			printf(" |");
		if (width.n)
			printf(" %.3g |", numbers_quantile(&width, 0.5) * 100);
		else
			printf(" |");
		printf(" %u | %u | %u |\n", c.refused, c.unknown, c.known_wrong);
	}
	free(error.values);
	free(width.values);
}

static void tell_figures(const struct field *f)
{
	printf("\n## Every figure on every drive\n\n"
	       "Told: how many intervals (of curves: rows) were given and have a truth to be held "
	       "against. Error: of the value,\nin percent of the truth. Right: percent of the "
	       "intervals that hold the truth. Width: of the whole interval,\nmedian, in percent of "
	       "the value. Refused: unknown though it exists. Rightly: unknown since it does not "
	       "exist, or\nfor a good reason. Wrong: told though it does not exist.\n");
	for (unsigned d = 0; d <= f->drives; d++) {
		if (!field_runs(f, d))
			continue;
		printf("\n### %s\n\n| figure | told | error, median | p95 | max | right | width | "
		       "refused | rightly | wrong |\n|---|---|---|---|---|---|---|---|---|---|\n",
			d < f->drives ? field_name(f, d) : "random drives");
		for (size_t i = 0; i < question_count(); i++)
			tell_row(f, d, i);
	}
}

static bool parse(int argc, char **argv, struct options *o)
{
	static const struct option names[] = {
		{"seeds", required_argument, NULL, 's'},
		{"random", required_argument, NULL, 'r'},
		{"false", required_argument, NULL, 'f'},
		{"jobs", required_argument, NULL, 'j'},
		{NULL, 0, NULL, 0},
	};
	bool good = true;
	int c;

	while ((c = getopt_long(argc, argv, "", names, NULL)) != -1) {
		switch (c) {
		case 's': good = sscanf(optarg, "%u", &o->field.seeds) == 1 && good; break;
		case 'r':
			good = sscanf(optarg, "%u:%u", &o->field.random_first,
				&o->field.random_n) == 2 && good;
			break;
		case 'f': good = sscanf(optarg, "%u", &o->still) == 1 && good; break;
		case 'j': good = sscanf(optarg, "%u", &o->field.jobs) == 1 && good; break;
		default: return false;
		}
	}
	return good && o->field.seeds > 0 && o->field.jobs > 0 && optind == argc;
}

int main(int argc, char **argv)
{
	struct options o = {.still = 1000, .field = {.effort = EFFORT_STANDARD, .seeds = 100,
		.random_first = 1, .random_n = 100, .jobs = 2}};
	struct bars bars = {.slack = 1};
	double memory[DRIVES_MAX], most = 0;
	struct still still;

	if (!parse(argc, argv, &o)) {
		fprintf(stderr, "accuracy: see the head of tests/accuracy/accuracy.c\n");
		return 2;
	}
	tell_head(&o);
	o.field.drives = field_drives();
	for (unsigned d = 0; d < o.field.drives && d < DRIVES_MAX; d++) {
		memory[d] = memory_mib(&o.field, d);
		most = fmax(most, memory[d]);
	}
	if (field_run(&o.field))
		return 2;
	bars_judge(&o.field, &bars);
	bars_add(&bars, most <= MEMORY_LIMIT_MIB, "memory of a run: at most 16 MiB", "%.1f MiB", most);
	still_run(&still, o.still, o.field.jobs);
	bars_add(&bars, still.known == 0, "rotation where nothing turns: never",
		"%u of %u%s%s", still.known, still.runs, still.known ? ", last on " : "",
		still.known ? still.spec : "");
	bars_add(&bars, o.field.broken == 0, "every run ends well", "%u did not", o.field.broken);
	tell_bars(&bars);
	tell_costs(&o.field, memory);
	tell_curves(&o.field);
	tell_figures(&o.field);
	field_release(&o.field);
	return 0;
}
