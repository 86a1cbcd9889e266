/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What SCSI and SAS answers say. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "smart/scsi_parts.h"
#include "smart/smart.h"
#include "tests/unit/scsi_made_up.h"

static void number_is(const struct facts *f, const char *path, double value)
{
	double told = facts_number(f, path);

	if (!(told == value))
		fail_msg("%s is %g, not %g", path, told, value);
}

static void words_are(const struct facts *f, const char *path, const char *words)
{
	if (strcmp(facts_words(f, path), words) != 0)
		fail_msg("%s is \"%s\", not \"%s\"", path, facts_words(f, path), words);
}

static void not_told(const struct facts *f, const char *path)
{
	if (facts_find(f, path))
		fail_msg("%s is told", path);
}

static void who_it_is(void **state)
{
	struct pages pages = {0};
	struct facts f = {0};
	struct identity id = {0};

	(void)state;
	made_up_sas(&pages);
	smart_read(&f, &pages, 0);
	words_are(&f, "scsi_vendor", "SEAGATE");
	words_are(&f, "scsi_product", "ST600MP0036");
	words_are(&f, "scsi_model_name", "SEAGATE ST600MP0036");
	words_are(&f, "model_name", "SEAGATE ST600MP0036");
	words_are(&f, "scsi_revision", "N003");
	words_are(&f, "scsi_version", "SPC-4");
	words_are(&f, "device_type.name", "disk");
	words_are(&f, "serial_number", "Z1Z5DWJK0000C5497XQA");
	words_are(&f, "platter.label_serial_number", "Z1Z5DWJK");
	assert_int_equal(facts_find(&f, "serial_number")->privacy, FACT_SPECIMEN);
	words_are(&f, "logical_unit_id", "0x5000c5009a1b2c3d");
	number_is(&f, "scsi_transport_protocol.value", 6);
	number_is(&f, "rotation_rate", 15000);
	number_is(&f, "form_factor.scsi_value", 3);
	words_are(&f, "form_factor.name", "2.5 inches");
	not_told(&f, "zoned_device.capabilities");
	number_is(&f, "user_capacity.blocks", 1172123568);
	number_is(&f, "user_capacity.bytes", 600127266816);
	number_is(&f, "logical_block_size", 512);
	number_is(&f, "physical_block_size", 4096);
	number_is(&f, "scsi_protection_type", 2);
	number_is(&f, "scsi_lb_provisioning.value", 0);
	assert_int_equal(facts_is(&f, "trim.supported"), 0);
	for (size_t i = 0; i < f.n; i++)
		assert_null(f.facts[i].other);
	smart_fill_identity(&id, &f);
	assert_string_equal(id.model_name, "SEAGATE ST600MP0036");
	assert_string_equal(id.wwn, "0x5000c5009a1b2c3d");
	assert_int_equal(id.reported_rpm, 15000);
	assert_true(id.size_bytes == 600127266816);
	facts_release(&f);
	pages_release(&pages);
}

static void how_it_is_set(void **state)
{
	struct pages pages = {0};
	struct facts f = {0};

	(void)state;
	made_up_sas(&pages);
	smart_read(&f, &pages, 0);
	assert_int_equal(facts_is(&f, "write_cache.enabled"), 1);
	assert_int_equal(facts_is(&f, "platter.read_cache.enabled"), 1);
	assert_int_equal(facts_is(&f, "read_lookahead.enabled"), 0);
	number_is(&f, "platter.error_recovery_ms", 7000);
	number_is(&f, "platter.error_recovery.read_retries", 11);
	assert_int_equal(facts_is(&f, "smart_support.available"), 1);
	assert_int_equal(facts_is(&f, "smart_support.enabled"), 1);
	assert_int_equal(facts_is(&f, "temperature_warning.enabled"), 1);
	assert_int_equal(facts_is(&f, "platter.write_protected"), 0);
	facts_release(&f);
	pages_release(&pages);
}

