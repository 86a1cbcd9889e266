/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a drive, or the system about it, says of itself: a flat list of named values, each with
 * where it was read. A name is a path in smartctl's JSON where the meaning is the same ("temperature.
 * current", "ata_smart_attributes.table[3].raw.value"), so that the list is that object once it is
 * written. What was not told is not in the list: nothing here stands for "unknown". */
#ifndef DOC_FACTS_H
#define DOC_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum fact_type { FACT_INTEGER, FACT_REAL, FACT_FLAG, FACT_TEXT };

/* Who may see a text: everybody · the last four characters, unless whole serials are shown (it
 * names the specimen) · nobody, unless the full identity is shown (it names a person, place, host). */
enum fact_privacy { FACT_OPEN, FACT_SPECIMEN, FACT_PRIVATE };

struct fact {
	char *path;
	char *source;    /* "IDENTIFY DEVICE", "sysfs", "VPD B1h", … */
	enum fact_type type;
	enum fact_privacy privacy;
	int64_t integer; /* FACT_INTEGER; FACT_FLAG: 0 or 1 */
	double real;     /* FACT_REAL, finite */
	char *text;      /* FACT_TEXT, clean UTF-8 */
	char *other;        /* another source said this instead; NULL: none did */
	char *other_source;
};

#define FACTS_MAX 8192 /* more are counted, not kept */
#define FACT_PATH_MAX 160

struct facts { /* {0} is empty and ready */
	struct fact *facts; /* in the order in which they were first put */
	size_t n, capacity;
	size_t dropped;
	uint32_t *places; /* facts.c's own: where the fact of a path is, plus one; by hash */
	size_t places_n, placed;
};

void facts_release(struct facts *facts);
void facts_copy(struct facts *to, const struct facts *from); /* to is overwritten, not released */

/* Puts a value under the path that format makes. Sources are asked in the order in which they are
 * trusted: where the path has a value already that value stays, and one that differs is kept beside
 * it (texts: blanks and case do not count) for the reader to be told. Text is cleaned; an empty one
 * and a real that is not finite are not put. */
void facts_integer(struct facts *facts, const char *source, int64_t value, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void facts_real(struct facts *facts, const char *source, double value, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void facts_flag(struct facts *facts, const char *source, bool value, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void facts_text(struct facts *facts, const char *source, enum fact_privacy privacy,
	const char *value, const char *format, ...) __attribute__((format(printf, 5, 6)));

/* NULL: not told. Valid until the next put. */
const struct fact *facts_find(const struct facts *facts, const char *path);
double facts_number(const struct facts *facts, const char *path);    /* NAN: not told, or a text */
int facts_is(const struct facts *facts, const char *path);           /* 1, 0; -1: not told */
const char *facts_words(const struct facts *facts, const char *path); /* "": not told */
/* One more than the highest i for which something under "path[i]" was told. */
size_t facts_length(const struct facts *facts, const char *path);

#endif
