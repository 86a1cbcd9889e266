/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Everything a drive told, in the order in which people look for it: a table says which of its facts
 * stand where and how they are written; what is not in the table is in the JSON. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "sheet/sheet_build.h"

enum style {
	AS_WORDS,
	AS_NUMBER,
	AS_YES_NO,
	AS_ON_OFF,
	AS_BYTES,
	AS_HEADING, /* path is its title */
};

struct row {
	enum style style;
	const char *path, *label, *unit;
};

#define NVME "nvme_smart_health_information_log."
#define READ "scsi_error_counter_log.read."
#define WRITE "scsi_error_counter_log.write."
#define VERIFY "scsi_error_counter_log.verify."

static const struct row rows[] = {
	{AS_HEADING, "What it is", NULL, NULL},
	{AS_WORDS, "device.protocol", "speaks", ""},
	{AS_WORDS, "model_name", "model", ""},
	{AS_WORDS, "scsi_vendor", "vendor", ""},
	{AS_WORDS, "scsi_product", "product", ""},
	{AS_WORDS, "serial_number", "serial number", ""},
	{AS_WORDS, "firmware_version", "firmware", ""},
	{AS_WORDS, "logical_unit_id", "WWN", ""},
	{AS_NUMBER, "rotation_rate", "rotation rate", " rpm"},
	{AS_WORDS, "form_factor.name", "form factor", ""},
	{AS_BYTES, "user_capacity.bytes", "capacity", ""},
	{AS_NUMBER, "logical_block_size", "sectors", " bytes"},
	{AS_NUMBER, "physical_block_size", "physical sectors", " bytes"},
	{AS_WORDS, "ata_version.string", "ATA version", ""},
	{AS_WORDS, "sata_version.string", "SATA version", ""},
	{AS_WORDS, "nvme_version.string", "NVMe version", ""},
	{AS_WORDS, "interface_speed.max.string", "fastest link", ""},
	{AS_WORDS, "interface_speed.current.string", "link now", ""},
	{AS_NUMBER, "platter.queue_depth", "queue depth", ""},
	{AS_NUMBER, "platter.actuators", "actuators", ""},
	{AS_WORDS, "platter.controller", "controller", ""},
	{AS_WORDS, "platter.bridge", "bridge", ""},
	{AS_WORDS, "platter.raid_volume", "logical volume of", ""},
	{AS_ON_OFF, "write_cache.enabled", "write cache", ""},
	{AS_ON_OFF, "read_lookahead.enabled", "look-ahead", ""},
	{AS_ON_OFF, "ata_apm.enabled", "power management", ""},
	{AS_NUMBER, "ata_apm.level", "… its level", ""},
	{AS_ON_OFF, "ata_aam.enabled", "quiet seeks", ""},
	{AS_YES_NO, "trim.supported", "TRIM", ""},
	{AS_WORDS, "zoned_device.capabilities", "zones", ""},
	{AS_YES_NO, "ata_sct_capabilities.error_recovery_control_supported",
		"retry limit", ", its value is not read"},
	{AS_NUMBER, "platter.error_recovery_ms", "retry limit", " ms"},
	{AS_NUMBER, "platter.command_timeout_s", "kernel's limit", " s for a command"},
	{AS_NUMBER, "scsi_protection_type", "protection type", ""},
	{AS_YES_NO, "ata_security.enabled", "password set", ""},
	{AS_YES_NO, "ata_security.locked", "locked", ""},
	{AS_YES_NO, "ata_security.frozen", "security frozen", ""},
	{AS_HEADING, "How it is", NULL, NULL},
	{AS_ON_OFF, "smart_support.enabled", "SMART", ""},
	{AS_YES_NO, "smart_status.passed", "its own verdict", ""},
	{AS_WORDS, "smart_status.scsi.ie_string", "its own verdict", ""},
	{AS_NUMBER, "temperature.current", "temperature", " °C"},
	{AS_NUMBER, "temperature.lifetime_min", "coldest ever", " °C"},
	{AS_NUMBER, "temperature.lifetime_max", "warmest ever", " °C"},
	{AS_NUMBER, "temperature.drive_trip", "its limit", " °C"},
	{AS_NUMBER, "nvme_composite_temperature_threshold.warning", "warns from", " °C"},
	{AS_NUMBER, "nvme_composite_temperature_threshold.critical", "critical from", " °C"},
	{AS_NUMBER, "power_on_time.hours", "ran", " hours"},
	{AS_NUMBER, "platter.farm_power_on_hours", "ran, says its log", " hours"},
	{AS_NUMBER, "platter.head_flying_hours", "heads flew", " hours"},
	{AS_NUMBER, "power_cycle_count", "switched on", " times"},
	{AS_NUMBER, "platter.reallocated_sectors", "replaced sectors", ""},
	{AS_NUMBER, "platter.pending_sectors", "waiting sectors", ""},
	{AS_NUMBER, "platter.uncorrectable_sectors", "unreadable sectors", ""},
	{AS_NUMBER, "ata_pending_defects_log.count", "listed unreadable", ""},
	{AS_NUMBER, "platter.reported_uncorrect", "reads failed", ""},
	{AS_NUMBER, "platter.command_timeouts", "commands timed out", ""},
	{AS_NUMBER, "platter.crc_errors", "cable errors", ""},
	{AS_NUMBER, "platter.life_used_percent", "life used", " %"},
	{AS_BYTES, "platter.bytes_read", "read in its life", ""},
	{AS_BYTES, "platter.bytes_written", "written in its life", ""},
	{AS_NUMBER, "scsi_grown_defect_list", "grown defects", ""},
	{AS_NUMBER, "scsi_pending_defects.count", "listed unreadable", ""},
	{AS_NUMBER, "platter.non_medium_errors", "non-medium errors", ""},
	{AS_NUMBER, "scsi_percentage_used_endurance_indicator", "life used", " %"},
	{AS_NUMBER, READ "total_errors_corrected", "reads corrected", ""},
	{AS_WORDS, READ "gigabytes_processed", "… of", " GB read"},
	{AS_NUMBER, READ "total_uncorrected_errors", "reads failed", ""},
	{AS_NUMBER, WRITE "total_errors_corrected", "writes corrected", ""},
	{AS_WORDS, WRITE "gigabytes_processed", "… of", " GB written"},
	{AS_NUMBER, WRITE "total_uncorrected_errors", "writes failed", ""},
	{AS_NUMBER, VERIFY "total_errors_corrected", "checks corrected", ""},
	{AS_NUMBER, VERIFY "total_uncorrected_errors", "checks failed", ""},
	{AS_WORDS, "scsi_start_stop_cycle_counter.year_of_manufacture", "made in the year", ""},
	{AS_WORDS, "scsi_start_stop_cycle_counter.week_of_manufacture", "… week", ""},
	{AS_NUMBER, "scsi_start_stop_cycle_counter.accumulated_start_stop_cycles",
		"started", " times"},
	{AS_NUMBER, "scsi_start_stop_cycle_counter.accumulated_load_unload_cycles",
		"heads parked", " times"},
	{AS_NUMBER, NVME "critical_warning", "warning bits", ""},
	{AS_NUMBER, NVME "available_spare", "spare left", " %"},
	{AS_NUMBER, NVME "available_spare_threshold", "spare wanted", " %"},
	{AS_NUMBER, NVME "percentage_used", "life used", " %"},
	{AS_NUMBER, NVME "media_errors", "accesses failed", ""},
	{AS_NUMBER, NVME "unsafe_shutdowns", "cut off from power", " times"},
	{AS_NUMBER, NVME "num_err_log_entries", "error log entries", ""},
	{AS_NUMBER, NVME "controller_busy_time", "busy", " minutes"},
	{AS_HEADING, "Its logs", NULL, NULL},
	{AS_NUMBER, "ata_smart_error_log.extended.count", "errors", ""},
	{AS_NUMBER, "ata_smart_error_log.summary.count", "errors, short log", ""},
	{AS_NUMBER, "ata_smart_self_test_log.extended.count", "self-tests", ""},
	{AS_NUMBER, "ata_smart_self_test_log.extended.error_count_total", "… that failed", ""},
	{AS_NUMBER, "ata_smart_self_test_log.standard.count", "tests, short log", ""},
	{AS_NUMBER, "ata_smart_self_test_log.standard.error_count_total", "… that failed", ""},
	{AS_WORDS, "ata_smart_data.self_test.status.string", "last self-test", ""},
	{AS_WORDS, "scsi_background_scan.status.string", "background scan", ""},
	{AS_NUMBER, "platter.libatasmart.power_on_hours", "libatasmart: ran", " hours"},
	{AS_NUMBER, "platter.libatasmart.temperature", "libatasmart", " °C"},
	{AS_NUMBER, "platter.libatasmart.bad_sectors", "libatasmart", " bad sectors"},
	{AS_WORDS, "platter.libatasmart.overall", "libatasmart says", ""},
};

