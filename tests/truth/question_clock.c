/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Electronics and clock. */
#include "tests/truth/question.h"

#include <errno.h>

static int hit(const struct witness_box *box, const struct finding *f, double *truth)
{
	return oracle_hit(box->oracle, f->request_bytes, truth) ? -ENODATA : 0;
}

static int command(const struct witness_box *box, const struct finding *f, double *truth)
{
	double rate;

	(void)f;
	return oracle_interface(box->oracle, truth, &rate) ? -ENODATA : 0;
}

static int interface(const struct witness_box *box, const struct finding *f, double *truth)
{
	double command_s;

	(void)f;
	return oracle_interface(box->oracle, &command_s, truth) ? -ENODATA : 0;
}

/* Only a bridge's frames make a grid. */
static int tick(const struct witness_box *box, const struct finding *f, double *truth)
{
	const struct truth *t = box->truth;

	(void)f;
	*truth = t->bridge_frame_s;
	return t->bridge_bytes_per_s > 0 && t->bridge_frame_s > 0 ? 0 : -ENODATA;
}

/* The simulated clock counts nanoseconds. */
static int granularity(const struct witness_box *box, const struct finding *f, double *truth)
{
	(void)box;
	(void)f;
	*truth = 1e-9;
	return 0;
}

const struct question clock_questions[] = {
	{"clock.hit_s", .truth = hit, .refused_most = 1},
	{"clock.tick_s", .truth = tick, .refused_most = 1},
	{"clock.granularity_s", .truth = granularity, .bar = BAR_LEAST},
	{"overhead.command_s", .truth = command, .refused_most = 1},
	{"overhead.interface_bytes_per_s", .truth = interface, .refused_most = 1},
	{0},
};
