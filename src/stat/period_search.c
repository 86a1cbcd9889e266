/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each row with the one before it of the same anchor is a pair, whose times differ by whole periods
 * (and the shift between them). The mean cosine of that phase, over the frequencies, has peaks at
 * the true frequency and its multiples. A jump of an anchor spoils one pair, not the anchor. */
#include "stat/period.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "stat/robust.h"

#define TURN          6.283185307179586
#define PAIRS_LEAST   6u
#define GRID_STEP     0.08 /* of a turn, of the longer pairs */
#define NEARLY        0.8  /* of the best peak */
#define CHANCE        4.2  /* standard deviations of the mean cosine of random phases */
#define BETTER        0.03 /* a scale other than 1 must make rows more coherent by this */
#define SCALE_FROM    -0.2
#define SCALE_TO      2.4
#define SCALE_STEP    0.02

struct pair {
	double time_s, shift_s;
};

static size_t pairs_of(const struct period_row *rows, size_t n, struct pair *pairs)
{
	size_t last[PERIOD_ANCHORS_MAX], made = 0;

	for (size_t j = 0; j < PERIOD_ANCHORS_MAX; j++)
		last[j] = n;
	for (size_t i = 0; i < n; i++) {
		size_t *before = &last[rows[i].anchor];

		if (*before < n)
			pairs[made++] = (struct pair){rows[i].time_s - rows[*before].time_s,
				rows[i].shift_s - rows[*before].shift_s};
		*before = i;
	}
	return made;
}

static double coherence(const struct pair *pairs, size_t n, double per_s, double scale)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++) {
		double turns = per_s * (pairs[i].time_s - scale * pairs[i].shift_s);

		sum += cos(TURN * (turns - floor(turns)));
	}
	return sum / (double)n;
}

/* The top of the hill that at_per_s stands on. */
static double climb(const struct pair *pairs, size_t n, double at_per_s, double step, double scale)
{
	double here = coherence(pairs, n, at_per_s, scale);

	for (int i = 0; i < 40 && step > at_per_s * 1e-8; i++) {
		double below = coherence(pairs, n, at_per_s - step, scale);
		double above = coherence(pairs, n, at_per_s + step, scale);

		if (below > here && below >= above) {
			at_per_s -= step;
			here = below;
		} else if (above > here) {
			at_per_s += step;
			here = above;
		} else {
			step *= 0.5;
		}
	}
	return at_per_s;
}

static double longer_pairs_s(const struct pair *pairs, size_t n, double *room)
{
	for (size_t i = 0; i < n; i++)
		room[i] = fabs(pairs[i].time_s);
	stat_sort(room, n);
	return stat_quantile_sorted(room, n, 0.9);
}

/* The longest period nearly as coherent as the best, at one scale. grid: room for `steps` values. */
static void look(const struct pair *pairs, size_t n, double from_per_s, double step, double *grid,
	size_t steps, struct period_guess *guess)
{
	double best = -1, enough, at_per_s;
	size_t top = 0, pick;

	for (size_t g = 0; g < steps; g++) {
		grid[g] = coherence(pairs, n, from_per_s + (double)g * step, guess->scale);
		if (grid[g] > best) {
			best = grid[g];
			top = g;
		}
	}
	enough = fmax(NEARLY * best, guess->chance);
	for (pick = 0; pick < top; pick++)
		if (grid[pick] >= enough && (pick == 0 || grid[pick] >= grid[pick - 1]) &&
			grid[pick] >= grid[pick + 1])
			break;
	at_per_s = climb(pairs, n, from_per_s + (double)pick * step, step / 2, guess->scale);
	guess->period_s = 1 / at_per_s;
	guess->coherence = coherence(pairs, n, at_per_s, guess->scale);
}

int period_search(const struct period_row *rows, size_t n, double shortest_s, double longest_s,
	struct period_guess *guess)
{
	static const double scales[] = {1, 0.75, 1.35, 0.5, 1.8, 0.25};
	struct pair *pairs = mem_zalloc(n + 1, sizeof(*pairs));
	size_t made = pairs_of(rows, n, pairs), steps;
	double *grid, longer_s, step;

	if (made < PAIRS_LEAST) {
		free(pairs);
		return -ERANGE;
	}
	grid = mem_zalloc(made, sizeof(*grid));
	longer_s = longer_pairs_s(pairs, made, grid);
	step = GRID_STEP / longer_s;
	steps = (size_t)((1 / shortest_s - 1 / longest_s) / step) + 2;
	grid = mem_resize(grid, steps, sizeof(*grid));
	*guess = (struct period_guess){.coherence = -2};
	for (size_t k = 0; k < sizeof(scales) / sizeof(scales[0]); k++) {
		struct period_guess other = {.scale = scales[k],
			.chance = CHANCE * sqrt(0.5 / (double)made)};

		look(pairs, made, 1 / longest_s, step, grid, steps, &other);
		other.unsure = 0.15 / longer_s * other.period_s;
		if (other.coherence > guess->coherence + BETTER)
			*guess = other;
	}
	free(grid);
	free(pairs);
	return 0;
}

void period_scan_scale(const struct period_row *rows, size_t n, struct period_guess *guess)
{
	struct pair *pairs = mem_zalloc(n + 1, sizeof(*pairs));
	size_t made = pairs_of(rows, n, pairs);
	double best = -2, at = 1;

	for (double k = SCALE_FROM; made && k <= SCALE_TO; k += SCALE_STEP) {
		double here = coherence(pairs, made, 1 / guess->period_s, k);

		if (here > best + 1e-9) {
			best = here;
			at = k;
		}
	}
	guess->scale = at;
	free(pairs);
}
