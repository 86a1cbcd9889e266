/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The findings, section by section in the catalogue's order. Some figures only explain another and
 * stand where there is room; unknown ones with the same reason share a line. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "sheet/sheet_build.h"

/* A minor figure only explains its major one: it has a row while there is room, and always where
 * the major one is unknown. */
static const struct {
	const char *major, *minor;
	double least; /* below this it is not worth telling */
} minors[] = {
	{"sequential.bytes_per_s", "sequential.cpu_share", 0},
	{"buffered.bytes_per_s", "buffered.cached_share", 0.005},
	{"zones.inner_bytes_per_s", "zones.outer_inner_ratio", 0},
	{"seekers.iops", "seekers.cpu_share", 0},
};

/* What only few look for; unknown, it is not worth a line. */
static const char *const details[] = {"rotation.reported_rpm", "rotation.drift_ratio",
	"track.skew_s", "clock.hit_s", "clock.granularity_s",
	"clock.tick_s", "clock.jitter_s", "class.interface_limited", "class.smr_suspect",
	"class.read_on_arrival", "class.without_medium", "cache.readahead_stream_bytes"};

/* A property of the drive that it has or has not, worth telling when it has it. */
static const struct {
	const char *key, *says;
} flags[] = {
	{"class.interface_limited", "yes: the rate is that of the interface, not of the medium"},
	{"class.smr_suspect", "suspected: places answer as if they were elsewhere"},
	{"class.read_on_arrival", "yes: keeps what passes before the sector asked for"},
};

/* Of a part of the drive one does not say what is true of the whole. */
static const struct {
	const char *key, *title;
} region_titles[] = {
	{"zones.outer_bytes_per_s", "region's first zone"},
	{"zones.inner_bytes_per_s", "region's last zone"},
	{"zones.mean_bytes_per_s", "region's mean"},
	{"zones.full_scan_s", "region read in"},
};

#define LOST_LEAST 0.01 /* a share of reads left out that must be told */
#define FAST_LEAST 0.01 /* a share of reads answered too soon that is worth telling */
#define WORDS_LEAST 15  /* columns a clause has at least */
#define SPEEDS_WITHIN 0.005 /* a reported speed further off is another: as in the probe */

static bool is_known(const struct finding *f)
{
	return f && f->how != HOW_UNKNOWN;
}

static const char *title_of(const struct doc *doc, const struct quantity *q)
{
	if (sheet_scope_of(doc).whole)
		return q->title;
	for (size_t i = 0; i < sizeof(region_titles) / sizeof(region_titles[0]); i++)
		if (strcmp(region_titles[i].key, q->key) == 0)
			return region_titles[i].title;
	return q->title;
}

static bool is_detail(const char *key)
{
	for (size_t i = 0; i < sizeof(details) / sizeof(details[0]); i++)
		if (strcmp(details[i], key) == 0)
			return true;
	return false;
}

static const char *flag_of(const char *key)
{
	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (strcmp(flags[i].key, key) == 0)
			return flags[i].says;
	return NULL;
}

/* The mean that counts was had in one of two ways: both are told only where they disagree, which is
 * where the model was had and is not what counts. */
static bool means_agree(const struct doc *doc)
{
	const struct finding *mean = doc_find(doc, "access.mean_s");
	const struct finding *model = doc_find(doc, "access.model_mean_s");

	return is_known(mean) && (!is_known(model) || model->value == mean->value);
}

/* What stands in a table or in another row. */
static bool is_told_elsewhere(const struct doc *doc, const struct finding *f)
{
	const char *key = f->quantity->key;

	if (strcmp(key, "access.plain_mean_s") == 0 || strcmp(key, "access.model_mean_s") == 0)
		return means_agree(doc);
	if (strcmp(key, "rotation.reported_rpm") == 0)
		return is_known(doc_find(doc, "rotation.nominal_rpm"));
	if (text_starts(key, "queue.gain_"))
		return is_known(f) && sheet_has_queue(doc);
	return sheet_in_budget(key) && sheet_has_budget(doc);
}

