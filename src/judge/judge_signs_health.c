/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the drive says of itself as a whole: its verdict, attributes at their thresholds, warnings,
 * temperature. A verdict of "passed" is worth little: of 30,590 disks, 58 said they had failed while
 * 3,308 said "passed" with sectors lost or reads failed. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "judge/judge_signs_inside.h"

#define LOG "nvme_smart_health_information_log."

/* From this many degrees on, in °C; few disks in service are warmer than 50 (1 %) or 60 (0.1 %). */
#define WARM_C 50.0
#define HOT_C  60.0

static const char failing_why[] = "The drive itself expects to fail soon; copy what it holds and "
	"take it out of service.";

/* SPC-4, annex D: ASC 5Dh is a failure predicted, 0Bh a warning (01h: temperature). */
static void status_of_scsi(struct judging *j)
{
	double asc = judge_number(j, "smart_status.scsi.asc");
	double ascq = judge_number(j, "smart_status.scsi.ascq");
	const char *words = judge_words(j, "smart_status.scsi.ie_string");

	if (asc == 0x5D)
		signs_add(j->signs, "smart.failed", SIGN_REJECT, failing_why,
			"the drive predicts its failure: %s (5Dh/%02Xh)", words[0] ? words : "no reason told",
			(unsigned)(ascq >= 0 ? ascq : 0));
	else if (asc == 0x0B)
		signs_add(j->signs, "smart.warning", SIGN_WARN,
			"The drive itself warns; look at its temperature, power and cooling first.",
			"the drive warns: %s (0Bh/%02Xh)", words[0] ? words : "no reason told",
			(unsigned)(ascq >= 0 ? ascq : 0));
}

static void judge_status(struct judging *j)
{
	int passed = judge_flag(j, "smart_status.passed");
	bool sense = j->protocol == ON_SCSI && !isnan(judge_number(j, "smart_status.scsi.asc"));

	if (passed < 0 && !sense) {
		judge_not_told(j, "smart.failed");
		return;
	}
	judge_made(j);
	if (sense)
		status_of_scsi(j);
	if (passed == 0 && !(sense && judge_number(j, "smart_status.scsi.asc") > 0))
		signs_add(j->signs, "smart.failed", SIGN_REJECT, failing_why,
			"the drive's own verdict is FAILED");
}

/* NVM Express Base 1.4, figure 194: critical warning. */
static void judge_nvme_warnings(struct judging *j)
{
	double bits = judge_number(j, LOG "critical_warning");
	double spare = judge_number(j, LOG "available_spare");
	double least = judge_number(j, LOG "available_spare_threshold");
	bool spent = judge_number(j, LOG "percentage_used") >= 100 && !(spare <= least);
	unsigned warning = bits >= 0 && bits < 256 ? (unsigned)bits : 0;

	if (isnan(bits)) {
		judge_not_told(j, "smart.failed");
		return;
	}
	judge_made(j);
	if (warning & 1 || spare < least)
		signs_add(j->signs, "nvme.spare", SIGN_REJECT,
			"Blocks that wear out can no longer be replaced; copy what it holds.",
			"%.0f %% of the spare blocks are left, below the drive's limit of %.0f %%",
			spare >= 0 ? spare : 0, least >= 0 ? least : 0);
	if (warning & 2)
		signs_add(j->signs, "nvme.temperature", SIGN_WARN,
			"It slows itself down or stops when it gets too hot; look at its cooling.",
			"the drive warns of its temperature");
	if (warning & 4 && spent)
		signs_add(j->signs, "nvme.reliability", SIGN_WARN,
			"It warns because its written life is spent, not because of errors.",
			"the drive warns that its reliability is degraded");
	else if (warning & 4)
		signs_add(j->signs, "nvme.reliability", SIGN_REJECT, failing_why,
			"the drive warns that its reliability is degraded");
	if (warning & 8)
		signs_add(j->signs, "nvme.read_only", SIGN_REJECT,
			"It takes no writes any more; copy what it holds.",
			"the drive has made itself read-only");
	if (warning & 16)
		signs_add(j->signs, "nvme.backup_power", SIGN_REJECT,
			"What it says is written may be lost when power goes away.",
			"the power backup of its memory has failed");
	if (warning & 32)
		signs_add(j->signs, "nvme.persistent_memory", SIGN_WARN,
			"Its persistent memory region can no longer be relied on.",
			"its persistent memory is read-only or unreliable");
}

/* One state of the attributes: "now" or "past", of failures foreseen or of mere wear. */
struct reached {
	struct text names;
	unsigned n;
};

