/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One row a counter. Where each threshold comes from:
 *  G  Pinheiro, Weber, Barroso, "Failure Trends in a Large Disk Drive Population", FAST 2007: after
 *     the first reallocation 3 to 6 times, after the first scan error 39 times likelier to fail soon.
 *  R  Ma et al., "RAIDShield", FAST 2015: reallocated sectors tell whole-disk failures beforehand.
 *  B  Backblaze's statistics: 5, 187, 188, 197, 198 above 0 are worth a look.
 *  C  counts over 30,590 reports of enterprise disks: what is rare among drives in service. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "judge/judge_signs_inside.h"

struct count_rule {
	const char *key;
	const char *paths[4];
	unsigned protocols;
	double info, warn, reject; /* from this value on; 0: never */
	const char *one, *many;    /* behind the number */
	const char *why;
};

static const struct count_rule rules[] = {
	/* R, G; 10: a policy for drives about to join an array */
	{"sectors.reallocated", {"platter.reallocated_sectors"}, ON_ATA, 0, 1, 10,
		"sector was replaced by a spare one", "sectors were replaced by spare ones",
		"Drives that have begun to replace sectors fail several times as often as others; "
		"keep a copy elsewhere and watch whether the number grows."},
	/* C: 10 and more on few drives; 260 on a Cheetah that still served */
	{"sectors.grown_defects", {"scsi_grown_defect_list", "platter.reallocated_sectors"},
		ON_SCSI, 1, 10, 100,
		"sector went bad in use and was replaced", "sectors went bad in use and were replaced",
		"A few are normal in a long life; many, or a growing number, mean that the medium "
		"wears out."},
	/* B */
	{"errors.reported", {"platter.reported_uncorrect"}, ON_ATA, 0, 1, 0,
		"read failed for good in its life", "reads failed for good in its life",
		"Drives that never had one hardly ever fail; with one, the next is likelier."},
	/* C: 11 % of drives have one, so few say little */
	{"errors.timeouts", {"platter.command_timeouts"}, ON_ATA, 1, 100, 0,
		"command timed out", "commands timed out",
		"Cable, connector or power supply are the usual cause; look at these first."},
	{"errors.crc", {"platter.crc_errors"}, ON_ATA, 1, 0, 0,
		"transfer was damaged on the cable", "transfers were damaged on the cable",
		"It is the cable or connector, not the medium; it matters only if the number grows."},
	{"errors.read_uncorrected", {"scsi_error_counter_log.read.total_uncorrected_errors",
		"platter.uncorrected_read_errors"}, ON_SCSI, 0, 1, 11,
		"read could not be corrected", "reads could not be corrected",
		"Corrected errors are a drive's daily work, but these are data that were lost."},
	{"errors.write_uncorrected", {"scsi_error_counter_log.write.total_uncorrected_errors",
		"platter.uncorrected_write_errors"}, ON_SCSI, 0, 1, 0,
		"write could not be corrected", "writes could not be corrected",
		"The drive had no place left to put the data well, or lost its way on the surface."},
	{"errors.verify_uncorrected", {"scsi_error_counter_log.verify.total_uncorrected_errors"},
		ON_SCSI, 0, 1, 0,
		"check could not be corrected", "checks could not be corrected",
		"The drive found sectors that it cannot read when it checked itself."},
	{"errors.non_medium", {"platter.non_medium_errors"}, ON_SCSI, 1, 0, 0,
		"error had nothing to do with the medium", "errors had nothing to do with the medium",
		"Cabling, power or a controller that was reset; no sign of a bad surface."},
	{"errors.media", {"nvme_smart_health_information_log.media_errors"}, ON_NVME, 0, 1, 0,
		"access lost data or could not check them", "accesses lost data or could not check them",
		"The flash gave back what no correction could mend; keep a copy elsewhere."},
	{"errors.unsafe_shutdowns", {"nvme_smart_health_information_log.unsafe_shutdowns"},
		ON_NVME, 1, 0, 0,
		"time power went away unannounced", "times power went away unannounced",
		"No harm by itself; many tell of a power supply or a system that is cut off."},
	{"errors.log", {"nvme_smart_health_information_log.num_err_log_entries"}, ON_NVME, 1, 0, 0,
		"entry is in its error log", "entries are in its error log",
		"Many drives log commands that they do not know; harmless by itself."},
	{"errors.log", {"ata_smart_error_log.extended.count", "ata_smart_error_log.summary.count"},
		ON_ATA, 1, 0, 0,
		"error is in its log", "errors are in its log",
		"These may be commands that it did not know, or bad sectors met long ago."},
	{"wear", {"nvme_smart_health_information_log.percentage_used"}, ON_NVME, 0, 90, 0,
		"% of its written life is used", "% of its written life is used",
		"At 100 % the maker's promise is spent: it may go on for long, but nobody vouches "
		"for it; plan its replacement."},
	{"wear", {"platter.life_used_percent", "endurance_used.current_percent",
		"scsi_percentage_used_endurance_indicator"}, ON_ATA | ON_SCSI, 0, 90, 0,
		"% of its written life is used", "% of its written life is used",
		"At 100 % the maker's promise is spent: it may go on for long, but nobody vouches "
		"for it; plan its replacement."},
};

