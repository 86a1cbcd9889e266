/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Speeds as smartctl writes them, for every kind of link: so many units a second of so many bits.
 * Where a bridge or host adapter is in between, it is named by its numbers on its bus. */
#include "kept.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

static void put_speed(struct facts *facts, const char *which, const char *words, long units,
	long bits)
{
	facts_text(facts, KEPT_SOURCE, FACT_OPEN, words, "interface_speed.%s.string", which);
	facts_integer(facts, KEPT_SOURCE, units, "interface_speed.%s.units_per_second", which);
	facts_integer(facts, KEPT_SOURCE, bits, "interface_speed.%s.bits_per_unit", which);
}

/* "6.0 Gbps", "12.0 Gbit": tenths of a Gb/s; 0: not known. */
static long tenths(const char *text)
{
	char *end;
	double value = strtod(text, &end);

	return end != text && (text_starts(end, " Gb")) && value > 0 && value < 1000
		? (long)(value * 10 + 0.5) : 0;
}

static void put_tenths(struct facts *facts, const char *which, long value)
{
	char words[32];

	if (value <= 0)
		return;
	snprintf(words, sizeof(words), "%ld.%ld Gb/s", value / 10, value % 10);
	put_speed(facts, which, words, value, 100000000);
}

static void ata_link(const struct sysfs_device *d, struct facts *facts)
{
	char device[1024], link[1024], text[64];
	uint64_t downgrades;
	long value;

	kept_ata_paths(d, device, link, sizeof(device));
	if (!link[0])
		return;
	if (sysfs_read(text, sizeof(text), "%s/sata_spd", link) == 0)
		put_tenths(facts, "current", tenths(text));
	if (sysfs_read(text, sizeof(text), "%s/hw_sata_spd_limit", link) == 0) {
		value = tenths(text);
		if (value) {
			snprintf(text, sizeof(text), "%ld.%ld Gb/s", value / 10, value % 10);
			facts_text(facts, KEPT_SOURCE, FACT_OPEN, text, "platter.link.host_maximum");
		}
	}
	downgrades = sysfs_number(UINT64_MAX, "%s/spdn_cnt", device);
	if (downgrades <= INT64_MAX)
		facts_integer(facts, KEPT_SOURCE, (int64_t)downgrades,
			"platter.link.speed_downgrades");
}

struct phys {
	char dir[1024];
	long slowest;
};

static int look_at_phy(void *arg, const char *name)
{
	struct phys *p = arg;
	char text[64];
	long value;

	if (!text_starts(name, "phy-") ||
		sysfs_read(text, sizeof(text), "%s/%s/sas_phy/%s/negotiated_linkrate", p->dir, name,
			name) != 0)
		return 0;
	value = tenths(text);
	if (value && (!p->slowest || value < p->slowest))
		p->slowest = value;
	return 0;
}

/* "…/port-0:1/end_device-0:1/…": the phys at the other end of the drive's cable are the port's. */
static void sas_link(const struct sysfs_device *d, struct facts *facts)
{
	const char *end = strstr(d->whole, "/end_device-"), *slash;
	struct phys p = {.slowest = 0};
	char text[64], name[64];

	if (!end)
		return;
	snprintf(p.dir, sizeof(p.dir), "%.*s", (int)(end - d->whole), d->whole);
	sysfs_each(p.dir, look_at_phy, &p);
	put_tenths(facts, "current", p.slowest);
	slash = strchr(end + 1, '/');
	snprintf(name, sizeof(name), "%.*s", slash ? (int)(slash - end - 1) : 0, end + 1);
	if (sysfs_read(text, sizeof(text), "/sys/class/sas_device/%s/sas_address", name) == 0)
		facts_text(facts, KEPT_SOURCE, FACT_SPECIMEN, text, "platter.sas_address");
}

/* The nearest directory above (or at) the disk's that has the file; false: none has. */
static bool above(char *dir, size_t size, const struct sysfs_device *d, const char *file)
{
	char *slash;

	snprintf(dir, size, "%s", d->whole);
	while ((slash = strrchr(dir, '/')) != NULL && slash != dir) {
		*slash = 0;
		if (sysfs_exists("%s/%s", dir, file))
			return true;
	}
	return false;
}

static void put_text(struct facts *facts, const char *dir, const char *file, const char *path)
{
	char text[128];

	if (sysfs_read(text, sizeof(text), "%s/%s", dir, file) == 0)
		facts_text(facts, KEPT_SOURCE, FACT_OPEN, text, "%s", path);
}

