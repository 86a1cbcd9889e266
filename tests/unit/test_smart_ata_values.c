/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Attributes: which bytes of a raw value count, in which unit, on which family. Numbers of drives are
 * those that such drives were seen to report. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "tests/unit/ata_blob.h"

#define HOURS(model, firmware, raw) told_of(model, firmware, 9, 90, raw, "power_on_time.hours")

static void hours_have_units(void **state)
{
	(void)state;
	assert_int_equal(HOURS("ST3500418AS", "CC38", 0), 0);
	assert_int_equal(HOURS("ST3500418AS", "CC38", 14992), 14992);
	/* minutes and half minutes, by model, and by firmware of one model */
	assert_int_equal(HOURS("TOSHIBA MK5061GSY", "MC102E", 37033), 617);
	assert_int_equal(told_of("TOSHIBA MK5061GSY", "MC102E", 9, 90, 37033, "power_on_time.minutes"), 13);
	assert_int_equal(HOURS("TOSHIBA MK1651GSY", "LD001D", 60 * 400), 400);
	assert_int_equal(HOURS("Maxtor 96147H8", "BAC51KJ0", 121017), 2016);
	assert_int_equal(HOURS("SAMSUNG MP0804H", "UE100-14", 557429), 4645);
	assert_int_equal(HOURS("SAMSUNG SP0812C", "SU100-33", 34244 * 120 + 22), 34244);
	assert_int_equal(HOURS("SAMSUNG SP2504C", "VT100-33", 20000), 20000);
	assert_int_equal(HOURS("FUJITSU MHY2120BH", "0085000B", 129691), 2161);
	assert_int_equal(HOURS("FUJITSU MHY2120BH", "0000000D", 5161), 5161);
	assert_int_equal(HOURS("FUJITSU MHV2080BH", "00000028", 7200000), 2000);
	assert_int_equal(HOURS("FUJITSU MHZ2160BH G1", "0084000A", 929), 929);
	/* a firmware nobody knows: the normalised value falls by one in 525 hours */
	assert_int_equal(told_of("FUJITSU MHY2120BH", "890B", 9, 96, 129691, "power_on_time.hours"), 2161);
	assert_int_equal(told_of("FUJITSU MHY2120BH", "890B", 9, 96, 2161, "power_on_time.hours"), 2161);
	/* above the hours: milliseconds, and a check */
	assert_int_equal(HOURS("ST9100821AS", "3.CME", 0x70b300001119), 4377);
	assert_int_equal(HOURS("INTEL SSDSC2BW240A4", "DC12", 40530ull << 32 | 42199), 42199);
	assert_int_equal(HOURS("ST10000NE0004", "EN01", 0x006758004edc), 20188);
	/* never written, and more than any drive is old */
	assert_int_equal(HOURS("ST3500418AS", "CC38", 0xFFFFFFFF), NOT_TOLD);
	assert_int_equal(HOURS("ST3500418AS", "CC38", 0xFFFFFFFFFFFF), NOT_TOLD);
	assert_int_equal(HOURS("SOME DISK", "1", 263000), NOT_TOLD);
	assert_int_equal(HOURS("SOME DISK", "1", 0x5A000010), 16);
}

/* A family that counts minutes; one that says so, with a normalised value of 37,000 hours. */
static void hours_that_do_not_fit_are_told(void **state)
{
	static const struct {
		uint8_t value;
		size_t disagreements;
	} ways[] = {{98, 0}, {90, 1}, {8, 1}, {1, 0}};

	(void)state;
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		struct blob b;
		struct facts f;

		blob_begin(&b, "TOSHIBA MK5061GSY", "MC102E");
		blob_attribute(&b, 9, 0x32, ways[i].value, ways[i].value, 0, 37033);
		blob_read(&f, &b);
		assert_int_equal(told(&f, "power_on_time.hours"), 617);
		assert_int_equal(facts_length(&f, "platter.disagreements"), ways[i].disagreements);
		facts_release(&f);
	}
}

#define DEGREES(model, id, raw) told_of(model, "1", id, 60, raw, "temperature.current")