static void how_it_is(void **state)
{
	struct pages pages = {0};
	struct facts f = {0};

	(void)state;
	made_up_sas(&pages);
	smart_read(&f, &pages, 0);
	number_is(&f, "scsi_error_counter_log.read.errors_corrected_by_eccfast", 170693715);
	number_is(&f, "scsi_error_counter_log.read.total_errors_corrected", 170693720);
	words_are(&f, "scsi_error_counter_log.read.gigabytes_processed", "416922.123");
	number_is(&f, "scsi_error_counter_log.read.total_uncorrected_errors", 13);
	number_is(&f, "platter.uncorrected_read_errors", 13);
	number_is(&f, "platter.uncorrected_write_errors", 0);
	number_is(&f, "platter.bytes_written", 5e9);
	not_told(&f, "scsi_error_counter_log.write.total_errors_corrected");
	not_told(&f, "scsi_error_counter_log.verify.total_uncorrected_errors");
	number_is(&f, "platter.non_medium_errors", 27);
	/* 6D48h bytes of 8 each */
	number_is(&f, "scsi_grown_defect_list", 3497);
	number_is(&f, "temperature.current", 41);
	number_is(&f, "temperature.drive_trip", 60);
	words_are(&f, "scsi_start_stop_cycle_counter.year_of_manufacture", "2019");
	words_are(&f, "scsi_start_stop_cycle_counter.week_of_manufacture", "50");
	number_is(&f, "scsi_start_stop_cycle_counter.accumulated_start_stop_cycles", 37);
	not_told(&f, "scsi_start_stop_cycle_counter.accumulated_load_unload_cycles");
	number_is(&f, "power_on_time.hours", 63318);
	number_is(&f, "power_on_time.minutes", 32);
	assert_int_equal(facts_is(&f, "platter.background_scan_active"), 1);
	words_are(&f, "scsi_background_scan.status.scan_progress", "50.00%");
	number_is(&f, "platter.background_scan.errors", 3);
	number_is(&f, "platter.background_scan.rewritten_in_place", 2);
	number_is(&f, "platter.background_scan.not_reassigned", 1);
	number_is(&f, "scsi_pending_defects.count", 4);
	number_is(&f, "scsi_percentage_used_endurance_indicator", 7);
	facts_release(&f);
	pages_release(&pages);
}

static void its_line(void **state)
{
	struct pages pages = {0};
	struct facts f = {0};

	(void)state;
	made_up_sas(&pages);
	smart_read(&f, &pages, 0);
	words_are(&f, "interface_speed.current.string", "12.0 Gb/s");
	number_is(&f, "scsi_sas_port_0.phy_0.invalid_dword_count", 21);
	number_is(&f, "scsi_sas_port_0.phy_0.loss_of_dword_synchronization_count", 2);
	words_are(&f, "scsi_sas_port_0.phy_0.attached_sas_address", "0x500605b000000001");
	number_is(&f, "scsi_sas_port_1.relative_target_port_id", 2);
	number_is(&f, "platter.link_errors", 25);
	facts_release(&f);
	pages_release(&pages);
}

static void its_verdict(void **state)
{
	static const struct {
		uint8_t asc, ascq;
		int passed;
		const char *words;
	} verdicts[] = {
		{0, 0, 1, ""},
		{0x5D, 0x14, 0, "HARDWARE IMPENDING FAILURE TOO MANY BLOCK REASSIGNS"},
		{0x5D, 0x00, 0, "FAILURE PREDICTION THRESHOLD EXCEEDED"},
		{0x5D, 0x62, 0, "FIRMWARE IMPENDING FAILURE DATA ERROR RATE TOO HIGH"},
		{0x5D, 0xFF, 1, "FAILURE PREDICTION THRESHOLD EXCEEDED (FALSE)"},
		{0x0B, 0x01, 1, "WARNING - SPECIFIED TEMPERATURE EXCEEDED"},
		{0x5D, 0xEE, 0, "FAILURE PREDICTION THRESHOLD EXCEEDED"},
		{0x11, 0x22, 1, ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(verdicts) / sizeof(verdicts[0]); i++) {
		struct pages pages = {0};
		struct facts f = {0};

		made_up_sas_verdict(&pages, verdicts[i].asc, verdicts[i].ascq);
		smart_read_scsi(&f, &pages);
		assert_int_equal(facts_is(&f, "smart_status.passed"), verdicts[i].passed);
		words_are(&f, "smart_status.scsi.ie_string", verdicts[i].words);
		number_is(&f, "temperature.current", 43);
		number_is(&f, "platter.self_tests", 2);
		number_is(&f, "platter.self_tests_failed", 1);
		number_is(&f, "scsi_self_test_0.power_on_time.hours", 0x1234);
		number_is(&f, "scsi_self_test_1.lba_first_failure.value", 123);
		number_is(&f, "scsi_self_test_1.failed_segment.value", 3);
		facts_release(&f);
		pages_release(&pages);
	}
}

/* One page, changed: what must then be told. */
static void b1_of(struct facts *f, unsigned rate, uint8_t zoned)
{
	uint8_t character[60] = {0};
	struct pages pages = {0};

	made_up_be(character, 2, rate);
	character[4] = zoned;
	made_up_inquiry(&pages, "X", "Y", "Z");
	made_up_vpd(&pages, 0xB1, character, sizeof(character));
	smart_read_scsi(f, &pages);
	pages_release(&pages);
}

static void rotation_as_reported(void **state)
{
	static const unsigned rates[] = {0, 1, 2, 0x400, 0x401, 10020, 15015, 0xFFFE, 0xFFFF};
	static const double told[] = {NAN, 0, NAN, NAN, 0x401, 10020, 15015, 0xFFFE, NAN};

	(void)state;
	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		struct facts f = {0};

		b1_of(&f, rates[i], (uint8_t)(i % 4 << 4));
		if (isnan(told[i]))
			not_told(&f, "rotation_rate");
		else
			number_is(&f, "rotation_rate", told[i]);
		words_are(&f, "zoned_device.capabilities",
			i % 4 == 1 ? "host_aware" : i % 4 == 2 ? "device_managed" : "");
		facts_release(&f);
	}
}

