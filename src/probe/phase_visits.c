/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of visits, and what a visit is judged by. */
#include "probe/phase_visits.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "probe/phase.h"
#include "stat/robust.h"

#define KEY         "rotation.visits"
#define FAST_MARGIN 150e-6 /* s */
#define FAST_JITTER 8.0    /* of the scatter of answers from the cache */
#define NO_CACHE_S  0.003  /* answers "from the cache" that take longer come from the medium */
#define REREADS     9u

void visits_init(struct visits *v)
{
	v->at = mem_zalloc(VISITS_MAX, sizeof(*v->at));
	v->n = 0;
}

void visits_release(struct visits *v)
{
	free(v->at);
	v->at = NULL;
}

void visits_add(struct visits *v, const struct visit *visit)
{
	if (v->n < VISITS_MAX)
		v->at[v->n++] = *visit;
}

void visits_load(struct visits *v, const struct doc *doc)
{
	const struct series *s = doc_find_series(doc, KEY);

	v->n = 0;
	for (size_t i = 0; s && i < s->rows; i++) {
		const double *row = s->values + i * s->columns;

		visits_add(v, &(struct visit){(unsigned)row[0], (unsigned)row[1], (uint64_t)row[2],
			row[3], row[4]});
	}
}

void visits_save(const struct visits *v, struct doc *doc)
{
	struct series *s = doc_series(doc, KEY);

	s->rows = 0;
	for (size_t i = 0; i < v->n; i++) {
		const struct visit *x = &v->at[i];
		double row[] = {x->run, x->anchor, (double)x->offset, x->shift_s, x->done_s};

		series_add(s, row);
	}
}

size_t visits_rows(const struct visits *v, struct period_row *rows, size_t *source)
{
	unsigned run[PERIOD_ANCHORS_MAX], anchor[PERIOD_ANCHORS_MAX], known = 0;
	size_t n = 0;

	for (size_t i = 0; i < v->n; i++) {
		const struct visit *x = &v->at[i];
		unsigned k = 0;

		while (k < known && (run[k] != x->run || anchor[k] != x->anchor))
			k++;
		if (k == PERIOD_ANCHORS_MAX)
			continue;
		if (k == known) {
			run[k] = x->run;
			anchor[k] = x->anchor;
			known++;
		}
		if (source)
			source[n] = i;
		rows[n++] = (struct period_row){x->done_s, x->shift_s, k};
	}
	return n;
}

/* Re-reads of one place, one at a time: a session may have room for no more. */
static int reread(struct session *s, double *hit_s)
{
	uint32_t unit = phase_unit(s->doc, &s->drive->info);
	double latency_s[REREADS];
	size_t n = 0;
	int status = 0;

	for (size_t i = 0; i < REREADS + 1 && status == 0; i++) {
		s->ios[0] = (struct io){.offset = s->scope->from_bytes, .length = unit};
		status = session_run(s, 1, 1, 0);
		if (i && s->ios[0].error == 0)
			latency_s[n++] = (double)(s->ios[0].done_ns - s->ios[0].sent_ns) / 1e9;
	}
	*hit_s = stat_median(latency_s, n);
	return status;
}

int phase_fast_s(struct session *s, double *fast_s)
{
	double hit_s = doc_value(s->doc, "clock.hit_s"), jitter_s;
	int status = 0;

	if (isnan(hit_s) &&
		s->scope->to_bytes - s->scope->from_bytes >= phase_unit(s->doc, &s->drive->info))
		status = reread(s, &hit_s);
	jitter_s = doc_value(s->doc, "clock.jitter_s");
	if (isnan(jitter_s))
		jitter_s = 0;
	*fast_s = isnan(hit_s) || hit_s > NO_CACHE_S
			  ? 0
			  : hit_s + fmin(fmax(FAST_MARGIN, FAST_JITTER * jitter_s), NO_CACHE_S / 2);
	return status;
}

double phase_clock_error(const struct session *s)
{
	double ratio = doc_value(s->doc, "clock.error_ratio");

	return isnan(ratio) ? s->drive->info.clock_error_ratio : ratio;
}
