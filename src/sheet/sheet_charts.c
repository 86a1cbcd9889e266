/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Series become pictures: units are chosen, and a histogram's many narrow bins become a few bars
 * with round edges. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "sheet/sheet_build.h"

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

void sheet_add_curve(struct sheet *sheet, const struct doc *doc)
{
	const struct series *s = doc_find_series(doc, "zones.rate");
	struct unit_scale x_scale;
	struct unit_scale y_scale;
	struct sheet_item *item;
	double x_max = 0;
	double y_max = 0;

	for (size_t r = 0; s && r < s->rows; r++) {
		if (!is_place(s, r))
			continue;
		x_max = fmax(x_max, at(s, r, 0));
		y_max = fmax(y_max, at(s, r, 1));
	}
	if (!(y_max > 0) || !(x_max > 0))
		return;
	x_scale = units_scale(UNIT_BYTES, x_max);
	y_scale = units_scale(UNIT_BYTES_PER_S, y_max);
	item = sheet_add(sheet, SHEET_CURVE, "rate from the first to the last sector", x_scale.name,
		y_scale.name, NULL);
	for (size_t r = 0; r < s->rows; r++)
		if (is_place(s, r))
			sheet_add_point(item, at(s, r, 0) * x_scale.factor,
				at(s, r, 1) * y_scale.factor, at(s, r, 2) * y_scale.factor,
				at(s, r, 3) * y_scale.factor);
}

static bool is_bin(const struct series *s, size_t row)
{
	double low = at(s, row, 0);
	double high = at(s, row, 1);
	double count = at(s, row, 2);

	return low >= 0 && high > low && high < 1e9 && count > 0 && count < 1e18;
}

/* Reads that took from … to, bins cut by an edge giving their share. */
static double reads_within(const struct series *s, double from, double to)
{
	double sum = 0;

	for (size_t r = 0; r < s->rows; r++) {
		double low = fmax(at(s, r, 0), from);
		double high = fmin(at(s, r, 1), to);

		if (is_bin(s, r) && high > low)
			sum += at(s, r, 2) * (high - low) / (at(s, r, 1) - at(s, r, 0));
	}
	return sum;
}

/* Upper edge of the bin in which this share of all reads is reached. Bins ascend. */
static double share_edge(const struct series *s, double share)
{
	double all = reads_within(s, 0, INFINITY);
	double sum = 0;

	for (size_t r = 0; r < s->rows; r++) {
		if (!is_bin(s, r))
			continue;
		sum += at(s, r, 2);
		if (sum >= all * share)
			return at(s, r, 1);
	}
	return 0;
}

/* 1, 2, 2.5 or 5 times a power of ten, not below x > 0. */
static double round_step(double x)
{
	double power = pow(10, floor(log10(x)));
	double m = x / power;

	return power * (m <= 1 ? 1 : m <= 2 ? 2 : m <= 2.5 ? 2.5 : m <= 5 ? 5 : 10);
}

/* Bars of one width from the first read on; the last one takes the tail. */
void sheet_add_bars(struct sheet *sheet, const struct doc *doc)
{
	const struct series *s = doc_find_series(doc, "access.histogram");
	struct unit_scale scale;
	struct sheet_item *item;
	double first;
	double most;
	double last;
	double step;
	double from;

	if (!s || !(reads_within(s, 0, INFINITY) > 0))
		return;
	first = share_edge(s, 0);
	most = share_edge(s, 0.98);
	last = share_edge(s, 1);
	for (size_t r = s->rows; r-- > 0;)
		if (is_bin(s, r))
			first = at(s, r, 0);
	scale = units_scale(UNIT_S, most);
	step = round_step((most - first) * scale.factor / (SHEET_BARS_N - 1)) / scale.factor;
	from = floor(first / step) * step;
	item = sheet_add(sheet, SHEET_BARS, "time of a read", scale.name, "reads", NULL);
	for (size_t i = 0; i < SHEET_BARS_N && from < last; i++) {
		double to = i + 1 < SHEET_BARS_N && from < most ? from + step : last;

		sheet_add_point(item, from * scale.factor, reads_within(s, from, to),
			to * scale.factor, 0);
		from = fmax(to, from + step);
	}
}
