/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The nearest bus counts: a SATA disk in a USB box is a USB disk, and the path holds both the USB
 * port and the SCSI host made for it. */
#include "transport.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

static const struct {
	const char *part; /* of the path */
	const char *name;
} buses[] = {
	{"/usb", "usb"},
	{"/ieee1394", "firewire"},
	{"/mmc", "mmc"},
	{"/ufs", "ufs"},
	{"/end_device-", "sas"},
	{"/rport-", "fc"},
	{"/session", "iscsi"},
	{"/virtio", "virtio"},
	{"/vbd-", "xen"},
	{"/VMBUS:", "hyperv"},
	{"/host", "scsi"},
};

/* The driver of the controller that owns the port "…/ata3/…": AHCI and its kin are serial. */
static const char *ata_kind(const char *whole)
{
	char path[600], driver[512];
	const char *port = strstr(whole, "/ata"), *slash;

	snprintf(path, sizeof(path), "%.*s/driver", (int)(port - whole), whole);
	if (sysfs_real(driver, sizeof(driver), path) != 0)
		return "ata";
	slash = strrchr(driver, '/');
	slash = slash ? slash + 1 : driver;
	return strstr(slash, "ahci") || text_starts(slash, "sata_") ? "sata" : "ata";
}

void transport_of(char *dst, size_t size, const struct sysfs_device *d)
{
	char text[64];

	dst[0] = 0;
	if (strstr(d->whole, "/nvme")) {
		snprintf(dst, size, "nvme");
		if (sysfs_read(text, sizeof(text), "%s/device/transport", d->whole) == 0 &&
			strcmp(text, "pcie") != 0 && text[0])
			snprintf(dst, size, "nvme-%.8s", text);
		return;
	}
	if (strstr(d->whole, "/ata") && !strstr(d->whole, "/usb")) {
		snprintf(dst, size, "%s", ata_kind(d->whole));
		return;
	}
	for (size_t i = 0; i < sizeof(buses) / sizeof(buses[0]); i++) {
		if (strstr(d->whole, buses[i].part)) {
			snprintf(dst, size, "%s", buses[i].name);
			return;
		}
	}
}
