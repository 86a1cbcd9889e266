/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The same thing told differently by two sources: a bridge or controller in between, a record that
 * is out of date, or bytes that are damaged. Names of the specimen are not repeated here. */
#include <stdio.h>
#include <string.h>

#include "judge/judge_signs_inside.h"

struct source_rule {
	const char *path, *what;
	enum severity severity;
};

static const struct source_rule rules[] = {
	{"model_name", "the model", SIGN_INFO},
	{"firmware_version", "the firmware", SIGN_INFO},
	{"serial_number", "the serial number", SIGN_WARN},
	{"user_capacity.bytes", "the capacity", SIGN_WARN},
	{"logical_block_size", "the sector size", SIGN_WARN},
	{"physical_block_size", "the physical sector size", SIGN_INFO},
	{"rotation_rate", "the rotation rate", SIGN_INFO},
	{"power_on_time.hours", "the hours it ran", SIGN_INFO},
};

static void judge_source(struct judging *j, const struct source_rule *r)
{
	const struct fact *f = facts_find(judge_latest(j), r->path);
	char own[64];

	if (!f || !f->other)
		return;
	if (f->privacy != FACT_OPEN) {
		signs_add(j->signs, "sources", r->severity,
			"A bridge or controller in between answers for the drive, or one of them is "
			"wrong.", "%s is another by %s than by %s", r->what, f->source, f->other_source);
		return;
	}
	if (f->type == FACT_TEXT)
		snprintf(own, sizeof(own), "%.60s", f->text);
	else
		snprintf(own, sizeof(own), "%.15g",
			f->type == FACT_REAL ? f->real : (double)f->integer);
	signs_add(j->signs, "sources", r->severity,
		"A bridge or controller in between answers for the drive, or one of them is wrong.",
		"%s: %s by %s, %s by %s", r->what, own, f->source, f->other, f->other_source);
}

/* What the second reading of the attributes made of them. */
static void judge_witness(struct judging *j)
{
	const struct facts *f = judge_latest(j);
	size_t n = facts_length(f, "platter.disagreements");

	for (size_t i = 0; i < n; i++) {
		char path[FACT_PATH_MAX];
		const char *words[3];
		static const char *const parts[] = {"what", "ours", "theirs"};

		for (size_t k = 0; k < 3; k++) {
			snprintf(path, sizeof(path), "platter.disagreements[%zu].%s", i, parts[k]);
			words[k] = facts_words(f, path);
		}
		if (words[0][0])
			signs_add(j->signs, "witness", SIGN_INFO,
				"platter's own reading is the one used everywhere.",
				"libatasmart reads %s as %s, platter as %s", words[0],
				words[2][0] ? words[2] : "nothing", words[1][0] ? words[1] : "nothing");
	}
}

void judge_sources(struct judging *j)
{
	const char *bad = judge_words(j, "platter.checksums_bad");

	if (!j->asked)
		return;
	judge_made(j);
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		judge_source(j, &rules[i]);
	judge_witness(j);
	if (bad[0])
		signs_add(j->signs, "checksum", SIGN_WARN,
			"What it told was damaged on the way, or its firmware counts wrongly; take its "
			"words with care.", "the checksum does not fit: %s", bad);
}
