/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The first access to a drive that may have been asleep, timed apart from every figure. */
#ifndef PLAN_WAKE_H
#define PLAN_WAKE_H

#include "doc/doc.h"
#include "drive/drive.h"
#include "probe/probe.h"

#define WAKE_SLOW_NS UINT64_C(1000000000) /* a first read that took longer waited for the spindle */
#define WAKE_IDLE_NS UINT64_C(1000000000) /* who was left alone for longer is woken again */

/* Reads one block somewhere in the region (another one where it cannot be read, WAKE_TRIES in all;
 * the failed reads become events). asleep: the drive was known to sleep. Then, or when the read took
 * longer than WAKE_SLOW_NS, the document gets an event "spin_up", at_s on the drive's clock, with
 * the time of that read. round: how often it was woken before; each round reads elsewhere. 0, also
 * when no block could be read; else as drive_run(). */
#define WAKE_TRIES 3u
int wake_drive(struct drive *d, const struct scope *scope, unsigned round, bool asleep,
	struct doc *doc);

/* The event for the read that was made while the drive was opened; nothing where that was short. */
void wake_told_by_opening(const struct drive_info *info, struct doc *doc);

#endif
