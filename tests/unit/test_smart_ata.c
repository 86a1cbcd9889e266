/* SPDX-License-Identifier: GPL-2.0-or-later */
/* IDENTIFY DEVICE: each word's meaning and its validity, as ACS-5 has them. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "tests/unit/ata_blob.h"

static long long with_word(size_t word, unsigned value, const char *path)
{
	struct blob b;
	struct facts facts;
	long long number;

	blob_begin(&b, "ST500DM002", "CC45");
	blob_word(&b, word, value);
	blob_read(&facts, &b);
	number = told(&facts, path);
	facts_release(&facts);
	return number;
}

static void who_it_is(void **state)
{
	struct blob b;
	struct facts f;

	(void)state;
	blob_begin(&b, "WDC  WUH721816ALE6L4", "PCGNW232");
	blob_read(&f, &b);
	assert_string_equal(facts_words(&f, "model_name"), "WDC  WUH721816ALE6L4");
	assert_string_equal(facts_words(&f, "serial_number"), "SPECIMEN42");
	assert_int_equal(facts_find(&f, "serial_number")->privacy, FACT_SPECIMEN);
	assert_string_equal(facts_words(&f, "firmware_version"), "PCGNW232");
	assert_string_equal(facts_words(&f, "device.protocol"), "ATA");
	assert_int_equal(told(&f, "wwn.naa"), 5);
	assert_int_equal(told(&f, "wwn.oui"), 0x000C50);
	assert_int_equal(told(&f, "wwn.id"), 0x123456789);
	assert_int_equal(facts_find(&f, "wwn.id")->privacy, FACT_SPECIMEN);
	assert_string_equal(facts_words(&f, "logical_unit_id"), "0x5000c50123456789");
	assert_int_equal(told(&f, "user_capacity.blocks"), 976773168);
	assert_int_equal(told(&f, "user_capacity.bytes"), 500107862016);
	assert_int_equal(told(&f, "logical_block_size"), 512);
	assert_int_equal(told(&f, "physical_block_size"), 4096);
	assert_int_equal(told(&f, "rotation_rate"), 7200);
	assert_string_equal(facts_words(&f, "ata_version.string"), "ATA8-ACS");
	assert_int_equal(told(&f, "smart_support.available"), 1);
	assert_int_equal(told(&f, "smart_support.enabled"), 1);
	assert_int_equal(told(&f, "platter.queue_depth"), 32);
	assert_null(facts_find(&f, "platter.checksums_bad"));
	facts_release(&f);
}

/* Blanks, NUL and what is not ASCII are around the name, not in it. */
static void strings_are_trimmed(void **state)
{
	struct blob b;
	struct facts f;

	(void)state;
	blob_begin(&b, "  MODEL", "2.9.09");
	b.identify[46 + 7] = b.identify[46 + 6] = 0;
	blob_read(&f, &b);
	assert_string_equal(facts_words(&f, "model_name"), "MODEL");
	assert_string_equal(facts_words(&f, "firmware_version"), "2.9.09");
	facts_release(&f);
}

static void sizes(void **state)
{
	struct blob b;
	struct facts f;

	(void)state;
	/* no 48-bit feature: words 60-61 */
	blob_begin(&b, "M", "F");
	blob_word(&b, 83, 0x4000);
	blob_le(b.identify + 120, 4, 120060864);
	blob_read(&f, &b);
	assert_int_equal(told(&f, "user_capacity.bytes"), 120060864ll * 512);
	facts_release(&f);
	/* 4Kn: word 106 bit 12, words 117-118 in words */
	blob_begin(&b, "M", "F");
	blob_word(&b, 106, 0x5000);
	blob_word(&b, 117, 2048);
	blob_le(b.identify + 200, 8, 122096646);
	blob_read(&f, &b);
	assert_int_equal(told(&f, "logical_block_size"), 4096);
	assert_int_equal(told(&f, "physical_block_size"), 4096);
	assert_int_equal(told(&f, "user_capacity.bytes"), 122096646ll * 4096);
	facts_release(&f);
	/* words 230-233 when word 69 bit 3 */
	blob_begin(&b, "M", "F");
	blob_word(&b, 69, 1 << 3);
	blob_le(b.identify + 460, 8, 1953525168);
	blob_read(&f, &b);
	assert_int_equal(told(&f, "user_capacity.blocks"), 1953525168);
	facts_release(&f);
	/* 117 is junk while bit 12 is clear; 106 is junk while its pattern is wrong */
	blob_begin(&b, "M", "F");
	blob_word(&b, 117, 256);
	blob_read(&f, &b);
	assert_int_equal(told(&f, "logical_block_size"), 512);
	facts_release(&f);
	assert_int_equal(with_word(106, 0x2003, "physical_block_size"), 512);
	assert_int_equal(with_word(209, 0x4001, "platter.alignment_offset_bytes"), 512);
	assert_int_equal(with_word(209, 0x0001, "platter.alignment_offset_bytes"), NOT_TOLD);
}

