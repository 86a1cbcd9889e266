/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Others at the drive, a processor that is busy, a host that takes it away: on a simulated drive in
 * which they are planted the figures are right all the same, or the document says what is wrong with
 * them. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <string.h>

#include "probe/probe_table.h"
#include "probe/session.h"
#include "sim/sim.h"
#include "sim/sim_inside.h"
#include "tests/unit/plain_drive.h"

static struct drive *open_planted(const char *a, const char *b)
{
	struct truth t;
	struct err e = {0};

	if (truth_of_spec("hts725050a9a362", &t, &e) || (a && truth_set(&t, a, &e)) ||
		(b && truth_set(&t, b, &e)) || truth_check(&t, &e))
		fail_msg("%s", e.text);
	return sim_drive_open(&t, 3, "sim:planted");
}

static struct scope scope_of(const struct drive *d, double seconds)
{
	return (struct scope){.to_bytes = d->info.size_bytes, .seed = 3, .runs = 3,
		.effort = EFFORT_STANDARD, .budget_ns = (uint64_t)(seconds * 1e9)};
}

static bool has_note(const struct doc *doc, const char *part)
{
	for (size_t i = 0; i < doc->notes_n; i++)
		if (strstr(doc->notes[i], part))
			return true;
	return false;
}

/* 40 samples of 16 random reads; *spoilers: what spoiled any of them. Returns how many were spoiled. */
static unsigned spoiled_samples(const char *a, const char *b, unsigned *spoilers, struct doc *doc)
{
	struct drive *d = open_planted(a, b);
	struct scope scope = scope_of(d, 60);
	struct session s;
	struct err e = {0};
	struct rng rng;
	unsigned n = 0;

	rng_init(&rng, 1, 1);
	doc_init(doc);
	*spoilers = 0;
	session_start(&s, "access", "access/1", 16, d, &scope, doc, &e);
	for (unsigned k = 0; k < 40; k++) {
		struct watched sample = session_watch(&s);
		unsigned why;

		for (size_t i = 0; i < 16; i++)
			s.ios[i] = (struct io){.length = 4096,
				.offset = rng_below(&rng, d->info.size_bytes / 4096) * 4096};
		assert_int_equal(session_run(&s, 16, 1, 0), 0);
		why = session_spoiled(&s, &sample);
		n += why != 0;
		*spoilers |= why;
	}
	assert_int_equal(s.watch.samples, 40);
	assert_int_equal(s.watch.spoiled, n);
	session_end(&s);
	drive_close(d);
	return n;
}

static void each_spoiler_is_seen_as_what_it_is(void **state)
{
	struct doc doc;
	unsigned spoilers, n;

	(void)state;
	assert_int_equal(spoiled_samples(NULL, NULL, &spoilers, &doc), 0);
	assert_int_equal(doc.notes_n, 0);
	doc_release(&doc);

	/* 16 reads without another's before them: (1 - 1/9)^16 = 15 % of the samples */
	n = spoiled_samples("foreign_share=0.1", NULL, &spoilers, &doc);
	assert_true(n > 26 && n < 40);
	assert_int_equal(spoilers, 1u << SPOILED_BY_OTHERS);
	assert_true(has_note(&doc, "Samples were spoiled by others at the drive and could not be"));
	assert_true(has_note(&doc, "those of a busy drive"));
	doc_release(&doc);

	/* one read in 40 waits 10 ms of the 230 of its sample */
	n = spoiled_samples("run_delay_share=0.025", "run_delay_s=0.01", &spoilers, &doc);
	assert_true(n > 4 && n < 22);
	assert_int_equal(spoilers, 1u << SPOILED_BY_PROCESSOR);
	assert_true(has_note(&doc, "spoiled by waiting for a processor and could"));
	assert_true(has_note(&doc, "those of a busy machine"));
	doc_release(&doc);

	n = spoiled_samples("steal_share=0.025", "steal_s=0.02", &spoilers, &doc);
	assert_true(n > 4 && n < 22);
	assert_int_equal(spoilers, 1u << SPOILED_BY_HOST);
	doc_release(&doc);

	assert_int_equal(spoiled_samples("foreign_share=0.1", "counters=0", &spoilers, &doc), 0);
	assert_int_equal(doc.notes_n, 1);
	assert_true(has_note(&doc, "whether anybody disturbed the measurement is not known"));
	doc_release(&doc);
}

