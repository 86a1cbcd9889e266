/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each rule below, at and above its threshold. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "doc/doc.h"
#include "judge/judge_signs.h"

#define NONE (-1)
#define LOG "nvme_smart_health_information_log."

struct bench {
	struct identity id;
	struct facts smart, after, contents;
	struct doc doc;
	bool with_after, with_contents, with_doc;
	const char *not_asked;
	struct signs signs;
};

static void setup(struct bench *b, const char *protocol, bool rotating)
{
	memset(b, 0, sizeof(*b));
	doc_init(&b->doc);
	b->doc.complete = true;
	b->id.logical_block_bytes = 512;
	b->id.physical_block_bytes = 4096;
	b->id.size_bytes = 1000204886016;
	b->id.rotating_known = true;
	b->id.rotating = rotating;
	facts_text(&b->smart, "test", FACT_OPEN, protocol, "device.protocol");
	facts_flag(&b->smart, "test", true, "smart_status.passed");
}

static void judge(struct bench *b)
{
	struct judge_signs_input in = {.identity = &b->id, .smart = &b->smart,
		.smart_after = b->with_after ? &b->after : NULL,
		.contents = b->with_contents ? &b->contents : NULL,
		.measured = b->with_doc ? &b->doc : NULL, .not_asked = b->not_asked};

	signs_release(&b->signs);
	judge_signs(&b->signs, &in);
}

static void teardown(struct bench *b)
{
	signs_release(&b->signs);
	facts_release(&b->smart);
	facts_release(&b->after);
	facts_release(&b->contents);
	doc_release(&b->doc);
}

static const struct sign *sign_of(const struct bench *b, const char *key)
{
	for (size_t i = 0; i < b->signs.n; i++)
		if (strcmp(b->signs.signs[i].key, key) == 0)
			return &b->signs.signs[i];
	return NULL;
}

static int severity_of(const struct bench *b, const char *key)
{
	const struct sign *s = sign_of(b, key);

	return s ? (int)s->severity : NONE;
}

static bool unmade(const struct bench *b, const char *key)
{
	for (size_t i = 0; i < b->signs.unmade_n; i++)
		if (strcmp(b->signs.unmade[i].key, key) == 0)
			return true;
	return false;
}

struct step {
	const char *protocol;
	bool rotating;
	const char *path;
	double value;
	const char *key;
	int severity;
};

