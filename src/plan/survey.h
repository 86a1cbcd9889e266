/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Carries a plan out: each step's probe on the drive it needs, findings into the document. */
#ifndef PLAN_SURVEY_H
#define PLAN_SURVEY_H

#include "plan/plan.h"

struct survey {
	struct drive *direct;     /* past the page cache; never NULL */
	/* Opens the same drive through the page cache when the first step needs it; 0 and *drive,
	 * or negative errno with e (those steps' quantities are then unknown with that reason). */
	int (*open_cached)(void *arg, struct drive **drive, struct err *e);
	/* Before each step: step k of plan->n. May be NULL. */
	void (*step)(void *arg, const struct plan *plan, size_t k);
	void *arg;
};

/* Runs every step. A drive that may have been asleep is read once before, which is in no figure
 * (plan/wake.h). Whatever a step did not put is put as unknown with the reason. doc->complete is
 * set when every step ran to its end, and elapsed_s and settings' seed, effort, region, methods are
 * filled. 0: all steps ran. -EINTR: stopped (flag or deadline), or the plan was short of time; -ENODEV,
 * -ETIME: the drive was lost or gave no answer and was left alone; other negative errno: a step could
 * not be done, e says why, the others were run. */
int survey_run(const struct survey *survey, const struct plan *plan, struct doc *doc,
	struct err *e);

#endif
