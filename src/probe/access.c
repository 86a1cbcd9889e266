/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random reads, one at a time, uniform over the region; where the rotation is known, mixed with moves
 * over chosen distances, from all of which the curve under them is fitted. A pilot tells how many
 * reads bring the mean's interval to where it should be, as far as the budget goes. The number is
 * fixed before the reads are made, so that chance does not choose when to stop.
 * Plain mean: Student's t. Percentiles: order statistics, or unknown with the number of reads it
 * would take. The mean that counts is that of curve and rotation, unless the plain one denies it. */
#include "probe/probe_table.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "probe/access_reads.h"
#include "probe/phase.h"
#include "stat/histogram.h"
#include "stat/robust.h"

#define PILOT_READS   100u
#define PILOT_MIXED   200u
#define READS_MIN     200u
#define READS_MIXED   580u  /* of which 380 are random: the 99 % quantile needs 368 */
#define READS_FULL    4000u /* the 99.9 % quantile needs 3688 */
#define READS_MAX     60000u
#define BATCH_READS   64u    /* a sample: what is thrown away together where it was spoiled */
#define ASKED_MOST    4u     /* times the reads wanted: the rest was spoiled */
#define QUIET_LEAST   50u    /* random reads that nobody disturbed, where somebody did others */
#define OFF_SUSPECT   0.02 /* of the reads, later than a move and a revolution: no drive's own */
#define HALF_WIDTH    0.016  /* of the mean, */
#define MODEL_HALF    0.006  /* and of that of curve and rotation */
#define AGREE_HALVES  2.0
#define FLOOR_RATIO   0.0005 /* of the mean: clock steps and host, not the drive */
#define SCATTER_MAX   2000u  /* rows of access.reads */
#define MEDIUM_LEAST  0.001 /* s */
#define HISTOGRAM_MAX 40u
#define SHORTEST      2e-4 /* of the region: least distance that is chosen */
#define SHORTEST_TRACKS 4.0

struct access {
	struct session s;
	struct access_course course;
	struct access_reads reads;
	double *plain; /* times of the random ones */
	size_t n;      /* of them */
	uint64_t last_offset;
	bool last_known; /* the arm is there still */
	uint64_t by_others; /* samples thrown away because of them */
	struct access_model model;
	bool modelled;
};

static void gather_plain(struct access *a)
{
	a->n = 0;
	for (size_t i = 0; i < a->reads.n; i++)
		if (a->reads.plain[i])
			a->plain[a->n++] = a->reads.latency_s[i];
}

/* How many reads are worth making, after those of the pilot. */
static size_t reads_wanted(const struct access *a)
{
	double mean = stat_mean(a->plain, a->n), sd = stat_sd(a->plain, a->n);
	double wanted = pow(1.96 * sd / (HALF_WIDTH * mean), 2) * 1.1;
	double affordable = (double)session_left_ns(&a->s) * 0.95 / 1e9 / mean;
	double full = READS_FULL, there = (double)a->reads.n;

	if (a->modelled) {
		double half = interval_half(a->model.mean) / a->model.mean.value;

		wanted = fmax(there * pow(half / MODEL_HALF, 2), READS_MIXED);
	}
	/* where reads are cheap, take as many as every percentile needs */
	if (a->s.scope->effort == EFFORT_FULL ||
		full * mean * 4 < (double)a->s.scope->budget_ns / 1e9)
		wanted = fmax(wanted, full * (a->modelled ? 1.55 : 1));
	wanted = fmax(fmin(wanted, affordable + there), READS_MIN);
	return (size_t)fmin(wanted, READS_MAX);
}

/* Adds the first n of the requests that were answered well. Whether all were issued. */
static bool keep(struct access *a, size_t n, const bool *plain)
{
	struct access_reads *r = &a->reads;
	bool all = true;

	for (size_t i = 0; i < n; i++) {
		const struct io *io = &a->s.ios[i];

		all &= io->error != -ECANCELED;
		if (io->error)
			continue;
		r->plain[r->n] = plain[i];
		r->latency_s[r->n] = (double)(io->done_ns - io->sent_ns) / 1e9;
		r->offset_bytes[r->n] = (double)io->offset;
		r->from_bytes[r->n++] = a->last_known ? (double)a->last_offset : NAN;
		a->last_offset = io->offset;
		a->last_known = true;
	}
	return all;
}

