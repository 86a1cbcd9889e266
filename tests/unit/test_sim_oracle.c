/* SPDX-License-Identifier: GPL-2.0-or-later */
/* tests/truth/oracle: its formula against whole runs on the drive, and its counts against each
 * other. The oracle belongs to another program, so its source is taken in whole. */
#include "tests/truth/oracle.c"
#include "tests/truth/oracle_cache.c"
#include "tests/truth/oracle_mechanics.c"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

static struct oracle *open_for(const char *spec, struct truth *t)
{
	struct err e = {0};

	if (truth_of_spec(spec, t, &e))
		fail_msg("%s", e.text);
	return oracle_open(t);
}

/* The formula and a read of the same range, on the same specimen. */
static void compare_rate(const char *spec, double from, double to)
{
	struct truth t;
	struct oracle *o = open_for(spec, &t);
	uint64_t a = (uint64_t)(from * (double)t.size_bytes) >> 20 << 20;
	uint64_t b = (uint64_t)(to * (double)t.size_bytes) >> 20 << 20;
	double exact, run;

	b = b - a > (20ull << 30) ? a + (20ull << 30) : b;
	assert_true(oracle_medium_limits(o, SPECIMEN, a, 1 << 20));
	exact = exact_rate(o, SPECIMEN, a, b);
	assert_int_equal(simulate_rate(o, 0, a, b, 1 << 20, &run), 0);
	/* re-reads are drawn: some hundred turns more or less among hundred thousands */
	if (fabs(run / exact - 1) > 0.002)
		fail_msg("%s from %.2f: %.6g by formula, %.6g by reading", spec, from, exact, run);
	oracle_close(o);
}

static void the_formula_is_what_reading_gives(void **state)
{
	(void)state;
	compare_rate("mhz2120bh", 0, 1.0 / 16);
	compare_rate("hts725050a9a362", 0.5, 0.55);
	compare_rate("hts725050a9a362", 31.0 / 32, 1);
	compare_rate("wd1602abjs", 0.2, 0.3);
	compare_rate("max3073nc", 0, 0.2);
	compare_rate("st318451lw", 0, 1);
	compare_rate("6e040l0", 0.4, 0.8);
	compare_rate("st16000nm001g", 0.7, 0.8);
}

static void drawn_disks_too(void **state)
{
	unsigned compared = 0;

	(void)state;
	for (unsigned seed = 0; seed < 60; seed++) {
		char spec[32];
		struct truth t;
		struct oracle *o;
		int medium;

		snprintf(spec, sizeof(spec), "random:%u", seed);
		o = open_for(spec, &t);
		medium = oracle_medium_limits(o, SPECIMEN, 0, 1 << 20);
		oracle_close(o);
		if (!medium)
			continue;
		compare_rate(spec, 0.4, 0.43);
		compared++;
	}
	assert_true(compared > 40);
}

static void things_that_do_not_exist(void **state)
{
	struct truth t;
	struct oracle *o = open_for("mzvl21t0hcjr", &t);
	struct oracle_access a;
	double x;

	(void)state;
	assert_int_equal(oracle_turns_per_s(o, 1, &x), -ENOENT);
	assert_int_equal(oracle_rate(o, 1, 0, t.size_bytes + 4096, 65536, &x), -ENOENT);
	assert_int_equal(oracle_rate(o, 1, 4096, 4096, 65536, &x), -ENOENT);
	assert_int_equal(oracle_access(o, 0, 8 * 4096, 4096, 1, &a), -ENOENT);
	assert_int_equal(oracle_pattern(o, ORACLE_REREAD, 0, 1 << 20, 65536, 2 << 20, 4, &x),
		-ENOENT);
	oracle_close(o);
}

static void the_spindle_of_the_specimen(void **state)
{
	struct truth t;
	struct oracle *o = open_for("hts725050a9a362", &t);
	double a = 0, b = 0, again = 0;

	(void)state;
	assert_int_equal(oracle_turns_per_s(o, 1, &a), 0);
	assert_int_equal(oracle_turns_per_s(o, 2, &b), 0);
	assert_int_equal(oracle_turns_per_s(o, 1, &again), 0);
	assert_true(a == again && a != b);
	assert_true(fabs(a / 120 - 1) <= 60.1e-6 && fabs(b / 120 - 1) <= 60.1e-6);
	oracle_close(o);
}

