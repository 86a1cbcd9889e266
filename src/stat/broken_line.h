/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slope of a line that jumps upwards now and then, as the completions of a stream do from track to
 * track: between the jumps it is the same line, shifted. */
#ifndef STAT_BROKEN_LINE_H
#define STAT_BROKEN_LINE_H

#include <stddef.h>

struct broken_line {
	double slope;
	double slope_se;    /* standard error from the residuals; NAN: too few points for one */
	double jump;        /* mean height of the jumps; 0: none */
	size_t jumps;
};

/* x ascending, in steps that are mostly alike; y rises. A jump is what is above the median rise by at
 * least least_jump, and by 6 robust standard deviations of the rises. Common slope by least squares
 * within the pieces. room: n numbers. 0, or -ERANGE: no piece of two points, or no positive slope. */
int broken_line_fit(const double *x, const double *y, size_t n, double least_jump, double *room,
	struct broken_line *out);

#endif
