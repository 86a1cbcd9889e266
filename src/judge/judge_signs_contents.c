/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is on it and who uses it: no trouble of the drive, but of whoever takes it for something
 * else than it is. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "judge/judge_signs_inside.h"

static void judge_use(struct judging *j, const struct facts *c)
{
	size_t n = facts_length(c, "use");
	struct text t = {0};
	char path[FACT_PATH_MAX];

	judge_made(j);
	for (size_t i = 0; i < n && i < 4; i++) {
		snprintf(path, sizeof(path), "use[%zu]", i);
		text_add(&t, "%s%s", i ? ", " : "", facts_words(c, path));
	}
	if (n)
		signs_add(j->signs, "use", SIGN_INFO,
			"Others read and write it while it is measured; figures may be lower than they "
			"are otherwise.", "in use: %s%s", text_chars(&t), n > 4 ? ", …" : "");
	text_release(&t);
}

static void judge_signatures(struct judging *j, const struct facts *c)
{
	size_t n = facts_length(c, "signatures");
	struct text t = {0};
	char path[FACT_PATH_MAX];

	judge_made(j);
	for (size_t i = 0; i < n && i < 6; i++) {
		snprintf(path, sizeof(path), "signatures[%zu].type", i);
		text_add(&t, "%s%s", i ? ", " : "", facts_words(c, path));
	}
	if (n > 1)
		signs_add(j->signs, "contents.several", SIGN_WARN,
			"Left-overs of an earlier use may be taken for the real contents; find out "
			"which is current before you use it.",
			"several signatures: %s%s", text_chars(&t), n > 6 ? ", …" : "");
	text_release(&t);
}

static void tell_misaligned(struct judging *j, const char *name, double start, unsigned physical)
{
	signs_add(j->signs, "contents.misaligned", SIGN_WARN,
		"Each small write makes the drive read and write two physical sectors; "
		"partition it anew, beginning at a multiple of 1 MiB.",
		"partition %s begins at byte %.0f, inside a physical sector of %u bytes",
		name[0] ? name : "?", start, physical);
}

static void judge_partitions(struct judging *j, const struct facts *c)
{
	const struct identity *id = j->in->identity;
	size_t n = facts_length(c, "partitions");
	double offset = judge_number(j, "platter.alignment_offset_bytes");
	unsigned physical = id->physical_block_bytes;
	char path[FACT_PATH_MAX];

	if (!n || !physical)
		return;
	judge_made(j);
	for (size_t i = 0; i < n; i++) {
		double start, size;
		const char *name;

		snprintf(path, sizeof(path), "partitions[%zu].name", i);
		name = facts_words(c, path);
		snprintf(path, sizeof(path), "partitions[%zu].start_bytes", i);
		start = facts_number(c, path);
		snprintf(path, sizeof(path), "partitions[%zu].size_bytes", i);
		size = facts_number(c, path);
		if (start > 0 && physical > id->logical_block_bytes &&
			fmod(start - (isnan(offset) ? 0 : offset), physical) != 0)
			tell_misaligned(j, name, start, physical);
		if (id->size_bytes && start + size > (double)id->size_bytes)
			signs_add(j->signs, "contents.cut_off", SIGN_WARN,
				"The drive was larger when it was partitioned, or is a copy of a larger "
				"one: part of what it held is not there.",
				"partition %s ends behind the end of the drive", name[0] ? name : "?");
	}
}

/* A partition table that was made for a drive of another size. */
static void judge_table(struct judging *j, const struct facts *c)
{
	double size = facts_number(c, "partition_table.size_bytes");
	double drive = (double)j->in->identity->size_bytes;
	char made_for[32];

	if (isnan(size) || !(drive > 0))
		return;
	judge_made(j);
	units_format_capacity(made_for, sizeof(made_for), (uint64_t)(size > 0 ? size : 0));
	if (size < drive)
		signs_add(j->signs, "contents.cloned", SIGN_INFO,
			"The rest cannot be used until the table is extended.",
			"the partition table was made for a drive of %s", made_for);
	else if (size > drive)
		signs_add(j->signs, "contents.clipped", SIGN_WARN,
			"The drive was larger once, or the table is a copy from a larger one.",
			"the partition table was made for a drive of %s", made_for);
}

void judge_contents(struct judging *j)
{
	const struct facts *c = j->in->contents;

	if (!c)
		return;
	judge_use(j, c);
	judge_signatures(j, c);
	judge_partitions(j, c);
	judge_table(j, c);
}
