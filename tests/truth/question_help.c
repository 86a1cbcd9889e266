/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Truths that questions of several probes ask for. */
#include <errno.h>
#include <string.h>

#include "tests/truth/question.h"

uint64_t question_rounded_end(const struct witness_box *box, uint64_t to)
{
	uint64_t end = 1u << 20;

	if (box->truth->kind == TRUTH_SMR)
		return to; /* what lies there changes from band to band */
	/* members of an array stand to each other differently along the way: a longer stretch */
	if (box->truth->kind == TRUTH_ARRAY)
		to *= 8;
	while (end < to)
		end *= 2;
	return end < box->truth->size_bytes ? end : box->truth->size_bytes;
}

int question_stream_rate(const struct witness_box *box, const struct finding *f, double *truth)
{
	return oracle_rate(box->oracle, box->seed, 0, question_rounded_end(box, f->to_bytes),
		f->request_bytes, truth);
}

int question_region_rate(const struct witness_box *box, const struct finding *f, double *truth)
{
	return oracle_rate(
		box->oracle, box->seed, f->from_bytes, f->to_bytes, f->request_bytes, truth);
}

int question_random_reads(
	const struct witness_box *box, const struct finding *f, struct oracle_access *a)
{
	return oracle_access(
		box->oracle, f->from_bytes, f->to_bytes, f->request_bytes, f->depth, a);
}

int question_iops(const struct witness_box *box, const struct finding *f, double *truth)
{
	struct oracle_access a = {0};
	int status = question_random_reads(box, f, &a);

	*truth = a.iops;
	return status;
}

double question_cpu_s(const struct truth *t, uint32_t bytes)
{
	return t->host_user_s + t->host_system_s + t->host_system_s_per_mb * bytes / 1e6;
}

bool question_patchwork(const struct witness_box *box)
{
	return box->truth->kind == TRUTH_SMR && box->truth->smr_dirty_share > 0;
}

bool question_runs_differ(const struct finding *f)
{
	return f->why_not && strncmp(f->why_not, "the runs differ too much", 24) == 0;
}

bool question_one_disk(const struct witness_box *box)
{
	return box->truth->kind == TRUTH_DISK && box->truth->actuators == 1;
}

bool question_nothing_turns(const struct witness_box *box)
{
	const struct truth *t = box->truth;

	return t->kind == TRUTH_FLASH || t->kind == TRUTH_VIRTUAL || t->kind == TRUTH_NONE ||
		(t->kind == TRUTH_SMR && t->smr_unmapped_share >= 1);
}
