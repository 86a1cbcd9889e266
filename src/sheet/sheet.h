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
	SHEET_UNSURE,  /* text[0] label, [1] "between 0 and 770 MB/s", [3] how it was had: a figure
	                  whose interval is wider than itself */
	SHEET_UNKNOWN, /* text[0] label, text[1] why not */
	SHEET_NOTE,    /* text[0]: one sentence */
	SHEET_WARNING, /* text[0]: one sentence that must not be missed (simulated, partial, …) */
	SHEET_CURVE,   /* text[0] title, [1] unit of x, [2] unit of y; a point is a stretch of x that has
	                  one height; nothing is known where there is none; axis from x to x_to;
	                  marks: places of x to point at, text[3] what they are */
	SHEET_TABLE,   /* text[0] title; cells, row after row: the first of a row is a label, the others
	                  stand to the right; the first row may be a head */
	SHEET_BARS,    /* text[0] title, [1] unit of x, [2] what is counted; y is the count */
};

struct sheet_point {
	double x, x_to;      /* in the units the texts name */
	double y, low, high; /* height and its interval; NAN both: none */
};

struct sheet_item {
	enum sheet_kind kind;
	char *text[4]; /* NULL: none */
	struct sheet_point *points;
	size_t points_n;
	double x, x_to; /* of a curve's axis */
	double *marks;
	size_t marks_n;
	char **cells;
	size_t cells_n, columns; /* columns: cells of a row */
	bool cut_last; /* the last column may be cut short rather than left out */
};

struct sheet {
	struct sheet_item *items;
	size_t n, capacity;
};

/* The report of one document. Release with sheet_release(). show_serial: whole serial number. */
void sheet_of_doc(struct sheet *sheet, const struct doc *doc, bool show_serial);
void sheet_release(struct sheet *sheet);

/* What a drive says of itself and what it is a sign of: everything that is in the document of that.
 * full: labels and UUIDs of what is on it too. */
void sheet_of_smart(struct sheet *sheet, const struct doc *doc, bool show_serial, bool full);

/* From doc->contents or their like: "gpt partition table: sda1: 1 GB vfat, 2: 2 TB ext4 + zfs_member", "no
 * known signature found"; "" when nothing was looked for. */
void sheet_format_contents(char *dst, size_t size, const struct facts *contents);
/* "sda1: mounted (ext4), sda2: swap"; brief: "mounted (ext4), swap". "" nobody was seen. */
void sheet_format_use(char *dst, size_t size, const struct facts *contents, bool brief);

/* A value and its half-width rounded so that the half-width keeps two digits: "161.34 MB/s" and
 * "± 0.42". An interval that is not symmetric within 20 % is given by its ends: "161.0 … 162.4". No
 * interval (NAN): interval is "". Both buffers size bytes. The unit is scaled by units_scale(). */
void sheet_format_value(char *value, char *interval, size_t size, enum unit unit, double v,
	double low, double high);

/* The same in that scale, whose name may be "" where it stands elsewhere. */
void sheet_format_scaled(char *value, char *interval, size_t size, struct unit_scale scale, double v,
	double low, double high);

/* An interval wider than the value says where the figure is, but not what it is (shares of one are
 * judged by two points of a percent). */
bool sheet_is_unsure(enum unit unit, double v, double low, double high);
/* "between 0 and 770 MB/s" */
void sheet_format_unsure(char *dst, size_t size, enum unit unit, double low, double high);

#endif
