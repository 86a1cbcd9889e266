/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sim/sim_drive, model_fault and the kinds that are no plain disk: what the abstract drive
 * promises, faults, flash, virtual disk, array, SMR, bridge. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "sim/model.h"
#include "sim/sim.h"
#include "sim/sim_inside.h"

#define N 5000

static struct io ios[N];

static struct drive *open_with(const char *spec, const char *key, const char *key2)
{
	struct truth t;
	struct err e = {0};

	if (truth_of_spec(spec, &t, &e) || (key && truth_set(&t, key, &e)) ||
		(key2 && truth_set(&t, key2, &e)) || truth_check(&t, &e))
		fail_msg("%s: %s", spec, e.text);
	return sim_drive_open(&t, 1, "sim:test");
}

static void random_ios(const struct drive *d, size_t n, uint32_t length)
{
	struct rng r;

	rng_init(&r, 1, 1);
	for (size_t i = 0; i < n; i++)
		ios[i] = (struct io){.length = length,
			.offset = rng_below(&r, d->info.size_bytes / length) * length};
}

static void sequential_ios(uint64_t from, size_t n, uint32_t length)
{
	for (size_t i = 0; i < n; i++)
		ios[i] = (struct io){.offset = from + i * length, .length = length};
}

static int run(struct drive *d, size_t n, unsigned depth)
{
	struct batch b = {.ios = ios, .n = n, .depth = depth};

	return drive_run(d, &b);
}

static double rate(struct drive *d, uint64_t from, size_t n, uint32_t length, unsigned depth)
{
	uint64_t last = 0;

	sequential_ios(from, n, length);
	assert_int_equal(run(d, n, depth), 0);
	for (size_t i = 0; i < n; i++)
		last = ios[i].done_ns > last ? ios[i].done_ns : last;
	return (double)(n - 1) * length / (double)(last - ios[0].done_ns) * 1e9;
}

static double mean_s(struct drive *d, size_t n, unsigned depth)
{
	double sum = 0;

	random_ios(d, n, 4096);
	assert_int_equal(run(d, n, depth), 0);
	for (size_t i = 0; i < n; i++)
		sum += (double)(ios[i].done_ns - ios[i].sent_ns);
	return sum / (double)n * 1e-9;
}

static void depth_is_kept_and_not_passed(void **state)
{
	static const unsigned DEPTHS[] = {1, 2, 7, 32, 256};

	(void)state;
	for (unsigned k = 0; k < 5; k++) {
		struct drive *d = open_with("hts725050a9a362", NULL, NULL);
		unsigned most = 0;

		random_ios(d, 1000, 4096);
		assert_int_equal(run(d, 1000, DEPTHS[k]), 0);
		for (size_t i = 0; i < 1000; i++) {
			unsigned out = 0;

			assert_true(ios[i].error == 0 && ios[i].done_ns > ios[i].sent_ns);
			assert_true(!i || ios[i].sent_ns >= ios[i - 1].sent_ns);
			for (size_t j = 0; j <= i; j++)
				out += ios[j].done_ns > ios[i].sent_ns;
			most = out > most ? out : most;
		}
		assert_int_equal(most, DEPTHS[k]);
		drive_close(d);
	}
}

/* The same seed is the same drive; the clocks of its two hosts differ by what was planted. */
static void a_wrong_clock_shows_other_times(void **state)
{
	struct drive *right = open_with("hts725050a9a362", "host_jitter_s=0", NULL);
	struct drive *wrong = open_with("hts725050a9a362", "host_jitter_s=0",
		"clock_error_ppm=10000");
	uint64_t start = drive_now_ns(right);
	double gained, took[2];

	(void)state;
	assert_true(right->info.clock_error_ratio == 0);
	assert_true(fabs(wrong->info.clock_error_ratio - 0.01) < 1e-12);
	assert_int_equal(drive_now_ns(wrong), start);
	for (int k = 0; k < 2; k++) {
		struct batch b = {.ios = ios, .n = 100, .depth = 2};

		random_ios(right, 100, 4096);
		ios[50].not_before_ns = k ? start + 4000000000 : 0;
		assert_int_equal(drive_run(k ? wrong : right, &b), 0);
		took[k] = (double)(ios[49].done_ns - start);
		assert_true(!k || ios[50].sent_ns - ios[50].not_before_ns <= 1);
	}
	gained = took[1] / took[0] - 1;
	assert_true(fabs(gained) > 1e-5 && fabs(gained) <= 0.01);
	drive_close(right);
	drive_close(wrong);
}

