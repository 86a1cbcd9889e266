/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is on it and who uses it: no trouble of the drive, but of whoever takes it for something
 * else than it is. */
#include <math.h>
#include <stdbool.h>
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

static double number_of(const struct facts *c, const char *list, size_t i, const char *name)
{
	char path[FACT_PATH_MAX];

	snprintf(path, sizeof(path), "%s[%zu].%s", list, i, name);
	return facts_number(c, path);
}

static const char *words_of(const struct facts *c, const char *list, size_t i, const char *name)
{
	char path[FACT_PATH_MAX];

	snprintf(path, sizeof(path), "%s[%zu].%s", list, i, name);
	return facts_words(c, path);
}

/* What may rightly stand beside another: a mirror whose member is described at its end (the first
 * half of md's kinds) holds its contents at the beginning; a CD image may have a table as well. */
static bool stands_alone(const struct judging *j, const struct facts *c, size_t i, bool table)
{
	const char *type = words_of(c, "signatures", i, "type");
	double half = (double)j->in->identity->size_bytes / 2;

	if (table && (strcmp(type, "iso9660") == 0 || strcmp(type, "udf") == 0))
		return false;
	return !(strcmp(words_of(c, "signatures", i, "usage"), "raid") == 0 && half > 0 &&
		 number_of(c, "signatures", i, "offset_bytes") > half);
}

static void judge_signatures(struct judging *j, const struct facts *c)
{
	const char *table = facts_words(c, "partition_table.type");
	size_t n = facts_length(c, "signatures"), owners = table[0] ? 1 : 0;
	struct text t = {0};

	judge_made(j);
	for (size_t i = 0; i < n; i++) {
		owners += stands_alone(j, c, i, table[0]);
		if (i < 6)
			text_add(&t, "%s%s", i ? ", " : "", words_of(c, "signatures", i, "type"));
	}
	if (owners > 1)
		signs_add(j->signs, "contents.several", SIGN_WARN,
			"Left-overs of an earlier use may be taken for the real contents; find out "
			"which is current before you use it.",
			"several signatures: %s%s%s%s%s", text_chars(&t), n > 6 ? ", …" : "",
			table[0] ? ", " : "", table, table[0] ? " partition table" : "");
	text_release(&t);
}

/* Ours: looking for what is on it needs reads, and one of them failed. */
static void judge_unreadable(struct judging *j, const struct facts *c)
{
	size_t n = facts_length(c, "platter.unreadable");

	if (!n)
		return;
	judge_made(j);
	signs_add(j->signs, "sectors.unreadable", SIGN_REJECT,
		"What stands there is lost or nearly so; copy what you need from the drive, then "
		"replace it.",
		"reading at byte %.0f failed (%s)%s",
		number_of(c, "platter.unreadable", 0, "offset_bytes"),
		words_of(c, "platter.unreadable", 0, "error"), n > 1 ? ", and elsewhere" : "");
}

struct part {
	char name[64];
	double start, end; /* bytes */
};

static struct part part_of(const struct facts *c, size_t i)
{
	const char *name = words_of(c, "partitions", i, "name");
	double size = number_of(c, "partitions", i, "size_in_table_bytes");
	double number = number_of(c, "partitions", i, "number");
	struct part p = {.start = number_of(c, "partitions", i, "start_bytes")};

	if (isnan(size))
		size = number_of(c, "partitions", i, "size_bytes");
	p.end = p.start + size;
	if (name[0])
		snprintf(p.name, sizeof(p.name), "%s", name);
	else if (number > 0)
		snprintf(p.name, sizeof(p.name), "%.0f", number);
	else
		snprintf(p.name, sizeof(p.name), "at byte %.0f", p.start);
	return p;
}

/* The system knows only the physical sector that a bridge tells; the drive may tell a larger one. */
static double physical_bytes(const struct judging *j)
{
	double told = judge_number(j, "physical_block_size");

	return fmax(j->in->identity->physical_block_bytes, isnan(told) ? 0 : told);
}

