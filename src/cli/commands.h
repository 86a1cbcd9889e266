/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of commands, and one function each (src/cli/cmd_*.c). */
#ifndef CLI_COMMANDS_H
#define CLI_COMMANDS_H

#include "cli/cli.h"
#include "cli/options.h"
#include "cli/terminal.h"

struct command_row {
	enum command command;
	const char *name;     /* NULL: chosen by its options alone */
	const char *topic;    /* what "platter help" calls it */
	const char *synopsis; /* after "platter " */
	const char *summary;  /* one line */
	const char *about;    /* paragraphs for its help */
	int (*run)(const struct options *o, const struct terminal *t); /* returns an exit_status */
};

const struct command_row *command_at(size_t i); /* NULL: past the last */
/* By name or topic; NULL: there is none. */
const struct command_row *command_find(const char *topic);

int cmd_list(const struct options *o, const struct terminal *t);
int cmd_plan(const struct options *o, const struct terminal *t);
int cmd_probe(const struct options *o, const struct terminal *t);
int cmd_show(const struct options *o, const struct terminal *t);
int cmd_smart(const struct options *o, const struct terminal *t);
int cmd_sims(const struct options *o, const struct terminal *t);
int cmd_hdparm(const struct options *o, const struct terminal *t);
int cmd_help(const struct options *o, const struct terminal *t);

/* Says the sentence and where help is; returns EXIT_USAGE. */
int usage_error(enum command command, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The help of one command, or of the program (NULL), on standard output: an exit_status. */
int help_show(const struct command_row *row);

#endif
