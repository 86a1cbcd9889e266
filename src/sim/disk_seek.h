/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The seek curve: time over distance in cylinders. With x = (distance - 1) / cylinders,
 *   x <= 1/3: t2t + a * sqrt(x)        x > 1/3: f(1/3) + b * (x - 1/3)
 * (root then straight, the form of Ruemmler and Wilkes 1994), a and b such that f(1) is the full
 * stroke and the mean over all pairs of cylinders, whose distances have density 2 * (1 - x), is the
 * average. */
#ifndef SIM_DISK_SEEK_H
#define SIM_DISK_SEEK_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/truth.h"

struct disk_seek {
	double t2t_ns, root_ns, knee_ns, slope_ns; /* f's terms: t2t, a, f(1/3), b */
	double per_cylinder; /* 1 / cylinders */
	double inward, outward; /* factors of the two directions; their mean is 1 */
};

/* False when a or b would be negative. cylinders: at least 1. */
bool disk_seek_fit(struct disk_seek *s, const struct truth *t, uint64_t cylinders);

/* The mean of both directions; 0 for distance 0. */
double disk_seek_ns(const struct disk_seek *s, uint64_t distance);

/* From cylinder to cylinder; higher ones are further in. */
double disk_seek_move_ns(const struct disk_seek *s, uint64_t from, uint64_t to);

#endif
