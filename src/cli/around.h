/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a drive is asked before it is measured and after, never meanwhile: a command in between would
 * be in somebody's figures. */
#ifndef CLI_AROUND_H
#define CLI_AROUND_H

#include <stdbool.h>

#include "cli/asked.h"
#include "cli/open.h"
#include "doc/doc.h"

struct around {
	struct opener *opener;
	const char *name;
	bool off; /* nothing is asked: it was not wished, or it is no drive of this machine */
	struct asked before;
};

/* Asks the drive, before it is opened; one that sleeps is left asleep. opener and name stay the
 * caller's. */
void around_before(struct around *a, struct opener *opener, const char *name, bool wished);
/* It is open now, and awake: hands what was told to the document, and asks who slept till then. */
void around_opened(struct around *a, struct doc *doc);
/* It is closed again: asks once more, looks what is on it, and judges. reachable: it still answers. */
void around_after(struct around *a, struct doc *doc, bool reachable);
void around_release(struct around *a);

#endif
