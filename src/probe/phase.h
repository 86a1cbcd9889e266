/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What rotation and track have found, for the probes after them: the platter as a clock.
 *
 * A read of one unit from the medium is complete at T, when its last byte has left the head. With P
 * the time of a revolution and L the bytes of the track, T / P modulo 1 moves by d / L when the
 * read moves by d bytes inside the track, whatever seeks and queues came before. All these read
 * the document only; before rotation and track have run they find nothing. */
#ifndef PROBE_PHASE_H
#define PROBE_PHASE_H

#include <stdbool.h>

#include "doc/doc.h"
#include "drive/drive.h"
#include "stat/interval.h"

/* Whether rotation was found beyond doubt: the period is known. */
bool phase_known(const struct doc *doc);

/* Time of one revolution, s, with its 95 % interval, what is known of the clock's own error in it.
 * false: not known, *period_s untouched. */
bool phase_period(const struct doc *doc, struct interval *period_s);

/* Length of a phase read, bytes: what rotation used, else the physical block; whole logical blocks. */
uint32_t phase_unit(const struct doc *doc, const struct drive_info *info);

/* Bytes from one visit of a place to the next, so that the second is not answered from the drive's
 * cache: one unit backwards (negative) on most drives, a larger step forwards on those that keep
 * what passes under the head before the place asked for. 0: not known, or no step does. */
int64_t phase_step(const struct doc *doc);

/* Bytes in the track at that offset, with a 95 % interval, interpolated between the places where
 * track measured it; outside of them that of the nearest. Heads may differ by some percent, and the
 * interval speaks of the places measured. Before track has run, a guess from the visits of rotation,
 * to 15 %. false: not known, *bytes untouched. */
bool phase_track_bytes(const struct doc *doc, uint64_t offset, struct interval *bytes);

#endif
