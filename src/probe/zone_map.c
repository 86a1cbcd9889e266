/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The mean over a stretch is a weighted sum of windows, the weights those of a polygon's area:
 * before the first window and behind the last one the value of that window holds. All variances
 * are relative ones: inner zones take twice the time of outer ones, and scatter twice as much. */
#include "probe/zone_map.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "stat/fit.h"
#include "stat/robust.h"

#define RATIO_CLIP  4.0 /* robust standard deviations */
#define RATIO_WIDE  0.02 /* what a longer way between tracks adds; a lost turn is more */
#define RATIO_TREND 4.0 /* standard errors: less is no trend */
#define CLIP 3.0 /* standard deviations of a difference; more is a step or a pause */

static size_t disturbed_windows(const struct zone_map *map)
{
	size_t disturbed = 0;

	for (size_t i = 0; i < map->n; i++)
		disturbed += map->windows[i].disturbed;
	return disturbed;
}

bool zone_map_is_disturbed(const struct zone_map *map)
{
	return disturbed_windows(map) > 0;
}

size_t zone_map_by_others(const struct zone_map *map)
{
	size_t n = 0;

	for (size_t i = 0; i < map->n; i++)
		n += map->windows[i].by_others;
	return n;
}

size_t zone_map_drop_disturbed(struct zone_map *map)
{
	size_t kept = 0, all = map->n;
	bool most;

	for (size_t i = 0; i < map->n; i++)
		if (!map->windows[i].by_others)
			map->windows[kept++] = map->windows[i];
	map->n = kept;
	most = 2 * disturbed_windows(map) > map->n;
	kept = 0;
	for (size_t i = 0; i < map->n; i++)
		if (most || !map->windows[i].disturbed)
			map->windows[kept++] = map->windows[i];
	map->n = kept;
	return all - kept;
}

static int by_place(const void *a, const void *b)
{
	double x = ((const struct zone_window *)a)->middle,
	       y = ((const struct zone_window *)b)->middle;

	return (x > y) - (x < y);
}

void zone_map_sort(struct zone_map *map)
{
	qsort(map->windows, map->n, sizeof(*map->windows), by_place);
}

static double difference(const struct zone_window *a, const struct zone_window *b)
{
	return 2 * (b->s_per_byte - a->s_per_byte) / (b->s_per_byte + a->s_per_byte);
}

/* Mean square difference of windows `lag` apart. */
static double mean_square(const struct zone_map *map, size_t lag)
{
	double sum = 0;

	for (size_t i = 0; i + lag < map->n; i++) {
		double d = difference(&map->windows[i], &map->windows[i + lag]);

		sum += d * d;
	}
	return sum / (double)(map->n - lag);
}

/* Mean square of the differences of neighbours that are no more than noise: those below CLIP
 * standard deviations, which at first are told from the lower quartile of all. */
static double clipped_square(const struct zone_map *map)
{
	size_t n = map->n - 1;
	double *d = mem_zalloc(n, sizeof(*d)), square;

	for (size_t i = 0; i < n; i++)
		d[i] = fabs(difference(&map->windows[i], &map->windows[i + 1]));
	stat_sort(d, n);
	/* a quarter of all normal numbers lies within 0.3186 standard deviations */
	square = pow(stat_quantile_sorted(d, n, 0.25) / 0.3186, 2);
	for (int round = 0; round < 10; round++) {
		double sum = 0, limit = CLIP * CLIP * square;
		size_t kept = 0;

		while (kept < n && d[kept] * d[kept] <= limit) {
			sum += d[kept] * d[kept];
			kept++;
		}
		if (kept)
			square = sum / (double)kept /
				 0.9733; /* what clipping takes from normal numbers */
	}
	free(d);
	return square;
}

/* Logarithms of s_per_byte over in_track where both are known, outliers left out. */
static size_t collect_ratios(const struct zone_map *map, double *place, double *ratio)
{
	double *copy = mem_zalloc(map->n + 1, sizeof(*copy)), middle, limit;
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < map->n; i++) {
		const struct zone_window *w = &map->windows[i];

		if (w->brief || w->disturbed || isnan(w->in_track))
			continue;
		place[n] = w->middle;
		copy[n] = ratio[n] = log(w->s_per_byte / w->in_track);
		n++;
	}
	middle = n ? stat_median(copy, n) : 0;
	limit = n ? fmax(RATIO_CLIP * stat_mad(copy, n), RATIO_WIDE) : 0;
	free(copy);
	for (size_t i = 0; i < n; i++)
		if (fabs(ratio[i] - middle) <= limit) {
			place[kept] = place[i];
			ratio[kept++] = ratio[i];
		}
	return kept;
}

struct zone_ratio zone_map_ratio(const struct zone_map *map)
{
	double *place = mem_zalloc(2 * map->n + 1, sizeof(*place)), *ratio = place + map->n;
	struct zone_ratio r = {0};
	struct fit line;

	r.windows = collect_ratios(map, place, ratio);
	if (r.windows) {
		r.at = stat_mean(ratio, r.windows);
		r.se = r.windows > 1 ? stat_sd(ratio, r.windows) / sqrt((double)r.windows) : 0;
	}
	if (r.windows > 3 && fit_line(place, ratio, r.windows, &line) == 0 &&
		fabs(line.slope) > RATIO_TREND * line.slope_se) {
		r.at = line.intercept;
		r.slope = line.slope;
	}
	free(place);
	return r;
}

