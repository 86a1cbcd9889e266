/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libatasmart 0.19 on bytes that are handed to it: opened without a name it opens no device and sends
 * nothing. Its opening of a device is never used, as that may switch SMART on. */
#include "smart/witness.h"

#include <stddef.h>
/* needs size_t from above */
#include <atasmart.h>

const char *const witness_name = "libatasmart";

static void ask_figures(struct witness_says *says, SkDisk *disk)
{
	uint64_t value;

	if (sk_disk_smart_get_power_on(disk, &value) == 0) {
		says->hours_told = true;
		says->hours = (double)value / 3600e3;
	}
	if (sk_disk_smart_get_temperature(disk, &value) == 0) {
		says->celsius_told = true;
		says->celsius = (double)value / 1e3 - 273.15;
	}
	if (sk_disk_smart_get_bad(disk, &value) == 0) {
		says->bad_told = true;
		says->bad = value;
	}
}

static const char *verdict_of(SkDisk *disk)
{
	SkSmartOverall overall;

	if (sk_disk_smart_get_overall(disk, &overall) != 0)
		return NULL;
	switch (overall) {
	case SK_SMART_OVERALL_GOOD: return "GOOD";
	case SK_SMART_OVERALL_BAD_ATTRIBUTE_IN_THE_PAST: return "BAD_ATTRIBUTE_IN_THE_PAST";
	case SK_SMART_OVERALL_BAD_SECTOR: return "BAD_SECTOR";
	case SK_SMART_OVERALL_BAD_ATTRIBUTE_NOW: return "BAD_ATTRIBUTE_NOW";
	case SK_SMART_OVERALL_BAD_SECTOR_MANY: return "BAD_SECTOR_MANY";
	case SK_SMART_OVERALL_BAD_STATUS: return "BAD_STATUS";
	default: return NULL;
	}
}

bool witness_ask(struct witness_says *says, const void *dump, size_t length)
{
	SkDisk *disk;

	*says = (struct witness_says){0};
	if (sk_disk_open(NULL, &disk) != 0)
		return false;
	if (sk_disk_set_blob(disk, dump, length) == 0) {
		says->overall = verdict_of(disk);
		ask_figures(says, disk);
	}
	sk_disk_free(disk);
	return says->overall || says->hours_told || says->celsius_told || says->bad_told;
}
