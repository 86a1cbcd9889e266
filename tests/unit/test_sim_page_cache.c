/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sim/page_cache and resident_set: what is resident is known, and is fast. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "sim/resident_set.h"
#include "sim/sim.h"
#include "sim/sim_inside.h"

#define BYTES 2000u

/* Against a plain array of flags. */
static void a_set_of_ranges_is_a_set(void **state)
{
	static unsigned char in[BYTES];
	struct resident_set s = {0};
	struct rng r;

	(void)state;
	rng_init(&r, 1, 1);
	memset(in, 0, sizeof(in));
	for (unsigned i = 0; i < 300; i++) {
		uint64_t from = rng_below(&r, BYTES), to = from + rng_below(&r, i % 2 ? 9 : 40);
		struct resident_range gap;
		uint64_t sum = 0, a = rng_below(&r, BYTES), b = a + rng_below(&r, BYTES - a), k;

		to = to > BYTES ? BYTES : to;
		resident_add(&s, from, to);
		for (k = from; k < to; k++)
			in[k] = 1;
		for (k = a; k < b; k++)
			sum += in[k];
		assert_int_equal(resident_count(&s, a, b), sum);
		for (k = a; k < b && in[k]; k++)
			;
		assert_int_equal(resident_missing(&s, a, b, &gap), k < b);
		if (k < b) {
			assert_int_equal(gap.from, k);
			while (k < b && !in[k])
				k++;
			assert_int_equal(gap.to, k);
		}
		for (size_t j = 1; j < s.n; j++)
			assert_true(s.ranges[j - 1].to < s.ranges[j].from);
	}
	resident_release(&s);
}

static struct drive *open_cached(const char *key)
{
	struct truth t;
	struct err e = {0};

	if (truth_of_spec("hts725050a9a362", &t, &e) || (key && truth_set(&t, key, &e)))
		fail_msg("%s", e.text);
	return page_cache_open(&t, 1, sim_drive_open(&t, 1, "sim:test"));
}

static uint64_t resident(struct drive *d, uint64_t from, uint64_t length)
{
	uint64_t bytes;

	assert_int_equal(drive_resident(d, from, length, &bytes), 0);
	return bytes;
}

static void what_was_read_is_resident(void **state)
{
	struct drive *d = open_cached(NULL);
	uint64_t first, second;

	(void)state;
	assert_int_equal(d->info.path, DRIVE_PAGE_CACHE);
	assert_int_equal(resident(d, 0, d->info.size_bytes), 0);
	assert_int_equal(drive_read(d, 1 << 20, 2 << 20, NULL, &first), 0);
	assert_int_equal(resident(d, 0, 10 << 20), 2 << 20);
	assert_int_equal(resident(d, (1 << 20) + 4096, 4096), 4096);
	assert_int_equal(drive_read(d, 1 << 20, 2 << 20, NULL, &second), 0);
	/* at some 110 MB/s, and at 8 GB/s */
	assert_in_range(first, 17000000, 60000000);
	assert_in_range(second, 235000, 290000);
	/* a read of one sector brings a page */
	assert_int_equal(drive_read(d, 100 << 20, 512, NULL, NULL), 0);
	assert_int_equal(resident(d, 100 << 20, 1 << 20), 4096);
	drive_close(d);
}

static void reads_in_a_row_are_read_ahead(void **state)
{
	struct drive *d = open_cached(NULL);
	uint64_t ns;

	(void)state;
	assert_int_equal(drive_read(d, 0, 65536, NULL, NULL), 0);
	assert_int_equal(resident(d, 0, 1 << 20), 65536);
	assert_int_equal(drive_read(d, 65536, 65536, NULL, NULL), 0);
	assert_int_equal(resident(d, 0, 1 << 20), 3 * 65536);
	assert_int_equal(drive_read(d, 2 * 65536, 65536, NULL, &ns), 0);
	assert_true(ns < 20000);
	drive_close(d);
}

