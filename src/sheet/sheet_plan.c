/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A plan as a person reads it before anything is read: each step with its time and question. The
 * short steps in between stand once, with the time of all of them. */
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "base/units.h"
#include "sheet/sheet_build.h"
#include "sheet/sheet_plan.h"

#define NAME_COLUMNS 11 /* longer than any probe's */

static bool came_before(const struct plan *plan, size_t k)
{
	for (size_t i = 0; i < k; i++)
		if (plan->steps[i].probe == plan->steps[k].probe)
			return true;
	return false;
}

static void add_title(struct sheet *sheet, const struct identity *id)
{
	struct text t = {0};
	char capacity[32];

	text_add(&t, "Plan for %s", id->device_name);
	if (id->model_name[0])
		sheet_join(&t, "%s", id->model_name);
	units_format_capacity(capacity, sizeof(capacity), id->size_bytes);
	sheet_join(&t, "%s", capacity);
	sheet_add(sheet, SHEET_TITLE, text_chars(&t), NULL, NULL, NULL);
	if (id->simulated)
		sheet_add(sheet, SHEET_WARNING,
			"SIMULATED DRIVE: its time is arithmetic, the plan takes none of yours.",
			NULL, NULL, NULL);
	text_release(&t);
}

static void add_step(struct sheet *sheet, const struct plan *plan, size_t k)
{
	const struct probe *probe = plan->steps[k].probe;
	struct text question = {0};
	uint64_t all_ns = 0;
	unsigned times = 0;
	char label[64];

	for (size_t i = k; i < plan->n; i++) {
		if (plan->steps[i].probe != probe)
			continue;
		all_ns += plan->steps[i].expected_ns;
		times++;
	}
	snprintf(label, sizeof(label), "%-*s %4.1f s", NAME_COLUMNS, probe->name,
		(double)all_ns / 1e9);
	text_add(&question, "%s", probe->question);
	if (times > 1)
		text_add(&question, " (in %u pieces, after this step and later ones)", times);
	sheet_add(sheet, SHEET_FACT, label, text_chars(&question), NULL, NULL);
	text_release(&question);
}

static void add_region(struct sheet *sheet, const struct plan *plan, const struct identity *id)
{
	const struct scope *scope = &plan->steps[0].scope;
	char place[160];

	if (scope->from_bytes == 0 && scope->to_bytes + id->logical_block_bytes > id->size_bytes)
		return;
	sheet_format_place(place, sizeof(place), scope->from_bytes, scope->to_bytes, false);
	sheet_add(sheet, SHEET_FACT, "only the region", place, NULL, NULL);
}

static void add_left_out(struct sheet *sheet, const struct plan *plan)
{
	struct text t = {0};

	if (!plan->short_of_time)
		return;
	text_add(&t, "The time limit is shorter than a quick look. ");
	if (plan->left_out_n)
		text_add(&t, "Left out for lack of time: ");
	for (size_t i = 0; i < plan->left_out_n; i++)
		text_add(&t, "%s%s", i ? ", " : "", plan->left_out[i]->name);
	text_add(&t, "%s--max-time of %.0f s or more has room for all.",
		plan->left_out_n ? ". " : "", ceil((double)plan->enough_ns / 1e9));
	sheet_add(sheet, SHEET_NOTE, text_chars(&t), NULL, NULL, NULL);
	text_release(&t);
}

static void add_time(struct sheet *sheet, const struct plan *plan)
{
	const struct scope *scope = &plan->steps[0].scope;
	struct text t = {0};
	char took[32];

	units_format_duration(took, sizeof(took), (double)plan->expected_ns / 1e9);
	text_add(&t, "About %s of the drive's time (%s). A step stops by time: a large drive takes "
		"no longer than a small one. One whose platters are not seen to turn takes less. "
		"Waking a drive that sleeps comes on top.", took, effort_name(scope->effort));
	sheet_add(sheet, SHEET_HEADING, "In all", NULL, NULL, NULL);
	sheet_add(sheet, SHEET_NOTE, text_chars(&t), NULL, NULL, NULL);
	add_left_out(sheet, plan);
	sheet_add(sheet, SHEET_NOTE, "Nothing was opened, read or woken to make this plan.", NULL,
		NULL, NULL);
	text_release(&t);
}

void sheet_of_plan(struct sheet *sheet, const struct plan *plan, const struct identity *id)
{
	*sheet = (struct sheet){0};
	add_title(sheet, id);
	sheet_add(sheet, SHEET_HEADING, "Steps, in this order", NULL, NULL, NULL);
	for (size_t k = 0; k < plan->n; k++)
		if (!came_before(plan, k))
			add_step(sheet, plan, k);
	add_region(sheet, plan, id);
	add_time(sheet, plan);
}
