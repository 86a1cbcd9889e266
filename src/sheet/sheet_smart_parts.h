/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the sheet of a drive's own words is made of. Internal to sheet/. */
#ifndef SHEET_SHEET_SMART_PARTS_H
#define SHEET_SHEET_SMART_PARTS_H

#include "sheet/sheet_build.h"

enum smart_style {
	AS_WORDS,
	AS_NUMBER,
	AS_YES_NO,
	AS_ON_OFF,
	AS_BYTES,
	AS_ABOVE_0, /* a number that is told where it is not 0 */
	AS_HOURS,   /* with its minutes, rounded */
	AS_WARNINGS, /* NVMe's critical warning, bit by bit */
	AS_HEADING, /* path is its title */
};

/* A fact, and how it is written: label, value, unit. */
struct smart_row {
	enum smart_style style;
	const char *path, *label, *unit;
};

const struct smart_row *smart_row_at(size_t i); /* NULL: past the last */

/* Attributes, device statistics and the link's counters, each with its heading where there are any. */
/* "interface errors" for "errors.crc"; a key that has no words is returned itself. */
const char *sheet_check_words(const char *key);

void sheet_add_smart_tables(struct sheet *sheet, const struct facts *facts);

#endif
