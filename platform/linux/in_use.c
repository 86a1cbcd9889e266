/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Three places tell: the mount table, /proc/swaps, and the holders/ of the device and of each of
 * its partitions (md, dm and others that keep it open). */
#include "in_use.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "mounts.h"

struct seen {
	const struct sysfs_device *d;
	bool mounted, partition_mounted;
	bool swap, partition_swap;
	struct text holders;
};

/* 0: another device; 1: this one; 2: a partition of it. */
static int relation(const struct sysfs_device *d, uint64_t number)
{
	struct sysfs_device other;

	if (number == d->number)
		return 1;
	if (d->partition || sysfs_by_number(&other, number) != 0)
		return 0;
	return other.partition && strcmp(other.whole, d->dir) == 0 ? 2 : 0;
}

static int see_mount(void *arg, const struct mount *m)
{
	struct seen *s = arg;
	uint64_t number = mount_device(m);

	switch (number ? relation(s->d, number) : 0) {
	case 1: s->mounted = true; break;
	case 2: s->partition_mounted = true; break;
	default: break;
	}
	return 0;
}

static void see_swaps(struct seen *s)
{
	char text[4096], *line, *rest = text;

	if (sysfs_read(text, sizeof(text), "/proc/swaps") != 0)
		return;
	while ((line = strsep(&rest, "\n"))) {
		struct stat st;

		line[strcspn(line, " \t")] = 0;
		if (stat(line, &st) != 0 || !S_ISBLK(st.st_mode))
			continue;
		switch (relation(s->d, st.st_rdev)) {
		case 1: s->swap = true; break;
		case 2: s->partition_swap = true; break;
		default: break;
		}
	}
}

static int see_holder(void *arg, const char *name)
{
	struct seen *s = arg;
	char kind[64] = "";

	sysfs_read(kind, sizeof(kind), "/sys/class/block/%s/md/level", name);
	if (kind[0])
		text_add(&s->holders, ", member of %s (%s)", name, kind);
	else
		text_add(&s->holders, ", held by %s", name);
	return 0;
}

static int see_partition(void *arg, const char *name)
{
	struct seen *s = arg;
	char path[800];

	if (!sysfs_exists("%s/%s/partition", s->d->dir, name))
		return 0;
	snprintf(path, sizeof(path), "%s/%s/holders", s->d->dir, name);
	sysfs_each(path, see_holder, s);
	return 0;
}

void in_use_of(char *dst, size_t size, const struct sysfs_device *d)
{
	struct seen s = {.d = d};
	struct text t = {0};
	char path[600];

	mounts_each(see_mount, &s);
	see_swaps(&s);
	snprintf(path, sizeof(path), "%s/holders", d->dir);
	sysfs_each(path, see_holder, &s);
	if (!d->partition)
		sysfs_each(d->dir, see_partition, &s);
	if (s.mounted)
		text_add(&t, ", mounted");
	if (s.partition_mounted)
		text_add(&t, ", a partition is mounted");
	if (s.swap || s.partition_swap)
		text_add(&t, s.swap ? ", swap" : ", a partition is swap");
	text_add(&t, "%s", text_chars(&s.holders));
	text_copy_clean(dst, size, t.length ? text_chars(&t) + strlen(", ") : "");
	text_release(&t);
	text_release(&s.holders);
}
