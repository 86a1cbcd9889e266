/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Pictures from characters. Both kinds start at zero, so that twice as high is twice as much. Block
 * characters give eight steps a cell; plain ASCII gives one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "out/text_ink.h"
#include "sheet/wrap.h"

#define ROWS       6  /* of a curve */
#define GUTTER     9  /* columns before a curve: indent, number of the axis, axis */
#define BAR_LABEL  16 /* columns before a bar */
#define BAR_SHARE  9  /* columns of its share: " 12.3 %  " */
#define WIDE       50 /* columns of a curve that have room for TICKS numbers */
#define TICKS      5
#define TICKS_NARROW 3
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
	double y[COLUMNS_MAX];      /* height in each column, NAN: nothing is known */
	double high[COLUMNS_MAX];   /* upper end of its interval, NAN: none */
	double x, x_to;             /* ends of the axis */
	double y_max;               /* the other begins at 0 */
};

static size_t column_of(const struct plot *plot, double x)
{
	double c = (x - plot->x) / (plot->x_to - plot->x) * (double)plot->width;

	return !(c > 0) ? 0 : c < (double)plot->width ? (size_t)c : plot->width - 1;
}

/* A column stands for a stretch of x: the mean of the points there, each by how much of the stretch
 * it takes. */
static void fill(struct plot *plot, const struct sheet_item *item)
{
	double step = (plot->x_to - plot->x) / (double)plot->width;
	double share[COLUMNS_MAX] = {0};

	memset(plot->y, 0, sizeof(plot->y));
	memset(plot->high, 0, sizeof(plot->high));
	for (size_t i = 0; i < item->points_n; i++) {
		const struct sheet_point *p = &item->points[i];

		if (!(p->x_to > p->x))
			continue;
		for (size_t c = column_of(plot, p->x); c <= column_of(plot, p->x_to); c++) {
			double from = plot->x + step * (double)c;
			double part = fmin(p->x_to, from + step) - fmax(p->x, from);

			if (!(part > 0))
				continue;
			share[c] += part;
			plot->y[c] += part * p->y;
			plot->high[c] += part * p->high;
		}
	}
	for (size_t c = 0; c < plot->width; c++) {
		plot->y[c] = share[c] > 0 ? plot->y[c] / share[c] : NAN;
		plot->high[c] /= share[c];
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
	double ticks = plot->width >= WIDE ? TICKS : TICKS_NARROW;
	double step = round_up((plot->x_to - plot->x) / (ticks + 0.9), tick_steps);
	double first = ceil(plot->x / step - 1e-9);
	size_t drawn = 0;

	ink_right(style, out, "0", GUTTER - 2);
	text_add(out, style->utf8 ? " └" : " +");
	/* no more ticks than asked for and one, however coarse doubles are there */
	for (size_t tick = 0; tick <= TICKS && step * (first + (double)tick) < plot->x_to; tick++) {
		double x = step * (first + (double)tick);
		size_t column = column_of(plot, x);
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

/* Points at places of x from below the axis, behind what they are. */
static void marks(const struct text_style *style, const struct plot *plot,
	const struct sheet_item *item, struct text *out)
{
	bool there[COLUMNS_MAX] = {false};
	char *what = ink_string(style, item->text[3]);
	struct text line = {0};

	if (!item->marks_n) {
		free(what);
		return;
	}
	for (size_t i = 0; i < item->marks_n; i++)
		there[column_of(plot, item->marks[i])] = true;
	text_add(&line, "  %.*s", (int)wrap_bytes(what, GUTTER - 3), what);
	text_add_fill(&line, ' ', GUTTER - wrap_columns(line.chars));
	for (size_t c = 0; c < plot->width; c++)
		text_add(&line, "%s", !there[c] ? " " : style->utf8 ? "▴" : "^");
	text_add(out, "%s", line.chars);
	ink_newline(out);
	text_release(&line);
	free(what);
}

void chart_curve(const struct text_style *style, const struct sheet_item *item, struct text *out)
{
	struct plot plot = {.width = style->columns - GUTTER - 1, .x = item->x, .x_to = item->x_to};
	char *unit = ink_string(style, item->text[1]);

	title(style, item->text[0], item->text[2], "", out);
	if (plot.width > COLUMNS_MAX)
		plot.width = COLUMNS_MAX;
	for (size_t i = 0; i < item->points_n; i++)
		plot.y_max = fmax(plot.y_max, item->points[i].y);
	if (plot.y_max > 0 && plot.x_to > plot.x) {
		plot.y_max = round_up(plot.y_max, top_steps);
		fill(&plot, item);
		rows(style, &plot, out);
		axis(style, &plot, unit, out);
		marks(style, &plot, item, out);
	}
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
		edge(to, sizeof(to), p->x_to);
		snprintf(label, sizeof(label), "%.16s %s %.16s", from, style->utf8 ? "–" : "-", to);
		ink_right(style, out, label, BAR_LABEL - 1);
		text_add(out, " %5.1f %%  ", p->y / sum * 100);
		bar(style, p->y / most * (double)room, out);
		ink_newline(out);
	}
}