static bool only_for_flash(const struct count_rule *r)
{
	return strcmp(r->key, "wear") == 0;
}

static void judge_count(struct judging *j, const struct count_rule *r)
{
	double value = judge_told(j, r->paths);
	enum severity severity;

	if (only_for_flash(r) && j->rotates)
		return;
	if (isnan(value)) {
		if (!only_for_flash(r) || j->rotates_known)
			judge_not_told(j, r->key);
		return;
	}
	judge_made(j);
	if (r->reject > 0 && value >= r->reject)
		severity = SIGN_REJECT;
	else if (r->warn > 0 && value >= r->warn)
		severity = SIGN_WARN;
	else if (r->info > 0 && value >= r->info)
		severity = SIGN_INFO;
	else
		return;
	signs_add(j->signs, r->key, severity, r->why, "%.0f %s", value, value == 1 ? r->one : r->many);
}

/* Crucial's MX500 counts a pending sector now and then that never was. */
static bool pending_is_bogus(const struct judging *j)
{
	const char *model = judge_words(j, "model_name");

	if (!model[0])
		model = j->in->identity->model_name;
	return strstr(model, "MX500") != NULL;
}

static bool reads_passed(const struct judging *j)
{
	const struct doc *doc = j->in->measured;

	if (!doc || !doc->complete)
		return false;
	for (size_t i = 0; i < doc->events_n; i++)
		if (strcmp(doc->events[i].kind, "read_error") == 0)
			return false;
	return true;
}

/* Sectors that could not be read and are not replaced yet. */
static void judge_waiting(struct judging *j, const char *key, const char *const *paths,
	const char *one, const char *many)
{
	double value = judge_told(j, paths);
	bool again = value == 1 && reads_passed(j);
	enum severity severity = again || (j->rotates_known && !j->rotates) ? SIGN_WARN : SIGN_REJECT;

	if (isnan(value)) {
		judge_not_told(j, key);
		return;
	}
	judge_made(j);
	if (value < 1)
		return;
	if (pending_is_bogus(j))
		signs_add(j->signs, key, SIGN_INFO, "Drives of this family count such sectors "
			"that are none; it says nothing.", "%.0f %s", value, value == 1 ? one : many);
	else
		signs_add(j->signs, key, severity, again
			? "A single one may be a write that was cut off; run platter again and see "
			  "whether it went away."
			: "What these sectors held is lost, and drives with such sectors are many times "
			  "likelier to fail soon; take it out of arrays and keep a copy elsewhere.",
			"%.0f %s", value, value == 1 ? one : many);
}

void judge_counts(struct judging *j)
{
	static const char *const pending[] = {"platter.pending_sectors", NULL};
	static const char *const uncorrectable[] = {"platter.uncorrectable_sectors", NULL};
	static const char *const log_ata[] = {"ata_pending_defects_log.count", NULL};
	static const char *const log_scsi[] = {"scsi_pending_defects.count", NULL};

	if (j->protocol == ON_ATA) {
		judge_waiting(j, "sectors.pending", pending, "sector waits to be rewritten",
			"sectors wait to be rewritten");
		judge_waiting(j, "sectors.uncorrectable", uncorrectable,
			"sector could not be read when the drive checked itself",
			"sectors could not be read when the drive checked itself");
	}
	/* few drives keep such a list, so that its lack is not worth a word */
	if (!isnan(judge_told(j, j->protocol == ON_ATA ? log_ata : log_scsi)) &&
		j->protocol != ON_NVME)
		judge_waiting(j, "sectors.listed", j->protocol == ON_ATA ? log_ata : log_scsi,
			"sector is on the drive's list of unreadable ones",
			"sectors are on the drive's list of unreadable ones");
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (rules[i].protocols & j->protocol)
			judge_count(j, &rules[i]);
}
