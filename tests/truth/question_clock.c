/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Electronics and clock. */
#include "tests/truth/question.h"

#include <errno.h>

static int hit(const struct witness_box *box, const struct finding *f, double *truth)
{
	return oracle_hit(box->oracle, f->request_bytes, truth) ? -ENODATA : 0;
}

/* Behind a bridge that takes its time in frames the oracle's medians stand on steps. */
static bool in_frames(const struct witness_box *box)
{
	return box->truth->bridge_bytes_per_s > 0;
}

static int command(const struct witness_box *box, const struct finding *f, double *truth)
{
	double rate;

	(void)f;
	if (in_frames(box))
		return -ENODATA;
	return oracle_interface(box->oracle, truth, &rate) ? -ENODATA : 0;
}

static int interface(const struct witness_box *box, const struct finding *f, double *truth)
{
	double command_s;

	(void)f;
	if (in_frames(box)) { /* one behind the other */
		*truth = 1 / (1 / box->truth->bridge_bytes_per_s +
				     1 / box->truth->interface_bytes_per_s);
		return 0;
	}
	return oracle_interface(box->oracle, &command_s, truth) ? -ENODATA : 0;
}

/* A bridge's frames, or what was planted. */
static int tick(const struct witness_box *box, const struct finding *f, double *truth)
{
	const struct truth *t = box->truth;

	(void)f;
	*truth = in_frames(box) ? t->bridge_frame_s : t->completion_tick_s;
	return *truth > 0 ? 0 : -ENODATA;
}

/* The simulated clock counts nanoseconds. */
static int granularity(const struct witness_box *box, const struct finding *f, double *truth)
{
	(void)box;
	(void)f;
	*truth = 1e-9;
	return 0;
}

/* No grid was planted, and none is seen. */
static bool no_grid(const struct witness_box *box)
{
	return !in_frames(box) && !(box->truth->completion_tick_s > 0);
}

/* What was read once need not be in memory the next time. */
static bool no_memory(const struct witness_box *box, const struct finding *f)
{
	(void)f;
	return box->truth->kind == TRUTH_VIRTUAL;
}

/* Memory is not told from what is behind it where that is as fast. */
static bool no_mechanics(const struct witness_box *box, const struct finding *f)
{
	(void)f;
	return question_nothing_turns(box) || box->truth->kind == TRUTH_SMR;
}

const struct question clock_questions[] = {
	{"clock.hit_s", .truth = hit, .rightly_unknown = no_memory, .refused_most = 0.1},
	{"clock.tick_s", .truth = tick, .absent = no_grid, .refused_most = 1},
	{"clock.granularity_s", .truth = granularity, .bar = BAR_LEAST},
	{"overhead.command_s", .truth = command, .rightly_unknown = no_mechanics,
		.refused_most = 0.3},
	{"overhead.interface_bytes_per_s", .truth = interface, .rightly_unknown = no_mechanics,
		.refused_most = 0.3},
	{0},
};
