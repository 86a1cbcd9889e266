/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The median of the differences between neighbours is the slope, for most neighbours are on one step.
 * What is off it by far is a jump; two of them in a row that undo each other are one bad point. The
 * longest step then gets a straight line of its own, for the next track may belong to another head. */
#include "stat/staircase.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "stat/fit.h"
#include "stat/robust.h"

#define JUMP_MADS 6.0
#define JUMP_MOST 0.12 /* turns: what is off by more is a jump however large the scatter */
#define ROUNDS    3

struct stairs {
	const struct stair_point *points;
	size_t *kept; /* indices of the points that are not bad */
	size_t n;
	double *off;  /* by kept point: turns off the slope since the one before */
	double *room;
	double limit, scatter;
};

static double wrapped(double turns)
{
	return turns - floor(turns + 0.5);
}

/* Differences of neighbours, off the slope. */
static void differences(struct stairs *s, double slope)
{
	for (size_t i = 1; i < s->n; i++) {
		const struct stair_point *a = &s->points[s->kept[i - 1]];
		const struct stair_point *b = &s->points[s->kept[i]];

		s->off[i] = wrapped(b->turns - a->turns - slope * (b->x - a->x));
	}
}

/* The slope by the median neighbour, from a believed one. */
static double median_slope(struct stairs *s, double slope)
{
	for (int round = 0; round < ROUNDS; round++) {
		differences(s, slope);
		for (size_t i = 1; i < s->n; i++)
			s->room[i - 1] = s->off[i] / (s->points[s->kept[i]].x -
							     s->points[s->kept[i - 1]].x);
		slope += stat_median(s->room, s->n - 1);
	}
	differences(s, slope);
	return slope;
}

static void set_limit(struct stairs *s, double least_jump)
{
	for (size_t i = 1; i < s->n; i++)
		s->room[i - 1] = s->off[i];
	s->limit = fmin(fmax(least_jump, JUMP_MADS * stat_mad(s->room, s->n - 1)), JUMP_MOST);
	s->limit = fmax(s->limit, least_jump);
}

/* Takes out points that are off both neighbours by the same. */
static void drop_bad(struct stairs *s)
{
	size_t kept = 1;

	for (size_t i = 1; i < s->n; i++)
		if (i + 1 == s->n || fabs(s->off[i]) <= s->limit ||
			fabs(wrapped(s->off[i] + s->off[i + 1])) > s->limit)
			s->kept[kept++] = s->kept[i];
		else
			s->off[i + 1] = 0;
	s->n = kept;
}

/* The line through the kept points first … last - 1, on one step. */
static int line(struct stairs *s, size_t first, size_t last, double slope, struct fit *fit)
{
	double *x = s->room, *y = s->room + (last - first);
	const struct stair_point *origin = &s->points[s->kept[first]];
	double sum = 0;

	for (size_t i = first; i < last; i++) {
		const struct stair_point *p = &s->points[s->kept[i]];

		if (i > first)
			sum += s->off[i];
		x[i - first] = p->x - origin->x;
		y[i - first] = sum + slope * (p->x - origin->x);
	}
	return fit_line(x, y, last - first, fit);
}

static void keep_jump(struct staircase *out, const struct stairs *s, size_t i)
{
	bool down = s->points[s->kept[i]].x < s->points[s->kept[i - 1]].x;
	double gained = down ? -s->off[i] : s->off[i];

	if (out->jumps < STAIR_JUMPS_MAX)
		out->jump[out->jumps++] = gained - floor(gained);
}

static int measure(struct stairs *s, double slope, struct staircase *out)
{
	size_t first = 0, best = 0, best_first = 0;
	struct fit fit;

	for (size_t i = 1; i <= s->n; i++) {
		if (i < s->n && fabs(s->off[i]) <= s->limit)
			continue;
		if (i - first > best) {
			best = i - first;
			best_first = first;
		}
		if (i < s->n && i > 1 && i + 1 < s->n)
			keep_jump(out, s, i);
		first = i;
	}
	if (best < STAIR_POINTS_LEAST || line(s, best_first, best_first + best, slope, &fit))
		return -ERANGE;
	out->slope = fit.slope;
	out->slope_se = fit.slope_se;
	out->scatter = fit.residual_sd;
	out->points = best;
	out->from_x = s->points[s->kept[best_first]].x;
	out->to_x = s->points[s->kept[best_first + best - 1]].x;
	if (out->from_x > out->to_x) {
		double x = out->from_x;

		out->from_x = out->to_x;
		out->to_x = x;
	}
	return 0;
}

int staircase_fit(const struct stair_point *points, size_t n, double slope, double least_jump,
	struct staircase *out)
{
	struct stairs s = {.points = points, .n = n};
	int status = -ERANGE;

	*out = (struct staircase){0};
	if (n < STAIR_POINTS_LEAST)
		return -ERANGE;
	s.kept = mem_zalloc(n, sizeof(*s.kept));
	s.off = mem_zalloc(n, sizeof(*s.off));
	s.room = mem_zalloc(2 * n, sizeof(*s.room));
	for (size_t i = 0; i < n; i++)
		s.kept[i] = i;
	slope = median_slope(&s, slope);
	set_limit(&s, least_jump);
	drop_bad(&s);
	out->lost = (double)(n - s.n) / (double)n;
	if (s.n >= STAIR_POINTS_LEAST) {
		slope = median_slope(&s, slope);
		set_limit(&s, least_jump);
		status = measure(&s, slope, out);
	}
	free(s.kept);
	free(s.off);
	free(s.room);
	return status;
}