static void reached_add(struct reached *r, const struct facts *f, size_t i)
{
	char path[FACT_PATH_MAX];
	const char *name;

	if (r->n++ >= 3)
		return;
	snprintf(path, sizeof(path), "ata_smart_attributes.table[%zu].name", i);
	name = facts_words(f, path);
	snprintf(path, sizeof(path), "ata_smart_attributes.table[%zu].id", i);
	text_add(&r->names, "%s%.0f %s", r->n > 1 ? ", " : "", facts_number(f, path), name);
}

static void reached_tell(struct judging *j, struct reached *r, const char *key,
	enum severity severity, const char *when, const char *why)
{
	if (r->n)
		signs_add(j->signs, key, severity, why, "%s: %s%s", when, text_chars(&r->names),
			r->n > 3 ? ", …" : "");
	text_release(&r->names);
}

/* Their normalised values fall as it gets warmer, and rise again. */
static bool of_heat(const struct facts *f, size_t i)
{
	char path[FACT_PATH_MAX];
	double id;

	snprintf(path, sizeof(path), "ata_smart_attributes.table[%zu].id", i);
	id = facts_number(f, path);
	return id == 190 || id == 194;
}

static void judge_attributes(struct judging *j)
{
	const struct facts *f = judge_latest(j);
	size_t n = facts_length(f, "ata_smart_attributes.table");
	struct reached failing = {0}, worn = {0}, hot = {0}, past = {0};
	char path[FACT_PATH_MAX];

	if (!n) {
		judge_not_told(j, "attributes");
		return;
	}
	judge_made(j);
	for (size_t i = 0; i < n; i++) {
		const char *when;

		snprintf(path, sizeof(path), "ata_smart_attributes.table[%zu].when_failed", i);
		when = facts_words(f, path);
		snprintf(path, sizeof(path), "ata_smart_attributes.table[%zu].flags.prefailure", i);
		if (strcmp(when, "now") == 0 && of_heat(f, i))
			reached_add(&hot, f, i);
		else if (strcmp(when, "now") == 0)
			reached_add(facts_is(f, path) == 1 ? &failing : &worn, f, i);
		else if (strcmp(when, "past") == 0)
			reached_add(&past, f, i);
	}
	reached_tell(j, &failing, "attributes.failing", SIGN_REJECT,
		"attributes at or below the limit that foretells failure", failing_why);
	reached_tell(j, &worn, "attributes.worn", SIGN_WARN, "attributes at or below the limit for wear",
		"The drive is at the end of the life that its maker meant it to have.");
	reached_tell(j, &hot, "attributes.hot", SIGN_WARN, "temperature at or past the drive's limit",
		"It is hot now, which is no wear; look at its cooling.");
	reached_tell(j, &past, "attributes.past", SIGN_WARN, "attributes below their limit at some time",
		"It got better, but something was wrong once: heat, a fall, or a bad cable.");
}

static void temperature_sign(struct judging *j, enum severity severity, double now, double limit,
	const char *whose)
{
	signs_add(j->signs, "temperature", severity,
		"Heat shortens its life and may make it slow; look at its cooling.",
		"%.0f °C, %s %.0f °C", now, whose, limit);
}

/* The warmest it was while somebody looked. */
static double warmest(const struct judging *j)
{
	double first = j->in->smart ? facts_number(j->in->smart, "temperature.current") : NAN;

	return fmax(first, judge_number(j, "temperature.current"));
}

static void judge_temperature(struct judging *j)
{
	double now = warmest(j), trip = judge_number(j, "temperature.drive_trip");
	double warm = WARM_C, hot = HOT_C;
	bool own = j->protocol == ON_NVME;

	if (own) {
		warm = judge_number(j, "nvme_composite_temperature_threshold.warning");
		hot = judge_number(j, "nvme_composite_temperature_threshold.critical");
	}
	if (isnan(now) || (own && isnan(warm) && isnan(hot))) {
		judge_not_told(j, "temperature");
		return;
	}
	judge_made(j);
	if (trip > 0 && now >= trip)
		temperature_sign(j, SIGN_REJECT, now, trip, "at or above the drive's own limit of");
	else if (own ? now >= hot : now > hot)
		temperature_sign(j, SIGN_REJECT, now, hot,
			own ? "at or above the drive's critical" : "above");
	else if (own ? now >= warm : now > warm)
		temperature_sign(j, SIGN_WARN, now, warm,
			own ? "at or above the drive's limit of" : "above");
}

void judge_health(struct judging *j)
{
	if (j->protocol == ON_NVME)
		judge_nvme_warnings(j);
	else
		judge_status(j);
	if (j->protocol == ON_ATA)
		judge_attributes(j);
	judge_temperature(j);
}
