/* SPDX-License-Identifier: GPL-2.0-or-later */
/* argv is dispatched to a command. What begins with a dash and is neither help nor version is
 * hdparm's way of speaking. */
#include "cli/cli.h"

#include <stdbool.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/say.h"
#include "cli/signals.h"
#include "doc/doc.h"
#include "plan/plan.h"

static int show_version(void)
{
	struct text t = {0};
	struct doc doc;
	int status;

	doc_init(&doc);
	text_add(&t, "platter %s (document %u.%u, plan %u)\n", PLATTER_VERSION, doc.version[0],
		doc.version[1], PLAN_VERSION);
	doc_release(&doc);
	status = say_output(&t);
	text_release(&t);
	return status;
}

static const struct command_row *by_bit(enum command command)
{
	size_t i = 0;

	while (command_at(i)->command != command)
		i++;
	return command_at(i);
}

static int no_such_command(const char *name)
{
	const char *nearest = NULL;
	unsigned least = 3;

	for (size_t i = 0; command_at(i); i++) {
		unsigned d = command_at(i)->name ? option_distance(name, command_at(i)->name) : 99;

		if (d < least && 2 * d <= strlen(command_at(i)->name)) {
			least = d;
			nearest = command_at(i)->name;
		}
	}
	if (nearest)
		return usage_error(0,
			"there is no command \"%s\"; did you mean \"%s\"?", name, nearest);
	if (strchr(name, '/'))
		return usage_error(0, "there is no command \"%s\"; to measure it: platter probe %s",
			name, name);
	return usage_error(0, "there is no command \"%s\"", name);
}

static int run_command(const struct command_row *row, int argc, char **argv, int first)
{
	struct terminal terminal = terminal_look();
	struct options o;
	struct err e = {0};
	int status;

	if (options_parse(&o, row->command, argc, argv, first, &e))
		status = usage_error(row->command, "%s", e.text);
	else if (o.help)
		status = help_show(row);
	else
		status = row->run(&o, &terminal);
	options_release(&o);
	return status;
}

static bool times_something(const char *argument)
{
	return argument[0] == '-' && argument[1] != '-' && strpbrk(argument, "tT");
}

/* "platter --quick probe X": the command that stands behind an option; NULL: none does. */
static const struct command_row *late_command(int argc, char **argv)
{
	const struct command_row *row = NULL;

	for (int i = 1; i < argc; i++) {
		if (times_something(argv[i]))
			return NULL;
		if (!row)
			row = command_find(argv[i]);
	}
	return row && row->name ? row : NULL;
}

static int dispatch(int argc, char **argv)
{
	const struct command_row *row;

	if (argc < 2)
		return usage_error(0,
			"a command is needed; platter list shows the drives there are");
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
		return help_show(NULL);
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)
		return show_version();
	row = argv[1][0] == '-' ? late_command(argc, argv) : NULL;
	if (row)
		return usage_error(row->command,
			"options come behind their command: platter %s %s ...", row->name, argv[1]);
	if (argv[1][0] == '-')
		return run_command(by_bit(COMMAND_HDPARM), argc, argv, 1);
	row = command_find(argv[1]);
	if (!row || !row->name)
		return no_such_command(argv[1]);
	return run_command(row, argc, argv, 2);
}

int cli_main(int argc, char **argv)
{
	int status;

	say_start();
	signals_install();
	status = dispatch(argc, argv);
	signals_finish();
	return status;
}