static const struct step steps[] = {
	{"ATA", true, "platter.reallocated_sectors", 0, "sectors.reallocated", NONE},
	{"ATA", true, "platter.reallocated_sectors", 1, "sectors.reallocated", SIGN_WARN},
	{"ATA", true, "platter.reallocated_sectors", 9, "sectors.reallocated", SIGN_WARN},
	{"ATA", true, "platter.reallocated_sectors", 10, "sectors.reallocated", SIGN_REJECT},
	{"ATA", true, "platter.pending_sectors", 0, "sectors.pending", NONE},
	{"ATA", true, "platter.pending_sectors", 1, "sectors.pending", SIGN_REJECT},
	{"ATA", false, "platter.pending_sectors", 1, "sectors.pending", SIGN_WARN},
	{"ATA", true, "platter.uncorrectable_sectors", 0, "sectors.uncorrectable", NONE},
	{"ATA", true, "platter.uncorrectable_sectors", 1, "sectors.uncorrectable", SIGN_REJECT},
	{"ATA", true, "ata_pending_defects_log.count", 0, "sectors.listed", NONE},
	{"ATA", true, "ata_pending_defects_log.count", 3, "sectors.listed", SIGN_REJECT},
	{"ATA", true, "platter.reported_uncorrect", 0, "errors.reported", NONE},
	{"ATA", true, "platter.reported_uncorrect", 1, "errors.reported", SIGN_WARN},
	{"ATA", true, "platter.command_timeouts", 0, "errors.timeouts", NONE},
	{"ATA", true, "platter.command_timeouts", 1, "errors.timeouts", SIGN_INFO},
	{"ATA", true, "platter.command_timeouts", 100, "errors.timeouts", SIGN_WARN},
	{"ATA", true, "platter.crc_errors", 0, "errors.crc", NONE},
	{"ATA", true, "platter.crc_errors", 5000, "errors.crc", SIGN_INFO},
	{"ATA", false, "platter.life_used_percent", 89, "wear", NONE},
	{"ATA", false, "platter.life_used_percent", 90, "wear", SIGN_WARN},
	{"SCSI", true, "scsi_grown_defect_list", 0, "sectors.grown_defects", NONE},
	{"SCSI", true, "scsi_grown_defect_list", 1, "sectors.grown_defects", SIGN_INFO},
	{"SCSI", true, "scsi_grown_defect_list", 10, "sectors.grown_defects", SIGN_WARN},
	{"SCSI", true, "scsi_grown_defect_list", 99, "sectors.grown_defects", SIGN_WARN},
	{"SCSI", true, "scsi_grown_defect_list", 100, "sectors.grown_defects", SIGN_REJECT},
	{"SCSI", true, "scsi_error_counter_log.read.total_uncorrected_errors", 0,
		"errors.read_uncorrected", NONE},
	{"SCSI", true, "scsi_error_counter_log.read.total_uncorrected_errors", 10,
		"errors.read_uncorrected", SIGN_WARN},
	{"SCSI", true, "scsi_error_counter_log.read.total_uncorrected_errors", 11,
		"errors.read_uncorrected", SIGN_REJECT},
	{"SCSI", true, "platter.non_medium_errors", 7, "errors.non_medium", SIGN_INFO},
	{"SCSI", true, "smart_status.scsi.asc", 0, "smart.failed", NONE},
	{"SCSI", true, "smart_status.scsi.asc", 0x5D, "smart.failed", SIGN_REJECT},
	{"SCSI", true, "smart_status.scsi.asc", 0x0B, "smart.warning", SIGN_WARN},
	{"NVMe", false, LOG "media_errors", 0, "errors.media", NONE},
	{"NVMe", false, LOG "media_errors", 1, "errors.media", SIGN_WARN},
	{"NVMe", false, LOG "percentage_used", 89, "wear", NONE},
	{"NVMe", false, LOG "percentage_used", 90, "wear", SIGN_WARN},
	{"NVMe", false, LOG "unsafe_shutdowns", 12, "errors.unsafe_shutdowns", SIGN_INFO},
	{"NVMe", false, LOG "num_err_log_entries", 1, "errors.log", SIGN_INFO},
	{"NVMe", false, LOG "critical_warning", 0, "nvme.spare", NONE},
	{"NVMe", false, LOG "critical_warning", 1, "nvme.spare", SIGN_REJECT},
	{"NVMe", false, LOG "critical_warning", 2, "nvme.temperature", SIGN_WARN},
	{"NVMe", false, LOG "critical_warning", 4, "nvme.reliability", SIGN_REJECT},
	{"NVMe", false, LOG "critical_warning", 8, "nvme.read_only", SIGN_REJECT},
	{"NVMe", false, LOG "critical_warning", 16, "nvme.backup_power", SIGN_REJECT},
	{"NVMe", false, LOG "critical_warning", 32, "nvme.persistent_memory", SIGN_WARN},
	{"ATA", true, "temperature.current", 50, "temperature", NONE},
	{"ATA", true, "temperature.current", 51, "temperature", SIGN_WARN},
	{"ATA", true, "temperature.current", 60, "temperature", SIGN_WARN},
	{"ATA", true, "temperature.current", 61, "temperature", SIGN_REJECT},
	{"ATA", true, "power_on_time.hours", 0, "hours", SIGN_INFO},
	{"ATA", true, "power_on_time.hours", 43800, "hours", SIGN_INFO},
	{"ATA", true, "power_on_time.hours", 43801, "hours", SIGN_WARN},
};

