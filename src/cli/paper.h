/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A document on standard output, as report or as JSON. */
#ifndef CLI_PAPER_H
#define CLI_PAPER_H

#include "cli/options.h"
#include "cli/terminal.h"
#include "doc/doc.h"

/* Shows the report, or the JSON where the options want that. An exit_status: EXIT_UNSURE when
 * standard output could not be written. */
int paper_show(const struct doc *doc, const struct options *o, const struct terminal *t);

/* The document as JSON. An exit_status. */
int paper_json(const struct doc *doc, const struct options *o);

#endif
