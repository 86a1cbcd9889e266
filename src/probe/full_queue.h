/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What of a batch of reads happened while its queue was full. */
#ifndef PROBE_FULL_QUEUE_H
#define PROBE_FULL_QUEUE_H

#include <stddef.h>
#include <stdint.h>

#include "drive/drive.h"

/* Times at which the good ones of n reads (one batch, depth outstanding) were complete, s since
 * start_ns, ascending, into done_s (room for n): without the first skip of them, while the queue finds
 * its habit, and without those after the last read was issued, when it runs empty. Returns how many. */
size_t full_queue_times(
	const struct io *ios, size_t n, uint64_t start_ns, size_t skip, double *done_s);

#endif