static void planted_pages_are_there(void **state)
{
	struct drive *d = open_cached("resident = 10M 1M");
	struct witness before, after;
	uint64_t ns;

	(void)state;
	assert_int_equal(resident(d, 0, 100 << 20), 1 << 20);
	assert_int_equal(drive_witness(d, &before), 0);
	assert_int_equal(drive_read(d, 10 << 20, 1 << 20, NULL, &ns), 0);
	assert_true(ns < 200000);
	assert_int_equal(drive_witness(d, &after), 0);
	assert_int_equal(after.device_reads, before.device_reads);
	/* half of it: only the other half is read */
	assert_int_equal(drive_read(d, (10 << 20) + (1 << 19), 1 << 20, NULL, NULL), 0);
	assert_int_equal(drive_witness(d, &after), 0);
	assert_int_equal(after.device_read_bytes - before.device_read_bytes, 1 << 19);
	drive_close(d);
}

static void the_end_of_the_drive_is_no_obstacle(void **state)
{
	struct drive *d = open_cached("size = 1049088");
	static unsigned char data[1024];

	(void)state;
	assert_int_equal(drive_read(d, 0, 1 << 20, NULL, NULL), 0);
	assert_int_equal(drive_read(d, 1 << 20, 512, data, NULL), 0);
	assert_int_equal(data[0] | data[1] << 8, 2048);
	assert_int_equal(resident(d, 0, d->info.size_bytes), d->info.size_bytes);
	drive_close(d);
}

static void errors_are_not_cached(void **state)
{
	struct drive *d = open_cached("fault = eio 8192 512 5 0 1");

	(void)state;
	assert_int_equal(drive_read(d, 8192, 4096, NULL, NULL), -EIO);
	assert_int_equal(resident(d, 0, 1 << 20), 0);
	assert_int_equal(drive_read(d, 8192, 4096, NULL, NULL), 0);
	assert_int_equal(resident(d, 0, 1 << 20), 4096);
	drive_close(d);
	d = open_cached("fault = remove");
	assert_int_equal(drive_read(d, 0, 4096, NULL, NULL), -ENODEV);
	drive_close(d);
}

static void the_direct_path_knows_nothing_of_pages(void **state)
{
	struct drive *d;
	struct err e;
	uint64_t bytes;

	(void)state;
	assert_int_equal(sim_open("6e040l0", DRIVE_DIRECT, 1, &d, &e), 0);
	assert_int_equal(drive_resident(d, 0, 4096, &bytes), -ENOTSUP);
	drive_close(d);
}

static volatile sig_atomic_t stop = 1;

static void stop_and_until_hold_here_too(void **state)
{
	struct drive *d = open_cached(NULL);
	struct io ios[10] = {{0}};
	struct batch_hook hook = {.stop = &stop};
	struct batch b = {.ios = ios, .n = 10, .depth = 1, .hook = &hook};
	unsigned done = 0;

	(void)state;
	for (unsigned i = 0; i < 10; i++)
		ios[i] = (struct io){.offset = i * 65536, .length = 65536,
			.not_before_ns = drive_now_ns(d) + i * 1000000000ull};
	assert_int_equal(drive_run(d, &b), -EINTR);
	assert_int_equal(ios[0].error, -ECANCELED);
	b.hook = NULL;
	b.until_ns = drive_now_ns(d) + 4500000000;
	assert_int_equal(drive_run(d, &b), 0);
	for (unsigned i = 0; i < 10; i++)
		done += ios[i].error == 0;
	assert_int_equal(done, 5);
	drive_close(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_set_of_ranges_is_a_set),
		cmocka_unit_test(what_was_read_is_resident),
		cmocka_unit_test(reads_in_a_row_are_read_ahead),
		cmocka_unit_test(planted_pages_are_there),
		cmocka_unit_test(the_end_of_the_drive_is_no_obstacle),
		cmocka_unit_test(errors_are_not_cached),
		cmocka_unit_test(the_direct_path_knows_nothing_of_pages),
		cmocka_unit_test(stop_and_until_hold_here_too),
	};

	return cmocka_run_group_tests_name("sim_page_cache", tests, NULL, NULL);
}
