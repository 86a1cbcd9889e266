/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the program is talking to. */
#ifndef CLI_TERMINAL_H
#define CLI_TERMINAL_H

#include <stdbool.h>

struct terminal {
	bool out, err;    /* standard output, standard error is a terminal */
	unsigned columns; /* of standard output; where that is no terminal, COLUMNS; else 80. 40 … 200 */
	bool utf8;        /* LC_ALL, LC_CTYPE or LANG, the first that is set, names UTF-8 */
	bool color;       /* out, NO_COLOR is not set and TERM is not "dumb" */
};

struct terminal terminal_look(void);

#endif
