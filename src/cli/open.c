/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The prefix of a name says what it is; everything without one is a device. */
#include "cli/open.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/cli.h"
#include "cli/twins.h"
#include "plan/plan.h"
#include "sim/replay.h"
#include "sim/sim.h"

#define REPLAY "replay:"

enum source open_source(const char *name)
{
	return text_starts(name, "sim:") ? SOURCE_SIM
		: text_starts(name, REPLAY) ? SOURCE_REPLAY : SOURCE_DEVICE;
}

int opener_start(struct opener *o, char *const *names, size_t n, struct err *e)
{
	o->platform = NULL;
	for (size_t i = 0; i < n; i++)
		if (open_source(names[i]) == SOURCE_DEVICE)
			return platform_start(&o->platform, e);
	return 0;
}

void opener_stop(struct opener *o)
{
	platform_stop(o->platform);
	o->platform = NULL;
}

static int open_replay(const char *file, enum drive_path path, struct drive **drive, struct err *e)
{
	struct text name = {0};
	int status;

	text_add(&name, "%s%s", file, path == DRIVE_PAGE_CACHE ? ".cached" : "");
	status = replay_open(text_chars(&name), PLAN_VERSION, drive, e);
	text_release(&name);
	return status;
}

int open_drive(struct opener *o, const char *name, enum drive_path path, uint64_t seed,
	struct drive **drive, struct err *e)
{
	int status;

	switch (open_source(name)) {
	case SOURCE_SIM:
		status = sim_open(name, path, seed, drive, e);
		if (status == 0)
			open_display_name((*drive)->info.name, sizeof((*drive)->info.name), name);
		return status;
	case SOURCE_REPLAY: return open_replay(name + strlen(REPLAY), path, drive, e);
	default: return platform_open(o->platform, name, path, drive, e);
	}
}

void open_display_name(char *dst, size_t size, const char *name)
{
	const char *colon = strchr(name, ':');
	const char *slash = strrchr(name, '/');
	struct text t = {0};

	if (colon && slash && colon < slash)
		text_add(&t, "%.*s%s", (int)(colon - name + 1), name, slash + 1);
	else
		text_add(&t, "%s", name);
	text_copy_clean(dst, size, text_chars(&t));
	text_release(&t);
}

static void identity_of_info(struct identity *id, const struct drive_info *info)
{
	memset(id, 0, sizeof(*id));
	snprintf(id->device_name, sizeof(id->device_name), "%s", info->name);
	id->size_bytes = info->size_bytes;
	id->logical_block_bytes = info->logical_block_bytes;
	id->physical_block_bytes = info->physical_block_bytes;
	id->max_request_bytes = info->max_request_bytes;
	id->rotating_known = info->rotating != ROTATING_UNKNOWN;
	id->rotating = info->rotating == ROTATING_YES;
}

void open_identity(struct opener *o, const char *name, const struct drive *drive,
	struct identity *id, struct err *e)
{
	int status = -ENOTSUP;

	*e = (struct err){0};
	memset(id, 0, sizeof(*id));
	if (open_source(name) == SOURCE_SIM)
		status = sim_identity(name, id, e);
	else if (open_source(name) == SOURCE_DEVICE)
		status = platform_identity(o->platform, name, id, e);
	if (status)
		identity_of_info(id, &drive->info);
	if (open_source(name) == SOURCE_REPLAY)
		snprintf(id->device_type, sizeof(id->device_type), "recording");
	snprintf(id->device_name, sizeof(id->device_name), "%s", drive->info.name);
	id->simulated = drive->info.simulated;
}

int open_unopened(struct opener *o, const char *name, struct identity *id, struct err *e)
{
	struct drive *recording;
	int status;

	memset(id, 0, sizeof(*id));
	switch (open_source(name)) {
	case SOURCE_SIM:
		status = sim_identity(name, id, e);
		open_display_name(id->device_name, sizeof(id->device_name), name);
		return status;
	case SOURCE_REPLAY:
		status = open_replay(name + strlen(REPLAY), DRIVE_DIRECT, &recording, e);
		if (status)
			return status;
		identity_of_info(id, &recording->info);
		id->simulated = recording->info.simulated;
		id->asleep_known = true;
		drive_close(recording);
		return 0;
	default: return platform_identity(o->platform, name, id, e);
	}
}

/* Two paths to one drive measure one thing, and disturb each other. */
static bool same_specimen(const char *a, const char *b)
{
	struct identity x, y;
	struct err ignored;

	return platform_identity(NULL, a, &x, &ignored) == 0 &&
	       platform_identity(NULL, b, &y, &ignored) == 0 && twins_are(&x, &y);
}

static bool same_drive(const char *a, const char *b)
{
	if (strcmp(a, b) == 0)
		return true;
	if (open_source(a) != SOURCE_DEVICE || open_source(b) != SOURCE_DEVICE)
		return false;
	return platform_same_drive(a, b) || same_specimen(a, b);
}

int open_check_distinct(char *const *names, size_t n, struct err *e)
{
	for (size_t i = 0; i < n; i++)
		for (size_t k = i + 1; k < n; k++)
			if (same_drive(names[i], names[k]))
				return err_set(e, -EINVAL,
					"%s and %s are the same drive; name it once",
					names[i], names[k]);
	return 0;
}

int open_exit_status(int error)
{
	return error == -ENOTBLK || error == -ENOTUNIQ ? EXIT_USAGE : EXIT_UNSURE;
}

int open_check_awake(const struct identity *id, struct err *e)
{
	if (id->asleep_known && !id->asleep)
		return 0;
	if (id->asleep)
		return err_set(e, -EBUSY,
			"%s is asleep and is left so, as --no-wake asks; without it, it is woken "
			"and measured", id->device_name);
	return err_set(e, -EBUSY,
		"whether %s sleeps cannot be told without a command to it, so it is left alone, as "
		"--no-wake asks; without it, it is measured, which wakes it if it sleeps",
		id->device_name);
}
