/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The report of one document: what must not be missed, who the drive is, the figures, what was seen
 * on the way, what it was measured with. It is built with all detail and, when that takes more than
 * SHEET_LINES, again with less. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "sheet/sheet_build.h"

#define NOTE_LINES_LEAST 3 /* a heading and a line about the notes */
#define NOTE_LINES_KEPT  6 /* reasons are shortened for so many, not for more */
#define NOTE_LINES_ALL   SHEET_LINES
#define FOOTER_COLUMNS   150 /* two lines; without the machine it is as long as it must be */

static void add_title(struct sheet *sheet, const struct doc *doc)
{
	const struct identity *id = &doc->identity;
	struct text t = {0};
	char capacity[32];

	text_add(&t, "%s", id->model_name[0] ? id->model_name
			: id->device_name[0] ? id->device_name : "A drive of unknown name");
	if (id->size_bytes) {
		units_format_capacity(capacity, sizeof(capacity), id->size_bytes);
		sheet_join(&t, "%s", capacity);
	}
	sheet_add(sheet, SHEET_TITLE, text_chars(&t), NULL, NULL, NULL);
	text_release(&t);
}

/* "Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz" → "Intel Xeon E5-2680 v4" */
static void join_cpu(struct text *t, const struct host_facts *host)
{
	static const char *const noise[] = {"(R)", "(r)", "(TM)", "(tm)", " CPU", " Processor"};
	char cpu[sizeof(host->cpu)];
	char *p;

	text_copy_clean(cpu, sizeof(cpu), host->cpu);
	for (size_t i = 0; i < sizeof(noise) / sizeof(noise[0]); i++)
		while ((p = strstr(cpu, noise[i])))
			memmove(p, p + strlen(noise[i]), strlen(p + strlen(noise[i])) + 1);
	if ((p = strstr(cpu, " @ ")))
		*p = 0;
	if (cpu[0] && host->cpus > 1)
		sheet_join(t, "%u ×\u00A0%s", host->cpus, cpu);
	else if (cpu[0])
		sheet_join(t, "%s", cpu);
}

/* "2026-11-30T18:50:02Z" → "2026-11-30 18:50 UTC"; anything else as it is. */
static void join_time(struct text *t, const char *time)
{
	if (strlen(time) == 20 && time[10] == 'T' && time[19] == 'Z')
		sheet_join(t, "%.10s %.5s UTC", time, time + 11);
	else if (time[0])
		sheet_join(t, "%s", time);
}

/* What ± means. */
static void add_legend(struct sheet *sheet, const struct doc *doc)
{
	char s[128];

	for (size_t i = 0; i < doc->findings_n; i++) {
		const struct finding *f = &doc->findings[i];

		if (f->how == HOW_UNKNOWN || !isfinite(f->low) || !(f->confidence > 0))
			continue;
		snprintf(s, sizeof(s), "± and … are %.3g %% intervals, from the samples named "
			"beside them.", f->confidence * 100);
		sheet_add(sheet, SHEET_NOTE, s, NULL, NULL, NULL);
		return;
	}
}

static void join_machine(struct text *t, const struct doc *doc)
{
	if (doc->host.kernel[0])
		sheet_join(t, "%s", doc->host.kernel);
	join_cpu(t, &doc->host);
	if (doc->host.virtual_machine[0])
		sheet_join(t, "in %s", doc->host.virtual_machine);
}

static void add_footer(struct sheet *sheet, const struct doc *doc,
	const struct sheet_detail *detail)
{
	bool simulated = doc->simulated || doc->identity.simulated;
	/* where and when it was measured is not in a recording */
	bool recording = strcmp(doc->identity.device_type, "recording") == 0;
	struct text t = {0};
	char took[32];
	char *s;

	sheet_join(&t, "platter %s", doc->platter_version);
	join_time(&t, doc->start_time);
	if (doc->elapsed_s > 0 && doc->elapsed_s < 1e9) {
		units_format_duration(took, sizeof(took), doc->elapsed_s);
		sheet_join(&t, "took %s%s", took, simulated || recording ? " of the drive's time" : "");
	}
	sheet_join(&t, "seed %llu", (unsigned long long)doc->settings.seed);
	if (detail->machine && !recording)
		join_machine(&t, doc);
	s = text_take(&t);
	if (detail->machine)
		sheet_cut(s, FOOTER_COLUMNS);
	sheet_add(sheet, SHEET_HEADING, recording ? "Played back with" : "Measured with", NULL, NULL,
		NULL);
	sheet_add(sheet, SHEET_NOTE, s, NULL, NULL, NULL);
	free(s);
	if (detail->legend)
		add_legend(sheet, doc);
}

