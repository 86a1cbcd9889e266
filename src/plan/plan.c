/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Steps are the wished probes and those they need, in the order of the probe table; in between the
 * short ones that want to look again and again. */
#include "plan/plan.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "plan/allot.h"

static const char *const effort_names[EFFORT_N] = {"quick", "standard", "full"};

const char *effort_name(enum effort effort)
{
	return effort_names[effort];
}

static int unknown_probe(const char *name, struct err *e)
{
	struct text names = {0};
	int status;

	for (size_t i = 0; probe_at(i); i++)
		text_add(&names, "%s%s", i ? ", " : "", probe_at(i)->name);
	status = err_set(e, -EINVAL, "there is no probe \"%s\"; there are: %s", name,
		text_chars(&names));
	text_release(&names);
	return status;
}

static int check_names(const struct wish *wish, struct err *e)
{
	for (size_t i = 0; i < wish->probes_n; i++)
		if (!probe_find(wish->probes[i]))
			return unknown_probe(wish->probes[i], e);
	return 0;
}

static bool named(const struct wish *wish, const struct probe *probe)
{
	if (!wish->probes)
		return probe->standard;
	for (size_t i = 0; i < wish->probes_n; i++)
		if (strcmp(wish->probes[i], probe->name) == 0)
			return true;
	return false;
}

static bool needs(const struct probe *probe, const char *name)
{
	for (size_t i = 0; i < PROBE_NEEDS_MAX && probe->needs[i]; i++)
		if (strcmp(probe->needs[i], name) == 0)
			return true;
	return false;
}

/* Asked for by name, or needed by one that is: those stand further down in the table. */
static bool wished(const struct wish *wish, const struct probe *probe, size_t place)
{
	const struct probe *other;

	if (named(wish, probe))
		return true;
	for (size_t i = place + 1; (other = probe_at(i)); i++)
		if (needs(other, probe->name) && wished(wish, other, i))
			return true;
	return false;
}

static bool has_step(const struct plan *plan, const char *name)
{
	for (size_t k = 0; k < plan->n; k++)
		if (strcmp(plan->steps[k].probe->name, name) == 0)
			return true;
	return false;
}

static void add_step(struct plan *plan, const struct probe *probe, const struct scope *scope)
{
	if (plan->n < PLAN_STEPS_MAX)
		plan->steps[plan->n++] = (struct step){.probe = probe, .scope = *scope};
}

static void add_steps(struct plan *plan, const struct wish *wish, const struct scope *scope)
{
	const struct probe *probe, *short_one;

	for (size_t i = 0; (probe = probe_at(i)); i++) {
		if (probe->between || !wished(wish, probe, i))
			continue;
		add_step(plan, probe, scope);
		for (size_t k = 0; (short_one = probe_at(k)); k++)
			if (short_one->between && wished(wish, short_one, k) &&
				short_one->path == probe->path &&
				has_step(plan, short_one->between))
				add_step(plan, short_one, scope);
	}
}

/* The region in whole blocks inside the drive. */
static int make_region(const struct wish *wish, const struct drive_info *info, struct scope *scope,
	struct err *e)
{
	uint64_t block = info->logical_block_bytes;
	uint64_t to = wish->to_bytes ? wish->to_bytes : info->size_bytes;
	uint64_t from = wish->from_bytes;

	if (from >= info->size_bytes)
		return err_set(e, -EINVAL,
			"the region starts at byte %" PRIu64 ", but %s ends at byte %"
			PRIu64 "; choose an earlier start", from, info->name, info->size_bytes);
	if (to > info->size_bytes)
		return err_set(e, -EINVAL,
			"the region ends at byte %" PRIu64 ", but %s ends at byte %"
			PRIu64 "; choose an earlier end, or \"end\"", to, info->name,
			info->size_bytes);
	if (to < from)
		return err_set(e, -EINVAL, "the region ends at byte %" PRIu64 ", before its start at "
			"byte %" PRIu64 "; let it end behind it", to, from);
	from += (block - from % block) % block;
	to -= to % block;
	if (from >= to)
		return err_set(e, -EINVAL, "the region does not hold one block of %" PRIu64
			" bytes of %s; let it end further from its start", block, info->name);
	scope->from_bytes = from;
	scope->to_bytes = to;
	return 0;
}

static int check_request(const struct wish *wish, const struct drive_info *info, struct err *e)
{
	if (wish->request_bytes % info->logical_block_bytes)
		return err_set(e, -EINVAL,
			"a request of %" PRIu32 " bytes is not a multiple of the "
			"%" PRIu32 " bytes of a block of %s", wish->request_bytes,
			info->logical_block_bytes, info->name);
	if (wish->request_bytes > DRIVE_LENGTH_MAX)
		return err_set(e, -EINVAL, "a request of %" PRIu32 " bytes is too large; at most "
			"%u are read at once", wish->request_bytes, DRIVE_LENGTH_MAX);
	if (wish->depth > DRIVE_DEPTH_MAX)
		return err_set(e, -EINVAL, "%u reads outstanding are too many; at most %u can be",
			wish->depth, DRIVE_DEPTH_MAX);
	return 0;
}

int plan_make(const struct wish *wish, const struct drive_info *info, struct plan *plan,
	struct err *e)
{
	struct scope scope = {
		.seed = wish->seed,
		.runs = wish->runs ? wish->runs : 3,
		.request_bytes = wish->request_bytes,
		.depth = wish->depth,
		.effort = wish->effort,
	};
	int status;

	memset(plan, 0, sizeof(*plan));
	status = check_names(wish, e);
	if (status == 0)
		status = check_request(wish, info, e);
	if (status == 0)
		status = make_region(wish, info, &scope, e);
	if (status)
		return status;
	add_steps(plan, wish, &scope);
	if (plan->n == 0)
		return err_set(e, -EINVAL, "no probe was chosen, so there is nothing to measure");
	plan_allot(plan, wish, info);
	return 0;
}
