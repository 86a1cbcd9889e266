/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rate along the region. A row of the series is the middle of a stretch. Where the stretches
 * adjoin, the first beginning with the region, each ends as far behind its middle as it began before
 * it. Else they are of one length, that of the least distance between two rows: where a row is
 * missing nothing was read, and the curve has a gap. */
#include <math.h>

#include "base/units.h"
#include "sheet/sheet_build.h"

#define ADJOIN_SLACK 0.001

static double at(const struct series *s, size_t row, size_t column)
{
	return s->values[row * s->columns + column];
}

/* A place on a drive and a rate; a file may hold anything. */
static bool is_place(const struct series *s, size_t row)
{
	double x = at(s, row, 0);
	double y = at(s, row, 1);

	return x >= 0 && x < 1e19 && y >= 0 && y < 1e15;
}

/* The region, but wide enough for every row. */
static void range_of(const struct doc *doc, const struct series *s, double *from, double *to)
{
	const struct finding *mean = doc_find(doc, "zones.mean_bytes_per_s");
	struct sheet_scope scope = sheet_scope_of(doc);

	if (mean && mean->to_bytes > mean->from_bytes) {
		scope.from_bytes = mean->from_bytes;
		scope.to_bytes = mean->to_bytes;
	}
	*from = (double)scope.from_bytes;
	*to = (double)scope.to_bytes;
	for (size_t r = 0; r < s->rows; r++) {
		if (!is_place(s, r))
			continue;
		*from = fmin(*from, at(s, r, 0));
		*to = fmax(*to, at(s, r, 0));
	}
}

/* Length of a stretch. Rows that stand in no order still give a length. */
static double stretch_of(const struct series *s, double from, double to)
{
	double least = INFINITY;
	double before = NAN;

	for (size_t r = 0; r < s->rows; r++) {
		double distance;

		if (!is_place(s, r))
			continue;
		distance = fabs(at(s, r, 0) - before);
		if (distance > 0)
			least = fmin(least, distance);
		before = at(s, r, 0);
	}
	/* a single one reaches from its middle to the nearer end */
	if (!isfinite(least))
		least = 2 * fmin(before - from, to - before);
	return least > 0 ? least : (to - from) / SHEET_COLUMNS;
}

/* Half a stretch after another they fill the region to its end. */
static bool adjoin(const struct series *s, double from, double to)
{
	double edge = from;

	for (size_t r = 0; r < s->rows; r++) {
		if (!is_place(s, r) || !(at(s, r, 0) > edge))
			return false;
		edge = 2 * at(s, r, 0) - edge;
	}
	return fabs(edge - to) <= ADJOIN_SLACK * (to - from);
}

static void add_points(struct sheet_item *item, const struct series *s, struct unit_scale x_scale,
	struct unit_scale y_scale, double stretch, bool parts)
{
	double edge = item->x;

	for (size_t r = 0; r < s->rows; r++) {
		double x = at(s, r, 0) * x_scale.factor;
		double half = parts ? x - edge : stretch * x_scale.factor / 2;

		/* a hair more, so that neighbours meet */
		if (is_place(s, r))
			sheet_add_point(item, (struct sheet_point){
				.x = fmax(x - half * (1 + 1e-6), item->x),
				.x_to = fmin(x + half * (1 + 1e-6), item->x_to),
				.y = at(s, r, 1) * y_scale.factor,
				.low = at(s, r, 2) * y_scale.factor,
				.high = at(s, r, 3) * y_scale.factor,
			});
		edge = x + half;
	}
}

static void add_boundaries(struct sheet_item *item, const struct doc *doc, struct unit_scale x_scale)
{
	const struct series *s = doc_find_series(doc, "zones.boundaries");

	for (size_t r = 0; s && r < s->rows; r++)
		if (at(s, r, 0) * x_scale.factor >= item->x &&
			at(s, r, 0) * x_scale.factor <= item->x_to)
			sheet_add_mark(item, at(s, r, 0) * x_scale.factor);
}

void sheet_add_curve(struct sheet *sheet, const struct doc *doc)
{
	const struct series *s = doc_find_series(doc, "zones.rate");
	struct unit_scale x_scale;
	struct unit_scale y_scale;
	struct sheet_item *item;
	double from;
	double to;
	double y_max = 0;

	if (!s)
		return;
	range_of(doc, s, &from, &to);
	for (size_t r = 0; r < s->rows; r++)
		if (is_place(s, r))
			y_max = fmax(y_max, at(s, r, 1));
	if (!(y_max > 0) || !(to > from))
		return;
	x_scale = units_scale(UNIT_BYTES, to);
	y_scale = units_scale(UNIT_BYTES_PER_S, y_max);
	item = sheet_add(sheet, SHEET_CURVE, sheet_scope_of(doc).whole
		? "rate from the first to the last sector" : "rate over the region",
		x_scale.name, y_scale.name, "zones");
	item->x = from * x_scale.factor;
	item->x_to = to * x_scale.factor;
	add_points(item, s, x_scale, y_scale, stretch_of(s, from, to), adjoin(s, from, to));
	add_boundaries(item, doc, x_scale);
}
