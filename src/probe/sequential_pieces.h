/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the two halves of the sequential probe share: pieces of stream, one behind the other. */
#ifndef PROBE_SEQUENTIAL_PIECES_H
#define PROBE_SEQUENTIAL_PIECES_H

#include "base/rng.h"
#include "probe/session.h"

struct sequential {
	struct session s;
	struct rng rng;
	uint64_t cursor;        /* where the next piece starts */
	bool wrapped;           /* the region was too small: parts were read twice */
	size_t planned;    /* reads of the last piece */
	double parts[STRETCH_PARTS]; /* where there is one run: rates of its parts */
	size_t parts_n;
	uint64_t runs_end;      /* where the runs came to */
	double *rates, *shares; /* by run */
	double *times_s;        /* of the runs' reads, at most DRIVE_BATCH_MAX */
	size_t times_n;
};

/* One piece of at most run_ns and `most` requests; skip: how many reads at its beginning are not
 * timed (at least 1). Pieces follow each other, with a gap that read-ahead does not reach over;
 * behind the end of the region they start over. Returns as session_run. */
int sequential_piece(struct sequential *q, uint32_t request, uint64_t run_ns, size_t skip,
	size_t most, struct stretch *t);

/* Rates with requests of 4 KiB to 4 MiB in about budget_ns; bytes_per_s: what the runs found. Puts
 * sequential.saturating_request_bytes and the series sequential.rate_by_request. Returns as
 * session_run. */
int sequential_sweep(struct sequential *q, uint64_t budget_ns, double bytes_per_s);

#endif
