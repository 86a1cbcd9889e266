/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Again, backwards and with gaps. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/truth/question.h"

#define STRIDE 4u /* records from one read to the next in the strided pattern */

static uint64_t bytes_of(uint64_t n, const char *unit)
{
	return unit[0] == 'M' ? n << 20 : unit[0] == 'K' ? n << 10 : n;
}

/* Pieces' length as the document's note says it: one for all, or one each. */
static uint64_t piece_bytes(const struct doc *doc, enum oracle_pattern which)
{
	uint64_t n[3];
	char unit[3][8];

	for (size_t i = 0; i < doc->notes_n; i++) {
		if (sscanf(doc->notes[i], "The same again, backwards and with gaps were read in pieces of "
			    "%" SCNu64 " %7[A-Za-z]", &n[0], unit[0]) == 2)
			return bytes_of(n[0], unit[0]);
		if (sscanf(doc->notes[i],
			    "The same again was read in pieces of %" SCNu64 " %7[A-Za-z], backwards in "
			    "pieces of %" SCNu64 " %7[A-Za-z], with gaps in pieces of %" SCNu64
			    " %7[A-Za-z]", &n[0], unit[0], &n[1], unit[1], &n[2], unit[2]) == 6)
			return bytes_of(n[which], unit[which]);
	}
	return 0;
}

static int pattern(const struct witness_box *box, const struct finding *f, double *truth,
	enum oracle_pattern which)
{
	uint64_t piece = piece_bytes(box->doc, which);

	if (piece == 0)
		return -ENODATA;
	/* members of an array drift against each other, and this probe is one of the last */
	oracle_specimen(box->oracle, box->seed,
		box->truth->kind == TRUTH_ARRAY ? floor(box->doc->elapsed_s) : 0);
	return oracle_pattern(box->oracle, which, f->from_bytes, f->to_bytes, f->request_bytes,
		piece, STRIDE, truth);
}

static int reread(const struct witness_box *box, const struct finding *f, double *truth)
{
	return pattern(box, f, truth, ORACLE_REREAD);
}

static int backward(const struct witness_box *box, const struct finding *f, double *truth)
{
	return pattern(box, f, truth, ORACLE_BACKWARD);
}

static int strided(const struct witness_box *box, const struct finding *f, double *truth)
{
	return pattern(box, f, truth, ORACLE_STRIDED);
}

/* Pieces take longer than the time there is, a third of two seconds for each pattern: 4 pieces of
 * 1 MiB, read twice in a row, or record by record with a turn each. */
static bool no_time(const struct witness_box *box, const struct finding *f)
{
	uint64_t end = box->truth->size_bytes < 64u << 20 ? box->truth->size_bytes : 64u << 20;
	double rate, turns_per_s;

	if (question_runs_differ(f))
		return question_patchwork(box);
	return strstr(f->why_not, "there was no time for 4 pieces") &&
		(box->truth->bridge_bytes_per_s > 0 ||
			(oracle_rate(box->oracle, box->seed, 0, end, 65536, &rate) == 0 &&
				rate < 16e6) ||
			(oracle_turns_per_s(box->oracle, box->seed, &turns_per_s) == 0 &&
				turns_per_s < 125));
}

const struct question patterns_questions[] = {
	{"patterns.reread_bytes_per_s", .truth = reread, .rightly_unknown = no_time},
	{"patterns.backward_bytes_per_s", .truth = backward, .rightly_unknown = no_time,
		.refused_most = 0.05},
	{"patterns.strided_bytes_per_s", .truth = strided, .rightly_unknown = no_time},
	{0},
};
