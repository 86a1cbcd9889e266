/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The truth matrix: every probe on every simulated drive, many seeds each, and every interval held
 * against what was planted. TAP on stdout.
 *
 *   truth [--seeds N] [--probe NAME] [--drive NAME] [--table] [--print] [--jobs N]
 *
 * Seeds (100 unless told otherwise) choose both the specimen of the drive (its phase, its speed, its
 * noise) and the probe's own draws. An interval of 95 % must hold the truth in at least 88 of 100
 * seeds for each pair, and in 93 to 98 % of all. Work is shared out to processes by drive; results
 * come back in shared memory. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe/probe.h"
#include "sim/sim.h"
#include "stat/distribution.h"
#include "tests/truth/faults.h"
#include "tests/truth/question.h"

#define DRIVES_MAX   40
#define CELLS_MAX    48
#define RANDOM_SEEDS 60u
#define ALL_SEEDS    100u
#define CLAIMED      0.95
#define PAIR_LEAST   0.88
#define POOL_LEAST   0.93
#define POOL_MOST    0.98
#define HALF_MOST    0.02

struct options {
	unsigned seeds, jobs;
	const char *probe, *drive;
	bool table, print;
};

struct shared {
	atomic_uint next;   /* piece of work: a drive, then each random drive */
	atomic_uint broken; /* something went wrong that no cell shows */
	struct cell cells[DRIVES_MAX + 1][CELLS_MAX]; /* the last row: random drives */
	struct cell random[RANDOM_SEEDS][CELLS_MAX];
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

static bool same_findings(const struct doc *a, const struct doc *b)
{
	if (a->findings_n != b->findings_n)
		return false;
	for (size_t i = 0; i < a->findings_n; i++) {
		const struct finding *f = &a->findings[i], *g = &b->findings[i];

		if (f->quantity != g->quantity || f->how != g->how || f->samples != g->samples ||
			(f->how != HOW_UNKNOWN && (f->value != g->value || f->low != g->low)))
			return false;
	}
	return true;
}

/* One probe on a fresh specimen. */
static int run_once(const char *spec, const struct probe *probe, uint64_t seed, struct doc *doc)
{
	struct scope scope = {.seed = seed, .runs = 3, .effort = EFFORT_STANDARD};
	struct drive *d;
	struct err e = {0};
	int status = sim_open(spec, probe->path, seed, &d, &e);

	doc_init(doc);
	if (status) {
		printf("# %s: %s\n", spec, e.text);
		return status;
	}
	scope.to_bytes = d->info.size_bytes;
	scope.budget_ns = (uint64_t)(probe->seconds[scope.effort] * 1e9);
	status = probe->run(d, &scope, doc, &e);
	if (status)
		printf("# %s on %s, seed %" PRIu64 ": ended with %d: %s\n", probe->name, spec, seed,
			status, e.text);
	drive_close(d);
	return status;
}

static bool judge_drive(const struct options *o, const char *spec, uint64_t first, uint64_t seeds,
	struct cell *cells)
{
	struct truth truth;
	struct err e = {0};
	struct witness_box box = {.truth = &truth};
	const struct probe *probe;
	bool good = true;

