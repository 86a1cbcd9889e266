/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Help is drawn from the tables of commands, options and probes. */
#include "cli/commands.h"

#include <string.h>

#include "cli/say.h"
#include "probe/probe.h"

/* columns before an explanation */
#define LEFT       24u
#define LEFT_PROBE 14u

static void add_row(struct text *t, size_t column, const char *left, const char *right)
{
	size_t n = strlen(left);

	text_add(t, "  %s", left);
	if (n + 4 > column)
		text_add(t, "\n%*s", (int)column, "");
	else
		text_add_fill(t, ' ', column - 2 - n);
	text_add(t, "%s\n", right);
}

static void add_option(struct text *t, const struct option *o)
{
	struct text left = {0};

	if (o->short_name && o->long_name)
		text_add(&left, "-%c, --%s", o->short_name, o->long_name);
	else if (o->short_name)
		text_add(&left, "-%c", o->short_name);
	else
		text_add(&left, "    --%s", o->long_name);
	if (o->argument)
		text_add(&left, " %s", o->argument);
	add_row(t, LEFT, text_chars(&left), o->help);
	text_release(&left);
}

static void add_probes(struct text *t)
{
	text_add(t, "\nProbes:\n");
	for (size_t i = 0; probe_at(i); i++)
		add_row(t, LEFT_PROBE, probe_at(i)->name, probe_at(i)->question);
}

static void add_command(struct text *t, const struct command_row *row)
{
	text_add(t, "Usage: platter %s\n\n%s\nOptions:\n", row->synopsis, row->about);
	for (size_t i = 0; option_at(i); i++)
		if (option_at(i)->commands & row->command)
			add_option(t, option_at(i));
	if (row->command == COMMAND_PROBE || row->command == COMMAND_PLAN)
		add_probes(t);
	if (row->command == COMMAND_PROBE || row->command == COMMAND_HDPARM)
		text_add(t,
			"\nExit status: 0 fine, 1 an unreadable sector was met, 2 used wrongly, "
			"3 could not\nmeasure, 4 measured in part (time limit, drive lost).\n");
	if (row->command == COMMAND_SMART)
		text_add(t,
			"\nExit status: 0 no sign of trouble, 1 a sign speaks against using a drive, "
			"2 used\nwrongly, 3 a drive could not be asked.\n");
}

static void add_program(struct text *t)
{
	text_add(t,
		"platter measures how a drive reads, and how sure that is, and asks it how it is.\n"
		"It never writes to one."
		"\n\nCommands:\n");
	for (size_t i = 0; command_at(i); i++) {
		struct text left = {0};

		text_add(&left, "platter %s", command_at(i)->name ? command_at(i)->name : "-t, -T");
		add_row(t, LEFT, text_chars(&left), command_at(i)->summary);
		text_release(&left);
	}
	text_add(t, "\nBegin with:\n");
	add_row(t, LEFT, "platter list", "which drives there are");
	add_row(t, LEFT, "platter probe DEVICE", "measure one, about a minute");
	add_row(t, LEFT, "platter smart DEVICE", "ask one how it is, in a second");
	text_add(t,
		"\n\"platter help COMMAND\" explains a command; hdparm is the topic of -t and -T."
		"\nThe manual is platter(8); \"platter --version\" names the version.\n");
}

int help_show(const struct command_row *row)
{
	struct text t = {0};
	int status;

	if (row)
		add_command(&t, row);
	else
		add_program(&t);
	status = say_output(&t);
	text_release(&t);
	return status;
}

int cmd_help(const struct options *o, const struct terminal *t)
{
	const struct command_row *row;

	(void)t;
	if (o->operands_n == 0)
		return help_show(NULL);
	if (o->operands_n > 1)
		return usage_error(COMMAND_HELP, "help explains one command at a time");
	row = command_find(o->operands[0]);
	if (!row)
		return usage_error(0, "there is no command \"%s\"", o->operands[0]);
	return help_show(row);
}
