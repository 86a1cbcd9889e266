/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Clocks that are not a drive's: the date for the document, and a clock to draw progress by. */
#include "clock_linux.h"

#include <math.h>
#include <sys/timex.h>
#include <unistd.h>

#include "host/platform.h"

#define CRYSTAL_RATIO  100e-6
#define UNSEEN_RATIO   5e-6
#define FREQUENCY_UNIT (1e-6 / 65536) /* of struct timex.freq */

double clock_error_ratio(void)
{
	struct timex t = {.modes = 0};
	int state = adjtimex(&t);
	double corrected;

	if (state < 0 || state == TIME_ERROR || (t.status & STA_UNSYNC))
		return CRYSTAL_RATIO;
	/* a tick has the nominal length of one USER_HZ in microseconds */
	corrected = (double)t.tick * (double)sysconf(_SC_CLK_TCK) * 1e-6 - 1 +
		(double)t.freq * FREQUENCY_UNIT;
	return fabs(corrected) + UNSEEN_RATIO;
}

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
