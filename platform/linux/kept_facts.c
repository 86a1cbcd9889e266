/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One file after the other, each under the name that smartctl has for it, or "platter.…". Sizes in
 * /sys/block/…/size are in units of 512 bytes, whatever the sectors are. Temperature sensors (hwmon)
 * are left alone: whoever reads one makes the kernel ask the drive, which may sleep; and of an NVMe
 * drive it takes the log without "retain event", so that an event is gone for who waits for it. */
#include "kept.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "raid_volume.h"

#define NOT_THERE UINT64_MAX

/* A number as the kernel writes its counters, "0x1f". */
static void put_counter(const struct sysfs_device *d, struct facts *facts, const char *file,
	const char *path)
{
	char text[64], *end;
	unsigned long long value;

	if (sysfs_read(text, sizeof(text), "%s/device/%s", d->whole, file) != 0)
		return;
	value = strtoull(text, &end, 0);
	if (end != text && !*end && value <= INT64_MAX)
		facts_integer(facts, KEPT_SOURCE, (int64_t)value, "%s", path);
}

static void put_number(const struct sysfs_device *d, struct facts *facts, const char *file,
	const char *path)
{
	uint64_t value = sysfs_number(NOT_THERE, "%s/%s", d->whole, file);

	if (value <= INT64_MAX)
		facts_integer(facts, KEPT_SOURCE, (int64_t)value, "%s", path);
}

static void put_sizes(const struct sysfs_device *d, struct facts *facts)
{
	uint64_t sectors = sysfs_number(0, "%s/size", d->dir);
	uint64_t block = sysfs_number(0, "%s/queue/logical_block_size", d->whole);

	if (sectors && sectors <= INT64_MAX / 512 && block) {
		facts_integer(facts, KEPT_SOURCE, (int64_t)(sectors * 512 / block),
			"user_capacity.blocks");
		facts_integer(facts, KEPT_SOURCE, (int64_t)(sectors * 512), "user_capacity.bytes");
	}
	put_number(d, facts, "queue/logical_block_size", "logical_block_size");
	/* of an NVMe drive the kernel makes it from what it prefers to be written */
	if (!text_starts(d->name, "nvme"))
		put_number(d, facts, "queue/physical_block_size", "physical_block_size");
	put_number(d, facts, "alignment_offset", "platter.alignment_offset_bytes");
}

static void put_zones(const struct sysfs_device *d, struct facts *facts)
{
	char text[32];

	if (sysfs_read(text, sizeof(text), "%s/queue/zoned", d->whole) != 0)
		return;
	if (strcmp(text, "host-aware") == 0)
		facts_text(facts, KEPT_SOURCE, FACT_OPEN, "host_aware", "zoned_device.capabilities");
	if (strcmp(text, "host-managed") == 0)
		facts_text(facts, KEPT_SOURCE, FACT_OPEN, "host_managed", "zoned_device.capabilities");
}

struct looking {
	const struct sysfs_device *d;
	struct facts *facts;
	unsigned n;
	char dir[1024];
};

/* queue/independent_access_ranges/N: each actuator's part of the drive. */
static int put_range(void *arg, const char *name)
{
	struct looking *l = arg;
	uint64_t start = sysfs_number(NOT_THERE, "%s/%s/sector", l->dir, name);
	uint64_t length = sysfs_number(NOT_THERE, "%s/%s/nr_sectors", l->dir, name);

	if (start > INT64_MAX / 512 || length > INT64_MAX / 512)
		return 0;
	facts_integer(l->facts, KEPT_SOURCE, (int64_t)(start * 512),
		"platter.access_ranges[%u].start_bytes", l->n);
	facts_integer(l->facts, KEPT_SOURCE, (int64_t)(length * 512),
		"platter.access_ranges[%u].size_bytes", l->n);
	l->n++;
	return 0;
}

static void put_ranges(const struct sysfs_device *d, struct facts *facts)
{
	struct looking l = {.d = d, .facts = facts};

	snprintf(l.dir, sizeof(l.dir), "%s/queue/independent_access_ranges", d->whole);
	sysfs_each(l.dir, put_range, &l);
	if (l.n)
		facts_integer(facts, KEPT_SOURCE, l.n, "platter.independent_access_ranges");
}

/* scsi_disk/H:C:T:L: what the disk driver took from the mode and capacity data. */
static int put_scsi_disk(void *arg, const char *name)
{
	struct looking *l = arg;
	char text[64];
	uint64_t type = sysfs_number(0, "%s/%s/protection_type", l->dir, name);

	if (type > 0 && type <= 3)
		facts_integer(l->facts, KEPT_SOURCE, (int64_t)type, "scsi_protection_type");
	if (sysfs_read(text, sizeof(text), "%s/%s/cache_type", l->dir, name) == 0) {
		if (text_starts(text, "write back"))
			facts_flag(l->facts, KEPT_SOURCE, true, "write_cache.enabled");
		if (text_starts(text, "write through") || strcmp(text, "none") == 0)
			facts_flag(l->facts, KEPT_SOURCE, false, "write_cache.enabled");
	}
	return 1;
}

void kept_facts(const struct sysfs_device *d, struct facts *facts)
{
	struct looking l = {.d = d, .facts = facts};
	char text[128];

	put_sizes(d, facts);
	put_zones(d, facts);
	put_ranges(d, facts);
	snprintf(l.dir, sizeof(l.dir), "%s/device/scsi_disk", d->whole);
	sysfs_each(l.dir, put_scsi_disk, &l);
	put_number(d, facts, "device/timeout", "platter.command_timeout_s");
	put_number(d, facts, "device/queue_depth", "platter.kernel_queue_depth");
	put_counter(d, facts, "ioerr_cnt", "platter.io_errors");
	put_counter(d, facts, "iotmo_cnt", "platter.io_timeouts");
	if (sysfs_read(text, sizeof(text), "%s/device/state", d->whole) == 0)
		facts_text(facts, KEPT_SOURCE, FACT_OPEN, text, "platter.state");
	if (raid_volume(d, text, sizeof(text)))
		facts_text(facts, KEPT_SOURCE, FACT_OPEN, text[0] ? text : "a controller",
			"platter.raid_volume");
}
