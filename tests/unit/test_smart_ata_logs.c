/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The logs: laid out byte by byte as ACS-5 (Seagate's as its own paper) has them. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "tests/unit/ata_blob.h"

#define GPL(log, page) ((uint32_t)(log) << 16 | (page))
#define GOOD (0xC0ull << 56) /* supported and valid */

static void statistic(uint8_t *page, size_t offset, uint64_t flags, uint64_t value)
{
	blob_le(page + offset, 8, flags | value);
}

static void statistics_page(uint8_t *page, unsigned number)
{
	memset(page, 0, 512);
	page[0] = 1;
	page[2] = (uint8_t)number;
}

static void statistics(void **state)
{
	uint8_t page[512];
	struct pages pages = {0};
	struct facts f = {0};

	(void)state;
	statistics_page(page, 1);
	statistic(page, 0x10, GOOD, 20188);
	statistic(page, 0x18, GOOD, 123456789012);
	statistic(page, 0x28, 0x80ull << 56, 7); /* there, not valid */
	pages_add(&pages, ASK_ATA_LOG, GPL(4, 1), 0, "command", page, 512);
	statistics_page(page, 3);
	statistic(page, 0x08, GOOD, 20000);
	statistic(page, 0x20, 0x40ull << 56, 5); /* valid, not there */
	pages_add(&pages, ASK_ATA_LOG, GPL(4, 3), 0, "command", page, 512);
	statistics_page(page, 5);
	statistic(page, 0x08, GOOD, 41);
	statistic(page, 0x20, GOOD, 56);
	statistic(page, 0x28, GOOD, 0xFE); /* -2 */
	statistic(page, 0x58, GOOD, 60);
	pages_add(&pages, ASK_ATA_LOG, GPL(4, 5), 0, "command", page, 512);
	statistics_page(page, 7);
	statistic(page, 0x08, GOOD, 163);
	pages_add(&pages, ASK_ATA_LOG, GPL(4, 7), 0, "command", page, 512);
	statistics_page(page, 4);
	statistic(page, 0x08, GOOD, 11);
	pages_add(&pages, ASK_ATA_LOG, GPL(4, 6), 0, "command", page, 512); /* another page came */
	smart_read_ata(&f, &pages, 0);
	assert_int_equal(told(&f, "power_on_time.hours"), 20188);
	assert_int_equal(told(&f, "platter.bytes_written"), 123456789012 * 512);
	assert_int_equal(told(&f, "platter.bytes_read"), NOT_TOLD);
	assert_int_equal(told(&f, "platter.spindle_hours"), 20000);
	assert_int_equal(told(&f, "platter.reallocated_sectors"), NOT_TOLD);
	assert_int_equal(told(&f, "temperature.current"), 41);
	assert_int_equal(told(&f, "temperature.lifetime_max"), 56);
	assert_int_equal(told(&f, "temperature.lifetime_min"), -2);
	assert_int_equal(told(&f, "temperature.op_limit_max"), 60);
	assert_int_equal(told(&f, "platter.life_used_percent"), 163);
	assert_int_equal(told(&f, "platter.reported_uncorrect"), NOT_TOLD);
	assert_int_equal(told(&f, "ata_device_statistics.pages[0].number"), 1);
	assert_int_equal(told(&f, "ata_device_statistics.pages[0].table[0].value"), 20188);
	assert_int_equal(told(&f, "ata_device_statistics.pages[0].table[2].flags.valid"), 0);
	assert_int_equal(told(&f, "ata_device_statistics.pages[0].table[2].value"), NOT_TOLD);
	facts_release(&f);
	pages_release(&pages);
}

/* By SMART READ LOG the pages come one after another. */
static void statistics_in_one_piece(void **state)
{
	uint8_t log[8 * 512] = {0};
	struct pages pages = {0};
	struct facts f = {0};

	(void)state;
	for (unsigned i = 0; i < 8; i++)
		statistics_page(log + 512 * i, i);
	statistic(log + 512, 0x10, GOOD, 777);
	pages_add(&pages, ASK_ATA_SMART_LOG, 4, 0, "command", log, sizeof(log));
	smart_read_ata(&f, &pages, 0);
	assert_int_equal(told(&f, "power_on_time.hours"), 777);
	facts_release(&f);
	pages_release(&pages);
}

/* A family nobody knows counts minutes: its statistics give the hours away. */
static void a_unit_is_found_by_the_statistics(void **state)
{
	static const struct {
		uint64_t raw;
		long long hours;
	} ways[] = {{1200, 1200}, {1200 * 60 + 5, 1200}, {1200 * 120, 1200}, {1200 * 3600, 1200},
		{1150, 1150}};

	(void)state;
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		struct blob b;
		struct pages pages = {0};
		struct facts f = {0};
		uint8_t page[512];

		blob_begin(&b, "NOBODY KNOWS", "1");
		blob_attribute(&b, 9, 0x32, 99, 99, 0, ways[i].raw);
		blob_pages(&pages, &b);
		statistics_page(page, 1);
		statistic(page, 0x10, GOOD, 1200);
		pages_add(&pages, ASK_ATA_LOG, GPL(4, 1), 0, "command", page, 512);
		smart_read_ata(&f, &pages, 0);
		assert_int_equal(told(&f, "power_on_time.hours"), ways[i].hours);
		facts_release(&f);
		pages_release(&pages);
	}
}

