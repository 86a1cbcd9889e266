/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What probes make of drives in trouble and of little time: others at the drive, a drive that goes away,
 * slow reads, one run, and figures whose meaning must not depend on the time there was. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "probe/session.h"
#include "probe/zone_map.h"
#include "tests/unit/plain_drive.h"

static size_t notes_with(const struct doc *doc, const char *part)
{
	size_t n = 0;

	for (size_t i = 0; i < doc->notes_n; i++)
		n += strstr(doc->notes[i], part) != NULL;
	return n;
}

static bool has_note(const struct doc *doc, const char *part)
{
	return notes_with(doc, part) > 0;
}

static size_t events_of(const struct doc *doc, const char *kind)
{
	size_t n = 0;

	for (size_t i = 0; i < doc->events_n; i++)
		n += strcmp(doc->events[i].kind, kind) == 0;
	return n;
}

static void ends_are_fixed(void **state)
{
	/* whatever the time: the first and the last 1/32, and never any other part */
	static const double seconds[] = {0.4, 1, 4, 9, 30};
	const uint64_t size = 512ull << 30;

	(void)state;
	for (size_t i = 0; i < sizeof(seconds) / sizeof(seconds[0]); i++) {
		struct plain p = plain_drive(size, 512);
		struct scope scope = whole(&p, probe_find("zones"));
		struct err e = {0};
		struct doc doc;
		const struct finding *f;

		scope.budget_ns = (uint64_t)(seconds[i] * 1e9);
		p.drive.info.path = DRIVE_DIRECT;
		doc_init(&doc);
		assert_int_equal(probe_find("zones")->run(&p.drive, &scope, &doc, &e), 0);
		f = doc_find(&doc, "zones.outer_bytes_per_s");
		if (f->how != HOW_UNKNOWN) {
			assert_true(f->from_bytes == 0 && f->to_bytes == size / 32);
			f = doc_find(&doc, "zones.inner_bytes_per_s");
			assert_true(f->from_bytes == size - size / 32 && f->to_bytes == size);
		}
		assert_true(i < 2 || f->how != HOW_UNKNOWN);
		doc_release(&doc);
	}
}

static void chunk_saturates(void **state)
{
	/* 8 ms a request, whatever its size, and 100 MB/s: the larger the faster */
	struct plain p = plain_drive(500107862016, 512);
	struct err e = {0};
	struct doc doc;
	double zone, row;

	(void)state;
	p.each_ns = 8e6;
	assert_int_equal(run("zones", &p, &doc, &e), 0);
	assert_int_equal(doc_find(&doc, "zones.mean_bytes_per_s")->request_bytes, 1 << 20);
	zone = doc_value(&doc, "zones.outer_bytes_per_s");
	NEAR(zone, (1 << 20) / (8e-3 + (1 << 20) / 100e6), 1e-3 * zone);
	doc_release(&doc);
	/* 120 KiB a command: no power of two, yet the best */
	p = plain_drive(500107862016, 512);
	p.each_ns = 1e6;
	p.drive.info.max_request_bytes = 120 << 10;
	assert_int_equal(run("zones", &p, &doc, &e), 0);
	assert_int_equal(doc_find(&doc, "zones.mean_bytes_per_s")->request_bytes, 120 << 10);
	row = doc_value(&doc, "zones.mean_bytes_per_s");
	NEAR(row, (120 << 10) / (1e-3 + (120 << 10) / 100e6), 1e-3 * row);
	doc_release(&doc);
	/* a rate that rises to the last size has no smallest one at full speed */
	p = plain_drive(500107862016, 512);
	p.each_ns = 8e6;
	assert_int_equal(run("sequential", &p, &doc, &e), 0);
	assert_non_null(strstr(doc_find(&doc, "sequential.saturating_request_bytes")->why_not,
		"still rising at 2 MiB"));
	doc_release(&doc);
}

