/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A piece of work is a built-in drive with all its seeds, so that its oracle works things out once,
 * or one random drive. */
#include "tests/truth/field.h"

#include <errno.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/sim.h"

#define PREFIX "sim:"
/* seeds of built-in drives: those of each apart */
#define SEEDS_APART 1000u
#define CLAIMED 0.95

struct shared {
	atomic_uint next;
	atomic_uint broken;
	struct outcome outcomes[];
};

static struct shared *shared_of(const struct field *f)
{
	return (struct shared *)(void *)((char *)f->outcomes - offsetof(struct shared, outcomes));
}

static size_t bytes_of(const struct field *f)
{
	return sizeof(struct shared) +
		((size_t)f->drives * f->seeds + f->random_n) * sizeof(struct outcome);
}

static bool chosen(const struct field *f, const char *name)
{
	return !f->drive || strcmp(f->drive, name) == 0 ||
		(strcmp(f->drive, "random") == 0 && strncmp(name, "random:", 7) == 0);
}

/* seeds runs on one drive, from first_seed on, into outcomes. false: something was wrong. */
static bool run_drive(const struct field *f, const char *name, uint64_t first_seed, unsigned seeds,
	struct outcome *outcomes)
{
	char spec[64];
	struct run run = {.spec = spec, .probe = f->probe, .seed = first_seed,
		.effort = f->effort};
	struct truth truth;
	struct witness_box box = {.truth = &truth};
	struct err e = {0};
	bool good = true;

	snprintf(spec, sizeof(spec), PREFIX "%s", name);
	if (truth_of_spec(name, &truth, &e)) {
		printf("# %s: %s\n", spec, e.text);
		return false;
	}
	box.oracle = oracle_open(&truth);
	if (f->print)
		printf("# -- %s\n", spec);
	for (unsigned k = 0; k < seeds; k++, run.seed++) {
		runner_judge(&run, &box, f->print, &outcomes[k]);
		good = good && !outcomes[k].broken;
	}
	oracle_close(box.oracle);
	run.seed = first_seed;
	return (!f->twice || runner_same_twice(&run)) && good;
}

static void work(const struct field *f)
{
	struct shared *shared = shared_of(f);

	for (;;) {
		unsigned piece = atomic_fetch_add(&shared->next, 1);
		unsigned random = piece - f->drives;
		char name[64];
		bool good = true;

		if (piece >= f->drives + f->random_n)
			break;
		if (piece < f->drives)
			snprintf(name, sizeof(name), "%s", sim_name_at(piece, NULL));
		else
			snprintf(name, sizeof(name), "random:%u", f->random_first + random);
		if (!chosen(f, name))
			continue;
		if (piece < f->drives)
			good = run_drive(f, name, 1 + SEEDS_APART * piece, f->seeds,
				&shared->outcomes[(size_t)piece * f->seeds]);
		else
			good = run_drive(f, name, f->random_first + random, 1,
				&shared->outcomes[(size_t)f->drives * f->seeds + random]);
		if (!good)
			atomic_fetch_add(&shared->broken, 1);
	}
	fflush(stdout);
}

unsigned field_drives(void)
{
	unsigned n = 0;

	while (sim_name_at(n, NULL))
		n++;
	return n;
}

int field_run(struct field *f)
{
	struct shared *shared;
	int status;

	f->drives = field_drives();
	if (question_count() > QUESTIONS_MAX)
		return -ENOMEM;
	shared = mmap(NULL, bytes_of(f), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return -ENOMEM;
	f->outcomes = shared->outcomes;
	fflush(stdout);
	for (unsigned i = 1; i < f->jobs; i++)
		if (fork() == 0) {
			work(f);
			_exit(0);
		}
	work(f);
	while (wait(&status) > 0)
		if (status)
			atomic_fetch_add(&shared->broken, 1);
	f->broken = atomic_load(&shared->broken);
	return 0;
}

void field_release(struct field *f)
{
	munmap(shared_of(f), bytes_of(f));
}

const struct outcome *field_outcome(const struct field *f, unsigned drive, unsigned k)
{
	return &f->outcomes[(size_t)drive * f->seeds + k];
}

unsigned field_runs(const struct field *f, unsigned drive)
{
	return drive < f->drives ? f->seeds : f->random_n;
}

void cell_add(struct cell *sum, const struct cell *c)
{
	sum->inside += c->inside;
	sum->outside += c->outside;
	sum->unknown += c->unknown;
	sum->refused += c->refused;
	sum->known_wrong += c->known_wrong;
	sum->no_truth += c->no_truth;
	sum->bias_sum += c->bias_sum;
	sum->half_sum += c->half_sum;
	sum->half_worst = fmax(sum->half_worst, c->half_worst);
	sum->error_sum += c->error_sum;
}

struct cell field_cell(const struct field *f, unsigned drive, size_t question)
{
	struct cell sum = {0};

	for (unsigned k = 0; k < field_runs(f, drive); k++)
		cell_add(&sum, &field_outcome(f, drive, k)->cells[question]);
	return sum;
}

unsigned cell_judged(const struct cell *c)
{
	return c->inside + c->outside;
}

double cell_share(const struct cell *c)
{
	return cell_judged(c) ? (double)c->inside / cell_judged(c) : NAN;
}

/* The claims of one document on the pooled questions. */
static struct cell one_document(
	const struct outcome *o, bool (*which)(const struct question *q))
{
	struct cell sum = {0};
	const struct question *q;

	for (size_t i = 0; (q = question_at(i)); i++)
		if (which(q))
			cell_add(&sum, &o->cells[i]);
	return sum;
}

struct pool field_pool(const struct field *f, bool (*which)(const struct question *q),
	bool built_in, bool random)
{
	double nn = 0, ni = 0, ii = 0;
	struct pool pool = {0};
	double n, p;

	for (unsigned d = built_in ? 0 : f->drives; d < f->drives + (random ? 1 : 0); d++)
		for (unsigned k = 0; k < field_runs(f, d); k++) {
			struct cell c = one_document(field_outcome(f, d, k), which);
			double judged = cell_judged(&c);

			pool.inside += c.inside;
			pool.judged += cell_judged(&c);
			nn += judged * judged;
			ni += judged * c.inside;
			ii += (double)c.inside * c.inside;
		}
	n = pool.judged;
	p = n > 0 ? pool.inside / n : NAN;
	pool.share = p;
	/* ratio of sums over documents, each one draw (Cochran, Sampling Techniques, ch. 6); of few
	 * documents at least what independent claims would have */
	pool.se = n > 0 ? fmax(sqrt(fmax(ii - 2 * p * ni + p * p * nn, 0)) / n,
		sqrt(CLAIMED * (1 - CLAIMED) / n)) : NAN;
	return pool;
}
