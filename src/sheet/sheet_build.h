/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts a report is put together from. Internal to sheet/. */
#ifndef SHEET_SHEET_BUILD_H
#define SHEET_SHEET_BUILD_H

#include <stdbool.h>

#include "sheet/sheet.h"

#define SHEET_LINES   120 /* a report at SHEET_COLUMNS */
#define SHEET_COLUMNS 80
#define SHEET_BARS_N  6  /* bars of a histogram */

/* How much of a reason stands in the sheet. It is never cut in the middle. */
enum sheet_why {
	WHY_WHOLE,
	WHY_CLAUSE, /* up to the first colon or the like */
	WHY_COUNT,  /* several different ones: only how many */
};

/* What is left out so that a report stays within SHEET_LINES. */
struct sheet_detail {
	bool all;           /* also what only few look for: the queue's settings, minor unknowns */
	bool minor;         /* figures that only explain another: processor time */
	bool machine;       /* kernel and processor */
	enum sheet_why why;
	size_t fact_width;  /* columns a fact may take before it is cut */
	bool legend;        /* what "±" means */
	bool bars;          /* the histogram and the seek curve */
	size_t notes_lines; /* for which more is given up; what notes there are beyond may not fit */
};

/* Adds an item with up to four texts (NULL: none), copied and cleaned. The item is valid until the
 * next call. */
struct sheet_item *sheet_add(struct sheet *sheet, enum sheet_kind kind, const char *a,
	const char *b, const char *c, const char *d);
void sheet_add_point(struct sheet_item *item, struct sheet_point point);
void sheet_add_mark(struct sheet_item *item, double x);
/* Adds one cell to a table, copied and cleaned. */
void sheet_add_cell(struct sheet_item *item, const char *s);
/* Takes away all items from the n-th on. */
void sheet_truncate(struct sheet *sheet, size_t n);

/* Lines the sheet takes as text SHEET_COLUMNS wide. */
size_t sheet_lines(const struct sheet *sheet);
/* Lines a note takes there. */
size_t sheet_note_lines(const char *note);

/* Cuts s to that many columns (at least 8), at a ", " if there is one not far off; what is cut ends
 * in "…"; in place. */
void sheet_cut(char *s, size_t columns);

/* Appends ", " (when out holds something already) and the text. */
struct text;
void sheet_join(struct text *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The part of the drive that was to be measured: all of it unless the settings say less; to is 0
 * when that is not known. */
struct sheet_scope {
	uint64_t from_bytes, to_bytes;
	bool whole;
};
struct sheet_scope sheet_scope_of(const struct doc *doc);
/* "450 – 450.4 GB": as many digits as tell the two ends apart; brief: "60 MB at 450 GB" where that
 * would take many. */
void sheet_format_place(char *dst, size_t size, uint64_t from_bytes, uint64_t to_bytes, bool brief);

void sheet_add_warnings(struct sheet *sheet, const struct doc *doc);
void sheet_add_drive(struct sheet *sheet, const struct doc *doc, bool show_serial,
	const struct sheet_detail *detail);
/* A few lines of how it is, before and after; nothing when it was not asked and not looked at. */
void sheet_add_health(struct sheet *sheet, const struct doc *doc);
/* How long it ran, rounded to whole hours where it tells minutes too; NAN: it does not tell. */
double sheet_hours(const struct facts *smart);
/* Up to `most` signs of a severity from least to worst, and how many there are besides; why: with the
 * sentence behind each. */
void sheet_add_signs(struct sheet *sheet, const struct signs *signs, enum severity least,
	enum severity worst, size_t most, bool why);
/* "no sign of trouble found in 23 checks; 4 could not be made" */
void sheet_format_checks(char *dst, size_t size, const struct signs *signs);
void sheet_add_figures(struct sheet *sheet, const struct doc *doc,
	const struct sheet_detail *detail);
void sheet_add_curve(struct sheet *sheet, const struct doc *doc);
/* The time of a move by its distance. */
void sheet_add_seek_curve(struct sheet *sheet, const struct doc *doc);
/* Where the mean time of a random read goes, as a sum; nothing where a part is unknown. */
void sheet_add_budget(struct sheet *sheet, const struct doc *doc);
bool sheet_has_budget(const struct doc *doc);
bool sheet_in_budget(const char *key);
/* Reads a second and their time by how many are outstanding. */
void sheet_add_queue(struct sheet *sheet, const struct doc *doc);
bool sheet_has_queue(const struct doc *doc);
void sheet_add_bars(struct sheet *sheet, const struct doc *doc);

#endif
