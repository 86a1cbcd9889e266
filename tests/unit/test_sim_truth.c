/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sim/truth: what a truth file says, what it may not say, the built-in and the drawn drives. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "sim/sim.h"
#include "sim/truth.h"
#include "sim/truth_keys.h"

static void a_file_is_read_over_the_defaults(void **state)
{
	struct truth t;
	struct err e = {0};

	(void)state;
	assert_int_equal(truth_parse("# a drive\n\nrpm = 5400  # slow\n size=64 GB\nmodel = A B\n"
		"cache_bytes = 8M\nkind = disk\nrotating = no\nresident = 1M 64k\n"
		"fault = eio 1M 4096\nfault = at 2.5 remove", &t, &e), 0);
	assert_true(t.rpm == 5400.0 && t.size_bytes == 64000000000 && t.cache_bytes == 8 << 20);
	assert_string_equal(t.model, "A B");
	assert_int_equal(t.heads, 4);
	assert_int_equal(truth_rotating(&t), TRUTH_ROTATING_NO);
	assert_int_equal(t.resident_n, 1);
	assert_int_equal(t.resident[0].from_bytes, 1 << 20);
	assert_int_equal(t.resident[0].length_bytes, 65536);
	assert_int_equal(t.fault_n, 2);
	assert_string_equal(t.fault[0], "eio 1M 4096");
}

