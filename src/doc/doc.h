/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The result document: findings, series, events and notes about one drive. One just made and one
 * loaded from a file are the same struct. Base units only (s, bytes, bytes/s, 1/s, rpm, ratios). */
#ifndef DOC_DOC_H
#define DOC_DOC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "doc/facts.h"
#include "doc/identity.h"
#include "doc/quantity.h"
#include "doc/sign.h"

enum how { HOW_UNKNOWN, HOW_MEASURED, HOW_DERIVED, HOW_REPORTED };

/* One figure, or the reason why there is none. */
struct finding {
	enum how how;
	/* measured, derived, reported: */
	double value;
	double low, high;     /* interval; NAN both where there is none (reported values) */
	double confidence;    /* of the interval, e.g. 0.95 */
	uint64_t samples;     /* reads or windows behind it */
	unsigned runs;        /* repeats behind it; 0: not repeated */
	double spread;        /* standard deviation between runs, unit of the value; NAN: no runs */
	const char *text;     /* a word instead of a value ("single_spindle"); NULL: a number */
	/* where and how: */
	const char *method;   /* "access/1": probe and version of its method */
	uint64_t from_bytes, to_bytes; /* region it speaks of */
	uint32_t request_bytes;        /* 0: several or none */
	unsigned depth;                /* 0: several or none */
	double lost_share;    /* samples thrown away (read errors, foreign load), 0..1 */
	bool cached;          /* read through a page cache: not the medium's figure */
	/* unknown: */
	const char *why_not;  /* one sentence */
	/* filled by the document: */
	const struct quantity *quantity;
};

struct series {
	const struct series_kind *kind;
	size_t columns, rows, capacity;
	double *values; /* rows * columns, row after row; NAN is "not known" */
};

/* Something that happened while reading. */
struct event {
	char kind[24];   /* "read_error", "no_answer", "drive_gone", "foreign_load", "stopped",
	                    "time_limit", "slow_read", "spin_up" */
	uint64_t offset; /* bytes */
	uint32_t length; /* bytes, 0: not about one read */
	int error;       /* negative errno, 0 none */
	double at_s;     /* since the start of the survey, drive's clock */
	double took_s;   /* how long it lasted; 0: no matter. Of "slow_read" and "spin_up": the time
	                    of the read */
};
#define DOC_EVENTS_MAX 1000 /* more are counted, not kept */

/* What it was measured with. No host name, no user. */
struct host_facts {
	char kernel[128];  /* "Linux 6.1.0-57-amd64" */
	char machine[32];  /* "x86_64" */
	char cpu[128];
	unsigned cpus;     /* online */
	uint64_t memory_bytes;
	char clock[64];    /* "CLOCK_MONOTONIC_RAW, clock source tsc" */
	char virtual_machine[64]; /* "" not seen */
};

struct settings {
	char **argv;         /* what was asked for, without files and serials; NULL-ended */
	uint64_t seed;
	char effort[16];     /* "quick", "standard", "full" */
	unsigned runs;
	unsigned plan_version;
	uint64_t from_bytes, to_bytes;
	double max_time_s;   /* 0: none */
	char direct[16];     /* "direct", "page_cache", "refused": how the main reads went */
	char read_method[16], queue_method[16];
};

/* What several probes may have to say of themselves is one note: head, then "access 10 %, zones 3 %" in the
 * order it was said, then tail. */
struct note_kind {
	const char *head, *unit, *tail; /* "Left out: ", " %", "." */
	int decimals;                   /* of the amounts */
};
struct note_part {
	size_t note; /* index */
	char subject[24];
	double amount;
};

#define DOC_FORMAT_MAJOR 1 /* what this program writes, and the newest it reads */
#define DOC_FORMAT_MINOR 1

struct doc {
	unsigned version[2];     /* of the format it was read from, or is written in */
	char platter_version[32];
	char start_time[32], end_time[32]; /* "2026-11-30T18:50:02Z"; "" not known */
	double elapsed_s;        /* on the drive's clock */
	struct host_facts host;
	struct settings settings;
	struct identity identity;
	struct facts smart;       /* what the drive said of itself, before it was probed */
	struct facts smart_after; /* … and after it; empty: not asked again */
	struct facts contents;    /* what is on it and who uses it */
	struct signs signs;
	struct finding *findings;
	size_t findings_n, findings_capacity;
	struct series *series;
	size_t series_n, series_capacity;
	struct event *events;
	size_t events_n, events_capacity;
	uint64_t events_dropped;
	char **notes;
	size_t notes_n, notes_capacity;
	struct note_part *parts; /* of notes that several probes share */
	size_t parts_n, parts_capacity;
	bool complete;
	bool simulated;
};

/* An empty document of this program's version; complete is false. Release with doc_release(). */
void doc_init(struct doc *doc);
void doc_release(struct doc *doc);

/* Puts a finding (its strings are copied) under key, replacing an earlier one. Where the unit begins
 * at nothing (all but UNIT_NONE), so does the interval. Asserts that the key
 * is in the catalogue, that a known value is finite and inside its interval, and that an unknown
 * one has a reason. */
void doc_put(struct doc *doc, const char *key, const struct finding *finding);

/* The same for "unknown": method as in struct finding, then the reason, one sentence. */
void doc_put_unknown(struct doc *doc, const char *key, const char *method, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* NULL when nothing was put under key. Valid until the next doc_put. */
const struct finding *doc_find(const struct doc *doc, const char *key);
/* The value when known, NAN otherwise. */
double doc_value(const struct doc *doc, const char *key);

/* The series of that key (which must be in the catalogue), made empty if it is not there yet.
 * Valid until the next call. */
struct series *doc_series(struct doc *doc, const char *key);
const struct series *doc_find_series(const struct doc *doc, const char *key); /* NULL: none */
/* Adds one row; values: series->columns doubles. */
void series_add(struct series *series, const double *values);

/* One sentence for the reader of the report; the same sentence twice is kept once. */
void doc_note(struct doc *doc, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds "subject amount" to the note of that kind (same head), which is begun by it where there is none. The
 * same subject again: the larger amount is told. The note must not be changed otherwise. */
void doc_note_part(
	struct doc *doc, const struct note_kind *kind, const char *subject, double amount);

/* Keeps the event, or counts it when there are DOC_EVENTS_MAX. */
void doc_event(struct doc *doc, const struct event *event);

const char *how_name(enum how how); /* "measured", … */

#endif
