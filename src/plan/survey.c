/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The steps one after the other. A step that could not be done does not keep the next from being
 * tried; a drive that is lost, or a stop, does. Nothing is left out silently: whatever a step (or
 * one that never came to run) did not put is put as unknown, with the sentence that fits. */
#include "plan/survey.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "drive/watch.h"
#include "plan/wake.h"

struct state {
	const struct survey *survey;
	const struct plan *plan;
	struct doc *doc;
	struct err *e;      /* the first failure */
	struct drive *cached; /* NULL until a step needed it */
	int cached_status;  /* of opening it */
	struct err cached_err;
	uint64_t left_ns[2]; /* when the direct and the cached drive were last read; 0: never */
	unsigned woken;
	int status;         /* the first failure; 0 while none */
	double elapsed_s;   /* of the steps done */
};

static void put_missing(struct doc *doc, const struct probe *probe, const char *why_not)
{
	const struct quantity *q;

	for (size_t i = 0; (q = quantity_at(i)); i++)
		if (probe_puts(probe, q->key) && !doc_find(doc, q->key))
			doc_put_unknown(doc, q->key, NULL, "%s", why_not);
}

/* Direct reads that memory may have answered all the same. */
static bool answered_by_memory(const struct drive_info *info)
{
	return info->path == DRIVE_DIRECT_REFUSED || info->path == DRIVE_DIRECT_BELOW_CACHED;
}

/* What was measured there is a page cache's figure. */
static void mark_cached(struct doc *doc, const struct probe *probe)
{
	for (size_t i = 0; i < doc->findings_n; i++)
		if (probe_puts(probe, doc->findings[i].quantity->key) &&
			doc->findings[i].how != HOW_UNKNOWN)
			doc->findings[i].cached = true;
}

static bool ends_survey(int status)
{
	return status == -EINTR || status == -ENODEV || status == -ETIME || status == -EPROTO;
}

static const char *reason(int status, bool deadline, const struct err *e)
{
	switch (status) {
	case 0: return "the probe gave no figure for it";
	case -ENODEV: return "the drive was lost";
	case -ETIME: return "the drive gave no answer";
	case -EPROTO:
		return "the recording does not hold this run: it was made with other options or "
			"another seed, or is damaged";
	case -EINTR:
		return deadline ? "the time limit was reached before it was measured"
			: "stopped before it was measured";
	default: return e->text[0] ? e->text : "the drive could not go on";
	}
}

static void add_event(struct state *s, int status, bool deadline)
{
	struct event event = {.at_s = s->elapsed_s, .error = status};

	if (status == -EINTR) {
		event.error = 0;
		snprintf(event.kind, sizeof(event.kind), "%s", deadline ? "time_limit" : "stopped");
	} else {
		snprintf(event.kind, sizeof(event.kind), "%s",
			status == -ENODEV ? "drive_gone" : "no_answer");
	}
	doc_event(s->doc, &event);
}

static void set_error(struct state *s, int status, const struct err *e)
{
	if (s->status && !ends_survey(status))
		return;
	s->status = status;
	if (s->e) {
		*s->e = *e;
		s->e->code = status;
	}
}

static struct drive *drive_for(struct state *s, const struct probe *probe)
{
	const struct survey *survey = s->survey;

	if (probe->path == DRIVE_DIRECT)
		return survey->direct;
	if (s->cached || s->cached_status)
		return s->cached;
	if (!survey->open_cached)
		s->cached_status = err_set(&s->cached_err, -ENOTSUP,
			"this drive cannot be read through a page cache");
	else
		s->cached_status = survey->open_cached(survey->arg, &s->cached, &s->cached_err);
	if (s->cached_status)
		s->cached = NULL;
	return s->cached;
}

/* A drive that was left alone long enough to have gone to sleep is woken before it is timed. Through
 * the page cache only one that is known to sleep: the read would stay there. */
static int wake(struct state *s, struct drive *d, const struct scope *scope)
{
	bool direct = d == s->survey->direct;
	uint64_t left_ns = s->left_ns[!direct];
	bool first = left_ns == 0;
	bool asleep = first && d->info.power == POWER_ASLEEP;
	struct doc untold;
	int status;

	if (!asleep && (!direct || (!first && drive_now_ns(d) - left_ns < WAKE_IDLE_NS)))
		return 0;
	if (direct)
		return wake_drive(d, scope, s->woken++, asleep, s->doc);
	/* it is the same drive, whose waking has been told */
	doc_init(&untold);
	status = wake_drive(d, scope, 0, true, &untold);
	doc_release(&untold);
	return status;
}

/* A probe gives its events the time on the drive's clock; the document counts from the start. */
static void place_events(struct state *s, size_t first, double step_start_s)
{
	for (size_t i = first; i < s->doc->events_n; i++)
		s->doc->events[i].at_s += s->elapsed_s - step_start_s;
}

