/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Plans are made from what the system's files say of a drive; it is not opened, and no process that
 * could open it is started. */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/commands.h"
#include "cli/open.h"
#include "cli/paper.h"
#include "cli/say.h"
#include "cli/wish.h"
#include "out/text_report.h"
#include "sheet/sheet_plan.h"

static int info_of(struct drive_info *info, const struct identity *id, struct err *e)
{
	*info = (struct drive_info){.logical_block_bytes = id->logical_block_bytes,
		.rotating = !id->rotating_known ? ROTATING_UNKNOWN
			: id->rotating ? ROTATING_YES : ROTATING_NO};
	snprintf(info->name, sizeof(info->name), "%s", id->device_name);
	if (!id->size_bytes || !id->logical_block_bytes)
		return err_set(e, -ENOTSUP,
			"the system does not tell the size of %s without opening it, so no plan can "
			"be made", id->device_name);
	info->size_bytes = id->size_bytes - id->size_bytes % id->logical_block_bytes;
	return 0;
}

static json_t *json_of_step(const struct step *step)
{
	return json_pack("{s:s,s:s,s:f,s:f,s:s,s:b}", "probe", step->probe->name, "question",
		step->probe->question, "expected_s", (double)step->expected_ns / 1e9, "budget_s",
		(double)step->scope.budget_ns / 1e9, "path",
		step->probe->path == DRIVE_PAGE_CACHE ? "page_cache" : "direct", "between",
		step->probe->between != NULL);
}

static void add_json(struct text *out, const struct options *o, const struct plan *plan,
	const struct identity *id)
{
	const struct scope *scope = &plan->steps[0].scope;
	json_t *root = json_pack("{s:{s:[i,i]},s:{s:s,s:I,s:b},s:s,s:I,s:I,s:i,s:i,s:f,s:f,s:b,s:[],s:[]}",
		"platter_plan", "version", 1, 0, "device", "name", id->device_name,
		"size_bytes", (json_int_t)id->size_bytes, "simulated", id->simulated,
		"effort", effort_name(scope->effort), "from_bytes", (json_int_t)scope->from_bytes,
		"to_bytes", (json_int_t)scope->to_bytes, "runs", (int)scope->runs,
		"plan_version", (int)PLAN_VERSION, "expected_s", (double)plan->expected_ns / 1e9,
		"budget_s", (double)plan->budget_ns / 1e9, "complete", !plan->short_of_time,
		"left_out", "steps");
	char *chars;

	if (o->seed.given)
		json_object_set_new(root, "seed", json_integer((json_int_t)scope->seed));
	for (size_t k = 0; k < plan->n; k++)
		json_array_append_new(json_object_get(root, "steps"),
			json_of_step(&plan->steps[k]));
	for (size_t i = 0; i < plan->left_out_n; i++)
		json_array_append_new(json_object_get(root, "left_out"),
			json_string(plan->left_out[i]->name));
	chars = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
	if (chars)
		text_add(out, "%s\n", chars);
	free(chars);
	json_decref(root);
}

static void add_text(struct text *out, const struct options *o, const struct terminal *t,
	const struct plan *plan, const struct identity *id)
{
	struct text_style style = paper_style(o, t);
	struct sheet sheet;

	sheet_of_plan(&sheet, plan, id);
	text_report(&sheet, &style, out);
	sheet_release(&sheet);
}

static int plan_one(const struct options *o, const struct terminal *t, struct wish *wish)
{
	struct opener opener = {NULL};
	struct identity id;
	struct drive_info info;
	struct plan plan;
	struct text out = {0};
	struct err e = {0};
	int status = open_unopened(&opener, o->operands[0], &id, &e);

	if (!status && o->no_wake)
		status = open_check_awake(&id, &e);
	if (!status)
		status = info_of(&info, &id, &e);
	if (status) {
		say("%s", e.text);
		return open_exit_status(status);
	}
	if (typed_plan_make(wish, o->from, o->to, &info, &plan, &e)) {
		say("%s", e.text);
		return EXIT_USAGE;
	}
	if (o->json)
		add_json(&out, o, &plan, &id);
	else
		add_text(&out, o, t, &plan, &id);
	status = say_output(&out);
	text_release(&out);
	return status;
}

int cmd_plan(const struct options *o, const struct terminal *t)
{
	struct typed_wish w;
	int status;

	if (o->operands_n != 1)
		return usage_error(COMMAND_PLAN, o->operands_n ? "plan takes one drive at a time"
			: "plan needs a drive; platter list shows the drives there are");
	if (typed_wish_check(COMMAND_PLAN, o))
		return EXIT_USAGE;
	typed_wish_make(&w, o);
	status = plan_one(o, t, &w.wish);
	typed_wish_release(&w);
	return status;
}
