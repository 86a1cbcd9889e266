/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the trace filter writes down, sim/replay plays back; anything else is refused in words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "drive/trace.h"
#include "drive/trace_format.h"
#include "sim/replay.h"
#include "tests/unit/tiny_drive.h"

#define VERSION 7u
#define N 20

static int keep(void *arg, const void *bytes, size_t length)
{
	text_add_bytes(arg, bytes, length);
	return 0;
}

/* What came of one go over a drive: everything a probe could see. */
struct seen {
	uint64_t now_ns[2];
	int status[2];
	struct io ios[2][N];
	struct witness witness;
	uint64_t resident;
};

static void go(struct drive *d, struct seen *s, uint64_t until_ns)
{
	struct batch b = {.ios = s->ios[0], .n = N, .depth = 2};
	static _Alignas(512) unsigned char data[4096];

	memset(s, 0, sizeof(*s));
	s->now_ns[0] = drive_now_ns(d);
	tiny_ios(s->ios[0], N);
	s->ios[0][3].data = data;
	s->ios[0][5].not_before_ns = TINY_START_NS + 50000000;
	s->status[0] = drive_run(d, &b);
	drive_witness(d, &s->witness);
	drive_resident(d, 0, 8192, &s->resident);
	tiny_ios(s->ios[1], N);
	s->ios[1][0].offset = 512 * 2000;
	s->ios[1][1].length = 512;
	b = (struct batch){.ios = s->ios[1], .n = N, .depth = 1, .until_ns = until_ns};
	s->status[1] = drive_run(d, &b);
	s->now_ns[1] = drive_now_ns(d);
}

static const uint64_t until = TINY_START_NS + 72000000;

static void record(struct text *file, struct seen *s, int end_status)
{
	struct tiny t;
	struct trace_sink sink = {keep, file};
	struct drive *d;

	tiny_init(&t);
	if (end_status) {
		t.end_at_read = 25;
		t.end_status = end_status;
	}
	d = trace_open(&t.drive, VERSION, &sink);
	go(d, s, until);
	assert_int_equal(trace_status(d), 0);
	drive_close(d);
	assert_int_equal(t.closed, 0);
}

static int open_bytes(const void *bytes, size_t length, unsigned version, struct drive **d,
	struct err *e)
{
	char name[] = "/tmp/platter-replay-XXXXXX";
	int fd = mkstemp(name);
	int status;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, length), (ssize_t)length);
	close(fd);
	*e = (struct err){0};
	*d = NULL;
	status = replay_open(name, version, d, e);
	unlink(name);
	return status;
}

static void same_answers_come_back(void **state)
{
	(void)state;
	for (int end_status = 0; end_status >= -ENODEV; end_status -= ENODEV) {
		struct text file = {0};
		struct seen was, is;
		struct drive *d;
		struct err e;

		record(&file, &was, end_status);
		assert_int_equal(was.status[1], end_status);
		assert_int_equal(was.resident, 4096);

		/* the second run has read 20 + 4 when the drive goes, at 65 + 4 ms of 72 */
		assert_int_equal(was.ios[1][4].error, end_status ? -ECANCELED : 0);
		assert_int_equal(open_bytes(file.chars, file.length, VERSION, &d, &e), 0);
		assert_string_equal(d->info.name, "tiny");
		assert_string_equal(d->info.read_method, "tiny");
		assert_int_equal(d->info.size_bytes, 1u << 20);
		assert_int_equal(d->info.rotating, ROTATING_YES);
		assert_true(d->info.clock_error_ratio == 25e-6);
		go(d, &is, until);
		assert_memory_equal(&was, &is, sizeof(was));
		assert_string_equal(replay_missing(d), "");
		drive_close(d);
		text_release(&file);
	}
}

/* Recordings made before the clock's error was known, and of drives that do not know it, have none. */
static void a_recording_may_lack_the_clock_error(void **state)
{
	struct text file = {0};
	struct tiny t;
	struct seen was, is;
	struct trace_sink sink = {keep, &file};
	struct drive *d;
	struct err e;

	(void)state;
	tiny_init(&t);
	t.drive.info.clock_error_ratio = NAN;
	d = trace_open(&t.drive, VERSION, &sink);
	go(d, &was, until);
	drive_close(d);
	assert_int_equal(open_bytes(file.chars, file.length, VERSION, &d, &e), 0);
	assert_true(isnan(d->info.clock_error_ratio));
	assert_false(d->info.simulated);
	go(d, &is, until);
	assert_memory_equal(&was, &is, sizeof(was));
	drive_close(d);
	text_release(&file);
}