static void times_asked_for_are_kept(void **state)
{
	struct drive *d = open_with("hts725050a9a362", NULL, NULL);
	uint64_t start = drive_now_ns(d);
	struct batch b = {.ios = ios, .n = 100, .depth = 4, .until_ns = start + 305000000};
	size_t issued = 0;

	(void)state;
	assert_true(start > 0);
	random_ios(d, 100, 4096);
	for (size_t i = 0; i < 100; i++)
		ios[i].not_before_ns = start + i * 50000000;
	assert_int_equal(drive_run(d, &b), 0);
	for (size_t i = 0; i < 100; i++) {
		if (ios[i].error == -ECANCELED) {
			assert_true(ios[i].sent_ns == 0);
			continue;
		}
		issued++;
		assert_int_equal(ios[i].sent_ns, start + i * 50000000);
		assert_true(ios[i].sent_ns < b.until_ns);
	}
	assert_int_equal(issued, 7);
	drive_close(d);
}

static volatile sig_atomic_t stop;
static unsigned ticks;

static void count_tick(void *arg, uint64_t now_ns)
{
	assert_ptr_equal(arg, &ticks);
	assert_true(now_ns > 0);
	if (++ticks == 5)
		stop = 1;
}

static void told_to_stop_it_stops(void **state)
{
	struct drive *d = open_with("hts725050a9a362", NULL, NULL);
	struct batch_hook hook = {&stop, count_tick, &ticks};
	struct batch b = {.ios = ios, .n = N, .depth = 3, .hook = &hook};
	size_t answered = 0;

	(void)state;
	stop = 0;
	ticks = 0;
	random_ios(d, N, 4096);
	assert_int_equal(drive_run(d, &b), -EINTR);
	for (size_t i = 0; i < N; i++) {
		assert_true(ios[i].error == 0 || ios[i].error == -ECANCELED);
		answered += ios[i].error == 0;
	}
	/* five ticks are about half a second of reads at 13 ms */
	assert_in_range(answered, 25, 70);
	stop = 0;
	drive_close(d);
}

static void one_seed_one_answer(void **state)
{
	uint64_t first[100];

	(void)state;
	for (unsigned pass = 0; pass < 3; pass++) {
		struct err e;
		struct drive *d;
		unsigned same = 0;

		assert_int_equal(sim_open("raid1", DRIVE_DIRECT, pass == 2 ? 8 : 7, &d, &e), 0);
		random_ios(d, 100, 4096);
		assert_int_equal(run(d, 100, 4), 0);
		for (unsigned i = 0; i < 100; i++) {
			same += pass && first[i] == ios[i].done_ns;
			if (!pass)
				first[i] = ios[i].done_ns;
		}
		assert_int_equal(same, pass == 1 ? 100 : 0);
		drive_close(d);
	}
}

static void content_is_the_place(void **state)
{
	static unsigned char data[65536];
	struct drive *d = open_with("6e040l0", NULL, NULL);

	(void)state;
	assert_int_equal(drive_read(d, 77ull << 30 >> 2, sizeof(data), data, NULL), 0);
	for (uint64_t i = 0; i < sizeof(data) / 512; i++) {
		const unsigned char *s = data + i * 512;
		uint64_t lba = 0;

		for (int k = 7; k >= 0; k--)
			lba = lba << 8 | s[k];
		assert_int_equal(lba, (77ull << 30 >> 2) / 512 + i);
		assert_memory_equal(s + 8, "PLATTERSIMDRIVE\0", 16);
	}
	drive_close(d);
}

static void the_witness_counts(void **state)
{
	struct drive *d = open_with("hts725050a9a362", "foreign_share = 0.25", NULL);
	struct witness a, b, w;

	(void)state;
	assert_int_equal(drive_witness(d, &a), 0);
	random_ios(d, 3000, 8192);
	assert_int_equal(run(d, 3000, 2), 0);
	assert_int_equal(drive_witness(d, &b), 0);
	w = witness_since(&a, &b);
	assert_true(w.known & WITNESS_DEVICE && w.known & WITNESS_CPU);
	/* 3000 of ours are three quarters: 1000 others, give or take 3 deviations */
	assert_in_range(w.device_reads, 3920, 4080);
	assert_int_equal(w.device_read_bytes, 3000 * 8192 + (w.device_reads - 3000) * 4096);
	assert_true(w.device_writes == 0 && w.reader_system_ns >= 3000 * 5000);
	drive_close(d);
}

