/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long it ran, and whether that can be true: used drives have been sold with their counters set
 * back, and what other counters say does not fit then. */
#include <math.h>

#include "judge/judge_signs_inside.h"

#define FIVE_YEARS_H   43800.0
#define RESET_H        100.0 /* two counters of one drive differ by less */
#define HOURS_PER_YEAR 8766.0
#define FASTEST_BYTES_PER_S 600e6 /* what SATA carries at most; no disk is faster on average */
#define MOVED_LEAST_BYTES   1e12  /* below that, little was moved to compare */

static void judge_hours(struct judging *j, double hours)
{
	judge_made(j);
	signs_add(j->signs, "hours", hours > FIVE_YEARS_H ? SIGN_WARN : SIGN_INFO,
		hours > FIVE_YEARS_H ? "Most drives are meant for five years; from then on, expect "
			"wear and keep a spare."
		: "A drive sold as new should have next to none.",
		"it ran for %.0f hour%s (%.1f years)", hours, hours == 1 ? "" : "s",
		hours / HOURS_PER_YEAR);
}

/* Seagate's field log keeps hours of its own. */
static void judge_reset(struct judging *j, double hours)
{
	double farm = judge_number(j, "platter.farm_power_on_hours");
	double flying = judge_number(j, "platter.head_flying_hours");

	if (!isnan(farm)) {
		judge_made(j);
		if (farm > hours + RESET_H)
			signs_add(j->signs, "hours.reset", SIGN_REJECT,
				"Such drives were used and sold as new: give it back.",
				"its log says %.0f hours, SMART %.0f: the counter was set back", farm,
				hours);
	}
	if (!isnan(flying)) {
		judge_made(j);
		if (flying > hours + RESET_H)
			signs_add(j->signs, "hours.heads", SIGN_WARN,
				"One of the counters was set back or is counted in another unit; do not "
				"trust its age.",
				"its heads flew for %.0f hours, but it ran for %.0f", flying, hours);
	}
}

static void judge_work(struct judging *j, double hours)
{
	static const char *const read[] = {"platter.bytes_read", NULL};
	static const char *const written[] = {"platter.bytes_written", NULL};
	double moved = judge_told(j, read), out = judge_told(j, written);

	if (isnan(moved) && isnan(out))
		return;
	moved = (isnan(moved) ? 0 : moved) + (isnan(out) ? 0 : out);
	judge_made(j);
	if (moved < MOVED_LEAST_BYTES || !j->rotates)
		return;
	if (moved > (hours + 1) * 3600 * FASTEST_BYTES_PER_S)
		signs_add(j->signs, "hours.moved", SIGN_WARN,
			"No disk is that fast: the hours were set back or are counted in another unit.",
			"%.0f TB were moved in %.0f hours", moved / 1e12, hours);
	else if (hours >= HOURS_PER_YEAR / 12)
		signs_add(j->signs, "workload", SIGN_INFO,
			"Makers state how many TB a year a disk is meant for: 55 for a desktop, 180 "
			"for a small store, 550 for a server.",
			"%.0f TB a year were read and written", moved / 1e12 / hours * HOURS_PER_YEAR);
}

void judge_age(struct judging *j)
{
	double hours = judge_number(j, "power_on_time.hours");

	if (isnan(hours)) {
		judge_not_told(j, "hours");
		return;
	}
	judge_hours(j, hours);
	judge_reset(j, hours);
	judge_work(j, hours);
}
