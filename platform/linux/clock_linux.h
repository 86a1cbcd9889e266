/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clock of every real drive: CLOCK_MONOTONIC_RAW, which nobody slews. Nanoseconds. */
#ifndef PLATFORM_LINUX_CLOCK_LINUX_H
#define PLATFORM_LINUX_CLOCK_LINUX_H

#include <stdint.h>
#include <time.h>

static inline uint64_t clock_raw_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC_RAW, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* By how much that clock may run fast or slow. Where the kernel's time is kept by somebody: what the
 * kernel corrects it by (adjtimex(2), read and never set), and 5 ppm for what he does not see; else
 * 100 ppm, which is what crystals are sold with. */
double clock_error_ratio(void);

#endif
