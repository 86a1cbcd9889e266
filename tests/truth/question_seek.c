/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long moves take. */
#include "tests/truth/question.h"

const struct question seek_questions[] = {
	{0},
};
