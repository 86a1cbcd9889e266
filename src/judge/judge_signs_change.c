/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the drive counted before the probing and after it. A counter that moved while nothing but
 * reads went on says more than the same number standing still. */
#include <math.h>

#include "judge/judge_signs_inside.h"

#define RISE_C 10.0 /* warmer by that much is worth a word */

struct change_rule {
	const char *key, *path;
	enum severity severity;
	const char *what; /* behind "N more " */
	const char *why;
};

static const char lost[] = "The surface is going bad while it is looked at: copy what it holds and "
	"take it out of service.";
static const char cable[] = "Replace the cable and use another port, then probe again.";

static const struct change_rule rules[] = {
	{"change.reallocated", "platter.reallocated_sectors", SIGN_REJECT, "reallocated sectors", lost},
	{"change.grown_defects", "scsi_grown_defect_list", SIGN_REJECT, "grown defects", lost},
	{"change.pending", "platter.pending_sectors", SIGN_REJECT, "pending sectors", lost},
	{"change.uncorrectable", "platter.uncorrectable_sectors", SIGN_REJECT,
		"uncorrectable sectors", lost},
	{"change.reported", "platter.reported_uncorrect", SIGN_REJECT, "reads that failed for good",
		lost},
	{"change.read_uncorrected", "scsi_error_counter_log.read.total_uncorrected_errors",
		SIGN_REJECT, "reads that could not be corrected", lost},
	{"change.media", "nvme_smart_health_information_log.media_errors", SIGN_REJECT,
		"accesses that lost data", lost},
	{"change.crc", "platter.crc_errors", SIGN_WARN, "transfers damaged on the cable", cable},
	{"change.timeouts", "platter.command_timeouts", SIGN_WARN, "commands that timed out", cable},
	{"change.kernel_timeouts", "platter.io_timeouts", SIGN_REJECT,
		"requests that the kernel gave up", cable},
};

static void judge_temperature_rise(struct judging *j)
{
	double first = facts_number(j->in->smart, "temperature.current");
	double last = facts_number(j->in->smart_after, "temperature.current");

	if (isnan(first) || isnan(last))
		return;
	judge_made(j);
	if (last - first >= RISE_C)
		signs_add(j->signs, "change.temperature", SIGN_INFO,
			"Reading alone made it that much warmer; in longer work it will get hotter still.",
			"it got warmer by %.0f °C, to %.0f °C", last - first, last);
}

void judge_change(struct judging *j)
{
	if (!j->in->smart || !j->in->smart_after || !j->in->smart_after->n)
		return;
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		double first = facts_number(j->in->smart, rules[i].path);
		double last = facts_number(j->in->smart_after, rules[i].path);

		if (isnan(first) || isnan(last))
			continue;
		judge_made(j);
		if (last > first)
			signs_add(j->signs, rules[i].key, rules[i].severity, rules[i].why,
				"%.0f more %s after the probing than before (%.0f)", last - first,
				rules[i].what, last);
	}
	judge_temperature_rise(j);
}