static void test_entry(uint8_t *p, size_t size, unsigned type, unsigned status, unsigned hours)
{
	memset(p, 0, size);
	p[0] = (uint8_t)type;
	p[1] = (uint8_t)status;
	blob_le(p + 2, 2, hours);
	blob_le(p + 5, size == 24 ? 4 : 6, 123456);
}

static void self_tests(void **state)
{
	uint8_t log[512] = {0};
	struct pages pages = {0};
	struct facts f = {0};

	(void)state;
	log[0] = 1;
	/* oldest in place 20: failed; extended passed; then a short one failed; newest in place 2 */
	test_entry(log + 2 + 24 * 20, 24, 1, 0x70, 100);
	test_entry(log + 2, 24, 2, 0x00, 200);
	test_entry(log + 2 + 24, 24, 1, 0x78, 300);
	log[508] = 2;
	pages_add(&pages, ASK_ATA_SMART_LOG, 6, 0, "command", log, 512);
	smart_read_ata(&f, &pages, 0);
	assert_int_equal(told(&f, "ata_smart_self_test_log.standard.count"), 3);
	assert_int_equal(told(&f, "ata_smart_self_test_log.standard.error_count_total"), 2);
	assert_int_equal(told(&f, "ata_smart_self_test_log.standard.error_count_outdated"), 1);
	assert_int_equal(told(&f, "ata_smart_self_test_log.standard.table[0].lifetime_hours"), 300);
	assert_int_equal(told(&f, "ata_smart_self_test_log.standard.table[0].status.passed"), 0);
	assert_int_equal(told(&f, "ata_smart_self_test_log.standard.table[0].status.remaining_percent"), 80);
	assert_int_equal(told(&f, "ata_smart_self_test_log.standard.table[0].lba"), 123456);
	assert_int_equal(told(&f, "ata_smart_self_test_log.standard.table[1].status.passed"), 1);
	assert_int_equal(told(&f, "ata_smart_self_test_log.standard.table[2].lifetime_hours"), 100);
	facts_release(&f);
	pages_release(&pages);
}

/* 19 a sector; the newest is the first of the second sector, the one before the last of the first. */
static void extended_self_tests(void **state)
{
	uint8_t log[1024] = {0};
	struct pages pages = {0};
	struct facts f = {0};

	(void)state;
	log[0] = 1;
	blob_le(log + 2, 2, 20);
	test_entry(log + 512 + 4, 26, 2, 0x00, 500);
	test_entry(log + 4 + 26 * 18, 26, 2, 0x10, 400);
	pages_add(&pages, ASK_ATA_LOG, GPL(7, 0), 0, "command", log, sizeof(log));
	smart_read_ata(&f, &pages, 0);
	assert_int_equal(told(&f, "ata_smart_self_test_log.extended.count"), 2);
	assert_int_equal(told(&f, "ata_smart_self_test_log.extended.table[0].lifetime_hours"), 500);
	assert_int_equal(told(&f, "ata_smart_self_test_log.extended.table[1].lifetime_hours"), 400);
	assert_int_equal(told(&f, "ata_smart_self_test_log.extended.table[1].status.passed"), NOT_TOLD);
	facts_release(&f);
	/* the first of two sectors: what came before its first entry is not here */
	f = (struct facts){0};
	memset(log + 1024 - 512, 0, 512);
	blob_le(log + 2, 2, 1);
	test_entry(log + 4, 26, 1, 0x00, 600);
	uint8_t list[512] = {1};
	list[14] = 2;
	pages_add(&pages, ASK_ATA_LOG, GPL(7, 0), 0, "command", log, 512);
	pages_add(&pages, ASK_ATA_LOG, 0, 0, "command", list, 512);
	smart_read_ata(&f, &pages, 0);
	assert_int_equal(told(&f, "ata_smart_self_test_log.extended.count"), 1);
	assert_int_equal(told(&f, "ata_smart_self_test_log.extended.table[0].lifetime_hours"), 600);
	facts_release(&f);
	/* an index beyond the log: no test is told */
	blob_le(log + 2, 2, 39);
	f = (struct facts){0};
	pages_add(&pages, ASK_ATA_LOG, GPL(7, 0), 0, "command", log, sizeof(log));
	smart_read_ata(&f, &pages, 0);
	assert_int_equal(told(&f, "ata_smart_self_test_log.extended.count"), NOT_TOLD);
	facts_release(&f);
	pages_release(&pages);
}

