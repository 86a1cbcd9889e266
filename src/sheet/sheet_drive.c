/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What must be known before a figure is believed (warnings), and who the drive is. Warnings are
 * worded to fit a line. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "sheet/sheet_build.h"

static void warn(struct sheet *sheet, const char *sentence)
{
	sheet_add(sheet, SHEET_WARNING, sentence, NULL, NULL, NULL);
}

static const struct event *first_event(const struct doc *doc, const char *kind, size_t *count)
{
	const struct event *first = NULL;

	*count = 0;
	for (size_t i = 0; i < doc->events_n; i++) {
		if (strcmp(doc->events[i].kind, kind) != 0)
			continue;
		if (!first)
			first = &doc->events[i];
		++*count;
	}
	return first;
}

static const char *partial_reason(const struct doc *doc)
{
	size_t n;

	if (first_event(doc, "drive_gone", &n))
		return "PARTIAL: the drive went away; what was not reached is unknown.";
	if (first_event(doc, "no_answer", &n))
		return "PARTIAL: a read got no answer, and the drive was left alone.";
	if (first_event(doc, "time_limit", &n))
		return "PARTIAL: the time limit was reached; what was not reached is unknown.";
	if (first_event(doc, "stopped", &n))
		return "PARTIAL: stopped before the end; what was not reached is unknown.";
	return "PARTIAL: not every step ran to its end.";
}

static void warn_read_errors(struct sheet *sheet, const struct doc *doc)
{
	struct text t = {0};
	size_t n;
	const struct event *first = first_event(doc, "read_error", &n);
	uint32_t block = doc->identity.logical_block_bytes;

	if (!first)
		return;
	text_add(&t, "READ ERRORS: %s%zu read%s failed, the first at ",
		doc->events_dropped ? "more than " : "", n, n == 1 ? "" : "s");
	if (block)
		text_add(&t, "LBA %llu.", (unsigned long long)(first->offset / block));
	else
		text_add(&t, "byte %llu.", (unsigned long long)first->offset);
	warn(sheet, text_chars(&t));
	text_release(&t);
}

static bool outside_cached(const struct doc *doc)
{
	for (size_t i = 0; i < doc->findings_n; i++) {
		const struct finding *f = &doc->findings[i];

		if (f->cached && !text_starts(f->quantity->key, "cached.") &&
			!text_starts(f->quantity->key, "buffered."))
			return true;
	}
	return false;
}

void sheet_add_warnings(struct sheet *sheet, const struct doc *doc)
{
	size_t n;

	if (doc->simulated || doc->identity.simulated)
		warn(sheet, "SIMULATED DRIVE: these figures are arithmetic, no hardware was read.");
	if (!doc->complete)
		warn(sheet, partial_reason(doc));
	warn_read_errors(sheet, doc);
	if (strcmp(doc->settings.direct, "refused") == 0)
		warn(sheet, "PAGE CACHE: direct reads were refused; memory may have answered.");
	else if (strcmp(doc->settings.direct, "page_cache") == 0 || outside_cached(doc))
		warn(sheet, "PAGE CACHE: not read directly; memory may have answered.");
	if (first_event(doc, "foreign_load", &n))
		warn(sheet, "OTHER LOAD: something else used the drive while it was measured.");
}

static void add_fact(struct sheet *sheet, const char *label, struct text *value,
	const struct sheet_detail *detail)
{
	char *s = text_take(value);

	sheet_cut(s, detail->fact_width);
	if (s[0])
		sheet_add(sheet, SHEET_FACT, label, s, NULL, NULL);
	free(s);
}

static void join_known(struct text *t, const char *before, const char *what)
{
	if (what[0])
		sheet_join(t, "%s%s", before, what);
}

