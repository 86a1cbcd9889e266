/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of drives: what stands in it, how wide it is, and one drive under two names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/list_table.h"
#include "cli/twins.h"
#include "sheet/wrap.h"

struct shop {
	struct listed_drive drives[3];
	struct list_row rows[3];
	struct health health[3];
};

static void name(struct shop *s, size_t i, const char *device, const char *model,
	const char *serial, const char *bus)
{
	struct identity *id = &s->rows[i].identity;

	s->rows[i].drive = &s->drives[i];
	s->drives[i].readable = s->drives[i].whole = true;
	snprintf(id->device_name, sizeof(id->device_name), "%s", device);
	snprintf(id->device_type, sizeof(id->device_type), "disk");
	snprintf(id->model_name, sizeof(id->model_name), "%s", model);
	snprintf(id->serial_number, sizeof(id->serial_number), "%s", serial);
	snprintf(id->transport, sizeof(id->transport), "%s", bus);
	id->size_bytes = 500107862016;
	id->rotating_known = id->rotating = true;
}

static void open_shop(struct shop *s)
{
	memset(s, 0, sizeof(*s));
	name(s, 0, "/dev/sda", "Hitachi HTS725050A9A362", "110101PCK404VLGX0PBJ", "sata");
	name(s, 1, "/dev/sdb", "A drive with a model name that goes on and on", "Z1", "usb");
	name(s, 2, "/dev/nvme0n1", "Some SSD", "S4EVNF0M", "nvme");
	facts_integer(&s->rows[0].facts, "test", 7200, "rotation_rate");
	facts_integer(&s->rows[0].facts, "test", 35, "temperature.current");
	facts_text(&s->rows[0].contents, "test", FACT_OPEN, "sda1: mounted (ext4)", "use[0]");
	facts_text(&s->rows[0].contents, "test", FACT_OPEN, "sda2: mounted (ext4)", "use[1]");
	facts_text(&s->rows[0].contents, "test", FACT_OPEN, "sda3: RAID md0 (raid1)", "use[2]");
	facts_text(&s->rows[1].contents, "test", FACT_OPEN, "gpt", "partition_table.type");
	facts_integer(&s->rows[2].facts, "test", 0, "rotation_rate");
	s->drives[2].readable = false;
	s->rows[2].twin = "/dev/nvme1n1";
}

static void close_shop(struct shop *s)
{
	for (size_t i = 0; i < 3; i++) {
		facts_release(&s->rows[i].facts);
		facts_release(&s->rows[i].contents);
	}
}

static void widest_is(const char *table, size_t most)
{
	while (*table) {
		size_t n = strcspn(table, "\n");
		char line[512];

		snprintf(line, sizeof(line), "%.*s", (int)n, table);
		assert_true(wrap_columns(line) <= most);
		table += n + (table[n] == '\n');
	}
}

static void test_cells(void **state)
{
	struct list_style style = {.columns = 160, .utf8 = true};
	struct text out = {0};
	struct shop s;

	(void)state;
	open_shop(&s);
	list_table(&out, s.rows, 3, &style);
	assert_non_null(strstr(out.chars, "SERIAL"));
	assert_null(strstr(out.chars, "HEALTH"));
	assert_non_null(strstr(out.chars, "0PBJ    7200"));
	assert_null(strstr(out.chars, "110101"));
	assert_non_null(strstr(out.chars, "35 °C"));
	assert_non_null(strstr(out.chars, "mounted (ext4), RAID md0 (raid1)\n"));
	assert_non_null(strstr(out.chars, "holds gpt partition table"));
	assert_non_null(strstr(out.chars, "turns?"));
	assert_non_null(strstr(out.chars, "same drive as /dev/nvme1n1, may not be read by you"));
	text_release(&out);
	style.show_serial = true;
	list_table(&out, s.rows, 3, &style);
	assert_non_null(strstr(out.chars, "110101PCK404VLGX0PBJ"));
	text_release(&out);
	close_shop(&s);
}

static void test_width(void **state)
{
	struct text out = {0};
	struct shop s;

	(void)state;
	open_shop(&s);
	for (size_t i = 0; i < 3; i++) {
		snprintf(s.health[i].word, sizeof(s.health[i].word), "not asked");
		s.health[i].temperature = NAN;
		s.rows[i].health = &s.health[i];
	}
	for (size_t columns = 80; columns <= 120; columns += 20) {
		struct list_style style = {.columns = columns};

		list_table(&out, s.rows, 3, &style);
		widest_is(out.chars, columns);
		assert_non_null(strstr(out.chars, "HEALTH"));
		assert_non_null(strstr(out.chars, "/dev/nvme0n1"));
		assert_null(strstr(out.chars, "°"));
		text_release(&out);
	}
	/* every cell as wide as it gets */
	name(&s, 2, "/dev/nvme100n1", "A drive with a model name that goes on and on", "S4EVNF0M", "virtio");
	s.rows[2].identity.size_bytes = 18000207937536;
	s.health[2].temperature = 105;
	list_table(&out, s.rows, 3, &(struct list_style){.columns = 80, .utf8 = true});
	widest_is(out.chars, 80);
	assert_non_null(strstr(out.chars, "/dev/nvme100n1"));
	text_release(&out);
	close_shop(&s);
}

