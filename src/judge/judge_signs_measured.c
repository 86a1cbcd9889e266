/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the reads themselves showed. A drive that is slow without saying why ("fail-slow") drags an
 * array down as surely as one that fails: Hao et al., "The Tail at Store", FAST 2016; Lu et al.,
 * "Perseus", FAST 2023. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "judge/judge_signs_inside.h"

#define SLOW_S        1.0
#define GIVING_UP_S   7.0  /* as long as a disk for arrays tries before it gives up */
#define TAIL_RATIO    10.0
#define RPM_TOLERANCE 0.03
#define SLOW_ZONE     0.5  /* of what is beside it */
#define BESIDE        3u   /* places on each side */

static size_t count_events(const struct doc *doc, const char *kind, const struct event **longest)
{
	size_t n = 0;

	*longest = NULL;
	for (size_t i = 0; i < doc->events_n; i++) {
		if (strcmp(doc->events[i].kind, kind) != 0)
			continue;
		if (!*longest || doc->events[i].took_s > (*longest)->took_s)
			*longest = &doc->events[i];
		n++;
	}
	return n;
}

static void judge_reads(struct judging *j, const struct doc *doc)
{
	uint32_t block = j->in->identity->logical_block_bytes;
	const struct event *one;
	size_t n = count_events(doc, "read_error", &one);

	judge_made(j);
	if (n)
		signs_add(j->signs, "reads.failed", SIGN_REJECT,
			"What stood there is lost, and more will follow; copy the rest and take the "
			"drive out of service.",
			"%zu read%s failed, the first at %s %llu", n, n == 1 ? "" : "s",
			block ? "LBA" : "byte",
			(unsigned long long)(block ? one->offset / block : one->offset));
	if (count_events(doc, "no_answer", &one))
		signs_add(j->signs, "reads.no_answer", SIGN_REJECT,
			"A drive that hangs takes the system with it; look at cable and power, then "
			"replace it.", "a read got no answer");
	if (count_events(doc, "drive_gone", &one))
		signs_add(j->signs, "reads.gone", SIGN_REJECT,
			"If nobody unplugged it, look at cable, power and enclosure, then replace it.",
			"the drive went away while it was read");
}

static void judge_slow(struct judging *j, const struct doc *doc)
{
	const struct event *longest;
	size_t n = count_events(doc, "slow_read", &longest);

	judge_made(j);
	if (n && longest->took_s > SLOW_S)
		signs_add(j->signs, "reads.slow",
			longest->took_s > GIVING_UP_S ? SIGN_REJECT : SIGN_WARN,
			"It tried again and again to get at a sector that is going bad, or something "
			"else used the drive.",
			"a single read took %.1f s (%zu slow read%s in all)", longest->took_s, n,
			n == 1 ? "" : "s");
}

/* Rare reads against usual ones, as far as the intervals of both tell. */
static void judge_tail(struct judging *j, const struct doc *doc)
{
	const struct finding *usual = doc_find(doc, "access.p50_s");
	const struct finding *rare = doc_find(doc, "access.p999_s");

	if (!usual || usual->how == HOW_UNKNOWN || !rare || rare->how == HOW_UNKNOWN ||
		isnan(rare->low) || isnan(usual->high)) {
		signs_unmade(j->signs, "reads.tail", "%s",
			"How long the slowest of a thousand random reads takes was not measured.");
		return;
	}
	judge_made(j);
	if (rare->low > TAIL_RATIO * usual->high)
		signs_add(j->signs, "reads.tail", SIGN_WARN,
			"Some reads wait far longer than others, as those of a drive do that retries, "
			"or of one that something else uses.",
			"one read of a thousand takes %.0f ms or longer, half of them %.1f ms or less",
			rare->value * 1e3, usual->value * 1e3);
}

static void judge_rpm(struct judging *j, const struct doc *doc)
{
	double measured = doc_value(doc, "rotation.rpm");
	double reported = doc_value(doc, "rotation.reported_rpm");

	if (isnan(reported))
		reported = judge_number(j, "rotation_rate");
	if (isnan(measured) || !(reported > 1))
		return;
	judge_made(j);
	if (fabs(measured / reported - 1) > RPM_TOLERANCE)
		signs_add(j->signs, "rotation.label", SIGN_INFO,
			"Some makers print a \"class\" of speed instead of the speed; it is no fault.",
			"it turns at %.0f rpm and reports %.0f", measured, reported);
}

static void judge_shingles(struct judging *j, const struct doc *doc)
{
	const struct finding *f = doc_find(doc, "class.smr_suspect");

	if (!f || f->how == HOW_UNKNOWN)
		return;
	judge_made(j);
	if (f->value == 1)
		signs_add(j->signs, "recording.seen", SIGN_WARN,
			"Shingled disks become very slow after long writing, and arrays may throw them "
			"out.", "places answer as those of a shingled (SMR) disk do");
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The median rate of the places beside row i; NAN where there are too few. */
static double beside(const struct series *s, size_t i)
{
	double rates[2 * BESIDE];
	size_t n = 0;

	for (size_t k = i > BESIDE ? i - BESIDE : 0; k <= i + BESIDE && k < s->rows; k++)
		if (k != i && isfinite(s->values[k * s->columns + 1]))
			rates[n++] = s->values[k * s->columns + 1];
	if (n < BESIDE)
		return NAN;
	qsort(rates, n, sizeof(rates[0]), by_value);
	return n % 2 ? rates[n / 2] : (rates[n / 2 - 1] + rates[n / 2]) / 2;
}

/* Columns: offset, rate, low, high. What turns has no reason to be slow at one place only. */
static void judge_zones(struct judging *j, const struct doc *doc)
{
	const struct series *s = doc_find_series(doc, "zones.rate");
	const struct finding *kind = doc_find(doc, "class.kind");
	double at = NAN, rate = 0, usual = 0;
	size_t slow = 0;

	if (!s || s->columns < 4 || !kind || !kind->text ||
		strcmp(kind->text, "single_spindle") != 0)
		return;
	judge_made(j);
	for (size_t i = 0; i < s->rows; i++) {
		const double *row = s->values + i * s->columns;
		double there = beside(s, i);

		if (!(row[3] < SLOW_ZONE * there))
			continue;
		if (slow++ == 0) {
			at = row[0];
			rate = row[1];
			usual = there;
		}
	}
	if (slow)
		signs_add(j->signs, "zones.slow", SIGN_WARN,
			"Something retries there, or another program used the drive just then; probe "
			"again, and if it stays, replace the drive.",
			"%zu place%s less than half as fast as beside it, the first at %.0f GB: %.0f "
			"instead of %.0f MB/s", slow, slow == 1 ? " is" : "s are", at / 1e9, rate / 1e6,
			usual / 1e6);
}

void judge_measured(struct judging *j)
{
	const struct doc *doc = j->in->measured;
	const struct event *e;

	if (!doc)
		return;
	judge_reads(j, doc);
	judge_slow(j, doc);
	judge_tail(j, doc);
	judge_rpm(j, doc);
	judge_shingles(j, doc);
	if (count_events(doc, "foreign_load", &e))
		signs_unmade(j->signs, "zones.slow", "%s",
			"Something else used the drive, so slow places say nothing.");
	else
		judge_zones(j, doc);
}
