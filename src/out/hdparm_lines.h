/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hdparm's -T and -t lines, byte for byte as hdparm 9.29 and later print them, so that scripts
 * which parse them go on working. "MB" in them is 2^20 bytes; always MB/sec, never kB/sec. */
#ifndef OUT_HDPARM_LINES_H
#define OUT_HDPARM_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* "\nDEVICE:\n" */
void hdparm_header(struct text *out, const char *device);
/* " Timing cached reads:   …": bytes read in seconds. direct: "O_DIRECT cached reads". */
void hdparm_cached(struct text *out, bool direct, uint64_t bytes, double seconds);
/* " Timing buffered disk reads: …"; offset_gib > 0 adds "(offset N GB)". */
void hdparm_disk(struct text *out, bool direct, uint64_t offset_gib, uint64_t bytes,
	double seconds);

#endif
