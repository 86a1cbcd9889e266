/* SPDX-License-Identifier: GPL-2.0-or-later */
/* sim/disk_geometry, disk_seek: every sector has one place, and the curve has the figures asked
 * for. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sim/disk_geometry.h"

/* A drive small enough to look at each of its sectors. */
static void small(struct truth *t, unsigned run, unsigned heads, unsigned block)
{
	truth_init(t);
	t->heads = heads;
	t->tracks_per_run = run;
	t->zones = 5;
	t->outer_sectors_per_track = 60;
	t->inner_sectors_per_track = 31;
	t->physical_block_bytes = block;
	t->logical_block_bytes = block;
	t->size_bytes = 40009ull * block;
}

struct seen {
	uint64_t cylinder;
	unsigned head, sector;
};

static int by_place(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;

	if (x->cylinder != y->cylinder)
		return x->cylinder < y->cylinder ? -1 : 1;
	if (x->head != y->head)
		return x->head < y->head ? -1 : 1;
	return x->sector < y->sector ? -1 : x->sector > y->sector;
}

/* Each sector has a place of its own; turns grow by exactly one sector inside a track and by a gap
 * smaller than a turn between tracks; the way back from turns gives the sector. */
static void check_all(const struct truth *t, uint64_t seed)
{
	struct disk_geometry g;
	struct disk_seek seek;
	struct seen *seen;
	double turns = -1;

	disk_geometry_init(&g, &seek, t, seed);
	assert_int_equal(g.sectors, t->size_bytes / t->physical_block_bytes);
	seen = calloc(g.sectors, sizeof(*seen));
	assert_non_null(seen);
	for (uint64_t s = 0; s < g.sectors; s++) {
		struct disk_place p = disk_locate(&g, s);

		assert_true(p.sector < p.spt && p.head < g.heads && p.cylinder < g.cylinders);
		if (p.sector)
			assert_true(fabs(p.turns - turns - 1.0 / p.spt) < 1e-8);
		else
			assert_true(p.turns > turns && p.turns - turns < 1.5);
		turns = p.turns;
		assert_int_equal(disk_sector_at(&g, p.turns), s);
		assert_int_equal(disk_sector_at(&g, p.turns + 0.9 / p.spt), s);
		assert_true(fabs(disk_turns_end(&g, s + 1) - p.turns - 1.0 / p.spt) < 1e-8);
		seen[s] = (struct seen){p.cylinder, p.head, p.sector};
	}
	qsort(seen, g.sectors, sizeof(*seen), by_place);
	for (uint64_t s = 1; s < g.sectors; s++)
		assert_int_equal(by_place(&seen[s - 1], &seen[s]), -1);
	assert_int_equal(disk_sector_at(&g, 1e9), g.sectors);
	free(seen);
}

static void every_sector_has_one_place(void **state)
{
	static const unsigned RUNS[] = {1, 2, 7}, HEADS[] = {1, 2, 3, 6};

	(void)state;
	for (unsigned r = 0; r < 3; r++)
		for (unsigned h = 0; h < 4; h++) {
			struct truth t;

			small(&t, RUNS[r], HEADS[h], 512);
			check_all(&t, 1);
			t.head_density_spread = 0.2;
			check_all(&t, 2);
			small(&t, RUNS[r], HEADS[h], 4096);
			check_all(&t, 3);
		}
}

static void neighbours_are_near(void **state)
{
	struct truth t;
	struct disk_geometry g;
	struct disk_seek seek;

	(void)state;
	small(&t, 7, 4, 512);
	disk_geometry_init(&g, &seek, &t, 1);
	for (uint64_t s = 1; s < g.sectors; s++) {
		uint64_t a = disk_locate(&g, s - 1).cylinder, b = disk_locate(&g, s).cylinder;

		/* serpentine: at most back over one run */
		assert_true((a > b ? a - b : b - a) <= 7);
	}
	small(&t, 1, 4, 512);
	disk_geometry_init(&g, &seek, &t, 1);
	for (uint64_t s = 1; s < g.sectors; s++)
		assert_true(disk_locate(&g, s).cylinder - disk_locate(&g, s - 1).cylinder <= 1);
}

static void tracks_get_shorter_inwards(void **state)
{
	struct truth t;
	struct disk_geometry g;
	struct disk_seek seek;
	unsigned last = 60;

	(void)state;
	small(&t, 1, 2, 512);
	disk_geometry_init(&g, &seek, &t, 1);
	assert_int_equal(disk_locate(&g, 0).spt, 60);
	assert_int_equal(disk_locate(&g, g.sectors - 1).spt, 31);
	for (uint64_t s = 0; s < g.sectors; s++) {
		unsigned spt = disk_locate(&g, s).spt;

		assert_true(spt <= last);
		last = spt;
	}
}

static void tiny_drives_have_a_place_too(void **state)
{
	struct truth t;

	(void)state;
	for (unsigned n = 1; n < 130; n++) {
		small(&t, 7, 3, 512);
		t.size_bytes = n * 512u;
		check_all(&t, n);
	}
}

static void specimens_differ_as_much_as_said(void **state)
{
	struct truth t;
	double least = INFINITY, most = 0;

	(void)state;
	truth_init(&t);
	for (unsigned seed = 0; seed < 300; seed++) {
		struct disk_geometry g;
		struct disk_seek seek;
		double ppm;

		disk_geometry_init(&g, &seek, &t, seed);
		ppm = (60e9 / g.turn_ns / 7200 - 1) * 1e6;
		assert_true(fabs(ppm) <= 60.001);
		least = fmin(least, ppm);
		most = fmax(most, ppm);
	}
	assert_true(least < -50 && most > 50);
}

static void the_seek_curve_has_its_figures(void **state)
{
	const uint64_t cylinders = 20000;
	struct truth t;
	struct disk_seek s;
	double sum = 0, pairs = 0, last = 0;

	(void)state;
	truth_init(&t);
	assert_true(disk_seek_fit(&s, &t, cylinders));
	assert_true(disk_seek_ns(&s, 0) == 0);
	assert_true(fabs(disk_seek_ns(&s, 1) - 1e6) < 1);
	assert_true(fabs(disk_seek_ns(&s, cylinders) - 20e6) < 5e3);
	for (uint64_t d = 1; d < cylinders; d++) {
		double ns = disk_seek_ns(&s, d), n = (double)(cylinders - d);

		assert_true(ns >= last);
		last = ns;
		sum += n * ns;
		pairs += n;
	}
	assert_true(fabs(sum / pairs / 10.5e6 - 1) < 1e-3);
	t.average_seek_s = 0.0199;
	assert_false(disk_seek_fit(&s, &t, cylinders));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_sector_has_one_place),
		cmocka_unit_test(neighbours_are_near),
		cmocka_unit_test(tracks_get_shorter_inwards),
		cmocka_unit_test(tiny_drives_have_a_place_too),
		cmocka_unit_test(specimens_differ_as_much_as_said),
		cmocka_unit_test(the_seek_curve_has_its_figures),
	};

	return cmocka_run_group_tests_name("sim_geometry", tests, NULL, NULL);
}