/* Whether the reads of that sample must not count: others were at the drive, or it may be measured again. */
static bool is_spoiled(struct access *a, const struct watched *sample)
{
	uint64_t others = a->s.watch.by[SPOILED_BY_OTHERS];

	if (session_again(&a->s, sample)) {
		a->by_others += a->s.watch.by[SPOILED_BY_OTHERS] - others;
		return true;
	}
	if (a->s.watch.by[SPOILED_BY_OTHERS] == others)
		return false;
	a->by_others++;
	a->s.watch.others_kept--;
	session_throw_away(&a->s, 1, a->s.answered - sample->answered);
	return true;
}

/* Reads on until there are wanted good ones or the budget is spent. */
static int read_until(struct access *a, size_t wanted)
{
	struct session *s = &a->s;
	uint64_t until_ns = s->start_ns + s->scope->budget_ns;
	uint64_t asked = 0;
	bool plain[BATCH_READS];

	while (a->reads.n < wanted && asked < ASKED_MOST * (uint64_t)wanted) {
		size_t left = wanted - a->reads.n, had = a->reads.n;
		size_t batch = session_sample_reads(s, left < BATCH_READS ? left : BATCH_READS);
		struct watched sample = session_watch(s);
		bool all;
		int status;

		access_course_next(&a->course, s->ios, plain, batch);
		status = session_run(s, batch, 1, until_ns);
		all = keep(a, batch, plain);
		if (is_spoiled(a, &sample)) {
			a->reads.n = had;
			a->last_known = false;
		}
		asked += batch;
		if (status)
			return status;
		if (!all)
			break;
	}
	return 0;
}

static struct finding finding_of(const struct access *a, struct interval v, size_t samples)
{
	struct finding f = session_finding(&a->s, v, samples);

	f.request_bytes = a->course.places.request;
	f.depth = 1;
	return f;
}

/* The plain mean; false: there is none. */
static bool put_plain_mean(struct access *a, struct interval *v)
{
	struct finding f;

	if (interval_mean(a->plain, a->n, CONFIDENCE, v) || v->value <= 0)
		return false;
	*v = interval_at_least(*v, FLOOR_RATIO * v->value);
	v->low = fmax(v->low, v->value / 100);
	f = finding_of(a, *v, a->n);
	session_put(&a->s, "access.plain_mean_s", &f);
	return true;
}

/* The mean of curve and rotation; false: there is none, or the plain one denies it. */
static bool put_model_mean(struct access *a, struct interval plain)
{
	struct interval v = a->model.mean;
	struct finding f;

	if (!a->modelled) {
		doc_put_unknown(a->s.doc, "access.model_mean_s", a->s.method, "%s",
			a->model.why_not);
		return false;
	}
	f = finding_of(a, v, a->model.n);
	session_put(&a->s, "access.model_mean_s", &f);
	if (fabs(v.value - plain.value) <= AGREE_HALVES * interval_half(plain))
		return true;
	doc_note(a->s.doc,
		"The mean of random reads, %.2f ms, and what moves and rotation make of it, %.2f ms, "
		"do not agree: this drive is no single arm over one platter's speed, or was "
		"busy. The plain mean is the one that counts.",
		plain.value * 1e3, v.value * 1e3);
	return false;
}

static void put_mean(struct access *a)
{
	struct interval v;
	struct finding f;
	size_t samples = a->n;

	if (!put_plain_mean(a, &v))
		return;
	if (put_model_mean(a, v)) {
		v = a->model.mean;
		samples = a->model.n;
		access_model_put_curve(&a->model, a->s.doc);
	}
	f = finding_of(a, v, samples);
	session_put(&a->s, "access.mean_s", &f);
	v = interval_inverse(v, 1);
	f.value = v.value;
	f.low = v.low;
	f.high = v.high;
	f.how = HOW_DERIVED;
	session_put(&a->s, "access.iops", &f);
}

static void put_quantiles(struct access *a, const double *sorted)
{
	static const struct {
		const char *key;
		double q, percent;
	} rows[] = {
		{"access.p50_s", 0.5, 50},
		{"access.p90_s", 0.9, 90},
		{"access.p99_s", 0.99, 99},
		{"access.p999_s", 0.999, 99.9},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct interval v;
		struct finding f;

		if (interval_quantile(sorted, a->n, rows[i].q, CONFIDENCE, &v)) {
			doc_put_unknown(a->s.doc, rows[i].key, a->s.method,
				"%zu reads cannot bound the %g %% quantile, it needs %zu%s",
				a->n, rows[i].percent,
				interval_quantile_needs(rows[i].q, CONFIDENCE), session_longer(&a->s));
			continue;
		}
		f = finding_of(a, v, a->n);
		session_put(&a->s, rows[i].key, &f);
	}
}