static bool is_left_out(const struct doc *doc, const struct finding *f,
	const struct sheet_detail *detail)
{
	if (is_told_elsewhere(doc, f))
		return true;
	if (is_known(f) && flag_of(f->quantity->key) && f->value < 0.5)
		return true;
	if (is_known(f) && strcmp(f->quantity->key, "seek.transfer_s") == 0 && f->high <= 0)
		return true;
	if (is_known(f) && strcmp(f->quantity->key, "class.without_medium") == 0 &&
		f->value < FAST_LEAST)
		return true;
	if (is_detail(f->quantity->key) && (!is_known(f) || !detail->minor))
		return true;
	for (size_t i = 0; i < sizeof(minors) / sizeof(minors[0]); i++) {
		if (strcmp(minors[i].minor, f->quantity->key) != 0)
			continue;
		if (!is_known(f))
			return !detail->all;
		return is_known(doc_find(doc, minors[i].major)) &&
			(!detail->minor || f->value < minors[i].least);
	}
	return false;
}

/* Where a track lies: how much of it was read is no figure next to how much it holds. */
static void join_track_place(struct text *how, const struct finding *f)
{
	char at[64];

	units_format_capacity(at, sizeof(at), f->from_bytes);
	sheet_join(how, "followed at %s", at);
}

/* Where it was measured, when that is not all over the region. */
static void join_place(struct text *how, const struct doc *doc, const struct finding *f)
{
	struct sheet_scope scope = sheet_scope_of(doc);
	char place[160];

	if (f->to_bytes <= f->from_bytes || text_starts(f->quantity->key, "cached."))
		return;
	if ((double)(f->to_bytes - f->from_bytes) >
		0.9 * ((double)scope.to_bytes - (double)scope.from_bytes))
		return;
	if (strcmp(f->quantity->key, "track.outer_bytes") == 0 ||
		strcmp(f->quantity->key, "track.inner_bytes") == 0) {
		join_track_place(how, f);
		return;
	}
	sheet_format_place(place, sizeof(place), f->from_bytes, f->to_bytes, true);
	sheet_join(how, "%s", place);
}

/* How it was had, most telling first: what does not fit is left out. */
static char *describe(const struct doc *doc, const struct finding *f)
{
	struct text how = {0};
	char size[32];

	if (f->cached && !text_starts(f->quantity->key, "cached.") &&
		!text_starts(f->quantity->key, "buffered."))
		sheet_join(&how, "page cache");
	if (f->how == HOW_REPORTED)
		sheet_join(&how, "as reported");
	if (f->lost_share >= LOST_LEAST)
		sheet_join(&how, "%.0f %% left out", f->lost_share * 100);
	if (f->samples > 1 && f->samples > f->runs)
		sheet_join(&how, "%llu samples", (unsigned long long)f->samples);
	else if (f->runs > 1)
		sheet_join(&how, "%u runs", f->runs);
	else if (f->samples == 1)
		sheet_join(&how, "1 sample");
	if (f->depth > 1)
		sheet_join(&how, "%u at a time", f->depth);
	join_place(&how, doc, f);
	if (f->runs > 1 && f->samples > f->runs)
		sheet_join(&how, "%u runs", f->runs);
	if (f->request_bytes) {
		units_format_request(size, sizeof(size), f->request_bytes);
		sheet_join(&how, "%s", size);
	}
	if (f->how == HOW_DERIVED)
		sheet_join(&how, "derived");
	return text_take(&how);
}

/* "single_spindle" → "single spindle", and the class of its speed. */
static void add_words(struct sheet *sheet, const struct doc *doc, const struct finding *f)
{
	const struct finding *nominal = doc_find(doc, "rotation.nominal_rpm");
	struct text words = {0};
	char value[96], interval[96];

	text_add(&words, "%s", f->text);
	for (size_t i = 0; i < words.length; i++)
		if (words.chars[i] == '_')
			words.chars[i] = ' ';
	if (strcmp(f->text, "single_spindle") == 0 && is_known(nominal)) {
		sheet_format_value(value, interval, sizeof(value), UNIT_RPM, nominal->value, NAN, NAN);
		sheet_join(&words, "%s", value);
	}
	sheet_add(sheet, SHEET_FACT, f->quantity->title, text_chars(&words), NULL, NULL);
	text_release(&words);
}

static bool speeds_agree(double reported_rpm, double rpm)
{
	return fabs(reported_rpm - rpm) <= SPEEDS_WITHIN * rpm;
}

