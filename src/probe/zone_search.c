/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where zones end is found by halving, all of them together: in a sweep over the region every step
 * that is not known well enough gets a window where it is most likely to be, and so do the widest
 * gaps, which may hide something. Sweeps go in and out in turn, so that ways are short. What was
 * met by a disturbance is met again by the next sweep, since nothing is learnt from it. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "probe/zone_windows.h"
#include "stat/robust.h"

#define NARROW      0.0002 /* of the region: a step known so well is not looked at again, */
#define NARROW_PART 0.5    /* nor one within so much of a window */
#define GAPS        3u     /* looked at in each sweep */
#define GAPS_ALONE  12u    /* where no step needs a look */
#define JITTER      0.25   /* of what is not known: no place is read twice */
#define THIN        2u   /* a zone with so few windows gets one more, */
#define THIN_SHARE  0.6  /* when so much of the budget is spent */
#define READS_MOST  40000u
#define OUTLIER     3.5  /* robust standard deviations */
#define AGAIN_SHARE 1.05 /* of the budget */
#define AGAIN_PART  8u   /* at most one window in so many is measured again */
#define SCATTER_MOST 0.25

bool zones_may_go_on(const struct zones *z, double share)
{
	double next_s = POSITION_S + (z->brief ? z->brief_s : z->window_s) +
			(double)z->skip * z->chunk * z->pilot_s_per_byte;
	double left_s = share * (double)z->s.scope->budget_ns / 1e9 -
			(double)session_elapsed_ns(&z->s) / 1e9;

	return left_s > next_s && z->map.n + 1 < z->windows_max && z->s.answered < READS_MOST;
}

struct targets {
	double *place; /* n, ascending */
	size_t n, max;
};

static void add(struct targets *t, double place)
{
	if (t->n < t->max)
		t->place[t->n++] = place;
}

static double narrow(const struct zones *z)
{
	double length = z->map.n ? z->map.windows[z->map.n / 2].length : 0;

	return fmax(NARROW * (double)zones_region(z), NARROW_PART * length);
}

static void add_steps(struct zones *z, const struct zone_steps *s, struct targets *t)
{
	bool late = !zones_may_go_on(z, THIN_SHARE);
	double least = narrow(z);

	for (size_t i = 0; i < s->n; i++) {
		double width = s->steps[i].high - s->steps[i].low;

		if (width > least)
			add(t, s->steps[i].place +
					JITTER * width * (rng_uniform(&z->rng) - 0.5));
	}
	for (size_t i = 1; i < s->n && late; i++) {
		double a = s->steps[i - 1].high, b = s->steps[i].low;

		if (s->levels[i].inside <= THIN && b > a)
			add(t, a + (b - a) * (0.5 + JITTER * (rng_uniform(&z->rng) - 0.5)));
	}
}

/* The widest gaps between windows, at most `most` of them. The map is sorted. */
static void add_gaps(struct zones *z, size_t most, struct targets *t)
{
	double *width = mem_zalloc(z->map.n + 1, sizeof(*width)), limit;
	size_t n = z->map.n - 1;

	for (size_t i = 0; i < n; i++)
		width[i] = z->map.windows[i + 1].middle - z->map.windows[i].middle;
	stat_sort(width, n);
	limit = fmax(n > most ? width[n - most] : 0, 2 * narrow(z));
	free(width);
	for (size_t i = 0; i < n && most; i++) {
		double a = z->map.windows[i].middle, b = z->map.windows[i + 1].middle;

		if (b - a < limit)
			continue;
		add(t, a + (b - a) * (0.5 + JITTER * (rng_uniform(&z->rng) - 0.5)));
		most--;
	}
}

static int sweep(struct zones *z, const struct targets *t, bool inwards, double share)
{
	int status = 0;

	stat_sort(t->place, t->n);
	for (size_t i = 0; i < t->n && status == 0 && zones_may_go_on(z, share); i++)
		status = zones_visit(z, t->place[inwards ? i : t->n - 1 - i]);
	return status;
}

int zones_search(struct zones *z, double share)
{
	struct targets t = {.max = z->windows_max};
	int status = 0;
	bool inwards = false;
	uint64_t lost = z->lost;

	t.place = mem_zalloc(t.max + 1, sizeof(*t.place));
	/* a region that cannot be read is not asked for ever */
	while (status == 0 && zones_may_go_on(z, share) && z->map.n > 1 &&
		z->lost - lost < z->cells) {
		struct zone_steps s;

		t.n = 0;
		zone_map_sort(&z->map);
		zone_steps_find(&s, &z->map, zones_noise(z), ZONE_SEARCH);
		if (zone_steps_worth(&s))
			add_steps(z, &s, &t);
		zone_steps_release(&s);
		add_gaps(z, t.n ? GAPS : GAPS_ALONE, &t);
		if (t.n == 0)
			break;
		inwards = !inwards;
		status = sweep(z, &t, inwards, share);
	}
	free(t.place);
	return status;
}

/* Windows that neither neighbour resembles, once more: a pause of drive or host hit them, or they are
 * as they are. What was read twice alike stands, else the second reading. The pause is not forgotten:
 * it says nothing of that place, but pauses happen, and every place has its share (rate_over). */
int zones_read_outliers(struct zones *z)
{
	size_t *which = mem_zalloc(z->map.n + 1, sizeof(*which));
	size_t n;
	int status = 0;

	z->brief = false;
	zone_map_fill_brief(&z->map);
	n = zone_map_outliers(&z->map, OUTLIER, which);
	if (z->map.robust_sd > SCATTER_MOST)
		n = 0; /* there is nothing to stand out from */
	for (size_t i = 0; i < n && i < z->map.n / AGAIN_PART + 1 && status == 0 &&
				   zones_may_go_on(z, AGAIN_SHARE); i++) {
		struct zone_window *w = &z->map.windows[which[i]];
		double length = (double)(w->chunks + z->skip) * z->chunk, s_per_byte;

		if (w->brief)
			continue;
		status = zones_read_window(
			z, w->offset, w->chunks, 10 * length * w->s_per_byte + 0.5, &s_per_byte);
		if (isnan(s_per_byte) ||
			zone_map_alike(&z->map, w->s_per_byte, s_per_byte, OUTLIER))
			continue;
		if (!w->disturbed && !z->disturbed) {
			double pause_s = (w->s_per_byte - s_per_byte) * w->length;

			z->pauses++;
			z->paused_s += pause_s;
			z->paused_s_squared += pause_s * pause_s;
		}
		w->s_per_byte = s_per_byte;
		w->in_track = z->in_track;
		w->disturbed = z->disturbed;
		w->by_others = z->by_others;
	}
	free(which);
	return status;
}
