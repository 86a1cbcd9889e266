/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Documents on standard output: reports with an empty line between them, or JSON, which is one
 * document or, where several were asked for, one array of them. */
#ifndef CLI_PAPER_H
#define CLI_PAPER_H

#include "cli/options.h"
#include "cli/terminal.h"
#include "doc/doc.h"
#include "doc/doc_json.h"
#include "out/text_report.h"

/* What --color, --ascii and the terminal ask for. */
struct text_style paper_style(const struct options *o, const struct terminal *t);

/* What --show-serial and its like ask for. */
struct doc_json_options paper_json(const struct options *o);

struct paper {
	const struct options *o;
	const struct terminal *t;
	bool json;
	bool array; /* JSON: an array, whatever number of documents comes */
	size_t n;   /* shown so far */
};

/* The report or the JSON of one document more. An exit_status: EXIT_UNSURE when standard output
 * could not be written. */
int paper_add(struct paper *p, const struct doc *doc);

/* What is to come behind the last one. An exit_status. */
int paper_end(struct paper *p);

#endif