static void bad_input_names_line_and_key(void **state)
{
	static const struct {
		const char *text, *line, *key;
	} BAD[] = {
		{"rpm = 7200\nrpn = 5400\n", "line 2", "rpn"},
		{"rpm = fast", "line 1", "rpm"},
		{"rpm = 7200rpm", "line 1", "rpm"},
		{"rpm = 0x10", "line 1", "rpm"},
		{"rpm = nan", "line 1", "rpm"},
		{"rpm = 0", "line 1", "rpm"},
		{"rpm = 1e999", "line 1", "rpm"},
		{"heads = 0", "line 1", "heads"},
		{"heads = -1", "line 1", "heads"},
		{"heads = 2.5", "line 1", "heads"},
		{"\n\n\nheads = 65", "line 4", "heads"},
		{"size = big", "line 1", "size"},
		{"size = -1", "line 1", "size"},
		{"zones = 65", "line 1", "zones"},
		{"kind = floppy", "line 1", "kind"},
		{"kind = dis", "line 1", "kind"},
		{"rpm =", "line 1", "rpm"},
		{"nothing", "line 1", "nothing"},
		{"= 5", "line 1", ""},
		{"like = nosuch", "line 1", "like"},
		{"resident = 5", "line 1", "resident"},
		{"resident = 5 6 7", "line 1", "resident"},
		{"fault = explode", "line 1", "fault"},
		{"fault = eio 5", "line 1", "fault"},
		{"fault = slow 0 4096", "line 1", "fault"},
		{"fault = noise 2 5", "line 1", "fault"},
		{"fault = at x remove", "line 1", "fault"},
		{"fault = at 5 at 6 remove", "line 1", "fault"},
		{"fault = hang", "line 1", "fault"},
		{"foreign_share = 1", "line 1", "foreign_share"},
		/* what does not go together */
		{"size = 1000", "", "size"},
		{"size = 0", "", "size"},
		{"logical_block_bytes = 520", "", "logical_block_bytes"},
		{"logical_block_bytes = 4096", "", "physical_block_bytes"},
		{"inner_sectors_per_track = 5000", "", "inner_sectors_per_track"},
		{"average_seek_s = 0.0001", "", "average_seek_s"},
		{"average_seek_s = 0.0199", "", "average_seek_s"},
		{"cache_bytes = 4096", "", "cache_segments"},
		{"kind = array\nmember = nosuch", "", "member"},
		{"kind = array\nmember = raid0", "", "member"},
		{"kind = array\nmember = 6e040l0\nsize = 83 GB", "", "size"},
		{"kind = smr\nsmr_dirty_share = 0.7\nsmr_unmapped_share = 0.7", "",
			"smr_dirty_share"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(BAD) / sizeof(BAD[0]); i++) {
		struct err e = {0};
		struct truth t;
		int status = truth_parse(BAD[i].text, &t, &e);

		if (status != -EINVAL || !strstr(e.text, BAD[i].line) ||
			!strstr(e.text, BAD[i].key))
			fail_msg("'%s' gave %d: %s", BAD[i].text, status, e.text);
	}
}

static void one_key_on_top(void **state)
{
	struct truth t;
	struct err e = {0};

	(void)state;
	truth_init(&t);
	assert_int_equal(truth_set(&t, "rpm=10000", &e), 0);
	assert_int_equal(truth_set(&t, " heads = 2 ", &e), 0);
	assert_true(t.rpm == 10000.0 && t.heads == 2);
	assert_int_equal(truth_set(&t, "heads=many", &e), -EINVAL);
	assert_int_equal(t.heads, 2);
	for (int i = 0; i < 16; i++)
		assert_int_equal(truth_set(&t, "resident=0 1M", &e), 0);
	assert_int_equal(truth_set(&t, "resident=0 1M", &e), -EINVAL);
	for (int i = 0; i < 16; i++)
		assert_int_equal(truth_set(&t, "fault=clear", &e), 0);
	assert_int_equal(truth_set(&t, "fault=clear", &e), -EINVAL);
}

static void printed_and_read_again(const struct truth *t)
{
	struct text text = {0}, again = {0};
	struct truth u;
	struct err e = {0};

	truth_print(t, &text);
	if (truth_parse(text_chars(&text), &u, &e))
		fail_msg("%s: %s", t->model, e.text);
	truth_print(&u, &again);
	assert_string_equal(text_chars(&text), text_chars(&again));
	assert_true(u.rpm == t->rpm && u.size_bytes == t->size_bytes && u.kind == t->kind);
	text_release(&text);
	text_release(&again);
}

static void every_built_in_drive_opens(void **state)
{
	struct truth_builtin b;
	unsigned i = 0;

	(void)state;
	for (; truth_builtin_at(i, &b); i++) {
		struct identity id;
		struct drive *d = NULL;
		struct truth t;
		struct err e = {0};
		const char *about;

		if (truth_of_spec(b.name, &t, &e) || sim_open(b.name, DRIVE_DIRECT, 1, &d, &e) ||
			sim_identity(b.name, &id, &e))
			fail_msg("%s: %s", b.name, e.text);
		printed_and_read_again(&t);
		assert_string_equal(sim_name_at(i, &about), b.name);
		assert_true(d->info.simulated && id.simulated);
		assert_int_equal(d->info.size_bytes, id.size_bytes);
		assert_string_equal(d->info.name, id.device_name);
		assert_int_equal(drive_read(d, 0, 4096, NULL, NULL), 0);
		assert_int_equal(drive_read(d, d->info.size_bytes - 4096, 4096, NULL, NULL), 0);
		drive_close(d);
	}
	assert_true(i >= 16);
	assert_null(sim_name_at(i, NULL));
}

static void specs_that_are_not(void **state)
{
	struct drive *d;
	struct err e = {0};

	(void)state;
	assert_int_equal(sim_open("sim:nosuch", DRIVE_DIRECT, 1, &d, &e), -ENOENT);
	assert_non_null(strstr(e.text, "nosuch"));
	assert_null(d);
	assert_int_equal(sim_open("sim:random:x", DRIVE_DIRECT, 1, &d, &e), -EINVAL);
	assert_int_equal(sim_open("sim:./none.truth", DRIVE_DIRECT, 1, &d, &e), -ENOENT);
	assert_int_equal(sim_open("sim:/", DRIVE_DIRECT, 1, &d, &e), -EISDIR);
}

static void a_truth_file_is_a_drive(void **state)
{
	char path[] = "/tmp/platter-test-XXXXXX", spec[64];
	struct drive *d;
	struct err e = {0};
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	assert_true(write(fd, "like = 6e040l0\nsize = 1M\n", 25) == 25);
	snprintf(spec, sizeof(spec), "sim:%s", path);
	assert_int_equal(sim_open(spec, DRIVE_DIRECT, 1, &d, &e), 0);
	assert_int_equal(d->info.size_bytes, 1 << 20);
	drive_close(d);
	assert_true(write(fd, "rpm = x\n", 8) == 8);
	assert_int_equal(sim_open(spec, DRIVE_DIRECT, 1, &d, &e), -EINVAL);
	assert_non_null(strstr(e.text, "line 3"));
	assert_non_null(strstr(e.text, "rpm"));
	close(fd);
	unlink(path);
}

static void drawn_drives_open_and_answer(void **state)
{
	double smallest = 1e18, largest = 0;
	unsigned large_sectors = 0, unlike = 0;

	(void)state;
	for (unsigned seed = 0; seed < 200; seed++) {
		char spec[32];
		struct truth t, again;
		struct drive *d;
		struct err e = {0};

		snprintf(spec, sizeof(spec), "random:%u", seed);
		if (truth_of_spec(spec, &t, &e) || sim_open(spec, DRIVE_DIRECT, seed, &d, &e))
			fail_msg("%s: %s", spec, e.text);
		truth_random(seed, &again);
		assert_true(again.size_bytes == t.size_bytes && again.rpm == t.rpm);
		printed_and_read_again(&t);
		assert_in_range(t.rpm, 3600, 15000);
		assert_in_range(t.outer_sectors_per_track * t.physical_block_bytes, 60 * 512,
			5500 * 512);
		unlike += t.readahead_stop || t.zero_latency || t.seek_inward_ratio != 1.0;
		assert_in_range(t.heads, 1, 20);
		assert_in_range(t.cache_bytes, 60 << 10, 512 << 20);
		for (unsigned i = 0; i < 20; i++) {
			uint64_t block = i * (d->info.size_bytes / 4096 / 20), ns;

			assert_int_equal(drive_read(d, block * 4096, 4096, NULL, &ns), 0);
			assert_in_range(ns, 20000, 400000000);
		}
		smallest = (double)t.size_bytes < smallest ? (double)t.size_bytes : smallest;
		largest = (double)t.size_bytes > largest ? (double)t.size_bytes : largest;
		large_sectors += t.logical_block_bytes == 4096;
		drive_close(d);
	}
	assert_true(smallest >= 0.49e9 && smallest < 0.7e9);
	assert_true(largest > 10e12 && largest <= 32e12);
	assert_in_range(unlike, 50, 150);
	assert_in_range(large_sectors, 1, 60);
}

static void every_key_is_in_the_table_once(void **state)
{
	(void)state;
	for (size_t i = 0; truth_key_at(i); i++)
		assert_ptr_equal(truth_key_find(truth_key_at(i)->name), truth_key_at(i));
	assert_null(truth_key_find("nosuch"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_read_over_the_defaults),
		cmocka_unit_test(bad_input_names_line_and_key),
		cmocka_unit_test(one_key_on_top),
		cmocka_unit_test(every_built_in_drive_opens),
		cmocka_unit_test(specs_that_are_not),
		cmocka_unit_test(a_truth_file_is_a_drive),
		cmocka_unit_test(drawn_drives_open_and_answer),
		cmocka_unit_test(every_key_is_in_the_table_once),
	};

	return cmocka_run_group_tests_name("sim_truth", tests, NULL, NULL);
}