static void test_thresholds(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		const struct step *s = &steps[i];
		struct bench b;
		int got;

		setup(&b, s->protocol, s->rotating);
		facts_integer(&b.smart, "test", (int64_t)s->value, "%s", s->path);
		judge(&b);
		got = severity_of(&b, s->key);
		if (got != s->severity)
			print_error("%s %s = %g: %d, not %d\n", s->protocol, s->path, s->value, got,
				s->severity);
		assert_int_equal(got, s->severity);
		assert_false(unmade(&b, s->key));
		teardown(&b);
	}
}

static void test_status(void **state)
{
	struct bench b;

	(void)state;
	setup(&b, "ATA", true);
	judge(&b);
	assert_null(sign_of(&b, "smart.failed"));
	facts_release(&b.smart);
	facts_text(&b.smart, "test", FACT_OPEN, "ATA", "device.protocol");
	facts_flag(&b.smart, "test", false, "smart_status.passed");
	judge(&b);
	assert_int_equal(severity_of(&b, "smart.failed"), SIGN_REJECT);
	assert_string_equal(b.signs.signs[0].key, "smart.failed");
	teardown(&b);
}

static void attribute(struct bench *b, int i, const char *when, bool prefailure)
{
	facts_integer(&b->smart, "test", 5 + i, "ata_smart_attributes.table[%d].id", i);
	facts_text(&b->smart, "test", FACT_OPEN, "Some_Name", "ata_smart_attributes.table[%d].name", i);
	facts_text(&b->smart, "test", FACT_OPEN, when, "ata_smart_attributes.table[%d].when_failed", i);
	facts_flag(&b->smart, "test", prefailure,
		"ata_smart_attributes.table[%d].flags.prefailure", i);
}

static void test_attributes(void **state)
{
	struct bench b;

	(void)state;
	setup(&b, "ATA", true);
	judge(&b);
	assert_true(unmade(&b, "attributes"));
	attribute(&b, 0, "", true);
	judge(&b);
	assert_false(unmade(&b, "attributes"));
	assert_null(sign_of(&b, "attributes.failing"));
	attribute(&b, 1, "now", true);
	attribute(&b, 2, "now", false);
	attribute(&b, 3, "past", true);
	judge(&b);
	assert_int_equal(severity_of(&b, "attributes.failing"), SIGN_REJECT);
	assert_non_null(strstr(sign_of(&b, "attributes.failing")->evidence, "6 Some_Name"));
	assert_int_equal(severity_of(&b, "attributes.worn"), SIGN_WARN);
	assert_int_equal(severity_of(&b, "attributes.past"), SIGN_WARN);
	teardown(&b);
}

/* A single pending sector is taken less hard once every read of a whole run went well. */
static void test_one_pending(void **state)
{
	struct bench b;

	(void)state;
	setup(&b, "ATA", true);
	facts_integer(&b.smart, "test", 1, "platter.pending_sectors");
	b.with_doc = true;
	judge(&b);
	assert_int_equal(severity_of(&b, "sectors.pending"), SIGN_WARN);
	doc_event(&b.doc, &(struct event){.kind = "read_error", .offset = 5120, .length = 512});
	judge(&b);
	assert_int_equal(severity_of(&b, "sectors.pending"), SIGN_REJECT);
	assert_int_equal(severity_of(&b, "reads.failed"), SIGN_REJECT);
	assert_non_null(strstr(sign_of(&b, "reads.failed")->evidence, "LBA 10"));
	facts_text(&b.smart, "test", FACT_OPEN, "CT1000MX500SSD1", "model_name");
	judge(&b);
	assert_int_equal(severity_of(&b, "sectors.pending"), SIGN_INFO);
	teardown(&b);
}

static void test_nvme_limits(void **state)
{
	struct bench b;

	(void)state;
	setup(&b, "NVMe", false);
	facts_integer(&b.smart, "test", 66, "temperature.current");
	judge(&b);
	assert_true(unmade(&b, "temperature"));
	facts_integer(&b.smart, "test", 67, "nvme_composite_temperature_threshold.warning");
	facts_integer(&b.smart, "test", 75, "nvme_composite_temperature_threshold.critical");
	judge(&b);
	assert_int_equal(severity_of(&b, "temperature"), NONE);
	facts_integer(&b.after, "test", 67, "temperature.current");
	b.with_after = true;
	judge(&b);
	assert_int_equal(severity_of(&b, "temperature"), SIGN_WARN);
	teardown(&b);
}

