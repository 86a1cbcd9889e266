/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time of a plan: what each step may use, and what that is likely to come to. Pure. */
#ifndef PLAN_ALLOT_H
#define PLAN_ALLOT_H

#include "plan/plan.h"

/* Of a time limit, the share handed out to the steps; the rest is for what happens between them. */
#define LIMIT_SHARE 0.9
/* A step with this share of what its effort asks still gives that effort's figures. */
#define ENOUGH_SHARE 0.8

/* Fills budget_ns, expected_ns, effort and runs of every step, and all of the plan but its steps, which
 * stand there with the scope as wished. Where the wish limits the time, the runs beyond 3 go first, then
 * the effort is the most that fits, and what is left over goes to the steps as the next effort would
 * share it. What a quick look asks not fitting either, steps that can be spared are taken out (none of
 * those named in the wish), and the rest shrinks to fit. */
void plan_allot(struct plan *plan, const struct wish *wish, const struct drive_info *info);

#endif
