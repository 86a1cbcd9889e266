/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a drive tells of its tests, locks, wear and hours, each at the edge where it becomes a sign. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "judge/judge_signs.h"

#define NONE (-1)
#define STATUS "ata_smart_data.self_test.status.value"
#define OLD_LOG "ata_smart_self_test_log.standard."

struct bench {
	struct identity id;
	struct facts smart;
	struct signs signs;
	unsigned attributes;
};

enum kind { DISK, FLASH, UNKNOWN };

static void setup(struct bench *b, const char *protocol, enum kind kind)
{
	*b = (struct bench){.id = {.logical_block_bytes = 512,
		.rotating_known = kind != UNKNOWN, .rotating = kind == DISK}};
	facts_text(&b->smart, "test", FACT_OPEN, protocol, "device.protocol");
}

static void tell(struct bench *b, const char *path, int64_t value)
{
	facts_integer(&b->smart, "test", value, "%s", path);
}

static void attribute(struct bench *b, int id, int value, int limit, int64_t raw)
{
	unsigned i = b->attributes++;

	facts_integer(&b->smart, "test", id, "ata_smart_attributes.table[%u].id", i);
	facts_integer(&b->smart, "test", value, "ata_smart_attributes.table[%u].value", i);
	facts_integer(&b->smart, "test", limit, "ata_smart_attributes.table[%u].thresh", i);
	facts_integer(&b->smart, "test", raw, "ata_smart_attributes.table[%u].raw.value", i);
	facts_text(&b->smart, "test", FACT_OPEN, value <= limit ? "now" : "",
		"ata_smart_attributes.table[%u].when_failed", i);
}

static const struct sign *sign_of(const struct bench *b, const char *key)
{
	for (size_t i = 0; i < b->signs.n; i++)
		if (strcmp(b->signs.signs[i].key, key) == 0)
			return &b->signs.signs[i];
	return NULL;
}

/* Judges, says how bad the sign of that key is, and forgets the bench. */
static int verdict(struct bench *b, const char *key)
{
	struct judge_signs_input in = {.identity = &b->id, .smart = &b->smart};
	const struct sign *s;
	int severity;

	judge_signs(&b->signs, &in);
	s = sign_of(b, key);
	severity = s ? (int)s->severity : NONE;
	signs_release(&b->signs);
	facts_release(&b->smart);
	return severity;
}

static void test_last_self_test(void **state)
{
	static const struct {
		int status, severity;
	} rows[] = {{0x00, NONE}, {0x10, NONE}, {0x20, NONE}, {0x30, SIGN_WARN}, {0x40, SIGN_WARN},
		{0x50, SIGN_REJECT}, {0x60, SIGN_REJECT}, {0x74, SIGN_REJECT}, {0x80, SIGN_REJECT},
		{0x90, NONE}, {0xF3, NONE}};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct bench b;

		setup(&b, "ATA", DISK);
		tell(&b, STATUS, rows[i].status);
		assert_int_equal(verdict(&b, "tests.failed"), rows[i].severity);
	}
}

/* Newest first; a whole extended test that passed wipes out what failed before it. */
static void test_self_test_log(void **state)
{
	static const struct {
		int type, end; /* the newest; the one before it failed reading */
		int severity;
	} rows[] = {{2, 0x00, SIGN_WARN}, {1, 0x00, SIGN_REJECT}, {2, 0x10, SIGN_REJECT}};

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct bench b;

		setup(&b, "ATA", DISK);
		tell(&b, OLD_LOG "error_count_total", 1);
		tell(&b, OLD_LOG "table[0].type.value", rows[i].type);
		tell(&b, OLD_LOG "table[0].status.value", rows[i].end);
		tell(&b, OLD_LOG "table[1].type.value", 2);
		tell(&b, OLD_LOG "table[1].status.value", 0x79);
		assert_int_equal(verdict(&b, "tests.failed"), rows[i].severity);
	}
}

