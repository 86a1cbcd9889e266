/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The watch filter on a drive whose reads take 1 ms each, so that every expected count is the
 * quotient of two times. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "drive/watch.h"
#include "tests/unit/tiny_drive.h"

static void count(void *arg, uint64_t now_ns)
{
	(void)now_ns;
	(*(unsigned *)arg)++;
}

static void passes_batches_on(void **state)
{
	struct tiny t;
	struct io ios[8];
	struct batch b = {.ios = ios, .n = 8, .depth = 1};
	unsigned seen = 0;
	struct watch_config config = {.seen = count, .arg = &seen};
	struct drive *w;

	(void)state;
	tiny_init(&t);
	w = watch_open(&t.drive, &config);
	tiny_ios(ios, 8);
	assert_int_equal(drive_run(w, &b), 0);
	assert_int_equal(t.reads, 8);
	assert_int_equal(seen, 8);
	assert_int_equal(ios[7].done_ns - ios[0].sent_ns, 8 * TINY_READ_NS);
	assert_int_equal(w->info.size_bytes, t.drive.info.size_bytes);
	assert_null(b.hook);
	drive_close(w);
	assert_int_equal(t.closed, 0);
}

static void stop_flag_ends_this_run_and_all_later_ones(void **state)
{
	struct tiny t;
	struct io ios[8];
	struct batch b = {.ios = ios, .n = 8, .depth = 1};
	volatile sig_atomic_t stop = 0;
	struct watch_config config = {.stop = &stop};
	struct drive *w;

	(void)state;
	tiny_init(&t);
	t.raise = &stop;
	t.raise_at_read = 3;
	w = watch_open(&t.drive, &config);
	tiny_ios(ios, 8);
	assert_int_equal(drive_run(w, &b), -EINTR);
	assert_int_equal(t.reads, 3);
	assert_int_equal(ios[2].error, 0);
	assert_int_equal(ios[3].error, -ECANCELED);
	assert_false(watch_deadline_passed(w));
	stop = 0; /* a stop is final */
	assert_int_equal(drive_run(w, &b), -EINTR);
	assert_int_equal(t.runs, 1);
	drive_close(w);
}

static void both_stop_flags_count(void **state)
{
	(void)state;
	for (int outer = 0; outer < 2; outer++) {
		struct tiny t;
		struct io ios[8];
		volatile sig_atomic_t stop[2] = {0, 0};
		unsigned seen[2] = {0, 0};
		struct batch_hook hook = {.stop = &stop[1], .tick = count, .arg = &seen[1]};
		struct batch b = {.ios = ios, .n = 8, .depth = 1, .hook = &hook};
		struct watch_config config = {.stop = &stop[0], .seen = count, .arg = &seen[0]};
		struct drive *w;

		tiny_init(&t);
		t.raise = &stop[outer];
		t.raise_at_read = 5;
		w = watch_open(&t.drive, &config);
		tiny_ios(ios, 8);
		assert_int_equal(drive_run(w, &b), -EINTR);
		assert_int_equal(t.reads, 5);
		assert_int_equal(seen[0], 5);
		assert_int_equal(seen[1], 5);
		assert_ptr_equal(b.hook, &hook);
		drive_close(w);
	}
}

static void deadline_cuts_and_is_told_apart(void **state)
{
	struct tiny t;
	struct io ios[8];
	struct batch b = {.ios = ios, .n = 8, .depth = 1};
	struct watch_config config = {.deadline_ns = TINY_START_NS + 5 * TINY_READ_NS};
	struct drive *w;

	(void)state;
	tiny_init(&t);
	w = watch_open(&t.drive, &config);
	tiny_ios(ios, 8);
	assert_int_equal(drive_run(w, &b), -EINTR);
	assert_int_equal(t.reads, 5);
	assert_true(watch_deadline_passed(w));
	assert_int_equal(b.until_ns, 0);
	assert_int_equal(drive_run(w, &b), -EINTR);
	assert_int_equal(t.runs, 1);
	drive_close(w);
}

static void an_earlier_until_is_no_deadline(void **state)
{
	struct tiny t;
	struct io ios[8];
	struct batch b = {.ios = ios, .n = 8, .depth = 1,
		.until_ns = TINY_START_NS + 2 * TINY_READ_NS};
	struct watch_config config = {.deadline_ns = TINY_START_NS + 5 * TINY_READ_NS};
	struct drive *w;

	(void)state;
	tiny_init(&t);
	w = watch_open(&t.drive, &config);
	tiny_ios(ios, 8);
	assert_int_equal(drive_run(w, &b), 0);
	assert_int_equal(t.reads, 2);
	assert_false(watch_deadline_passed(w));
	watch_set_deadline(w, TINY_START_NS + TINY_READ_NS);
	assert_int_equal(drive_run(w, &b), -EINTR);
	assert_true(watch_deadline_passed(w));
	assert_int_equal(t.reads, 2);
	assert_false(watch_deadline_passed(&t.drive));
	drive_close(w);
}

static void other_failures_pass_through(void **state)
{
	struct tiny t;
	struct io ios[4];
	struct batch b = {.ios = ios, .n = 4, .depth = 1};
	struct watch_config config = {0};
	struct drive *w;
	struct witness seen;
	uint64_t bytes;

	(void)state;
	tiny_init(&t);
	t.end_at_read = 3;
	t.end_status = -ENODEV;
	w = watch_open(&t.drive, &config);
	tiny_ios(ios, 4);
	assert_int_equal(drive_run(w, &b), -ENODEV);
	assert_int_equal(ios[1].error, 0);
	assert_int_equal(drive_witness(w, &seen), 0);
	assert_int_equal(seen.device_reads, 2);
	assert_int_equal(drive_resident(w, 0, 8192, &bytes), 0);
	assert_int_equal(bytes, 4096);
	assert_int_equal(drive_now_ns(w), TINY_START_NS + 2 * TINY_READ_NS);
	drive_close(w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(passes_batches_on),
		cmocka_unit_test(stop_flag_ends_this_run_and_all_later_ones),
		cmocka_unit_test(both_stop_flags_count),
		cmocka_unit_test(deadline_cuts_and_is_told_apart),
		cmocka_unit_test(an_earlier_until_is_no_deadline),
		cmocka_unit_test(other_failures_pass_through),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
