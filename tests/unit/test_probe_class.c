/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What kind of drive documents made here are told to be of. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "tests/unit/plain_drive.h"

struct made {
	double period_s;          /* 0: not found */
	size_t reads, fast;       /* random ones, and of them in 0.1 ms */
	double gain, gain_half;   /* relative; gain 0: not measured */
	double tracks_a_turn;     /* 0: not known */
};

static void put(struct doc *doc, const char *key, double value, double half)
{
	doc_put(doc, key, &(struct finding){.how = HOW_MEASURED, .value = value,
		.low = value - half, .high = value + half, .confidence = 0.95, .samples = 9,
		.spread = NAN, .method = "made/1"});
}

static void make_doc(struct doc *doc, const struct made *m)
{
	struct series *s;

	doc_init(doc);
	put(doc, "clock.hit_s", 0.0001, 1e-6);
	if (m->period_s > 0) {
		put(doc, "rotation.period_s", m->period_s, 1e-7);
		put(doc, "rotation.rpm", 60 / m->period_s, 0.1);
	} else {
		doc_put_unknown(doc, "rotation.period_s", "made/1", "no rotation seen: made so");
	}
	s = doc_series(doc, "access.reads");
	for (size_t i = 0; i < m->reads; i++)
		series_add(s, (double[]){2e11, i < m->fast ? 0.0001 : 0.012, 1e9 * (double)i});
	s = doc_series(doc, "queue.iops");
	for (int k = 0; k < 2 && m->gain > 0; k++) {
		double iops = k ? 80 * m->gain : 80, half = k ? m->gain_half * iops : 0.01 * iops;

		series_add(s, (double[]){k + 1, iops, iops - half, iops + half, 1 / iops, 1 / iops,
				      1 / iops});
	}
	if (m->gain > 0)
		put(doc, "queue.gain_2", m->gain, m->gain_half * m->gain);
	if (m->tracks_a_turn > 0) {
		double rate = 1e6 * m->tracks_a_turn / m->period_s;

		s = doc_series(doc, "track.length");
		series_add(s, (double[]){1e9, 1e6, 0.99e6, 1.01e6, 0.001});
		s = doc_series(doc, "zones.rate");
		series_add(s, (double[]){1e9, rate, 0.99 * rate, 1.01 * rate});
	}
}

static void kinds(void **state)
{
	static const struct {
		struct made made;
		const char *kind;
	} cases[] = {
		{{1 / 120.0, 400, 0, 1.02, 0.08, 0.9}, "single_spindle"},
		{{1 / 120.0, 400, 0, 1.02, 0.08, 0}, "single_spindle"},
		{{1 / 120.0, 400, 140, 1.02, 0.2, 0}, "single_spindle"}, /* SMR in use */
		{{1 / 120.0, 400, 0, 1.46, 0.1, 0.9}, "several_actuators"},
		{{1 / 120.0, 400, 0, 1.02, 0.1, 1.8}, "several_actuators"},
		{{1 / 120.0, 400, 0, 1.2, 0.1, 0}, "cannot_tell"},
		{{1 / 120.0, 400, 0, 1.1, 0.5, 0}, "cannot_tell"},
		{{1 / 120.0, 400, 0, 0, 0, 0}, "cannot_tell"},
		{{1 / 120.0, 400, 390, 1.02, 0.05, 0}, "cannot_tell"},
		{{0, 400, 400, 2, 0.01, 0}, "no_rotation_seen"},
		{{0, 400, 0, 1.02, 0.05, 0}, "cannot_tell"},
		{{0, 400, 140, 1.5, 0.05, 0}, "cannot_tell"},
		{{0, 10, 10, 2, 0.05, 0}, "cannot_tell"},
	};

	(void)state;
	for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
		struct plain p = plain_drive(500107862016, 512);
		const struct probe *probe = probe_find("class");
		struct scope scope = whole(&p, probe);
		struct err e = {0};
		struct doc doc;

		make_doc(&doc, &cases[k].made);
		assert_int_equal(probe->run(&p.drive, &scope, &doc, &e), 0);
		assert_int_equal(p.reads, 0);
		if (strcmp(doc_find(&doc, "class.kind")->text, cases[k].kind))
			fail_msg("case %zu: %s", k, doc_find(&doc, "class.kind")->text);
		assert_int_equal(doc_find(&doc, "class.kind")->how, HOW_DERIVED);
		for (size_t i = 0; i < doc.notes_n; i++)
			assert_null(strstr(doc.notes[i], "is an SSD."));
		if (cases[k].made.period_s > 0)
			assert_true((doc_value(&doc, "class.smr_suspect") > 0) ==
				    (cases[k].made.fast > 0));
		doc_release(&doc);
	}
}