static void others_are_told(void **state)
{
	const struct probe *probe;

	(void)state;
	for (size_t k = 0; (probe = probe_at(k)); k++) {
		struct plain p = plain_drive(500107862016, 512);
		struct err e = {0};
		struct doc doc;

		if (probe->path != DRIVE_DIRECT || needs_rotation(probe))
			continue;
		p.counts = true;
		p.fail_from = 40;
		p.fail_to = 45; /* failed reads are platter's, too */
		assert_int_equal(run(probe->name, &p, &doc, &e), 0);
		if (events_of(&doc, "foreign_load"))
			fail_msg("%s: load where there is none", probe->name);
		doc_release(&doc);
		p = plain_drive(500107862016, 512);
		p.counts = true;
		p.foreign_every = 2;
		assert_int_equal(run(probe->name, &p, &doc, &e), 0);
		if (strcmp(probe->name, "sequential")) { /* 3 % of its bytes */
			assert_int_equal(events_of(&doc, "foreign_load"), 1);
			NEAR(doc.events[doc.events_n - 1].at_s, (double)p.now_ns / 1e9, 1e-9);
		}
		doc_release(&doc);
	}
}

static void lost_and_slow(void **state)
{
	const struct probe *probe;

	(void)state;
	for (size_t k = 0; (probe = probe_at(k)); k++) {
		struct plain p = plain_drive(500107862016, 512);
		struct err e = {0};
		struct doc doc;

		if (needs_rotation(probe))
			continue;
		p.fail_from = 12;
		p.fail_to = UINT64_MAX;
		p.fail_error = -ENODEV;
		assert_int_equal(run(probe->name, &p, &doc, &e), -ENODEV);
		assert_non_null(strstr(e.text, "plain was lost"));
		assert_int_equal(events_of(&doc, "read_error"), SESSION_GONE_MAX);
		doc_release(&doc);
		p = plain_drive(500107862016, 512);
		p.slow_at = 12;
		assert_int_equal(run(probe->name, &p, &doc, &e), 0);
		assert_int_equal(events_of(&doc, "slow_read"), 1);
		assert_true(has_note(&doc, "took longer than 2 s"));
		assert_false(has_note(&doc, "read errors"));
		doc_release(&doc);
	}
}

static void slow_is_in_no_figure(void **state)
{
	const struct probe *probe;
	size_t compared = 0;

	(void)state;
	for (size_t k = 0; (probe = probe_at(k)); k++)
		for (uint64_t at = 1; at < 200; at += 19) {
			struct plain quiet = plain_drive(500107862016, 512);
			struct plain slow = plain_drive(500107862016, 512);
			struct err e = {0};
			struct doc with, without;

			if (needs_rotation(probe))
				break;
			slow.slow_at = at;
			assert_int_equal(run(probe->name, &quiet, &without, &e), 0);
			assert_int_equal(run(probe->name, &slow, &with, &e), 0);
			for (size_t i = 0; i < with.findings_n; i++) {
				const struct finding *f = &with.findings[i];
				const struct finding *same = doc_find(&without, f->quantity->key);
				double truth = doc_value(&without, f->quantity->key);

				/* with less time left another size of request may be the best */
				if (f->how == HOW_UNKNOWN || f->text || isnan(truth) ||
					strstr(f->quantity->key, "share") ||
					f->request_bytes != same->request_bytes)
					continue;
				NEAR(f->value, truth, 0.05 * fabs(truth));
				compared++;
			}
			doc_release(&with);
			doc_release(&without);
		}
	assert_true(compared > 100);
}