/* Samples get shorter while others are at the drive, and longer when they are gone. */
static void samples_fit_the_load(void **state)
{
	struct plain p = plain_drive(500107862016, 512);
	struct scope scope = whole(&p, probe_find("access"));
	struct session s;
	struct err e = {0};
	struct doc doc;

	(void)state;
	doc_init(&doc);
	p.counts = true;
	p.drive.info.path = DRIVE_DIRECT;
	scope.budget_ns = 1000000000;
	session_start(&s, "access", "access/1", 64, &p.drive, &scope, &doc, &e);
	assert_int_equal(session_sample_reads(&s, 64), 64);
	for (unsigned k = 0; k < 80; k++) {
		size_t n = session_sample_reads(&s, 64);
		struct watched sample = session_watch(&s);

		p.foreign_every = k < 20 ? 4 : 0;
		for (size_t i = 0; i < n; i++)
			s.ios[i] = (struct io){.length = 4096, .offset = i * 4096};
		assert_int_equal(session_run(&s, n, 1, 0), 0);
		session_again(&s, &sample);
		if (k == 19)
			assert_true(session_sample_reads(&s, 64) <= 8);
	}
	assert_int_equal(session_sample_reads(&s, 64), 64);
	assert_int_equal(session_sample_reads(&s, 1), 1);
	assert_true(s.watch.thrown_away == s.watch.spoiled && s.watch.spoiled > 5);
	assert_true(session_lost_share(&s) > 0 && session_lost_share(&s) < 0.5);
	session_end(&s);
	doc_release(&doc);
}

/* No more than a quarter of the budget goes on samples that are thrown away. */
static void repeats_are_bounded(void **state)
{
	struct plain p = plain_drive(500107862016, 512);
	struct scope scope = whole(&p, probe_find("access"));
	struct session s;
	struct err e = {0};
	struct doc doc;
	unsigned again = 0;

	(void)state;
	doc_init(&doc);
	p.counts = true;
	p.foreign_every = 1;
	p.drive.info.path = DRIVE_DIRECT;
	scope.budget_ns = 100 * 1000000u; /* each read takes 100 us and 4096 / 100 MB/s */
	session_start(&s, "access", "access/1", 64, &p.drive, &scope, &doc, &e);
	for (unsigned k = 0; k < 40; k++) {
		struct watched sample = session_watch(&s);

		for (size_t i = 0; i < 10; i++)
			s.ios[i] = (struct io){.length = 4096, .offset = i * 4096};
		assert_int_equal(session_run(&s, 10, 1, 0), 0);
		again += session_again(&s, &sample);
	}
	assert_int_equal(again, (unsigned)(25e6 / 10 / 140960));
	NEAR(session_lost_share(&s), again / 40.0, 1e-9);
	session_end(&s);
	assert_true(has_note(&doc, "could not be replaced by better ones"));
	doc_release(&doc);
}

/* Reads in a row that pause, or that are all slow and unlike each other. */
static void pauses_are_told_from_a_drives_own(void **state)
{
	double even[20], busy[20], each[20], slow[20];

	(void)state;
	for (size_t i = 0; i < 20; i++) {
		even[i] = 0.009 + 0.001 * (double)(i % 2);       /* a track's end in every other */
		busy[i] = i % 5 == 0 ? 0.040 : 0.009;
		each[i] = 0.020 + 0.0018 * (double)(i * 7 % 20); /* a move there and back in each */
		slow[i] = 0.1 + 0.008 * (double)(i % 2);         /* an old drive, and a turn of it */
	}
	assert_false(session_pauses(even, 20));
	assert_false(session_pauses(slow, 20));
	assert_true(session_pauses(busy, 20));
	assert_true(session_pauses(each, 20));
	even[3] = 0.060; /* one may be chance */
	assert_false(session_pauses(even, 20));
	assert_false(session_pauses(busy, 7));
}

/* With a tenth of all reads another's, each figure is what it is without him, or unknown. */
static void figures_are_right_or_unknown(void **state)
{
	static const char *const names[] = {"access", "zones", "sequential", "seekers", "patterns"};
	static const char *const keys[] = {"access.mean_s", "zones.mean_bytes_per_s",
		"sequential.bytes_per_s", "seekers.iops", "patterns.backward_bytes_per_s"};

	(void)state;
	for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
		const struct probe *probe = probe_find(names[k]);
		struct interval seen[2] = {{0}}; /* without and with load */
		struct err e = {0};

		for (int load = 0; load < 2; load++) {
			struct drive *d = open_planted(load ? "foreign_share=0.1" : NULL, NULL);
			struct scope scope = scope_of(d, probe->seconds[EFFORT_STANDARD]);
			const struct finding *f;
			struct doc doc;

			doc_init(&doc);
			assert_int_equal(probe->run(d, &scope, &doc, &e), 0);
			f = doc_find(&doc, keys[k]);
			seen[load] = (struct interval){f->value, f->low, f->high};
			if (!load && has_note(&doc, "busy"))
				fail_msg("%s: load where there is none", names[k]);
			if (load && f->how != HOW_UNKNOWN && (seen[1].low > seen[0].high * 1.01 ||
				seen[1].high < seen[0].low * 0.99))
				fail_msg("%s: %g, without load %g", names[k],
					seen[1].value, seen[0].value);
			if (load && f->how == HOW_UNKNOWN)
				assert_non_null(strstr(f->why_not, "others were at the drive"));
			if (load && !k)
				assert_true(f->lost_share > 0.02);
			doc_release(&doc);
			drive_close(d);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_spoiler_is_seen_as_what_it_is),
		cmocka_unit_test(samples_fit_the_load),
		cmocka_unit_test(repeats_are_bounded),
		cmocka_unit_test(pauses_are_told_from_a_drives_own),
		cmocka_unit_test(figures_are_right_or_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
