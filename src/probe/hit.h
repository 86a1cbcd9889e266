/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where between the answers that came from a memory and those that came from the medium the line is
 * drawn. */
#ifndef PROBE_HIT_H
#define PROBE_HIT_H

#include <stddef.h>

#include "doc/doc.h"

/* By what the document knows of the fastest answers, their jitter and the completion tick: a read that
 * followed another at once and took less than this, s, needed no medium. Not for reads after a wait,
 * which find a host and a drive that have to wake: hit_threshold_of() is. NAN: the fastest answer is not
 * known. */
double hit_threshold_s(const struct doc *doc);

/* By the latencies themselves (latency_s, sorted in place, s), for reads after a wait: the middle of the
 * largest gap between hit_s and hit_s + 0.15 revolutions of period_s, if that gap is 0.15 ms at least;
 * else hit_s + 0.3 ms, at most 0.06 revolutions above it. 0, or -ERANGE: there are reads on both sides
 * of that line with no gap around it, so that it tells nothing. */
int hit_threshold_of(
	double *latency_s, size_t n, double hit_s, double period_s, double *threshold_s);

#endif
