/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is to be done to a drive, shown before it is done. */
#ifndef SHEET_SHEET_PLAN_H
#define SHEET_SHEET_PLAN_H

#include "plan/plan.h"
#include "sheet/sheet.h"

/* plan has a step at least; id is the drive's. Release with sheet_release(). */
void sheet_of_plan(struct sheet *sheet, const struct plan *plan, const struct identity *id);

#endif
