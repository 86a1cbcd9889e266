/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The options that say what is to be measured, as a wish that a plan is made from. */
#ifndef CLI_WISH_H
#define CLI_WISH_H

#include "cli/options.h"
#include "drive/drive.h"
#include "plan/plan.h"

/* The strings are held here; wish points into them. */
struct typed_wish {
	struct wish wish;
	char *names; /* --probes, cut at its commas */
	const char **probes;
};

/* Without --seed one is drawn. Release with typed_wish_release(). */
void typed_wish_make(struct typed_wish *w, const struct options *o);
void typed_wish_release(struct typed_wish *w);

/* Puts the places (as typed; NULL: the drive's ends) into the wish and makes the plan. 0, or -EINVAL
 * with e: they are no places of this drive, or as plan_make(). */
int typed_plan_make(struct wish *wish, const char *from, const char *to,
	const struct drive_info *info, struct plan *plan, struct err *e);

/* EXIT_FINE, or EXIT_USAGE, said: two options that exclude each other. */
int typed_wish_check(enum command command, const struct options *o);

#endif
