/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Scripts have parsed these lines for twenty years, by column and by word. hdparm turns to kB/sec
 * below 1 MB/sec, which those scripts take for MB/sec: platter never does. */
#include "out/hdparm_lines.h"

#define MIB 1048576.0

static void value(struct text *out, uint64_t bytes, double seconds)
{
	unsigned long long mib = (unsigned long long)(bytes / 1048576);
	double rate = seconds > 0 ? (double)bytes / MIB / seconds : 0;

	text_add(out, "%3llu MB in %5.2f seconds = %6.2f MB/sec\n", mib, seconds, rate);
}

void hdparm_header(struct text *out, const char *device)
{
	text_add(out, "\n%s:\n", device);
}

void hdparm_cached(struct text *out, bool direct, uint64_t bytes, double seconds)
{
	text_add(out, " Timing %scached reads:   ", direct ? "O_DIRECT " : "");
	value(out, bytes, seconds);
}

void hdparm_disk(struct text *out, bool direct, uint64_t offset_gib, uint64_t bytes,
	double seconds)
{
	text_add(out, " Timing %s disk reads", direct ? "O_DIRECT" : "buffered");
	if (offset_gib)
		text_add(out, " (offset %llu GB)", (unsigned long long)offset_gib);
	text_add(out, ": ");
	value(out, bytes, seconds);
}