static void errors_and_defects(void **state)
{
	uint8_t log[512] = {0};
	struct pages pages = {0};
	struct facts f = {0};

	(void)state;
	log[0] = 1;
	blob_le(log + 500, 2, 1693);
	pages_add(&pages, ASK_ATA_LOG, GPL(3, 0), 0, "command", log, 512);
	memset(log, 0, 512);
	log[0] = 1;
	blob_le(log + 452, 2, 5);
	pages_add(&pages, ASK_ATA_SMART_LOG, 1, 0, "command", log, 512);
	memset(log, 0, 512);
	blob_le(log, 4, 2);
	blob_le(log + 16, 4, 9000);
	blob_le(log + 24, 8, 1000000000001);
	blob_le(log + 32, 4, 0xFFFFFFFF);
	blob_le(log + 40, 8, 7);
	pages_add(&pages, ASK_ATA_LOG, GPL(0x0C, 0), 0, "command", log, 512);
	memset(log, 0, 512);
	blob_le(log + 4, 2, 0x1001);
	blob_le(log + 6, 2, 17);
	blob_le(log + 8, 2, 0x2009);
	blob_le(log + 10, 4, 0xFFFFFFFF);
	blob_le(log + 14, 2, 0x3123 | 0x8000);
	blob_le(log + 16, 6, 5);
	pages_add(&pages, ASK_ATA_LOG, GPL(0x11, 0), 0, "command", log, 512);
	smart_read_ata(&f, &pages, 0);
	assert_int_equal(told(&f, "ata_smart_error_log.extended.count"), 1693);
	assert_int_equal(told(&f, "ata_smart_error_log.summary.count"), 5);
	assert_int_equal(told(&f, "ata_pending_defects_log.count"), 2);
	assert_int_equal(told(&f, "ata_pending_defects_log.table[0].lba"), 1000000000001);
	assert_int_equal(told(&f, "ata_pending_defects_log.table[0].hours"), 9000);
	assert_int_equal(told(&f, "ata_pending_defects_log.table[1].hours"), NOT_TOLD);
	assert_int_equal(facts_length(&f, "sata_phy_event_counters.table"), 3);
	assert_int_equal(told(&f, "sata_phy_event_counters.table[0].id"), 1);
	assert_int_equal(told(&f, "sata_phy_event_counters.table[0].value"), 17);
	assert_int_equal(told(&f, "sata_phy_event_counters.table[1].size"), 4);
	assert_int_equal(told(&f, "sata_phy_event_counters.table[1].overflow"), 1);
	assert_int_equal(told(&f, "sata_phy_event_counters.table[2].id"), 0x8123);
	facts_release(&f);
	pages_release(&pages);
}

static void directory(void **state)
{
	uint8_t log[512] = {0};
	struct pages pages = {0};
	struct facts f = {0};

	(void)state;
	log[0] = 1;
	blob_le(log + 2 * 4, 2, 8);
	blob_le(log + 2 * 0xA6, 2, 672);
	pages_add(&pages, ASK_ATA_LOG, 0, 0, "command", log, 512);
	smart_read_ata(&f, &pages, 0);
	assert_int_equal(told(&f, "ata_log_directory.gp_dir_version"), 1);
	assert_int_equal(told(&f, "ata_log_directory.table[0].address"), 4);
	assert_int_equal(told(&f, "ata_log_directory.table[1].gp_sectors"), 672);
	facts_release(&f);
	pages_release(&pages);
}