static void usb_link(const struct sysfs_device *d, struct facts *facts)
{
	char dir[512], driver[512], vendor[16], product[16], words[32], *slash;
	uint64_t speed;

	if (!strstr(d->whole, "/usb") || !above(dir, sizeof(dir), d, "idVendor"))
		return;
	if (sysfs_read(vendor, sizeof(vendor), "%s/idVendor", dir) == 0 &&
		sysfs_read(product, sizeof(product), "%s/idProduct", dir) == 0) {
		snprintf(words, sizeof(words), "%.4s:%.4s", vendor, product);
		facts_text(facts, KEPT_SOURCE, FACT_OPEN, words, "platter.bridge.usb_id");
	}
	put_text(facts, dir, "manufacturer", "platter.bridge.usb_vendor");
	put_text(facts, dir, "product", "platter.bridge.usb_product");
	put_text(facts, dir, "version", "platter.bridge.usb_version");
	speed = sysfs_number(0, "%s/speed", dir);
	if (speed >= 1000 && speed < 1000000)
		put_tenths(facts, "current", (long)(speed / 100));
	else if (speed) {
		snprintf(words, sizeof(words), "%u Mb/s", (unsigned)speed);
		put_speed(facts, "current", words, (long)speed, 1000000);
	}
	if (above(dir, sizeof(dir), d, "bInterfaceNumber")) {
		strcat(dir, "/driver");
		if (sysfs_real(driver, sizeof(driver), dir) == 0 &&
			(slash = strrchr(driver, '/')) != NULL)
			facts_text(facts, KEPT_SOURCE, FACT_OPEN, slash + 1, "platter.bridge.driver");
	}
}

static int first_controller(void *arg, const char *name)
{
	unsigned number;
	char rest;

	if (sscanf(name, "nvme%u%c", &number, &rest) != 1)
		return 0;
	snprintf(arg, 32, "nvme%u", number);
	return 1;
}

/* "8.0 GT/s PCIe" and the count of lanes. */
static void put_lanes(struct facts *facts, const char *address, const char *which)
{
	char text[64], words[64], *end;
	unsigned lanes = (unsigned)sysfs_number(
		0, "/sys/bus/pci/devices/%s/%s_link_width", address, which);
	double speed;

	if (sysfs_read(text, sizeof(text), "/sys/bus/pci/devices/%s/%s_link_speed", address, which) !=
		0)
		return;
	speed = strtod(text, &end);
	if (end == text || !text_starts(end, " GT/s") || speed <= 0 || speed > 1000 || !lanes ||
		lanes > 32)
		return;
	snprintf(words, sizeof(words), "%.1f GT/s x%u", speed, lanes);
	put_speed(facts, strcmp(which, "max") == 0 ? "max" : "current", words,
		(long)(speed * 10 + 0.5) * (long)lanes, 100000000);
}

static void nvme_link(const struct sysfs_device *d, struct facts *facts)
{
	char address[64], controller[32] = "", path[600];

	if (!text_starts(d->name, "nvme"))
		return;
	if (sysfs_read(address, sizeof(address), "%s/device/address", d->whole) != 0) {
		/* a subsystem of several paths: its first controller stands for them */
		snprintf(path, sizeof(path), "%s/device", d->whole);
		sysfs_each(path, first_controller, controller);
		if (!controller[0] || sysfs_read(address, sizeof(address),
						  "/sys/class/nvme/%s/address", controller) != 0)
			return;
	}
	put_lanes(facts, address, "current");
	put_lanes(facts, address, "max");
}

static void host_adapter(const struct sysfs_device *d, struct facts *facts)
{
	const char *at = strstr(d->whole, "/host");
	char dir[512], vendor[16], device[16], words[32];

	if (at)
		snprintf(dir, sizeof(dir), "/sys/class/scsi_host/host%d", atoi(at + 5));
	if (at)
		put_text(facts, dir, "proc_name", "platter.host.driver");
	if (strstr(d->whole, "/pci") && above(dir, sizeof(dir), d, "subsystem_vendor") &&
		sysfs_read(vendor, sizeof(vendor), "%s/vendor", dir) == 0 &&
		sysfs_read(device, sizeof(device), "%s/device", dir) == 0 &&
		text_starts(vendor, "0x") && text_starts(device, "0x")) {
		snprintf(words, sizeof(words), "%.4s:%.4s", vendor + 2, device + 2);
		facts_text(facts, KEPT_SOURCE, FACT_OPEN, words, "platter.host.pci_id");
	}
}

void kept_link(const struct sysfs_device *d, struct facts *facts)
{
	ata_link(d, facts);
	sas_link(d, facts);
	usb_link(d, facts);
	nvme_link(d, facts);
	host_adapter(d, facts);
}