	if (truth_of_spec(spec + strlen("sim:"), &truth, &e)) {
		printf("# %s: %s\n", spec, e.text);
		return false;
	}
	box.oracle = oracle_open(&truth);
	for (size_t k = 0; (probe = probe_at(k)); k++) {
		if (o->probe && strcmp(o->probe, probe->name))
			continue;
		for (box.seed = first; box.seed < first + seeds; box.seed++) {
			struct doc doc;

			if (run_once(spec, probe, box.seed, &doc))
				good = false;
			box.doc = &doc;
			if (o->print)
				printf("# -- %s on %s\n", probe->name, spec);
			question_judge(&box, probe->name, cells, o->print);
			if (box.seed == first) {
				struct doc again;

				if (run_once(spec, probe, box.seed, &again) ||
					!same_findings(&doc, &again)) {
					printf("# %s on %s: not the same twice\n", probe->name,
						spec);
					good = false;
				}
				doc_release(&again);
			}
			doc_release(&doc);
		}
	}
	oracle_close(box.oracle);
	return good;
}

static size_t drives_n(void)
{
	size_t n = 0;

	while (n < DRIVES_MAX && sim_name_at(n, NULL))
		n++;
	return n;
}

/* Takes pieces of work until there are none. */
static void work(const struct options *o, struct shared *shared)
{
	size_t n = drives_n();

	for (;;) {
		unsigned piece = atomic_fetch_add(&shared->next, 1);
		char spec[64];
		bool good = true;

		if (piece < n) {
			const char *name = sim_name_at(piece, NULL);

			snprintf(spec, sizeof(spec), "sim:%s", name);
			if (!o->drive || strcmp(o->drive, name) == 0)
				good = judge_drive(
					o, spec, 1 + 1000 * piece, o->seeds, shared->cells[piece]);
		} else if (piece < n + RANDOM_SEEDS) {
			unsigned seed = piece - (unsigned)n;

			snprintf(spec, sizeof(spec), "sim:random:%u", seed + 1);
			if (!o->drive || strcmp(o->drive, "random") == 0 ||
				strcmp(o->drive, spec + strlen("sim:")) == 0)
				good = judge_drive(o, spec, seed + 1, 1, shared->random[seed]);
		} else {
			break;
		}
		if (!good)
			atomic_fetch_add(&shared->broken, 1);
	}
	fflush(stdout);
}

static void add(struct cell *sum, const struct cell *c)
{
	sum->inside += c->inside;
	sum->outside += c->outside;
	sum->unknown += c->unknown;
	sum->unknown_wrong += c->unknown_wrong;
	sum->known_wrong += c->known_wrong;
	sum->no_truth += c->no_truth;
	sum->bias_sum += c->bias_sum;
	sum->half_sum += c->half_sum;
	sum->half_worst = fmax(sum->half_worst, c->half_worst);
}

static unsigned judged(const struct cell *c)
{
	return c->inside + c->outside;
}

static double share(const struct cell *c)
{
	return judged(c) ? (double)c->inside / judged(c) : NAN;
}

/* Whether so few inside is more than bad luck. With all seeds the share itself decides; a shorter run
 * (under sanitizers, while working) only finds what is plainly wrong: rows of one curve, which hang
 * together, and a handful of seeds say no more. */
static bool too_few(const struct cell *c, double least, bool all_seeds)
{
	if (judged(c) == 0)
		return false;
	if (all_seeds)
		return share(c) < least;
	return share(c) < 0.8 && stat_binomial_cdf(c->inside, judged(c), CLAIMED) < 0.001;
}

static void describe(char *dst, size_t size, const struct cell *c)
{
	unsigned n = judged(c);

	snprintf(dst, size,
		"%u of %u hold the truth, half-width %.2f %% (at most %.2f %%), bias %+.2f "
		"half-widths%s%s",
		c->inside, n, n ? c->half_sum / n * 100 : 0.0, c->half_worst * 100,
		n ? c->bias_sum / n : 0.0, c->no_truth ? ", TRUTH NOT DEFINED" : "",
		c->unknown_wrong ? ", UNKNOWN though it exists"
		: c->unknown     ? ", some rightly unknown"
				 : "");
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

static void tell_pair(const char *name, const char *key, const struct cell *c, bool all_seeds)
{
	char text[200];
	bool good = c->unknown_wrong == 0 && c->known_wrong == 0;

	if (c->no_truth) {
		printf("ok %u - %s on %s # SKIP truth is not defined there\n", ++tests, key, name);
		return;
	}
	describe(text, sizeof(text), c);
	if (too_few(c, PAIR_LEAST, all_seeds))
		good = false;
	if (all_seeds && judged(c) && is_ordinary(name) && must_be_sharp(key) &&
		c->half_sum / judged(c) > HALF_MOST)
		good = false;
	tap(good, "%s on %s: %s", key, name, text);
}

static void tell_pool(const char *what, const struct cell *c, bool most, bool all_seeds)
{
	bool good = !too_few(c, POOL_LEAST, all_seeds);

	if (most && all_seeds && share(c) > POOL_MOST)
		good = false;
	tap(good, "%s: %u of %u hold the truth, %.1f %%", what, c->inside, judged(c), share(c) * 100);
}

static void tell_table(struct shared *shared)
{
	size_t n = drives_n();

	printf("# %-36s", "percent inside");
	for (size_t d = 0; d < n; d++)
		printf(" %7.7s", sim_name_at(d, NULL));
	printf(" random\n");
	for (size_t q = 0; q < question_count(); q++) {
		printf("# %-36s", question_key(q));
		for (size_t d = 0; d <= n; d++) {
			const struct cell *c = &shared->cells[d < n ? d : DRIVES_MAX][q];

			if (judged(c))
				printf(" %6.1f%s", share(c) * 100, c->unknown ? "*" : " ");
			else
				printf(" %7s", c->unknown ? "unknown" : c->no_truth ? "?" : "-");
		}
		putchar('\n');
	}
}

static void tell(const struct options *o, struct shared *shared)
{
	size_t n = drives_n();
	struct cell pool = {0}, all_random = {0};
	bool all_seeds = o->seeds >= ALL_SEEDS;

	for (unsigned i = 0; i < RANDOM_SEEDS; i++)
		for (size_t q = 0; q < question_count(); q++)
			add(&shared->cells[DRIVES_MAX][q], &shared->random[i][q]);
	if (o->table)
		tell_table(shared);
	for (size_t q = 0; q < question_count(); q++) {
		struct cell sum = {0};
		char what[80];

		for (size_t d = 0; d < n; d++) {
			const struct cell *c = &shared->cells[d][q];

			if (judged(c) || c->unknown || c->unknown_wrong || c->known_wrong ||
				c->no_truth)
				tell_pair(sim_name_at(d, NULL), question_key(q), c, all_seeds);
			add(&sum, c);
		}
		if (judged(&sum) == 0)
			continue;
		snprintf(what, sizeof(what), "%s on all drives", question_key(q));
		/* curves have rows that share one estimate of scatter: their own line, not the
		 * pool's */
		tell_pool(what, &sum, q >= question_count() - QUESTION_CURVES, all_seeds);
		if (q < question_count() - QUESTION_CURVES) {
			add(&pool, &sum);
			add(&all_random, &shared->cells[DRIVES_MAX][q]);
		}
	}
	if (judged(&pool) && !o->probe && !o->drive)
		tell_pool("everything, pooled", &pool, true, all_seeds);
	if (judged(&all_random)) {
		tell_pool("random drives, pooled", &all_random, false, true);
		tap(all_random.unknown_wrong == 0, "random drives: %u unknown though they exist",
			all_random.unknown_wrong);
	}
	tap(atomic_load(&shared->broken) == 0, "every probe ends well, and the same twice");
}

static void tell_faults(const struct options *o)
{
	static const char *const drives[] = {"sim:hts725050a9a362", "sim:6e040l0"};
	const struct probe *probe;

	for (size_t d = 0; d < sizeof(drives) / sizeof(drives[0]); d++)
		for (size_t k = 0; (probe = probe_at(k)); k++) {
			unsigned runs;
			bool good;

			if ((o->probe && strcmp(o->probe, probe->name)) ||
				(o->drive && strcmp(o->drive, drives[d] + strlen("sim:"))))
				continue;
			good = faults_everywhere(probe, drives[d], &runs);
			tap(good, "any single fault while %s runs on %s (%u runs)", probe->name,
				drives[d], runs);
		}
}

static bool parse(int argc, char **argv, struct options *o)
{
	static const struct option names[] = {
		{"seeds", required_argument, NULL, 's'},
		{"probe", required_argument, NULL, 'p'},
		{"drive", required_argument, NULL, 'd'},
		{"jobs", required_argument, NULL, 'j'},
		{"table", no_argument, NULL, 't'},
		{"print", no_argument, NULL, 'P'},
		{NULL, 0, NULL, 0},
	};
	int c;

	while ((c = getopt_long(argc, argv, "", names, NULL)) != -1) {
		switch (c) {
		case 's': o->seeds = (unsigned)strtoul(optarg, NULL, 10); break;
		case 'j': o->jobs = (unsigned)strtoul(optarg, NULL, 10); break;
		case 'p': o->probe = optarg; break;
		case 'd': o->drive = optarg; break;
		case 't': o->table = true; break;
		case 'P': o->print = true; break;
		default: return false;
		}
	}
	return o->seeds > 0 && o->jobs > 0 && optind == argc;
}

int main(int argc, char **argv)
{
	struct options o = {.seeds = ALL_SEEDS, .jobs = 2};
	struct shared *shared;
	int status;

	if (!parse(argc, argv, &o)) {
		fprintf(stderr, "truth: see the head of tests/truth/truth.c\n");
		return 2;
	}
	shared = mmap(
		NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED || question_count() > CELLS_MAX)
		return 2;
	for (unsigned i = 1; i < o.jobs; i++) {
		fflush(stdout);
		if (fork() == 0) {
			work(&o, shared);
			_exit(0);
		}
	}
	work(&o, shared);
	while (wait(&status) > 0)
		if (status)
			atomic_fetch_add(&shared->broken, 1);
	tell(&o, shared);
	tell_faults(&o);
	printf("1..%u\n", tests);
	return 0;
}
