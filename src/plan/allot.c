/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A time limit shared as the efforts share theirs: between two of them each step is as far on its way
 * from the one to the other as the sum is. Below the shortest, all steps in full would leave none with
 * enough, so that some go. */
#include "plan/allot.h"

#define RUNS_ASKED 3u /* what the efforts' times are made for */

static double repeats(const struct probe *probe, unsigned runs)
{
	return probe->repeats && runs > RUNS_ASKED ? (double)runs / RUNS_ASKED : 1;
}

static double asked_s(const struct probe *probe, enum effort effort, unsigned runs)
{
	return probe->seconds[effort] * repeats(probe, runs);
}

static double all_asked_s(const struct plan *plan, enum effort effort, unsigned runs)
{
	double sum_s = 0;

	for (size_t k = 0; k < plan->n; k++)
		sum_s += asked_s(plan->steps[k].probe, effort, runs);
	return sum_s;
}

static unsigned most_spare(const struct plan *plan)
{
	unsigned most = 0;

	for (size_t k = 0; k < plan->n; k++)
		if (plan->steps[k].probe->spare > most)
			most = plan->steps[k].probe->spare;
	return most;
}

static bool is_left_out(const struct plan *plan, const struct probe *probe)
{
	for (size_t i = 0; i < plan->left_out_n; i++)
		if (plan->left_out[i] == probe)
			return true;
	return false;
}

static void take_out(struct plan *plan, unsigned spare)
{
	size_t kept = 0;

	for (size_t k = 0; k < plan->n; k++) {
		const struct probe *probe = plan->steps[k].probe;

		if (probe->spare != spare)
			plan->steps[kept++] = plan->steps[k];
		else if (!is_left_out(plan, probe))
			plan->left_out[plan->left_out_n++] = probe;
	}
	plan->n = kept;
}

static void spare_steps(struct plan *plan, unsigned runs, double allowance_s)
{
	unsigned spare;

	while (allowance_s < ENOUGH_SHARE * all_asked_s(plan, EFFORT_QUICK, runs) &&
		(spare = most_spare(plan)) > 0)
		take_out(plan, spare);
}

static uint64_t ns_of(double s)
{
	return s * 1e9 < 1 ? 1 : (uint64_t)(s * 1e9);
}

/* What the drive of this kind took of each second the probe asked for, at that effort. */
static double used_share(const struct probe *probe, enum effort effort,
	const struct drive_info *info)
{
	bool still = info->rotating == ROTATING_NO;

	/* with a row for drives that turn there is one for the others, which may be all 0 */
	if (!(probe->takes_s[0][effort] > 0 && probe->seconds[effort] > 0))
		return 1;
	return probe->takes_s[still][effort] / probe->seconds[effort];
}

/* Effort and, on the way to the next one, how far; or the share of it that fits. */
struct pace {
	enum effort effort;
	double onward; /* 0 … 1 */
	double share;  /* 1, or less */
};

static struct pace pace_of(const struct plan *plan, enum effort wished, unsigned runs,
	double allowance_s)
{
	struct pace pace = {wished, 0, 1};
	double sum_s, next_s;

	while (pace.effort > EFFORT_QUICK &&
		allowance_s < ENOUGH_SHARE * all_asked_s(plan, pace.effort, runs))
		pace.effort--;
	sum_s = all_asked_s(plan, pace.effort, runs);
	if (allowance_s < sum_s) {
		pace.share = allowance_s / sum_s;
	} else if (pace.effort < wished) {
		next_s = all_asked_s(plan, pace.effort + 1, runs);
		pace.onward = next_s > sum_s ? (allowance_s - sum_s) / (next_s - sum_s) : 0;
	}
	return pace;
}

static void hand_out(struct plan *plan, struct pace pace, unsigned runs,
	const struct drive_info *info)
{
	plan->budget_ns = plan->expected_ns = 0;
	for (size_t k = 0; k < plan->n; k++) {
		struct step *step = &plan->steps[k];
		double s = asked_s(step->probe, pace.effort, runs);

		if (pace.onward > 0)
			s += pace.onward * (asked_s(step->probe, pace.effort + 1, runs) - s);
		s *= pace.share;
		step->scope.effort = pace.effort;
		step->scope.runs = runs;
		step->scope.budget_ns = ns_of(s);
		step->expected_ns = ns_of(s * used_share(step->probe, pace.effort, info));
		plan->budget_ns += step->scope.budget_ns;
		plan->expected_ns += step->expected_ns;
	}
}

void plan_allot(struct plan *plan, const struct wish *wish, const struct drive_info *info)
{
	double allowance_s = wish->max_time_ns ? (double)wish->max_time_ns / 1e9 * LIMIT_SHARE : 1e12;
	unsigned runs = plan->steps[0].scope.runs;
	struct pace pace;
	double quick_s;

	while (runs > RUNS_ASKED && allowance_s < all_asked_s(plan, wish->effort, runs))
		runs--;
	quick_s = ENOUGH_SHARE * all_asked_s(plan, EFFORT_QUICK, runs);
	plan->enough_ns = ns_of(quick_s / LIMIT_SHARE);
	plan->short_of_time = allowance_s < quick_s;
	if (!wish->probes)
		spare_steps(plan, runs, allowance_s);
	pace = pace_of(plan, plan->short_of_time ? EFFORT_QUICK : wish->effort, runs, allowance_s);
	hand_out(plan, pace, runs, info);
}
