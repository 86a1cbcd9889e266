/* SPDX-License-Identifier: GPL-2.0-or-later */
/* libblkid by its low-level calls, on a descriptor of its own; its cache and its wiping are never
 * touched. Every signature is asked for: the cautious call stops at the first array's member, and where
 * two contradict each other it says only that it cannot tell. Partitions are looked at through the
 * whole drive, at their place in its table, so that one descriptor is enough. libblkid takes what
 * cannot be read for empty: the places where most signatures stand are read before. */
#include <stddef.h> /* before blkid.h, which needs it */

#include <blkid/blkid.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "signatures.h"

#define SECTOR         512u /* the unit of libblkid's partitions, whatever the drive's */
#define PARTITIONS_MAX 256
#define SIGNATURES_MAX 32   /* at one place */
#define PIECE          4096u
#define ENDS           (512u << 10) /* bytes read at each end: ZFS's labels are the farthest */
#define BEGINNING      (68u << 10)  /* of a partition: behind 64 KiB stands btrfs */
#define UNREADABLE_MAX 4

struct looking {
	int fd;
	void (*put)(void *arg, const struct found *found);
	void *arg;
	unsigned unreadable;
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

/* 0 from blkid_do_probe() is one more. */
static void look_at(struct looking *l, uint64_t offset, uint64_t size, uint32_t partition)
{
	blkid_probe pr = start(l->fd, offset, size, 0);

	for (int i = 0; pr && i < SIGNATURES_MAX && blkid_do_probe(pr) == 0; i++)
		put_signature(l, pr, partition);
	blkid_free_probe(pr);
}

/* False: no more need be tried, reading takes long where it fails. */
static bool can_read(struct looking *l, uint64_t offset, uint64_t size)
{
	static char bytes[PIECE];
	uint64_t end = offset + size;

	while (offset < end && l->unreadable < UNREADABLE_MAX) {
		ssize_t n = pread(l->fd, bytes, end - offset < PIECE ? end - offset : PIECE,
			(off_t)offset);
		struct found f = {.kind = FOUND_UNREADABLE, .offset = offset};

		if (n > 0) {
			offset += (uint64_t)n;
			continue;
		}
		if (n == 0)
			return true;
		f.size = (uint64_t)errno;
		if (errno != EIO && errno != ENODATA && errno != EILSEQ)
			return false;
		l->put(l->arg, &f);
		l->unreadable++;
		return false;
	}
	return l->unreadable < UNREADABLE_MAX;
}

static void read_ends(struct looking *l)
{
	off_t end = lseek(l->fd, 0, SEEK_END);
	uint64_t size = end > 0 ? (uint64_t)end : 0;

	can_read(l, 0, size < ENDS ? size : ENDS);
	if (size > ENDS)
		can_read(l, size - ENDS > ENDS ? size - ENDS : ENDS,
			size - ENDS > ENDS ? ENDS : size - ENDS);
}

static void put_table(struct looking *l, blkid_partlist list)
{
	struct found f = {.kind = FOUND_TABLE};
	blkid_parttable table = blkid_partlist_get_table(list);

	if (!table)
		return;
	copy(f.type, sizeof(f.type), blkid_parttable_get_type(table));
	copy(f.uuid, sizeof(f.uuid), blkid_parttable_get_id(table));
	l->put(l->arg, &f);
}

/* A DOS table's extended partition holds others, no file system. */
static int holds_partitions(blkid_partition p)
{
	int type = blkid_partition_get_type(p);

	return !blkid_partition_get_type_string(p) && (type == 0x05 || type == 0x0f || type == 0x85);
}

static void put_partition(struct looking *l, blkid_partition p, blkid_parttable whole)
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
	if (blkid_partition_get_table(p) != whole)
		copy(f.usage, sizeof(f.usage), "nested");
	copy(f.label, sizeof(f.label), blkid_partition_get_name(p));
	copy(f.uuid, sizeof(f.uuid), blkid_partition_get_uuid(p));
	l->put(l->arg, &f);
	if (!f.size || !f.start || holds_partitions(p))
		return;
	can_read(l, f.start, f.size < BEGINNING ? f.size : BEGINNING);
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
		put_partition(l, blkid_partlist_get_partition(list, i),
			blkid_partlist_get_table(list));
	blkid_free_probe(pr);
}

int signatures_find(int fd, void (*put)(void *arg, const struct found *found), void *arg)
{
	struct looking l = {.fd = fd, .put = put, .arg = arg};
	char first[SECTOR];
	struct found gpt;
	blkid_probe pr;

	read_ends(&l);
	if (pread(fd, first, sizeof(first), 0) != (ssize_t)sizeof(first))
		return -EIO;
	pr = start(fd, 0, 0, 0);

	if (!pr)
		return -EIO;
	blkid_free_probe(pr);
	look_at(&l, 0, 0, 0);
	look_at_table(&l);
	if (signatures_gpt(fd, &gpt))
		put(arg, &gpt);
	return 0;
}
