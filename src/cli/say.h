/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the program speaks: sentences on standard error, results on standard output. */
#ifndef CLI_SAY_H
#define CLI_SAY_H

#include <stdbool.h>

#include "base/text.h"
#include "cli/cli.h"

/* Standard input, output and error that were closed are pointed at nothing, so that no file opened
 * later takes their place. Call first. */
void say_start(void);

/* "platter: SENTENCE" on standard error. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* EXIT_FINE when, as far as can be told without writing, standard output can be written to; else
 * EXIT_UNSURE after a sentence. */
int say_output_open(void);

/* Writes all of it to standard output. EXIT_FINE, or EXIT_UNSURE after a sentence (which is said
 * once). */
int say_output(const struct text *t);

#endif