/* Endurance spent and nothing else wrong is no reason to expect a failure. */
static void test_nvme_spent(void **state)
{
	struct bench b;

	(void)state;
	setup(&b, "NVMe", false);
	facts_integer(&b.smart, "test", 4, LOG "critical_warning");
	facts_integer(&b.smart, "test", 100, LOG "percentage_used");
	facts_integer(&b.smart, "test", 100, LOG "available_spare");
	facts_integer(&b.smart, "test", 10, LOG "available_spare_threshold");
	judge(&b);
	assert_int_equal(severity_of(&b, "nvme.reliability"), SIGN_WARN);
	assert_int_equal(severity_of(&b, "nvme.spare"), NONE);
	teardown(&b);
	setup(&b, "NVMe", false);
	facts_integer(&b.smart, "test", 0, LOG "critical_warning");
	facts_integer(&b.smart, "test", 9, LOG "available_spare");
	facts_integer(&b.smart, "test", 10, LOG "available_spare_threshold");
	judge(&b);
	assert_int_equal(severity_of(&b, "nvme.spare"), SIGN_REJECT);
	teardown(&b);
}

static void test_hours(void **state)
{
	struct bench b;

	(void)state;
	setup(&b, "ATA", true);
	facts_integer(&b.smart, "test", 120, "power_on_time.hours");
	facts_integer(&b.smart, "test", 220, "platter.farm_power_on_hours");
	facts_integer(&b.smart, "test", 220, "platter.head_flying_hours");
	facts_integer(&b.smart, "test", 261000000000000, "platter.bytes_read");
	judge(&b);
	assert_null(sign_of(&b, "hours.reset"));
	assert_null(sign_of(&b, "hours.heads"));
	assert_null(sign_of(&b, "hours.moved"));
	teardown(&b);
	setup(&b, "ATA", true);
	facts_integer(&b.smart, "test", 120, "power_on_time.hours");
	facts_integer(&b.smart, "test", 221, "platter.farm_power_on_hours");
	facts_integer(&b.smart, "test", 221, "platter.head_flying_hours");
	facts_integer(&b.smart, "test", 262000000000000, "platter.bytes_read");
	judge(&b);
	assert_int_equal(severity_of(&b, "hours.reset"), SIGN_REJECT);
	assert_int_equal(severity_of(&b, "hours.heads"), SIGN_WARN);
	assert_int_equal(severity_of(&b, "hours.moved"), SIGN_WARN);
	teardown(&b);
}

static void link_speed(struct bench *b, const char *which, int units, const char *words)
{
	facts_integer(&b->smart, "test", units, "interface_speed.%s.units_per_second", which);
	facts_integer(&b->smart, "test", 100000000, "interface_speed.%s.bits_per_unit", which);
	facts_text(&b->smart, "test", FACT_OPEN, words, "interface_speed.%s.string", which);
}

static void test_link(void **state)
{
	struct bench b;

	(void)state;
	setup(&b, "ATA", true);
	judge(&b);
	assert_true(unmade(&b, "link.slow"));
	link_speed(&b, "max", 60, "6.0 Gb/s");
	link_speed(&b, "current", 60, "6.0 Gb/s");
	judge(&b);
	assert_null(sign_of(&b, "link.slow"));
	teardown(&b);
	setup(&b, "ATA", true);
	link_speed(&b, "max", 60, "6.0 Gb/s");
	link_speed(&b, "current", 30, "3.0 Gb/s");
	judge(&b);
	assert_string_equal(sign_of(&b, "link.slow")->evidence,
		"the link runs at 3.0 Gb/s, the drive can do 6.0 Gb/s");
	teardown(&b);
}

