/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What kind of thing it is. */
#include <errno.h>
#include <string.h>

#include "tests/truth/question.h"

/* "cannot_tell" is a refusal; a kind that it is not, is wrong. */
static int kind(const struct witness_box *box, const struct finding *f)
{
	const char *right = "single_spindle";

	if (!f->text)
		return 0;
	/* some of its reads are as slow as those of a disk: that it cannot be told is the truth */
	if (box->truth->kind == TRUTH_VIRTUAL && strcmp(f->text, "cannot_tell") == 0)
		return 1;
	if (strcmp(f->text, "cannot_tell") == 0)
		return -1;
	if (box->truth->kind == TRUTH_ARRAY || box->truth->actuators > 1)
		right = "several_actuators";
	else if (question_nothing_turns(box))
		right = "no_rotation_seen";
	return strcmp(f->text, right) == 0;
}

static int flag(const struct finding *f, bool right)
{
	return f->value == (right ? 1 : 0);
}

static int smr_suspect(const struct witness_box *box, const struct finding *f)
{
	return flag(f, box->truth->kind == TRUTH_SMR && box->truth->smr_unmapped_share > 0);
}

static int read_on_arrival(const struct witness_box *box, const struct finding *f)
{
	struct truth member;

	if (box->truth->kind != TRUTH_ARRAY)
		return flag(f, box->truth->read_on_arrival);
	if (truth_of_spec(box->truth->member, &member, NULL))
		return -ENODATA;
	return flag(f, member.read_on_arrival);
}

/* What passed is gone before the place is visited again, or how much is held was not told. */
static bool not_held(const struct witness_box *box, const struct finding *f)
{
	const struct finding *places = doc_find(box->doc, "cache.segments");

	(void)f;
	return !places || places->how == HOW_UNKNOWN || box->truth->cache_segments < 4;
}

/* Only of a bridge is it known beforehand. */
static int interface_limited(const struct witness_box *box, const struct finding *f)
{
	const struct truth *t = box->truth;
	double inner = t->inner_sectors_per_track * (double)t->physical_block_bytes * t->rpm / 60;

	if (t->kind != TRUTH_DISK || !(t->bridge_bytes_per_s > 0))
		return -ENODATA;
	if (t->bridge_bytes_per_s < inner)
		return flag(f, true);
	return -ENODATA;
}

const struct question class_questions[] = {
	{"class.kind", .verdict = kind, .refused_most = 0.05, .bar = BAR_SURE},
	{"class.smr_suspect", .verdict = smr_suspect, .absent = question_nothing_turns,
		.refused_most = 0.25, .bar = BAR_LEAST},
	{"class.read_on_arrival", .verdict = read_on_arrival, .absent = question_nothing_turns,
		.rightly_unknown = not_held, .refused_most = 0.25, .bar = BAR_LEAST},
	{"class.interface_limited", .verdict = interface_limited, .refused_most = 1,
		.bar = BAR_LEAST},
	{0},
};
