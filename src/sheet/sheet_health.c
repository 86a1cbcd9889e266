/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a drive is, for who looks at figures: temperature and age, the signs that matter, and how much
 * could be checked at all. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "sheet/sheet_build.h"

#define SIGNS_IN_REPORT 4
#define HOURS_PER_YEAR  8766.0

static void join_temperature(struct text *t, const struct doc *doc)
{
	double before = facts_number(&doc->smart, "temperature.current");
	double after = facts_number(&doc->smart_after, "temperature.current");

	if (!isnan(before) && !isnan(after))
		sheet_join(t, "%.0f °C before, %.0f °C after", before, after);
	else if (!isnan(before) || !isnan(after))
		sheet_join(t, "%.0f °C", isnan(before) ? after : before);
}

double sheet_hours(const struct facts *smart)
{
	double minutes = facts_number(smart, "power_on_time.minutes");

	return facts_number(smart, "power_on_time.hours") + (minutes >= 30 && minutes < 60);
}

static void join_age(struct text *t, const struct doc *doc)
{
	double hours = sheet_hours(&doc->smart);

	if (hours >= HOURS_PER_YEAR)
		sheet_join(t, "ran %.0f hours (%.1f years)", hours, hours / HOURS_PER_YEAR);
	else if (!isnan(hours))
		sheet_join(t, "ran %.0f hour%s", hours, hours == 1 ? "" : "s");
}

static const char *word(enum severity severity)
{
	return severity == SIGN_REJECT ? "REJECT: " : severity == SIGN_WARN ? "WARN: " : "";
}

static void add_left(struct sheet *sheet, size_t left)
{
	struct text t = {0};

	if (!left)
		return;
	text_add(&t, "%zu more: platter smart DEVICE shows %s.", left, left == 1 ? "it" : "them");
	sheet_add(sheet, SHEET_NOTE, text_chars(&t), NULL, NULL, NULL);
	text_release(&t);
}

void sheet_add_signs(struct sheet *sheet, const struct signs *signs, enum severity least,
	enum severity worst, size_t most, bool why)
{
	size_t n = 0, left = 0;

	for (size_t i = 0; i < signs->n; i++) {
		const struct sign *s = &signs->signs[i];
		struct text t = {0};

		if (s->severity < least || s->severity > worst)
			continue;
		/* what the reads met is said at the head of the report already */
		if (!why && text_starts(s->key, "reads."))
			continue;
		if (n == most) {
			left++;
			continue;
		}
		text_add(&t, "%s%s.", word(s->severity), s->evidence);
		if (why)
			text_add(&t, " %s", s->why);
		sheet_add(sheet, s->severity > SIGN_INFO ? SHEET_WARNING : SHEET_NOTE,
			text_chars(&t), NULL, NULL, NULL);
		text_release(&t);
		n++;
	}
	add_left(sheet, left);
}

static size_t count(const struct signs *signs, enum severity severity)
{
	size_t n = 0;

	for (size_t i = 0; i < signs->n; i++)
		n += signs->signs[i].severity == severity;
	return n;
}

static bool could_not(const struct signs *signs, const char *key)
{
	for (size_t i = 0; i < signs->unmade_n; i++)
		if (strcmp(signs->unmade[i].key, key) == 0)
			return true;
	return false;
}

/* Neither its verdict, nor its age, nor its temperature: what was checked is then something else. */
static bool no_health(const struct signs *signs)
{
	return could_not(signs, "drive") || (could_not(signs, "smart.failed") &&
		could_not(signs, "hours") && could_not(signs, "temperature"));
}

void sheet_format_checks(char *dst, size_t size, const struct signs *signs)
{
	size_t reject = count(signs, SIGN_REJECT), warn = count(signs, SIGN_WARN);
	bool blind = no_health(signs);
	struct text t = {0};

	if (reject + warn)
		text_add(&t, "%zu REJECT, %zu WARN in %zu check%s%s", reject, warn, signs->made,
			signs->made == 1 ? "" : "s", blind ? "; no health check was made" : "");
	else if (blind)
		text_add(&t, "nothing could be asked: no health check was made");
	else if (!signs->made)
		text_add(&t, "nothing could be checked");
	else
		text_add(&t, "no sign of trouble found in %zu check%s", signs->made,
			signs->made == 1 ? "" : "s");
	if (signs->unmade_n)
		text_add(&t, "; %zu could not be made", signs->unmade_n);
	text_copy_clean(dst, size, text_chars(&t));
	text_release(&t);
}

void sheet_add_health(struct sheet *sheet, const struct doc *doc)
{
	bool simulated = doc->simulated || doc->identity.simulated;
	struct text t = {0};
	char line[1024];

	sheet_format_contents(line, sizeof(line), &doc->contents);
	sheet_cut(line, 57);
	if (line[0])
		sheet_add(sheet, SHEET_FACT, "holds", line, NULL, NULL);
	join_temperature(&t, doc);
	join_age(&t, doc);
	if (t.length)
		sheet_add(sheet, SHEET_FACT, "its own words", text_chars(&t), NULL, NULL);
	text_release(&t);
	if (simulated || (!doc->signs.made && !doc->signs.unmade_n))
		return;
	sheet_format_checks(line, sizeof(line), &doc->signs);
	sheet_add(sheet, SHEET_FACT, "signs of trouble", line, NULL, NULL);
	sheet_add_signs(sheet, &doc->signs, SIGN_WARN, SIGN_REJECT, SIGNS_IN_REPORT, false);
}
