/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What wears or leaks, read from attributes that no standard names: the normalised value where its
 * meaning is common knowledge, raw counts where all makers count the same. Heads: data sheets rate
 * disks for 300,000 loads (small ones) or 600,000 (most). Heat: disks are meant to work up to 60 °C,
 * flash up to 70 °C. */
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "judge/judge_signs_inside.h"

#define LOADS_LOW   300000.0
#define LOADS_HIGH  600000.0
#define DISK_C      60.0
#define FLASH_C     70.0
#define MUCH_C      10.0
#define HOTTEST_C   120.0 /* above that, it is no temperature */
#define COUNT_MOST  4294967295.0 /* more is packed with something else */

double judge_attribute(const struct judging *j, unsigned id, const char *part)
{
	const struct facts *f = judge_latest(j);
	size_t n = facts_length(f, "ata_smart_attributes.table");
	char path[FACT_PATH_MAX];

	for (size_t i = 0; i < n; i++) {
		snprintf(path, sizeof(path), "ata_smart_attributes.table[%zu].id", i);
		if (facts_number(f, path) != id)
			continue;
		snprintf(path, sizeof(path), "ata_smart_attributes.table[%zu].%s", i, part);
		return facts_number(f, path);
	}
	return NAN;
}

double judge_raw_count(const struct judging *j, unsigned id)
{
	double raw = judge_attribute(j, id, "raw.value");

	return raw >= 0 && raw < COUNT_MOST ? raw : NAN;
}

double judge_head_loads(const struct judging *j)
{
	double loads = judge_number(j, "platter.head_loads");

	if (isnan(loads))
		loads = judge_number(j, "scsi_start_stop_cycle_counter.accumulated_load_unload_cycles");
	if (isnan(loads) && !judge_is_flash(j))
		loads = judge_raw_count(j, 193);
	return loads;
}

bool judge_is_flash(const struct judging *j)
{
	return j->rotates_known && !j->rotates;
}

/* 22: helium left, 100 when new. */
static void judge_helium(struct judging *j)
{
	double value = judge_attribute(j, 22, "value"), limit = judge_attribute(j, 22, "thresh");

	if (isnan(value) || value < 1 || value > 253)
		return;
	judge_made(j);
	if (limit > 0 && value <= limit)
		signs_add(j->signs, "helium", SIGN_REJECT,
			"Without its gas the heads touch the surface: copy what it holds and take it "
			"out of service.", "its helium is at %.0f, the drive's limit is %.0f", value,
			limit);
	else if (value < 100)
		signs_add(j->signs, "helium", SIGN_WARN,
			"A sealed drive loses none; it leaks, so keep a copy elsewhere and watch "
			"whether it falls further.", "its helium is at %.0f, of 100 when new", value);
}

/* 184: what left the drive's memory is not what came in. One old controller for flash counts
 * something else there. */
static void judge_end_to_end(struct judging *j)
{
	double count = judge_raw_count(j, 184);
	const char *model = judge_words(j, "model_name");

	if (isnan(count) || (judge_is_flash(j) && !text_starts(model, "INTEL")))
		return;
	judge_made(j);
	if (count >= 1)
		signs_add(j->signs, "errors.end_to_end", SIGN_WARN,
			"Its own memory or electronics damage data on the way; do not trust it with "
			"any.", "%.0f end-to-end error%s (attribute 184)", count,
			count == 1 ? "" : "s");
}

static void judge_loads(struct judging *j)
{
	double loads = judge_head_loads(j), rated = judge_number(j,
		"scsi_start_stop_cycle_counter.specified_load_unload_count_over_device_lifetime");

	if (isnan(loads) || judge_is_flash(j))
		return;
	judge_made(j);
	if (rated > 0 ? loads <= rated : loads <= LOADS_LOW)
		return;
	if (rated > 0)
		signs_add(j->signs, "heads.loads", SIGN_WARN,
			"Its heads parked more often than they were made for; keep a copy elsewhere.",
			"its heads were loaded %.0f times, it is rated for %.0f", loads, rated);
	else
		signs_add(j->signs, "heads.loads", loads > LOADS_HIGH ? SIGN_WARN : SIGN_INFO,
			"Parking wears the heads: see the data sheet, and look whether something "
			"makes the disk park every few seconds.",
			"its heads were loaded %.0f times; disks are rated for 300,000 or 600,000",
			loads);
}

static void judge_warmest_ever(struct judging *j)
{
	double most = judge_number(j, "temperature.lifetime_max");
	double limit = judge_is_flash(j) ? FLASH_C : DISK_C;

	if (isnan(most) || most > HOTTEST_C)
		return;
	judge_made(j);
	if (most > limit)
		signs_add(j->signs, "temperature.ever", most > limit + MUCH_C ? SIGN_WARN : SIGN_INFO,
			"It was once hotter than such drives are meant for; look at its cooling.",
			"it was at %.0f °C once, above %.0f °C", most, limit);
}

void judge_wear(struct judging *j)
{
	if (j->protocol == ON_ATA) {
		judge_helium(j);
		judge_end_to_end(j);
	}
	if (j->protocol == ON_NVME)
		return;
	judge_loads(j);
	judge_warmest_ever(j);
}