static size_t use_width(const char *table)
{
	size_t n = strcspn(table, "\n");
	const char *use = strstr(table, "USE");

	assert_true(use && use < table + n);
	return (size_t)(use - table);
}

/* Who uses a drive is told in at least 14 columns, at whatever width; what tells nothing goes first. */
static void test_use_has_room(void **state)
{
	static const size_t widths[] = {40, 60, 80, 200};
	struct text out = {0};
	struct shop s;

	(void)state;
	open_shop(&s);
	name(&s, 0, "/dev/nvme100n1", "A drive with a model name", "", "");
	s.rows[0].identity.rotating_known = false;
	for (size_t i = 0; i < 3; i++) {
		snprintf(s.health[i].word, sizeof(s.health[i].word), "not asked");
		s.health[i].temperature = NAN;
		s.rows[i].health = &s.health[i];
	}
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++) {
		struct list_style style = {.columns = widths[i]};

		list_table(&out, s.rows, 3, &style);
		widest_is(out.chars, widths[i]);
		assert_true(use_width(out.chars) + 14 <= widths[i] || widths[i] < 41);
		assert_non_null(strstr(out.chars, "not asked"));
		assert_non_null(strstr(out.chars, "/dev/nvme100n1"));
		assert_non_null(strstr(out.chars, widths[i] < 41 ? "mounted" : "mounted (ext"));
		text_release(&out);
	}
	/* only the bus tells nothing of the first two: it goes, and the rest stays */
	name(&s, 1, "/dev/sdb", "Another", "Z1", "");
	list_table(&out, s.rows, 2, &(struct list_style){.columns = 90});
	assert_null(strstr(out.chars, "BUS"));
	assert_non_null(strstr(out.chars, "RPM"));
	text_release(&out);
	close_shop(&s);
}

/* What nobody looked at is not told as if it were free. */
static void test_not_looked_at(void **state)
{
	struct text out = {0};
	struct shop s;

	(void)state;
	open_shop(&s);
	assert_false(list_not_looked_at(&s.rows[0]));
	assert_false(list_not_looked_at(&s.rows[1]));
	assert_false(list_not_looked_at(&s.rows[2]));
	s.rows[2].twin = NULL;
	assert_true(list_not_looked_at(&s.rows[2]));
	s.drives[2].readable = true;
	list_table(&out, s.rows, 3, &(struct list_style){.columns = 120});
	assert_non_null(strstr(out.chars, "  ?\n"));
	text_release(&out);
	facts_flag(&s.rows[2].contents, "test", true, "platter.signatures_looked_for");
	assert_false(list_not_looked_at(&s.rows[2]));
	s.rows[2].identity.size_bytes = 0;
	list_table(&out, s.rows, 3, &(struct list_style){.columns = 120});
	assert_non_null(strstr(out.chars, "no medium\n"));
	text_release(&out);
	close_shop(&s);
}

static void test_twins(void **state)
{
	struct identity a, b;
	struct shop s;

	(void)state;
	open_shop(&s);
	a = b = s.rows[0].identity;
	assert_true(twins_are(&a, &b));
	snprintf(b.serial_number, sizeof(b.serial_number), "ANOTHER");
	assert_false(twins_are(&a, &b));
	snprintf(a.wwn, sizeof(a.wwn), "0x5000cca5c0d1e2f3");
	snprintf(b.wwn, sizeof(b.wwn), "0x5000CCA5C0D1E2F3");
	assert_true(twins_are(&a, &b));
	b.wwn[17] = '4';
	snprintf(b.serial_number, sizeof(b.serial_number), "%s", a.serial_number);
	assert_false(twins_are(&a, &b));
	snprintf(b.device_type, sizeof(b.device_type), "dm");
	memcpy(b.wwn, a.wwn, sizeof(b.wwn));
	assert_false(twins_are(&a, &b));

	/* sticks of one make that all say "1" */
	a = b = s.rows[1].identity;
	assert_false(twins_are(&a, &b));
	a.serial_number[0] = b.serial_number[0] = 0;
	snprintf(a.transport, sizeof(a.transport), "sata");
	snprintf(b.transport, sizeof(b.transport), "sata");
	assert_false(twins_are(&a, &b));
	close_shop(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_cells),
		cmocka_unit_test(test_width),
		cmocka_unit_test(test_use_has_room),
		cmocka_unit_test(test_not_looked_at),
		cmocka_unit_test(test_twins),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
