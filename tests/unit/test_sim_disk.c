/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A simulated disk against arithmetic: mean access, sustained rate, rotation, queue, cache. */
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
#include "sim/disk_geometry.h"
#include "sim/model.h"
#include "sim/sim_inside.h"

#define N 40000

static struct io ios[N];

/* A disk without a host's delays. */
static void plain(struct truth *t, const char *spec)
{
	struct err e = {0};

	if (truth_of_spec(spec, t, &e))
		fail_msg("%s", e.text);
	t->host_delay_s = t->host_jitter_s = t->host_outlier_share = 0;
}

static void run(struct drive *d, size_t n, unsigned depth)
{
	struct batch b = {.ios = ios, .n = n, .depth = depth};

	assert_int_equal(drive_run(d, &b), 0);
}

static void random_ios(const struct drive *d, size_t n, uint64_t seed)
{
	struct rng r;

	rng_init(&r, seed, 1);
	for (size_t i = 0; i < n; i++)
		ios[i] = (struct io){.length = 4096,
			.offset = rng_below(&r, d->info.size_bytes / 4096) * 4096};
}

/* Overhead + mean seek over pairs of places + half a turn + transfer + what retries cost, ns. */
static double expected_access_ns(const struct truth *t, uint64_t seed)
{
	const unsigned pairs = 400000;
	struct disk_geometry g;
	struct disk_seek seek;
	struct rng r;
	double sum = 0;

	disk_geometry_init(&g, &seek, t, seed);
	rng_init(&r, 99, 1);
	for (unsigned i = 0; i < pairs; i++) {
		struct disk_place a = disk_locate(&g, rng_below(&r, g.sectors));
		struct disk_place b = disk_locate(&g, rng_below(&r, g.sectors));
		uint64_t x = a.cylinder > b.cylinder ? a.cylinder - b.cylinder :
						       b.cylinder - a.cylinder;
		double move = disk_seek_ns(&seek, x);

		if (a.head != b.head)
			move = fmax(move, t->head_switch_s * 1e9);
		sum += move + 4096.0 / g.sector_bytes / b.spt * g.turn_ns;
	}
	return sum / pairs + t->command_s * 1e9 + g.turn_ns / 2 + t->reread_share * g.turn_ns +
		t->seek_retry_share * t->seek_retry_s * 1e9 +
		g.sector_bytes / t->interface_bytes_per_s * 1e9;
}

static void check_access(const char *spec)
{
	struct truth t;
	struct drive *d;
	double sum = 0, expected;

	plain(&t, spec);
	d = sim_drive_open(&t, 5, "sim:test");
	random_ios(d, N, 1);
	run(d, N, 1);
	for (size_t i = 0; i < N; i++)
		sum += (double)(ios[i].done_ns - ios[i].sent_ns);
	expected = expected_access_ns(&t, 5);
	if (fabs(sum / N / expected - 1) > 0.01)
		fail_msg("%s: %.0f ns for %.0f", spec, sum / N, expected);
	drive_close(d);
}

static void mean_access_is_the_sum_of_its_parts(void **state)
{
	(void)state;
	check_access("hts545050b9sa02");
	check_access("hts725050a9a362");
	check_access("max3073nc");
	check_access("6e040l0");
	check_access("random:3");
}

/* Rate of a stream inside zone 0, over what its tracks take; cylinder layout, alike heads. */
static void check_rate(const char *spec)
{
	struct truth t;
	struct drive *d;
	struct disk_geometry g;
	struct disk_seek seek;
	double skews, expected, rate;
	const size_t n = 2000;
	const uint32_t request = 256 << 10;

	plain(&t, spec);
	t.reread_share = 0;
	d = sim_drive_open(&t, 5, "sim:test");
	disk_geometry_init(&g, &seek, &t, 5);
	skews = t.track_to_track_s > t.head_switch_s || t.heads == 1 ? t.track_to_track_s :
								       t.head_switch_s;
	skews = (skews + (t.heads - 1) * t.head_switch_s) * t.skew_margin * 1e9;
	expected = (double)g.zone[0].spt[0] * g.sector_bytes * t.heads /
		(t.heads * g.turn_ns + skews) * 1e9;
	for (size_t i = 0; i < n; i++)
		ios[i] = (struct io){.offset = i * request, .length = request};
	run(d, n, 1);
	rate = (double)(n - 1) * request / (double)(ios[n - 1].done_ns - ios[0].done_ns) * 1e9;
	if (fabs(rate / expected - 1) > 0.005)
		fail_msg("%s: %.4g for %.4g bytes/s", spec, rate, expected);
	drive_close(d);
}