/* As it may be shown to people: a serial masked unless asked for, a person's words never. */
static void words_of(char *dst, size_t size, const struct fact *f, bool show_serial)
{
	if (f->privacy == FACT_PRIVATE)
		snprintf(dst, size, "%s", "");
	else if (f->privacy == FACT_SPECIMEN && !show_serial)
		identity_mask(dst, size, f->text);
	else
		snprintf(dst, size, "%s", f->text);
}

static bool format(char *dst, size_t size, const struct fact *f, const struct row *r,
	bool show_serial)
{
	char part[128];

	if ((r->style == AS_WORDS) != (f->type == FACT_TEXT) && r->style != AS_BYTES)
		return false;
	switch (r->style) {
	case AS_WORDS:
		words_of(part, sizeof(part), f, show_serial);
		snprintf(dst, size, "%s%s", part, part[0] ? r->unit : "");
		return part[0] != 0;
	case AS_YES_NO:
		if (strcmp(r->path, "smart_status.passed") == 0)
			snprintf(dst, size, "%s", f->integer ? "passed" : "FAILED");
		else
			snprintf(dst, size, "%s%s", f->integer ? "yes" : "no", f->integer ? r->unit : "");
		return true;
	case AS_ON_OFF: snprintf(dst, size, "%s", f->integer ? "on" : "off"); return true;
	case AS_BYTES:
		if (f->type != FACT_INTEGER || f->integer < 0)
			return false;
		units_format_capacity(part, sizeof(part), (uint64_t)f->integer);
		snprintf(dst, size, "%s (%lld bytes)", part, (long long)f->integer);
		return true;
	case AS_NUMBER:
		if (strcmp(r->path, "rotation_rate") == 0 && f->integer == 0)
			snprintf(dst, size, "nothing rotates");
		else if (f->type == FACT_REAL)
			snprintf(dst, size, "%.6g%s", f->real, r->unit);
		else
			snprintf(dst, size, "%lld%s", (long long)f->integer, r->unit);
		return true;
	case AS_HEADING: break;
	}
	return false;
}

