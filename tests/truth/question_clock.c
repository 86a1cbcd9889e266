/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Electronics and clock. */
#include "tests/truth/question.h"

const struct question clock_questions[] = {
	{0},
};
