/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shares of the stroke: worked out by hand from made-up maps. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "probe/stroke.h"

static void add_rate(struct doc *doc, double middle, double rate)
{
	series_add(doc_series(doc, "zones.rate"), (double[]){middle, rate, NAN, NAN});
}

static void put_region(struct doc *doc, uint64_t from, uint64_t to)
{
	doc_put(doc, "zones.mean_bytes_per_s", &(struct finding){.how = HOW_MEASURED, .value = 1e8,
		.low = 1e8, .high = 1e8, .confidence = 0.95, .spread = NAN, .method = "zones/2",
		.from_bytes = from, .to_bytes = to});
}

static void close_to(double is, double should)
{
	assert_true(fabs(is - should) < 1e-9 * (1 + fabs(should)));
}

static void without_a_map_it_is_the_share_of_bytes(void **state)
{
	struct doc doc;
	struct stroke s;

	(void)state;
	doc_init(&doc);
	assert_false(stroke_init(&s, &doc, 1000));
	close_to(stroke_share(&s, 250), 0.25);
	close_to(stroke_offset(&s, 0.75), 750);
	close_to(stroke_share(&s, -5), 0);
	close_to(stroke_share(&s, 2000), 1);
	stroke_release(&s);
	doc_release(&doc);
}

/* 0 … 600 at rate 3, 600 … 1000 at rate 1: 200 and 400 tracks. */
static void parts_of_unlike_length(void **state)
{
	struct doc doc;
	struct stroke s;

	(void)state;
	doc_init(&doc);
	put_region(&doc, 0, 1000);
	add_rate(&doc, 300, 3);
	add_rate(&doc, 800, 1);
	assert_true(stroke_init(&s, &doc, 1000));
	close_to(stroke_share(&s, 600), 1.0 / 3);
	close_to(stroke_share(&s, 300), 1.0 / 6);
	close_to(stroke_share(&s, 800), 2.0 / 3);
	close_to(stroke_offset(&s, 1.0 / 3), 600);
	for (double share = 0; share <= 1; share += 0.0625)
		close_to(stroke_share(&s, stroke_offset(&s, share)), share);
	stroke_release(&s);
	doc_release(&doc);
}

/* Mapped from 200 to 600 only: rate 2 before 400, rate 1 behind, and so on to both ends. */
static void a_part_of_the_drive(void **state)
{
	struct doc doc;
	struct stroke s;

	(void)state;
	doc_init(&doc);
	put_region(&doc, 200, 600);
	add_rate(&doc, 300, 2);
	add_rate(&doc, 500, 1);
	assert_true(stroke_init(&s, &doc, 1000));
	close_to(stroke_share(&s, 400), 0.25);
	close_to(stroke_share(&s, 200), 0.125);
	close_to(stroke_share(&s, 700), 0.625);
	stroke_release(&s);
	doc_release(&doc);
}

static void tracks_without_a_map(void **state)
{
	struct doc doc;
	struct stroke s;

	(void)state;
	doc_init(&doc);
	series_add(doc_series(&doc, "track.length"), (double[]){100, 20, NAN, NAN, NAN});
	series_add(doc_series(&doc, "track.length"), (double[]){900, 10, NAN, NAN, NAN});
	assert_true(stroke_init(&s, &doc, 1000));
	close_to(stroke_share(&s, 500), 1.0 / 3);
	stroke_release(&s);
	doc_release(&doc);
}

/* A rate that is the same everywhere while tracks get shorter is that of an interface. */
static void a_flat_map_hides_the_tracks(void **state)
{
	struct doc doc;
	struct stroke s;

	(void)state;
	doc_init(&doc);
	put_region(&doc, 0, 1000);
	add_rate(&doc, 300, 30);
	add_rate(&doc, 800, 29.9);
	series_add(doc_series(&doc, "track.length"), (double[]){100, 20, NAN, NAN, NAN});
	series_add(doc_series(&doc, "track.length"), (double[]){900, 10, NAN, NAN, NAN});
	assert_true(stroke_init(&s, &doc, 1000));
	close_to(stroke_share(&s, 500), 1.0 / 3);
	stroke_release(&s);
	doc_release(&doc);
}

/* Rows no drive can have had: out of order, beside the drive, no rate. */
static void nonsense_is_not_followed(void **state)
{
	static const double rows[][2] = {{500, 1}, {400, 1}, {2000, 1}, {500, 0}, {500, NAN}, {NAN, 1}};

	(void)state;
	for (size_t i = 1; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct doc doc;
		struct stroke s;

		doc_init(&doc);
		add_rate(&doc, rows[0][0], rows[0][1]);
		add_rate(&doc, rows[i][0], rows[i][1]);
		if (i != 1)
			doc_series(&doc, "zones.rate")->values[0] = 100;
		assert_false(stroke_init(&s, &doc, 1000));
		close_to(stroke_share(&s, 500), 0.5);
		stroke_release(&s);
		doc_release(&doc);
	}
}

static void rows_at_one_place(void **state)
{
	struct doc doc;
	struct stroke s;

	(void)state;
	doc_init(&doc);
	put_region(&doc, 0, 1000);
	for (int i = 0; i < 3; i++)
		add_rate(&doc, 500, 1);
	assert_true(stroke_init(&s, &doc, 1000));
	assert_true(stroke_share(&s, 500) >= 0 && stroke_share(&s, 500) <= 1);
	close_to(stroke_share(&s, 1000), 1);
	stroke_release(&s);
	doc_release(&doc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(without_a_map_it_is_the_share_of_bytes),
		cmocka_unit_test(parts_of_unlike_length),
		cmocka_unit_test(a_part_of_the_drive),
		cmocka_unit_test(tracks_without_a_map),
		cmocka_unit_test(a_flat_map_hides_the_tracks),
		cmocka_unit_test(nonsense_is_not_followed),
		cmocka_unit_test(rows_at_one_place),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
