/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What people see of what a drive says: the lines in a report, and the whole. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "out/text_report.h"
#include "sheet/sheet_build.h"
#include "sheet/wrap.h"
#include "tests/unit/made_up.h"

static void tell(struct doc *doc)
{
	struct facts *f = &doc->smart, *c = &doc->contents;

	facts_text(f, "IDENTIFY DEVICE", FACT_OPEN, "ATA", "device.protocol");
	facts_text(f, "IDENTIFY DEVICE", FACT_SPECIMEN, "110101PCK404VLGX0PBJ", "serial_number");
	facts_integer(f, "IDENTIFY DEVICE", 7200, "rotation_rate");
	facts_integer(f, "VPD B1h", 5400, "rotation_rate");
	facts_flag(f, "SMART", true, "smart_status.passed");
	facts_integer(f, "SMART", 31, "temperature.current");
	facts_integer(&doc->smart_after, "SMART", 36, "temperature.current");
	facts_integer(f, "SMART", 12345, "power_on_time.hours");
	facts_integer(f, "SMART", 5, "ata_smart_attributes.table[0].id");
	facts_text(f, "SMART", FACT_OPEN, "Reallocated_Sector_Ct", "ata_smart_attributes.table[0].name");
	facts_integer(f, "SMART", 100, "ata_smart_attributes.table[0].value");
	facts_text(f, "SMART", FACT_OPEN, "12", "ata_smart_attributes.table[0].raw.string");
	facts_text(c, "libblkid", FACT_OPEN, "gpt", "partition_table.type");
	facts_text(c, "sysfs", FACT_OPEN, "sda1", "partitions[0].name");
	facts_integer(c, "sysfs", 500000000000, "partitions[0].size_bytes");
	facts_text(c, "libblkid", FACT_OPEN, "ext4", "partitions[0].signatures[0].type");
	facts_text(c, "libblkid", FACT_OPEN, "zfs_member", "partitions[0].signatures[1].type");
	facts_text(c, "libblkid", FACT_PRIVATE, "holiday pictures", "partitions[0].signatures[0].label");
	facts_text(c, "sysfs", FACT_OPEN, "sda1: mounted (ext4)", "use[0]");
	signs_add(&doc->signs, "sectors.reallocated", SIGN_REJECT, "Such drives fail.", "12 sectors");
	signs_add(&doc->signs, "hours", SIGN_INFO, "It is used.", "it ran");
	signs_unmade(&doc->signs, "link.slow", "The drive does not tell it.");
	signs_unmade(&doc->signs, "recovery", "The drive does not tell it.");
	doc->signs.made = 17;
}

static char *text_of(const struct sheet *sheet)
{
	struct text_style style = {.columns = 80, .utf8 = true};
	struct text out = {0};

	text_report(sheet, &style, &out);
	return text_take(&out);
}

static void test_in_report(void **state)
{
	struct sheet sheet;
	struct doc doc;
	char *s;

	(void)state;
	made_up_document(&doc);
	tell(&doc);
	sheet_of_doc(&sheet, &doc, false);
	s = text_of(&sheet);
	assert_non_null(strstr(s, "31 °C before, 36 °C after, ran 12345 hours (1.4 years)"));
	assert_non_null(strstr(s, "gpt partition table: sda1: 500 GB ext4 + zfs_member"));
	assert_non_null(strstr(s, "1 REJECT, 0 WARN in 17 checks; 2 could not be made"));
	assert_non_null(strstr(s, "! REJECT: 12 sectors."));
	assert_null(strstr(s, "holiday"));
	assert_true(sheet_lines(&sheet) <= SHEET_LINES);
	free(s);
	sheet_release(&sheet);
	doc_release(&doc);
}