/* Reads that were on their way when the drive gave no answer are platter's: the device has counted them. */
static void nobody_is_blamed_for_no_answer(void **state)
{
	struct plain p = plain_drive(500107862016, 512);
	struct scope scope = whole(&p, probe_find("queue"));
	struct session s;
	struct err e = {0};
	struct doc doc;

	(void)state;
	doc_init(&doc);
	p.counts = true;
	p.drive.info.path = DRIVE_DIRECT;
	session_start(&s, "queue", "queue/1", 64, &p.drive, &scope, &doc, &e);
	for (unsigned k = 0; k < 2; k++) {
		struct watched sample = session_watch(&s);

		for (size_t i = 0; i < 64; i++)
			s.ios[i] = (struct io){.offset = i << 20, .length = 128 << 10,
				.error = -ECANCELED};
		if (k) {
			p.end_at = p.reads + 1;
			p.end_status = -ETIME;
			p.seen.device_reads += 32;
			p.seen.device_read_bytes += 32 * (128 << 10);
		}
		assert_int_equal(session_run(&s, 64, 32, 0), k ? -ETIME : 0);
		assert_int_equal(session_spoiled(&s, &sample), 0);
	}
	session_end(&s);
	assert_int_equal(events_of(&doc, "foreign_load"), 0);
	assert_int_equal(doc.notes_n, 0);
	doc_release(&doc);
}

/* What every probe has to say of itself is said once, and only what is true. */
static void alike_is_said_once(void **state)
{
	static const char *const names[] = {"clock", "access", "queue", "access"};
	struct plain p = plain_drive(500107862016, 512);
	struct err e = {0};
	struct doc doc;

	(void)state;
	doc_init(&doc);
	for (size_t i = 0; i < 4; i++) {
		const struct probe *probe = probe_find(names[i]);
		struct scope scope = whole(&p, probe);

		p.drive.info.path = probe->path;
		p.slow_at = p.reads + 30;
		p.fail_from = p.reads + 20;
		p.fail_to = p.fail_from + 8;
		assert_int_equal(probe->run(&p.drive, &scope, &doc, &e), 0);
	}
	assert_int_equal(notes_with(&doc, "took longer than 2 s"), 1);
	assert_true(has_note(&doc, "no figure; the longest: clock 3.0 s, access 3.0 s, queue 3.0 s."));
	assert_true(notes_with(&doc, "lost to ") <= 1);
	p.fail_from = p.reads + 20;
	p.fail_to = UINT64_MAX;
	doc_release(&doc);
	assert_int_equal(run("access", &p, &doc, &e), -EIO);
	assert_non_null(strstr(e.text, "10 reads in a row failed, so nothing more was read for it"));
	doc_release(&doc);
}

static void one_run(void **state)
{
	static const char *const keys[] = {"cached.bytes_per_s", "buffered.bytes_per_s",
		"sequential.bytes_per_s"};

	(void)state;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		struct plain p = plain_drive(500107862016, 512);
		char name[16] = "";
		const struct probe *probe;
		const struct finding *f;
		struct scope scope;
		struct err e = {0};
		struct doc doc;

		memcpy(name, keys[i], strcspn(keys[i], "."));
		probe = probe_find(name);
		scope = whole(&p, probe);
		scope.runs = 1;
		p.jitter = 0.5;
		rng_init(&p.rng, 1, 1);
		p.drive.info.path = probe->path;
		doc_init(&doc);
		assert_int_equal(probe->run(&p.drive, &scope, &doc, &e), 0);
		f = doc_find(&doc, keys[i]);
		assert_int_equal(f->runs, 1);
		assert_true(f->low < f->value && f->value < f->high);
		snprintf(name + strlen(name), sizeof(name) - strlen(name), ".runs");
		assert_int_equal(doc_find_series(&doc, name)->rows, 1);
		doc_release(&doc);
	}
}

static void pieces_are_fixed(void **state)
{
	static const double seconds[] = {1.5, 5, 12};

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		struct plain p = plain_drive(500107862016, 512);
		struct scope scope = whole(&p, probe_find("patterns"));
		struct err e = {0};
		struct doc doc;

		if (i < 3)
			scope.budget_ns = (uint64_t)(seconds[i] * 1e9);
		else
			p.each_ns = 100e6; /* 4 pieces twice take 12.8 s and more */
		p.drive.info.path = DRIVE_DIRECT;
		doc_init(&doc);
		assert_int_equal(probe_find("patterns")->run(&p.drive, &scope, &doc, &e), 0);
		if (i < 3)
			assert_true(has_note(&doc, "The same again, backwards and with gaps were read in pieces of 1 MiB"));
		else
			assert_non_null(strstr(doc_find(&doc, "patterns.reread_bytes_per_s")->why_not,
				"no time for 4 pieces of 1 MiB"));
		doc_release(&doc);
	}
}

