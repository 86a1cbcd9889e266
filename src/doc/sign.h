/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signs of trouble (or of something one should know), each with its evidence, and the checks that
 * could not be made. A drive without one is never "healthy": no sign was found. */
#ifndef DOC_SIGN_H
#define DOC_SIGN_H

#include <stddef.h>

enum severity { SIGN_INFO, SIGN_WARN, SIGN_REJECT };

struct sign {
	char key[48];        /* "smart.failed", "sectors.pending", …: stable, for programs */
	enum severity severity;
	char evidence[240];  /* one clause: "529 sectors wait to be rewritten (attribute 197)" */
	char why[320];       /* one sentence: why it matters, and what to do */
};

struct unmade_check {
	char key[48];
	char why_not[200];   /* one sentence */
};

struct signs { /* {0} is empty and ready */
	struct sign *signs; /* worst first once sorted */
	size_t n, capacity;
	struct unmade_check *unmade;
	size_t unmade_n, unmade_capacity;
	size_t made; /* checks that could be made */
};

void signs_add(struct signs *signs, const char *key, enum severity severity, const char *why,
	const char *evidence_format, ...) __attribute__((format(printf, 5, 6)));
void signs_unmade(struct signs *signs, const char *key, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void signs_sort(struct signs *signs); /* worst first, then as they were added */
void signs_release(struct signs *signs);
const char *severity_name(enum severity severity); /* "info", "warn", "reject" */

#endif