/* What the drive says of its speed where no usual one stands beside the measured one. */
static void add_reported(struct sheet *sheet, const struct doc *doc, const struct finding *f)
{
	const struct finding *rpm = doc_find(doc, "rotation.rpm");
	struct text words = {0};
	char value[96], interval[96];

	sheet_format_value(value, interval, sizeof(value), UNIT_RPM, f->value, NAN, NAN);
	text_add(&words, "%s", value);
	sheet_join(&words, "%s", !is_known(rpm) ? "which was not seen in its times"
		: speeds_agree(f->value, rpm->value) ? "as measured" : "but it turns at another");
	sheet_add(sheet, SHEET_FACT, f->quantity->title, text_chars(&words), NULL, NULL);
	text_release(&words);
}

/* The usual speed next to the measured one, and what the drive says of it. */
static void add_speeds(struct sheet *sheet, const struct doc *doc, const struct finding *f)
{
	const struct finding *reported = doc_find(doc, "rotation.reported_rpm");
	struct text words = {0};
	char value[96], interval[96];

	sheet_format_value(value, interval, sizeof(value), UNIT_RPM, f->value, NAN, NAN);
	text_add(&words, "%s", value);
	if (!is_known(reported)) {
		text_add(&words, "; the drive reports none");
	} else if (fabs(reported->value - f->value) < 1) {
		sheet_join(&words, "as the drive reports");
	} else {
		sheet_format_value(value, interval, sizeof(value), UNIT_RPM, reported->value, NAN, NAN);
		text_add(&words, "%s the drive reports %s",
			speeds_agree(reported->value, f->value) ? ";" : ", but", value);
	}
	sheet_add(sheet, SHEET_FACT, f->quantity->title, text_chars(&words), NULL, NULL);
	text_release(&words);
}

/* A difference of times is in seconds, and may be below nothing. */
static bool is_difference(const struct quantity *q)
{
	return q->unit == UNIT_NONE && text_ends(q->key, "_s");
}

static void add_number(struct sheet *sheet, const struct doc *doc, const struct finding *f)
{
	const char *title = title_of(doc, f->quantity);
	enum unit unit = is_difference(f->quantity) ? UNIT_S : f->quantity->unit;
	char value[160];
	char interval[96];
	char *how = describe(doc, f);

	if (!is_difference(f->quantity) && sheet_is_unsure(unit, f->value, f->low, f->high)) {
		sheet_format_unsure(value, sizeof(value), unit, f->low, f->high);
		sheet_add(sheet, SHEET_UNSURE, title, value, NULL, how);
	} else {
		sheet_format_value(value, interval, sizeof(interval), unit, f->value, f->low, f->high);
		sheet_add(sheet, SHEET_FIGURE, title, value, interval, how);
	}
	free(how);
}

static void add_figure(struct sheet *sheet, const struct doc *doc, const struct finding *f)
{
	const char *key = f->quantity->key;

	if (f->text)
		add_words(sheet, doc, f);
	else if (flag_of(key))
		sheet_add(sheet, SHEET_FACT, f->quantity->title, flag_of(key), NULL, NULL);
	else if (strcmp(key, "rotation.nominal_rpm") == 0)
		add_speeds(sheet, doc, f);
	else if (strcmp(key, "rotation.reported_rpm") == 0)
		add_reported(sheet, doc, f);
	else
		add_number(sheet, doc, f);
}

/* The finding of the i-th row when it is a row of this section that stands in the sheet. */
static const struct finding *row_of(const struct doc *doc, size_t i, const char *section,
	const struct sheet_detail *detail)
{
	const struct quantity *q = quantity_at(i);
	const struct finding *f;

	if (!q || strcmp(q->section, section) != 0)
		return NULL;
	f = doc_find(doc, q->key);
	return f && !is_left_out(doc, f, detail) ? f : NULL;
}

/* ---- unknown figures: those with one reason share a line ------------------------------------ */

/* "1055 reads cannot bound it, it needs 3688: a full run makes them" → what stands before the
 * first break that leaves enough words. */
static void keep_clause(char *why)
{
	static const char *const breaks[] = {": ", "; ", ". ", ", it ", ", because ", ", which ", " ("};
	char *first = NULL;

	for (size_t i = 0; i < sizeof(breaks) / sizeof(breaks[0]); i++) {
		char *p = strlen(why) > WORDS_LEAST ? strstr(why + WORDS_LEAST, breaks[i]) : NULL;

		if (p && (!first || p < first))
			first = p;
	}
	if (first)
		*first = 0;
}

