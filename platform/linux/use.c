/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each holder of a device is a device itself, and may be held again: up from the drive until
 * somebody mounts it, swaps to it or there is nobody more. What was found on the way is one line. */
#include "use.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "mounts.h"

#define USES_MAX   64
#define STOREYS    8 /* holders above holders */
#define SOURCE     "sysfs"

struct climb {
	struct facts *facts;
	const char *chain; /* "sda2: RAID md0 (raid1)" */
	uint64_t number;
	unsigned storey;
	size_t *n;
	char fs[64];
	bool mounted;
};

static void put(struct climb *c, const char *end)
{
	if (*c->n >= USES_MAX)
		return;
	facts_text(c->facts, SOURCE, FACT_OPEN, end, "use[%zu]", *c->n);
	++*c->n;
}

static int see_mount(void *arg, const struct mount *m)
{
	struct climb *c = arg;

	if (mount_device(m) != c->number)
		return 0;
	c->mounted = true;
	snprintf(c->fs, sizeof(c->fs), "%s", m->type);
	return 1;
}

static bool is_swap(uint64_t number)
{
	char text[4096], *line, *rest = text;

	if (sysfs_read(text, sizeof(text), "/proc/swaps") != 0)
		return false;
	while ((line = strsep(&rest, "\n"))) {
		struct stat st;

		line[strcspn(line, " \t")] = 0;
		if (stat(line, &st) == 0 && S_ISBLK(st.st_mode) && st.st_rdev == number)
			return true;
	}
	return false;
}

/* "RAID md0 (raid1)", "LVM dm-3", "encryption dm-1", … */
static void word_for(struct text *t, const char *name)
{
	static const char *const mappers[][2] = {{"LVM-", "LVM"}, {"CRYPT-", "encryption"},
		{"mpath-", "multipath"}, {"DMRAID-", "RAID"}};
	const char *kind = "device mapper";
	char text[128];

	if (sysfs_read(text, sizeof(text), "/sys/class/block/%s/md/level", name) == 0) {
		text_add(t, "RAID %s%s%s%s", name, text[0] ? " (" : "", text, text[0] ? ")" : "");
		return;
	}
	if (sysfs_read(text, sizeof(text), "/sys/class/block/%s/dm/uuid", name) != 0) {
		text_add(t, "%s %s", strncmp(name, "bcache", 6) == 0 ? "cache" : "held by", name);
		return;
	}
	for (size_t i = 0; i < sizeof(mappers) / sizeof(mappers[0]); i++)
		if (strstr(text, mappers[i][0]))
			kind = mappers[i][1];
	text_add(t, "%s %s", kind, name);
}

static void climb(struct facts *facts, size_t *n, const struct sysfs_device *d, const char *chain,
	unsigned storey);

static int see_holder(void *arg, const char *name)
{
	struct climb *c = arg;
	struct text chain = {0};
	struct sysfs_device above;
	size_t before = *c->n;

	text_add(&chain, "%s: ", c->chain);
	word_for(&chain, name);
	if (c->storey < STOREYS && sysfs_by_name(&above, name) == 0)
		climb(c->facts, c->n, &above, text_chars(&chain), c->storey + 1);
	if (*c->n == before)
		put(c, text_chars(&chain));
	text_release(&chain);
	return 0;
}

/* A partition of d: of the drive itself, or of an array above it. */
static int see_partition(void *arg, const char *name)
{
	struct climb *c = arg;
	struct sysfs_device below;
	char chain[512];

	if (sysfs_by_name(&below, name) != 0 || !below.partition || c->storey >= STOREYS)
		return 0;
	snprintf(chain, sizeof(chain), "%.400s%s%s", c->storey ? c->chain : "",
		c->storey ? ": " : "", below.name);
	climb(c->facts, c->n, &below, chain, c->storey + 1);
	return 0;
}

static void climb(struct facts *facts, size_t *n, const struct sysfs_device *d, const char *chain,
	unsigned storey)
{
	struct climb c = {.facts = facts, .chain = chain, .number = d->number, .storey = storey, .n = n};
	struct text end = {0};
	char path[600];

	mounts_each(see_mount, &c);
	if (d->number && c.mounted) {
		text_add(&end, "%s: mounted (%s)", chain, c.fs);
		put(&c, text_chars(&end));
		text_release(&end);
	}
	if (d->number && is_swap(d->number)) {
		text_add(&end, "%s: swap", chain);
		put(&c, text_chars(&end));
		text_release(&end);
	}
	snprintf(path, sizeof(path), "%s/holders", d->dir);
	sysfs_each(path, see_holder, &c);
	if (!d->partition)
		sysfs_each(d->dir, see_partition, &c);
}

void use_facts(struct facts *facts, const struct sysfs_device *d)
{
	size_t n = 0;

	climb(facts, &n, d, d->name, 0);
}
