/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What some drives do otherwise: each key's effect against arithmetic. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/rng.h"
#include "sim/disk_geometry.h"
#include "sim/disk_spindle.h"
#include "sim/sim_inside.h"

#define N 20000

static struct io ios[N];

/* A disk without noise. */
static void quiet(struct truth *t)
{
	struct err e = {0};

	assert_int_equal(truth_of_spec("hts725050a9a362", t, &e), 0);
	t->host_delay_s = t->host_jitter_s = t->host_outlier_share = 0;
	t->settle_noise_s = t->seek_retry_share = t->reread_share = t->command_jitter_s = 0;
}

static double mean_latency_ns(const struct truth *t, size_t n)
{
	struct drive *d = sim_drive_open(t, 5, "sim:test");
	struct batch b = {.ios = ios, .n = n, .depth = 1};
	double sum = 0;

	assert_int_equal(drive_run(d, &b), 0);
	for (size_t i = 0; i < n; i++)
		sum += (double)(ios[i].done_ns - ios[i].sent_ns);
	drive_close(d);
	return sum / (double)n;
}

static void random_places(const struct truth *t, size_t n)
{
	struct rng r;

	rng_init(&r, 3, 1);
	for (size_t i = 0; i < n; i++)
		ios[i] = (struct io){.length = 4096,
			.offset = rng_below(&r, t->size_bytes / 4096) * 4096};
}

/* Whole tracks at random: from the start half a turn is waited for it, from anywhere nothing. */
static void a_track_is_read_from_anywhere(void **state)
{
	struct disk_geometry g;
	struct disk_seek seek;
	struct truth t;
	double from_start, from_anywhere;

	(void)state;
	quiet(&t);
	disk_geometry_init(&g, &seek, &t, 5);
	random_places(&t, N);
	for (size_t i = 0; i < N; i++) {
		uint64_t sector = ios[i].offset / g.sector_bytes;
		struct disk_place p = disk_locate(&g, sector);

		ios[i].offset = (sector - p.sector) * g.sector_bytes;
		ios[i].length = p.spt * g.sector_bytes;
	}
	from_start = mean_latency_ns(&t, N);
	t.zero_latency = 1;
	from_anywhere = mean_latency_ns(&t, N);
	assert_true(fabs((from_start - from_anywhere) / g.turn_ns - 0.5) < 0.02);
}

/* Reading again at once what was read from the middle on is a hit. */
static void what_was_read_out_of_turn_is_there(void **state)
{
	struct truth t;

	(void)state;
	quiet(&t);
	t.zero_latency = 1;
	random_places(&t, N);
	for (size_t i = 0; i < N; i += 2) {
		ios[i].length = 262144;
		ios[i].offset = ios[i].offset % (t.size_bytes - 262144);
		ios[i + 1] = (struct io){.offset = ios[i].offset, .length = 4096};
	}
	mean_latency_ns(&t, N);
	for (size_t i = 1; i < N; i += 2)
		assert_true(ios[i].done_ns - ios[i].sent_ns < 200000);
}

/* The arm leaves half a turn later on average, and where it comes to is at no special angle. */
static void a_track_is_finished_first(void **state)
{
	struct truth t;
	double at_once, later;

	(void)state;
	quiet(&t);
	t.cache_bytes = 64 << 20;
	t.readahead_bytes = 4 << 20;
	random_places(&t, N);
	at_once = mean_latency_ns(&t, N);
	t.readahead_stop = TRUTH_STOP_TRACK;
	later = mean_latency_ns(&t, N);
	assert_true(fabs((later - at_once) / (60e9 / 7200) - 0.5) < 0.02);
}

static void a_spindle_sways_about_its_mean(void **state)
{
	const double turn = 60e9 / 7200, ppm = 1000;
	struct disk_spindle s;
	struct truth t;
	double least = INFINITY, most = 0, at = 0;

	(void)state;
	quiet(&t);
	t.rpm_wander_ppm = ppm;
	t.rpm_wander_s = 5;
	disk_spindle_init(&s, &t, turn, 7);
	for (unsigned i = 0; i < 6000; i++) { /* ten sways */
		double next = disk_spindle_after(&s, at, 1);

		assert_true(fabs(disk_spindle_between(&s, at, next) - 1) < 1e-9);
		assert_true(fabs(disk_spindle_after(&s, at, -1) - at + turn) < turn * 2e-3);
		least = fmin(least, next - at);
		most = fmax(most, next - at);
		at = next;
	}
	assert_true(fabs(least / turn - 1 + ppm * 1e-6) < 1e-5);
	assert_true(fabs(most / turn - 1 - ppm * 1e-6) < 1e-5);
	assert_true(fabs(at / 6000 / turn - 1) < 1e-5);
	for (unsigned i = 0; i < 1000; i++) {
		double place = i * 0.37, from = i * 1e7;
		double w = disk_spindle_wait_ns(&s, place, from);
		double turns = s.phase + s.sway * sin(s.shift) +
			disk_spindle_between(&s, 0, from + w) - place;

		assert_true(w >= 0 && w < turn * 1.002);
		assert_true(fabs(turns - round(turns)) < 1e-8);
	}
}

