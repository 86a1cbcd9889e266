/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The times of reads become a few bars. Where the document holds each read the bars have round
 * edges; where it holds only counts in bins a bar is made of whole bins, so that every share is a
 * count over the count of all. */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/units.h"
#include "sheet/sheet_build.h"

struct span {
	double low, high, count; /* low == high: one read */
};

struct spans {
	struct span *all; /* ascending */
	size_t n;
	double count;
};

static double at(const struct series *s, size_t row, size_t column)
{
	return s->values[row * s->columns + column];
}

static bool is_bin(const struct series *s, size_t row)
{
	double low = at(s, row, 0);
	double high = at(s, row, 1);
	double count = at(s, row, 2);

	return low >= 0 && high > low && high < 1e9 && count > 0 && count < 1e18;
}

static int by_low(const void *a, const void *b)
{
	double x = ((const struct span *)a)->low;
	double y = ((const struct span *)b)->low;

	return (x > y) - (x < y);
}

static void spans_of_bins(struct spans *spans, const struct series *s)
{
	spans->all = mem_zalloc(s->rows, sizeof(*spans->all));
	for (size_t r = 0; r < s->rows; r++) {
		if (!is_bin(s, r))
			continue;
		spans->all[spans->n++] = (struct span){at(s, r, 0), at(s, r, 1), at(s, r, 2)};
		spans->count += at(s, r, 2);
	}
}

static void spans_of_reads(struct spans *spans, const struct series *s)
{
	spans->all = mem_zalloc(s->rows, sizeof(*spans->all));
	for (size_t r = 0; r < s->rows; r++) {
		double v = at(s, r, 1);

		if (v >= 0 && v < 1e9)
			spans->all[spans->n++] = (struct span){v, v, 1};
	}
	spans->count = (double)spans->n;
}

/* Each read, if all that were counted are there; else the bins. */
static void spans_of(struct spans *spans, const struct doc *doc)
{
	const struct series *bins = doc_find_series(doc, "access.histogram");
	const struct series *reads = doc_find_series(doc, "access.reads");
	struct spans each = {0};

	*spans = (struct spans){0};
	if (!bins || !bins->rows)
		return;
	spans_of_bins(spans, bins);
	if (reads && reads->rows)
		spans_of_reads(&each, reads);
	if (each.n && each.count == spans->count) {
		free(spans->all);
		*spans = each;
	} else {
		free(each.all);
	}
	if (spans->n)
		qsort(spans->all, spans->n, sizeof(*spans->all), by_low);
}

/* Upper end of the span in which this share of all is reached. */
static double share_end(const struct spans *spans, double share)
{
	double sum = 0;
	double end = 0;

	for (size_t i = 0; i < spans->n; i++) {
		sum += spans->all[i].count;
		end = fmax(end, spans->all[i].high);
		if (sum >= spans->count * share)
			break;
	}
	return end;
}

/* The place nearest to x at which no span is cut. */
static double snap(const struct spans *spans, double x)
{
	for (size_t i = 0; i < spans->n; i++) {
		const struct span *s = &spans->all[i];

		if (s->low < x && x < s->high)
			return x - s->low < s->high - x ? s->low : s->high;
	}
	return x;
}

static double count_within(const struct spans *spans, double from, double to, bool with_end)
{
	double sum = 0;

	for (size_t i = 0; i < spans->n; i++) {
		double middle = (spans->all[i].low + spans->all[i].high) / 2;

		if (middle >= from && (middle < to || (with_end && middle <= to)))
			sum += spans->all[i].count;
	}
	return sum;
}

/* 1, 2, 2.5 or 5 times a power of ten, not below x > 0. */
static double round_step(double x)
{
	double power = pow(10, floor(log10(x)));
	double m = x / power;

	return power * (m <= 1 ? 1 : m <= 2 ? 2 : m <= 2.5 ? 2.5 : m <= 5 ? 5 : 10);
}

/* Bars of one width from the first read on; the last one takes the tail, and ends with it. */
static void add_bars(struct sheet *sheet, const struct spans *spans)
{
	double first = spans->all[0].low;
	double most = share_end(spans, 0.98);
	double last = share_end(spans, 2);
	struct unit_scale scale = units_scale(UNIT_S, most);
	double width = fmax(most - first, most / 100) * scale.factor;
	double step = round_step(width / (SHEET_BARS_N - 1)) / scale.factor;
	double start = floor(first / step) * step;
	double from = start;
	struct sheet_item *item =
		sheet_add(sheet, SHEET_BARS, "time of a read", scale.name, "reads", NULL);

	for (size_t i = 0; i < SHEET_BARS_N && from < last; i++) {
		double to = last;

		if (i + 1 < SHEET_BARS_N && from < most)
			to = fmin(snap(spans, start + step * (double)(i + 1)), last);
		if (to <= from)
			continue;
		sheet_add_point(item, (struct sheet_point){.x = from * scale.factor,
			.x_to = to * scale.factor,
			.y = count_within(spans, from, to, to >= last)});
		from = to;
	}
}

void sheet_add_bars(struct sheet *sheet, const struct doc *doc)
{
	struct spans spans;

	spans_of(&spans, doc);
	if (spans.n && share_end(&spans, 0.98) > 0)
		add_bars(sheet, &spans);
	free(spans.all);
}