/* Parallel SCSI: rotation from mode page 4, defects of the short command, hours of no log. */
static void old_drive(void **state)
{
	static const uint8_t geometry[24] = {0x84, 22, 0, 0x7B, 0x2E, 8, [20] = 0x3A, 0xA7};
	struct pages pages = {0};
	struct facts f = {0};
	struct made_up_log log = made_up_log(0x3E, 0);

	(void)state;
	made_up_inquiry(&pages, "SEAGATE", "ST373453LC", "0006");
	made_up_mode(&pages, geometry, sizeof(geometry));
	made_up_answer(&pages, ASK_SCSI_DEFECTS, 0, ((uint8_t[]){0, 0x0D, 0x08, 0x20}), 4);
	made_up_count(&log, 0, 4, 102880 * 60 + 59);
	made_up_count(&log, 8, 2, 17);
	made_up_log_put(&pages, &log);
	smart_read_scsi(&f, &pages);
	number_is(&f, "rotation_rate", 15015);
	number_is(&f, "platter.geometry.cylinders", 0x7B2E);
	number_is(&f, "scsi_grown_defect_list", 260);
	number_is(&f, "power_on_time.hours", 102880);
	number_is(&f, "power_on_time.minutes", 59);
	facts_release(&f);
	pages_release(&pages);
}

static void smart_that_is_off(void **state)
{
	static const uint8_t exceptions[12] = {0x1C, 10, 0x08, 0};
	struct pages pages = {0};
	struct facts f = {0};

	(void)state;
	made_up_mode(&pages, exceptions, sizeof(exceptions));
	smart_read_scsi(&f, &pages);
	assert_int_equal(facts_is(&f, "smart_support.available"), 1);
	assert_int_equal(facts_is(&f, "smart_support.enabled"), 0);
	facts_release(&f);
	pages_release(&pages);
}

static void temperatures_that_are_none(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct made_up_log log = made_up_log(0x0D, 0);
		struct pages pages = {0};
		struct facts f = {0};

		made_up_count(&log, 0, 2, i ? 0xFF : 0);
		made_up_count(&log, 1, 2, 0xFF);
		made_up_log_put(&pages, &log);
		smart_read_scsi(&f, &pages);
		assert_int_equal(f.n, 0);
		log = made_up_log(0x0D, 1);
		made_up_parameter(&log, 0, ((uint8_t[]){0, 38, 61, 0xFB, 44, 0x80, 0x80, 0}), 8);
		made_up_log_put(&pages, &log);
		smart_read_scsi(&f, &pages);
		number_is(&f, "temperature.current", 38);
		number_is(&f, "temperature.lifetime_max", 61);
		number_is(&f, "temperature.lifetime_min", -5);
		number_is(&f, "temperature.power_cycle_max", 44);
		not_told(&f, "temperature.power_cycle_min");
		facts_release(&f);
		pages_release(&pages);
	}
}

