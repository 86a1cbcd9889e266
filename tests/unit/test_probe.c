/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Every probe on a drive made here, whose every answer is known: fixed time per read and per byte.
 * Sizes from one block up, regions, budgets, seeds, failures. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "probe/probe.h"
#include "probe/session.h"
#include "probe/zone_map.h"
#include "stat/distribution.h"
#include "tests/unit/plain_drive.h"

static void assert_all_put(const struct doc *doc, const char *name)
{
	const struct quantity *q;
	size_t seen = probe_find(name)->between != NULL; /* sharpens figures of others */

	for (size_t i = 0; (q = quantity_at(i)); i++) {
		if (strncmp(q->key, name, strlen(name)) || q->key[strlen(name)] != '.')
			continue;
		seen++;
		if (!doc_find(doc, q->key))
			fail_msg("%s was not put", q->key);
	}
	assert_true(seen > 0);
}

static void any_size(void **state)
{
	static const uint64_t sizes[] = {512, 1024, 4096, 8192, 40960, 1 << 18, 1 << 20, 5 << 20,
		33 << 20, 1000204886016 - 1000204886016 % 4096};

	(void)state;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		for (uint32_t block = 512; block <= 4096; block *= 8) {
			const struct probe *probe;

			for (size_t k = 0; (probe = probe_at(k)) && sizes[i] >= block; k++) {
				struct plain p = plain_drive(sizes[i], block);
				struct doc doc;
				struct err e = {0};

				assert_int_equal(run(probe->name, &p, &doc, &e), 0);
				assert_all_put(&doc, probe->name);
				doc_release(&doc);
			}
		}
	}
}

static void known_answers(void **state)
{
	struct plain p = plain_drive(500107862016, 512);
	struct err e = {0};
	struct doc doc;
	double mib = 1 << 20, each = 100e-6, rate;

	(void)state;
	assert_int_equal(run("sequential", &p, &doc, &e), 0);
	rate = mib / (each + mib / 100e6);
	NEAR(doc_value(&doc, "sequential.bytes_per_s"), rate, 1e-4 * rate);
	/* 100 µs beside 10.5 ms, 5.2, 2.6 … 2 % of the best, 4 MiB: from 512 KiB on */
	NEAR(doc_value(&doc, "sequential.saturating_request_bytes"), 512 << 10, 0.1);
	assert_int_equal(doc_find_series(&doc, "sequential.rate_by_request")->rows, 11);
	assert_int_equal(doc_find(&doc, "sequential.cpu_share")->how, HOW_UNKNOWN);
	doc_release(&doc);

	p = plain_drive(500107862016, 512);
	assert_int_equal(run("access", &p, &doc, &e), 0);
	NEAR(doc_value(&doc, "access.mean_s"), each + 4096 / 100e6, 1e-8);
	NEAR(doc_value(&doc, "access.p999_s"), each + 4096 / 100e6, 1e-8);
	NEAR(doc_value(&doc, "access.iops"), 1 / (each + 4096 / 100e6), 1);
	doc_release(&doc);

	p = plain_drive(500107862016, 512);
	assert_int_equal(run("zones", &p, &doc, &e), 0);
	NEAR(doc_value(&doc, "zones.outer_inner_ratio"), 1, 1e-4);
	rate = doc_value(&doc, "zones.mean_bytes_per_s");
	NEAR(doc_value(&doc, "zones.full_scan_s") * rate, 500107862016.0, 1e6);
	assert_in_range(doc_find_series(&doc, "zones.rate")->rows, 16, 32);
	doc_release(&doc);
}

static void region_is_kept(void **state)
{
	const struct probe *probe;

	(void)state;
	for (size_t k = 0; (probe = probe_at(k)); k++) {
		struct plain p = plain_drive(500107862016, 512);
		struct doc doc;
		struct err e = {0};

		p.from = 7 * 512 + 4096ull * 1000003;
		p.to = p.from + 512ull * 400009; /* plain_run fails the test on a read outside */
		p.resident = p.to;
		assert_int_equal(run(probe->name, &p, &doc, &e), 0);
		assert_true(p.reads > 0 || needs_rotation(probe));
		assert_all_put(&doc, probe->name);
		doc_release(&doc);
	}
}

