/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Of a device made of others the worst of them counts. runtime_status is that of the kernel's
 * runtime power management (Documentation/ABI/testing/sysfs-devices-power). */
#include "power.h"

#include <string.h>

#include "backing.h"
#include "base/text.h"

#define LEVELS_MAX 8

struct looking {
	unsigned levels;
	unsigned asleep, unknown, found;
};

static bool is_suspended(const struct sysfs_device *d)
{
	char text[32];

	return sysfs_read(text, sizeof(text), "%s/device/power/runtime_status", d->whole) == 0 &&
	       strcmp(text, "suspended") == 0;
}

/* A file may lie on a disk that cannot be found from here. */
static bool is_made_of_others(const struct sysfs_device *d)
{
	return text_starts(d->name, "loop") || text_starts(d->name, "md") ||
	       text_starts(d->name, "dm-");
}

static int look(void *arg, const struct sysfs_device *d)
{
	struct looking *l = arg;
	unsigned before = l->found;

	if (l->levels < LEVELS_MAX) {
		l->levels++;
		backing_each(d, look, l);
		l->levels--;
	}
	if (l->found++ > before)
		return 0;
	l->asleep += is_suspended(d);
	l->unknown += is_made_of_others(d) ||
		sysfs_number(1, "%s/queue/rotational", d->whole) != 0;
	return 0;
}

enum drive_power power_of(const struct sysfs_device *d)
{
	struct looking l = {0};

	look(&l, d);
	return l.asleep ? POWER_ASLEEP : l.unknown ? POWER_UNKNOWN : POWER_AWAKE;
}