static void no_absurd_interval(void **state)
{
	struct plain p = plain_drive(500107862016, 512);
	struct scope scope = whole(&p, probe_find("access"));
	struct session s;
	struct doc doc;
	struct err e = {0};
	struct finding f;

	(void)state;
	doc_init(&doc);
	session_start(&s, "buffered", "buffered/1", 1, &p.drive, &scope, &doc, &e);
	f = session_finding(&s, (struct interval){320e6, 0, 770e6}, 3);
	session_put(&s, "buffered.bytes_per_s", &f);
	assert_string_equal(doc_find(&doc, "buffered.bytes_per_s")->why_not,
		"the runs differ too much: 0 to 770 MB/s");
	f = session_finding(&s, (struct interval){320e6, 200e6, 700e6}, 3);
	f.lost_share = 0.193;
	session_put(&s, "buffered.bytes_per_s", &f);
	NEAR(doc_value(&doc, "buffered.bytes_per_s"), 320e6, 0);
	session_end(&s);
	assert_true(has_note(&doc, "lost and left out: buffered 19 %"));
	doc_release(&doc);
}

static void not_from_the_medium(void **state)
{
	(void)state;
	for (int turns = 0; turns < 2; turns++) {
		struct plain p = plain_drive(500107862016, 512);
		struct err e = {0};
		struct doc doc;

		p.drive.info.rotating = turns ? ROTATING_YES : ROTATING_NO;
		assert_int_equal(run("access", &p, &doc, &e), 0);
		assert_int_equal(has_note(&doc, "without visiting the medium"), turns);
		doc_release(&doc);
	}
}

static void outliers_are_found(void **state)
{
	struct zone_window windows[20];
	struct zone_map map = {.windows = windows, .n = 20};
	size_t which[20];

	(void)state;
	for (size_t i = 0; i < 20; i++)
		windows[i] = (struct zone_window){.middle = (double)i,
			.s_per_byte = (i < 10 ? 1 : 2) + (i % 2 ? 0.004 : 0.0)};
	windows[5].s_per_byte = 1.3; /* a pause; the step at 10 is none */
	assert_int_equal(zone_map_outliers(&map, 3.5, which), 1);
	assert_int_equal(which[0], 5);
	windows[0].s_per_byte = 1.3; /* the first and the last have neighbours, too */
	windows[19].s_per_byte = 1.7;
	assert_int_equal(zone_map_outliers(&map, 3.5, which), 3);
	assert_int_equal(which[0], 0);
	assert_int_equal(which[2], 19);
	assert_true(zone_map_alike(&map, 1, 1.005, 3.5));
	assert_false(zone_map_alike(&map, 1, 1.3, 3.5));
	assert_true(zone_map_scatter(&map, 2.5, 8.5, 0.95) > 0.05);
	NEAR(zone_map_scatter(&map, 0, 2.5, 0.95), 0, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ends_are_fixed),
		cmocka_unit_test(chunk_saturates),
		cmocka_unit_test(others_are_told),
		cmocka_unit_test(lost_and_slow),
		cmocka_unit_test(slow_is_in_no_figure),
		cmocka_unit_test(nobody_is_blamed_for_no_answer),
		cmocka_unit_test(alike_is_said_once),
		cmocka_unit_test(one_run),
		cmocka_unit_test(pieces_are_fixed),
		cmocka_unit_test(no_absurd_interval),
		cmocka_unit_test(not_from_the_medium),
		cmocka_unit_test(outliers_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