static void a_bad_place_fails_and_no_other(void **state)
{
	struct drive *d = open_with("hts725050a9a362", "fault = eio 1M 4096 61 700 2", NULL);
	uint64_t ns;

	(void)state;
	assert_int_equal(drive_read(d, (1 << 20) - 4096, 4096, NULL, NULL), 0);
	assert_int_equal(drive_read(d, 1 << 20, 4096, NULL, &ns), -ENODATA);
	assert_in_range(ns, 700000000, 760000000);
	assert_int_equal(drive_read(d, 0, 2 << 20, NULL, NULL), -ENODATA);
	assert_int_equal(drive_read(d, 1 << 20, 4096, NULL, NULL), 0);
	drive_close(d);
}

static void slow_retry_and_noise_take_time(void **state)
{
	struct drive *d = open_with("hts725050a9a362", "fault = slow 1G 4096 50 1",
		"fault = retry 2G 4096 5");
	uint64_t ns;

	(void)state;
	assert_int_equal(drive_read(d, 1 << 30, 4096, NULL, &ns), 0);
	assert_in_range(ns, 50000000, 90000000);
	assert_int_equal(drive_read(d, 2ull << 30, 4096, NULL, &ns), 0);
	assert_in_range(ns, 41600000, 80000000);
	drive_close(d);
	d = open_with("hts725050a9a362", "fault = noise 0.5 100", NULL);
	assert_true(fabs(mean_s(d, N, 1) - 0.0662) < 0.003);
	drive_close(d);
}

static void a_sleeping_disk_wakes_once(void **state)
{
	struct drive *d = open_with("hts725050a9a362", "fault = standby", "spin_up_s = 4");
	uint64_t ns;

	(void)state;
	assert_int_equal(drive_read(d, 1 << 30, 4096, NULL, &ns), 0);
	assert_in_range(ns, 4000000000, 4050000000);
	assert_int_equal(drive_read(d, 2ull << 30, 4096, NULL, &ns), 0);
	assert_in_range(ns, 100000, 50000000);
	drive_close(d);
	d = open_with("hts725050a9a362", "fault = idle-standby 10", "spin_up_s = 4");
	assert_int_equal(drive_read(d, 1 << 30, 4096, NULL, &ns), 0);
	assert_true(ns < 50000000);
	ios[0] = (struct io){.offset = 2ull << 30, .length = 4096,
		.not_before_ns = drive_now_ns(d) + 11000000000};
	assert_int_equal(run(d, 1, 1), 0);
	assert_in_range(ios[0].done_ns - ios[0].sent_ns, 4000000000, 4050000000);
	drive_close(d);
}

static void a_hang_ends_or_is_no_answer(void **state)
{
	struct drive *d = open_with("hts725050a9a362", "fault = hang 5", NULL);
	uint64_t ns;

	(void)state;
	assert_int_equal(drive_read(d, 1 << 30, 4096, NULL, &ns), 0);
	assert_in_range(ns, 5000000000, 5050000000);
	drive_close(d);
	d = open_with("hts725050a9a362", "fault = at 1 hang 100", NULL);
	random_ios(d, 200, 4096);
	assert_int_equal(run(d, 200, 3), -ETIME);
	assert_int_equal(ios[0].error, 0);
	assert_int_equal(ios[199].error, -ECANCELED);
	assert_int_equal(drive_read(d, 0, 4096, NULL, NULL), -ETIME);
	drive_close(d);
}

static void a_drive_that_goes_is_gone(void **state)
{
	static const char *const KINDS[] = {"hts725050a9a362", "raid0", "usb2", "mzvl21t0hcjr",
		"virtual", "smr8tb"};

	(void)state;
	for (unsigned k = 0; k < 6; k++) {
		struct drive *d = open_with(KINDS[k], "fault = at 0.05 remove", NULL);
		uint64_t start = drive_now_ns(d);
		size_t answered = 0;

		random_ios(d, N, 4096);
		assert_int_equal(run(d, N, 4), -ENODEV);
		for (size_t i = 0; i < N; i++) {
			assert_true(ios[i].error == 0 || ios[i].error == -ECANCELED);
			if (ios[i].error == 0) {
				answered++;
				assert_true(ios[i].sent_ns <= start + 51000000);
			}
		}
		assert_in_range(answered, 1, N - 1);
		assert_int_equal(drive_read(d, 0, 4096, NULL, NULL), -ENODEV);
		drive_close(d);
	}
}

