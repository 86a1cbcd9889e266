/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All variances are relative ones: inner zones take twice the time of outer ones, and scatter twice
 * as much. A cell with a single window lends its variance from the typical one. */
#include "probe/zone_map.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

/* Below this a difference says nothing but that the clock has steps. */
#define VARIANCE_LEAST 1e-10

static double mean_of(const struct zone_cell *c)
{
	return c->windows == 2 ? (c->s_per_byte[0] + c->s_per_byte[1]) / 2 : c->s_per_byte[0];
}

/* Relative variance of the mean of a cell's two windows: half their difference squared. */
static double variance_of(const struct zone_cell *c)
{
	double half = (c->s_per_byte[0] - c->s_per_byte[1]) / 2 / mean_of(c);

	return fmax(half * half, VARIANCE_LEAST);
}

/* Mean of cells [first, first + count), all of the same weight, and the relative variance of that
 * mean from those with two windows. Returns how many have two; *some: how many have any. */
static size_t gather(const struct zone_map *map, size_t first, size_t count, double *mean,
	double *variance, size_t *some)
{
	size_t pairs = 0;

	*mean = *variance = 0;
	*some = 0;
	for (size_t i = first; i < first + count; i++) {
		const struct zone_cell *c = &map->cells[i];

		if (c->windows == 0)
			continue;
		*mean += mean_of(c);
		++*some;
		if (c->windows < 2)
			continue;
		*variance += variance_of(c);
		pairs++;
	}
	if (*some)
		*mean /= (double)*some;
	if (pairs)
		*variance /= (double)pairs * (double)pairs;
	return pairs;
}

int zone_map_judge(struct zone_map *map)
{
	size_t points = map->n / map->cells_per_point, n = 0;
	double *variances = mem_zalloc(points + 1, sizeof(*variances));
	int status;

	for (size_t i = 0; i < points; i++) {
		double mean, variance;
		size_t some;

		if (gather(map, i * map->cells_per_point, map->cells_per_point, &mean, &variance,
			&some) == map->cells_per_point)
			variances[n++] = variance;
	}
	status = moderate_fit(&map->typical, variances, n, (double)map->cells_per_point);
	free(variances);
	return status;
}

/* From a mean and its relative standard error. */
static struct interval make_interval(double mean, double se, double dof, double floor_ratio,
	double confidence)
{
	struct interval v = interval_student(0, se, dof, confidence);

	return interval_of_logarithm(mean, fmax(v.high, floor_ratio));
}

int zone_map_point(const struct zone_map *map, size_t i, double confidence,
	struct interval *s_per_byte)
{
	size_t some, pairs;
	double mean, variance, dof;

	pairs = gather(map, i * map->cells_per_point, map->cells_per_point, &mean, &variance, &some);
	if (some == 0)
		return -ENODATA;
	dof = (double)pairs;
	variance = moderate_variance(&map->typical, variance, dof);
	if (pairs < map->cells_per_point) /* fewer windows than the typical point has */
		variance = fmax(variance, map->typical.variance) * 2 * (double)map->cells_per_point /
			(double)some;
	*s_per_byte = make_interval(mean, sqrt(variance), dof + map->typical.dof,
		map->point_floor_ratio, confidence);
	return 0;
}

/* The nearest cell on either side that has a window. NULL: none. */
static const struct zone_cell *nearest(const struct zone_map *map, size_t at)
{
	for (size_t d = 0; d < map->n; d++) {
		if (at >= d && map->cells[at - d].windows)
			return &map->cells[at - d];
		if (at + d < map->n && map->cells[at + d].windows)
			return &map->cells[at + d];
	}
	return NULL;
}

int zone_map_mean(const struct zone_map *map, double confidence, struct interval *s_per_byte)
{
	double seconds = 0, bytes = 0, sum = 0, squares = 0, dof;

	for (size_t i = 0; i < map->n; i++) {
		const struct zone_cell *c = nearest(map, i);
		double size = (double)(map->cells[i].to - map->cells[i].from), part, variance;

		if (!c)
			return -ENODATA;
		part = size * mean_of(c);
		variance = part * part * (c->windows == 2 ? variance_of(c)
			: 2 * map->typical.variance * (double)map->cells_per_point);
		seconds += part;
		bytes += size;
		sum += variance;
		squares += variance * variance;
	}
	/* each term is an estimate of one degree, whose square is expected three times too large */
	dof = fmax(1, 3 * sum * sum / squares - 2);
	*s_per_byte = make_interval(seconds / bytes, sqrt(sum) / seconds, dof, map->floor_ratio,
		confidence);
	return 0;
}
