/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fault filter: exactly the reads it is told to hit are changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "drive/fault.h"
#include "tests/unit/tiny_drive.h"

static void read_errors_hit_by_number_and_place(void **state)
{
	struct tiny t;
	struct io ios[10];
	struct batch b = {.ios = ios, .n = 10, .depth = 1};
	const struct fault faults[] = {
		{.kind = FAULT_READ_ERROR, .first_read = 2, .last_read = 3, .to_bytes = UINT64_MAX,
			.error = -EIO},
		/* touches only the read at 7 * 4096 */
		{.kind = FAULT_READ_ERROR, .first_read = 1, .last_read = UINT64_MAX,
			.from_bytes = 8 * 4096 - 512, .to_bytes = 8 * 4096, .error = -EILSEQ},
	};
	struct drive *f;

	(void)state;
	tiny_init(&t);
	f = fault_open(&t.drive, faults, 2);
	tiny_ios(ios, 10);
	assert_int_equal(fault_hits(f), 0);
	assert_int_equal(drive_run(f, &b), 0);
	for (int i = 0; i < 10; i++)
		assert_int_equal(ios[i].error, i == 1 || i == 2 ? -EIO : i == 7 ? -EILSEQ : 0);
	assert_int_equal(fault_hits(f), 3);
	assert_int_equal(drive_run(f, &b), 0);
	assert_int_equal(ios[1].error, 0); /* now read 12 */
	assert_int_equal(ios[7].error, -EILSEQ);
	drive_close(f);
	assert_int_equal(t.closed, 0);
}

static void run_error_ends_this_and_every_later_run(void **state)
{
	(void)state;
	for (uint64_t at = 1; at <= 6; at++) {
		struct tiny t;
		struct io ios[4];
		struct batch b = {.ios = ios, .n = 4, .depth = 1};
		const struct fault fault = {.kind = FAULT_RUN_ERROR, .first_read = at,
			.last_read = UINT64_MAX, .to_bytes = UINT64_MAX, .error = -ENODEV};
		struct drive *f;
		unsigned reads_before = (unsigned)at - 1;

		tiny_init(&t);
		f = fault_open(&t.drive, &fault, 1);
		tiny_ios(ios, 4);
		assert_int_equal(drive_run(f, &b), at <= 4 ? -ENODEV : 0);
		if (at > 4)
			assert_int_equal(drive_run(f, &b), -ENODEV);
		assert_int_equal(t.reads, reads_before);
		for (unsigned i = 0; i < 4; i++)
			assert_int_equal(ios[i].error, i < reads_before % 4 ? 0 : -ECANCELED);
		assert_int_equal(drive_run(f, &b), -ENODEV);
		assert_int_equal(t.reads, reads_before);
		drive_close(f);
	}
}

static void delay_moves_the_clock(void **state)
{
	struct tiny t;
	struct io ios[3];
	struct batch b = {.ios = ios, .n = 3, .depth = 1};
	const struct fault fault = {.kind = FAULT_DELAY, .first_read = 2, .last_read = 2,
		.to_bytes = UINT64_MAX, .delay_ns = 70000000};
	struct drive *f;

	(void)state;
	tiny_init(&t);
	f = fault_open(&t.drive, &fault, 1);
	tiny_ios(ios, 3);
	assert_int_equal(drive_run(f, &b), 0);
	assert_int_equal(ios[0].done_ns - ios[0].sent_ns, TINY_READ_NS);
	assert_int_equal(ios[1].done_ns - ios[1].sent_ns, TINY_READ_NS + 70000000);
	assert_int_equal(ios[2].sent_ns, ios[1].done_ns);
	assert_int_equal(drive_now_ns(f), TINY_START_NS + 3 * TINY_READ_NS + 70000000);
	/* times given by the caller are on this clock too */
	b.until_ns = drive_now_ns(f) + 2 * TINY_READ_NS;
	ios[0].not_before_ns = drive_now_ns(f) + TINY_READ_NS;
	assert_int_equal(drive_run(f, &b), 0);
	assert_int_equal(ios[0].sent_ns, ios[0].not_before_ns);
	assert_int_equal(ios[0].error, 0);
	assert_int_equal(ios[1].error, -ECANCELED);
	drive_close(f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(read_errors_hit_by_number_and_place),
		cmocka_unit_test(run_error_ends_this_and_every_later_run),
		cmocka_unit_test(delay_moves_the_clock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
