/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Our reading beside that of a second reader. Where it is known to be wrong (attribute 231 as temperature,
 * raw values with all bits set, units of hours it does not know, nothing at 0 hours or over 30 years,
 * old-age attributes left out of the verdict) the difference is its own and is not told. */
#include "smart/ata_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "smart/dump.h"
#include "smart/witness.h"

void ata_disagree(struct facts *facts, const char *source, const char *what, const char *ours,
	const char *theirs)
{
	size_t i = facts_length(facts, "platter.disagreements");

	facts_text(facts, source, FACT_OPEN, what, "platter.disagreements[%zu].what", i);
	facts_text(facts, source, FACT_OPEN, ours, "platter.disagreements[%zu].ours", i);
	facts_text(facts, source, FACT_OPEN, theirs, "platter.disagreements[%zu].theirs", i);
}

static void compare_hours(struct facts *facts, const struct witness_says *says,
	const struct ata_attributes *attributes, const struct ata_who *who)
{
	const struct ata_attribute *a = ata_attribute_find(attributes, 9);
	uint64_t minutes;
	char ours[40], theirs[40];
	double hours;

	if (!a || !says->hours_told || !ata_power_on_minutes(&minutes, a, who) ||
		ata_hours_unit(a, who) != ATA_HOURS)
		return;
	hours = (double)minutes / 60;
	if (fabs(hours - says->hours) <= 1 + hours / 100)
		return;
	snprintf(ours, sizeof(ours), "%.0f h", hours);
	snprintf(theirs, sizeof(theirs), "%.0f h (%s)", says->hours, witness_name);
	ata_disagree(facts, witness_name, "power-on time", ours, theirs);
}

static void compare_temperature(struct facts *facts, const struct witness_says *says,
	const struct ata_attributes *attributes, const struct ata_who *who)
{
	struct ata_temperature t;
	char ours[40], theirs[40];
	int last = 0;
	bool told = false;

	if (!says->celsius_told || ata_attribute_find(attributes, 231))
		return;
	for (unsigned id = 190; id <= 194; id += 4) {
		const struct ata_attribute *a = ata_attribute_find(attributes, (uint8_t)id);

		if (a && ata_means_other(who, (uint8_t)id))
			return;
		if (!a || !ata_temperature(&t, a, who))
			continue;
		if (fabs(t.current - says->celsius) < 1.5)
			return;
		told = true;
		last = t.current;
	}
	if (!told)
		return;
	snprintf(ours, sizeof(ours), "%d °C", last);
	snprintf(theirs, sizeof(theirs), "%.0f °C (%s)", says->celsius, witness_name);
	ata_disagree(facts, witness_name, "temperature", ours, theirs);
}

/* *sum grows by what counts of it; false: this attribute's raw value is not a count. */
static bool add_count(uint64_t *sum, const struct ata_attributes *attributes, uint8_t id,
	const struct ata_who *who)
{
	const struct ata_attribute *a = ata_attribute_find(attributes, id);
	uint64_t count;

	if (!a)
		return true;
	if (!ata_count(&count, a, who))
		return false;
	*sum += count;
	return true;
}

static void compare_bad(struct facts *facts, const struct witness_says *says,
	const struct ata_attributes *attributes, const struct ata_who *who)
{
	char ours[40], theirs[40];
	uint64_t sum = 0;

	if (!says->bad_told || !add_count(&sum, attributes, 5, who) ||
		!add_count(&sum, attributes, 197, who) || sum == says->bad)
		return;
	snprintf(ours, sizeof(ours), "%llu", (unsigned long long)sum);
	snprintf(theirs, sizeof(theirs), "%llu (%s)", (unsigned long long)says->bad, witness_name);
	ata_disagree(facts, witness_name, "reallocated and pending sectors", ours, theirs);
}

/* Its bad verdicts only, and those for which nothing here speaks. */
static void compare_verdict(struct facts *facts, const struct witness_says *says,
	const struct ata_attributes *attributes)
{
	enum ata_failed worst = ATA_NEVER_FAILED, failed;

	if (!says->overall)
		return;
	for (size_t i = 0; i < attributes->n; i++) {
		failed = ata_attribute_failed(&attributes->list[i]);
		if (failed > worst)
			worst = failed;
	}
	if ((strcmp(says->overall, "BAD_STATUS") == 0 &&
		    facts_is(facts, "smart_status.passed") == 1) ||
		(strcmp(says->overall, "BAD_ATTRIBUTE_NOW") == 0 && worst != ATA_FAILED_NOW) ||
		(strcmp(says->overall, "BAD_ATTRIBUTE_IN_THE_PAST") == 0 &&
			worst == ATA_NEVER_FAILED))
		ata_disagree(facts, witness_name, "verdict", "no attribute at its threshold",
			says->overall);
}

static void put_sayings(struct facts *facts, const struct witness_says *says)
{
	if (says->overall)
		facts_text(facts, witness_name, FACT_OPEN, says->overall, "platter.%s.overall",
			witness_name);
	if (says->hours_told)
		facts_real(facts, witness_name, says->hours, "platter.%s.power_on_hours",
			witness_name);
	if (says->celsius_told)
		facts_real(facts, witness_name, says->celsius, "platter.%s.temperature",
			witness_name);
	if (says->bad_told)
		facts_integer(facts, witness_name, (int64_t)(says->bad & INT64_MAX),
			"platter.%s.bad_sectors", witness_name);
}

void ata_witness_read(struct facts *facts, const struct pages *pages,
	const struct ata_attributes *attributes, const struct ata_who *who)
{
	struct witness_says says;
	struct text dump = {0};

	if (!attributes->n || !ata_identify(pages))
		return;
	dump_write_atasmart(&dump, pages);
	if (witness_ask(&says, text_chars(&dump), dump.length)) {
		put_sayings(facts, &says);
		compare_hours(facts, &says, attributes, who);
		compare_temperature(facts, &says, attributes, who);
		compare_bad(facts, &says, attributes, who);
		compare_verdict(facts, &says, attributes);
	}
	text_release(&dump);
}
