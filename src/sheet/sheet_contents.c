/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is on a drive and who uses it, in a clause each. That nothing known was found is no promise
 * that nothing is there: what is encrypted without a header looks the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
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

static void join_partition(struct text *all, const struct facts *c, size_t i)
{
	struct text found = {0};
	char path[FACT_PATH_MAX], prefix[64];
	const char *name;

	snprintf(prefix, sizeof(prefix), "partitions[%zu].", i);
	snprintf(path, sizeof(path), "partitions[%zu].name", i);
	name = facts_words(c, path);
	join_signatures(&found, c, prefix);
	sheet_join(all, "%s%s%s", name[0] ? name : "a partition", found.length ? " " : "",
		text_chars(&found));
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
	for (size_t i = 0; i < n && i < PARTITIONS_NAMED; i++)
		join_partition(&partitions, c, i);
	if (n > PARTITIONS_NAMED)
		sheet_join(&partitions, "%zu more", n - PARTITIONS_NAMED);
	if (n)
		text_add(&t, "%s%s", t.length ? ": " : "", text_chars(&partitions));
	if (!t.length && facts_is(c, "platter.signatures_looked_for") == 1)
		text_add(&t, "no known signature found");
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