static void sustained_rate_is_tracks_over_turns_and_skews(void **state)
{
	(void)state;
	check_rate("mhz2120bh");
	check_rate("hts725050a9a362");
	check_rate("wd1602abjs");
	check_rate("st318451lw");
}

/* One sector again and again, pushed out of the cache in between: always at the same angle. */
static void check_phase(const char *spec)
{
	const size_t rounds = 200, far = 30;
	struct truth t;
	struct drive *d;
	struct disk_geometry g;
	struct disk_seek seek;
	double first = 0;

	plain(&t, spec);
	d = sim_drive_open(&t, 5, "sim:test");
	disk_geometry_init(&g, &seek, &t, 5);
	random_ios(d, rounds * far, 3);
	for (size_t i = 0; i < rounds; i++)
		ios[i * far] = (struct io){.offset = 1000448 * 512ull, .length = 4096};
	run(d, rounds * far, 1);
	for (size_t i = 0; i < rounds; i++) {
		double turns = (double)ios[i * far].done_ns / g.turn_ns, off;

		if (!i)
			first = turns;
		off = fabs(turns - first - round(turns - first)) * g.turn_ns;
		if (off > 10) /* ns: what is lost by whole ns */
			fail_msg("%s: visit %zu is %.0f ns off", spec, i, off);
	}
	drive_close(d);
}

static void a_sector_passes_once_a_turn(void **state)
{
	(void)state;
	check_phase("mhz2120bh");
	check_phase("hts725050a9a362");
	check_phase("max3073nc");
}

/* Mean rate of a long stream, bytes per second, and mean random access, ns. */
static void measure(const struct truth *t, unsigned depth, double *rate, double *access_ns)
{
	const uint32_t request = 1 << 20;
	const size_t n = 20000;
	struct drive *d = sim_drive_open(t, 5, "sim:test");
	uint64_t last = 0;
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		ios[i] = (struct io){.offset = i * request, .length = request};
	run(d, n, depth);
	for (size_t i = 0; i < n; i++)
		last = ios[i].done_ns > last ? ios[i].done_ns : last;
	*rate = (double)(n - 1) * request / (double)(last - ios[0].done_ns) * 1e9;
	random_ios(d, n, 2);
	run(d, n, 1);
	for (size_t i = 0; i < n; i++)
		sum += (double)(ios[i].done_ns - ios[i].sent_ns);
	*access_ns = sum / (double)n;
	drive_close(d);
}

static void a_reread_costs_a_turn(void **state)
{
	struct truth t;
	double rate, slow_rate, access, slow_access, turn = 60e9 / 7200;

	(void)state;
	plain(&t, "hts725050a9a362");
	t.reread_share = 0;
	measure(&t, 1, &rate, &access);
	t.reread_share = 0.2;
	measure(&t, 1, &slow_rate, &slow_access);
	/* per turn in a stream, per visit else */
	assert_true(fabs(rate / slow_rate - 1.2) < 0.01);
	assert_true(fabs(slow_access - access - 0.2 * turn) < 0.02 * turn);
}

static void a_stream_keeps_its_rate_in_a_queue(void **state)
{
	struct truth t;
	double one, eight, access;

	(void)state;
	plain(&t, "hts725050a9a362");
	measure(&t, 1, &one, &access);
	measure(&t, 8, &eight, &access);
	assert_true(fabs(eight / one - 1) < 0.002);
}

