/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time of a move over its distance, drawn. Between two distances that were measured it is taken
 * as straight over the root of the distance, as moves are while the arm still gains speed. */
#include <math.h>

#include "base/units.h"
#include "sheet/sheet_build.h"

enum { SHARE, TIME, LOW, HIGH };
#define STRETCHES 100u

static double at(const struct series *s, size_t row, size_t column)
{
	return s->values[row * s->columns + column];
}

static bool is_point(const struct series *s, size_t row)
{
	return at(s, row, SHARE) >= 0 && at(s, row, SHARE) <= 1 && at(s, row, TIME) > 0 &&
		at(s, row, TIME) < 1e3;
}

/* The points next to that share, below and above; false: it lies outside of them. */
static bool neighbours(const struct series *s, double share, size_t *below, size_t *above)
{
	*below = *above = s->rows;
	for (size_t r = 0; r < s->rows; r++) {
		if (!is_point(s, r))
			continue;
		if (at(s, r, SHARE) <= share &&
			(*below == s->rows || at(s, r, SHARE) > at(s, *below, SHARE)))
			*below = r;
		if (at(s, r, SHARE) >= share &&
			(*above == s->rows || at(s, r, SHARE) < at(s, *above, SHARE)))
			*above = r;
	}
	return *below < s->rows && *above < s->rows;
}

static double between(const struct series *s, size_t below, size_t above, size_t column,
	double share)
{
	double from = sqrt(at(s, below, SHARE));
	double width = sqrt(at(s, above, SHARE)) - from;
	double part = width > 0 ? (sqrt(share) - from) / width : 0;

	return at(s, below, column) + part * (at(s, above, column) - at(s, below, column));
}

static void add_points(struct sheet_item *item, const struct series *s, double factor)
{
	for (size_t i = 0; i < STRETCHES; i++) {
		double share = ((double)i + 0.5) / STRETCHES;
		size_t below, above;

		if (!neighbours(s, share, &below, &above))
			continue;
		sheet_add_point(item, (struct sheet_point){
			.x = 100.0 * (double)i / STRETCHES,
			.x_to = 100.0 * ((double)i + 1) / STRETCHES,
			.y = between(s, below, above, TIME, share) * factor,
			.low = between(s, below, above, LOW, share) * factor,
			.high = between(s, below, above, HIGH, share) * factor});
	}
}

static bool add_curve(struct sheet *sheet, const struct series *s, const char *title)
{
	struct sheet_item *item;
	struct unit_scale scale;
	double most = 0;
	size_t points = 0;

	for (size_t r = 0; s && r < s->rows; r++) {
		if (!is_point(s, r))
			continue;
		most = fmax(most, at(s, r, TIME));
		points++;
	}
	if (points < 2)
		return false;
	scale = units_scale(UNIT_S, most);
	item = sheet_add(sheet, SHEET_CURVE, title, "% of the stroke", scale.name, NULL);
	item->x_to = 100;
	add_points(item, s, scale.factor);
	if (item->points_n == 0)
		sheet_truncate(sheet, sheet->n - 1);
	return true;
}

void sheet_add_seek_curve(struct sheet *sheet, const struct doc *doc)
{
	if (!add_curve(sheet, doc_find_series(doc, "seek.curve"), "seek time by distance"))
		add_curve(sheet, doc_find_series(doc, "access.curve"),
			"time to data by distance");
}