static void faults_put_in_while_running(void **state)
{
	struct truth t;
	struct model *m;
	struct model_request r = {.length = 4096, .arrive_ns = 1000};

	(void)state;
	truth_init(&t);
	m = model_open(&t, 1);
	assert_int_equal(model_fault(m, "eio 0 4096"), 0);
	assert_int_equal(model_fault(m, "eio zero 4096"), -EINVAL);
	assert_int_equal(model_fault(m, ""), -EINVAL);
	model_submit(m, &r);
	assert_ptr_equal(model_take(m, model_next_ns(m)), &r);
	assert_int_equal(r.error, -EIO);
	assert_int_equal(model_fault(m, "clear"), 0);
	r.arrive_ns = r.done_ns;
	model_submit(m, &r);
	assert_ptr_equal(model_take(m, model_next_ns(m)), &r);
	assert_int_equal(r.error, 0);
	model_close(m);
}

static void flash_is_parallel(void **state)
{
	struct drive *d = open_with("ssdsa2m080g2gc", NULL, NULL);

	(void)state;
	/* read, command, host, 4 KiB at 262 MB/s */
	assert_true(fabs(mean_s(d, N, 1) - 0.0001085) < 0.000004);
	assert_true(mean_s(d, N, 16) < 0.0004);
	assert_true(fabs(rate(d, 0, 1000, 1 << 20, 4) / 262e6 - 1) < 0.01);
	drive_close(d);
}

static void a_virtual_disk_has_its_two_kinds_of_answer(void **state)
{
	struct drive *d = open_with("virtual", NULL, NULL);
	unsigned fast = 0;
	/* lognormal: median 1.2 ms, sigma 0.6 */
	double slow = 0.0012 * exp(0.6 * 0.6 / 2);

	(void)state;
	assert_true(fabs(mean_s(d, N, 1) / (0.35 * 0.00008 + 0.65 * slow + 0.000044) - 1) < 0.04);
	for (size_t i = 0; i < N; i++)
		fast += ios[i].done_ns - ios[i].sent_ns < 200000;
	assert_in_range(fast, N * 0.32, N * 0.38);
	drive_close(d);
}

static void stripes_add_up_and_mirrors_share(void **state)
{
	struct drive *one = open_with("hts725050a9a362", NULL, NULL);
	struct drive *stripe = open_with("raid0", NULL, NULL);
	struct drive *mirror = open_with("raid1", NULL, NULL);
	double stream = rate(one, 0, 1000, 1 << 20, 1);
	double access = mean_s(one, N, 1);

	(void)state;
	assert_true(fabs(rate(stripe, 0, 2000, 1 << 20, 1) / stream - 2) < 0.02);
	assert_true(fabs(rate(mirror, 0, 1000, 1 << 20, 1) / stream - 1) < 0.01);
	/* a stream stays on its member, also when there are more requests */
	assert_true(fabs(rate(mirror, 40ull << 30, 1000, 65536, 4) / stream - 1) < 0.1);
	assert_true(fabs(mean_s(stripe, N, 1) / access - 1) < 0.03);
	/* the nearer arm is taken: seeks get shorter */
	assert_true(mean_s(mirror, N, 1) < 0.9 * access);
	/* one spindle at depth 2 gains little, two nearly double */
	assert_true(mean_s(mirror, N, 2) < 1.25 * mean_s(mirror, N, 1));
	drive_close(one);
	drive_close(stripe);
	drive_close(mirror);
}

/* A pattern of chunks: each byte range of the array is one range of one member. */
static void stripes_read_every_byte_once(void **state)
{
	struct drive *d = open_with("raid0", "members = 3", "chunk_bytes = 64k");

	(void)state;
	for (uint32_t length = 4096; length <= 2 << 20; length += 36864) {
		assert_int_equal(drive_read(d, 61440, length, NULL, NULL), 0);
		assert_int_equal(drive_read(d, 61440 + length, 4096, NULL, NULL), 0);
	}
	drive_close(d);
}

static void unmapped_is_answered_at_once(void **state)
{
	struct drive *d = open_with("smrnew", NULL, NULL);
	uint64_t most = 0;

	(void)state;
	random_ios(d, N, 4096);
	assert_int_equal(run(d, N, 1), 0);
	for (size_t i = 0; i < N; i++)
		most = ios[i].done_ns - ios[i].sent_ns > most ? ios[i].done_ns - ios[i].sent_ns :
								most;
	assert_true(most < 600000);
	drive_close(d);
}

