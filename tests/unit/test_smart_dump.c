/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Dumps: written and read back, of any length and content, without names; and what a second reader of
 * the same bytes says. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <errno.h>

#include "smart/dump.h"
#include "smart/witness.h"
#include "tests/unit/ata_blob.h"

static void bad_disk(struct blob *b)
{
	blob_begin(b, "WDC WD5000AAKS-00TMA0", "12.01C01");
	blob_attribute(b, 5, 0x33, 192, 192, 140, 63);
	blob_attribute(b, 9, 0x32, 80, 80, 0, 14992);
	blob_attribute(b, 194, 0x22, 110, 81, 0, 40);
	blob_attribute(b, 197, 0x32, 194, 193, 0, 529);
}

static void the_format(void **state)
{
	static const uint8_t head[8] = {'I', 'D', 'F', 'Y', 0, 0, 2, 0};
	static const uint8_t status[12] = {'S', 'M', 'S', 'T', 0, 0, 0, 4, 0, 0, 0, 1};
	struct blob b;
	struct pages pages = {0};
	struct text dump = {0};

	(void)state;
	bad_disk(&b);
	blob_pages(&pages, &b);
	dump_write(&dump, &pages);
	assert_int_equal(dump.length, 3 * (8 + 512) + 12);
	assert_memory_equal(dump.chars, head, 8);
	assert_memory_equal(dump.chars + 8, b.identify, 512);
	assert_memory_equal(dump.chars + 520, status, 12);
	assert_memory_equal(dump.chars + 532, "SMDT", 4);
	assert_memory_equal(dump.chars + 532 + 520, "SMTH", 4);
	text_release(&dump);
	pages_release(&pages);
}

static void comes_back(void **state)
{
	static const uint8_t log[700] = {1, 2, 3};
	struct blob b;
	struct pages pages = {0}, back = {0};
	struct text dump = {0};

	(void)state;
	bad_disk(&b);
	blob_pages(&pages, &b);
	pages_add(&pages, ASK_ATA_LOG, 0xA60020, 0, "command", log, 700);
	pages_add(&pages, ASK_NVME_LOG, 2, 0, "command", log, 512);
	pages_add(&pages, ASK_SCSI_VPD, 0x80, -EIO, "command", NULL, 0);
	dump_write(&dump, &pages);
	assert_int_equal(dump_read(&back, dump.chars, dump.length), 6);
	assert_int_equal(back.n, 6);
	for (size_t i = 0; i < back.n; i++) {
		const struct page *p = pages_find(&pages, back.pages[i].kind, back.pages[i].id);

		assert_non_null(p);
		assert_int_equal(p->length, back.pages[i].length);
		assert_memory_equal(p->bytes, back.pages[i].bytes, p->length);
		assert_string_equal(back.pages[i].source, "file");
	}
	text_release(&dump);
	pages_release(&pages);
	pages_release(&back);
}

/* Cut anywhere, with a record nobody knows, with lengths that lie. */
static void hostile_files(void **state)
{
	struct blob b;
	struct pages pages = {0};
	struct text dump = {0};
	size_t whole;

	(void)state;
	bad_disk(&b);
	blob_pages(&pages, &b);
	text_add_bytes(&dump, "WHAT\0\0\0\3abc", 11);
	dump_write(&dump, &pages);
	whole = dump.length;
	for (size_t length = 0; length <= whole; length++) {
		struct pages back = {0};
		int n = dump_read(&back, dump.chars, length);

		assert_int_equal(n, length < 531 ? -EINVAL : length < 543 ? 1 : length < 1063 ? 2 :
			length < 1583 ? 3 : 4);
		assert_int_equal(dump_cut_off(dump.chars, length), length != 0 && length != 11 &&
			length != 531 && length != 543 && length != 1063 && length != whole);
		pages_release(&back);
	}
	/* a record longer than the file, longer than can be, too short, and one of another size */
	memset(dump.chars + 11 + 4, 0xFF, 4);
	assert_int_equal(dump_read(&pages, dump.chars, whole), -EINVAL);
	assert_int_equal(dump_read(&pages, "IDFY\0\0\0\1x", 9), -EINVAL);
	assert_int_equal(dump_read(&pages, "PAGL\0\0\0\4\0\0\0\0", 12), -EINVAL);
	assert_int_equal(dump_read(&pages, "not a dump at all", 17), -EINVAL);
	assert_int_equal(dump_read(&pages, "", 0), -EINVAL);
	text_release(&dump);
	pages_release(&pages);
}

/* What is neither passed nor failed says nothing. */
static void a_status_is_0_or_1(void **state)
{
	struct pages pages = {0};

	(void)state;
	assert_int_equal(dump_read(&pages, "SMST\0\0\0\4\0\0\0\2", 12), -EINVAL);
	assert_int_equal(dump_read(&pages, "SMST\0\0\0\4\377\377\377\377", 12), -EINVAL);
	assert_int_equal(dump_read(&pages, "SMST\0\0\0\4\1\0\0\0", 12), -EINVAL);
	assert_int_equal(dump_read(&pages, "SMST\0\0\0\4\0\0\0\0", 12), 1);
	assert_int_equal(pages.pages[0].bytes[0], 0);
	assert_int_equal(dump_read(&pages, "SMST\0\0\0\4\0\0\0\1", 12), 1);
	assert_int_equal(pages.pages[0].bytes[0], 1);
	pages_release(&pages);
}