static void seeds_and_budgets(void **state)
{
	const struct probe *probe;

	(void)state;
	for (size_t k = 0; (probe = probe_at(k)); k++) {
		uint64_t hash[3];

		for (int i = 0; i < 3; i++) {
			struct plain p = plain_drive(1000341504, 512);
			struct scope scope = whole(&p, probe);
			struct doc doc;
			struct err e = {0};

			/* a drive of 1994: 0.7 MB/s, 30 ms a read; its host's memory is faster */
			p.each_ns = 30e6;
			p.bytes_per_s = probe->path == DRIVE_DIRECT ? 4e6 : 40e6;
			scope.seed = i == 2 ? 6 : 5;
			p.drive.info.path = probe->path;
			doc_init(&doc);
			assert_int_equal(probe->run(&p.drive, &scope, &doc, &e), 0);
			hash[i] = p.hash;
			if (p.now_ns > 1000 + scope.budget_ns * 8 / 5) /* it starts at 1000 */
				fail_msg("%s took %" PRIu64 " ns of %" PRIu64, probe->name,
					p.now_ns, scope.budget_ns);
			doc_release(&doc);
		}
		assert_true(hash[0] == hash[1]);
		if (!needs_rotation(probe) && strcmp(probe->name, "cached") &&
			strcmp(probe->name, "buffered") &&
			strcmp(probe->name, "sequential") && strcmp(probe->name, "patterns"))
			assert_true(hash[0] != hash[2]);
	}
}

static void cached_places_are_left_out(void **state)
{
	struct plain p = plain_drive(500107862016, 512);
	struct err e = {0};
	struct doc doc;

	(void)state;
	p.resident = 300 << 20;
	assert_int_equal(run("buffered", &p, &doc, &e), 0);
	NEAR(doc_value(&doc, "buffered.cached_share"), 0, 0);
	assert_false(doc_find(&doc, "buffered.bytes_per_s")->cached);
	assert_int_equal(doc.notes_n, 2); /* and that this drive has no counters */
	doc_release(&doc);

	p = plain_drive(500107862016, 512);
	p.resident = p.to;
	assert_int_equal(run("buffered", &p, &doc, &e), 0);
	NEAR(doc_value(&doc, "buffered.cached_share"), 1, 0);
	assert_true(doc_find(&doc, "buffered.bytes_per_s")->cached);
	doc_release(&doc);

	p = plain_drive(500107862016, 512);
	p.resident = 0; /* not even what was just read stays */
	assert_int_equal(run("cached", &p, &doc, &e), 0);
	assert_int_equal(doc_find(&doc, "cached.bytes_per_s")->how, HOW_UNKNOWN);
	doc_release(&doc);
}

static void one_bad_read(void **state)
{
	const struct probe *probe;

	(void)state;
	for (size_t k = 0; (probe = probe_at(k)); k++) {
		for (uint64_t at = 1; at < 100; at += 7) {
			struct plain p = plain_drive(500107862016, 512);
			struct err e = {0};
			struct doc doc;

			p.fail_from = p.fail_to = at;
			assert_int_equal(run(probe->name, &p, &doc, &e), 0);
			assert_all_put(&doc, probe->name);
			if (p.reads < at) { /* saw before that this drive has nothing for it */
				doc_release(&doc);
				break;
			}
			assert_int_equal(doc.events_n, 1);
			assert_string_equal(doc.events[0].kind, "read_error");
			assert_int_equal(doc.events[0].error, -EIO);
			assert_true(doc.events[0].length > 0);
			doc_release(&doc);
		}
	}
}

static void nothing_can_be_read(void **state)
{
	const struct probe *probe;

	(void)state;
	for (size_t k = 0; (probe = probe_at(k)); k++) {
		struct plain p = plain_drive(500107862016, 512);
		struct err e = {0};
		struct doc doc;
		int status;

		p.fail_from = 1;
		p.fail_to = UINT64_MAX;
		p.each_ns = 1e9;
		status = run(probe->name, &p, &doc, &e);
		if (strcmp(probe->name, "cached") == 0) { /* needs one read to know */
			assert_int_equal(status, 0);
			assert_all_put(&doc, probe->name);
		} else {
			/* buffered's and patterns' first reads are over after their time */
			assert_true(status == -EIO || status == 0);
			if (status == -EIO)
				assert_non_null(strstr(e.text, "plain"));
			else
				assert_all_put(&doc, probe->name);
			assert_true(p.reads <= 20);
		}
		doc_release(&doc);
	}
}

static void ended_anywhere(void **state)
{
	static const int statuses[] = {-EINTR, -ENODEV, -ETIME};
	const struct probe *probe;

	(void)state;
	for (size_t k = 0; (probe = probe_at(k)); k++) {
		uint64_t at = 1;

		for (size_t i = 0;; i++, at += 1 + at / 5) {
			struct plain p = plain_drive(500107862016, 512);
			struct err e = {0};
			struct doc doc;
			int status;

			p.end_at = at;
			p.end_status = statuses[i % 3];
			status = run(probe->name, &p, &doc, &e);
			doc_release(&doc);
			if (status == 0)
				break;
			assert_int_equal(status, p.end_status);
		}
		assert_true(at > 20 || needs_rotation(probe));
	}
}

