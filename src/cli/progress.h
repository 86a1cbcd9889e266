/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One moving line on standard error while a plan is carried out: "access  42 %  31 s left". */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/plan.h"

struct progress {
	bool moving;  /* draw the line: standard error is a terminal */
	bool lines;   /* a line of its own for each step instead */
	const struct plan *plan;
	size_t step;
	uint64_t step_start_ns; /* drive's clock; 0: not yet known */
	uint64_t before_ns;     /* what the steps done were planned to take */
	uint64_t drawn_ns;      /* machine's clock, when it was last drawn */
	unsigned width;         /* columns drawn, to be cleared */
};

/* Draws nothing for the first quarter of a second. */
void progress_start(struct progress *p, bool moving, bool lines);
void progress_step(struct progress *p, const struct plan *plan, size_t k);
/* A time on the drive's clock; draws at most ten times a second. */
void progress_seen(struct progress *p, uint64_t now_ns);
/* Takes the line away. */
void progress_end(struct progress *p);

#endif