static void raid_volumes(void **state)
{
	static const struct {
		const char *vendor, *product;
		bool raid;
	} names[] = {
		{"DELL", "PERC H730P Mini", true}, {"LSI", "MR9361-8i", true},
		{"AVAGO", "MR9460-16i", true}, {"HP", "LOGICAL VOLUME", true},
		{"Intel", "Raid 1 Volume", true}, {"AMCC", "9650SE-2LP DISK", false},
		{"Adaptec", "LogicalDrv 0", true}, {"IBM", "ServeRAID M5110e", true},
		{"SEAGATE", "ST600MP0036", false}, {"ATA", "WDC WD40EFRX-68W", false},
		{"MRVL", "MR9", false}, {"HGST", "HUS726060AL5210", false}, {"", "", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		struct pages pages = {0};
		struct facts f = {0};

		if (scsi_raid_volume(names[i].vendor, names[i].product) != names[i].raid)
			fail_msg("%s %s", names[i].vendor, names[i].product);
		made_up_inquiry(&pages, names[i].vendor, names[i].product, "1.0");
		made_up_sas_verdict(&pages, 0x5D, 0x10);
		smart_read_scsi(&f, &pages);
		assert_int_equal(facts_words(&f, "platter.raid_volume")[0] != 0, names[i].raid);
		assert_int_equal(facts_find(&f, "smart_status.passed") == NULL, names[i].raid);
		facts_release(&f);
		pages_release(&pages);
	}
}

/* A SATA drive behind a SAS adapter or bridge: its own words come first. */
static void ata_behind_a_bridge(void **state)
{
	uint8_t p[568] = {[52] = 0xEC};
	uint8_t *identify = p + 56;
	struct made_up_log log;
	struct pages pages = {0};
	struct facts f = {0};
	static const char model[] = "DW CDW04FEXR6-W8XT0N"; /* each pair of bytes swapped */

	(void)state;
	memset(identify + 54, ' ', 40);
	memcpy(identify + 54, model, 20);
	identify[0] = 0x40;
	identify[434] = 0x18;
	identify[435] = 0x15;
	made_up_inquiry(&pages, "ASMT", "2115", "0");
	made_up_vpd(&pages, 0x80, "BRIDGE0001", 10);
	made_up_vpd(&pages, 0x89, p, sizeof(p));
	smart_read(&f, &pages, 0);
	words_are(&f, "model_name", "WDC WD40EFRX-68WTXN0");
	assert_string_equal(facts_find(&f, "model_name")->source, "IDENTIFY DEVICE (VPD 89h)");
	number_is(&f, "rotation_rate", 0x1518);
	words_are(&f, "platter.bridge.vendor", "ASMT");
	words_are(&f, "platter.bridge.serial_number", "BRIDGE0001");
	not_told(&f, "scsi_vendor");
	for (size_t i = 0; i < f.n; i++)
		assert_null(f.facts[i].other);
	facts_release(&f);
	/* the drive itself cannot be asked: what the bridge translates is better than nothing */
	log = made_up_log(0x0D, 0);
	made_up_count(&log, 0, 2, 41);
	made_up_log_put(&pages, &log);
	smart_read(&f, &pages, 0);
	number_is(&f, "temperature.current", 41);
	facts_release(&f);
	/* it can: then its own pages count, here without a temperature */
	pages_add(&pages, ASK_ATA_IDENTIFY, 0, 0, "command", identify, 512);
	smart_read(&f, &pages, 0);
	not_told(&f, "temperature.current");
	facts_release(&f);
	pages_release(&pages);
}

static void lengths_that_lie(void **state)
{
	struct pages pages = {0};

	(void)state;
	made_up_sas(&pages);
	/* every page cut at every length, and with every length in it made the largest */
	for (size_t i = 0; i < pages.n; i++) {
		for (size_t cut = 0; cut < pages.pages[i].length; cut++) {
			struct pages one = {0};
			struct facts f = {0};
			const struct page *p = &pages.pages[i];
			uint8_t bytes[4096];

			memcpy(bytes, p->bytes, p->length);
			bytes[cut] = 0xFF;
			made_up_inquiry(&one, "SEAGATE", "ST600MP0036", "N003");
			pages_add(&one, p->kind, p->id, 0, "command", bytes, p->length);
			smart_read(&f, &one, 0);
			pages_add(&one, p->kind, p->id, 0, "command", p->bytes, cut);
			smart_read(&f, &one, 0);
			facts_release(&f);
			pages_release(&one);
		}
	}
	pages_release(&pages);
}

static void two_actuators(void **state)
{
	uint8_t p[60 + 64] = {[60] = 0, [92] = 1};
	struct pages pages = {0};
	struct facts f = {0};

	(void)state;
	made_up_be(p + 60 + 16, 8, 1000);
	made_up_be(p + 92 + 8, 8, 1000);
	made_up_be(p + 92 + 16, 8, 2000);
	made_up_vpd(&pages, 0xB9, p, sizeof(p));
	smart_read_scsi(&f, &pages);
	assert_int_equal(facts_length(&f, "platter.actuators"), 2);
	number_is(&f, "platter.actuators[1].first_block", 1000);
	number_is(&f, "platter.actuators[1].blocks", 2000);
	facts_release(&f);
	pages_release(&pages);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_it_is),
		cmocka_unit_test(how_it_is_set),
		cmocka_unit_test(how_it_is),
		cmocka_unit_test(its_line),
		cmocka_unit_test(its_verdict),
		cmocka_unit_test(rotation_as_reported),
		cmocka_unit_test(old_drive),
		cmocka_unit_test(smart_that_is_off),
		cmocka_unit_test(temperatures_that_are_none),
		cmocka_unit_test(raid_volumes),
		cmocka_unit_test(ata_behind_a_bridge),
		cmocka_unit_test(lengths_that_lie),
		cmocka_unit_test(two_actuators),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
