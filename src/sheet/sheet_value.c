/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Rounding: the interval decides. Its half-width keeps two digits and the value stops at the same
 * place, so nobody reads more out of a figure than is in it. */
#include "sheet/sheet.h"

#include <math.h>
#include <stdio.h>

#define LOPSIDED     1.2 /* sides that differ by more are given as ends */
#define PLACES_MAX   9   /* digits of a value, however small its interval is said to be */
#define PLAIN_DIGITS 4   /* digits of a value without interval */

/* Decimal place of the most significant digit of x > 0: 2 for 161, -1 for 0.42. */
static int magnitude(double x)
{
	return (int)floor(log10(x));
}

/* Decimals that leave `digits` significant digits of x; negative: tens, hundreds, … are cleared. */
static int decimals_for(double x, int digits)
{
	int decimals;

	if (!(x > 0))
		return 0;
	decimals = digits - 1 - magnitude(x);
	/* 0.0996 with two digits is 0.10, not 0.100 */
	if (round(x * pow(10, decimals)) >= pow(10, digits))
		decimals--;
	return decimals;
}

static double rounded(double x, int decimals)
{
	double step = pow(10, -decimals);

	return decimals < 0 ? round(x / step) * step : x;
}

static void print(char *dst, size_t size, double x, int decimals)
{
	x = rounded(x, decimals);
	/* no "-0" */
	if (fabs(x) < 0.5 * pow(10, -decimals))
		x = 0;
	snprintf(dst, size, "%.*f", decimals > 0 ? decimals : 0, x);
}

static void join_unit(char *value, size_t size, const char *number, const char *unit)
{
	snprintf(value, size, "%s%s%s", number, unit[0] ? " " : "", unit);
}

/* Without an interval, or an exact one. */
static void format_plain(char *value, size_t size, struct unit_scale scale, double v)
{
	char number[64];
	int decimals = decimals_for(fabs(v * scale.factor), PLAIN_DIGITS);

	decimals = decimals < 0 ? 0 : decimals > PLACES_MAX ? PLACES_MAX : decimals;
	/* no zeros that say nothing */
	while (decimals > 0 && fabs(v * scale.factor * pow(10, decimals - 1) -
				       round(v * scale.factor * pow(10, decimals - 1))) < 1e-6)
		decimals--;
	print(number, sizeof(number), v * scale.factor, decimals);
	join_unit(value, size, number, scale.name);
}

/* Beyond what any drive can give (a strange file): short, and never pages of digits. */
static bool is_strange(double x)
{
	return !isfinite(x) || fabs(x) > 1e18 || (x != 0 && fabs(x) < 1e-15);
}

static void format_strange(char *value, char *interval, size_t size, struct unit_scale scale,
	double v, double low, double high)
{
	char number[64];

	snprintf(number, sizeof(number), "%.3g", v * scale.factor);
	join_unit(value, size, number, scale.name);
	if (low < high)
		snprintf(interval, size, "%.3g … %.3g", low * scale.factor, high * scale.factor);
}

/* Sizes of requests are named as people name them: "64 KiB", from "32 KiB … 64 KiB". */
static bool is_request(double bytes)
{
	return bytes >= 512 && bytes < 1e15 && fmod(bytes, 512) == 0;
}

static void format_requests(char *value, char *interval, size_t size, double v, double low,
	double high)
{
	char from[32];
	char to[32];

	units_format_request(value, size, (uint64_t)v);
	units_format_request(from, sizeof(from), (uint64_t)low);
	units_format_request(to, sizeof(to), (uint64_t)high);
	/* one of a few sizes, not a point on a scale: no "± 0" */
	snprintf(interval, size, "%s%s%s", low < high ? from : "", low < high ? " … " : "",
		low < high ? to : "");
}

static bool is_count(struct unit_scale scale, double v, double low, double high)
{
	return !scale.name[0] && v == round(v) && low == round(low) && high == round(high);
}

