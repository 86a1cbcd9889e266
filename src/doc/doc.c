/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The document owns everything in it: strings of findings are copied in and freed when replaced.
 * Arrays grow by doubling. Looking up is a walk along a few dozen findings, in the order in which
 * they were put; renderers follow the catalogue's order instead. */
#include "doc/doc.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

void doc_init(struct doc *doc)
{
	*doc = (struct doc){.version = {DOC_FORMAT_MAJOR, DOC_FORMAT_MINOR}};
	snprintf(doc->platter_version, sizeof(doc->platter_version), "%s", PLATTER_VERSION);
}

static void release_finding(struct finding *f)
{
	free((void *)f->text);
	free((void *)f->method);
	free((void *)f->why_not);
}

void doc_release(struct doc *doc)
{
	for (size_t i = 0; i < doc->findings_n; i++)
		release_finding(&doc->findings[i]);
	for (size_t i = 0; i < doc->series_n; i++)
		free(doc->series[i].values);
	for (size_t i = 0; i < doc->notes_n; i++)
		free(doc->notes[i]);
	for (char **arg = doc->settings.argv; arg && *arg; arg++)
		free(*arg);
	free(doc->settings.argv);
	facts_release(&doc->smart);
	facts_release(&doc->smart_after);
	facts_release(&doc->contents);
	signs_release(&doc->signs);
	free(doc->findings);
	free(doc->series);
	free(doc->events);
	free(doc->notes);
	free(doc->parts);
	*doc = (struct doc){0};
}

static struct finding *find(const struct doc *doc, const char *key)
{
	for (size_t i = 0; i < doc->findings_n; i++)
		if (strcmp(doc->findings[i].quantity->key, key) == 0)
			return &doc->findings[i];
	return NULL;
}

/* What a finding must be for anyone to put it; reading a file checks the same before it puts. */
static bool is_sound(const struct finding *f)
{
	if (f->how == HOW_UNKNOWN)
		return f->why_not && f->why_not[0];
	if (f->text)
		return true;
	if (!isfinite(f->value))
		return false;
	if (isnan(f->low) && isnan(f->high))
		return true;
	return isfinite(f->low) && isfinite(f->high) && f->low <= f->value && f->value <= f->high;
}

void doc_put(struct doc *doc, const char *key, const struct finding *finding)
{
	struct finding copy = *finding;
	struct finding *place = find(doc, key);

	copy.quantity = quantity_find(key);
	assert(copy.quantity);
	assert(is_sound(finding));
	/* what cannot be below nothing is not said to be, however wide the interval */
	if (copy.quantity->unit != UNIT_NONE && copy.value >= 0 && copy.low < 0)
		copy.low = 0;
	copy.text = mem_strdup(finding->text);
	copy.method = mem_strdup(finding->method);
	copy.why_not = mem_strdup(finding->why_not);
	if (place) {
		release_finding(place);
	} else {
		doc->findings = mem_grow(doc->findings, doc->findings_n, &doc->findings_capacity,
			sizeof(*doc->findings));
		place = &doc->findings[doc->findings_n++];
	}
	*place = copy;
}

void doc_put_unknown(struct doc *doc, const char *key, const char *method, const char *format, ...)
{
	struct text why = {0};
	va_list ap;

	va_start(ap, format);
	text_add_v(&why, format, ap);
	va_end(ap);
	doc_put(doc, key, &(struct finding){
		.how = HOW_UNKNOWN, .value = NAN, .low = NAN, .high = NAN, .spread = NAN,
		.method = method, .why_not = text_chars(&why),
	});
	text_release(&why);
}

const struct finding *doc_find(const struct doc *doc, const char *key)
{
	return find(doc, key);
}

double doc_value(const struct doc *doc, const char *key)
{
	const struct finding *f = find(doc, key);

	return f && f->how != HOW_UNKNOWN && !f->text ? f->value : NAN;
}

const struct series *doc_find_series(const struct doc *doc, const char *key)
{
	for (size_t i = 0; i < doc->series_n; i++)
		if (strcmp(doc->series[i].kind->key, key) == 0)
			return &doc->series[i];
	return NULL;
}

struct series *doc_series(struct doc *doc, const char *key)
{
	const struct series_kind *kind = series_kind_find(key);
	struct series *s;

	assert(kind);
	for (size_t i = 0; i < doc->series_n; i++)
		if (doc->series[i].kind == kind)
			return &doc->series[i];
	doc->series = mem_grow(doc->series, doc->series_n, &doc->series_capacity,
		sizeof(*doc->series));
	s = &doc->series[doc->series_n++];
	*s = (struct series){.kind = kind};
	while (s->columns < SERIES_COLUMNS_MAX && kind->columns[s->columns])
		s->columns++;
	return s;
}

void series_add(struct series *series, const double *values)
{
	series->values = mem_grow(series->values, series->rows, &series->capacity,
		series->columns * sizeof(double));
	memcpy(series->values + series->rows * series->columns, values,
		series->columns * sizeof(double));
	series->rows++;
}

void doc_note(struct doc *doc, const char *format, ...)
{
	struct text note = {0};
	va_list ap;

	va_start(ap, format);
	text_add_v(&note, format, ap);
	va_end(ap);
	for (size_t i = 0; i < doc->notes_n; i++) {
		if (strcmp(doc->notes[i], text_chars(&note)) == 0) {
			text_release(&note);
			return;
		}
	}
	doc->notes = mem_grow(doc->notes, doc->notes_n, &doc->notes_capacity,
		sizeof(*doc->notes));
	doc->notes[doc->notes_n++] = text_take(&note);
}

void doc_event(struct doc *doc, const struct event *event)
{
	if (doc->events_n >= DOC_EVENTS_MAX) {
		doc->events_dropped++;
		return;
	}
	doc->events = mem_grow(doc->events, doc->events_n, &doc->events_capacity,
		sizeof(*doc->events));
	doc->events[doc->events_n++] = *event;
}

const char *how_name(enum how how)
{
	switch (how) {
	case HOW_MEASURED: return "measured";
	case HOW_DERIVED: return "derived";
	case HOW_REPORTED: return "reported";
	case HOW_UNKNOWN: break;
	}
	return "unknown";
}
