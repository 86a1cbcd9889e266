/* SPDX-License-Identifier: GPL-2.0-or-later */
/* /sys/block holds the whole disks, each with its partitions inside. Nothing is opened but sysfs
 * files; what those do not tell stays unknown. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "host/platform.h"
#include "identity_sysfs.h"
#include "sysfs.h"

struct making {
	struct drive_list *list;
	size_t capacity;
	const char *whole; /* whose partitions are being listed; NULL: whole disks are */
};

/* SCSI and NVMe drives have a state, arrays a count of missing members. */
static void failing(struct listed_drive *l, const char *name)
{
	static const char *const bad[] = {"offline", "transport-offline", "blocked", "dead",
		"resetting", "deleting", "deleting (no IO)"};
	char text[64];

	if (sysfs_read(text, sizeof(text), "/sys/class/block/%s/device/state", name) == 0) {
		l->failing_known = true;
		for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
			l->failing = l->failing || strcmp(text, bad[i]) == 0;
	}
	if (sysfs_read(text, sizeof(text), "/sys/class/block/%s/md/degraded", name) == 0) {
		l->failing_known = true;
		l->failing = l->failing || (text[0] && strcmp(text, "0") != 0);
	}
}

/* A card reader without a card is a drive that is there; a loop device without a file is not. */
static bool has_no_medium(const char *name)
{
	return sysfs_number(0, "/sys/class/block/%s/removable", name) &&
		sysfs_exists("/sys/class/block/%s/device", name);
}

static int add(void *arg, const char *name)
{
	struct making *m = arg;
	const char *whole = m->whole ? m->whole : name;
	struct listed_drive l = {.whole = !m->whole};

	if (m->whole && !sysfs_exists("/sys/block/%s/%s/partition", m->whole, name))
		return 0;
	if (sysfs_number(0, "/sys/block/%s/hidden", whole) ||
		(sysfs_number(0, "/sys/class/block/%s/size", name) == 0 && !has_no_medium(name)) ||
		identity_of(&l.identity, name) != 0)
		return 0;
	l.readable = faccessat(AT_FDCWD, l.identity.device_name, R_OK, AT_EACCESS) == 0;
	failing(&l, whole);
	m->list->drives = mem_grow(m->list->drives, m->list->n, &m->capacity, sizeof(l));
	m->list->drives[m->list->n++] = l;
	return 0;
}

static int add_partitions(void *arg, const char *name)
{
	struct making *m = arg;
	char path[512];

	m->whole = name;
	snprintf(path, sizeof(path), "/sys/block/%s", name);
	sysfs_each(path, add, m);
	return 0;
}

int platform_list(struct drive_list *list, struct err *e)
{
	struct making m = {.list = list};
	int status;

	memset(list, 0, sizeof(*list));
	status = sysfs_each("/sys/block", add, &m);
	if (!status)
		status = sysfs_each("/sys/block", add_partitions, &m);
	if (status)
		return err_set(e, status,
			"The drives of this machine are not to be seen in "
			"/sys/block (%s); is sysfs mounted?",
			strerror(-status));
	return 0;
}

void drive_list_release(struct drive_list *list)
{
	free(list->drives);
	memset(list, 0, sizeof(*list));
}