static void test_recording(void **state)
{
	static const struct {
		const char *model, *zoned;
		bool trim, rotating;
		int severity;
	} drives[] = {
		{"WDC WD80EFAX-68LHPN0", "", false, true, NONE},
		{"WDC WD60EFAX-68SHWN0", "", false, true, SIGN_WARN},
		{"WD60EFAX-68SHWN0", "", false, true, SIGN_WARN},
		{"ST4000DM004-2CV104", "", false, true, SIGN_WARN},
		{"SOME DISK", "", true, true, SIGN_INFO},
		{"ST2000DM008-2FR102", "", true, true, SIGN_WARN},
		{"NO WORD OF TURNING", "", true, true, NONE},
		{"SOME DISK", "host_aware", false, true, SIGN_WARN},
		{"SOME SSD", "", true, false, NONE},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(drives) / sizeof(drives[0]); i++) {
		struct bench b;

		setup(&b, "ATA", drives[i].rotating);
		facts_text(&b.smart, "test", FACT_OPEN, drives[i].model, "model_name");
		facts_text(&b.smart, "test", FACT_OPEN, drives[i].zoned, "zoned_device.capabilities");
		facts_flag(&b.smart, "test", drives[i].trim, "trim.supported");
		if (drives[i].rotating && strncmp(drives[i].model, "NO WORD", 7) != 0)
			facts_integer(&b.smart, "test", 7200, "rotation_rate");
		judge(&b);
		assert_int_equal(severity_of(&b, "recording.shingled"), drives[i].severity);
		teardown(&b);
	}
}

static void test_recovery_and_locks(void **state)
{
	struct bench b;

	(void)state;
	setup(&b, "ATA", true);
	judge(&b);
	assert_true(unmade(&b, "recovery"));
	facts_flag(&b.smart, "test", false, "ata_sct_capabilities.error_recovery_control_supported");
	facts_flag(&b.smart, "test", true, "ata_security.locked");
	b.id.logical_block_bytes = 520;
	b.id.read_only_known = b.id.read_only = true;
	judge(&b);
	assert_int_equal(severity_of(&b, "recovery"), SIGN_INFO);
	assert_int_equal(severity_of(&b, "locked"), SIGN_REJECT);
	assert_int_equal(severity_of(&b, "sectors.odd"), SIGN_REJECT);
	assert_int_equal(severity_of(&b, "write_protected"), SIGN_REJECT);
	teardown(&b);
	setup(&b, "ATA", true);
	facts_flag(&b.smart, "test", true, "ata_sct_capabilities.error_recovery_control_supported");
	judge(&b);
	assert_int_equal(b.signs.n, 0);
	teardown(&b);
}

static void test_sources(void **state)
{
	struct bench b;

	(void)state;
	setup(&b, "ATA", true);
	facts_text(&b.smart, "IDENTIFY DEVICE", FACT_OPEN, "ST1000", "model_name");
	facts_text(&b.smart, "sysfs", FACT_OPEN, "USB-C", "model_name");
	judge(&b);
	assert_string_equal(sign_of(&b, "sources")->evidence,
		"the model: ST1000 by IDENTIFY DEVICE, USB-C by sysfs");
	teardown(&b);
	setup(&b, "ATA", true);
	facts_text(&b.smart, "IDENTIFY DEVICE", FACT_SPECIMEN, "ABCDEFGH", "serial_number");
	facts_text(&b.smart, "sysfs", FACT_SPECIMEN, "12345678", "serial_number");
	judge(&b);
	assert_null(strstr(sign_of(&b, "sources")->evidence, "ABCD"));
	assert_null(strstr(sign_of(&b, "sources")->evidence, "5678"));
	teardown(&b);
}