static void test_password(void **state)
{
	struct bench b;

	(void)state;
	setup(&b, "ATA", DISK);
	facts_flag(&b.smart, "test", true, "ata_security.enabled");
	facts_flag(&b.smart, "test", false, "ata_security.locked");
	assert_int_equal(verdict(&b, "password"), SIGN_WARN);
	setup(&b, "ATA", DISK);
	facts_flag(&b.smart, "test", true, "ata_security.enabled");
	facts_flag(&b.smart, "test", true, "ata_security.locked");
	assert_int_equal(verdict(&b, "locked"), SIGN_REJECT);
	setup(&b, "ATA", DISK);
	facts_flag(&b.smart, "test", false, "ata_security.enabled");
	assert_int_equal(verdict(&b, "password"), NONE);
}

static void test_heat_is_no_wear(void **state)
{
	struct bench b;

	(void)state;
	setup(&b, "ATA", DISK);
	attribute(&b, 190, 45, 45, 55);
	assert_int_equal(verdict(&b, "attributes.worn"), NONE);
	setup(&b, "ATA", DISK);
	attribute(&b, 190, 45, 45, 55);
	assert_int_equal(verdict(&b, "attributes.hot"), SIGN_WARN);
}

static void test_wear(void **state)
{
	static const struct {
		enum kind kind;
		int id, value, limit;
		int64_t raw;
		const char *key;
		int severity;
	} rows[] = {
		{DISK, 22, 100, 25, 100, "helium", NONE},
		{DISK, 22, 99, 25, 99, "helium", SIGN_WARN},
		{UNKNOWN, 22, 75, 25, 75, "helium", SIGN_WARN},
		{DISK, 22, 25, 25, 25, "helium", SIGN_REJECT},
		{DISK, 184, 100, 97, 0, "errors.end_to_end", NONE},
		{UNKNOWN, 184, 98, 97, 2, "errors.end_to_end", SIGN_WARN},
		{FLASH, 184, 100, 0, 70, "errors.end_to_end", NONE},
		{DISK, 193, 100, 0, 300000, "heads.loads", NONE},
		{DISK, 193, 100, 0, 300001, "heads.loads", SIGN_INFO},
		{UNKNOWN, 193, 100, 0, 600001, "heads.loads", SIGN_WARN},
		{FLASH, 193, 100, 0, 600001, "heads.loads", NONE},
		{DISK, 193, 100, 0, 0x100000000000, "heads.loads", NONE},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct bench b;

		setup(&b, "ATA", rows[i].kind);
		attribute(&b, rows[i].id, rows[i].value, rows[i].limit, rows[i].raw);
		assert_int_equal(verdict(&b, rows[i].key), rows[i].severity);
	}
}

static void test_warmest_ever(void **state)
{
	static const struct {
		enum kind kind;
		int most, severity;
	} rows[] = {{DISK, 60, NONE}, {DISK, 61, SIGN_INFO}, {DISK, 71, SIGN_WARN},
		{FLASH, 70, NONE}, {FLASH, 71, SIGN_INFO}, {FLASH, 81, SIGN_WARN}, {DISK, 121, NONE}};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct bench b;

		setup(&b, "ATA", rows[i].kind);
		tell(&b, "temperature.lifetime_max", rows[i].most);
		assert_int_equal(verdict(&b, "temperature.ever"), rows[i].severity);
	}
}

