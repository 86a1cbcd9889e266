/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a person should see, before there is any ink: words, order and rounding are chosen here, and
 * every kind of ink (text, page) draws the same sheet. */
#ifndef SHEET_SHEET_H
#define SHEET_SHEET_H

#include "doc/doc.h"

enum sheet_kind {
	SHEET_TITLE,   /* text[0]; once, first */
	SHEET_HEADING, /* text[0] */
	SHEET_FACT,    /* text[0] label, text[1] value */
	SHEET_FIGURE,  /* text[0] label, [1] value with unit, [2] interval ("± 0.4", "161 … 162"),
	                  [3] how it was had ("96 samples, 4 KiB, depth 1") */
	SHEET_UNKNOWN, /* text[0] label, text[1] why not */
	SHEET_NOTE,    /* text[0]: one sentence */
	SHEET_WARNING, /* text[0]: one sentence that must not be missed (simulated, partial, …) */
	SHEET_CURVE,   /* text[0] title, [1] unit of x, [2] unit of y; points (x, y, low, high) */
	SHEET_BARS,    /* text[0] title, [1] unit of x, [2] what is counted; points (x from, count,
	                  x to, 0) */
};

struct sheet_point {
	double x, y, low, high; /* in the units the texts name */
};

struct sheet_item {
	enum sheet_kind kind;
	char *text[4]; /* NULL: none */
	struct sheet_point *points;
	size_t points_n;
};

struct sheet {
	struct sheet_item *items;
	size_t n, capacity;
};

/* The report of one document. Release with sheet_release(). show_serial: whole serial number. */
void sheet_of_doc(struct sheet *sheet, const struct doc *doc, bool show_serial);
void sheet_release(struct sheet *sheet);

/* A value and its half-width rounded so that the half-width keeps two digits: "161.34 MB/s" and
 * "± 0.42". An interval that is not symmetric within 20 % is given by its ends: "161.0 … 162.4". No
 * interval (NAN): interval is "". Both buffers size bytes. The unit is scaled by units_scale(). */
void sheet_format_value(char *value, char *interval, size_t size, enum unit unit, double v,
	double low, double high);

#endif
