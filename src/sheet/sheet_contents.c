/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is on a drive and who uses it, in a clause each. That nothing known was found is no promise
 * that nothing is there: what is encrypted without a header looks the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "sheet/sheet_build.h"

#define PARTITIONS_NAMED 6

/* "ext4", "ext4 + zfs_member"; "" none. */
static void join_signatures(struct text *t, const struct facts *c, const char *prefix)
{
	char path[FACT_PATH_MAX];
	size_t n;

	snprintf(path, sizeof(path), "%ssignatures", prefix);
	n = facts_length(c, path);
	for (size_t i = 0; i < n; i++) {
		const char *type;

		snprintf(path, sizeof(path), "%ssignatures[%zu].type", prefix, i);
		type = facts_words(c, path);
		if (type[0])
			text_add(t, "%s%s", t->length ? " + " : "", type);
	}
}

/* Who a partition is for, where its contents do not tell. UEFI 2.10, 5.3.3, and the makers' lists. */
static const char *kind_of(const char *type)
{
	static const struct {
		const char *type, *kind;
	} kinds[] = {
		{"c12a7328-f81f-11d2-ba4b-00a0c93ec93b", "EFI system"},
		{"21686148-6449-6e6f-744e-656564454649", "BIOS boot"},
		{"0fc63daf-8483-4772-8e79-3d69d8477de4", "Linux data"},
		{"0657fd6d-a4ab-43c4-84e5-0933c84b4f4f", "Linux swap"},
		{"a19d880f-05fc-4d3b-a006-743f0f84911e", "Linux RAID"},
		{"e6d6d379-f507-44c2-a23c-238f2a3df928", "Linux LVM"},
		{"ebd0a0a2-b9e5-4433-87c0-68b6b72699c7", "Microsoft data"},
		{"e3c9e316-0b5c-4db8-817d-f92df00215ae", "Microsoft reserved"},
		{"48465300-0000-11aa-aa11-00306543ecac", "Apple HFS+"},
		{"7c3457ef-0000-11aa-aa11-00306543ecac", "Apple APFS"},
		{"6a898cc3-1dd2-11b2-99a6-080020736631", "ZFS"},
		{"0x05", "extended"},
		{"0x0f", "extended"},
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].type, type) == 0)
			return kinds[i].kind;
	return strncmp(type, "0x", 2) == 0 ? type : "";
}

/* "sda1: 500 GB ext4"; by its number where the system has no name for it. */
static void join_partition(struct text *all, const struct facts *c, size_t i)
{
	struct text t = {0}, found = {0};
	char path[FACT_PATH_MAX], prefix[64], capacity[32];
	double number, size;

	snprintf(prefix, sizeof(prefix), "partitions[%zu].", i);
	snprintf(path, sizeof(path), "%snumber", prefix);
	number = facts_number(c, path);
	snprintf(path, sizeof(path), "%ssize_bytes", prefix);
	size = facts_number(c, path);
	snprintf(path, sizeof(path), "%sname", prefix);
	if (facts_words(c, path)[0])
		text_add(&t, "%s:", facts_words(c, path));
	else if (number > 0)
		text_add(&t, "%.0f:", number);
	else
		text_add(&t, "a partition:");
	if (size > 0 && size < 9e18) {
		units_format_capacity(capacity, sizeof(capacity), (uint64_t)size);
		text_add(&t, " %s", capacity);
	}
	join_signatures(&found, c, prefix);
	snprintf(path, sizeof(path), "%stype", prefix);
	if (!found.length)
		text_add(&found, "%s", kind_of(facts_words(c, path)));
	sheet_join(all, "%s%s%s", text_chars(&t), found.length ? " " : "", text_chars(&found));
	text_release(&t);
	text_release(&found);
}

void sheet_format_contents(char *dst, size_t size, const struct facts *c)
{
	size_t n = facts_length(c, "partitions");
	const char *table = facts_words(c, "partition_table.type");
	struct text t = {0}, partitions = {0};

	join_signatures(&t, c, "");
	if (table[0])
		sheet_join(&t, "%s partition table", table);
	if (facts_number(c, "partition_table.block_bytes") > 512 && !n)
		text_add(&t, " in sectors of %.0f bytes",
			facts_number(c, "partition_table.block_bytes"));
	for (size_t i = 0; i < n && i < PARTITIONS_NAMED; i++)
		join_partition(&partitions, c, i);
	if (n > PARTITIONS_NAMED)
		sheet_join(&partitions, "%zu more", n - PARTITIONS_NAMED);
	if (n)
		text_add(&t, "%s%s", t.length ? ": " : "", text_chars(&partitions));
	if (!t.length && facts_is(c, "platter.signatures_looked_for") == 1)
		text_add(&t, "no known signature found%s",
			facts_length(c, "platter.unreadable") ? " where it could be read" : "");
	text_copy_clean(dst, size, text_chars(&t));
	text_release(&partitions);
	text_release(&t);
}

void sheet_format_use(char *dst, size_t size, const struct facts *c, bool brief)
{
	size_t n = facts_length(c, "use");
	struct text t = {0};
	char path[FACT_PATH_MAX];

	for (size_t i = 0; i < n; i++) {
		const char *use, *behind;

		snprintf(path, sizeof(path), "use[%zu]", i);
		use = facts_words(c, path);
		behind = strstr(use, ": ");
		if (brief && behind)
			use = behind + 2;
		/* three partitions mounted alike are told once */
		if (use[0] && !(brief && strstr(text_chars(&t), use)))
			sheet_join(&t, "%s", use);
	}
	text_copy_clean(dst, size, text_chars(&t));
	text_release(&t);
}
