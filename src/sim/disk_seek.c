/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The mean of the curve is linear in its root's factor, so the fit is one division. */
#include "sim/disk_seek.h"

#include <math.h>

#define KNEE (1.0 / 3.0)

/* Mean of the curve for t2t, root factor a and f(1) = full; all in one unit. */
static double curve_mean(double t2t, double a, double full)
{
	double root = a * (4.0 / 3.0 * pow(KNEE, 1.5) - 4.0 / 5.0 * pow(KNEE, 2.5));
	double rest = 1 - KNEE, knee = t2t + a * sqrt(KNEE), slope = (full - knee) / rest;

	return t2t * (1 - rest * rest) + root + knee * rest * rest + slope * rest * rest * rest / 3;
}

bool disk_seek_fit(struct disk_seek *s, const struct truth *t, uint64_t cylinders)
{
	double t2t = t->track_to_track_s * 1e9, full = t->full_stroke_s * 1e9;
	double at0 = curve_mean(t2t, 0, full), at1 = curve_mean(t2t, 1, full);
	double a = (t->average_seek_s * 1e9 - at0) / (at1 - at0);

	if (fabs(a) < 1e-6) /* a straight line, but for the last bit */
		a = 0;
	s->t2t_ns = t2t;
	s->root_ns = a;
	s->knee_ns = t2t + a * sqrt(KNEE);
	s->slope_ns = (full - s->knee_ns) / (1 - KNEE);
	s->per_cylinder = 1.0 / (double)cylinders;
	s->outward = 2 / (1 + t->seek_inward_ratio);
	s->inward = 2 - s->outward;
	return a >= 0 && s->slope_ns >= 0;
}

double disk_seek_ns(const struct disk_seek *s, uint64_t distance)
{
	double x;

	if (!distance)
		return 0;
	x = (double)(distance - 1) * s->per_cylinder;
	return x <= KNEE ? s->t2t_ns + s->root_ns * sqrt(x) : s->knee_ns + s->slope_ns * (x - KNEE);
}

double disk_seek_move_ns(const struct disk_seek *s, uint64_t from, uint64_t to)
{
	return to > from ? s->inward * disk_seek_ns(s, to - from) :
			   s->outward * disk_seek_ns(s, from - to);
}
