/* SPDX-License-Identifier: GPL-2.0-or-later */
/* open → plan → filters → survey, for one drive. Two simulated drives opened from one name have a
 * clock each, so that a time limit is counted over both. */
#include "cli/measure.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "cli/signals.h"
#include "cli/wish.h"
#include "plan/survey.h"
#include "sim/replay.h"

#define OPENING_NOTED_NS 1000000000u

static void seen(void *arg, uint64_t now_ns)
{
	progress_seen(&((struct measure *)arg)->progress, now_ns);
}

static struct watch_config config_of(struct measure *m)
{
	return (struct watch_config){.stop = &signals_stop, .seen = seen, .arg = m};
}

static bool own_clocks(const struct measure *m)
{
	return text_starts(m->info.name, "sim:");
}

static int check_awake(struct measure *m, struct err *e)
{
	struct identity id;
	int status = open_unopened(m->opener, m->name, &id, e);

	return status ? status : open_check_awake(&id, e);
}

/* As open_drive(); how long it took is added up. */
static int open_timed(struct measure *m, enum drive_path path, struct drive **raw, struct err *e)
{
	uint64_t before_ns = platform_now_ns();
	int status = open_drive(m->opener, m->name, path, m->wish.seed, raw, e);

	m->opening_ns += platform_now_ns() - before_ns;
	return status;
}

int measure_open(struct measure *m, struct err *e)
{
	struct watch_config config = config_of(m);
	struct drive *raw;
	struct err why;
	int status;

	doc_init(&m->doc);
	platform_utc_now(m->doc.start_time, sizeof(m->doc.start_time));
	status = m->no_wake ? check_awake(m, e) : 0;
	if (!status)
		status = open_timed(m, DRIVE_DIRECT, &raw, e);
	m->open_status = status;
	if (status)
		return status;
	m->info = raw->info;
	status = typed_plan_make(&m->wish, m->from, m->to, &m->info, &m->plan, e);
	m->bad_plan = status != 0;
	if (status == 0 && m->may_begin)
		status = m->may_begin(m->arg, m->info.name, e);
	if (status) {
		drive_close(raw);
		return status;
	}
	open_identity(m->opener, m->name, raw, &m->doc.identity, &why);
	return layers_open(&m->direct, raw, m->trace, &config, e);
}

static int open_cached(void *arg, struct drive **drive, struct err *e)
{
	struct measure *m = arg;
	struct watch_config config = config_of(m);
	struct text file = {0};
	struct drive *raw;
	int status = open_timed(m, DRIVE_PAGE_CACHE, &raw, e);

	if (status)
		return status;
	text_add(&file, "%s.cached", m->trace ? m->trace : "");
	status = layers_open(&m->cached, raw, m->trace ? text_chars(&file) : NULL, &config, e);
	text_release(&file);
	if (status)
		return status;
	if (m->wish.max_time_ns)
		m->cached_start_ns = drive_now_ns(m->cached.top);
	*drive = m->cached.top;
	return 0;
}

/* The deadlines as they stand when a step begins. */
static void set_deadlines(struct measure *m)
{
	uint64_t direct_ns = 0, cached_ns = 0, spent_ns, left_ns;

	if (!m->wish.max_time_ns)
		return;
	if (!own_clocks(m)) {
		watch_set_deadline(m->direct.top, m->direct_start_ns + m->wish.max_time_ns);
		if (m->cached.top)
			watch_set_deadline(m->cached.top,
				m->direct_start_ns + m->wish.max_time_ns);
		return;
	}
	direct_ns = drive_now_ns(m->direct.top);
	spent_ns = direct_ns - m->direct_start_ns;
	if (m->cached.top) {
		cached_ns = drive_now_ns(m->cached.top);
		spent_ns += cached_ns - m->cached_start_ns;
	}
	left_ns = spent_ns < m->wish.max_time_ns ? m->wish.max_time_ns - spent_ns : 0;
	watch_set_deadline(m->direct.top, direct_ns + left_ns);
	if (m->cached.top)
		watch_set_deadline(m->cached.top, cached_ns + left_ns);
}

static int open_cached_in_time(void *arg, struct drive **drive, struct err *e)
{
	int status = open_cached(arg, drive, e);

	if (status == 0)
		set_deadlines(arg);
	return status;
}

static void step(void *arg, const struct plan *plan, size_t k)
{
	struct measure *m = arg;

	set_deadlines(m);
	progress_step(&m->progress, plan, k);
}

/* A whole run plays a whole recording. */
static int check_rest(struct measure *m, struct err *e)
{
	const struct layers *both[] = {&m->direct, &m->cached};

	for (size_t i = 0; i < 2; i++) {
		uint64_t rest = both[i]->raw ? replay_rest_bytes(both[i]->raw) : 0;

		if (!rest)
			continue;
		m->doc.complete = false;
		return err_set(e, -EPROTO, "%s: after the last request of this run the recording "
			"goes on for %" PRIu64 " bytes: it is damaged, or was made with other "
			"options", m->name, rest);
	}
	return 0;
}

/* What a recording did not hold counts for more than how the survey ended. */
static int check_replay(struct measure *m, int status, struct err *e)
{
	const struct layers *both[] = {&m->direct, &m->cached};

	if (open_source(m->name) != SOURCE_REPLAY)
		return status;
	for (size_t i = 0; i < 2; i++) {
		const char *missing = both[i]->raw ? replay_missing(both[i]->raw) : "";

		if (!*missing)
			continue;
		m->doc.complete = false;
		return err_set(e, -EPROTO, "%s: %s%s", m->name, missing,
			replay_damaged(both[i]->raw) ? ""
			: "; give the options of the recorded run, its --seed too");
	}
	return status ? status : check_rest(m, e);
}

/* A drive that is slow to open is so in nobody's figures. */
static void note_opening(struct measure *m)
{
	char took[64];

	if (m->opening_ns < OPENING_NOTED_NS)
		return;
	units_format_duration(took, sizeof(took), (double)m->opening_ns / 1e9);
	doc_note(&m->doc, "Opening the drive took %s, which comes on top of the time measured.",
		took);
}

int measure_run(struct measure *m, struct err *e)
{
	struct survey survey = {.direct = m->direct.top, .open_cached = open_cached_in_time,
		.step = step, .arg = m};
	int status;

	platform_host(&m->doc.host);
	m->doc.settings.argv = m->argv;
	m->doc.settings.max_time_s = (double)m->wish.max_time_ns / 1e9;
	if (m->wish.max_time_ns)
		m->direct_start_ns = drive_now_ns(m->direct.top) -
			(open_source(m->name) == SOURCE_DEVICE ? m->opening_ns : 0);
	progress_start(&m->progress, m->moving, m->lines);
	status = survey_run(&survey, &m->plan, &m->doc, e);
	m->cached.top = NULL; /* the survey has closed it */
	progress_end(&m->progress);
	note_opening(m);
	/* where the drive's time is not the machine's, this would be the end of nothing */
	if (open_source(m->name) == SOURCE_DEVICE)
		platform_utc_now(m->doc.end_time, sizeof(m->doc.end_time));
	return check_replay(m, status, e);
}

void measure_close(struct measure *m)
{
	int cached_error = layers_close(&m->cached);
	int direct_error = layers_close(&m->direct);

	m->trace_error = direct_error ? direct_error : cached_error;
}