static void names_are_taken_out(void **state)
{
	uint8_t vpd[36] = {0, 0x80, 0, 10, ' ', ' ', 'Z', '1', 'Z', '5', 'D', 'W', 'J', 'K'};
	uint8_t nvme[4096] = {0}, farm[512] = {0};
	struct blob b;
	struct pages pages = {0};
	struct facts f = {0};

	(void)state;
	bad_disk(&b);
	blob_pages(&pages, &b);
	memcpy(nvme + 4, "S3X9NX0K123456      ", 20);
	memset(farm, 0x31, sizeof(farm));
	pages_add(&pages, ASK_SCSI_VPD, 0x80, 0, "command", vpd, 14);
	pages_add(&pages, ASK_SCSI_VPD, 0x83, 0, "command", vpd, 36);
	pages_add(&pages, ASK_NVME_CONTROLLER, 0, 0, "command", nvme, 4096);
	pages_add(&pages, ASK_ATA_LOG, 0xA60020, 0, "command", farm, 512);
	dump_anonymise(&pages);
	smart_read_ata(&f, &pages, 0);
	assert_string_equal(facts_words(&f, "serial_number"), "XXXXXXXXXX");
	assert_int_equal(told(&f, "wwn.naa"), 5);
	assert_int_equal(told(&f, "wwn.oui"), 0x000C50);
	assert_int_equal(told(&f, "wwn.id"), 0);
	assert_string_equal(facts_words(&f, "model_name"), "WDC WD5000AAKS-00TMA0");
	assert_null(facts_find(&f, "platter.checksums_bad"));
	assert_int_equal(told(&f, "platter.pending_sectors"), 529);
	assert_memory_equal(pages_find(&pages, ASK_SCSI_VPD, 0x80)->bytes + 4, "  XXXXXXXX", 10);
	assert_null(pages_answer(&pages, ASK_SCSI_VPD, 0x83, 1));
	assert_memory_equal(pages_find(&pages, ASK_NVME_CONTROLLER, 0)->bytes + 4,
		"XXXXXXXXXXXXXX      ", 20);
	for (size_t i = 16; i < 48; i++)
		assert_int_equal(pages_find(&pages, ASK_ATA_LOG, 0xA60020)->bytes[i], 0);
	facts_release(&f);
	pages_release(&pages);
}

/* No byte of the serial or of the specimen's part of the WWN is anywhere in the file. */
static void nothing_of_it_is_in_the_file(void **state)
{
	struct blob b;
	struct pages pages = {0};
	struct text dump = {0};

	(void)state;
	bad_disk(&b);
	blob_pages(&pages, &b);
	dump_anonymise(&pages);
	dump_write(&dump, &pages);
	for (size_t i = 0; i + 4 <= dump.length; i++) {
		assert_int_not_equal(memcmp(dump.chars + i, "PSCE", 4), 0); /* swapped, as in words */
		assert_int_not_equal(memcmp(dump.chars + i, "\x45\x23\x89\x67", 4), 0);
	}
	text_release(&dump);
	pages_release(&pages);
}

static void the_witness_agrees(void **state)
{
	struct blob b;
	struct facts f;

	(void)state;
	if (!witness_name)
		skip();
	bad_disk(&b);
	blob_read(&f, &b);
	assert_string_equal(facts_words(&f, "platter.libatasmart.overall"), "BAD_SECTOR");
	assert_int_equal(told(&f, "platter.libatasmart.bad_sectors"), 592);
	assert_true(facts_number(&f, "platter.libatasmart.power_on_hours") == 14992);
	assert_true(facts_number(&f, "platter.libatasmart.temperature") == 40);
	assert_int_equal(facts_length(&f, "platter.disagreements"), 0);
	facts_release(&f);
}

/* Each of its known faults: what it says is there, no disagreement is. */
static void its_faults_are_not_told(void **state)
{
	static const struct {
		const char *model, *firmware;
		uint8_t id, value;
		uint64_t raw;
	} faults[] = {
		{"SSD 64GB", "1", 231, 100, 97},
		{"WDC", "1", 197, 200, 0xFFFFFFFF},
		{"WDC", "1", 5, 200, 0xFFFFFFFFFFFF},
		{"WDC", "1", 9, 100, 0},
		{"SAMSUNG MP0804H", "UE100-14", 9, 100, 557429},
		{"TOSHIBA MK5061GSY", "MC102E", 9, 99, 37033},
		{"MCCOE64GEMPP", "2.9.09", 5, 85, 2379776},
		{"CT1000MX500SSD4", "1", 197, 100, 1},
		{"ST1000LM010", "1", 194, 186, 186},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		struct blob b;
		struct facts f;

		blob_begin(&b, faults[i].model, faults[i].firmware);
		blob_attribute(&b, faults[i].id, 0x32, faults[i].value, faults[i].value, 0,
			faults[i].raw);
		blob_read(&f, &b);
		assert_int_equal(facts_length(&f, "platter.disagreements"), 0);
		facts_release(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_format),
		cmocka_unit_test(comes_back),
		cmocka_unit_test(hostile_files),
		cmocka_unit_test(a_status_is_0_or_1),
		cmocka_unit_test(names_are_taken_out),
		cmocka_unit_test(nothing_of_it_is_in_the_file),
		cmocka_unit_test(the_witness_agrees),
		cmocka_unit_test(its_faults_are_not_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
