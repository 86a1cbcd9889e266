/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A wish and a drive become steps in order, each with its share of the time. Pure. */
#ifndef PLAN_PLAN_H
#define PLAN_PLAN_H

#include "base/err.h"
#include "probe/probe.h"

/* Goes up when the same wish no longer asks the same requests: recordings of another version cannot
 * be replayed. */
#define PLAN_VERSION 3u

struct wish {
	enum effort effort;
	const char *const *probes; /* names; NULL: the standard ones */
	size_t probes_n;
	uint64_t from_bytes, to_bytes; /* to 0: the end of the drive */
	uint64_t max_time_ns;          /* 0: no limit beyond the effort's own */
	uint64_t seed;
	unsigned runs;                 /* 0: 3 */
	uint32_t request_bytes;        /* 0: each probe's own */
	unsigned depth;                /* 0: each probe's own */
};

struct step {
	const struct probe *probe;
	struct scope scope;
	uint64_t expected_ns; /* likely drive time; the scope's budget is what it may use */
};

#define PLAN_STEPS_MAX 48
struct plan {
	struct step steps[PLAN_STEPS_MAX];
	size_t n;
	uint64_t expected_ns, budget_ns; /* of all steps */
	/* probes of the wish for which max_time has no room: no step, and unknown in the document */
	const struct probe *left_out[PLAN_STEPS_MAX];
	size_t left_out_n;
	bool short_of_time; /* max_time is less than a quick look needs: the run is one in part */
	uint64_t enough_ns; /* a max_time with which it would not be */
};

/* "quick", "standard", "full". */
const char *effort_name(enum effort effort);

/* 0, or -EINVAL with e: unknown probe (the sentence names those there are), no probe at all, region
 * outside the drive or not holding one block, a request size or depth that cannot be. from/to are
 * rounded inward to whole logical blocks. Times are as plan_allot() (plan/allot.h) says. */
int plan_make(const struct wish *wish, const struct drive_info *info, struct plan *plan,
	struct err *e);

#endif