static void judge_place(struct judging *j, const struct part *p)
{
	const struct identity *id = j->in->identity;
	double offset = judge_number(j, "platter.alignment_offset_bytes");
	double physical = physical_bytes(j);

	if (p->start > 0 && physical > id->logical_block_bytes &&
		fmod(p->start - (isnan(offset) ? 0 : offset), physical) != 0)
		signs_add(j->signs, "contents.misaligned", SIGN_WARN,
			"Each small write makes the drive read and write two physical sectors; "
			"partition it anew, beginning at a multiple of 1 MiB.",
			"partition %s begins at byte %.0f, inside a physical sector of %.0f bytes",
			p->name, p->start, physical);
	if (id->size_bytes && p->end > (double)id->size_bytes)
		signs_add(j->signs, "contents.cut_off", SIGN_WARN,
			"The drive was larger when it was partitioned, or is a copy of a larger "
			"one: part of what it held is not there.",
			"partition %s ends behind the end of the drive", p->name);
}

/* Only the first two are named. One inside another on purpose (logical ones) does not count. */
static void judge_overlap(struct judging *j, const struct facts *c, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct part a = part_of(c, i);

		for (size_t k = 0; k < i; k++) {
			struct part b = part_of(c, k);

			if (number_of(c, "partitions", i, "nested") == 1 ||
				number_of(c, "partitions", k, "nested") == 1 ||
				!(a.start < b.end && b.start < a.end))
				continue;
			signs_add(j->signs, "contents.overlap", SIGN_WARN,
				"Writing to one destroys the other; copy what you need, then partition it "
				"anew.",
				"partitions %s and %s overlap", b.name, a.name);
			return;
		}
	}
}

static void judge_partitions(struct judging *j, const struct facts *c)
{
	size_t n = facts_length(c, "partitions");

	if (!n)
		return;
	judge_made(j);
	for (size_t i = 0; i < n; i++) {
		struct part p = part_of(c, i);

		judge_place(j, &p);
	}
	judge_overlap(j, c, n < 256 ? n : 256);
}

static void judge_block(struct judging *j, const struct facts *c)
{
	double block = facts_number(c, "partition_table.block_bytes");
	unsigned drive = j->in->identity->logical_block_bytes;

	if (isnan(block) || !drive)
		return;
	judge_made(j);
	if (block != drive)
		signs_add(j->signs, "contents.block_size", SIGN_WARN,
			"Its partitions are not seen here: attach it as it was when it was partitioned "
			"(another USB bridge, or none).",
			"a GPT made for sectors of %.0f bytes, but the drive has sectors of %u", block,
			drive);
}

/* A GPT stands at both ends; one that is behind the end is told as such elsewhere. */
static void judge_copies(struct judging *j, const struct facts *c)
{
	static const char why[] = "The other copy is used as long as it lasts; repair the table with a "
				  "partitioning program once you know why.";
	const char *first = facts_words(c, "partition_table.first_copy");
	const char *second = facts_words(c, "partition_table.second_copy");

	if (strcmp(facts_words(c, "partition_table.type"), "PMBR") == 0 && !first[0])
		signs_add(j->signs, "contents.table", SIGN_WARN,
			"The partitions cannot be found: the table was overwritten, or damaged.",
			"a protective MBR stands there, but not the GPT that it protects");
	if (first[0] && strcmp(first, "whole") != 0)
		signs_add(j->signs, "contents.table", SIGN_WARN, why,
			"the first copy of the GPT is not whole: %s", first);
	if (second[0] && strcmp(second, "whole") != 0 && strcmp(second, "behind the end") != 0)
		signs_add(j->signs, "contents.table", SIGN_WARN, why,
			"the second copy of the GPT, at the end, is not whole: %s", second);
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
			"the partition table was made for a larger drive, of %s", made_for);
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
	judge_block(j, c);
	judge_copies(j, c);
	judge_unreadable(j, c);
}
