/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the drive keeps and reads ahead. */
#include "tests/truth/question.h"

const struct question cache_questions[] = {
	{0},
};