/* SCT's temperature is now's; the attribute's is kept beside it in its table. */
static void sct(void **state)
{
	struct blob b;
	uint8_t log[512] = {0};
	struct pages pages = {0};
	struct facts f = {0};

	(void)state;
	blob_begin(&b, "WDC", "1");
	blob_attribute(&b, 194, 0x22, 110, 81, 0, 40);
	blob_pages(&pages, &b);
	log[0] = 3;
	log[200] = 41;
	log[201] = 0xFB; /* -5 */
	log[202] = 45;
	log[203] = 0x80; /* not known */
	log[204] = 61;
	blob_le(log + 206, 4, 3);
	pages_add(&pages, ASK_ATA_SMART_LOG, 0xE0, 0, "command", log, 512);
	smart_read_ata(&f, &pages, 0);
	assert_int_equal(told(&f, "temperature.current"), 41);
	assert_null(facts_find(&f, "temperature.current")->other);
	assert_int_equal(told(&f, "ata_sct_status.temperature.power_cycle_min"), -5);
	assert_int_equal(told(&f, "temperature.lifetime_min"), NOT_TOLD);
	assert_int_equal(told(&f, "temperature.lifetime_max"), 61);
	assert_int_equal(told(&f, "ata_sct_status.temperature.over_limit_count"), 3);
	facts_release(&f);
	pages_release(&pages);
}

static void farm(void **state)
{
	uint8_t log[16384 + 512] = {0};

	(void)state;
	for (unsigned whole = 0; whole < 2; whole++) {
		uint8_t *page = log + (whole ? 16384 : 0);
		struct pages pages = {0};
		struct facts f = {0};

		blob_le(page, 8, GOOD | 1);
		blob_le(page + 8 * 19, 8, GOOD | 41000);
		blob_le(page + 8 * 20, 8, 0x80ull << 56 | 3);
		blob_le(page + 8 * 23, 8, GOOD | 12);
		pages_add(&pages, ASK_ATA_LOG, GPL(0xA6, whole ? 0 : 32), 0, "command", log,
			whole ? sizeof(log) : 512);
		smart_read_ata(&f, &pages, 0);
		assert_int_equal(told(&f, "platter.farm_power_on_hours"), 41000);
		assert_int_equal(told(&f, "platter.farm_spindle_hours"), NOT_TOLD);
		assert_int_equal(told(&f, "platter.farm_power_cycles"), 12);
		facts_release(&f);
		pages_release(&pages);
	}
}

static void smart_data(void **state)
{
	struct blob b;
	struct facts f;

	(void)state;
	blob_begin(&b, "WDC", "1");
	b.data[362] = 0x82;
	b.data[363] = 0x17; /* aborted by the host, 70 % left */
	blob_le(b.data + 364, 2, 12000);
	b.data[367] = 0x7B;
	b.data[370] = 1;
	b.data[372] = 2;
	b.data[373] = 0xFF;
	blob_le(b.data + 375, 2, 725);
	blob_read(&f, &b);
	assert_int_equal(told(&f, "ata_smart_data.self_test.status.value"), 0x17);
	assert_int_equal(told(&f, "ata_smart_data.self_test.status.remaining_percent"), 70);
	assert_int_equal(told(&f, "ata_smart_data.self_test.status.passed"), NOT_TOLD);
	assert_int_equal(told(&f, "ata_smart_data.self_test.polling_minutes.short"), 2);
	assert_int_equal(told(&f, "ata_smart_data.self_test.polling_minutes.extended"), 725);
	assert_int_equal(told(&f, "ata_smart_data.offline_data_collection.status.value"), 0x82);
	assert_int_equal(told(&f, "ata_smart_data.offline_data_collection.completion_seconds"), 12000);
	facts_release(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(statistics),
		cmocka_unit_test(statistics_in_one_piece),
		cmocka_unit_test(a_unit_is_found_by_the_statistics),
		cmocka_unit_test(self_tests),
		cmocka_unit_test(extended_self_tests),
		cmocka_unit_test(errors_and_defects),
		cmocka_unit_test(directory),
		cmocka_unit_test(sct),
		cmocka_unit_test(farm),
		cmocka_unit_test(smart_data),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
