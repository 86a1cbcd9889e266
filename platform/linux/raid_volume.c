/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The driver's name says that there is a RAID controller; most of them also hand single disks
 * through, and each driver tells those apart in its own way: by an attribute (hpsa, smartpqi), by the
 * SCSI channel (megaraid_sas keeps disks on 0 and 1, mpt*sas volumes on 1, aacraid volumes on 0), or
 * by the vendor that the translation of ATA disks is given. */
#include "raid_volume.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum rule { BY_LEVEL, VOLUME_FROM_CHANNEL, VOLUME_TO_CHANNEL, ALWAYS };

static const struct {
	const char *driver;
	enum rule rule;
	int channel;
} drivers[] = {
	{"megaraid_sas", VOLUME_FROM_CHANNEL, 2},
	{"mpt2sas", VOLUME_FROM_CHANNEL, 1},
	{"mpt3sas", VOLUME_FROM_CHANNEL, 1},
	{"mptsas", VOLUME_FROM_CHANNEL, 1},
	{"mpi3mr", VOLUME_FROM_CHANNEL, 1},
	{"aacraid", VOLUME_TO_CHANNEL, 0},
	{"hpsa", BY_LEVEL, 0},
	{"smartpqi", BY_LEVEL, 0},
	{"cciss", ALWAYS, 0},
	{"arcmsr", ALWAYS, 0},
	{"3w-9xxx", ALWAYS, 0},
	{"3w-sas", ALWAYS, 0},
	{"3w-xxxx", ALWAYS, 0},
	{"ips", ALWAYS, 0},
};

/* What volumes are called where the driver does not tell. */
static const char *const words[] = {"PERC", "LOGICAL VOLUME", "Raid 1 Volume", "Raid 0 Volume",
	"RAID", "LSI MR", "MegaRAID", "Virtual Disk Array", "ServeRAID"};

/* "…/host2/target2:1:0/2:1:0:0/block/sda": H:C:T:L is the device's own directory. */
static int channel_of(const struct sysfs_device *d)
{
	char real[512], path[600];
	const char *slash, *colon;

	snprintf(path, sizeof(path), "%s/device", d->whole);
	if (sysfs_real(real, sizeof(real), path) != 0)
		return -1;
	slash = strrchr(real, '/');
	colon = slash ? strchr(slash, ':') : NULL;
	return colon ? atoi(colon + 1) : -1;
}

static void host_driver(char *host, size_t size, const struct sysfs_device *d)
{
	const char *at = strstr(d->whole, "/host");
	int number = at ? atoi(at + strlen("/host")) : -1;

	host[0] = 0;
	if (number >= 0)
		sysfs_read(host, size, "/sys/class/scsi_host/host%d/proc_name", number);
}

static bool by_words(const struct sysfs_device *d)
{
	char text[128], model[64];

	sysfs_read(text, 60, "%s/device/vendor", d->whole);
	sysfs_read(model, sizeof(model), "%s/device/model", d->whole);
	snprintf(text + strlen(text), sizeof(text) - strlen(text), " %s", model);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (strcasestr(text, words[i]))
			return true;
	return false;
}

bool raid_volume(const struct sysfs_device *d, char *host, size_t size)
{
	char text[64];
	int channel;

	host_driver(host, size, d);
	/* a disk in a USB box called RAID answers for the box: it can be asked */
	if (!host[0] || strstr(d->whole, "/usb"))
		return false;
	if (sysfs_read(text, sizeof(text), "%s/device/vendor", d->whole) == 0 &&
		strcmp(text, "ATA") == 0)
		return false;
	for (size_t i = 0; i < sizeof(drivers) / sizeof(drivers[0]); i++) {
		if (strcmp(host, drivers[i].driver) != 0)
			continue;
		channel = channel_of(d);
		switch (drivers[i].rule) {
		case BY_LEVEL:
			if (sysfs_read(text, sizeof(text), "%s/device/raid_level", d->whole) != 0)
				return by_words(d);
			return strcmp(text, "N/A") != 0;
		case VOLUME_FROM_CHANNEL: return channel >= drivers[i].channel || by_words(d);
		case VOLUME_TO_CHANNEL: return channel <= drivers[i].channel;
		default: return true;
		}
	}
	return by_words(d);
}