static void put_series(struct access *a, const double *sorted)
{
	struct histogram h;
	struct series *series;

	histogram_log(&h, sorted, a->n, HISTOGRAM_MAX);
	series = doc_series(a->s.doc, "access.histogram");
	for (size_t i = 0; i < h.n; i++) {
		double row[3] = {h.edges[i], h.edges[i + 1], (double)h.counts[i]};

		series_add(series, row);
	}
	series = doc_series(a->s.doc, "access.reads");
	for (size_t i = 0, kept = 0; i < a->reads.n && kept < SCATTER_MAX; i++) {
		const struct access_reads *r = &a->reads;
		double row[3] = {fabs(r->offset_bytes[i] - r->from_bytes[i]), r->latency_s[i],
			r->offset_bytes[i]};

		if (!r->plain[i])
			continue;
		series_add(series, row);
		kept++;
	}
}

/* A platter that turns needs milliseconds: what comes sooner was not read from it. */
static void note_no_medium(struct access *a, const double *sorted)
{
	const struct drive_info *info = &a->s.drive->info;
	double median = stat_quantile_sorted(sorted, a->n, 0.5);

	if (info->rotating == ROTATING_YES && info->path == DRIVE_DIRECT && median < MEDIUM_LEAST)
		doc_note(a->s.doc,
			"This drive says that it rotates, but answers random reads in %.0f us without "
			"visiting the medium: what was read is unmapped, or came from memory. Its "
			"figures are not those of the medium.",
			median * 1e6);
}

/* All that can be said of the reads there are. */
static void put_all(struct access *a)
{
	double *sorted;

	gather_plain(a);
	a->modelled = a->course.mixed && access_model_make(&a->model, &a->reads, &a->s);
	sorted = mem_copy(a->plain, a->n, sizeof(*sorted));
	stat_sort(sorted, a->n);
	put_mean(a);
	put_quantiles(a, sorted);
	put_series(a, sorted);
	note_no_medium(a, sorted);
	free(sorted);
}

/* Looks whether curve and rotation describe the pilot's reads; if not, the rest are random ones. */
static void judge_pilot(struct access *a)
{
	gather_plain(a);
	a->modelled = access_model_make(&a->model, &a->reads, &a->s);
	a->course.mixed &= a->modelled;
}

/* Too few reads that nobody disturbed are left. */
static void put_busy(struct access *a)
{
	const struct quantity *q;

	for (size_t i = 0; (q = quantity_at(i)); i++)
		if (strncmp(q->key, "access.", 7) == 0)
			session_put_busy(&a->s, q->key);
}

static int measure(struct access *a)
{
	struct session *s = &a->s;
	size_t pilot = a->course.mixed ? PILOT_MIXED : PILOT_READS;
	int status = session_warm_up(s);

	a->last_offset = s->scope->from_bytes;
	a->last_known = true;
	if (status == 0)
		status = read_until(a, pilot);
	judge_pilot(a);
	if (status == 0 && a->reads.n >= pilot && stat_mean(a->plain, a->n) > 0)
		status = read_until(a, reads_wanted(a));
	/* stopped early, what there is is still a random sample */
	gather_plain(a);
	if (a->modelled && a->model.fit.off_share > OFF_SUSPECT)
		session_suspect(s);
	if ((a->by_others && a->n < QUIET_LEAST) || session_is_busy(s)) {
		put_busy(a);
		return status;
	}
	if (a->n >= PILOT_READS || (status == 0 && a->n >= 2))
		put_all(a);
	if (status == 0)
		session_unknown(
			s, "only %zu random reads were answered in the time there was", a->n);
	return status;
}

static void init_course(struct access *a, const struct scope *scope)
{
	struct access_course *c = &a->course;
	double region = (double)(scope->to_bytes - scope->from_bytes);
	struct interval track;

	rng_init(&c->rng, scope->seed, 'a');
	c->places = places_of(&a->s);
	c->last = c->places.first;
	c->mixed = phase_known(a->s.doc);
	c->shortest = SHORTEST;
	if (phase_track_bytes(a->s.doc, scope->from_bytes, &track))
		c->shortest = fmin(fmax(SHORTEST, SHORTEST_TRACKS * track.value / region), 0.1);
}

int access_run(struct drive *d, const struct scope *scope, struct doc *doc, struct err *e)
{
	struct access a = {0};
	int status = 0;

	session_start(&a.s, "access", "access/2", BATCH_READS, d, scope, doc, e);
	access_reads_init(&a.reads, READS_MAX + BATCH_READS);
	a.plain = mem_zalloc(READS_MAX + BATCH_READS, sizeof(*a.plain));
	init_course(&a, scope);
	if (places_suffice(&a.course.places, &a.s))
		status = measure(&a);
	session_end(&a.s);
	access_reads_release(&a.reads);
	free(a.plain);
	return status;
}
