/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Everything a drive told, in the order in which people look for it: a table says which of its facts
 * stand where and how they are written; what is not in the table is in the JSON. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "sheet/sheet_smart_parts.h"

/* As it may be shown to people: a serial masked unless asked for, a person's words never. */
static void words_of(char *dst, size_t size, const struct fact *f, bool show_serial)
{
	if (f->privacy == FACT_PRIVATE)
		snprintf(dst, size, "%s", "");
	else if (f->privacy == FACT_SPECIMEN && !show_serial)
		identity_mask(dst, size, f->text);
	else
		snprintf(dst, size, "%s", f->text);
}

/* NVM Express Base Specification 2.0, SMART / Health Information log, byte 0. */
static void format_warnings(char *dst, size_t size, int64_t bits)
{
	static const char *const words[] = {"spare blocks run out", "temperature out of its limits",
		"no longer reliable", "takes no more writes", "its backup power failed",
		"its persistent memory failed"};
	struct text t = {0};

	for (unsigned i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (bits >> i & 1)
			sheet_join(&t, "%s", words[i]);
	if (bits >> 6)
		sheet_join(&t, "others of unknown meaning");
	text_copy_clean(dst, size, bits ? text_chars(&t) : "none");
	text_release(&t);
}

static bool format_number(char *dst, size_t size, const struct fact *f, const struct smart_row *r)
{
	if (r->style == AS_ABOVE_0 && f->type == FACT_INTEGER && f->integer <= 0)
		return false;
	if (strcmp(r->path, "rotation_rate") == 0 && f->integer == 0)
		snprintf(dst, size, "nothing rotates");
	else if (f->type == FACT_REAL)
		snprintf(dst, size, "%.6g%s", f->real, r->unit);
	else
		snprintf(dst, size, "%lld%s", (long long)f->integer, r->unit);
	return true;
}

/* Counters of 128 bits come as real numbers. */
static bool format_bytes(char *dst, size_t size, const struct fact *f)
{
	double bytes = f->type == FACT_REAL ? f->real : (double)f->integer;
	char part[64];

	if (f->type != FACT_REAL && f->type != FACT_INTEGER)
		return false;
	if (!(bytes >= 0 && bytes < 1e19))
		return false;
	units_format_capacity(part, sizeof(part),
		f->type == FACT_REAL ? (uint64_t)f->real : (uint64_t)f->integer);
	snprintf(dst, size, "%s (%.0f bytes)", part, bytes);
	if (f->type == FACT_INTEGER)
		snprintf(dst, size, "%s (%lld bytes)", part, (long long)f->integer);
	return true;
}

static bool format_yes_no(char *dst, size_t size, const struct fact *f, const struct smart_row *r)
{
	if (strcmp(r->path, "smart_status.passed") == 0)
		snprintf(dst, size, "%s", f->integer ? "passed" : "FAILED");
	else
		snprintf(dst, size, "%s%s", f->integer ? "yes" : "no", f->integer ? r->unit : "");
	return true;
}

static bool format(char *dst, size_t size, const struct facts *facts, const struct fact *f,
	const struct smart_row *r, bool show_serial)
{
	char part[128];

	if ((r->style == AS_WORDS) != (f->type == FACT_TEXT) && r->style != AS_BYTES)
		return false;
	switch (r->style) {
	case AS_WORDS:
		words_of(part, sizeof(part), f, show_serial);
		snprintf(dst, size, "%s%s", part, part[0] ? r->unit : "");
		return part[0] != 0;
	case AS_YES_NO: return format_yes_no(dst, size, f, r);
	case AS_ON_OFF: snprintf(dst, size, "%s", f->integer ? "on" : "off"); return true;
	case AS_BYTES: return format_bytes(dst, size, f);
	case AS_WARNINGS: format_warnings(dst, size, f->integer); return true;
	case AS_HOURS:
		snprintf(dst, size, "%.0f%s", sheet_hours(facts), r->unit);
		return true;
	case AS_ABOVE_0:
	case AS_NUMBER: return format_number(dst, size, f, r);
	case AS_HEADING: break;
	}
	return false;
}

/* What is told although no fact says it, or not told although one does. */
static const char *instead(const struct facts *facts, const struct smart_row *r)
{
	const char *speaks = facts_words(facts, "device.protocol");

	if (strcmp(r->path, "rotation_rate") == 0 && !facts_find(facts, r->path) &&
		(strcmp(speaks, "ATA") == 0 || strcmp(speaks, "SCSI") == 0))
		return "not reported";
	/* the verdict stands in the row before */
	if (strcmp(r->path, "smart_status.scsi.ie_string") == 0 &&
		facts_is(facts, "smart_status.passed") == 1)
		return "";
	return NULL;
}

/* "7200 rpm (VPD B1h; IDENTIFY DEVICE says 5400)" */
static void add_row(struct sheet *sheet, const struct doc *doc, const struct smart_row *r,
	const char **heading, bool show_serial)
{
	const struct fact *f = facts_find(&doc->smart, r->path);
	const struct fact *after = facts_find(&doc->smart_after, r->path);
	const char *known = instead(&doc->smart, r);
	struct text t = {0};
	char value[256], later[256];

	if (known) {
		snprintf(value, sizeof(value), "%s", known);
		f = NULL;
	}
	if (known ? !known[0] : !f || !format(value, sizeof(value), &doc->smart, f, r, show_serial))
		return;
	text_add(&t, "%s", value);
	if (f && after && format(later, sizeof(later), &doc->smart_after, after, r, show_serial) &&
		strcmp(value, later) != 0)
		text_add(&t, ", later %s", later);
	if (f && f->other && f->privacy == FACT_OPEN)
		text_add(&t, " (%s; %s says %s)", f->source, f->other_source, f->other);
	if (*heading)
		sheet_add(sheet, SHEET_HEADING, *heading, NULL, NULL, NULL);
	*heading = NULL;
	sheet_add(sheet, SHEET_FACT, r->label, text_chars(&t), NULL, NULL);
	text_release(&t);
}

static void add_told(struct sheet *sheet, const struct doc *doc, bool show_serial)
{
	const char *heading = NULL;

	for (size_t i = 0; smart_row_at(i); i++) {
		const struct smart_row *r = smart_row_at(i);

		if (r->style == AS_HEADING)
			heading = r->path;
		else
			add_row(sheet, doc, r, &heading, show_serial);
	}
}

/* "label of the ext4 on sda1"; a path of another kind as it is. */
static void name_private(struct text *t, const struct facts *c, const char *path)
{
	const char *last = strrchr(path, '.'), *found = strstr(path, "signatures[");
	char key[FACT_PATH_MAX];
	const char *type = "", *on = "";

	last = last ? last + 1 : path;
	if (found && strchr(found, ']')) {
		snprintf(key, sizeof(key), "%.*s.type", (int)(strchr(found, ']') + 1 - path), path);
		type = facts_words(c, key);
	}
	if (text_starts(path, "partitions[") && strchr(path, ']')) {
		snprintf(key, sizeof(key), "%.*s.name", (int)(strchr(path, ']') + 1 - path), path);
		on = facts_words(c, key)[0] ? facts_words(c, key) : "a partition";
	}
	text_add(t, "%s of the ", strcmp(last, "uuid") == 0 ? "UUID" : last);
	if (found)
		text_add(t, "%s%s%s", type[0] ? type : "contents", on[0] ? " on " : "", on);
	else
		text_add(t, "%s%s", on[0] ? "partition " : "partition table", on);
}

static void add_private(struct sheet *sheet, const struct facts *contents)
{
	for (size_t i = 0; i < contents->n; i++) {
		const struct fact *f = &contents->facts[i];
		struct text t = {0};

		if (f->type != FACT_TEXT || f->privacy != FACT_PRIVATE)
			continue;
		name_private(&t, contents, f->path);
		text_add(&t, ": %s", f->text);
		sheet_add(sheet, SHEET_NOTE, text_chars(&t), NULL, NULL, NULL);
		text_release(&t);
	}
}

static void add_contents(struct sheet *sheet, const struct doc *doc, bool full)
{
	char line[2048];

	sheet_format_contents(line, sizeof(line), &doc->contents);
	if (line[0])
		sheet_add(sheet, SHEET_FACT, "holds", line, NULL, NULL);
	sheet_format_use(line, sizeof(line), &doc->contents, false);
	if (line[0])
		sheet_add(sheet, SHEET_FACT, "used by", line, NULL, NULL);
	if (full)
		add_private(sheet, &doc->contents);
}

/* Each reason once, with how many checks it kept from being made. */
static void add_unmade(struct sheet *sheet, const struct signs *signs)
{
	for (size_t i = 0; i < signs->unmade_n; i++) {
		const char *why = signs->unmade[i].why_not;
		struct text t = {0};
		bool told = false;

		for (size_t k = 0; k < i; k++)
			told = told || strcmp(signs->unmade[k].why_not, why) == 0;
		if (told)
			continue;
		for (size_t k = i; k < signs->unmade_n; k++)
			if (strcmp(signs->unmade[k].why_not, why) == 0)
				sheet_join(&t, "%s", sheet_check_words(signs->unmade[k].key));
		text_add(&t, ": %s", why);
		sheet_add(sheet, SHEET_NOTE, text_chars(&t), NULL, NULL, NULL);
		text_release(&t);
	}
}

void sheet_of_smart(struct sheet *sheet, const struct doc *doc, bool show_serial, bool full)
{
	const struct sheet_detail detail = {.all = true, .fact_width = 200};
	struct text title = {0};
	char line[1024];

	*sheet = (struct sheet){0};
	text_add(&title, "%s", doc->identity.model_name[0] ? doc->identity.model_name
		: doc->identity.device_name[0] ? doc->identity.device_name : "A drive of unknown name");
	if (doc->identity.size_bytes) {
		units_format_capacity(line, sizeof(line), doc->identity.size_bytes);
		sheet_join(&title, "%s", line);
	}
	sheet_add(sheet, SHEET_TITLE, text_chars(&title), NULL, NULL, NULL);
	text_release(&title);
	sheet_format_checks(line, sizeof(line), &doc->signs);
	sheet_add(sheet, SHEET_FACT, "signs of trouble", line, NULL, NULL);
	sheet_add_signs(sheet, &doc->signs, SIGN_WARN, SIGN_REJECT, SIZE_MAX, true);
	sheet_add_drive(sheet, doc, show_serial, &detail);
	add_contents(sheet, doc, full);
	add_told(sheet, doc, show_serial);
	sheet_add_smart_tables(sheet, &doc->smart);
	if (doc->signs.n && doc->signs.signs[doc->signs.n - 1].severity == SIGN_INFO) {
		sheet_add(sheet, SHEET_HEADING, "For information", NULL, NULL, NULL);
		sheet_add_signs(sheet, &doc->signs, SIGN_INFO, SIGN_INFO, SIZE_MAX, true);
	}
	if (doc->signs.unmade_n) {
		sheet_add(sheet, SHEET_HEADING, "Checks that could not be made", NULL, NULL, NULL);
		add_unmade(sheet, &doc->signs);
	}
}