static void a_read_takes_few_bytes(void **state)
{
	struct text file = {0};
	struct seen s;

	(void)state;
	record(&file, &s, 0);
	assert_true(file.length < 2 * N * 12 + 150);
	text_release(&file);
}

/* Plays the recording with one thing asked differently. */
static void ask_otherwise(const struct text *file, int how, const char *says)
{
	static _Alignas(512) unsigned char data[4096];
	struct io ios[N];
	struct batch b = {.ios = ios, .n = N, .depth = 2};
	struct drive *d;
	struct err e;
	uint64_t bytes;
	struct witness w;

	assert_int_equal(open_bytes(file->chars, file->length, VERSION, &d, &e), 0);
	tiny_ios(ios, N);
	ios[3].data = how == 1 ? NULL : data;
	ios[5].not_before_ns = how == 2 ? 0 : TINY_START_NS + 50000000;
	if (how == 3)
		ios[7].offset += 512;
	if (how == 4)
		b.n = N - 1;
	if (how == 5)
		b.depth = 1;
	if (how == 6)
		b.until_ns = TINY_START_NS + 1;
	if (how != 7)
		drive_now_ns(d);
	if (how == 8)
		assert_int_equal(drive_witness(d, &w), -ENOTSUP);
	if (how == 9)
		assert_int_equal(drive_resident(d, 0, 512, &bytes), -ENOTSUP);
	assert_int_equal(drive_run(d, &b), -EPROTO);
	assert_non_null(strstr(replay_missing(d), says));
	assert_int_equal(drive_run(d, &b), -EPROTO);
	assert_true(drive_now_ns(d) > 0);
	drive_close(d);
}

static void another_request_is_named(void **state)
{
	struct text file = {0};
	struct seen s;

	(void)state;
	record(&file, &s, 0);
	ask_otherwise(&file, 1, "request 4 of the recording, 4096 bytes at byte 12288, was to be");
	ask_otherwise(&file, 2, "request 6 of the recording, 4096 bytes at byte 20480, was to be");
	ask_otherwise(&file, 3,
		"request 8 of the recording reads 4096 bytes at byte 28672, the plan "
		"asked for 4096 bytes at byte 29184");
	ask_otherwise(&file, 4, "the plan's batch ends after request 19");
	ask_otherwise(&file, 5, "request 20 was recorded with another depth");
	ask_otherwise(&file, 6, "request 20 was recorded with another depth");
	ask_otherwise(&file, 7, "has a look at the clock, the plan asked for a batch");
	ask_otherwise(&file, 8,
		"has a batch of requests, the plan asked for a look at the counters");
	ask_otherwise(&file, 9, "a question about the page cache");
	text_release(&file);
}

static void what_was_not_played_is_counted(void **state)
{
	struct text file = {0};
	struct seen was, is;
	struct drive *d;
	struct err e;

	(void)state;
	record(&file, &was, 0);
	text_add(&file, "garbage");
	assert_int_equal(open_bytes(file.chars, file.length, VERSION, &d, &e), 0);
	assert_true(replay_rest_bytes(d) > 7);
	go(d, &is, until);
	assert_memory_equal(&was, &is, sizeof(was));
	assert_int_equal(replay_rest_bytes(d), 7);
	assert_false(replay_damaged(d));
	drive_close(d);
	assert_int_equal(open_bytes(file.chars, file.length - 7, VERSION, &d, &e), 0);
	go(d, &is, until);
	assert_int_equal(replay_rest_bytes(d), 0);
	drive_close(d);
	text_release(&file);
}

static void cut_anywhere_it_says_so(void **state)
{
	struct text file = {0};
	struct seen was, is;

	(void)state;
	record(&file, &was, 0);
	for (size_t n = 0; n < file.length; n++) {
		struct drive *d;
		struct err e;
		int status = open_bytes(file.chars, n, VERSION, &d, &e);

		if (status) {
			assert_int_equal(status, -EINVAL);
			assert_true(e.text[0]);
			continue;
		}
		go(d, &is, until);
		assert_non_null(strstr(replay_missing(d), "cut off"));
		assert_true(replay_damaged(d));
		drive_close(d);
	}
	text_release(&file);
}