/* "7200 rpm (VPD B1h; IDENTIFY DEVICE says 5400)" */
static void add_row(struct sheet *sheet, const struct doc *doc, const struct row *r,
	const char **heading, bool show_serial)
{
	const struct fact *f = facts_find(&doc->smart, r->path);
	const struct fact *after = facts_find(&doc->smart_after, r->path);
	struct text t = {0};
	char value[256], later[256];

	if (!f || !format(value, sizeof(value), f, r, show_serial))
		return;
	text_add(&t, "%s", value);
	if (after && format(later, sizeof(later), after, r, show_serial) && strcmp(value, later) != 0)
		text_add(&t, ", later %s", later);
	if (f->other && f->privacy == FACT_OPEN)
		text_add(&t, " (%s; %s says %s)", f->source, f->other_source, f->other);
	if (*heading)
		sheet_add(sheet, SHEET_HEADING, *heading, NULL, NULL, NULL);
	*heading = NULL;
	sheet_add(sheet, SHEET_FACT, r->label, text_chars(&t), NULL, NULL);
	text_release(&t);
}

static void add_told(struct sheet *sheet, const struct doc *doc, bool show_serial)
{
	const char *heading = NULL;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (rows[i].style == AS_HEADING)
			heading = rows[i].path;
		else
			add_row(sheet, doc, &rows[i], &heading, show_serial);
	}
}

static void add_cell(struct sheet_item *table, const struct facts *f, size_t i, const char *part)
{
	char path[FACT_PATH_MAX], number[32] = "";
	const struct fact *cell;

	snprintf(path, sizeof(path), "ata_smart_attributes.table[%zu].%s", i, part);
	cell = facts_find(f, path);
	if (cell && cell->type != FACT_TEXT)
		snprintf(number, sizeof(number), "%lld", (long long)cell->integer);
	sheet_add_cell(table, !cell ? "-" : cell->type == FACT_TEXT ? cell->text : number);
}

