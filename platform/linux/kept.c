/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel keeps what SCSI drives answered when it found them, page by page, and of libata's
 * drives the IDENTIFY data as text, for everybody to read. */
#include "kept.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/platform.h"
#include "names.h"

#define IDENTIFY_BYTES 512u
#define VPD_ATA_AT     60u /* the IDENTIFY data inside page 89h, SAT-5 12.4.2 */

int kept_address(const struct sysfs_device *d, unsigned address[4])
{
	char real[512], path[600];
	const char *slash;

	snprintf(path, sizeof(path), "%s/device", d->whole);
	if (sysfs_real(real, sizeof(real), path) != 0)
		return -ENOENT;
	slash = strrchr(real, '/');
	return slash && sscanf(slash + 1, "%u:%u:%u:%u", &address[0], &address[1], &address[2],
				&address[3]) == 4 ? 0 : -ENOENT;
}

/* Behind a port multiplier the channel is its port; else the target tells master from slave. */
void kept_ata_paths(const struct sysfs_device *d, char *device, char *link, size_t size)
{
	const char *port = strstr(d->whole, "/ata"), *end;
	unsigned a[4], number;
	char name[24], part[32];

	device[0] = link[0] = 0;
	if (!port || strstr(d->whole, "/usb") || sscanf(port, "/ata%u/", &number) != 1 ||
		kept_address(d, a) != 0)
		return;
	end = strchr(port + 1, '/');
	snprintf(name, sizeof(name), "%u.%u", number, a[1]);
	if (sysfs_exists("%.*s/link%s", (int)(end - d->whole), d->whole, name)) {
		snprintf(part, sizeof(part), "%s.0", name);
	} else {
		snprintf(name, sizeof(name), "%u", number);
		snprintf(part, sizeof(part), "%u.%u", number, a[2]);
	}
	snprintf(link, size, "%.*s/link%s", (int)(end - d->whole), d->whole, name);
	snprintf(device, size, "%s/dev%s/ata_device/dev%s", link, part, part);
	snprintf(link + strlen(link), size - strlen(link), "/ata_link/link%s", name);
}

/* 256 words of four hexadecimal digits; false when it is anything else. */
static bool words_of(const char *text, uint8_t *bytes)
{
	for (size_t i = 0; i < IDENTIFY_BYTES / 2; i++) {
		char *end;
		unsigned long word = strtoul(text, &end, 16);

		if (end == text || word > 0xFFFF)
			return false;
		bytes[2 * i] = (uint8_t)word;
		bytes[2 * i + 1] = (uint8_t)(word >> 8);
		text = end;
	}
	return true;
}

static void add_identify(const struct sysfs_device *d, struct pages *pages)
{
	char device[1024], link[1024], path[1100], text[4096];
	uint8_t bytes[IDENTIFY_BYTES];
	const struct page *vpd = pages_answer(pages, ASK_SCSI_VPD, 0x89, VPD_ATA_AT + IDENTIFY_BYTES);
	size_t length;

	kept_ata_paths(d, device, link, sizeof(device));
	snprintf(path, sizeof(path), "%s/id", device);
	if (device[0] && sysfs_read_bytes(text, sizeof(text) - 1, &length, path) == 0) {
		text[length] = 0;
		if (words_of(text, bytes)) {
			pages_add(pages, ASK_ATA_IDENTIFY, 0, 0, KEPT_SOURCE, bytes, sizeof(bytes));
			return;
		}
	}
	if (vpd)
		pages_add(pages, ASK_ATA_IDENTIFY, 0, 0, KEPT_SOURCE,
			memcpy(bytes, vpd->bytes + VPD_ATA_AT, sizeof(bytes)), sizeof(bytes));
}

struct adding {
	const struct sysfs_device *d;
	struct pages *pages;
};

static int add_page(void *arg, const char *name)
{
	uint8_t bytes[4096];
	struct adding *a = arg;
	char path[1024], *end;
	unsigned long code = 0;
	size_t length;
	bool inquiry = strcmp(name, "inquiry") == 0;

	if (!inquiry && strncmp(name, "vpd_pg", 6) != 0)
		return 0;
	if (!inquiry) {
		code = strtoul(name + 6, &end, 16);
		if (end == name + 6 || *end || code > 0xFF)
			return 0;
	}
	snprintf(path, sizeof(path), "%s/device/%s", a->d->whole, name);
	if (sysfs_read_bytes(bytes, sizeof(bytes), &length, path) == 0 && length)
		pages_add(a->pages, inquiry ? ASK_SCSI_INQUIRY : ASK_SCSI_VPD, (uint32_t)code, 0,
			KEPT_SOURCE, bytes, length);
	return 0;
}

void kept_pages(const struct sysfs_device *d, struct pages *pages)
{
	struct adding a = {d, pages};
	char path[600];

	snprintf(path, sizeof(path), "%s/device", d->whole);
	sysfs_each(path, add_page, &a);
	add_identify(d, pages);
}

/* The whole disk behind a name. */
static int whole_disk(struct sysfs_device *d, const char *name)
{
	struct device_name n;
	struct err e;
	const char *slash;

	if (names_resolve(&n, name, &e) != 0 || sysfs_by_number(d, n.number) != 0)
		return -ENOENT;
	if (!d->partition)
		return 0;
	slash = strrchr(d->whole, '/');
	return slash ? sysfs_by_name(d, slash + 1) : -ENOENT;
}

void platform_kept_pages(const char *name, struct pages *pages)
{
	struct sysfs_device d;

	if (whole_disk(&d, name) == 0)
		kept_pages(&d, pages);
}

void platform_kept_facts(const char *name, struct facts *facts)
{
	struct sysfs_device d;

	if (whole_disk(&d, name) != 0)
		return;
	kept_facts(&d, facts);
	kept_link(&d, facts);
}
