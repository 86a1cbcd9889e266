/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an NVMe controller's answers say (NVM Express Base 2.0, figures 207, 275; NVM command set 97). */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "smart/smart.h"

struct answers {
	uint8_t controller[4096], space[4096], log[512];
};

static void put_le(uint8_t *p, size_t n, uint64_t value)
{
	for (size_t i = 0; i < n; i++, value >>= 8)
		p[i] = (uint8_t)value;
}

static void blank_text(uint8_t *p, size_t n, const char *s)
{
	memset(p, ' ', n);
	memcpy(p, s, strlen(s));
}

static void made_up(struct answers *a)
{
	*a = (struct answers){{0}, {0}, {0}};
	put_le(a->controller, 2, 0x144D);
	put_le(a->controller + 2, 2, 0x144D);
	blank_text(a->controller + 4, 20, "S3EVNX0J900001");
	blank_text(a->controller + 24, 40, "SAMSUNG MZVLB512HAJQ-00000");
	blank_text(a->controller + 64, 8, "EXA7301Q");
	put_le(a->controller + 73, 3, 0x002538);
	put_le(a->controller + 78, 2, 4);
	put_le(a->controller + 80, 4, 0x00010200);
	put_le(a->controller + 266, 2, 354);
	put_le(a->controller + 268, 2, 355);
	put_le(a->controller + 280, 8, 512110190592);
	put_le(a->controller + 516, 4, 1);
	a->controller[525] = 1;
	put_le(a->space, 8, 1000215216);
	put_le(a->space + 8, 8, 1000215216);
	put_le(a->space + 16, 8, 500000000);
	a->space[25] = 1;
	a->space[26] = 0;
	put_le(a->space + 128, 4, 9u << 16);
	put_le(a->space + 132, 4, 12u << 16);
	put_le(a->space + 120, 8, 0x3900000091382500);
	a->log[0] = 0x04;
	put_le(a->log + 1, 2, 339);
	a->log[3] = 5;
	a->log[4] = 10;
	a->log[5] = 104;
	put_le(a->log + 32, 8, 123456789);
	put_le(a->log + 48, 8, 0xFFFFFFFFFFFFFFFF);
	put_le(a->log + 56, 8, 1);
	put_le(a->log + 112, 8, 77);
	put_le(a->log + 128, 8, 20111);
	put_le(a->log + 144, 8, 12);
	put_le(a->log + 160, 8, 3);
	put_le(a->log + 176, 8, 1);
	put_le(a->log + 192, 4, 5);
	put_le(a->log + 200, 2, 339);
	put_le(a->log + 204, 2, 345);
}

static void read_answers(struct facts *f, const struct answers *a)
{
	struct pages pages = {0};

	pages_add(&pages, ASK_NVME_CONTROLLER, 0, 0, "command", a->controller, 4096);
	pages_add(&pages, ASK_NVME_NAMESPACE, 0, 0, "command", a->space, 4096);
	pages_add(&pages, ASK_NVME_LOG, 2, 0, "command", a->log, 512);
	smart_read(f, &pages, 0);
	pages_release(&pages);
}

#define LOG "nvme_smart_health_information_log."

static void number_is(const struct facts *f, const char *path, double value)
{
	double told = facts_number(f, path);

	if (!(told == value))
		fail_msg("%s is %.17g, not %.17g", path, told, value);
}

