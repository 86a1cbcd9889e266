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

/* "a read of 64 KiB at LBA 2048"; the bad sector is somewhere in it. */
static void add_read(struct text *t, const struct doc *doc, const struct event *event)
{
	uint32_t block = doc->identity.logical_block_bytes;
	char size[32];

	text_add(t, "a read ");
	if (event->length) {
		units_format_request(size, sizeof(size), event->length);
		text_add(t, "of %s ", size);
	}
	text_add(t, "at %s %llu", block ? "LBA" : "byte",
		(unsigned long long)(block ? event->offset / block : event->offset));
}

static void warn_read_errors(struct sheet *sheet, const struct doc *doc)
{
	struct text t = {0};
	size_t n;
	const struct event *first = first_event(doc, "read_error", &n);

	if (!first)
		return;
	if (n == 1 && !doc->events_dropped)
		text_add(&t, "READ ERROR: somewhere in ");
	else
		text_add(&t, "READ ERRORS: %s%zu reads failed, the first in ",
			doc->events_dropped ? "over " : "", n);
	add_read(&t, doc, first);
	text_add(&t, ".");
	warn(sheet, text_chars(&t));
	text_release(&t);
}

static void warn_slow_reads(struct sheet *sheet, const struct doc *doc)
{
	struct text t = {0};
	char took[32];
	size_t n;
	const struct event *longest = first_event(doc, "slow_read", &n);

	if (!longest)
		return;
	for (size_t i = 0; i < doc->events_n; i++)
		if (strcmp(doc->events[i].kind, "slow_read") == 0 &&
			doc->events[i].took_s > longest->took_s)
			longest = &doc->events[i];
	if (n == 1)
		text_add(&t, "SLOW READ: ");
	else
		text_add(&t, "SLOW READS: %zu, the longest: ", n);
	add_read(&t, doc, longest);
	units_format_duration(took, sizeof(took), longest->took_s < 1e9 ? longest->took_s : 1e9);
	text_add(&t, " took %s.", longest->took_s > 0 ? took : "long");
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
	if (strcmp(doc->identity.device_type, "recording") == 0)
		warn(sheet, "RECORDING: an earlier run played back; no drive was read now.");
	if (!doc->complete)
		warn(sheet, partial_reason(doc));
	warn_read_errors(sheet, doc);
	warn_slow_reads(sheet, doc);
	if (strcmp(doc->settings.direct, "refused") == 0)
		warn(sheet, "PAGE CACHE: direct reads were refused; memory may have answered.");
	else if (strcmp(doc->settings.direct, "below_cached") == 0)
		warn(sheet, "PAGE CACHE: what the device is made of is cached; memory may have answered.");
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
		sheet_join(&t, "%s (%s)", id->rotating ? "rotating" : "not rotating",
			id->simulated ? "as described" : "says the system");
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
	else if (id->logical_block_bytes)
		sheet_join(&t, "%s", id->removable ? "no medium" : "0 bytes");
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

/* How long the drive let wait till it turned: the longest of all times it was woken. */
static void add_spin_up(struct sheet *sheet, const struct doc *doc,
	const struct sheet_detail *detail)
{
	struct text t = {0};
	char took[32];
	double longest = 0;
	size_t n;

	if (!first_event(doc, "spin_up", &n))
		return;
	for (size_t i = 0; i < doc->events_n; i++)
		if (strcmp(doc->events[i].kind, "spin_up") == 0 && doc->events[i].took_s > longest)
			longest = doc->events[i].took_s;
	units_format_duration(took, sizeof(took), longest < 1e9 ? longest : 1e9);
	text_add(&t, "it had to be woken%s: %s%s to the first data; in no figure",
		n > 1 ? ", more than once" : "", n > 1 ? "up to " : "", took);
	add_fact(sheet, "spin-up", &t, detail);
}

static void add_region(struct sheet *sheet, const struct doc *doc,
	const struct sheet_detail *detail)
{
	struct sheet_scope scope = sheet_scope_of(doc);
	struct text t = {0};
	char place[160];

	if (scope.whole)
		return;
	sheet_format_place(place, sizeof(place), scope.from_bytes, scope.to_bytes, false);
	text_add(&t, "only the region %s", place);
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
	add_spin_up(sheet, doc, detail);
	add_region(sheet, doc, detail);
}