static void rotation_and_form(void **state)
{
	static const unsigned real[] = {5200, 5425, 5980, 7202, 10000};

	(void)state;
	assert_int_equal(with_word(217, 0, "rotation_rate"), NOT_TOLD);
	assert_int_equal(with_word(217, 0xFFFF, "rotation_rate"), NOT_TOLD);
	assert_int_equal(with_word(217, 1, "rotation_rate"), 0);
	assert_int_equal(with_word(217, 0x400, "rotation_rate"), NOT_TOLD);
	for (size_t i = 0; i < sizeof(real) / sizeof(real[0]); i++)
		assert_int_equal(with_word(217, real[i], "rotation_rate"), real[i]);
	assert_int_equal(with_word(168, 0, "form_factor.ata_value"), NOT_TOLD);
	assert_int_equal(with_word(168, 2, "form_factor.ata_value"), 2);
	assert_int_equal(with_word(168, 0x0A, "form_factor.ata_value"), 10);
}

static void link(void **state)
{
	(void)state;
	assert_int_equal(with_word(77, 6, "interface_speed.max.units_per_second"), 60);
	assert_int_equal(with_word(77, 6, "interface_speed.current.units_per_second"), 60);
	assert_int_equal(with_word(77, 2, "interface_speed.current.units_per_second"), 15);
	assert_int_equal(with_word(77, 0, "interface_speed.current.units_per_second"), NOT_TOLD);
	assert_int_equal(with_word(76, 0x0106, "interface_speed.max.units_per_second"), 30);
	assert_int_equal(with_word(76, 0x010E, "interface_speed.max.sata_value"), 14);
	assert_int_equal(with_word(76, 0, "interface_speed.max.units_per_second"), NOT_TOLD);
	assert_int_equal(with_word(76, 0xFFFF, "interface_speed.max.units_per_second"), NOT_TOLD);
	assert_int_equal(with_word(75, 30, "platter.queue_depth"), 31);
	assert_int_equal(with_word(76, 0x000E, "platter.queue_depth"), NOT_TOLD);
	assert_int_equal(with_word(222, 0x107F, "sata_version.value"), 0x7F);
	assert_int_equal(with_word(222, 0x001F, "sata_version.value"), NOT_TOLD);
}

static void features(void **state)
{
	struct blob b;
	struct facts f;

	(void)state;
	assert_int_equal(with_word(85, 0x0041, "write_cache.enabled"), 0);
	assert_int_equal(with_word(85, 0x0021, "read_lookahead.enabled"), 0);
	assert_int_equal(with_word(85, 0x0060, "smart_support.enabled"), 0);
	assert_int_equal(with_word(82, 0x0041, "write_cache.enabled"), NOT_TOLD);
	assert_int_equal(with_word(87, 0x0100, "write_cache.enabled"), NOT_TOLD);
	assert_int_equal(with_word(83, 0xFFFF, "smart_support.available"), NOT_TOLD);
	assert_int_equal(with_word(83, 0, "smart_support.available"), NOT_TOLD);
	/* no WWN without its bit, and none that is not of NAA 5 */
	assert_int_equal(with_word(108, 0x3000, "wwn.naa"), NOT_TOLD);
	blob_begin(&b, "M", "F");
	blob_word(&b, 84, 0x4000);
	blob_word(&b, 87, 0x4000);
	blob_read(&f, &b);
	assert_int_equal(told(&f, "wwn.naa"), NOT_TOLD);
	facts_release(&f);
	/* APM and AAM: the level is the low byte */
	blob_begin(&b, "M", "F");
	blob_word(&b, 83, 0x4608);
	blob_word(&b, 86, 0x0008);
	blob_word(&b, 91, 0x4080);
	blob_word(&b, 94, 0xFE80);
	blob_read(&f, &b);
	assert_int_equal(told(&f, "ata_apm.enabled"), 1);
	assert_int_equal(told(&f, "ata_apm.level"), 0x80);
	assert_int_equal(told(&f, "ata_aam.enabled"), 0);
	assert_int_equal(told(&f, "ata_aam.level"), NOT_TOLD);
	assert_int_equal(told(&f, "ata_aam.recommended_level"), 254);
	facts_release(&f);
	assert_int_equal(with_word(169, 1, "trim.supported"), 1);
	assert_int_equal(with_word(169, 0, "trim.supported"), 0);
	assert_int_equal(with_word(169, 0xFFFF, "trim.supported"), NOT_TOLD);
	assert_int_equal(with_word(128, 0x0029, "ata_security.frozen"), 1);
	assert_int_equal(with_word(128, 0x0007, "ata_security.locked"), 1);
	assert_int_equal(with_word(128, 0x0008, "ata_security.frozen"), NOT_TOLD);
	assert_int_equal(with_word(206, 0x003D,
		"ata_sct_capabilities.error_recovery_control_supported"), 1);
	assert_int_equal(with_word(206, 0, "ata_sct_capabilities.error_recovery_control_supported"), 0);
	assert_int_equal(with_word(206, 0xFFFF,
		"ata_sct_capabilities.error_recovery_control_supported"), NOT_TOLD);
	assert_int_equal(with_word(0, 0x8580, "rotation_rate"), NOT_TOLD); /* a packet device */
}

