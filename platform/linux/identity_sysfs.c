/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each kind of drive keeps its names in other files; the first that is there is taken. Strings come
 * from the drive and are cleaned. Page 0x80 of SPC-4's vital product data is the serial number of a
 * SCSI drive: four bytes of header, the last the length, then the text. */
#include "identity_sysfs.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "backing.h"
#include "base/text.h"
#include "host/platform.h"
#include "in_use.h"
#include "names.h"
#include "power.h"
#include "queue_limits.h"
#include "sysfs.h"
#include "transport.h"

#define SECTOR_BYTES 512u
#define VPD_HEADER   4u

/* The first of the files (under the whole disk's directory) that has text. */
static void first_text(
	char *dst, size_t size, const struct sysfs_device *d, const char *const *files)
{
	char text[256];

	for (dst[0] = 0; *files && !dst[0]; files++)
		if (sysfs_read(text, sizeof(text), "%s/%s", d->whole, *files) == 0)
			text_copy_clean(dst, size, text);
}

static void serial_from_vpd(char *dst, size_t size, const struct sysfs_device *d)
{
	unsigned char page[VPD_HEADER + 255];
	char path[600], text[256];
	size_t got, length;

	snprintf(path, sizeof(path), "%s/device/vpd_pg80", d->whole);
	if (sysfs_read_bytes(page, sizeof(page), &got, path) != 0 || got <= VPD_HEADER)
		return;
	length = page[3];
	if (length > got - VPD_HEADER)
		length = got - VPD_HEADER;
	memcpy(text, page + VPD_HEADER, length);
	text[length] = 0;
	text_copy_clean(dst, size, text_trim(text));
}

static void names_of_device(struct identity *id, const struct sysfs_device *d)
{
	static const char *const models[] = {"device/model", "device/name", NULL};
	static const char *const vendors[] = {"device/vendor", NULL};
	static const char *const serials[] = {"device/serial", "serial", NULL};
	static const char *const firmwares[] = {
		"device/firmware_rev", "device/rev", "device/fwrev", NULL};

	first_text(id->model_name, sizeof(id->model_name), d, models);
	first_text(id->vendor, sizeof(id->vendor), d, vendors);
	first_text(id->serial_number, sizeof(id->serial_number), d, serials);
	first_text(id->firmware_version, sizeof(id->firmware_version), d, firmwares);
	if (!id->serial_number[0])
		serial_from_vpd(id->serial_number, sizeof(id->serial_number), d);
	/* libata calls every drive's vendor "ATA", virtio's is a number */
	if (strcmp(id->vendor, "ATA") == 0 || text_starts(id->vendor, "0x"))
		id->vendor[0] = 0;
}

static void world_wide_name(struct identity *id, const struct sysfs_device *d)
{
	static const char *const files[] = {"wwid", "device/wwid", NULL};
	char text[256];

	first_text(text, sizeof(text), d, files);
	if (text_starts(text, "naa."))
		snprintf(id->wwn, sizeof(id->wwn), "0x%.60s", text + strlen("naa."));
	else if (text_starts(text, "eui.") || text_starts(text, "uuid."))
		text_copy_clean(id->wwn, sizeof(id->wwn), text);
	/* others (t10., nvme.) are model and serial number once more */
}

static const char *type_of(const struct sysfs_device *d)
{
	static const char *const by_name[][2] = {{"loop", "loop"}, {"zram", "zram"},
		{"nvme", "nvme"}, {"md", "md"}, {"dm-", "dm"}, {"sr", "optical"}, {"ram", "ram"}};

	if (d->partition)
		return "partition";
	for (size_t i = 0; i < sizeof(by_name) / sizeof(by_name[0]); i++)
		if (text_starts(d->name, by_name[i][0]))
			return by_name[i][1];
	return "disk";
}

