/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long it ran, and whether that can be true: used drives have been sold with their counters set
 * back, and what other counters say does not fit then. */
#include <math.h>

#include "judge/judge_signs_inside.h"

#define FIVE_YEARS_H   43800.0
#define RESET_H        100.0 /* two counters of one drive differ by less */
#define HOURS_PER_YEAR 8766.0
#define MOVED_LEAST_BYTES   1e12  /* below that, little was moved to compare */
/* No drive does so much in an hour, each hour: starting takes longer, and so does parking. */
#define STARTS_A_HOUR 60.0
#define LOADS_A_HOUR  1200.0
#define STARTS_LEAST  200.0
#define LOADS_LEAST   5000.0

static void judge_hours(struct judging *j, double hours, bool doubtful)
{
	judge_made(j);
	signs_add(j->signs, "hours", hours > FIVE_YEARS_H ? SIGN_WARN : SIGN_INFO,
		hours > FIVE_YEARS_H ? "Most drives are meant for five years; from then on, expect "
			"wear and keep a spare."
		: doubtful ? "Other counters contradict it: do not take it for its age."
		: "A drive sold as new should have next to none.",
		"it ran for %.0f hour%s (%.1f years)", hours, hours == 1 ? "" : "s",
		hours / HOURS_PER_YEAR);
}

/* Seagate's field log keeps hours of its own. */
static bool judge_reset(struct judging *j, double hours)
{
	bool doubtful = false;

	double farm = judge_number(j, "platter.farm_power_on_hours");
	double flying = judge_number(j, "platter.head_flying_hours");

	if (!isnan(farm)) {
		judge_made(j);
		if (farm > hours + RESET_H) {
			doubtful = true;
			signs_add(j->signs, "hours.reset", SIGN_REJECT,
				"Such drives were used and sold as new: give it back.",
				"its log says %.0f hours, SMART %.0f: the counter was set back", farm,
				hours);
		}
	}
	if (!isnan(flying)) {
		judge_made(j);
		if (flying > hours + RESET_H) {
			doubtful = true;
			signs_add(j->signs, "hours.heads", SIGN_WARN,
				"One of the counters was set back or is counted in another unit; do not "
				"trust its age.",
				"its heads flew for %.0f hours, but it ran for %.0f", flying, hours);
		}
	}
	return doubtful;
}

/* How often it was started, and its heads loaded, in that time. */
static bool judge_cycles(struct judging *j, double hours)
{
	const struct {
		double count, least, an_hour;
		const char *what;
	} rows[] = {
		{judge_number(j, "power_cycle_count"), STARTS_LEAST, STARTS_A_HOUR, "power cycles"},
		{judge_is_flash(j) || j->protocol != ON_ATA ? NAN : judge_raw_count(j, 4),
			STARTS_LEAST, STARTS_A_HOUR, "starts"},
		{judge_is_flash(j) ? NAN : judge_head_loads(j), LOADS_LEAST, LOADS_A_HOUR, "head loads"},
	};
	bool told = false;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (isnan(rows[i].count))
			continue;
		if (!told)
			judge_made(j);
		told = true;
		if (rows[i].count < rows[i].least || rows[i].count <= (hours + 1) * rows[i].an_hour)
			continue;
		signs_add(j->signs, "hours.cycles", SIGN_WARN,
			"The hours were set back or are counted in another unit; do not trust its age.",
			"its hours do not fit: %.0f %s in %.0f hour%s", rows[i].count, rows[i].what,
			hours, hours == 1 ? "" : "s");
		return true;
	}
	return false;
}

/* What its interface carries at most; a disk's surface is slower than any of them. */
static double fastest_bytes_per_s(const struct judging *j)
{
	if (j->protocol == ON_NVME)
		return 16e9; /* PCIe 5.0, four lanes */
	return j->protocol == ON_SCSI && !j->rotates ? 2.4e9 : 600e6; /* SAS-4, SATA 3 */
}

static bool judge_work(struct judging *j, double hours)
{
	static const char *const read[] = {"platter.bytes_read", NULL};
	static const char *const written[] = {"platter.bytes_written", NULL};
	double moved = judge_told(j, read), out = judge_told(j, written);

	if (isnan(moved) && isnan(out))
		return false;
	moved = (isnan(moved) ? 0 : moved) + (isnan(out) ? 0 : out);
	judge_made(j);
	if (moved < MOVED_LEAST_BYTES)
		return false;
	if (moved > (hours + 1) * 3600 * fastest_bytes_per_s(j)) {
		signs_add(j->signs, "hours.moved", SIGN_WARN,
			"No drive is that fast: the hours were set back or are counted in another unit.",
			"its hours do not fit: %.0f TB were moved in %.0f hour%s", moved / 1e12, hours,
			hours == 1 ? "" : "s");
		return true;
	}
	if (j->rotates && hours >= HOURS_PER_YEAR / 12)
		signs_add(j->signs, "workload", SIGN_INFO,
			"Makers state how many TB a year a disk is meant for: 55 for a desktop, 180 "
			"for a small store, 550 for a server.",
			"%.0f TB a year were read and written", moved / 1e12 / hours * HOURS_PER_YEAR);
	return false;
}

void judge_age(struct judging *j)
{
	double hours = judge_number(j, "power_on_time.hours");
	bool doubtful;

	if (isnan(hours)) {
		judge_not_told(j, "hours");
		return;
	}
	doubtful = judge_reset(j, hours);
	doubtful |= judge_cycles(j, hours);
	doubtful |= judge_work(j, hours);
	judge_hours(j, hours, doubtful);
}
