/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How far the platter has turned at a time, and when it will have. Its speed may sway slowly about
 * the mean: turns(t) = t / turn + phase + sway * sin(pulse * t + shift). */
#ifndef SIM_DISK_SPINDLE_H
#define SIM_DISK_SPINDLE_H

#include "sim/truth.h"

struct disk_spindle {
	double turn_ns; /* mean */
	double phase;   /* turns at time 0, but for the sway */
	double sway;    /* turns; 0: a steady spindle */
	double pulse;   /* radians per ns */
	double shift;   /* radians */
};

/* turn_ns: of the specimen `seed`, which also has its own phase and shift. */
void disk_spindle_init(struct disk_spindle *s, const struct truth *t, double turn_ns,
	uint64_t seed);

/* The time when the platter has made `turns` more than at t_ns. */
double disk_spindle_after(const struct disk_spindle *s, double t_ns, double turns);

/* Turns between the two times. */
double disk_spindle_between(const struct disk_spindle *s, double from_ns, double to_ns);

/* Time from t_ns until the fraction of `turns` is the platter's angle, ns. */
double disk_spindle_wait_ns(const struct disk_spindle *s, double turns, double t_ns);

#endif
