/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long a track is. */
#include "tests/truth/question.h"

const struct question track_questions[] = {
	{0},
};
