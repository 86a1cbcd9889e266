/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each rule looks at what was told, and either was made (with or without a sign) or is counted with
 * the reason why it could not be. Rules that have no meaning for the kind of drive are not counted.
 * What the drive said last decides; what it said first is only compared with that. */
#include "judge/judge_signs.h"

#include <math.h>
#include <string.h>

#include "judge/judge_signs_inside.h"

static const struct facts nothing;

static const struct facts *before(const struct judging *j)
{
	return j->in->smart ? j->in->smart : &nothing;
}

const struct facts *judge_latest(const struct judging *j)
{
	return j->in->smart_after && j->in->smart_after->n ? j->in->smart_after : before(j);
}

double judge_number(const struct judging *j, const char *path)
{
	double value = facts_number(judge_latest(j), path);

	return isnan(value) ? facts_number(before(j), path) : value;
}

double judge_told(const struct judging *j, const char *const *paths)
{
	double value = NAN;

	for (; *paths && isnan(value); paths++)
		value = judge_number(j, *paths);
	return value;
}

int judge_flag(const struct judging *j, const char *path)
{
	int flag = facts_is(judge_latest(j), path);

	return flag < 0 ? facts_is(before(j), path) : flag;
}

const char *judge_words(const struct judging *j, const char *path)
{
	const char *words = facts_words(judge_latest(j), path);

	return words[0] ? words : facts_words(before(j), path);
}

void judge_made(struct judging *j)
{
	j->signs->made++;
}

/* The attribute is there, but the parser did not believe its number. */
static bool senseless(const struct judging *j, const char *key)
{
	static const struct {
		const char *key;
		unsigned id;
	} table[] = {{"sectors.reallocated", 5}, {"sectors.pending", 197},
		{"sectors.uncorrectable", 198}, {"errors.reported", 187}, {"errors.timeouts", 188},
		{"errors.crc", 199}, {"hours", 9}, {"temperature", 194}, {"temperature", 190}};

	for (size_t i = 0; j->protocol == ON_ATA && i < sizeof(table) / sizeof(table[0]); i++)
		if (strcmp(table[i].key, key) == 0 && !isnan(judge_attribute(j, table[i].id, "id")))
			return true;
	return false;
}

void judge_not_told(struct judging *j, const char *key)
{
	if (j->in->not_asked && !j->told_more)
		signs_unmade(j->signs, key, "%s", j->in->not_asked);
	else if (judge_flag(j, "platter.smart_log_empty") == 1)
		signs_unmade(j->signs, key, "%s", "The drive answers with an empty health log.");
	else if (judge_flag(j, "smart_support.enabled") == 0)
		signs_unmade(j->signs, key, "%s", "SMART is switched off in this drive, and platter "
			"does not switch it on.");
	else if (senseless(j, key))
		signs_unmade(j->signs, key, "%s",
			"The number that the drive tells makes no sense.");
	else if (!j->told_more && strcmp(j->in->identity->transport, "usb") == 0)
		signs_unmade(j->signs, key, "%s", "The USB bridge or stick passes nothing on: "
			"attach a drive that is in an enclosure directly.");
	else
		signs_unmade(j->signs, key, "%s",
			j->in->from_file ? "It is not in the file." : "The drive does not tell it.");
}

/* What it says it is, else what the bus lets expect. */
static unsigned protocol_of(const struct judging *j)
{
	static const struct {
		const char *word;
		unsigned protocol;
	} table[] = {{"ATA", ON_ATA}, {"SCSI", ON_SCSI}, {"NVMe", ON_NVME}, {"sata", ON_ATA},
		{"ata", ON_ATA}, {"sas", ON_SCSI}, {"scsi", ON_SCSI}, {"fc", ON_SCSI}, {"nvme", ON_NVME},
		{"usb", ON_ATA}}; /* what is in enclosures */
	const char *word = judge_words(j, "device.protocol");

	if (!word[0])
		word = j->in->identity->transport;
	if (j->in->identity->simulated || judge_words(j, "platter.raid_volume")[0])
		return 0;
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		if (strcmp(word, table[i].word) == 0)
			return table[i].protocol;
	return 0;
}

/* Something that says how it is, not only who it is. */
static bool told_more(const struct judging *j)
{
	static const char *const signs_of_it[] = {"temperature.current", "power_on_time.hours",
		"scsi_grown_defect_list", "nvme_smart_health_information_log.critical_warning",
		"ata_smart_attributes.table[0].id", NULL};

	return !isnan(judge_told(j, signs_of_it)) || judge_flag(j, "smart_status.passed") >= 0;
}

static void find_rotation(struct judging *j)
{
	double rpm = judge_number(j, "rotation_rate");

	if (isnan(rpm) && j->in->identity->reported_rpm)
		rpm = j->in->identity->reported_rpm;
	j->rotates_known = !isnan(rpm) || j->in->identity->rotating_known;
	j->rotates = isnan(rpm) ? j->in->identity->rotating : rpm > 0;
	if (j->protocol == ON_NVME)
		j->rotates = false;
}

static void drive_itself(struct judging *j)
{
	if (!j->protocol) {
		/* one reason stands for all that such a thing is not asked */
		if (!j->in->identity->simulated && j->in->not_asked)
			signs_unmade(j->signs, "drive", "%s", j->in->not_asked);
		return;
	}
	judge_health(j);
	judge_counts(j);
	judge_tests(j);
	judge_wear(j);
	judge_age(j);
	judge_character(j);
	judge_sources(j);
	judge_change(j);
}

void judge_signs(struct signs *signs, const struct judge_signs_input *input)
{
	struct judging j = {.in = input, .signs = signs};

	j.asked = judge_latest(&j)->n > 0;
	j.told_more = told_more(&j);
	j.protocol = protocol_of(&j);
	find_rotation(&j);
	drive_itself(&j);
	judge_measured(&j);
	judge_contents(&j);
	signs_sort(signs);
}
