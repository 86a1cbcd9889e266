/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the cache probe finds on drives whose cache is planted, and where it says nothing. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "doc/doc.h"
#include "probe/probe.h"
#include "sim/sim_inside.h"
#include "sim/truth.h"

static const char *const keys[] = {"cache.hit_s", "cache.readahead_bytes",
	"cache.readahead_stream_bytes", "cache.segments"};

static void put(struct doc *doc, const char *key, double value)
{
	doc_put(doc, key, &(struct finding){.how = HOW_MEASURED, .value = value, .low = value * 0.999,
		.high = value * 1.001, .confidence = 0.95, .samples = 9, .spread = NAN,
		.method = "made/1"});
}

/* Runs it on that drive with a line on top of it; period_s 0: rotation was not found. */
static void cache_of(const char *like, const char *line, double period_s, struct doc *doc)
{
	struct scope scope = {.seed = 2, .runs = 3, .effort = EFFORT_STANDARD};
	struct truth t;
	struct err e = {0};
	struct drive *d;

	assert_int_equal(truth_of_spec(like, &t, &e), 0);
	if (line)
		assert_int_equal(truth_set(&t, line, &e), 0);
	assert_int_equal(truth_check(&t, &e), 0);
	d = sim_drive_open(&t, 2, "sim:test");
	scope.to_bytes = d->info.size_bytes;
	scope.budget_ns = 3500000000u;
	doc_init(doc);
	put(doc, "clock.hit_s", 0.00014);
	put(doc, "zones.inner_bytes_per_s", 50e6);
	if (period_s > 0) {
		put(doc, "rotation.period_s", period_s);
		put(doc, "rotation.rpm", 60 / period_s);
	}
	assert_int_equal(probe_find("cache")->run(d, &scope, doc, &e), 0);
	assert_true(drive_now_ns(d) < 1000000000u + scope.budget_ns + 500000000u);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		assert_non_null(doc_find(doc, keys[i]));
	drive_close(d);
}

static bool holds(const struct doc *doc, const char *key, double truth)
{
	const struct finding *f = doc_find(doc, key);

	return f->how == HOW_MEASURED && f->low <= truth && truth <= f->high &&
	       f->high - f->low < 0.2 * truth;
}

static void planted(void **state)
{
	struct doc doc;

	(void)state;
	cache_of("hts725050a9a362", NULL, 60 / 7200.0, &doc);
	assert_true(holds(&doc, "cache.readahead_bytes", 1536 << 10));
	assert_true(holds(&doc, "cache.readahead_stream_bytes", 1536 << 10));
	assert_true(holds(&doc, "cache.segments", 8));
	assert_true(fabs(doc_value(&doc, "cache.hit_s") - 132e-6) < 6e-6);
	assert_true(doc_find_series(&doc, "cache.readahead")->rows > 5);
	doc_release(&doc);

	cache_of("hts725050a9a362", "cache_segments = 10", 60 / 7200.0, &doc);
	assert_true(holds(&doc, "cache.segments", 10));
	doc_release(&doc);
	cache_of("hts725050a9a362", "cache_segments = 1", 60 / 7200.0, &doc);
	assert_true(holds(&doc, "cache.segments", 1));
	doc_release(&doc);
	cache_of("hts725050a9a362", "readahead_bytes = 0", 60 / 7200.0, &doc);
	assert_true(doc_value(&doc, "cache.readahead_bytes") <= 0);
	doc_release(&doc);
}

static void nothing_to_tell(void **state)
{
	static const struct {
		const char *like, *line;
		double period_s;
	} cases[] = {
		{"hts725050a9a362", NULL, 0},
		{"hts725050a9a362", "cache_segments = 0", 60 / 7200.0},
		{"ssdsa2m080g2gc", NULL, 60 / 7200.0},
		{"smr8tb", NULL, 60 / 5900.0},
	};

	(void)state;
	for (size_t k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
		struct doc doc;

		cache_of(cases[k].like, cases[k].line, cases[k].period_s, &doc);
		for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
			if (doc_find(&doc, keys[i])->how != HOW_UNKNOWN)
				fail_msg("%s on %s", keys[i], cases[k].like);
		doc_release(&doc);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(planted),
		cmocka_unit_test(nothing_to_tell),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