static void damaged_anywhere_it_does_not_crash(void **state)
{
	struct text file = {0};
	struct seen was, is;
	unsigned opened = 0;

	(void)state;
	record(&file, &was, 0);
	for (size_t n = 0; n < file.length * 3; n++) {
		static const unsigned char flips[] = {0x01, 0x80, 0xFF};
		struct drive *d;
		struct err e;

		file.chars[n / 3] = (char)(file.chars[n / 3] ^ flips[n % 3]);
		if (open_bytes(file.chars, file.length, VERSION, &d, &e) == 0) {
			/* another size or block would let the go ask outside the drive */
			if (d->info.size_bytes >= 1u << 20 && d->info.logical_block_bytes == 512)
				go(d, &is, until);
			drive_close(d);
			opened++;
		}
		file.chars[n / 3] = (char)(file.chars[n / 3] ^ flips[n % 3]);
	}
	assert_true(opened > file.length);
	text_release(&file);
}

static void other_versions_and_files_are_refused(void **state)
{
	struct text file = {0};
	struct seen s;
	struct drive *d;
	struct err e = {0};

	(void)state;
	record(&file, &s, 0);
	assert_int_equal(open_bytes(file.chars, file.length, VERSION + 1, &d, &e), -EPROTO);
	assert_non_null(strstr(e.text, "plan version 7, this platter has version 8"));
	assert_int_equal(open_bytes("{\"platter", 9, VERSION, &d, &e), -EINVAL);
	assert_non_null(strstr(e.text, "not a recording"));
	assert_int_equal(replay_open("/nonexistent/x", VERSION, &d, &e), -ENOENT);
	assert_non_null(strstr(e.text, "/nonexistent/x"));
	assert_int_equal(replay_open("/", VERSION, &d, &e), -EISDIR);
	text_release(&file);
}

static void stopped_it_is_not_missing(void **state)
{
	struct text file = {0};
	struct seen s;
	volatile sig_atomic_t stop = 1;
	struct batch_hook hook = {.stop = &stop};
	struct io io = {.length = 512};
	struct batch b = {.ios = &io, .n = 1, .depth = 1, .hook = &hook};
	struct drive *d;
	struct err e;

	(void)state;
	record(&file, &s, 0);
	assert_int_equal(open_bytes(file.chars, file.length, VERSION, &d, &e), 0);
	assert_int_equal(drive_run(d, &b), -EINTR);
	drive_now_ns(d);
	assert_int_equal(drive_run(d, &b), -EINTR);
	assert_string_equal(replay_missing(d), "");
	drive_close(d);
	text_release(&file);
}

static int refuse(void *arg, const void *bytes, size_t length)
{
	(void)bytes;
	(void)length;
	(*(unsigned *)arg)++;
	return -ENOSPC;
}

static void a_full_disk_ends_the_trace_only(void **state)
{
	struct tiny t;
	unsigned asked = 0;
	struct trace_sink sink = {refuse, &asked};
	struct drive *d;

	(void)state;
	tiny_init(&t);
	d = trace_open(&t.drive, VERSION, &sink);
	for (int i = 0; i < 40000; i++)
		assert_int_equal(drive_read(d, 0, 512, NULL, NULL), 0);
	assert_int_equal(trace_status(d), -ENOSPC);
	assert_int_equal(asked, 1);
	assert_int_equal(t.reads, 40000);
	drive_close(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_answers_come_back),
		cmocka_unit_test(a_recording_may_lack_the_clock_error),
		cmocka_unit_test(a_read_takes_few_bytes),
		cmocka_unit_test(another_request_is_named),
		cmocka_unit_test(what_was_not_played_is_counted),
		cmocka_unit_test(cut_anywhere_it_says_so),
		cmocka_unit_test(damaged_anywhere_it_does_not_crash),
		cmocka_unit_test(other_versions_and_files_are_refused),
		cmocka_unit_test(stopped_it_is_not_missing),
		cmocka_unit_test(a_full_disk_ends_the_trace_only),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