void zone_map_fill_brief(struct zone_map *map)
{
	struct zone_ratio r = zone_map_ratio(map);

	for (size_t i = 0; i < map->n; i++) {
		struct zone_window *w = &map->windows[i];

		if (w->brief)
			w->s_per_byte = w->in_track * exp(r.at + r.slope * w->middle);
	}
}

int zone_map_judge(struct zone_map *map)
{
	if (map->n < ZONE_WINDOWS_MIN)
		return -ERANGE;
	zone_map_sort(map);
	map->variance =
		fmax(mean_square(map, 1) - mean_square(map, 2) / 2, clipped_square(map) / 2);
	map->dof = (double)map->n / 2;
	return 0;
}

size_t zone_map_outliers(struct zone_map *map, double deviations, size_t *which)
{
	size_t n = 0;

	if (map->n < ZONE_WINDOWS_MIN)
		return 0;
	zone_map_sort(map);
	map->robust_sd = sqrt(clipped_square(map));
	for (size_t i = 0; i < map->n; i++) {
		/* at an end the two next ones on the same side */
		size_t one = i ? i - 1 : 2, other = i + 1 < map->n ? i + 1 : i - 2;
		double before = difference(&map->windows[one], &map->windows[i]);
		double after = difference(&map->windows[other], &map->windows[i]);

		if (before * after > 0 &&
			fmin(fabs(before), fabs(after)) > deviations * map->robust_sd)
			which[n++] = i;
	}
	return n;
}

bool zone_map_alike(const struct zone_map *map, double a, double b, double deviations)
{
	return fabs(2 * (b - a) / (a + b)) <= deviations * map->robust_sd;
}

size_t zone_map_count(const struct zone_map *map, double from, double to)
{
	size_t count = 0;

	for (size_t i = 0; i < map->n; i++)
		count += map->windows[i].middle >= from && map->windows[i].middle < to;
	return count;
}

/* Sums over a stretch, all in bytes and seconds. */
struct sums {
	double *weight;       /* bytes each window stands for */
	double step_variance; /* of the time, s^2 */
};

/* The part of [from, to) between window i and the next one, added to their weights and to what is
 * unknown about the place of a step between them. */
static void add_gap(const struct zone_map *map, size_t i, double from, double to, struct sums *sums)
{
	const struct zone_window *a = &map->windows[i], *b = &map->windows[i + 1];
	double length = b->middle - a->middle, low = fmax(from, a->middle),
	       high = fmin(to, b->middle);
	double part = high - low, right, d, excess;

	if (!(part > 0))
		return;
	right = part * ((low + high) / 2 - a->middle) / length;
	sums->weight[i] += part - right;
	sums->weight[i + 1] += right;
	d = difference(a, b);
	excess = fmax(0, d * d - 2 * map->variance) * pow((a->s_per_byte + b->s_per_byte) / 2, 2);
	sums->step_variance +=
		excess * (pow(part, 3) / (3 * length) - pow(part, 4) / (4 * length * length));
}

struct interval zone_map_mean(
	const struct zone_map *map, double from, double to, double floor_ratio, double confidence)
{
	struct sums sums = {.weight = mem_zalloc(map->n, sizeof(double))};
	double seconds = 0, noise = 0, half;

	sums.weight[0] += fmax(0, fmin(to, map->windows[0].middle) - from);
	sums.weight[map->n - 1] += fmax(0, to - fmax(from, map->windows[map->n - 1].middle));
	for (size_t i = 0; i + 1 < map->n; i++)
		add_gap(map, i, from, to, &sums);
	for (size_t i = 0; i < map->n; i++) {
		double part = sums.weight[i] * map->windows[i].s_per_byte;

		seconds += part;
		noise += part * part * map->variance;
	}
	free(sums.weight);
	half = interval_student(0, sqrt(noise + sums.step_variance) / seconds, map->dof, confidence)
		       .high;
	return interval_of_logarithm(seconds / (to - from), fmax(half, floor_ratio));
}

double zone_map_scatter(const struct zone_map *map, double from, double to, double confidence)
{
	double *s_per_byte = mem_zalloc(map->n + 1, sizeof(*s_per_byte)), half = 0;
	struct interval v = {0};
	size_t n = 0;

	for (size_t i = 0; i < map->n; i++)
		if (map->windows[i].middle >= from && map->windows[i].middle < to)
			s_per_byte[n++] = map->windows[i].s_per_byte;
	if (n >= 4 && interval_mean(s_per_byte, n, confidence, &v) == 0)
		half = v.high / v.value - 1;
	free(s_per_byte);
	return half;
}

struct interval zone_map_plain_mean(const struct zone_map *map, double confidence)
{
	double *s_per_byte = mem_zalloc(map->n, sizeof(*s_per_byte)), half;
	struct interval v = {0};
	size_t n = 0;

	for (size_t i = 0; i < map->n; i++)
		if (!map->windows[i].extra)
			s_per_byte[n++] = map->windows[i].s_per_byte;
	interval_mean(s_per_byte, n, confidence, &v);
	free(s_per_byte);
	half = v.high / v.value - 1;
	return interval_of_logarithm(v.value, half);
}