static size_t footer_lines(const struct doc *doc, const struct sheet_detail *detail)
{
	struct sheet footer = {0};
	size_t lines;

	add_footer(&footer, doc, detail);
	lines = sheet_lines(&footer);
	sheet_release(&footer);
	return lines;
}

/* As many notes as there are lines for. */
static void add_notes(struct sheet *sheet, const struct doc *doc, size_t lines)
{
	struct text more = {0};
	size_t used = NOTE_LINES_LEAST;
	size_t i;

	if (!doc->notes_n)
		return;
	sheet_add(sheet, SHEET_HEADING, "Notes", NULL, NULL, NULL);
	for (i = 0; i < doc->notes_n; i++) {
		size_t need = sheet_note_lines(doc->notes[i]);

		/* the last line is kept for the count of those that are left */
		if (used + need > lines + (i + 1 == doc->notes_n))
			break;
		sheet_add(sheet, SHEET_NOTE, doc->notes[i], NULL, NULL, NULL);
		used += need;
	}
	if (i < doc->notes_n) {
		text_add(&more, "%zu %snote%s: add -o FILE or --json.", doc->notes_n - i,
			i ? "more " : "", doc->notes_n - i == 1 ? "" : "s");
		sheet_add(sheet, SHEET_NOTE, text_chars(&more), NULL, NULL, NULL);
		text_release(&more);
	}
}

static void add_body(struct sheet *sheet, const struct doc *doc, bool show_serial,
	const struct sheet_detail *detail)
{
	sheet_truncate(sheet, 0);
	add_title(sheet, doc);
	sheet_add_warnings(sheet, doc);
	sheet_add_drive(sheet, doc, show_serial, detail);
	sheet_add_health(sheet, doc);
	sheet_add_figures(sheet, doc, detail);
}

/* Every note is worth what is given up first; of the rest only some notes are. */
static size_t notes_lines_wanted(const struct doc *doc, const struct sheet_detail *detail)
{
	size_t lines = doc->notes_n ? 2 : 0;

	for (size_t i = 0; i < doc->notes_n; i++)
		lines += sheet_note_lines(doc->notes[i]);
	return lines < detail->notes_lines ? lines : detail->notes_lines;
}

void sheet_of_doc(struct sheet *sheet, const struct doc *doc, bool show_serial)
{
	static const struct sheet_detail details[] = {
		{true, true, true, WHY_WHOLE, 200, true, true, NOTE_LINES_ALL},
		{false, true, true, WHY_WHOLE, 200, true, true, NOTE_LINES_ALL},
		{false, false, true, WHY_WHOLE, 200, true, true, NOTE_LINES_ALL},
		{false, false, false, WHY_WHOLE, 57, true, true, NOTE_LINES_ALL},
		{false, false, false, WHY_WHOLE, 57, true, true, NOTE_LINES_KEPT},
		{false, false, false, WHY_CLAUSE, 57, true, true, NOTE_LINES_KEPT},
		{false, false, false, WHY_COUNT, 57, true, true, NOTE_LINES_KEPT},
		{false, false, false, WHY_COUNT, 57, false, true, NOTE_LINES_KEPT},
		{false, false, false, WHY_COUNT, 57, false, false, NOTE_LINES_KEPT},
	};
	const struct sheet_detail *detail = details;
	const struct sheet_detail *least = details + sizeof(details) / sizeof(details[0]) - 1;
	size_t lines;

	*sheet = (struct sheet){0};
	for (;; detail++) {
		add_body(sheet, doc, show_serial, detail);
		lines = sheet_lines(sheet) + footer_lines(doc, detail);
		if (detail == least || lines + notes_lines_wanted(doc, detail) <= SHEET_LINES)
			break;
	}
	add_notes(sheet, doc, lines < SHEET_LINES ? SHEET_LINES - lines : 0);
	add_footer(sheet, doc, detail);
}
