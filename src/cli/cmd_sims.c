/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names the built-in simulated drives. */
#include <jansson.h>
#include <stdlib.h>

#include "cli/commands.h"
#include "cli/say.h"
#include "sim/sim.h"

/* Names that stand for many drives, and what they are. */
static const char *const families[][2] = {
	{"sim:random:SEED", "a drive drawn from those of 1994 to today"},
	{"sim:FILE", "a drive described in FILE"},
};
#define FAMILIES_N (sizeof(families) / sizeof(families[0]))

static void sims_text(struct text *out)
{
	const char *about;

	for (size_t i = 0; sim_name_at(i, &about); i++)
		text_add(out, "sim:%-20s %s\n", sim_name_at(i, &about), about);
	for (size_t i = 0; i < FAMILIES_N; i++)
		text_add(out, "%-24s %s\n", families[i][0], families[i][1]);
}

static void sims_json(struct text *out)
{
	json_t *root = json_pack("{s:{s:[i,i]},s:[]}", "platter_sims", "version", 1, 0, "sims");
	json_t *sims = json_object_get(root, "sims");
	const char *about;
	char *chars;

	for (size_t i = 0; sim_name_at(i, &about); i++) {
		json_t *name = json_sprintf("sim:%s", sim_name_at(i, &about));

		json_array_append_new(sims, json_pack("{s:o,s:s}", "name", name, "about", about));
	}
	chars = json_dumps(root, JSON_INDENT(2));
	if (chars)
		text_add(out, "%s\n", chars);
	free(chars);
	json_decref(root);
}

int cmd_sims(const struct options *o, const struct terminal *t)
{
	struct text out = {0};
	int status;

	(void)t;
	if (o->operands_n)
		return usage_error(COMMAND_SIMS, "sims takes no argument");
	if (o->json)
		sims_json(&out);
	else
		sims_text(&out);
	status = say_output(&out);
	text_release(&out);
	return status;
}
