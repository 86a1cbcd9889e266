/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A loop device names the disk its file lies on: the mount with the longest matching mount point
 * holds the file. md and dm list their members under slaves/. */
#include "backing.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "mounts.h"

struct holder {
	const char *path;
	size_t longest;
	uint64_t number;
	char type[64];
};

static int holds(void *arg, const struct mount *m)
{
	struct holder *h = arg;
	size_t n = strlen(m->where);
	bool root = strcmp(m->where, "/") == 0;

	if (!root && (strncmp(h->path, m->where, n) != 0 || (h->path[n] != '/' && h->path[n])))
		return 0;
	if (n < h->longest)
		return 0;
	h->longest = n;
	h->number = mount_device(m);
	snprintf(h->type, sizeof(h->type), "%s", m->type);
	return 0;
}

static void backing_of_loop(struct text *t, const struct sysfs_device *d)
{
	char path[4096];
	struct holder h = {.path = path};
	struct sysfs_device below;

	if (sysfs_read(path, sizeof(path), "%s/loop/backing_file", d->whole) != 0 || !path[0])
		return;
	mounts_each(holds, &h);
	if (h.number && sysfs_by_number(&below, h.number) == 0)
		text_add(t, "a file on /dev/%s (%s)", below.name, h.type);
	else if (h.type[0])
		text_add(t, "a file on %s", h.type);
	else
		text_add(t, "a file");
}

struct members {
	struct text *t;
	const char *before;
};

static int add_member(void *arg, const char *name)
{
	struct members *m = arg;

	text_add(m->t, "%s/dev/%s", m->before, name);
	m->before = ", ";
	return 0;
}

static void add_members(struct text *t, const struct sysfs_device *d, const char *before)
{
	struct members m = {t, before};
	char path[600];

	snprintf(path, sizeof(path), "%s/slaves", d->whole);
	sysfs_each(path, add_member, &m);
}

struct below {
	int (*visit)(void *arg, const struct sysfs_device *below);
	void *arg;
};

static int visit_member(void *arg, const char *name)
{
	const struct below *b = arg;
	struct sysfs_device member;

	return sysfs_by_name(&member, name) == 0 ? b->visit(b->arg, &member) : 0;
}

int backing_each(const struct sysfs_device *d,
	int (*visit)(void *arg, const struct sysfs_device *below), void *arg)
{
	struct below b = {visit, arg};
	char path[4096];
	struct holder h = {.path = path};
	struct sysfs_device disk;
	int status;

	if (!text_starts(d->name, "loop")) {
		snprintf(path, sizeof(path), "%s/slaves", d->whole);
		status = sysfs_each(path, visit_member, &b);
		return status < 0 ? 0 : status;
	}
	if (sysfs_read(path, sizeof(path), "%s/loop/backing_file", d->whole) != 0 ||
		mounts_each(holds, &h) < 0 || !h.number || sysfs_by_number(&disk, h.number) != 0)
		return 0;
	return visit(arg, &disk);
}

#define LEVELS_MAX 8

/* 1: a loop device that reads through the page cache is there. */
static int look_below(void *arg, const struct sysfs_device *d)
{
	unsigned *levels = arg;
	int found = 0;

	if (text_starts(d->name, "loop") && sysfs_number(1, "%s/loop/dio", d->whole) == 0)
		return 1;
	if (*levels == LEVELS_MAX)
		return 0;
	++*levels;
	found = backing_each(d, look_below, levels);
	--*levels;
	return found;
}

bool backing_is_cached(const struct sysfs_device *d)
{
	unsigned levels = 0;

	return look_below(&levels, d) > 0;
}

static const char *dm_kind(const struct sysfs_device *d)
{
	static const char *const kinds[][2] = {{"LVM-", "LVM volume"},
		{"CRYPT-", "encrypted volume"}, {"mpath-", "multipath device"},
		{"DMRAID-", "firmware RAID"}};
	char uuid[256];

	if (sysfs_read(uuid, sizeof(uuid), "%s/dm/uuid", d->whole) == 0)
		for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
			if (text_starts(uuid, kinds[i][0]))
				return kinds[i][1];
	return "device-mapper volume";
}

void backing_of(char *dst, size_t size, const struct sysfs_device *d)
{
	struct text t = {0};
	char level[32];

	if (text_starts(d->name, "loop")) {
		backing_of_loop(&t, d);
	} else if (sysfs_read(level, sizeof(level), "%s/md/level", d->whole) == 0) {
		text_add(&t, "%s", level[0] ? level : "md");
		add_members(&t, d, " of ");
	} else if (sysfs_exists("%s/dm", d->whole)) {
		text_add(&t, "%s", dm_kind(d));
		add_members(&t, d, " on ");
	}
	text_copy_clean(dst, size, text_chars(&t));
	text_release(&t);
}
