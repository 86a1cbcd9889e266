/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A period becomes the findings that follow from it; for rotation and for those that make it sharper
 * later in the run. */
#ifndef PROBE_ROTATION_PUT_H
#define PROBE_ROTATION_PUT_H

#include "probe/session.h"

/* Half-width at 95 % that the mean speed of a second or so cannot be known better than, share: a
 * spindle sways by some 30 ppm. */
#define SWAY_RATIO 45e-6

/* Puts rotation.period_s, rpm, latency_mean_s and nominal_rpm. period_s: without the clock's own error,
 * which is added here. unit: bytes in a visit. A note where the drive says another speed. */
void rotation_put(struct session *s, struct interval period_s, uint64_t samples, uint32_t unit);

/* Where several arms read, whose spindles may be several too: the speed found is that of any of them, so
 * period_s, rpm and latency_mean_s are at least SEVERAL_RATIO wide to each side, and drift is unknown. */
#define SEVERAL_RATIO 150e-6
void rotation_put_several(const struct session *s);

/* Puts rotation.reported_rpm. */
void rotation_put_reported(const struct session *s);

#endif
