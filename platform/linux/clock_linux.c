/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Clocks that are not a drive's: the date for the document, and a clock to draw progress by. */
#include "clock_linux.h"

#include "host/platform.h"

void platform_utc_now(char *dst, size_t size)
{
	time_t now = time(NULL);
	struct tm utc;

	gmtime_r(&now, &utc);
	if (!strftime(dst, size, "%Y-%m-%dT%H:%M:%SZ", &utc) && size)
		dst[0] = 0;
}

uint64_t platform_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