static void smr_shares_are_what_was_planted(void **state)
{
	struct drive *d = open_with("smr8tb", NULL, NULL);
	unsigned fast = 0;

	(void)state;
	random_ios(d, N, 4096);
	assert_int_equal(run(d, N, 1), 0);
	for (size_t i = 0; i < N; i++)
		fast += ios[i].done_ns - ios[i].sent_ns < 600000;
	assert_in_range(fast, N * 0.33, N * 0.37);
	drive_close(d);
}

static void fragments_cost_seeks(void **state)
{
	struct drive *clean = open_with("smr8tb", "smr_unmapped_share = 0",
		"smr_dirty_share = 0");
	struct drive *dirty = open_with("smr8tb", "smr_unmapped_share = 0",
		"smr_dirty_share = 1");
	uint64_t from = 4000ull << 30;

	(void)state;
	assert_true(rate(clean, from, 500, 1 << 20, 1) > 3 * rate(dirty, from, 500, 1 << 20, 1));
	drive_close(clean);
	drive_close(dirty);
}

static void a_bridge_limits_and_rounds(void **state)
{
	struct drive *d = open_with("usb2", "host_jitter_s = 0", "host_outlier_share = 0");
	uint64_t phase = 0;
	double r = rate(d, 0, 300, 1 << 20, 1);

	(void)state;
	assert_int_equal(d->info.max_request_bytes, 120 << 10);
	assert_in_range(r, 28e6, 42e6);
	random_ios(d, 200, 4096);
	assert_int_equal(run(d, 200, 1), 0);
	for (size_t i = 0; i < 200; i++) {
		/* whole microframes apart */
		if (i)
			assert_int_equal(ios[i].done_ns % 125000, phase);
		phase = ios[i].done_ns % 125000;
	}
	drive_close(d);
}

static void no_delay_at_all(void **state)
{
	struct truth t;
	struct drive *d;
	uint64_t ns;

	(void)state;
	truth_init(&t);
	t.kind = TRUTH_NONE;
	t.host_delay_s = t.host_jitter_s = t.host_outlier_share = 0;
	d = sim_drive_open(&t, 1, "sim:none");
	assert_int_equal(drive_read(d, 0, 1 << 20, NULL, &ns), 0);
	assert_int_equal(ns, 0);
	drive_close(d);
}

static void drives_of_one_sector(void **state)
{
	static const char *const SIZES[] = {"size = 512", "size = 4096", "size = 1M",
		"size = 2097664"};

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct drive *d = open_with("hts725050a9a362", SIZES[i], "foreign_share = 0.5");
		uint32_t all = (uint32_t)d->info.size_bytes;

		for (unsigned k = 0; k < 10; k++) {
			assert_int_equal(drive_read(d, 0, all, NULL, NULL), 0);
			assert_int_equal(drive_read(d, all - 512, 512, NULL, NULL), 0);
		}
		drive_close(d);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(depth_is_kept_and_not_passed),
		cmocka_unit_test(a_wrong_clock_shows_other_times),
		cmocka_unit_test(times_asked_for_are_kept),
		cmocka_unit_test(told_to_stop_it_stops),
		cmocka_unit_test(one_seed_one_answer),
		cmocka_unit_test(content_is_the_place),
		cmocka_unit_test(the_witness_counts),
		cmocka_unit_test(a_bad_place_fails_and_no_other),
		cmocka_unit_test(slow_retry_and_noise_take_time),
		cmocka_unit_test(a_sleeping_disk_wakes_once),
		cmocka_unit_test(a_hang_ends_or_is_no_answer),
		cmocka_unit_test(a_drive_that_goes_is_gone),
		cmocka_unit_test(faults_put_in_while_running),
		cmocka_unit_test(flash_is_parallel),
		cmocka_unit_test(a_virtual_disk_has_its_two_kinds_of_answer),
		cmocka_unit_test(stripes_add_up_and_mirrors_share),
		cmocka_unit_test(stripes_read_every_byte_once),
		cmocka_unit_test(unmapped_is_answered_at_once),
		cmocka_unit_test(smr_shares_are_what_was_planted),
		cmocka_unit_test(fragments_cost_seeks),
		cmocka_unit_test(a_bridge_limits_and_rounds),
		cmocka_unit_test(no_delay_at_all),
		cmocka_unit_test(drives_of_one_sector),
	};

	return cmocka_run_group_tests_name("sim_drive", tests, NULL, NULL);
}
