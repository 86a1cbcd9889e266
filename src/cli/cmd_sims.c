/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names the built-in simulated drives. */
#include "cli/commands.h"
#include "cli/say.h"
#include "sim/sim.h"

int cmd_sims(const struct options *o, const struct terminal *t)
{
	struct text out = {0};
	const char *about;
	int status;

	(void)t;
	if (o->operands_n)
		return usage_error(COMMAND_SIMS, "sims takes no argument");
	for (size_t i = 0; sim_name_at(i, &about); i++)
		text_add(&out, "sim:%-20s %s\n", sim_name_at(i, &about), about);
	text_add(&out, "%-24s %s\n%-24s %s\n", "sim:random:SEED",
		"a drive drawn from those of 1994 to today", "sim:FILE",
		"a drive described in FILE");
	status = say_output(&out);
	text_release(&out);
	return status;
}
