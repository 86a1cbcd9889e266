/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A list in the order in which things were told, with a table of hashes beside it: a drive may tell some
 * thousand, and each is looked for before it is put. */
#include "doc/facts.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

static void release_one(struct fact *f)
{
	free(f->path);
	free(f->source);
	free(f->text);
	free(f->other);
	free(f->other_source);
}

void facts_release(struct facts *facts)
{
	for (size_t i = 0; i < facts->n; i++)
		release_one(&facts->facts[i]);
	free(facts->facts);
	free(facts->places);
	*facts = (struct facts){0};
}

/* Where the path is in the table or would be; the table is a power of two and never full. FNV-1a. */
static uint32_t *place_of(const struct facts *facts, const char *path)
{
	uint32_t hash = 2166136261u;
	size_t at;

	for (const char *p = path; *p; p++)
		hash = (hash ^ (unsigned char)*p) * 16777619u;
	for (at = hash; facts->places[at & (facts->places_n - 1)]; at++) {
		uint32_t i = facts->places[at & (facts->places_n - 1)] - 1;

		if (strcmp(facts->facts[i].path, path) == 0)
			break;
	}
	return &facts->places[at & (facts->places_n - 1)];
}

/* Enters every fact that is not in the table yet. */
static void place_all(struct facts *facts)
{
	if (2 * facts->n >= facts->places_n) {
		facts->places_n = 64;
		while (facts->places_n < 4 * facts->n)
			facts->places_n *= 2;
		free(facts->places);
		facts->places = mem_zalloc(facts->places_n, sizeof(*facts->places));
		facts->placed = 0;
	}
	for (; facts->placed < facts->n; facts->placed++)
		*place_of(facts, facts->facts[facts->placed].path) = (uint32_t)facts->placed + 1;
}

void facts_copy(struct facts *to, const struct facts *from)
{
	*to = (struct facts){.n = from->n, .capacity = from->n, .dropped = from->dropped};
	to->facts = mem_copy(from->facts, from->n, sizeof(*to->facts));
	for (size_t i = 0; i < to->n; i++) {
		struct fact *f = &to->facts[i];

		f->path = mem_strdup(f->path);
		f->source = mem_strdup(f->source);
		f->text = mem_strdup(f->text);
		f->other = mem_strdup(f->other);
		f->other_source = mem_strdup(f->other_source);
	}
	place_all(to);
}

const struct fact *facts_find(const struct facts *facts, const char *path)
{
	uint32_t place;

	if (!facts->n)
		return NULL;
	place = *place_of(facts, path);
	return place ? &facts->facts[place - 1] : NULL;
}

/* Sources pad, join and fold names as they like. */
static bool same_text(const char *a, const char *b)
{
	for (;; a++, b++) {
		while (*a == ' ')
			a++;
		while (*b == ' ')
			b++;
		if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
			return false;
		if (!*a)
			return true;
	}
}

static bool same(const struct fact *a, const struct fact *b)
{
	if (a->type == FACT_TEXT || b->type == FACT_TEXT)
		return a->type == b->type && same_text(a->text, b->text);
	return (a->type == FACT_REAL ? a->real : (double)a->integer) ==
	       (b->type == FACT_REAL ? b->real : (double)b->integer);
}

static char *words_of(const struct fact *f)
{
	struct text t = {0};

	switch (f->type) {
	case FACT_INTEGER: text_add(&t, "%lld", (long long)f->integer); break;
	case FACT_REAL: text_add(&t, "%.15g", f->real); break;
	case FACT_FLAG: text_add(&t, "%s", f->integer ? "true" : "false"); break;
	case FACT_TEXT: text_add(&t, "%s", f->text); break;
	}
	return text_take(&t);
}

/* f's text, if any, is handed over. */
static void put(struct facts *facts, struct fact *f, const char *source, const char *path)
{
	struct fact *there = (struct fact *)facts_find(facts, path);

	if (there) {
		if (!same(there, f) && !there->other) {
			there->other = words_of(f);
			there->other_source = mem_strdup(source);
		}
		free(f->text);
		return;
	}
	if (facts->n >= FACTS_MAX) {
		facts->dropped++;
		free(f->text);
		return;
	}
	f->path = mem_strdup(path);
	f->source = mem_strdup(source);
	facts->facts = mem_grow(facts->facts, facts->n, &facts->capacity, sizeof(*facts->facts));
	facts->facts[facts->n++] = *f;
	place_all(facts);
}

#define PATH_FROM(format, path)                                  \
	do {                                                     \
		va_list ap;                                      \
		va_start(ap, format);                            \
		vsnprintf((path), sizeof(path), (format), ap);   \
		va_end(ap);                                      \
	} while (0)

void facts_integer(struct facts *facts, const char *source, int64_t value, const char *format, ...)
{
	struct fact f = {.type = FACT_INTEGER, .integer = value};
	char path[FACT_PATH_MAX];

	PATH_FROM(format, path);
	put(facts, &f, source, path);
}

void facts_real(struct facts *facts, const char *source, double value, const char *format, ...)
{
	struct fact f = {.type = FACT_REAL, .real = value};
	char path[FACT_PATH_MAX];

	PATH_FROM(format, path);
	if (isfinite(value))
		put(facts, &f, source, path);
}

void facts_flag(struct facts *facts, const char *source, bool value, const char *format, ...)
{
	struct fact f = {.type = FACT_FLAG, .integer = value};
	char path[FACT_PATH_MAX];

	PATH_FROM(format, path);
	put(facts, &f, source, path);
}

void facts_text(struct facts *facts, const char *source, enum fact_privacy privacy,
	const char *value, const char *format, ...)
{
	struct fact f = {.type = FACT_TEXT, .privacy = privacy};
	char path[FACT_PATH_MAX];
	size_t size = strlen(value) + 1;

	PATH_FROM(format, path);
	f.text = mem_zalloc(size, 1);
	text_copy_clean(f.text, size, value);
	if (f.text[0])
		put(facts, &f, source, path);
	else
		free(f.text);
}

double facts_number(const struct facts *facts, const char *path)
{
	const struct fact *f = facts_find(facts, path);

	if (!f || f->type == FACT_TEXT)
		return NAN;
	return f->type == FACT_REAL ? f->real : (double)f->integer;
}

int facts_is(const struct facts *facts, const char *path)
{
	const struct fact *f = facts_find(facts, path);

	return f && f->type == FACT_FLAG ? f->integer != 0 : -1;
}

const char *facts_words(const struct facts *facts, const char *path)
{
	const struct fact *f = facts_find(facts, path);

	return f && f->type == FACT_TEXT ? f->text : "";
}

size_t facts_length(const struct facts *facts, const char *path)
{
	size_t prefix = strlen(path), length = 0;

	for (size_t i = 0; i < facts->n; i++) {
		const char *p = facts->facts[i].path;
		unsigned long at;

		if (strncmp(p, path, prefix) != 0 || p[prefix] != '[')
			continue;
		at = strtoul(p + prefix + 1, NULL, 10);
		if (at + 1 > length && at < FACTS_MAX)
			length = at + 1;
	}
	return length;
}