static void map_by_hand(void **state)
{
	/* one step, no noise: what is unknown is where between 200 and 300 it lies */
	#define AT(place, s) {.middle = (place), .s_per_byte = (s)}
	struct zone_window windows[] = {AT(500, 2), AT(0, 1), AT(100, 1), AT(200, 1), AT(300, 2),
		AT(400, 2), AT(600, 2), AT(700, 2)};
#undef AT
	struct zone_map map = {.windows = windows, .n = 8};
	struct interval v;
	double step = 2.0 / 3 * 1.5, se;

	(void)state;
	assert_int_equal(zone_map_judge(&map), 0);
	/* A is one square of 7 differences, B two of 6: A - B/2 is not above 0 */
	NEAR(map.variance, 0, 1e-12);
	v = zone_map_mean(&map, 0, 700, 1e-6, 0.95);
	NEAR(v.value, (200 + 150 + 800) / 700.0, 1e-12);
	se = step * 100 / sqrt(12) / 1150;
	NEAR(v.high / v.value - 1, se * stat_student_quantile(0.975, 4), 1e-9);
	NEAR(v.low * v.high, v.value * v.value, 1e-9);
	/* half of that gap, away from any other step */
	v = zone_map_mean(&map, 150, 250, 1e-6, 0.95);
	NEAR(v.value, (50 + 50 * 1.25) / 100, 1e-12);
	se = step * sqrt(pow(50, 3) / 300 - pow(50, 4) / 40000) / 112.5;
	NEAR(v.high / v.value - 1, se * stat_student_quantile(0.975, 4), 1e-9);
	v = zone_map_mean(&map, 350, 700, 0.01, 0.95);
	NEAR(v.value, 2, 1e-12);
	NEAR(v.high, 2.02, 1e-12);
	/* behind the last window its value holds */
	v = zone_map_mean(&map, 600, 1000, 0.01, 0.95);
	NEAR(v.value, 2, 1e-12);
	assert_int_equal(zone_map_count(&map, 100, 300), 2);
	windows[2].disturbed = true;
	assert_int_equal(zone_map_drop_disturbed(&map), 1);
	assert_int_equal(map.n, 7);
	NEAR(windows[2].middle, 300, 0);
	for (size_t i = 0; i < 4; i++)
		windows[i].disturbed = true;
	assert_int_equal(zone_map_drop_disturbed(&map), 0); /* more than half: a busy drive */
	assert_int_equal(map.n, 7);
	map.n = 5;
	assert_int_equal(zone_map_judge(&map), -ERANGE);
}

static void map_of_noise(void **state)
{
	/* up and down by 1 %: noise, by both ways of telling it */
	struct zone_window windows[100];
	struct zone_map map = {.windows = windows, .n = 100};
	struct rng rng;

	(void)state;
	rng_init(&rng, 4, 4);
	for (size_t i = 0; i < map.n; i++)
		windows[i] = (struct zone_window){
			.middle = (double)i, .s_per_byte = 1 + 0.01 * rng_normal(&rng)};
	assert_int_equal(zone_map_judge(&map), 0);
	NEAR(sqrt(map.variance), 0.01, 0.002);
}

static void stretches(void **state)
{
	struct io ios[] = {
		{.offset = 0, .length = 10, .done_ns = 100},
		{.offset = 10, .length = 10, .done_ns = 107},
		{.offset = 20, .length = 10, .done_ns = 900, .error = -EIO},
		{.offset = 30, .length = 10, .done_ns = 950},
		{.offset = 40, .length = 10, .done_ns = 961},
		{.offset = 50, .length = 10, .error = -ECANCELED},
	};
	struct stretch t = stretch_of(ios, 6, 1);

	(void)state;
	assert_int_equal(t.reads, 2); /* the failed one and the one behind it are left out */
	assert_int_equal(t.bytes, 20);
	assert_int_equal(t.ns, 7 + 11);
	assert_int_equal(t.end, 50);
	t = stretch_of(ios, 6, 2);
	assert_int_equal(t.ns, 11);
	NEAR(stretch_bytes_per_s(t), 10 / 11e-9, 1);
	NEAR(stretch_bytes_per_s((struct stretch){0}), 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_size),
		cmocka_unit_test(known_answers),
		cmocka_unit_test(region_is_kept),
		cmocka_unit_test(seeds_and_budgets),
		cmocka_unit_test(cached_places_are_left_out),
		cmocka_unit_test(one_bad_read),
		cmocka_unit_test(nothing_can_be_read),
		cmocka_unit_test(ended_anywhere),
cmocka_unit_test(map_by_hand),
		cmocka_unit_test(map_of_noise),
		cmocka_unit_test(stretches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