static void temperatures(void **state)
{
	(void)state;
	assert_int_equal(DEGREES("WDC WD5000AAKS", 194, 40), 40);
	assert_int_equal(DEGREES("WDC WD5000AAKS", 190, 38), 38);
	assert_int_equal(DEGREES("SSD 64GB", 231, 100), NOT_TOLD);
	assert_int_equal(DEGREES("ST1000LM010-9YH146", 194, 186), NOT_TOLD);
	assert_int_equal(DEGREES("MCCOE64GEMPP", 190, 0), NOT_TOLD);
	assert_int_equal(DEGREES("HGST", 194, 0xFFFB), -5);
	/* signed lowest and highest in two words */
	assert_int_equal(told_of("HUS724020ALA640", "1", 194, 100, 0x0035FFFE0022, "temperature.lifetime_min"), -2);
	assert_int_equal(told_of("HUS724020ALA640", "1", 194, 100, 0x0035FFFE0022, "temperature.lifetime_max"), 53);
	/* Seagate: 194 has the lowest alone in word 2; 190 two bytes since power-on */
	assert_int_equal(told_of("ST9100821AS", "1", 194, 34, 0x001400000022, "temperature.lifetime_max"), NOT_TOLD);
	assert_int_equal(told_of("ST9100821AS", "1", 190, 66, 0x22220022, "temperature.power_cycle_min"), 34);
	assert_int_equal(told_of("ST9100821AS", "1", 190, 66, 0x22220022, "temperature.lifetime_min"), NOT_TOLD);
	/* the highest alone */
	assert_int_equal(told_of("CT1000MX500SSD4", "1", 194, 60, 0x005100000028, "temperature.lifetime_max"), 81);
	assert_int_equal(told_of("CT1000MX500SSD4", "1", 194, 60, 0x005100000028, "temperature.lifetime_min"), NOT_TOLD);
	assert_int_equal(told_of("STM3500418AS", "1", 194, 34, 0x002200000022, "temperature.lifetime_max"), NOT_TOLD);
	/* a tenth of a degree on two old families, and junk above the first byte */
	assert_int_equal(DEGREES("SAMSUNG SV1204H", 194, 325), 32);
	assert_int_equal(DEGREES("DISK", 194, 0x7F26), 38);
	assert_int_equal(DEGREES("Maxtor 4D040H2", 194, 40), NOT_TOLD);
}

static void counts(void **state)
{
	static const char *const moved = "platter.reallocated_sectors";
	static const char *const pending = "platter.pending_sectors";

	(void)state;
	assert_int_equal(told_of("WDC", "1", 5, 192, 63, moved), 63);
	assert_int_equal(told_of("ST10000NE0004", "1", 5, 90, 0x00050000CF35, moved), 53045);
	assert_int_equal(told_of("FUJITSU MHZ2160BH G1", "1", 5, 100, 0x07d000000000, moved), 0);
	assert_int_equal(told_of("MCCOE64GEMPP", "1", 5, 85, 2379776, moved), NOT_TOLD);
	assert_int_equal(told_of("WDC", "1", 197, 194, 529, pending), 529);
	assert_int_equal(told_of("WDC", "1", 197, 194, 0xFFFFFFFF, pending), NOT_TOLD);
	assert_int_equal(told_of("WDC", "1", 197, 194, 0xFFFFFFFFFFFF, pending), NOT_TOLD);
	assert_int_equal(told_of("WDC", "1", 197, 194, 976773169, pending), NOT_TOLD); /* > sectors */
	assert_int_equal(told_of("FUJITSU MHY2120BH", "0085000B", 197, 100, 0x6d4bfd220002, pending), NOT_TOLD);
	assert_int_equal(told_of("FUJITSU MHY2120BH", "0085000B", 198, 100, 3, "platter.uncorrectable_sectors"), NOT_TOLD);
	assert_int_equal(told_of("CT1000MX500SSD4", "1", 197, 100, 1, pending), NOT_TOLD);
	assert_int_equal(told_of("SAMSUNG HD501LJ", "1", 187, 253, 65536, "platter.reported_uncorrect"), 0);
	assert_int_equal(told_of("ST10000NE0004", "1", 187, 1, 3367, "platter.reported_uncorrect"), 3367);
	assert_int_equal(told_of("ST10000NE0004", "1", 188, 1, 197573214335, "platter.command_timeouts"), 127);
	assert_int_equal(told_of("WDC", "1", 199, 199, 22047, "platter.crc_errors"), 22047);
	assert_int_equal(told_of("WDC", "1", 12, 100, 56, "power_cycle_count"), 56);
}

static long long failed(uint8_t value, uint8_t worst, uint8_t threshold)
{
	struct blob b;
	struct facts f;
	const char *words;
	long long is;

	blob_begin(&b, "ST9100821AS", "3.CME");
	blob_attribute(&b, 4, 0x32, value, worst, threshold, 0);
	blob_read(&f, &b);
	words = facts_words(&f, "ata_smart_attributes.table[0].when_failed");
	is = !strcmp(words, "now") ? 2 : !strcmp(words, "past") ? 1 : 0;
	facts_release(&f);
	return is;
}