/* Reads waiting side by side are done from the first to the last, whichever is nearest. */
static void neighbours_in_the_queue_are_one_row(void **state)
{
	struct truth t;

	(void)state;
	plain(&t, "hts725050a9a362");
	for (unsigned seed = 0; seed < 50; seed++) {
		struct drive *d = sim_drive_open(&t, seed, "sim:test");

		for (size_t i = 0; i < 16; i++)
			ios[i] = (struct io){.offset = (1ull << 34) + i * 65536, .length = 65536};
		run(d, 16, 16);
		/* the very first command is alone when it is taken up */
		for (size_t i = 2; i < 16; i++)
			assert_true(ios[i].done_ns > ios[i - 1].done_ns);
		drive_close(d);
	}
}

static double iops(struct truth *t, unsigned depth)
{
	const size_t n = 10000;
	struct drive *d = sim_drive_open(t, 5, "sim:test");
	uint64_t last = 0;

	random_ios(d, n, 1);
	run(d, n, depth);
	for (size_t i = 0; i < n; i++)
		last = ios[i].done_ns > last ? ios[i].done_ns : last;
	drive_close(d);
	return (double)n / (double)(last - ios[0].sent_ns) * 1e9;
}

static void a_sorted_queue_gains(void **state)
{
	struct truth t;
	double one, many;

	(void)state;
	plain(&t, "hts725050a9a362");
	one = iops(&t, 1);
	many = iops(&t, 32);
	/* published gains at depth 32 lie between about 2 and 3 */
	assert_true(many / one > 2 && many / one < 3.2);
	assert_true(iops(&t, 8) > 1.3 * one);
	t.queue_order = TRUTH_FCFS;
	assert_true(fabs(iops(&t, 32) / one - 1) < 0.05);
	t.queue_order = TRUTH_SPTF;
	t.queue_depth = 1;
	assert_true(fabs(iops(&t, 32) / one - 1) < 0.03);
}

static void nobody_waits_for_ever(void **state)
{
	const size_t n = 20000;
	struct truth t;
	struct drive *d;

	(void)state;
	plain(&t, "hts725050a9a362");
	d = sim_drive_open(&t, 5, "sim:test");
	/* all near one end, but for one at the other */
	for (size_t i = 0; i < n; i++)
		ios[i] = (struct io){.offset = (i * 7919 % 5000) * 40960, .length = 4096};
	ios[100].offset = t.size_bytes - 8192;
	run(d, n, 32);
	assert_true(ios[100].done_ns - ios[100].sent_ns < 3000000000);
	drive_close(d);
}

static unsigned how_of(struct model *m, uint64_t *now, uint64_t offset, uint32_t length)
{
	struct model_request r = {.offset = offset, .length = length, .arrive_ns = *now};

	model_submit(m, &r);
	*now = model_next_ns(m);
	assert_ptr_equal(model_take(m, *now - 1), NULL);
	assert_ptr_equal(model_take(m, *now), &r);
	assert_true(r.done_ns == *now && r.error == 0);
	assert_true(model_next_ns(m) == UINT64_MAX);
	*now += 1000;
	return r.how & (MODEL_HIT | MODEL_MISS | MODEL_STREAM);
}

static uint64_t place(unsigned i)
{
	return 1000000000ull * (i + 1);
}

static void segments_are_kept_as_many_as_there_are(void **state)
{
	struct truth t;
	struct model *m;
	uint64_t now = 1;

	(void)state;
	plain(&t, "hts725050a9a362");
	t.cache_segments = 4;
	m = model_open(&t, 1);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(how_of(m, &now, place(i), 4096), MODEL_MISS);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(how_of(m, &now, place(i), 4096), MODEL_HIT);
	assert_int_equal(how_of(m, &now, place(4), 4096), MODEL_MISS);
	/* the one used longest ago is gone, the others are not */
	assert_int_equal(how_of(m, &now, place(1), 4096), MODEL_HIT);
	assert_int_equal(how_of(m, &now, place(2), 4096), MODEL_HIT);
	assert_int_equal(how_of(m, &now, place(3), 4096), MODEL_HIT);
	assert_int_equal(how_of(m, &now, place(0), 4096), MODEL_MISS);
	model_close(m);
}