/* True when an earlier unknown row of the section gave the same reason. */
static bool said_before(const struct doc *doc, size_t row, const struct finding *f,
	const struct sheet_detail *detail)
{
	for (size_t i = 0; i < row; i++) {
		const struct finding *g = row_of(doc, i, f->quantity->section, detail);

		if (g && !is_known(g) && strcmp(g->why_not, f->why_not) == 0)
			return true;
	}
	return false;
}

/* Joins the labels of all unknown rows of the section that give this reason (NULL: any); returns how many different reasons there are among all. */
static size_t join_labels(struct text *labels, const struct doc *doc, const char *section,
	const char *reason, const struct sheet_detail *detail)
{
	size_t reasons = 0;

	for (size_t i = 0; quantity_at(i); i++) {
		const struct finding *f = row_of(doc, i, section, detail);

		if (!f || is_known(f))
			continue;
		reasons += !said_before(doc, i, f, detail);
		if (!reason || strcmp(reason, f->why_not) == 0)
			sheet_join(labels, "%s", title_of(doc, f->quantity));
	}
	return reasons;
}

static void add_unknown(struct sheet *sheet, const struct doc *doc, size_t row,
	const struct finding *f, const struct sheet_detail *detail)
{
	struct text labels = {0};
	struct text why = {0};
	char *s;

	if (said_before(doc, row, f, detail))
		return;
	join_labels(&labels, doc, f->quantity->section, f->why_not, detail);
	text_add(&why, "%s", f->why_not);
	s = text_take(&why);
	if (detail->why == WHY_CLAUSE)
		keep_clause(s);
	sheet_add(sheet, SHEET_UNKNOWN, text_chars(&labels), s, NULL, NULL);
	free(s);
	text_release(&labels);
}

/* One line for all unknown figures of a section where they have several reasons and no room. */
static bool add_count(struct sheet *sheet, const struct doc *doc, const char *section,
	const struct sheet_detail *detail)
{
	struct text labels = {0};
	struct text why = {0};
	size_t reasons = join_labels(&labels, doc, section, NULL, detail);

	text_add(&why, "for %zu reasons, which --json names", reasons);
	if (reasons > 1)
		sheet_add(sheet, SHEET_UNKNOWN, text_chars(&labels), text_chars(&why), NULL, NULL);
	text_release(&labels);
	text_release(&why);
	return reasons > 1;
}

static bool add_section(struct sheet *sheet, const struct doc *doc, const char *section,
	const struct sheet_detail *detail)
{
	size_t start = sheet->n;
	bool counted = false;

	for (size_t i = 0; quantity_at(i); i++) {
		const struct finding *f = row_of(doc, i, section, detail);

		if (!f)
			continue;
		if (sheet->n == start)
			sheet_add(sheet, SHEET_HEADING, section, NULL, NULL, NULL);
		if (is_known(f))
			add_figure(sheet, doc, f);
		else if (detail->why == WHY_COUNT && !counted)
			counted = add_count(sheet, doc, section, detail);
		if (!is_known(f) && !counted)
			add_unknown(sheet, doc, i, f, detail);
	}
	if (sheet->n == start && strcmp(section, quantity_find("queue.gain_2")->section) == 0 &&
		sheet_has_queue(doc))
		sheet_add(sheet, SHEET_HEADING, section, NULL, NULL, NULL);
	return sheet->n > start;
}

/* The picture that belongs under a section: that of the probe its quantities come from. */
static void add_chart(struct sheet *sheet, const struct doc *doc, const char *key,
	const struct sheet_detail *detail)
{
	if (text_starts(key, "zones.")) {
		sheet_add_curve(sheet, doc);
	} else if (text_starts(key, "rotation.")) {
		sheet_add_budget(sheet, doc);
		if (detail->bars)
			sheet_add_seek_curve(sheet, doc);
	} else if (text_starts(key, "cache.")) {
		sheet_add_queue(sheet, doc);
	}
	if (text_starts(key, "access.") && detail->bars)
		sheet_add_bars(sheet, doc);
}

void sheet_add_figures(struct sheet *sheet, const struct doc *doc,
	const struct sheet_detail *detail)
{
	const struct quantity *q;

	for (size_t i = 0; (q = quantity_at(i)); i++) {
		bool first = i == 0 || strcmp(quantity_at(i - 1)->section, q->section) != 0;

		if (first && add_section(sheet, doc, q->section, detail))
			add_chart(sheet, doc, q->key, detail);
	}
}