static void add_attributes(struct sheet *sheet, const struct facts *f)
{
	static const char *const heads[] = {"attribute", "id", "value", "worst", "limit", "raw",
		"failed"};
	static const char *const parts[] = {"name", "id", "value", "worst", "thresh", "raw.string",
		"when_failed"};
	size_t n = facts_length(f, "ata_smart_attributes.table");
	struct sheet_item *table;

	if (!n)
		return;
	sheet_add(sheet, SHEET_HEADING, "Attributes", NULL, NULL, NULL);
	table = sheet_add(sheet, SHEET_TABLE, "value, worst and limit are the drive's own scale, on "
		"which less is worse", NULL, NULL, NULL);
	table->columns = sizeof(heads) / sizeof(heads[0]);
	for (size_t c = 0; c < table->columns; c++)
		sheet_add_cell(table, heads[c]);
	for (size_t i = 0; i < n && i < 64; i++)
		for (size_t c = 0; c < table->columns; c++)
			add_cell(table, f, i, parts[c]);
}

/* Labels and UUIDs, by where they stand. */
static void add_private(struct sheet *sheet, const struct facts *contents)
{
	for (size_t i = 0; i < contents->n; i++) {
		const struct fact *f = &contents->facts[i];
		struct text t = {0};

		if (f->type != FACT_TEXT || f->privacy != FACT_PRIVATE)
			continue;
		text_add(&t, "%s: %s", f->path, f->text);
		sheet_add(sheet, SHEET_NOTE, text_chars(&t), NULL, NULL, NULL);
		text_release(&t);
	}
}

static void add_contents(struct sheet *sheet, const struct doc *doc, bool full)
{
	char line[2048];

	sheet_format_contents(line, sizeof(line), &doc->contents);
	if (line[0])
		sheet_add(sheet, SHEET_FACT, "holds", line, NULL, NULL);
	sheet_format_use(line, sizeof(line), &doc->contents, false);
	if (line[0])
		sheet_add(sheet, SHEET_FACT, "used by", line, NULL, NULL);
	if (full)
		add_private(sheet, &doc->contents);
}

/* Each reason once, with how many checks it kept from being made. */
static void add_unmade(struct sheet *sheet, const struct signs *signs)
{
	for (size_t i = 0; i < signs->unmade_n; i++) {
		const char *why = signs->unmade[i].why_not;
		struct text t = {0};
		bool told = false;

		for (size_t k = 0; k < i; k++)
			told = told || strcmp(signs->unmade[k].why_not, why) == 0;
		if (told)
			continue;
		for (size_t k = i; k < signs->unmade_n; k++)
			if (strcmp(signs->unmade[k].why_not, why) == 0)
				sheet_join(&t, "%s", signs->unmade[k].key);
		text_add(&t, ": %s", why);
		sheet_add(sheet, SHEET_NOTE, text_chars(&t), NULL, NULL, NULL);
		text_release(&t);
	}
}

void sheet_of_smart(struct sheet *sheet, const struct doc *doc, bool show_serial, bool full)
{
	const struct sheet_detail detail = {.all = true, .fact_width = 200};
	struct text title = {0};
	char line[1024];

	*sheet = (struct sheet){0};
	text_add(&title, "%s", doc->identity.model_name[0] ? doc->identity.model_name
		: doc->identity.device_name[0] ? doc->identity.device_name : "A drive of unknown name");
	if (doc->identity.size_bytes) {
		units_format_capacity(line, sizeof(line), doc->identity.size_bytes);
		sheet_join(&title, "%s", line);
	}
	sheet_add(sheet, SHEET_TITLE, text_chars(&title), NULL, NULL, NULL);
	text_release(&title);
	sheet_format_checks(line, sizeof(line), &doc->signs);
	sheet_add(sheet, SHEET_FACT, "signs of trouble", line, NULL, NULL);
	sheet_add_signs(sheet, &doc->signs, SIGN_WARN, SIGN_REJECT, SIZE_MAX, true);
	sheet_add_drive(sheet, doc, show_serial, &detail);
	add_contents(sheet, doc, full);
	add_told(sheet, doc, show_serial);
	add_attributes(sheet, &doc->smart);
	if (doc->signs.n && doc->signs.signs[doc->signs.n - 1].severity == SIGN_INFO) {
		sheet_add(sheet, SHEET_HEADING, "For information", NULL, NULL, NULL);
		sheet_add_signs(sheet, &doc->signs, SIGN_INFO, SIGN_INFO, SIZE_MAX, true);
	}
	if (doc->signs.unmade_n) {
		sheet_add(sheet, SHEET_HEADING, "Checks that could not be made", NULL, NULL, NULL);
		add_unmade(sheet, &doc->signs);
	}
}