static void a_wrong_sum_is_told_and_nothing_lost(void **state)
{
	struct blob b;
	struct pages pages = {0};
	struct facts f = {0};

	(void)state;
	blob_begin(&b, "M", "F");
	blob_pages(&pages, &b);
	pages_find(&pages, ASK_ATA_IDENTIFY, 0)->bytes[511] ^= 1;
	pages_find(&pages, ASK_ATA_SMART_DATA, 0)->bytes[511] ^= 1;
	smart_read_ata(&f, &pages, 0);
	assert_string_equal(facts_words(&f, "platter.checksums_bad"), "IDENTIFY DEVICE, SMART data");
	assert_string_equal(facts_words(&f, "model_name"), "M");
	facts_release(&f);
	pages_release(&pages);
}

/* Nothing, all zeros, all ones, and too little: nothing is told. */
static void nothing_is_nothing(void **state)
{
	static const uint8_t zeros[512];
	uint8_t ones[512];

	(void)state;
	memset(ones, 0xFF, sizeof(ones));
	for (unsigned way = 0; way < 4; way++) {
		struct pages pages = {0};
		struct facts f = {0};

		if (way == 1)
			pages_add(&pages, ASK_ATA_IDENTIFY, 0, 0, "command", zeros, 512);
		if (way == 2)
			pages_add(&pages, ASK_ATA_IDENTIFY, 0, 0, "command", ones, 512);
		if (way == 3)
			pages_add(&pages, ASK_ATA_IDENTIFY, 0, 0, "command", zeros, 511);
		smart_read_ata(&f, &pages, 0);
		assert_int_equal(facts_find(&f, "model_name") != NULL, 0);
		assert_int_equal(facts_find(&f, "device.protocol") != NULL, 0);
		facts_release(&f);
		pages_release(&pages);
	}
}

static void sleep_is_told(void **state)
{
	static const struct {
		uint8_t mode;
		long long asleep;
	} modes[] = {{0xFF, 0}, {0x80, 0}, {0x81, 0}, {0x83, 0}, {0x00, 1}, {0x01, 1}, {0x40, 1},
		{0x41, 0}};

	(void)state;
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		struct pages pages = {0};
		struct facts f = {0};

		pages_add(&pages, ASK_ATA_POWER, 0, 0, "command", &modes[i].mode, 1);
		smart_read_ata(&f, &pages, 0);
		assert_int_equal(told(&f, "platter.asleep"), modes[i].asleep);
		facts_release(&f);
		pages_release(&pages);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_it_is),
		cmocka_unit_test(strings_are_trimmed),
		cmocka_unit_test(sizes),
		cmocka_unit_test(rotation_and_form),
		cmocka_unit_test(link),
		cmocka_unit_test(features),
		cmocka_unit_test(a_wrong_sum_is_told_and_nothing_lost),
		cmocka_unit_test(nothing_is_nothing),
		cmocka_unit_test(sleep_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
