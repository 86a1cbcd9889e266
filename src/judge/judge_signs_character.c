/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What it is by make, and whether that suits an array: how its link came up, how it records, how
 * long it tries to read a bad sector, what keeps others out. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "judge/judge_signs_inside.h"

/* Disks that their makers' own lists of 2020 and later name as shingled and that do not say so
 * themselves. Beginnings of model names. */
static const char *const shingled[] = {"ST2000DM008", "ST2000DM005", "ST3000DM007", "ST4000DM004",
	"ST6000DM003", "ST8000DM004", "ST5000DM000", "ST8000AS0002", "ST8000AS0022", "ST1000LM048",
	"ST2000LM015", "ST3000LM024", "ST4000LM024", "ST5000LM000", "WDC WD20EFAX", "WDC WD30EFAX",
	"WDC WD40EFAX", "WDC WD60EFAX", "WDC WD20EZAZ", "WDC WD60EZAZ", "WDC WD20EZBX",
	"WDC WD10SPZX", "WDC WD20SPZX", "TOSHIBA MQ04ABF100", "TOSHIBA MQ04ABD200",
	"TOSHIBA HDWL110", "TOSHIBA HDWL120", "TOSHIBA HDWD240", "TOSHIBA HDWD260"};

static double speed(const struct judging *j, const char *units, const char *bits)
{
	return judge_number(j, units) * judge_number(j, bits);
}

static void judge_link(struct judging *j)
{
	double now = speed(j, "interface_speed.current.units_per_second",
		"interface_speed.current.bits_per_unit");
	double most = speed(j, "interface_speed.max.units_per_second",
		"interface_speed.max.bits_per_unit");
	const char *now_words = judge_words(j, "interface_speed.current.string");
	const char *most_words = judge_words(j, "interface_speed.max.string");

	if (isnan(now) || isnan(most)) {
		judge_not_told(j, "link.slow");
		return;
	}
	judge_made(j);
	if (now < most)
		signs_add(j->signs, "link.slow", SIGN_WARN,
			"An old port or a bad cable holds it back; a link that was faster once tells of "
			"the cable.", "the link runs at %s, the drive can do %s", now_words, most_words);
}

static const char *model_of(const struct judging *j)
{
	const char *model = judge_words(j, "model_name");

	return model[0] ? model : j->in->identity->model_name;
}

static bool named_shingled(const struct judging *j)
{
	const char *model = model_of(j);

	for (size_t i = 0; i < sizeof(shingled) / sizeof(shingled[0]); i++) {
		const char *space = strchr(shingled[i], ' ');

		if (text_starts(model, shingled[i]) || (space && text_starts(model, space + 1)))
			return true;
	}
	return false;
}

static void judge_recording(struct judging *j)
{
	const char *zoned = judge_words(j, "zoned_device.capabilities");
	const char *how = NULL;
	bool suspected = false;

	if (!j->rotates || (!j->asked && !named_shingled(j)))
		return;
	judge_made(j);
	if (strstr(zoned, "host") && strstr(zoned, "managed")) {
		signs_add(j->signs, "recording.zoned", SIGN_REJECT,
			"It can be written only zone by zone, which file systems and arrays must know.",
			"zones are managed by the host");
		return;
	}
	if (strstr(zoned, "aware") || strstr(zoned, "managed"))
		how = "the drive says that it is shingled (SMR)";
	else if (named_shingled(j))
		how = "this model is known to be shingled (SMR)";
	else if (j->protocol == ON_ATA && judge_flag(j, "trim.supported") == 1 &&
		judge_number(j, "rotation_rate") > 0) { /* its own word, no guess of the kernel's */
		how = "it takes TRIM, as shingled (SMR) disks do: it may be one, it does not say so";
		suspected = true;
	}
	if (how)
		signs_add(j->signs, "recording.shingled", suspected ? SIGN_INFO : SIGN_WARN,
			suspected ? "If it is one, long writing makes it very slow; look its model up "
			"before you build an array of it." :
			"After long writing it becomes very slow; rebuilding an array onto it may take "
			"days instead of hours, or make it drop out.", "%s", how);
}

/* Linux gives a command 30 s; a disk that may try for minutes is reset meanwhile. */
static void judge_recovery(struct judging *j)
{
	int supported = judge_flag(j, "ata_sct_capabilities.error_recovery_control_supported");
	double ms = judge_number(j, "platter.error_recovery_ms");
	double kernel_s = judge_number(j, "platter.command_timeout_s");

	if (!j->rotates || j->protocol == ON_NVME)
		return;
	if (j->protocol == ON_SCSI ? isnan(ms) : supported < 0) {
		judge_not_told(j, "recovery");
		return;
	}
	judge_made(j);
	if (j->protocol == ON_ATA && supported == 0)
		signs_add(j->signs, "recovery", SIGN_INFO,
			"Alone that does no harm; an array may throw it out for one bad sector: there, "
			"raise the kernel's limit (/sys/block/…/device/timeout) to 180 s, or use "
			"another drive.",
			"how long it tries to read a bad sector cannot be limited, and the kernel waits "
			"for %.0f s", isnan(kernel_s) ? 30 : kernel_s);
	if (j->protocol == ON_SCSI && ms > 0 && ms >= 1000 * (isnan(kernel_s) ? 30 : kernel_s))
		signs_add(j->signs, "recovery", SIGN_WARN,
			"The kernel gives up before the drive does; set the limit of one of them.",
			"it tries to read a bad sector for up to %.0f s", ms / 1000);
}

static void judge_locks(struct judging *j)
{
	const struct identity *id = j->in->identity;

	if (j->asked)
		judge_made(j);
	if (judge_flag(j, "ata_security.locked") == 1)
		signs_add(j->signs, "locked", SIGN_REJECT,
			"Nothing of it can be read until it is unlocked with its password.",
			"the drive is locked with a password");
	else if (judge_flag(j, "ata_security.enabled") == 1)
		signs_add(j->signs, "password", SIGN_WARN,
			"It will lock itself when its power goes; make sure that you know the password, "
			"or have it taken off first.", "a password is set");
	if (id->logical_block_bytes && (id->logical_block_bytes & (id->logical_block_bytes - 1)))
		signs_add(j->signs, "sectors.odd", SIGN_REJECT,
			"It was formatted for the controller of a storage system and must be formatted "
			"anew before Linux can use it.",
			"its sectors have %u bytes", (unsigned)id->logical_block_bytes);
	if ((id->read_only_known && id->read_only) || judge_flag(j, "platter.write_protected") == 1)
		signs_add(j->signs, "write_protected", SIGN_REJECT,
			"Nothing can be written to it: no array or file system can use it.",
			"the drive is write-protected");
	if (judge_flag(j, "platter.background_scan_active") == 1)
		signs_add(j->signs, "scan_active", SIGN_INFO,
			"It makes single reads slower than they are otherwise.",
			"the drive is scanning its own surface");
}

void judge_character(struct judging *j)
{
	judge_link(j);
	judge_recording(j);
	judge_recovery(j);
	judge_locks(j);
}