/* The value needs a digit of its own even where its interval is much wider. */
static int value_decimals(double v, double spread, bool lopsided)
{
	int decimals = decimals_for(spread, 2);
	int least = v != 0 ? -magnitude(fabs(v)) : decimals;
	int most = v != 0 ? least + PLACES_MAX - 1 : PLACES_MAX;

	if (lopsided && decimals < least)
		decimals = least;
	most = most < 0 ? 0 : most;
	return decimals > most ? most : decimals;
}

void sheet_format_scaled(char *value, char *interval, size_t size, struct unit_scale scale, double v,
	double low, double high)
{
	double wide = fmax(high - v, v - low);
	bool lopsided = wide > fmin(high - v, v - low) * LOPSIDED;
	char number[64];
	char other[64];
	int decimals;

	snprintf(interval, size, "%s", "");
	if (!isfinite(low) || !isfinite(high))
		low = high = v;
	if (is_strange(v) || is_strange(low) || is_strange(high)) {
		format_strange(value, interval, size, scale, v, low, high);
		return;
	}
	if (low >= high) {
		format_plain(value, size, scale, v);
		return;
	}
	v *= scale.factor;
	wide *= scale.factor;
	/* ends are read by their distance, ± by half of it */
	decimals = value_decimals(v, lopsided ? (high - low) * scale.factor : wide, lopsided);
	if (is_count(scale, v, low, high))
		decimals = 0;
	print(number, sizeof(number), v, decimals);
	join_unit(value, size, number, scale.name);
	print(number, sizeof(number), low * scale.factor, decimals);
	print(other, sizeof(other), high * scale.factor, decimals);
	if (lopsided) {
		snprintf(interval, size, "%s … %s", number, other);
		return;
	}
	/* an interval too small for the digits shown is not "± 0" */
	print(number, sizeof(number), fmax(wide, pow(10, -decimals)), decimals);
	snprintf(interval, size, "± %s", number);
}

void sheet_format_value(char *value, char *interval, size_t size, enum unit unit, double v,
	double low, double high)
{
	bool given = isfinite(low) && isfinite(high);
	double wide = given ? fmax(high - v, v - low) : 0;

	if (!given)
		low = high = v;
	if (unit == UNIT_BYTES && is_request(v) && is_request(low) && is_request(high)) {
		format_requests(value, interval, size, v, low, high);
		return;
	}
	sheet_format_scaled(
		value, interval, size, units_scale(unit, v != 0 ? v : wide), v, low, high);
	/* a count is what it is */
	if (given && wide <= 0 && unit != UNIT_NONE)
		snprintf(interval, size, "± 0");
}

#define SHARE_WIDTH 0.02 /* of an interval of a share that is still a figure */

bool sheet_is_unsure(enum unit unit, double v, double low, double high)
{
	double width = high - low;

	if (!isfinite(width) || width <= 0 || (unit == UNIT_RATIO && width <= SHARE_WIDTH))
		return false;
	return width > fabs(v);
}

void sheet_format_unsure(char *dst, size_t size, enum unit unit, double low, double high)
{
	struct unit_scale scale = units_scale(unit, fmax(fabs(low), fabs(high)));
	double width = (high - low) * scale.factor;
	char from[64];
	char to[64];
	int decimals = decimals_for(width, 2);

	if (unit == UNIT_BYTES && is_request(low) && is_request(high)) {
		units_format_request(from, sizeof(from), (uint64_t)low);
		units_format_request(to, sizeof(to), (uint64_t)high);
		snprintf(dst, size, "between %s and %s", from, to);
		return;
	}
	if (is_strange(low) || is_strange(high)) {
		snprintf(from, sizeof(from), "%.3g", low * scale.factor);
		snprintf(to, sizeof(to), "%.3g", high * scale.factor);
	} else {
		print(from, sizeof(from), low * scale.factor, decimals);
		print(to, sizeof(to), high * scale.factor, decimals);
	}
	snprintf(dst, size, "between %s and %s%s%s", low == 0 ? "0" : from, to,
		scale.name[0] ? " " : "", scale.name);
}
