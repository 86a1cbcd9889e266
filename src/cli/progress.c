/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How far it is follows from what the plan expects, in the drive's own time; only how often the line
 * is drawn follows the machine's clock. */
#include "cli/progress.h"

#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "host/platform.h"

#define FIRST_NS 250000000u
#define EVERY_NS 100000000u

void progress_start(struct progress *p, bool moving, bool lines)
{
	memset(p, 0, sizeof(*p));
	p->moving = moving && !lines;
	p->lines = lines;
	if (p->moving)
		p->drawn_ns = platform_now_ns() + FIRST_NS - EVERY_NS;
}

void progress_step(struct progress *p, const struct plan *plan, size_t k)
{
	p->plan = plan;
	p->step = k;
	p->step_start_ns = 0;
	p->before_ns = 0;
	for (size_t i = 0; i < k; i++)
		p->before_ns += plan->steps[i].expected_ns;
	if (p->lines)
		fprintf(stderr, "platter: step %zu of %zu: %s\n", k + 1, plan->n,
			plan->steps[k].probe->name);
}

static void draw(struct progress *p, uint64_t done_ns)
{
	char left[64], line[160];
	uint64_t total_ns = p->plan->expected_ns ? p->plan->expected_ns : 1;
	int n;

	units_format_duration(left, sizeof(left), (double)(total_ns - done_ns) / 1e9);
	n = snprintf(line, sizeof(line),
		"%-11s %3.0f %%  %s left", p->plan->steps[p->step].probe->name,
		(double)done_ns * 100.0 / (double)total_ns, left);
	fprintf(stderr, "\r%s%*s", line, p->width > (unsigned)n ? (int)p->width - n : 0, "");
	fflush(stderr);
	if ((unsigned)n > p->width)
		p->width = (unsigned)n;
}

void progress_seen(struct progress *p, uint64_t now_ns)
{
	uint64_t machine_ns, in_step_ns;

	if (!p->moving || !p->plan)
		return;
	if (!p->step_start_ns || now_ns < p->step_start_ns)
		p->step_start_ns = now_ns;
	machine_ns = platform_now_ns();
	if (machine_ns < p->drawn_ns + EVERY_NS)
		return;
	p->drawn_ns = machine_ns;
	in_step_ns = now_ns - p->step_start_ns;
	if (in_step_ns > p->plan->steps[p->step].expected_ns)
		in_step_ns = p->plan->steps[p->step].expected_ns;
	draw(p, p->before_ns + in_step_ns);
}

void progress_end(struct progress *p)
{
	if (p->width)
		fprintf(stderr, "\r%*s\r", (int)p->width, "");
	p->width = 0;
	p->plan = NULL;
}