/* A drive that was set back does not say "new". */
static void test_hours_that_do_not_fit(void **state)
{
	static const struct {
		enum kind kind;
		int hours;
		int64_t cycles, starts, loads, written;
		const char *key;
		int severity;
	} rows[] = {
		{DISK, 0, 200, 200, 5000, 0, "hours.cycles", SIGN_WARN},
		{DISK, 0, 199, 199, 4999, 0, "hours.cycles", NONE}, /* too few to say so */
		{DISK, 3, 240, 240, 4800, 0, "hours.cycles", NONE},
		{UNKNOWN, 0, 5000, 0, 0, 51200000000000, "hours.cycles", SIGN_WARN},
		{UNKNOWN, 0, 0, 0, 0, 51200000000000, "hours.moved", SIGN_WARN},
		{FLASH, 3, 0, 0, 0, 8640000000000, "hours.moved", NONE},
		{FLASH, 3, 0, 0, 0, 8640000000001, "hours.moved", SIGN_WARN},
		{DISK, 3, 2000, 0, 0, 0, "hours.cycles", SIGN_WARN},
		{DISK, 3, 0, 9000, 0, 0, "hours.cycles", SIGN_WARN},
		{DISK, 3, 0, 0, 400000, 0, "hours.cycles", SIGN_WARN},
		{FLASH, 100, 3000, 0, 0, 0, "hours.cycles", NONE},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct judge_signs_input in = {0};
		const struct sign *hours;
		struct bench b;
		int severity = rows[i].severity;

		setup(&b, "ATA", rows[i].kind);
		in = (struct judge_signs_input){.identity = &b.id, .smart = &b.smart};
		tell(&b, "power_on_time.hours", rows[i].hours);
		tell(&b, "power_cycle_count", rows[i].cycles);
		tell(&b, "platter.bytes_written", rows[i].written);
		attribute(&b, 4, 100, 0, rows[i].starts);
		attribute(&b, 193, 100, 0, rows[i].loads);
		judge_signs(&b.signs, &in);
		hours = sign_of(&b, "hours");
		assert_non_null(hours);
		assert_int_equal(strstr(hours->why, "sold as new") == NULL, severity != NONE);
		assert_int_equal(sign_of(&b, rows[i].key) ? (int)sign_of(&b, rows[i].key)->severity
			: NONE, severity);
		signs_release(&b.signs);
		facts_release(&b.smart);
	}
}

static const char *why_not(const struct bench *b, const char *key)
{
	for (size_t i = 0; i < b->signs.unmade_n; i++)
		if (strcmp(b->signs.unmade[i].key, key) == 0)
			return b->signs.unmade[i].why_not;
	return "";
}

/* The reason is the one that holds. */
static void test_why_not(void **state)
{
	struct judge_signs_input in = {0};
	struct bench b;

	(void)state;
	setup(&b, "ATA", DISK);
	in = (struct judge_signs_input){.identity = &b.id, .smart = &b.smart, .from_file = true};
	attribute(&b, 9, 100, 0, 4294967295);
	judge_signs(&b.signs, &in);
	assert_string_equal(why_not(&b, "hours"),
		"The number that the drive tells makes no sense.");
	assert_string_equal(why_not(&b, "tests.failed"), "It is not in the file.");
	signs_release(&b.signs);
	facts_release(&b.smart);

	setup(&b, "SCSI", DISK);
	in = (struct judge_signs_input){.identity = &b.id, .smart = &b.smart};
	snprintf(b.id.transport, sizeof(b.id.transport), "usb");
	judge_signs(&b.signs, &in);
	assert_non_null(strstr(why_not(&b, "hours"), "attach a drive"));
	signs_release(&b.signs);
	facts_release(&b.smart);
}

/* Each check counts, and none was made, behind a bridge that takes no questions. */
static void test_each_check_counts(void **state)
{
	struct judge_signs_input in = {.not_asked = "It takes no questions."};
	struct bench b;

	(void)state;
	setup(&b, "ATA", DISK);
	facts_release(&b.smart);
	snprintf(b.id.transport, sizeof(b.id.transport), "usb");
	in.identity = &b.id;
	judge_signs(&b.signs, &in);
	assert_int_equal(b.signs.made, 0);
	assert_true(b.signs.unmade_n > 8);
	assert_string_equal(why_not(&b, "smart.failed"), "It takes no questions.");
	assert_string_equal(why_not(&b, "hours"), "It takes no questions.");
	signs_release(&b.signs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_last_self_test),
		cmocka_unit_test(test_self_test_log),
		cmocka_unit_test(test_password),
		cmocka_unit_test(test_heat_is_no_wear),
		cmocka_unit_test(test_wear),
		cmocka_unit_test(test_warmest_ever),
		cmocka_unit_test(test_hours_that_do_not_fit),
		cmocka_unit_test(test_why_not),
		cmocka_unit_test(test_each_check_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
