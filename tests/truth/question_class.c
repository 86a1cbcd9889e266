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
	if (strcmp(f->text, "cannot_tell") == 0)
		return -1;
	if (box->truth->kind == TRUTH_ARRAY)
		right = "several_actuators";
	else if (question_nothing_turns(box))
		right = "no_rotation_seen";
	return strcmp(f->text, right) == 0;
}

const struct question class_questions[] = {
	{"class.kind", .verdict = kind, .refused_most = 0.05, .bar = BAR_SURE},
	{0},
};
