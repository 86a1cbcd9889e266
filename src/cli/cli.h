/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program: argv in, exit status out. The only folder that speaks to the user. */
#ifndef CLI_CLI_H
#define CLI_CLI_H

enum exit_status {
	EXIT_FINE = 0,     /* done */
	EXIT_BAD = 1,      /* judged bad: FAIL, worse, unreadable sector */
	EXIT_USAGE = 2,    /* used wrongly, or not comparable */
	EXIT_UNSURE = 3,   /* could not measure or judge */
	EXIT_PARTLY = 4,   /* partly measured: time limit, drive lost */
};

/* Runs the command argv names and returns an exit_status. On SIGINT, SIGTERM or SIGHUP the document
 * is finished and the signal raised again, so that it does not return then. */
int cli_main(int argc, char **argv);

#endif