static void add_device(struct sheet *sheet, const struct identity *id,
	const struct sheet_detail *detail)
{
	struct text t = {0};
	char start[32];

	join_known(&t, "", id->device_name);
	if (strcmp(id->device_type, "partition") == 0 && id->parent[0]) {
		units_format_capacity(start, sizeof(start), id->start_bytes);
		sheet_join(&t, "partition of %s from %s", id->parent, start);
	} else if (strcmp(id->device_type, "simulated") != 0) {
		join_known(&t, "", id->device_type);
	}
	if (strcmp(id->transport, id->device_type) != 0)
		join_known(&t, "", id->transport);
	join_known(&t, "holds ", id->backing);
	if (id->rotating_known)
		sheet_join(&t, "%s (says the system)", id->rotating ? "rotating" : "not rotating");
	if (id->removable_known && id->removable)
		sheet_join(&t, "removable");
	if (id->read_only_known && id->read_only)
		sheet_join(&t, "write-protected");
	add_fact(sheet, "device", &t, detail);
}

static void add_name(struct sheet *sheet, const struct identity *id, bool show_serial,
	const struct sheet_detail *detail)
{
	struct text t = {0};
	char serial[256];

	identity_mask(serial, sizeof(serial), id->serial_number);
	join_known(&t, "", id->vendor);
	join_known(&t, "firmware ", id->firmware_version);
	join_known(&t, "serial ", show_serial ? id->serial_number : serial);
	if (show_serial)
		join_known(&t, "WWN ", id->wwn);
	add_fact(sheet, "identity", &t, detail);
}

static void add_size(struct sheet *sheet, const struct identity *id,
	const struct sheet_detail *detail)
{
	struct text t = {0};

	if (id->size_bytes)
		sheet_join(&t, "%llu bytes", (unsigned long long)id->size_bytes);
	if (id->logical_block_bytes)
		sheet_join(&t, "sectors of %u bytes", (unsigned)id->logical_block_bytes);
	if (id->physical_block_bytes > id->logical_block_bytes)
		sheet_join(&t, "physically %u", (unsigned)id->physical_block_bytes);
	add_fact(sheet, "size", &t, detail);
}

static void add_queue(struct sheet *sheet, const struct identity *id,
	const struct sheet_detail *detail)
{
	struct text t = {0};
	char size[32];

	join_known(&t, "", id->scheduler);
	if (id->queue_depth)
		sheet_join(&t, "depth %u", (unsigned)id->queue_depth);
	if (id->max_request_bytes) {
		units_format_request(size, sizeof(size), id->max_request_bytes);
		sheet_join(&t, "max %s", size);
	}
	if (id->read_ahead_bytes) {
		units_format_request(size, sizeof(size), id->read_ahead_bytes);
		sheet_join(&t, "read-ahead %s", size);
	}
	add_fact(sheet, "system's queue", &t, detail);
}

static void add_region(struct sheet *sheet, const struct doc *doc,
	const struct sheet_detail *detail)
{
	const struct settings *s = &doc->settings;
	struct text t = {0};
	char from[32];
	char to[32];

	if (!s->to_bytes || (!s->from_bytes && s->to_bytes >= doc->identity.size_bytes))
		return;
	units_format_capacity(from, sizeof(from), s->from_bytes);
	units_format_capacity(to, sizeof(to), s->to_bytes);
	text_add(&t, "only from %s to %s", from, to);
	add_fact(sheet, "measured", &t, detail);
}

void sheet_add_drive(struct sheet *sheet, const struct doc *doc, bool show_serial,
	const struct sheet_detail *detail)
{
	struct text in_use = {0};

	sheet_add(sheet, SHEET_HEADING, "The drive", NULL, NULL, NULL);
	add_device(sheet, &doc->identity, detail);
	add_name(sheet, &doc->identity, show_serial, detail);
	add_size(sheet, &doc->identity, detail);
	if (detail->all)
		add_queue(sheet, &doc->identity, detail);
	join_known(&in_use, "", doc->identity.in_use);
	add_fact(sheet, "in use", &in_use, detail);
	add_region(sheet, doc, detail);
}