static void queue_of_device(struct identity *id, const struct sysfs_device *d)
{
	char text[256], *open, *close;
	uint64_t flag;

	id->logical_block_bytes =
		(uint32_t)sysfs_number(0, "%s/queue/logical_block_size", d->whole);
	id->physical_block_bytes =
		(uint32_t)sysfs_number(0, "%s/queue/physical_block_size", d->whole);
	id->max_request_bytes = queue_limits_request_bytes(d, id->logical_block_bytes);
	id->queue_depth = (uint32_t)sysfs_number(0, "%s/device/queue_depth", d->whole);
	id->read_ahead_bytes =
		(uint32_t)(sysfs_number(0, "%s/queue/read_ahead_kb", d->whole) * 1024u);
	flag = sysfs_number(2, "%s/queue/rotational", d->whole);
	id->rotating_known = flag < 2;
	id->rotating = flag == 1;
	if (sysfs_read(text, sizeof(text), "%s/queue/scheduler", d->whole) != 0)
		return;
	/* "none [mq-deadline] kyber": the one in use is marked, unless there is only one */
	open = strchr(text, '[');
	close = open ? strchr(open, ']') : NULL;
	if (close)
		*close = 0;
	text_copy_clean(id->scheduler, sizeof(id->scheduler), close ? open + 1 : text);
}

/* SBC-4, block device characteristics VPD page (0xB1): bytes 4 and 5 are the medium rotation rate in
 * revolutions a minute; 1: nothing rotates; values up to 0x400 and 0xFFFF are reserved. */
static uint32_t rotation_rate(const struct sysfs_device *d)
{
	unsigned char page[64];
	char path[600];
	unsigned rpm;
	size_t got;

	snprintf(path, sizeof(path), "%s/device/vpd_pgb1", d->whole);
	if (sysfs_read_bytes(page, sizeof(page), &got, path) != 0 || got < 6 || page[1] != 0xB1)
		return 0;
	rpm = (unsigned)page[4] << 8 | page[5];
	return rpm > 0x400 && rpm < 0xFFFF ? rpm : 0;
}

static void power_of_device(struct identity *id, const struct sysfs_device *d)
{
	enum drive_power power = power_of(d);

	id->asleep_known = power != POWER_UNKNOWN;
	id->asleep = power == POWER_ASLEEP;
}

static void flags_of_device(struct identity *id, const struct sysfs_device *d)
{
	uint64_t removable = sysfs_number(2, "%s/removable", d->whole);
	uint64_t read_only = sysfs_number(2, "%s/ro", d->dir);

	id->removable_known = removable < 2;
	id->removable = removable == 1;
	id->read_only_known = read_only < 2;
	id->read_only = read_only == 1;
}

int identity_of(struct identity *id, const char *kernel_name)
{
	struct sysfs_device d;
	const char *slash;

	memset(id, 0, sizeof(*id));
	if (sysfs_by_name(&d, kernel_name) != 0)
		return -ENOENT;
	snprintf(id->device_name, sizeof(id->device_name), "/dev/%s", d.name);
	snprintf(id->device_type, sizeof(id->device_type), "%s", type_of(&d));
	transport_of(id->transport, sizeof(id->transport), &d);
	names_of_device(id, &d);
	world_wide_name(id, &d);
	id->size_bytes = sysfs_number(0, "%s/size", d.dir) * SECTOR_BYTES;
	if (d.partition) {
		slash = strrchr(d.whole, '/');
		text_copy_clean(id->parent, sizeof(id->parent), slash ? slash + 1 : d.whole);
		id->start_bytes = sysfs_number(0, "%s/start", d.dir) * SECTOR_BYTES;
	}
	queue_of_device(id, &d);
	id->reported_rpm = rotation_rate(&d);
	power_of_device(id, &d);
	flags_of_device(id, &d);
	backing_of(id->backing, sizeof(id->backing), &d);
	in_use_of(id->in_use, sizeof(id->in_use), &d);
	return 0;
}

int platform_identity(
	struct platform *platform, const char *name, struct identity *id, struct err *e)
{
	struct device_name n;
	int status = names_resolve(&n, name, e);

	(void)platform; /* sysfs is for everybody to read */
	memset(id, 0, sizeof(*id));
	if (status)
		return status;
	if (n.kernel[0] && identity_of(id, n.kernel) == 0)
		return 0;
	/* no sysfs: the node is all there is to tell */
	snprintf(id->device_name, sizeof(id->device_name), "%s", n.shown);
	snprintf(id->device_type, sizeof(id->device_type), "disk");
	return 0;
}