static void reading_ahead_goes_as_far_as_it_may(void **state)
{
	struct truth t;
	struct model *m;
	uint64_t now = 1;

	(void)state;
	plain(&t, "hts725050a9a362");
	t.reread_share = 0;
	m = model_open(&t, 1);
	assert_int_equal(how_of(m, &now, place(0), 4096), MODEL_MISS);
	now += 1000000000; /* time to read on to the end of the window */
	assert_int_equal(how_of(m, &now, place(0) + t.readahead_bytes, 4096), MODEL_HIT);
	assert_int_equal(how_of(m, &now, place(1), 4096), MODEL_MISS);
	/* no time: the stream is caught up with, or it is another visit */
	assert_int_equal(how_of(m, &now, place(1) + 4096, 65536), MODEL_STREAM);
	assert_int_equal(how_of(m, &now, place(1) + (200u << 20), 4096), MODEL_MISS);
	model_close(m);
	t.cache_segments = 0;
	m = model_open(&t, 1);
	assert_int_equal(how_of(m, &now, place(0), 4096), MODEL_MISS);
	now += 1000000000;
	assert_int_equal(how_of(m, &now, place(0), 4096), MODEL_MISS);
	model_close(m);
}

static unsigned hits_before(unsigned on_arrival)
{
	struct truth t;
	struct model *m;
	uint64_t now = 1;
	unsigned hits = 0;

	plain(&t, "hts725050a9a362");
	t.read_on_arrival = on_arrival;
	m = model_open(&t, 1);
	for (unsigned i = 0; i < 200; i++) {
		uint64_t at = place(i * 2 % 400) + i * 40960;

		how_of(m, &now, at, 4096);
		hits += how_of(m, &now, at - 4096, 4096) == MODEL_HIT;
	}
	model_close(m);
	return hits;
}

static void what_passes_before_the_target_is_kept_where_it_is(void **state)
{
	(void)state;
	assert_int_equal(hits_before(0), 0);
	/* all but targets near the start of their track or arrived at just in time */
	assert_in_range(hits_before(1), 180, 200);
}

static void partial_physical_sectors_can_be_read(void **state)
{
	struct truth t;
	struct drive *d;
	unsigned char data[512];

	(void)state;
	plain(&t, "st16000nm001g");
	assert_int_equal(t.physical_block_bytes, 4096);
	t.size_bytes -= 512;
	d = sim_drive_open(&t, 1, "sim:test");
	assert_int_equal(drive_read(d, t.size_bytes - 512, 512, data, NULL), 0);
	assert_string_equal((char *)data + 8, "PLATTERSIMDRIVE");
	assert_int_equal(data[0] | data[1] << 8, (t.size_bytes / 512 - 1) & 0xffff);
	drive_close(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(mean_access_is_the_sum_of_its_parts),
		cmocka_unit_test(sustained_rate_is_tracks_over_turns_and_skews),
		cmocka_unit_test(a_sector_passes_once_a_turn),
		cmocka_unit_test(a_reread_costs_a_turn),
		cmocka_unit_test(a_stream_keeps_its_rate_in_a_queue),
		cmocka_unit_test(neighbours_in_the_queue_are_one_row),
		cmocka_unit_test(a_sorted_queue_gains),
		cmocka_unit_test(nobody_waits_for_ever),
		cmocka_unit_test(segments_are_kept_as_many_as_there_are),
		cmocka_unit_test(reading_ahead_goes_as_far_as_it_may),
		cmocka_unit_test(what_passes_before_the_target_is_kept_where_it_is),
		cmocka_unit_test(partial_physical_sectors_can_be_read),
	};

	return cmocka_run_group_tests_name("sim_disk", tests, NULL, NULL);
}