static void test_change(void **state)
{
	static const struct {
		const char *path, *key;
		int severity;
		const char *protocol;
	} rows[] = {
		{"platter.reallocated_sectors", "change.reallocated", SIGN_REJECT, "ATA"},
		{"platter.pending_sectors", "change.pending", SIGN_REJECT, "ATA"},
		{"platter.crc_errors", "change.crc", SIGN_WARN, "ATA"},
		{"scsi_grown_defect_list", "change.grown_defects", SIGN_REJECT, "SCSI"},
		{LOG "media_errors", "change.media", SIGN_REJECT, "NVMe"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		for (int64_t more = 0; more < 2; more++) {
			struct bench b;

			setup(&b, rows[i].protocol, true);
			facts_integer(&b.smart, "test", 3, "%s", rows[i].path);
			facts_integer(&b.after, "test", 3 + more, "%s", rows[i].path);
			b.with_after = true;
			judge(&b);
			assert_int_equal(severity_of(&b, rows[i].key), more ? rows[i].severity : NONE);
			teardown(&b);
		}
}

static void test_warming(void **state)
{
	(void)state;
	for (int64_t rise = 9; rise <= 10; rise++) {
		struct bench b;

		setup(&b, "ATA", true);
		facts_integer(&b.smart, "test", 30, "temperature.current");
		facts_integer(&b.after, "test", 30 + rise, "temperature.current");
		b.with_after = true;
		judge(&b);
		assert_int_equal(severity_of(&b, "change.temperature"), rise < 10 ? NONE : SIGN_INFO);
		teardown(&b);
	}
}

static void put(struct doc *doc, const char *key, double value, double half)
{
	doc_put(doc, key, &(struct finding){.how = HOW_MEASURED, .value = value,
		.low = value - half, .high = value + half, .confidence = 0.95, .samples = 1000,
		.spread = NAN, .method = "test/1"});
}

static void test_slow_reads(void **state)
{
	static const struct {
		double took_s;
		int severity;
	} reads[] = {{0.9, NONE}, {1.1, SIGN_WARN}, {7, SIGN_WARN}, {7.1, SIGN_REJECT}};

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct bench b;

		setup(&b, "ATA", true);
		b.with_doc = true;
		doc_event(&b.doc, &(struct event){.kind = "slow_read", .length = 512,
			.took_s = reads[i].took_s});
		judge(&b);
		assert_int_equal(severity_of(&b, "reads.slow"), reads[i].severity);
		teardown(&b);
	}
}

static void test_tail_and_rpm(void **state)
{
	struct bench b;

	(void)state;
	setup(&b, "ATA", true);
	b.with_doc = true;
	facts_integer(&b.smart, "test", 5400, "rotation_rate");
	judge(&b);
	assert_true(unmade(&b, "reads.tail"));
	put(&b.doc, "access.p50_s", 0.010, 0.001);
	put(&b.doc, "access.p999_s", 0.114, 0.005);
	put(&b.doc, "rotation.rpm", 5561, 1);
	judge(&b);
	assert_false(unmade(&b, "reads.tail"));
	assert_null(sign_of(&b, "reads.tail"));
	assert_null(sign_of(&b, "rotation.label"));
	put(&b.doc, "access.p999_s", 0.120, 0.005);
	put(&b.doc, "rotation.rpm", 5563, 1);
	judge(&b);
	assert_int_equal(severity_of(&b, "reads.tail"), SIGN_WARN);
	assert_int_equal(severity_of(&b, "rotation.label"), SIGN_INFO);
	teardown(&b);
}

static void fill_zones(struct bench *b, double slow)
{
	doc_put(&b->doc, "class.kind", &(struct finding){.how = HOW_DERIVED, .low = NAN,
		.high = NAN, .spread = NAN, .text = "single_spindle", .method = "test/1"});
	for (unsigned i = 0; i < 20; i++) {
		double rate = i == 9 ? slow : 160e6 - i * 4e6;

		series_add(doc_series(&b->doc, "zones.rate"),
			(double[]){i * 1e10, rate, rate - 1e6, rate + 1e6});
	}
}

static void test_slow_zone(void **state)
{
	struct bench b;

	(void)state;
	setup(&b, "ATA", true);
	b.with_doc = true;
	fill_zones(&b, 62e6); /* beside it: 124e6 */
	judge(&b);
	assert_null(sign_of(&b, "zones.slow"));
	teardown(&b);
	setup(&b, "ATA", true);
	b.with_doc = true;
	fill_zones(&b, 60e6);
	judge(&b);
	assert_int_equal(severity_of(&b, "zones.slow"), SIGN_WARN);
	assert_non_null(strstr(sign_of(&b, "zones.slow")->evidence, "90 GB: 60 instead of 124"));
	teardown(&b);
}

static void test_contents(void **state)
{
	struct bench b;

	(void)state;
	setup(&b, "ATA", true);
	b.with_contents = true;
	facts_text(&b.contents, "test", FACT_OPEN, "sda1", "partitions[0].name");
	facts_integer(&b.contents, "test", 1048576, "partitions[0].start_bytes");
	facts_integer(&b.contents, "test", 1000203837440, "partitions[0].size_bytes");
	facts_integer(&b.contents, "test", 1000204886016, "partition_table.size_bytes");
	facts_text(&b.contents, "test", FACT_OPEN, "gpt", "signatures[0].type");
	judge(&b);
	assert_int_equal(b.signs.n, 0);
	facts_text(&b.contents, "test", FACT_OPEN, "sda2", "partitions[1].name");
	facts_integer(&b.contents, "test", 63 * 512, "partitions[1].start_bytes");
	facts_integer(&b.contents, "test", 1000204886016, "partitions[1].size_bytes");
	facts_text(&b.contents, "test", FACT_OPEN, "zfs_member", "signatures[1].type");
	facts_text(&b.contents, "test", FACT_OPEN, "sda1 is mounted", "use[0]");
	judge(&b);
	assert_int_equal(severity_of(&b, "contents.misaligned"), SIGN_WARN);
	assert_int_equal(severity_of(&b, "contents.cut_off"), SIGN_WARN);
	assert_int_equal(severity_of(&b, "contents.several"), SIGN_WARN);
	assert_int_equal(severity_of(&b, "use"), SIGN_INFO);
	teardown(&b);
}

static void contents_word(struct bench *b, const char *path, const char *word)
{
	facts_text(&b->contents, "test", FACT_OPEN, word, "%s", path);
}

static void contents_number(struct bench *b, const char *path, int64_t number)
{
	facts_integer(&b->contents, "test", number, "%s", path);
}

/* A table counts as an owner of the place; a mirror's description at the end does not. */
static void test_owners(void **state)
{
	struct bench b;

	(void)state;
	setup(&b, "ATA", true);
	b.with_contents = true;
	contents_word(&b, "signatures[0].type", "ext4");
	contents_word(&b, "signatures[1].type", "linux_raid_member");
	contents_word(&b, "signatures[1].usage", "raid");
	contents_number(&b, "signatures[1].offset_bytes", 1000204886016 - 8192);
	judge(&b);
	assert_int_equal(severity_of(&b, "contents.several"), NONE);
	contents_word(&b, "partition_table.type", "dos");
	judge(&b);
	assert_int_equal(severity_of(&b, "contents.several"), SIGN_WARN);
	teardown(&b);
}

static void test_damaged_table(void **state)
{
	struct bench b;

	(void)state;
	setup(&b, "ATA", true);
	b.with_contents = true;
	contents_word(&b, "partition_table.type", "gpt");
	contents_word(&b, "partition_table.first_copy", "whole");
	contents_word(&b, "partition_table.second_copy", "behind the end");
	contents_number(&b, "partition_table.size_bytes", 2000000000000);
	contents_number(&b, "partition_table.block_bytes", 4096);
	judge(&b);
	assert_int_equal(severity_of(&b, "contents.table"), NONE);
	assert_int_equal(severity_of(&b, "contents.clipped"), SIGN_WARN);
	assert_int_equal(severity_of(&b, "contents.block_size"), SIGN_WARN);
	facts_release(&b.contents);
	contents_word(&b, "partition_table.second_copy", "missing");
	judge(&b);
	assert_int_equal(severity_of(&b, "contents.table"), SIGN_WARN);
	teardown(&b);
}

/* The drive's own physical sector counts where the system knows a smaller one only. */
static void test_places(void **state)
{
	struct bench b;

	(void)state;
	setup(&b, "ATA", true);
	b.with_contents = true;
	b.id.physical_block_bytes = 512;
	contents_number(&b, "partitions[0].number", 1);
	contents_number(&b, "partitions[0].start_bytes", 63 * 512);
	contents_number(&b, "partitions[0].size_bytes", 1048576);
	judge(&b);
	assert_int_equal(b.signs.n, 0);
	facts_integer(&b.smart, "test", 4096, "physical_block_size");
	contents_number(&b, "partitions[1].number", 2);
	contents_number(&b, "partitions[1].start_bytes", 65536);
	contents_number(&b, "partitions[1].size_bytes", 1048576);
	contents_number(&b, "partitions[1].size_in_table_bytes", 2000000000000);
	judge(&b);
	assert_int_equal(severity_of(&b, "contents.misaligned"), SIGN_WARN);
	assert_int_equal(severity_of(&b, "contents.overlap"), SIGN_WARN);
	assert_string_equal(
		sign_of(&b, "contents.cut_off")->evidence, "partition 2 ends behind the end of the drive");
	teardown(&b);
}

static void test_unreadable(void **state)
{
	struct bench b;

	(void)state;
	setup(&b, "ATA", true);
	b.with_contents = true;
	contents_number(&b, "platter.unreadable[0].offset_bytes", 4096);
	contents_word(&b, "platter.unreadable[0].error", "Input/output error");
	judge(&b);
	assert_int_equal(severity_of(&b, "sectors.unreadable"), SIGN_REJECT);
	assert_string_equal(sign_of(&b, "sectors.unreadable")->evidence,
		"reading at byte 4096 failed (Input/output error)");
	teardown(&b);
}

/* What could not be asked is counted, with the reason. */
static void test_not_asked(void **state)
{
	struct bench b;
	size_t made;

	(void)state;
	setup(&b, "ATA", true);
	facts_release(&b.smart);
	snprintf(b.id.transport, sizeof(b.id.transport), "sata");
	b.not_asked = "Only root may ask.";
	judge(&b);
	assert_true(unmade(&b, "smart.failed"));
	assert_true(unmade(&b, "sectors.pending"));
	assert_true(unmade(&b, "temperature"));
	assert_string_equal(b.signs.unmade[0].why_not, "Only root may ask.");
	assert_int_equal(b.signs.n, 0);
	made = b.signs.unmade_n;
	assert_true(made > 8);
	teardown(&b);

	/* an array is not asked, and that is one thing */
	setup(&b, "ATA", true);
	facts_release(&b.smart);
	b.not_asked = "It is an array.";
	judge(&b);
	assert_int_equal(b.signs.unmade_n, 1);
	b.id.simulated = true;
	judge(&b);
	assert_int_equal(b.signs.unmade_n, 0);
	teardown(&b);
}

static void test_smart_off(void **state)
{
	struct bench b;

	(void)state;
	setup(&b, "ATA", true);
	facts_flag(&b.smart, "test", false, "smart_support.enabled");
	judge(&b);
	assert_true(unmade(&b, "sectors.pending"));
	assert_non_null(strstr(b.signs.unmade[0].why_not, "switched off"));
	teardown(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_thresholds),
		cmocka_unit_test(test_status),
		cmocka_unit_test(test_attributes),
		cmocka_unit_test(test_one_pending),
		cmocka_unit_test(test_nvme_limits),
		cmocka_unit_test(test_nvme_spent),
		cmocka_unit_test(test_hours),
		cmocka_unit_test(test_link),
		cmocka_unit_test(test_recording),
		cmocka_unit_test(test_recovery_and_locks),
		cmocka_unit_test(test_sources),
		cmocka_unit_test(test_change),
		cmocka_unit_test(test_warming),
		cmocka_unit_test(test_slow_reads),
		cmocka_unit_test(test_tail_and_rpm),
		cmocka_unit_test(test_slow_zone),
		cmocka_unit_test(test_contents),
		cmocka_unit_test(test_owners),
		cmocka_unit_test(test_damaged_table),
		cmocka_unit_test(test_places),
		cmocka_unit_test(test_unreadable),
		cmocka_unit_test(test_not_asked),
		cmocka_unit_test(test_smart_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