static void access_is_kept_and_consistent(void **state)
{
	struct truth t;
	struct oracle *o = open_for("hts725050a9a362", &t);
	struct oracle_access a = {0}, again = {0}, three = {0};
	double share;

	(void)state;
	assert_int_equal(oracle_access(o, 0, t.size_bytes, 4096, 1, &a), 0);
	assert_int_equal(oracle_access(o, 0, t.size_bytes, 4096, 3, &three), 0);
	assert_int_equal(oracle_access(o, 0, t.size_bytes, 4096, 1, &again), 0);
	assert_memory_equal(&a, &again, sizeof(a));
	assert_true(fabs(a.iops * a.mean_s - 1) < 1e-6);
	/* Little: three in the queue are three latencies at a time */
	assert_true(fabs(three.iops * three.mean_s / 3 - 1) < 1e-3);
	assert_true(three.iops > 1.1 * a.iops);
	assert_true(a.p50_s < a.p90_s && a.p90_s < a.p99_s && a.p99_s < a.p999_s);
	assert_true(a.mean_se_s > 0 && a.mean_se_s < 0.002 * a.mean_s);
	assert_int_equal(oracle_access_share(o, 0, t.size_bytes, 4096, 1, a.p90_s, &share), 0);
	assert_true(fabs(share - 0.9) < 1e-4);
	oracle_close(o);
}

static void patterns_and_caches(void **state)
{
	struct truth t;
	struct oracle *o = open_for("hts725050a9a362", &t);
	double reread, backward, strided, stream, cached, buffered, turn = 1.0 / 120;

	(void)state;
	assert_int_equal(oracle_rate(o, SPECIMEN, 0, 4ull << 30, 1 << 20, &stream), 0);
	assert_int_equal(oracle_cached(o, 0, 2 << 20, &cached), 0);
	assert_true(fabs(cached / 8e9 - 1) < 0.005);
	assert_int_equal(oracle_buffered(o, SPECIMEN, 0, 4ull << 30, 2 << 20, &buffered), 0);
	assert_true(fabs(buffered / stream - 1) < 0.01);
	assert_int_equal(oracle_pattern(o, ORACLE_BACKWARD, 0, 4ull << 30, 65536, 4 << 20, 4,
		&backward), 0);
	/* a record behind costs nearly a turn more than it takes to read */
	assert_in_range(backward, 65536 / turn * 0.9, 65536 / turn * 1.15);
	assert_int_equal(oracle_pattern(o, ORACLE_STRIDED, 0, 4ull << 30, 65536, 16 << 20, 4,
		&strided), 0);
	assert_true(strided < stream * 0.27 && strided > stream * 0.15);
	assert_int_equal(oracle_pattern(o, ORACLE_REREAD, 0, 4ull << 30, 65536, 1 << 20, 4,
		&reread), 0);
	assert_true(reread > 0 && reread < t.interface_bytes_per_s);
	oracle_close(o);
}

static void the_seek_curve_has_its_figures(void **state)
{
	enum { PAIRS = 200 };
	struct truth t;
	struct oracle *o = open_for("hts725050a9a362", &t);
	double sum = 0, weight = 0, x;

	(void)state;
	assert_int_equal(oracle_seek(o, 0, &x), 0);
	assert_true(fabs(x - t.track_to_track_s) < 1e-9);
	assert_int_equal(oracle_seek(o, 1, &x), 0);
	assert_true(fabs(x - t.full_stroke_s) < 1e-6);
	for (int i = 0; i < PAIRS; i++) {
		double d = (i + 0.5) / PAIRS;

		assert_int_equal(oracle_seek(o, d, &x), 0);
		sum += (1 - d) * x;
		weight += 1 - d;
	}
	assert_int_equal(oracle_average_seek(o, &x), 0);
	assert_true(fabs(sum / weight / x - 1) < 0.002);
	oracle_close(o);
}

/* Of many reads of a place on the same track, at all times of a turn, the fastest; by a drive that
 * keeps nothing. */
static void the_fastest_read_without_a_seek(void **state)
{
	enum { TIMES = 4000, SECTORS = 8 };
	struct truth t;
	struct oracle *o = open_for("hts725050a9a362", &t);
	struct oracle_track track = {0};
	double turn_s = 0, told, least = 1;
	uint64_t middle;
	struct drive *d;

	(void)state;
	assert_int_equal(oracle_turnaround(o, 5, 0, SECTORS * 512, &told), 0);
	assert_int_equal(oracle_track(o, 5, 0, &track), 0);
	assert_int_equal(oracle_turns_per_s(o, 5, &turn_s), 0);
	turn_s = 1 / turn_s;
	middle = (uint64_t)(track.bytes / 2) / 512 * 512;
	told -= t.host_jitter_s * MEDIAN_OF_EXPONENTIAL;
	t.host_jitter_s = t.host_outlier_share = t.command_jitter_s = t.reread_share = 0;
	t.cache_segments = 0;
	d = oracle_open_drive(&t, 5);
	for (int i = 0; i < TIMES; i++) {
		struct io first = {.offset = middle, .length = 512};
		struct io second = {.offset = middle - 200 * 512, .length = SECTORS * 512};
		struct batch b = {.ios = &first, .n = 1, .depth = 1};

		assert_int_equal(drive_run(d, &b), 0);
		second.not_before_ns = first.done_ns + (uint64_t)(turn_s * 1e9 * i / TIMES);
		b.ios = &second;
		assert_int_equal(drive_run(d, &b), 0);
		least = fmin(least, (double)(second.done_ns - second.sent_ns) * 1e-9);
	}
	if (fabs(least - told) > 1.5 * turn_s / TIMES)
		fail_msg("fastest %.9f, told %.9f", least, told);
	drive_close(d);
	oracle_close(o);
}

