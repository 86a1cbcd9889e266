/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Filter: writes down everything asked of a drive and everything it answered, so that
 * sim/replay.h can play it back. Nothing is written inside a batch.
 *
 * The file: a header, then one record per call in the order of the calls (now, run, witness,
 * resident). The exact layout is in drive/trace_format.h. */
#ifndef DRIVE_TRACE_H
#define DRIVE_TRACE_H

#include "drive/drive.h"

/* Where the bytes go. Returns 0 or a negative errno; after an error the trace is given up (the
 * drive goes on) and trace_status() says so. */
struct trace_sink {
	int (*write)(void *arg, const void *bytes, size_t length);
	void *arg;
};

/* A new drive in front of inner (which must outlive it). plan_version: written into the header, see
 * plan/plan.h. Never fails. Close with drive_close(), which writes what is still held back. */
struct drive *trace_open(struct drive *inner, unsigned plan_version, const struct trace_sink *sink);

/* 0, or the negative errno of the first failed write. */
int trace_status(const struct drive *trace);

#endif
