/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the checks are called where people read them; programs get the keys. */
#include <string.h>

#include "sheet/sheet_smart_parts.h"

static const struct {
	const char *key, *words;
} names[] = {
	{"smart.failed", "its own verdict"}, {"attributes", "attributes at their limits"},
	{"temperature", "temperature"}, {"hours", "age"},
	{"sectors.pending", "sectors that wait to be rewritten"},
	{"sectors.uncorrectable", "unreadable sectors"},
	{"sectors.reallocated", "replaced sectors"}, {"sectors.grown_defects", "grown defects"},
	{"errors.reported", "reads that failed"}, {"errors.timeouts", "commands that timed out"},
	{"errors.crc", "interface errors"}, {"errors.read_uncorrected", "uncorrected reads"},
	{"errors.write_uncorrected", "uncorrected writes"},
	{"errors.verify_uncorrected", "uncorrected checks"},
	{"errors.non_medium", "errors beside the medium"}, {"errors.media", "lost data"},
	{"errors.unsafe_shutdowns", "power cut off"}, {"errors.log", "error log"},
	{"tests.failed", "self-tests"}, {"wear", "life used"}, {"link.slow", "speed of the link"},
	{"recovery", "limit of retries"}, {"reads.tail", "slowest reads"},
	{"zones.slow", "slow places"}, {"contents", "contents"}, {"drive", "the drive itself"},
};

const char *sheet_check_words(const char *key)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i].key, key) == 0)
			return names[i].words;
	return key;
}