static void run_step(struct state *s, const struct step *step)
{
	struct err e = {0};
	struct drive *d = drive_for(s, step->probe);
	bool deadline;
	size_t events_before = s->doc->events_n;
	double start_s;
	int status;

	if (!d) {
		put_missing(s->doc, step->probe, reason(s->cached_status, false, &s->cached_err));
		set_error(s, s->cached_status, &s->cached_err);
		return;
	}
	start_s = (double)drive_now_ns(d) / 1e9;
	status = wake(s, d, &step->scope);
	if (!status)
		status = step->probe->run(d, &step->scope, s->doc, &e);
	s->left_ns[d != s->survey->direct] = drive_now_ns(d);
	deadline = watch_deadline_passed(d);
	place_events(s, events_before, start_s);
	s->elapsed_s += (double)drive_now_ns(d) / 1e9 - start_s;
	if (answered_by_memory(&d->info))
		mark_cached(s->doc, step->probe);
	put_missing(s->doc, step->probe, reason(status, deadline, &e));
	if (!status)
		return;
	if (!e.text[0])
		err_set(&e, status, "%s: %s", d->info.name, reason(status, deadline, &e));
	if (ends_survey(status) && status != -EPROTO)
		add_event(s, status, deadline);
	set_error(s, status, &e);
}

/* The steps that no longer came to run. */
static void give_up(struct state *s, size_t next, bool deadline)
{
	struct err none = {0};

	for (size_t k = next; k < s->plan->n; k++)
		put_missing(s->doc, s->plan->steps[k].probe, reason(s->status, deadline, &none));
}

static const char *path_name(enum drive_path path)
{
	switch (path) {
	case DRIVE_PAGE_CACHE: return "page_cache";
	case DRIVE_DIRECT_REFUSED: return "refused";
	case DRIVE_DIRECT_BELOW_CACHED: return "below_cached";
	default: return "direct";
	}
}

static void note_path(struct doc *doc, const struct drive_info *info)
{
	if (info->path == DRIVE_DIRECT_REFUSED)
		doc_note(doc,
			"Direct reads were refused, so every figure was read through the page "
			"cache and may not be the drive's own.");
	else if (info->path == DRIVE_DIRECT_BELOW_CACHED)
		doc_note(doc,
			"Reads of this loop device, or of one below it, are answered by the host's "
			"page cache, so no figure is the medium's own; losetup --direct-io=on "
			"makes it read past the cache.");
}

/* What the time limit had no room for, and that there was less than a quick look needs. */
static void tell_of_limit(struct state *s)
{
	const struct plan *plan = s->plan;
	char why_not[160], enough[32];

	if (!plan->short_of_time)
		return;
	snprintf(enough, sizeof(enough), "%.0f s", ceil((double)plan->enough_ns / 1e9));
	snprintf(why_not, sizeof(why_not),
		"the time limit left no time for it: --max-time of %s or more has it", enough);
	for (size_t i = 0; i < plan->left_out_n; i++)
		put_missing(s->doc, plan->left_out[i], why_not);
	if (s->status)
		return;
	doc_note(s->doc, "The time limit is shorter than a quick look, so there was less time for "
		"each figure than it needs; %s would do.", enough);
	add_event(s, -EINTR, true);
	s->status = -EINTR;
}

static void fill_settings(struct doc *doc, const struct plan *plan, const struct drive_info *info)
{
	const struct scope *scope = &plan->steps[0].scope;
	struct settings *settings = &doc->settings;

	settings->seed = scope->seed;
	settings->runs = scope->runs;
	settings->plan_version = PLAN_VERSION;
	settings->from_bytes = scope->from_bytes;
	settings->to_bytes = scope->to_bytes;
	snprintf(settings->effort, sizeof(settings->effort), "%s", effort_name(scope->effort));
	snprintf(settings->direct, sizeof(settings->direct), "%s", path_name(info->path));
	snprintf(settings->read_method, sizeof(settings->read_method), "%s",
		info->read_method ? info->read_method : "");
	snprintf(settings->queue_method, sizeof(settings->queue_method), "%s",
		info->queue_method ? info->queue_method : "");
}

int survey_run(const struct survey *survey, const struct plan *plan, struct doc *doc, struct err *e)
{
	struct state s = {.survey = survey, .plan = plan, .doc = doc, .e = e};
	const struct drive_info *info = &survey->direct->info;

	fill_settings(doc, plan, info);
	doc->simulated = info->simulated;
	note_path(doc, info);
	wake_told_by_opening(info, doc);
	for (size_t k = 0; k < plan->n; k++) {
		if (survey->step)
			survey->step(survey->arg, plan, k);
		run_step(&s, &plan->steps[k]);
		if (ends_survey(s.status)) {
			give_up(&s, k + 1, watch_deadline_passed(survey->direct) ||
				(s.cached && watch_deadline_passed(s.cached)));
			break;
		}
	}
	tell_of_limit(&s);
	drive_close(s.cached);
	doc->elapsed_s = s.elapsed_s;
	doc->complete = s.status == 0;
	return s.status;
}
