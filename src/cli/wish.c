/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A place may be a share of the drive, so that it becomes bytes only once the drive's size is
 * known. */
#include "cli/wish.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"
#include "cli/commands.h"
#include "host/platform.h"

/* A seed that can be typed again: 32 bits of the system's randomness. */
static uint64_t fresh_seed(void)
{
	uint32_t seed = 0;
	FILE *f = fopen("/dev/urandom", "rb");

	if (!f || fread(&seed, sizeof(seed), 1, f) != 1)
		seed = (uint32_t)(platform_now_ns() / 1000);
	if (f)
		fclose(f);
	return seed;
}

static void split_probes(struct typed_wish *w, const char *list)
{
	size_t n = 1;

	if (!list)
		return;
	w->names = mem_strdup(list);
	for (const char *p = w->names; *p; p++)
		n += *p == ',';
	w->probes = mem_zalloc(n, sizeof(*w->probes));
	n = 0;
	for (char *p = w->names; p; ) {
		char *comma = strchr(p, ',');

		w->probes[n++] = p;
		if (comma)
			*comma++ = 0;
		p = comma;
	}
	w->wish.probes = w->probes;
	w->wish.probes_n = n;
}

void typed_wish_make(struct typed_wish *w, const struct options *o)
{
	*w = (struct typed_wish){.wish = {
		.effort = o->quick ? EFFORT_QUICK : o->full ? EFFORT_FULL : EFFORT_STANDARD,
		.max_time_ns = o->max_time.value,
		.seed = o->seed.given ? o->seed.value : fresh_seed(),
		.runs = (unsigned)o->runs.value,
		.request_bytes = (uint32_t)o->request.value,
		.depth = (unsigned)o->depth.value,
	}};
	split_probes(w, o->probes);
}

void typed_wish_release(struct typed_wish *w)
{
	free(w->names);
	free(w->probes);
	*w = (struct typed_wish){0};
}

static int place(const char *typed, uint64_t size_bytes, uint64_t *bytes, struct err *e)
{
	if (!typed || units_parse_place(typed, size_bytes, bytes) == 0)
		return 0;
	return err_set(e, -EINVAL, "%s is no place on the drive", typed);
}

int typed_plan_make(struct wish *wish, const char *from, const char *to,
	const struct drive_info *info, struct plan *plan, struct err *e)
{
	int status = place(from, info->size_bytes, &wish->from_bytes, e);

	if (status == 0)
		status = place(to, info->size_bytes, &wish->to_bytes, e);
	/* an end at 0 would be taken for "the end of the drive" */
	if (status == 0 && to && wish->to_bytes == 0)
		status = err_set(e, -EINVAL, "a region that ends at byte 0 holds nothing");
	if (status == 0)
		status = plan_make(wish, info, plan, e);
	return status;
}

int typed_wish_check(enum command command, const struct options *o)
{
	if (o->quick && o->full)
		return usage_error(command, "--quick and --full exclude each other");
	return EXIT_FINE;
}
