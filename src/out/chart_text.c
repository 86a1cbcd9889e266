/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pictures from characters. Both kinds start at zero, so that twice as high is twice as much. Block
 * characters give eight steps a cell; plain ASCII gives one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "out/text_ink.h"
#include "sheet/wrap.h"

#define ROWS       6  /* of a curve */
#define GUTTER     9  /* columns before a curve: indent, number of the axis, axis */
#define BAR_LABEL  16 /* columns before a bar */
#define BAR_SHARE  9  /* columns of its share: " 12.3 %  " */
#define TICKS      5
#define COLUMNS_MAX 200

static const char *const lower[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
static const char *const left[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};

/* The first of the steps (ending in 10) times a power of ten that is not below x > 0. */
static double round_up(double x, const double *steps)
{
	double power = pow(10, floor(log10(x)));

	while (*steps < 10 && x > *steps * power)
		steps++;
	return *steps * power;
}

static const double tick_steps[] = {1, 2, 2.5, 5, 10};
/* each of these and its half are short numbers */
static const double top_steps[] = {1, 1.2, 1.4, 1.6, 1.8, 2, 2.4, 3, 4, 5, 6, 8, 10};

static void title(const struct text_style *style, const char *name, const char *unit,
	const char *more, struct text *out)
{
	struct text t = {0};
	char *plain;

	text_add(&t, "%s, %s%s", name, unit, more);
	plain = ink_string(style, text_chars(&t));
	text_add_fill(out, ' ', 2);
	ink_wrap(style, out, INK_PLAIN, plain, 2, 2);
	text_release(&t);
	free(plain);
}

/* ---- curve ---------------------------------------------------------------------------------- */

struct plot {
	size_t width;               /* columns of the picture */
	double y[COLUMNS_MAX];      /* height in each column */
	double high[COLUMNS_MAX];   /* upper end of its interval, NAN: none */
	double x_to, y_max;         /* both axes begin at 0 */
};

static int by_x(const void *a, const void *b)
{
	double x = ((const struct sheet_point *)a)->x;
	double y = ((const struct sheet_point *)b)->x;

	return (x > y) - (x < y);
}

/* On the straight line between the two points around x; the ends go on level. */
static void height_at(const struct sheet_point *p, size_t n, double x, double *y, double *high)
{
	size_t i = 0;
	double share;

	while (i + 1 < n && p[i + 1].x < x)
		i++;
	if (i + 1 >= n || x <= p[i].x || p[i + 1].x <= p[i].x) {
		i = i + 1 < n || x <= p[i].x ? i : n - 1;
		*y = p[i].y;
		*high = p[i].high;
		return;
	}
	share = (x - p[i].x) / (p[i + 1].x - p[i].x);
	*y = p[i].y + share * (p[i + 1].y - p[i].y);
	*high = p[i].high + share * (p[i + 1].high - p[i].high);
}

/* A column stands for a stretch of x: the mean of the points in it, else the line between those
 * around it. */
static void fill(struct plot *plot, const struct sheet_point *p, size_t n)
{
	double step = plot->x_to / (double)plot->width;

	for (size_t c = 0; c < plot->width; c++) {
		double from = step * (double)c;
		double sum = 0;
		double sum_high = 0;
		size_t points = 0;

		for (size_t i = 0; i < n; i++) {
			if (p[i].x < from || p[i].x >= from + step)
				continue;
			sum += p[i].y;
			sum_high += p[i].high;
			points++;
		}
		if (points) {
			plot->y[c] = sum / (double)points;
			plot->high[c] = sum_high / (double)points;
		} else {
			height_at(p, n, from + step / 2, &plot->y[c], &plot->high[c]);
		}
	}
}

static const char *cell(const struct text_style *style, const struct plot *plot, size_t column,
	size_t row)
{
	double scale = ROWS / plot->y_max;
	double full = plot->y[column] * scale - (double)row;
	double high = plot->high[column] * scale - (double)row;

	if (full > 0 && style->utf8 && (full * 8 >= 0.5 || row == 0))
		return lower[full >= 1 ? 8 : full * 8 < 1 ? 1 : (int)(full * 8 + 0.5)];
	if (full >= 0.5)
		return "#";
	if (high >= 0.75)
		return style->utf8 ? "░" : ":";
	return row == 0 && full > 0 ? "_" : " ";
}

static void number(char *dst, size_t size, double x)
{
	snprintf(dst, size, "%.*f", x >= 10 || x == floor(x) ? 0 : 1, x);
	if (strlen(dst) > 6)
		snprintf(dst, size, "%.0e", x);
}

static void rows(const struct text_style *style, const struct plot *plot, struct text *out)
{
	for (size_t row = ROWS; row-- > 0;) {
		bool labelled = row + 1 == ROWS || row + 1 == ROWS / 2;
		char label[32] = "";

		if (labelled)
			number(label, sizeof(label), plot->y_max * (double)(row + 1) / ROWS);
		ink_right(style, out, label, GUTTER - 2);
		text_add(out, style->utf8 ? labelled ? " ┤" : " │" : labelled ? " +" : " |");
		for (size_t c = 0; c < plot->width; c++)
			text_add(out, "%s", cell(style, plot, c, row));
		ink_newline(out);
	}
}

/* Puts a number under its tick, or further left where the line ends; not where another stands. */
static void under(struct text *numbers, size_t column, size_t width, const char *label)
{
	size_t at = GUTTER + column;
	size_t end = GUTTER + width;

	if (at + strlen(label) > end)
		at = end > strlen(label) ? end - strlen(label) : 0;
	if (at < numbers->length + 1)
		return;
	text_add_fill(numbers, ' ', at - numbers->length);
	text_add(numbers, "%s", label);
}

/* The axis with a tick at round numbers, and these under it, the unit behind the last. */
static void axis(const struct text_style *style, const struct plot *plot, const char *unit,
	struct text *out)
{
	struct text numbers = {0};
	double step = round_up(plot->x_to / TICKS, tick_steps);
	size_t drawn = 0;

	ink_right(style, out, "0", GUTTER - 2);
	text_add(out, style->utf8 ? " └" : " +");
	for (size_t tick = 0; step * (double)tick < plot->x_to; tick++) {
		double x = step * (double)tick;
		size_t column = (size_t)(x / plot->x_to * (double)plot->width);
		struct text label = {0};

		for (; drawn < column; drawn++)
			text_add(out, style->utf8 ? "─" : "-");
		text_add(out, style->utf8 ? "┬" : "+");
		drawn++;
		text_add(&label, "%.10g%s%s", x, x + step < plot->x_to ? "" : " ",
			x + step < plot->x_to ? "" : unit);
		under(&numbers, column, plot->width, label.chars);
		text_release(&label);
	}
	for (; drawn < plot->width; drawn++)
		text_add(out, style->utf8 ? "─" : "-");
	ink_newline(out);
	text_add(out, "%s", text_chars(&numbers));
	ink_newline(out);
	text_release(&numbers);
}

void chart_curve(const struct text_style *style, const struct sheet_item *item, struct text *out)
{
	struct plot plot = {.width = style->columns - GUTTER - 1};
	struct sheet_point *points = mem_copy(item->points, item->points_n, sizeof(*points));
	char *unit = ink_string(style, item->text[1]);
	size_t n = item->points_n;

	title(style, item->text[0], item->text[2], "", out);
	if (plot.width > COLUMNS_MAX)
		plot.width = COLUMNS_MAX;
	if (n >= 1) {
		qsort(points, n, sizeof(*points), by_x);
		for (size_t i = 0; i < n; i++)
			plot.y_max = fmax(plot.y_max, points[i].y);
		plot.x_to = points[n - 1].x;
	}
	if (plot.y_max > 0 && plot.x_to > 0) {
		plot.y_max = round_up(plot.y_max, top_steps);
		fill(&plot, points, n);
		rows(style, &plot, out);
		axis(style, &plot, unit, out);
	}
	free(points);
	free(unit);
}

/* ---- bars ----------------------------------------------------------------------------------- */

static void bar(const struct text_style *style, double length, struct text *out)
{
	size_t whole = length > 0 ? (size_t)length : 0;
	size_t eighths = (size_t)((length - (double)whole) * 8 + 0.5);

	for (size_t i = 0; i < whole; i++)
		text_add(out, "%s", style->utf8 ? left[8] : "#");
	if (style->utf8)
		text_add(out, "%s", left[whole == 0 && eighths == 0 && length > 0 ? 1 : eighths]);
	else if (eighths >= 4 || (whole == 0 && length > 0))
		text_add(out, "#");
}

static void edge(char *dst, size_t size, double x)
{
	snprintf(dst, size, "%.*f", x >= 100 || fabs(x - round(x)) < 0.005 ? 0
			: fabs(x * 10 - round(x * 10)) < 0.05 || x >= 10 ? 1 : 2, x);
}

void chart_bars(const struct text_style *style, const struct sheet_item *item, struct text *out)
{
	size_t room = style->columns - BAR_LABEL - BAR_SHARE - 1;
	double most = 0;
	double sum = 0;
	char more[80];

	for (size_t i = 0; i < item->points_n; i++) {
		most = fmax(most, item->points[i].y);
		sum += item->points[i].y;
	}
	snprintf(more, sizeof(more), " (share of %.0f %.32s)", fmin(sum, 1e15), item->text[2]);
	title(style, item->text[0], item->text[1], more, out);
	for (size_t i = 0; i < item->points_n && sum > 0; i++) {
		const struct sheet_point *p = &item->points[i];
		char from[32];
		char to[32];
		char label[80];

		edge(from, sizeof(from), p->x);
		edge(to, sizeof(to), p->low);
		snprintf(label, sizeof(label), "%.16s %s %.16s", from, style->utf8 ? "–" : "-", to);
		ink_right(style, out, label, BAR_LABEL - 1);
		text_add(out, " %5.1f %%  ", p->y / sum * 100);
		bar(style, p->y / most * (double)room, out);
		ink_newline(out);
	}
}