static void thresholds(void **state)
{
	(void)state;
	assert_int_equal(failed(1, 1, 20), 2);
	assert_int_equal(failed(20, 20, 20), 2);
	assert_int_equal(failed(21, 20, 20), 1);
	assert_int_equal(failed(62, 44, 45), 1);
	assert_int_equal(failed(100, 253, 51), 0);
	assert_int_equal(failed(0, 0, 0), 0);   /* a threshold of 0 never fails */
	assert_int_equal(failed(0, 0, 5), 2);
	assert_int_equal(failed(100, 0, 10), 0); /* a worst that was never written */
	assert_int_equal(failed(253, 253, 255), 0);
}

static void the_table(void **state)
{
	struct blob b;
	struct facts f;

	(void)state;
	blob_begin(&b, "ST9100821AS", "3.CME");
	blob_attribute(&b, 5, 0x33, 100, 99, 36, 0x000500000007);
	blob_attribute(&b, 190, 0x22, 66, 47, 45, 0x22220022);
	/* thresholds in another order are found by number */
	b.limits[2] = 190;
	b.limits[3] = 45;
	b.limits[14] = 5;
	b.limits[15] = 36;
	blob_read(&f, &b);
	assert_int_equal(facts_length(&f, "ata_smart_attributes.table"), 2);
	assert_int_equal(told(&f, "ata_smart_attributes.table[0].id"), 5);
	assert_int_equal(told(&f, "ata_smart_attributes.table[0].value"), 100);
	assert_int_equal(told(&f, "ata_smart_attributes.table[0].worst"), 99);
	assert_int_equal(told(&f, "ata_smart_attributes.table[0].thresh"), 36);
	assert_int_equal(told(&f, "ata_smart_attributes.table[1].thresh"), 45);
	assert_int_equal(told(&f, "ata_smart_attributes.table[0].flags.prefailure"), 1);
	assert_int_equal(told(&f, "ata_smart_attributes.table[1].flags.prefailure"), 0);
	assert_int_equal(told(&f, "ata_smart_attributes.table[0].flags.value"), 0x33);
	assert_int_equal(told(&f, "ata_smart_attributes.table[0].raw.value"), 0x000500000007);
	assert_string_equal(facts_words(&f, "ata_smart_attributes.table[0].raw.string"), "7 (5 0)");
	assert_string_equal(facts_words(&f, "ata_smart_attributes.table[1].raw.string"), "34 (Min/Max 34/34)");
	facts_release(&f);
}

static void life_and_bytes(void **state)
{
	struct blob b;
	struct facts f;

	(void)state;
	blob_begin(&b, "INTEL SSDSA2CW120G3", "4PC10302");
	blob_word(&b, 217, 1);
	blob_attribute(&b, 225, 0x32, 100, 100, 0, 820);
	blob_attribute(&b, 227, 0x32, 100, 100, 0, 0xFFFF);
	blob_attribute(&b, 233, 0x32, 99, 99, 0, 0);
	blob_attribute(&b, 231, 0x13, 20, 20, 0, 0);
	blob_read(&f, &b);
	assert_int_equal(told(&f, "platter.bytes_written"), 820ll << 25);
	assert_int_equal(told(&f, "platter.life_used_percent"), 1);
	assert_int_equal(told(&f, "temperature.current"), NOT_TOLD);
	facts_release(&f);
	/* spent */
	blob_begin(&b, "Crucial_CT750MX300SSD1", "M0CR021");
	blob_word(&b, 217, 1);
	blob_attribute(&b, 202, 0x31, 0, 0, 1, 163);
	blob_read(&f, &b);
	assert_int_equal(told(&f, "platter.life_used_percent"), 100);
	facts_release(&f);
	/* the same numbers on a disk mean other things */
	assert_int_equal(told_of("ST500DM002", "1", 225, 100, 842262, "platter.bytes_written"), NOT_TOLD);
	assert_int_equal(told_of("ST500DM002", "1", 231, 100, 40, "platter.life_used_percent"), NOT_TOLD);
	assert_int_equal(told_of("ST500DM002", "1", 241, 100, 1000, "platter.bytes_written"), 512000);
	assert_int_equal(told_of("ST500DM002", "1", 240, 100, 0x54000019cf, "platter.head_flying_hours"), 0x19cf);
	assert_int_equal(told_of("SOME SSD", "1", 241, 100, 1000, "platter.bytes_written"), NOT_TOLD);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(hours_have_units),
		cmocka_unit_test(hours_that_do_not_fit_are_told),
		cmocka_unit_test(temperatures),
		cmocka_unit_test(counts),
		cmocka_unit_test(thresholds),
		cmocka_unit_test(the_table),
		cmocka_unit_test(life_and_bytes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