static void test_whole(void **state)
{
	struct sheet sheet;
	struct doc doc;
	char *s;

	(void)state;
	doc_init(&doc);
	made_up_identity(&doc);
	tell(&doc);
	sheet_of_smart(&sheet, &doc, false, false);
	s = text_of(&sheet);
	assert_non_null(strstr(s, "7200 rpm (IDENTIFY DEVICE; VPD B1h says 5400)"));
	assert_non_null(strstr(s, "31 °C, later 36 °C"));
	assert_non_null(strstr(s, "Reallocated_Sector_Ct"));
	assert_non_null(strstr(s, "speed of the link, limit of retries: The drive does not tell it."));
	assert_non_null(strstr(s, "REJECT: 12 sectors. Such drives fail."));
	assert_null(strstr(s, "110101PCK"));
	assert_null(strstr(s, "holiday"));
	assert_null(strstr(s, "healthy"));
	free(s);
	sheet_release(&sheet);
	sheet_of_smart(&sheet, &doc, true, true);
	s = text_of(&sheet);
	assert_non_null(strstr(s, "110101PCK404VLGX0PBJ"));
	assert_non_null(strstr(s, "label of the ext4 on sda1: holiday pictures"));
	free(s);
	sheet_release(&sheet);
	doc_release(&doc);
}

static char *whole_of(const struct doc *doc, unsigned columns)
{
	struct text_style style = {.columns = columns, .utf8 = true};
	struct text out = {0};
	struct sheet sheet;

	sheet_of_smart(&sheet, doc, false, false);
	text_report(&sheet, &style, &out);
	sheet_release(&sheet);
	return text_take(&out);
}

static size_t times(const char *s, const char *what)
{
	size_t n = 0;

	while ((s = strstr(s, what)) != NULL) {
		n++;
		s++;
	}
	return n;
}

#define NVME "nvme_smart_health_information_log."

static void test_nvme(void **state)
{
	struct doc doc;
	struct facts *f = &doc.smart;
	char *s;

	(void)state;
	doc_init(&doc);
	facts_text(f, "test", FACT_OPEN, "NVMe", "device.protocol");
	facts_real(f, "test", 512000.0 * 3000000, "platter.bytes_read");
	facts_real(f, "test", 1e30, "platter.bytes_written");
	facts_integer(f, "test", 7, "platter.life_used_percent");
	facts_integer(f, "test", 7, NVME "percentage_used");
	facts_integer(f, "test", 5, NVME "critical_warning");
	s = whole_of(&doc, 80);
	assert_non_null(strstr(s, "TB (1536000000000 bytes)"));
	assert_int_equal(times(s, "life used"), 1);
	assert_non_null(strstr(s, "spare blocks run out, no longer reliable"));
	assert_null(strstr(s, "not reported"));
	free(s);
	doc_release(&doc);
}

static void test_scsi(void **state)
{
	struct doc doc;
	struct facts *f = &doc.smart;
	char *s;

	(void)state;
	doc_init(&doc);
	facts_text(f, "test", FACT_OPEN, "SCSI", "device.protocol");
	facts_flag(f, "test", true, "smart_status.passed");
	facts_text(f, "test", FACT_OPEN, "OK", "smart_status.scsi.ie_string");
	facts_integer(f, "test", 2016, "power_on_time.hours");
	facts_integer(f, "test", 57, "power_on_time.minutes");
	facts_integer(f, "test", 0, "platter.alignment_offset_bytes");
	s = whole_of(&doc, 80);
	assert_int_equal(times(s, "its own verdict"), 1);
	assert_null(strstr(s, "reason given"));
	assert_non_null(strstr(s, "2017 h"));
	assert_int_equal(times(s, "not reported"), 1);
	assert_null(strstr(s, "alignment"));
	free(s);
	doc_release(&doc);

	doc_init(&doc);
	facts_flag(f, "test", false, "smart_status.passed");
	facts_text(f, "test", FACT_OPEN, "LOW SPARE", "smart_status.scsi.ie_string");
	facts_integer(f, "test", 512, "platter.alignment_offset_bytes");
	doc.identity.logical_block_bytes = 512;
	doc.identity.removable_known = doc.identity.removable = true;
	s = whole_of(&doc, 80);
	assert_non_null(strstr(s, "LOW SPARE"));
	assert_non_null(strstr(s, "512 bytes of the first physical sector"));
	assert_non_null(strstr(s, "no medium, sectors of 512 bytes"));
	free(s);
	doc_release(&doc);
}

