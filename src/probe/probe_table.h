/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every probe's entry, for the table and for tests of one probe. What each measures, and how its
 * interval comes about, is said at the head of its file. */
#ifndef PROBE_PROBE_TABLE_H
#define PROBE_PROBE_TABLE_H

#include "probe/probe.h"

probe_run cached_run, buffered_run, sequential_run, zones_run, access_run, seek_run, seekers_run,
	patterns_run, rotation_run;
probe_run clock_run, queue_run, class_run, cache_run;
probe_run track_run, spindle_run;

#endif
