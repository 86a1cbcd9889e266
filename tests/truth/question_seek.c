/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long moves take. The truth is the bare move: what a read takes without one is not in it. */
#include <errno.h>
#include <math.h>

#include "tests/truth/question.h"

static int turnaround(const struct witness_box *box, const struct finding *f, double *truth)
{
	return oracle_turnaround(
		box->oracle, box->seed, f->from_bytes, f->request_bytes, truth);
}

/* To the next head or the next track: whichever of the two it says it is. */
static int shortest(const struct witness_box *box, const struct finding *f, double *truth)
{
	double least, most;
	int status = oracle_shortest(box->oracle, &least, &most);

	if (status == 0)
		*truth = fmin(fmax(f->value, least), most);
	return status;
}

static int third(const struct witness_box *box, const struct finding *f, double *truth)
{
	(void)f;
	return oracle_seek(box->oracle, 1.0 / 3, truth);
}

static int full(const struct witness_box *box, const struct finding *f, double *truth)
{
	(void)f;
	return oracle_seek(box->oracle, 1, truth);
}

static int average(const struct witness_box *box, const struct finding *f, double *truth)
{
	(void)f;
	return oracle_average_seek(box->oracle, truth);
}

static int random_seek(const struct witness_box *box, const struct finding *f, double *truth)
{
	return oracle_random_seek(box->oracle, box->seed, f->from_bytes, f->to_bytes, truth);
}

static int transfer(const struct witness_box *box, const struct finding *f, double *truth)
{
	int status = oracle_transfer(
		box->oracle, box->seed, f->from_bytes, f->to_bytes, f->request_bytes, truth);

	/* that a single block has no rest is no measurement */
	return status || *truth > 0 || f->value != 0 ? status : -ENODATA;
}

/* Nothing that is not known by name: turns missed and moves made twice are some 0.01 ms. */
static int left_over(const struct witness_box *box, const struct finding *f, double *truth)
{
	(void)f;
	*truth = 0;
	return box->truth->kind == TRUTH_DISK ? 0 : -ENODATA;
}

/* Moves of equal length take in the sum of both directions twice their mean. */
static int in_out(const struct witness_box *box, const struct finding *f, double *truth)
{
	(void)f;
	*truth = box->truth->seek_inward_ratio;
	return 0;
}

static int curve(const struct witness_box *box, const struct series *s, const double *row,
	double *truth)
{
	(void)s;
	return oracle_seek(box->oracle, row[0], truth);
}

/* Behind a bridge moves are not told from its frames. */
static bool no_arm(const struct witness_box *box)
{
	return !question_one_disk(box) || box->truth->actuators > 1 ||
		box->truth->bridge_bytes_per_s > 0;
}

const struct question seek_questions[] = {
	{"seek.turnaround_s", .truth = turnaround, .absent = no_arm, .refused_most = 0.4},
	{"seek.shortest_s", .truth = shortest, .absent = no_arm, .refused_most = 0.65},
	{"seek.third_stroke_s", .truth = third, .absent = no_arm, .refused_most = 0.4},
	{"seek.full_stroke_s", .truth = full, .absent = no_arm, .refused_most = 0.4},
	{"seek.average_s", .truth = average, .absent = no_arm, .refused_most = 0.4},
	{"seek.random_s", .truth = random_seek, .absent = no_arm, .refused_most = 0.4},
	{"seek.transfer_s", .truth = transfer, .absent = no_arm, .refused_most = 0.4},
	{"seek.remainder_s", .truth = left_over, .absent = no_arm, .refused_most = 0.4},
	{"seek.in_out_ratio", .truth = in_out, .absent = no_arm, .refused_most = 0.4},
	{"seek.curve", .row_truth = curve, .value_column = 1, .low_column = 2, .high_column = 3},
	{0},
};