/* Six places are visited by turns, a step apart. That a step backwards was never answered from the cache
 * says nothing of a drive that had forgotten the place by then. */
static void read_on_arrival(void **state)
{
	static const struct {
		double step, places; /* places 0: not known */
		double value;        /* NAN: unknown */
	} cases[] = {{-512, 16, 0}, {-512, 4, 0}, {-512, 3, NAN}, {-512, 1, NAN}, {-512, 0, NAN},
		{65536, 16, 1}, {65536, 0, 1}};

	(void)state;
	for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
		struct plain p = plain_drive(500107862016, 512);
		const struct probe *probe = probe_find("class");
		struct scope scope = whole(&p, probe);
		const struct finding *f;
		struct series *s;
		struct err e = {0};
		struct doc doc;

		make_doc(&doc, &(struct made){1 / 120.0, 400, 0, 1.02, 0.08, 0.9});
		s = doc_series(&doc, "rotation.visits");
		for (int i = 0; i < 3; i++)
			series_add(s, (double[]){0, 0, 1e9 + i * cases[k].step, 0, i});
		if (cases[k].places > 0)
			put(&doc, "cache.segments", cases[k].places, 0);
		assert_int_equal(probe->run(&p.drive, &scope, &doc, &e), 0);
		f = doc_find(&doc, "class.read_on_arrival");
		assert_true((f->how == HOW_UNKNOWN) == (isnan(cases[k].value) != 0));
		if (f->how != HOW_UNKNOWN)
			assert_true(f->value == cases[k].value);
		doc_release(&doc);
	}
}

/* What a drive's memory can hold says nothing of its medium: 1 MiB of a disk. */
static void a_small_region_is_no_kind(void **state)
{
	struct plain p = plain_drive(500107862016, 512);
	const struct probe *probe = probe_find("class");
	struct scope scope = whole(&p, probe);
	struct made m = {0, 400, 400, 2, 0.01, 0};
	struct err e = {0};
	struct doc doc;

	(void)state;
	scope.to_bytes = 1 << 20;
	make_doc(&doc, &m);
	assert_int_equal(probe->run(&p.drive, &scope, &doc, &e), 0);
	assert_string_equal(doc_find(&doc, "class.kind")->text, "cannot_tell");
	assert_non_null(strstr(doc.notes[0], "small enough to be kept in the drive's memory"));
	assert_int_equal(doc_find(&doc, "class.without_medium")->how, HOW_UNKNOWN);
	doc_release(&doc);
}

/* Two members of a mirror, 100 ppm apart: their speeds are told no better than that, and no drift. */
static void several_spindles_have_no_one_speed(void **state)
{
	struct plain p = plain_drive(500107862016, 512);
	const struct probe *probe = probe_find("class");
	struct scope scope = whole(&p, probe);
	struct made m = {1 / 120.0, 400, 0, 1.46, 0.1, 0};
	const struct finding *rpm;
	struct err e = {0};
	struct doc doc;

	(void)state;
	make_doc(&doc, &m);
	put(&doc, "rotation.drift_ratio", 4e-6, 2e-6);
	assert_int_equal(probe->run(&p.drive, &scope, &doc, &e), 0);
	rpm = doc_find(&doc, "rotation.rpm");
	assert_true(rpm->high - rpm->low > 2 * 100e-6 * 7200);
	assert_true(rpm->high - rpm->low < 2 * 400e-6 * 7200);
	assert_int_equal(doc_find(&doc, "rotation.drift_ratio")->how, HOW_UNKNOWN);
	probe = probe_find("spindle");
	assert_int_equal(probe->run(&p.drive, &scope, &doc, &e), 0);
	assert_int_equal(p.reads, 0);
	doc_release(&doc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
				cmocka_unit_test(kinds), cmocka_unit_test(read_on_arrival),
		cmocka_unit_test(a_small_region_is_no_kind),
		cmocka_unit_test(several_spindles_have_no_one_speed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
