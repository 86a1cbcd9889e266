/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One number a run, sorted. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/mem.h"
#include "sim/sim.h"
#include "tests/truth/bars.h"

static double number_of(const struct outcome *o, enum number kind, size_t which)
{
	const struct cell *c = kind <= NUMBER_RELATIVE_WIDTH ? &o->cells[which] : NULL;

	if (!o->done || (c && cell_judged(c) == 0))
		return NAN;
	switch (kind) {
	case NUMBER_RELATIVE_ERROR: return fabs(c->value / c->truth - 1);
	case NUMBER_ABSOLUTE_ERROR: return fabs(c->value - c->truth);
	case NUMBER_RELATIVE_WIDTH: return 2 * c->half_sum / cell_judged(c);
	case NUMBER_SCORE: return o->scores[which];
	case NUMBER_DRIVE_S: return o->cost.drive_s;
	case NUMBER_CPU_S: return o->cost.cpu_s;
	case NUMBER_READS: return (double)o->cost.reads;
	}
	return NAN;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

struct numbers numbers_of(const struct field *f, unsigned drive, enum number kind, size_t which)
{
	unsigned runs = field_runs(f, drive);
	struct numbers n = {.values = mem_zalloc(runs + 1, sizeof(double))};

	for (unsigned k = 0; k < runs; k++) {
		double x = number_of(field_outcome(f, drive, k), kind, which);

		if (isfinite(x))
			n.values[n.n++] = x;
	}
	qsort(n.values, n.n, sizeof(double), ascending);
	return n;
}

double numbers_quantile(const struct numbers *n, double q)
{
	size_t at = (size_t)ceil(q * (double)n->n);

	if (!n->n)
		return NAN;
	return n->values[at > 0 ? at - 1 : 0];
}

double numbers_mean(const struct numbers *n)
{
	double sum = 0;

	for (size_t i = 0; i < n->n; i++)
		sum += n->values[i];
	return n->n ? sum / (double)n->n : NAN;
}

void field_truth(const struct field *f, unsigned drive, unsigned k, struct truth *t)
{
	char name[64];

	if (drive < f->drives)
		snprintf(name, sizeof(name), "%s", sim_name_at(drive, NULL));
	else
		snprintf(name, sizeof(name), "random:%u", f->random_first + k);
	if (truth_of_spec(name, t, NULL))
		truth_init(t);
}

const char *field_name(const struct field *f, unsigned drive)
{
	return drive < f->drives ? sim_name_at(drive, NULL) : "random";
}
