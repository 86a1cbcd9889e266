/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The catalogue: everything platter can say is one row here, and every renderer, the file format
 * and all comparing read this table. */
#ifndef DOC_QUANTITY_H
#define DOC_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/units.h"

enum better { BETTER_NEITHER, BETTER_HIGHER, BETTER_LOWER };

/* A figure. */
struct quantity {
	const char *key;     /* "zones.outer_bytes_per_s": the probe's name, a dot, the figure */
	const char *section; /* heading it stands under, e.g. "Sequential" */
	const char *title;   /* "outer zone" */
	enum unit unit;      /* of the value, base units */
	enum better better;
	double same_ratio;   /* two values closer than this (0.02: 2 %) count as the same */
	const char *meaning; /* one sentence for the manual and the page */
};

/* A curve or histogram: named columns, rows of doubles. */
#define SERIES_COLUMNS_MAX 8
struct series_kind {
	const char *key;
	const char *title;
	const char *columns[SERIES_COLUMNS_MAX]; /* NULL after the last; unit is part of the name */
};

const struct quantity *quantity_find(const char *key); /* NULL: no such row */
const struct quantity *quantity_at(size_t i);          /* NULL: past the last */

const struct series_kind *series_kind_find(const char *key);
const struct series_kind *series_kind_at(size_t i);

#endif