static void inward_takes_longer(void **state)
{
	struct truth t;
	struct disk_seek s;

	(void)state;
	quiet(&t);
	t.seek_inward_ratio = 1.25;
	assert_true(disk_seek_fit(&s, &t, 100000));
	for (uint64_t d = 1; d < 50000; d = d * 3 + 1) {
		double in = disk_seek_move_ns(&s, 20000, 20000 + d);
		double out = disk_seek_move_ns(&s, 20000 + d, 20000);

		assert_true(fabs(in / out - 1.25) < 1e-9);
		assert_true(fabs((in + out) / 2 / disk_seek_ns(&s, d) - 1) < 1e-9);
	}
	assert_true(disk_seek_move_ns(&s, 5, 5) == 0);
}

static void answers_wait_for_the_tick(void **state)
{
	const uint64_t tick_ns = 250000;
	struct truth t;
	struct drive *d;

	(void)state;
	quiet(&t);
	t.completion_tick_s = 0.00025;
	d = sim_drive_open(&t, 5, "sim:test");
	for (unsigned i = 0; i < 500; i++) {
		uint64_t ns;

		assert_int_equal(drive_read(d, i * 1000000000ull, 4096, NULL, &ns), 0);
		assert_int_equal(drive_now_ns(d) % tick_ns, 0);
		/* a hit does not wait */
		assert_int_equal(drive_read(d, i * 1000000000ull, 4096, NULL, &ns), 0);
		assert_true(ns < tick_ns && drive_now_ns(d) % tick_ns != 0);
	}
	drive_close(d);
}

static double elapsed_ns(const struct truth *t, size_t n, unsigned depth)
{
	struct drive *d = sim_drive_open(t, 5, "sim:test");
	struct batch b = {.ios = ios, .n = n, .depth = depth};
	uint64_t begin = drive_now_ns(d);

	assert_int_equal(drive_run(d, &b), 0);
	begin = drive_now_ns(d) - begin;
	drive_close(d);
	return (double)begin;
}

static void two_arms_work_side_by_side(void **state)
{
	struct truth t;
	double one, two;

	(void)state;
	quiet(&t);
	t.size_bytes = t.size_bytes / 8192 * 8192;
	t.actuators = 2;
	assert_int_equal(truth_check(&t, NULL), 0);
	random_places(&t, N);
	for (size_t i = 0; i < N; i++) /* in turn: each arm has its own half */
		ios[i].offset = ios[i].offset % (t.size_bytes / 2 / 4096 * 4096) +
			(i % 2 ? t.size_bytes / 2 : 0);
	one = elapsed_ns(&t, N, 1);
	two = elapsed_ns(&t, N, 2);
	/* the next is asked for when either is done: more than the half, as two waits differ */
	assert_true(two < one * 0.75);
	for (size_t i = 0; i < N; i++)
		ios[i].offset %= t.size_bytes / 2;
	two = elapsed_ns(&t, N, 2);
	assert_true(two > one * 0.9);
	/* one request in both halves */
	ios[0] = (struct io){.offset = t.size_bytes / 2 - 4096, .length = 8192};
	assert_true(elapsed_ns(&t, 1, 1) < 60e6);
	assert_int_equal(ios[0].error, 0);
}

static void one_spindle_has_one_angle(void **state)
{
	struct truth t;
	struct drive *d;
	uint64_t first, second;
	double turns;

	(void)state;
	quiet(&t);
	t.size_bytes = t.size_bytes / 8192 * 8192;
	t.actuators = 2;
	t.rpm_error_ppm = 0;
	d = sim_drive_open(&t, 5, "sim:test");
	assert_int_equal(drive_read(d, 1 << 30, 4096, NULL, NULL), 0);
	first = drive_now_ns(d);
	assert_int_equal(drive_read(d, t.size_bytes / 2 + (1 << 30), 4096, NULL, NULL), 0);
	second = drive_now_ns(d);
	turns = (double)(second - first) / (60e9 / 7200);
	assert_true(fabs(turns - round(turns)) < 1e-4);
	drive_close(d);
}

static void a_skew_can_be_long(void **state)
{
	struct disk_geometry g;
	struct disk_seek seek;
	struct truth t;
	double track;

	(void)state;
	quiet(&t);
	t.track_skew_turns = 0.4;
	t.head_skew_turns = 0.35;
	disk_geometry_init(&g, &seek, &t, 5);
	track = g.zone[0].spt[0];
	assert_true(fabs(disk_locate(&g, (uint64_t)track).turns - 1.35) < 1e-9);
	assert_true(fabs(disk_locate(&g, (uint64_t)(track * g.heads)).turns -
			(g.heads + (g.heads - 1) * 0.35 + 0.4)) < 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_track_is_read_from_anywhere),
		cmocka_unit_test(what_was_read_out_of_turn_is_there),
		cmocka_unit_test(a_track_is_finished_first),
		cmocka_unit_test(a_spindle_sways_about_its_mean),
		cmocka_unit_test(inward_takes_longer),
		cmocka_unit_test(answers_wait_for_the_tick),
		cmocka_unit_test(two_arms_work_side_by_side),
		cmocka_unit_test(one_spindle_has_one_angle),
		cmocka_unit_test(a_skew_can_be_long),
	};

	return cmocka_run_group_tests_name("sim_unlike", tests, NULL, NULL);
}