static void whole_drive(void **state)
{
	struct answers a;
	struct facts f = {0};
	struct identity id = {0};

	(void)state;
	made_up(&a);
	read_answers(&f, &a);
	assert_string_equal(facts_words(&f, "model_name"), "SAMSUNG MZVLB512HAJQ-00000");
	assert_string_equal(facts_words(&f, "serial_number"), "S3EVNX0J900001");
	assert_string_equal(facts_words(&f, "firmware_version"), "EXA7301Q");
	assert_string_equal(facts_words(&f, "nvme_version.string"), "1.2");
	assert_string_equal(facts_words(&f, "logical_unit_id"), "0x0025389100000039");
	number_is(&f, "nvme_namespaces[0].eui64.oui", 0x002538);
	assert_int_equal(facts_find(&f, "nvme_namespaces[0].eui64.ext_id")->privacy, FACT_SPECIMEN);
	number_is(&f, "nvme_pci_vendor.id", 0x144D);
	number_is(&f, "nvme_ieee_oui_identifier", 0x2538);
	number_is(&f, "nvme_total_capacity", 512110190592);
	number_is(&f, "nvme_composite_temperature_threshold.warning", 81);
	number_is(&f, "nvme_composite_temperature_threshold.critical", 82);
	number_is(&f, "user_capacity.bytes", 512110190592);
	number_is(&f, "logical_block_size", 512);
	assert_int_equal(facts_is(&f, "smart_status.passed"), 0);
	number_is(&f, LOG "critical_warning", 4);
	number_is(&f, "temperature.current", 66);
	number_is(&f, LOG "available_spare", 5);
	number_is(&f, LOG "available_spare_threshold", 10);
	number_is(&f, LOG "percentage_used", 104);
	number_is(&f, LOG "media_errors", 3);
	number_is(&f, LOG "unsafe_shutdowns", 12);
	number_is(&f, LOG "num_err_log_entries", 1);
	number_is(&f, LOG "temperature_sensors[0]", 66);
	number_is(&f, LOG "temperature_sensors[2]", 72);
	number_is(&f, "power_on_time.hours", 20111);
	number_is(&f, "power_cycle_count", 77);
	number_is(&f, "platter.bytes_read", 123456789 * 512000.0);
	assert_null(facts_find(&f, "rotation_rate"));
	smart_fill_identity(&id, &f);
	assert_string_equal(id.serial_number, "S3EVNX0J900001");
	assert_true(id.size_bytes == 512110190592);
	facts_release(&f);
}

/* 2^64 + 2^64 - 1, and the two sides of 2^53. */
static void counters_of_128_bits(void **state)
{
	struct answers a;
	struct facts f = {0};

	(void)state;
	made_up(&a);
	put_le(a.log + 64, 8, (1ull << 53) - 1);
	put_le(a.log + 80, 8, 1ull << 53);
	memset(a.log + 96, 0xFF, 16);
	read_answers(&f, &a);
	assert_string_equal(facts_words(&f, LOG "data_units_written_s"), "36893488147419103231");
	assert_int_equal(facts_find(&f, LOG "data_units_written")->type, FACT_REAL);
	number_is(&f, LOG "host_reads", 9007199254740991);
	assert_null(facts_find(&f, LOG "host_reads_s"));
	assert_string_equal(facts_words(&f, LOG "host_writes_s"), "9007199254740992");
	assert_string_equal(facts_words(&f, LOG "controller_busy_time_s"),
		"340282366920938463463374607431768211455");
	facts_release(&f);
}

static void answers_that_are_none(void **state)
{
	struct answers a = {{0}, {0}, {0}};
	struct facts f = {0};

	(void)state;
	read_answers(&f, &a);
	/* that, and by which protocol nothing was said */
	assert_int_equal(f.n, 2);
	assert_string_equal(facts_words(&f, "device.protocol"), "NVMe");
	assert_int_equal(facts_is(&f, "platter.smart_log_empty"), 1);
	facts_release(&f);
	made_up(&a);
	put_le(a.log + 1, 2, 0);
	a.log[5] = 255;
	a.log[0] = 0;
	a.space[26] = 2; /* a format that is not there: its size is no size */
	memset(a.controller + 266, 0, 4);
	read_answers(&f, &a);
	assert_null(facts_find(&f, "temperature.current"));
	assert_int_equal(facts_is(&f, "smart_status.passed"), 1);
	assert_int_equal(facts_is(&f, "platter.life_used_at_least"), 1);
	assert_null(facts_find(&f, "user_capacity.bytes"));
	assert_null(facts_find(&f, "nvme_composite_temperature_threshold.warning"));
	facts_release(&f);
}

static void cut_anywhere(void **state)
{
	struct answers a;

	(void)state;
	made_up(&a);
	for (size_t n = 0; n <= 600; n++) {
		struct pages pages = {0};
		struct facts f = {0};

		pages_add(&pages, ASK_NVME_CONTROLLER, 0, 0, "command", a.controller, n);
		pages_add(&pages, ASK_NVME_NAMESPACE, 0, 0, "command", a.space, n);
		pages_add(&pages, ASK_NVME_LOG, 2, 0, "command", a.log, n < 512 ? n : 512);
		smart_read(&f, &pages, 0);
		facts_release(&f);
		a.space[26] = (uint8_t)n;
		a.space[25] = (uint8_t)n;
		pages_release(&pages);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(whole_drive),
		cmocka_unit_test(counters_of_128_bits),
		cmocka_unit_test(answers_that_are_none),
		cmocka_unit_test(cut_anywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
