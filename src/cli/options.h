/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One table of options drives the parser, --help and the usage errors; a test holds the manual
 * page against it. */
#ifndef CLI_OPTIONS_H
#define CLI_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum command {
	COMMAND_LIST = 1,
	COMMAND_PROBE = 2,
	COMMAND_SHOW = 4,
	COMMAND_SIMS = 8,
	COMMAND_HDPARM = 16, /* platter -t, -T: has no name of its own */
	COMMAND_HELP = 32,
	COMMAND_PLAN = 64,
	COMMAND_SMART = 128,
};

enum option_kind {
	OPTION_FLAG,     /* bool */
	OPTION_TEXT,     /* const char * */
	OPTION_FILE,     /* const char *, a path: its folder is nobody else's business */
	OPTION_PLACE,    /* const char *, for units_parse_place() once the drive's size is known */
	OPTION_BYTES,    /* struct option_number */
	OPTION_DURATION, /* struct option_number, ns */
	OPTION_NUMBER,   /* struct option_number */
	OPTION_WHEN,     /* const char *: auto, always, never */
};

struct option_number {
	bool given;
	uint64_t value;
};

struct option {
	unsigned commands;    /* enum command bits */
	char short_name;      /* 0: none */
	const char *long_name; /* without the dashes; NULL: none */
	const char *argument; /* what the help calls the value; NULL: a flag */
	enum option_kind kind;
	size_t target;        /* offset in struct options */
	const char *help;     /* one line */
	/* of a struct option_number: what it may be, and the same in words, behind "it takes " */
	uint64_t least, most;
	const char *range;
};

/* What a command line asks for. Strings belong to argv. */
struct options {
	enum command command;
	bool help;
	bool json, all, show_serial, quiet, verbose, ascii;
	bool quick, full, no_wake, no_smart, wake, health;
	bool full_identity, anonymous;
	bool cached, disk, direct; /* -T, -t, --direct */
	const char *probes, *from, *to, *output, *trace, *color, *save, *load;
	struct option_number max_time, seed, runs, request, depth, offset;
	char **operands;
	size_t operands_n;
	/* the arguments as they came; file_at[i]: where in argv[i] a path begins, 0: it holds none
	 * (1: all of it); operand_at[i]: it is an operand */
	char **argv;
	size_t argc;
	size_t *file_at;
	bool *operand_at;
};

const struct option *option_at(size_t i); /* NULL: past the last */

/* Parses what comes after the command: argv[first …]. 0, or -EINVAL with e: an option that is not
 * there (with the nearest one), a value missing, not wanted, not understood or out of range, an
 * empty operand. Options may stand before and after operands; "--" ends them. Release with
 * options_release() in both cases. */
int options_parse(struct options *o, enum command command, int argc, char **argv, int first,
	struct err *e);
void options_release(struct options *o);

/* How many letters have to be changed, added or dropped (Levenshtein 1966), up to 40. */
unsigned option_distance(const char *a, const char *b);

#endif