/* A stream's rate falls at each boundary by the step. */
static void boundaries_are_where_the_rate_falls(void **state)
{
	struct truth t;
	struct oracle *o = open_for("wd1602abjs", &t);
	struct oracle_boundary b;
	unsigned n = 0;

	(void)state;
	for (; oracle_boundary(o, 3, n, &b) == 0; n++) {
		uint64_t piece = 64 << 20;
		double before, after;

		assert_int_equal(oracle_rate(o, 3, b.offset_bytes - piece, b.offset_bytes, 1 << 20,
			&before), 0);
		assert_int_equal(oracle_rate(o, 3, b.offset_bytes, b.offset_bytes + piece, 1 << 20,
			&after), 0);
		assert_true(fabs(before / b.bytes_per_s_before - 1) < 0.003);
		assert_true(fabs(after / b.bytes_per_s_after - 1) < 0.003);
		assert_true(fabs(1 - after / before - b.step) < 0.004);
	}
	assert_int_equal(n, t.zones - 1);
	oracle_close(o);
}

/* Whether place number `at` of a drive that has read `places` far ones since is still there. */
static bool remembered(const struct truth *t, unsigned others)
{
	struct drive *d = oracle_open_drive(t, 1);
	uint64_t took, apart = t->size_bytes / 400 / 4096 * 4096;

	for (unsigned i = 0; i <= others; i++)
		assert_int_equal(drive_read(d, (1 + i) * apart, 4096, NULL, NULL), 0);
	assert_int_equal(drive_read(d, apart, 4096, NULL, &took), 0);
	drive_close(d);
	return took < 300000;
}

/* Whether a read so far behind the end of one is a hit after a while. */
static bool read_ahead(const struct truth *t, uint64_t distance)
{
	struct drive *d = oracle_open_drive(t, 1);
	struct io io[2] = {{.offset = 1 << 30, .length = 4096},
		{.offset = (1 << 30) + 4096 + distance, .length = 512}};
	struct batch b = {.ios = io, .n = 1, .depth = 1};

	assert_int_equal(drive_run(d, &b), 0);
	io[1].not_before_ns = io[0].done_ns + 500000000;
	b.ios = io + 1;
	assert_int_equal(drive_run(d, &b), 0);
	drive_close(d);
	return io[1].done_ns - io[1].sent_ns < 300000;
}

static void the_cache_is_as_told(void **state)
{
	struct truth t;
	struct oracle *o = open_for("hts725050a9a362", &t);
	uint64_t reach = 0;
	unsigned segments = 0;
	double hit, command, rate;

	(void)state;
	t.host_jitter_s = t.host_outlier_share = 0;
	assert_int_equal(oracle_segments(o, &segments), 0);
	assert_true(remembered(&t, segments - 1));
	assert_false(remembered(&t, segments));
	assert_int_equal(oracle_readahead(o, &reach), 0);
	assert_true(read_ahead(&t, reach - 512));
	assert_false(read_ahead(&t, reach));
	assert_int_equal(oracle_hit(o, 4096, &hit), 0);
	assert_int_equal(oracle_interface(o, &command, &rate), 0);
	assert_true(fabs(rate / t.interface_bytes_per_s - 1) < 0.02);
	assert_true(fabs(command - t.command_s - t.host_delay_s - 0.0000035) < 2e-6);
	assert_true(fabs(hit - command - 4096 / t.interface_bytes_per_s) < 2e-6);
	oracle_close(o);
	o = open_for("mzvl21t0hcjr", &t);
	assert_int_equal(oracle_segments(o, &segments), -ENOENT);
	assert_int_equal(oracle_hit(o, 4096, &hit), -ENOENT);
	assert_int_equal(oracle_seek(o, 0.5, &hit), -ENOENT);
	oracle_close(o);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_formula_is_what_reading_gives),
		cmocka_unit_test(drawn_disks_too),
		cmocka_unit_test(things_that_do_not_exist),
		cmocka_unit_test(the_spindle_of_the_specimen),
		cmocka_unit_test(access_is_kept_and_consistent),
		cmocka_unit_test(patterns_and_caches),
		cmocka_unit_test(the_seek_curve_has_its_figures),
		cmocka_unit_test(the_fastest_read_without_a_seek),
		cmocka_unit_test(boundaries_are_where_the_rate_falls),
		cmocka_unit_test(the_cache_is_as_told),
	};

	return cmocka_run_group_tests_name("sim_oracle", tests, NULL, NULL);
}
