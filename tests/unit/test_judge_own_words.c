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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_last_self_test),
		cmocka_unit_test(test_self_test_log),
		cmocka_unit_test(test_password),
		cmocka_unit_test(test_heat_is_no_wear),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
