/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All variances are relative ones: inner zones take twice the time of outer ones, and scatter twice
 * as much. */
#include "probe/zone_map.h"

#include <errno.h>
#include <math.h>

static double mean_of(const struct stratum *s)
{
	return s->windows == 2 ? (s->s_per_byte[0] + s->s_per_byte[1]) / 2 : s->s_per_byte[0];
}

int zone_map_judge(struct zone_map *map, double floor_ratio)
{
	double sum = 0;
	size_t pairs = 0;

	for (size_t i = 0; i < map->n; i++) {
		const struct stratum *s = &map->strata[i];
		double difference;

		if (s->windows < 2)
			continue;
		difference = (s->s_per_byte[0] - s->s_per_byte[1]) / mean_of(s);
		sum += difference * difference / 2; /* the difference of two has twice the variance */
		pairs++;
	}
	if (pairs < 3)
		return -ERANGE;
	map->variance = sum / (double)pairs;
	map->dof = (double)pairs;
	map->floor_ratio = floor_ratio;
	return 0;
}

/* The nearest stratum on either side that has a window. NULL: none. */
static const struct stratum *nearest(const struct zone_map *map, size_t at)
{
	for (size_t d = 0; d < map->n; d++) {
		if (at >= d && map->strata[at - d].windows)
			return &map->strata[at - d];
		if (at + d < map->n && map->strata[at + d].windows)
			return &map->strata[at + d];
	}
	return NULL;
}

int zone_map_mean(const struct zone_map *map, size_t first, size_t count, double confidence,
	struct interval *s_per_byte)
{
	double seconds = 0, variance = 0, bytes = 0, ratio;

	for (size_t i = first; i < first + count; i++) {
		const struct stratum *s = nearest(map, i);
		double size = (double)(map->strata[i].to - map->strata[i].from), part;

		if (!s)
			return -ENODATA;
		part = size * mean_of(s);
		seconds += part;
		variance += part * part * map->variance / s->windows;
		bytes += size;
	}
	*s_per_byte = interval_student(seconds / bytes, sqrt(variance) / bytes, map->dof, confidence);
	*s_per_byte = interval_at_least(*s_per_byte, map->floor_ratio * s_per_byte->value);
	/* a very wide one must stay a time above 0 */
	ratio = s_per_byte->low / s_per_byte->value;
	if (ratio < 0.01)
		s_per_byte->low = 0.01 * s_per_byte->value;
	return 0;
}
