/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What it gains from several reads at a time. */
#include "tests/truth/question.h"

const struct question queue_questions[] = {
	{0},
};
