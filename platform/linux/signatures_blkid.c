/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libblkid by its low-level calls, on a descriptor of its own; its cache and its wiping are never
 * touched. A place where several signatures contradict each other is looked at again for all of
 * them: the cautious call says then only that it cannot tell. Partitions are looked at through the
 * whole drive, at their place in its table, so that one descriptor is enough.
 * How large the drive was that a GPT was made for stands in its header (UEFI 2.10, 5.3.2): the last
 * block but one copy, at 32, 8 bytes, little endian; libblkid does not tell it. */
#include <stddef.h> /* before blkid.h, which needs it */

#include <blkid/blkid.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/fs.h>

#include "signatures.h"

#define SECTOR         512u /* the unit of libblkid's partitions, whatever the drive's */
#define PARTITIONS_MAX 256
#define SIGNATURES_MAX 32   /* at one place */

struct looking {
	int fd;
	void (*put)(void *arg, const struct found *found);
	void *arg;
};

static void copy(char *dst, size_t size, const char *src)
{
	snprintf(dst, size, "%s", src ? src : "");
}

static void lookup(blkid_probe pr, const char *name, char *dst, size_t size)
{
	const char *value;

	if (blkid_probe_lookup_value(pr, name, &value, NULL) == 0)
		copy(dst, size, value);
}

/* What the probe holds at the moment, if that is a superblock. */
static void put_signature(struct looking *l, blkid_probe pr, uint32_t partition)
{
	struct found f = {.kind = FOUND_SIGNATURE, .partition = partition, .offset = UINT64_MAX};
	char text[32] = "";

	lookup(pr, "TYPE", f.type, sizeof(f.type));
	if (!f.type[0])
		return;
	lookup(pr, "USAGE", f.usage, sizeof(f.usage));
	lookup(pr, "LABEL", f.label, sizeof(f.label));
	lookup(pr, "UUID", f.uuid, sizeof(f.uuid));
	lookup(pr, "SBMAGIC_OFFSET", text, sizeof(text));
	if (text[0])
		f.offset = strtoull(text, NULL, 10);
	l->put(l->arg, &f);
}

static blkid_probe start(int fd, uint64_t offset, uint64_t size, int tables)
{
	blkid_probe pr = blkid_new_probe();

	if (!pr || blkid_probe_set_device(pr, fd, (blkid_loff_t)offset, (blkid_loff_t)size) != 0) {
		blkid_free_probe(pr);
		return NULL;
	}
	blkid_probe_enable_superblocks(pr, 1);
	blkid_probe_set_superblocks_flags(pr, BLKID_SUBLKS_LABEL | BLKID_SUBLKS_UUID |
		BLKID_SUBLKS_TYPE | BLKID_SUBLKS_USAGE | BLKID_SUBLKS_MAGIC);
	blkid_probe_enable_partitions(pr, tables);
	if (tables)
		blkid_probe_set_partitions_flags(pr, BLKID_PARTS_ENTRY_DETAILS | BLKID_PARTS_MAGIC);
	return pr;
}

/* Everything that looks like something: 0 from blkid_do_probe() is one more. */
static void put_all(struct looking *l, blkid_probe pr, uint32_t partition)
{
	blkid_reset_probe(pr);
	for (int i = 0; i < SIGNATURES_MAX && blkid_do_probe(pr) == 0; i++)
		put_signature(l, pr, partition);
}

/* The cautious call stops at an array's member, whose contents are the array's business, and at an
 * encrypted volume, below whose header nothing else should be. */
static void look_at(struct looking *l, uint64_t offset, uint64_t size, uint32_t partition)
{
	blkid_probe pr = start(l->fd, offset, size, 0);
	int status = pr ? blkid_do_safeprobe(pr) : -1;
	char usage[24] = "";

	if (status == 0)
		lookup(pr, "USAGE", usage, sizeof(usage));
	if (status == -2 || strcmp(usage, "crypto") == 0)
		put_all(l, pr, partition);
	else if (status == 0)
		put_signature(l, pr, partition);
	blkid_free_probe(pr);
}

static uint64_t little_endian(const unsigned char *p)
{
	uint64_t v = 0;

	for (int i = 7; i >= 0; i--)
		v = v << 8 | p[i];
	return v;
}

static uint64_t made_for_bytes(int fd)
{
	unsigned char header[4096];
	int block = SECTOR;
	uint64_t last;

	if (ioctl(fd, BLKSSZGET, &block) != 0 || block < (int)SECTOR || block > (int)sizeof(header))
		block = SECTOR;
	if (pread(fd, header, (size_t)block, block) != block || memcmp(header, "EFI PART", 8) != 0)
		return 0;
	last = little_endian(header + 32);
	return last < UINT64_MAX / (unsigned)block ? (last + 1) * (unsigned)block : 0;
}

static void put_table(struct looking *l, blkid_partlist list)
{
	struct found f = {.kind = FOUND_TABLE};
	blkid_parttable table = blkid_partlist_get_table(list);

	if (!table)
		return;
	copy(f.type, sizeof(f.type), blkid_parttable_get_type(table));
	copy(f.uuid, sizeof(f.uuid), blkid_parttable_get_id(table));
	if (strcmp(f.type, "gpt") == 0)
		f.size = made_for_bytes(l->fd);
	l->put(l->arg, &f);
}

/* A DOS table's extended partition holds others, no file system. */
static int holds_partitions(blkid_partition p)
{
	int type = blkid_partition_get_type(p);

	return !blkid_partition_get_type_string(p) && (type == 0x05 || type == 0x0f || type == 0x85);
}

static void put_partition(struct looking *l, blkid_partition p)
{
	struct found f = {.kind = FOUND_PARTITION,
		.partition = (uint32_t)blkid_partition_get_partno(p),
		.start = (uint64_t)blkid_partition_get_start(p) * SECTOR,
		.size = (uint64_t)blkid_partition_get_size(p) * SECTOR};
	const char *type = blkid_partition_get_type_string(p);

	if (type)
		copy(f.type, sizeof(f.type), type);
	else
		snprintf(f.type, sizeof(f.type), "0x%02x", (unsigned)blkid_partition_get_type(p) & 0xFF);
	copy(f.label, sizeof(f.label), blkid_partition_get_name(p));
	copy(f.uuid, sizeof(f.uuid), blkid_partition_get_uuid(p));
	l->put(l->arg, &f);
	if (f.size && f.start && !holds_partitions(p))
		look_at(l, f.start, f.size, f.partition);
}

static void look_at_table(struct looking *l)
{
	blkid_probe pr = start(l->fd, 0, 0, 1);
	blkid_partlist list = pr ? blkid_probe_get_partitions(pr) : NULL;
	int n = list ? blkid_partlist_numof_partitions(list) : 0;

	if (list)
		put_table(l, list);
	for (int i = 0; i < n && i < PARTITIONS_MAX; i++)
		put_partition(l, blkid_partlist_get_partition(list, i));
	blkid_free_probe(pr);
}

int signatures_find(int fd, void (*put)(void *arg, const struct found *found), void *arg)
{
	struct looking l = {fd, put, arg};
	char first[SECTOR];
	blkid_probe pr;

	/* libblkid takes what cannot be read for empty */
	if (pread(fd, first, sizeof(first), 0) != (ssize_t)sizeof(first))
		return -EIO;
	pr = start(fd, 0, 0, 0);

	if (!pr)
		return -EIO;
	blkid_free_probe(pr);
	look_at(&l, 0, 0, 0);
	look_at_table(&l);
	return 0;
}
