/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Many drives asked at once, each by a process of its own, so that one that hangs keeps nobody. */
#ifndef CLI_ASK_ALL_H
#define CLI_ASK_ALL_H

#include <stdbool.h>
#include <stddef.h>

#define ASK_ALL_LIMIT_S 5u

/* One line about how a drive is. */
struct health {
	char word[16];       /* "no sign", "warn", "REJECT", "asleep", "no answer", "tells nothing", "not asked" */
	char why[600];       /* the worst sign, or why it was not asked; "" nothing to say */
	bool bad;            /* REJECT */
	bool known;          /* it was asked and judged */
	double temperature;  /* °C; NAN: not told */
	unsigned made, unmade; /* checks */
};

/* Asks n drives by name; those silent for ASK_ALL_LIMIT_S are "no answer". Starts
 * processes: not while a platform or a thread is there. */
void ask_all(struct health *health, const char *const *names, size_t n);

#endif