/* Which attribute failed is told however long the raw values are. */
static void test_failed_stays(void **state)
{
	struct doc doc;
	struct facts *f = &doc.smart;
	char *s;

	(void)state;
	doc_init(&doc);
	tell(&doc);
	facts_integer(f, "SMART", 4, "ata_smart_attributes.table[1].id");
	facts_text(f, "SMART", FACT_OPEN, "Start_Stop_Count", "ata_smart_attributes.table[1].name");
	facts_text(f, "SMART", FACT_OPEN, "past", "ata_smart_attributes.table[1].when_failed");
	facts_text(f, "SMART", FACT_OPEN, "31 (with words that are far too long for a narrow screen)",
		"ata_smart_attributes.table[1].raw.string");
	for (unsigned columns = 60; columns <= 80; columns += 20) {
		s = whole_of(&doc, columns);
		assert_non_null(strstr(s, "failed"));
		assert_non_null(strstr(s, "past"));
		free(s);
	}
	s = whole_of(&doc, 80);
	assert_non_null(strstr(s, "31 (with words"));
	free(s);
	doc_release(&doc);
}

/* A report shows a few, and says where the others are. */
static void test_more_signs(void **state)
{
	struct sheet sheet;
	struct doc doc;
	char *s;

	(void)state;
	made_up_document(&doc);
	tell(&doc);
	for (int i = 0; i < 5; i++)
		signs_add(&doc.signs, "x", SIGN_WARN, "Why.", "sign %d", i);
	sheet_of_doc(&sheet, &doc, false);
	s = text_of(&sheet);
	assert_non_null(strstr(s, "2 more: platter smart DEVICE shows them."));
	assert_true(sheet_lines(&sheet) <= SHEET_LINES);
	free(s);
	sheet_release(&sheet);
	doc_release(&doc);
}

/* Nothing known is never "empty". */
static void test_nothing_found(void **state)
{
	struct facts c = {0};
	char s[256];

	(void)state;
	sheet_format_contents(s, sizeof(s), &c);
	assert_string_equal(s, "");
	facts_flag(&c, "libblkid", true, "platter.signatures_looked_for");
	sheet_format_contents(s, sizeof(s), &c);
	assert_string_equal(s, "no known signature found");
	facts_integer(&c, "test", 0, "platter.unreadable[0].offset_bytes");
	sheet_format_contents(s, sizeof(s), &c);
	assert_string_equal(s, "no known signature found where it could be read");
	facts_text(&c, "test", FACT_OPEN, "dos", "partition_table.type");
	facts_integer(&c, "test", 2, "partitions[0].number");
	facts_integer(&c, "test", 2000000000, "partitions[0].size_bytes");
	facts_text(&c, "test", FACT_OPEN, "0x83", "partitions[0].type");
	facts_text(&c, "test", FACT_OPEN, "0fc63daf-8483-4772-8e79-3d69d8477de4", "partitions[1].type");
	sheet_format_contents(s, sizeof(s), &c);
	assert_string_equal(s, "dos partition table: 2: 2 GB 0x83, a partition: Linux data");
	facts_release(&c);
}

static void test_no_trouble(void **state)
{
	struct signs signs = {.made = 1};
	char s[256];

	(void)state;
	sheet_format_checks(s, sizeof(s), &signs);
	assert_string_equal(s, "no sign of trouble found in 1 check");
	signs.made = 0;
	signs_unmade(&signs, "drive", "It is an array.");
	sheet_format_checks(s, sizeof(s), &signs);
	assert_string_equal(s, "nothing could be asked: no health check was made; 1 could not be made");
	signs_release(&signs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_in_report),
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_nvme),
		cmocka_unit_test(test_scsi),
		cmocka_unit_test(test_failed_stays),
		cmocka_unit_test(test_more_signs),
		cmocka_unit_test(test_nothing_found),
		cmocka_unit_test(test_no_trouble),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
