/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The drives of a machine as rows, and the table drawn from them. */
#ifndef CLI_LIST_TABLE_H
#define CLI_LIST_TABLE_H

#include "base/text.h"
#include "cli/ask_all.h"
#include "doc/facts.h"
#include "host/platform.h"

struct list_row {
	const struct listed_drive *drive;
	struct identity identity;    /* the drive's, with what its kept answers add */
	struct facts facts;          /* what the system knows of it */
	struct facts contents;       /* what is on it, as far as the system knows, and who uses it */
	const char *twin;            /* another name of the same drive; NULL: none */
	const struct health *health; /* NULL: nobody was asked */
	bool told;                   /* its reason stands in the list, or is none to be told */
};

struct list_style {
	size_t columns;   /* lines get no longer */
	bool utf8;
	bool show_serial; /* all of it, not its last four characters */
};

/* A head and a line for each row. Where they do not fit, columns that hold only "-" go first; then the
 * use is cut, to 14 columns, and the model; then others are left out, those that tell least first. */
void list_table(struct text *out, const struct list_row *rows, size_t n,
	const struct list_style *style);

/* Nobody was seen to use it and nobody looked what is on it: it stands as "?", it may hold data. Not
 * for the second name of a drive. */
bool list_not_looked_at(const struct list_row *row);

/* How fast it says it turns: "7200", "SSD"; where only the kernel has a guess: "turns?", "SSD?"; "-". */
void list_rotation(char *dst, size_t size, const struct list_row *row);

#endif
