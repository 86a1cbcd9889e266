/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The document, the catalogue and masked names. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include "tests/unit/made_up.h"

static void put_replaces_and_copies(void **state)
{
	struct doc doc;
	char method[] = "access/1";

	(void)state;
	doc_init(&doc);
	doc_put(&doc, "access.mean_s", &(struct finding){.how = HOW_MEASURED, .value = 2, .low = 1,
		.high = 3, .spread = NAN, .method = method});
	method[0] = 'X';
	assert_string_equal(doc_find(&doc, "access.mean_s")->method, "access/1");
	assert_ptr_equal(doc_find(&doc, "access.mean_s")->quantity, quantity_find("access.mean_s"));
	assert_true(doc_value(&doc, "access.mean_s") == 2);
	doc_put_unknown(&doc, "access.mean_s", "access/1", "only %d reads", 3);
	assert_int_equal(doc.findings_n, 1);
	assert_string_equal(doc_find(&doc, "access.mean_s")->why_not, "only 3 reads");
	assert_true(isnan(doc_value(&doc, "access.mean_s")));
	assert_null(doc_find(&doc, "access.iops"));
	assert_true(isnan(doc_value(&doc, "access.iops")));
	doc_release(&doc);
}

static void series_grow(void **state)
{
	struct doc doc;
	const struct series *s;

	(void)state;
	doc_init(&doc);
	assert_null(doc_find_series(&doc, "zones.rate"));
	for (int i = 0; i < 1000; i++) {
		series_add(doc_series(&doc, "zones.rate"),
			(double[]){i, i + 0.25, i + 0.5, i + 0.75});
		series_add(doc_series(&doc, "access.reads"), (double[]){-i, 2 * i, 3 * i});
	}
	s = doc_find_series(&doc, "zones.rate");
	assert_int_equal(s->rows, 1000);
	assert_int_equal(s->columns, 4);
	assert_true(s->values[999 * 4 + 3] == 999.75);
	s = doc_find_series(&doc, "access.reads");
	assert_int_equal(s->columns, 3);
	assert_true(s->values[500 * 3] == -500 && s->values[500 * 3 + 1] == 1000);
	doc_release(&doc);
}

static void notes_once_events_capped(void **state)
{
	struct doc doc;

	(void)state;
	doc_init(&doc);
	doc_note(&doc, "%d reads", 1);
	doc_note(&doc, "1 reads");
	doc_note(&doc, "2 reads");
	assert_int_equal(doc.notes_n, 2);
	for (unsigned i = 0; i < DOC_EVENTS_MAX + 7; i++)
		doc_event(&doc, &(struct event){.kind = "read_error", .offset = i});
	assert_int_equal(doc.events_n, DOC_EVENTS_MAX);
	assert_int_equal(doc.events_dropped, 7);
	assert_int_equal(doc.events[DOC_EVENTS_MAX - 1].offset, DOC_EVENTS_MAX - 1);
	doc_release(&doc);
}

static void catalogue_is_sound(void **state)
{
	const struct quantity *q;
	const struct quantity *other;
	const char *dot;

	(void)state;
	for (size_t i = 0; (q = quantity_at(i)); i++) {
		assert_ptr_equal(quantity_find(q->key), q); /* no key twice */
		dot = strchr(q->key, '.');
		assert_non_null(dot);
		assert_null(strchr(dot + 1, '.'));
		assert_true(q->same_ratio > 0 && q->same_ratio < 1);
		assert_true(strlen(q->title) > 0 && strlen(q->title) < 20);
		assert_int_equal(q->meaning[strlen(q->meaning) - 1], '.');
		/* the key names the unit */
		if (q->unit == UNIT_S)
			assert_string_equal(q->key + strlen(q->key) - 2, "_s");
		if (q->unit == UNIT_BYTES_PER_S)
			assert_string_equal(q->key + strlen(q->key) - 11, "bytes_per_s");
		for (size_t k = 0; k < i && (other = quantity_at(k)); k++)
			assert_true(strcmp(other->section, q->section) != 0 ||
				strcmp(quantity_at(i - 1)->section, q->section) == 0);
	}
	assert_null(quantity_find("access"));
	assert_null(series_kind_find("access.mean_s"));
	for (size_t i = 0; series_kind_at(i); i++)
		assert_ptr_equal(series_kind_find(series_kind_at(i)->key), series_kind_at(i));
}

static void names_are_masked(void **state)
{
	static const struct {
		const char *serial, *masked;
	} rows[] = {
		{"", ""}, {"A", "****"}, {"Z9", "****"}, {"ABCD", "****"}, {"ABCDE", "*BCDE"},
		{"110101PCK404VLGX0PBJ", "****************0PBJ"},
		{"0x5000cca5c0d1e2f3", "**************e2f3"},
		{"é€xäöüß", "***äöüß"},
	};
	char dst[64];
	char small[4];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		identity_mask(dst, sizeof(dst), rows[i].serial);
		assert_string_equal(dst, rows[i].masked);
	}
	identity_mask(small, sizeof(small), "110101PCK404VLGX0PBJ");
	assert_string_equal(small, "***");
	identity_mask(small, 1, "ABCDEFGH");
	assert_string_equal(small, "");
}

static void shared_notes(void **state)
{
	static const struct note_kind lost = {"Lost: ", " %", ".", 0}, slow = {"Slow: ", " s", "!", 1};
	struct doc doc;

	(void)state;
	doc_init(&doc);
	doc_note(&doc, "Lost: nothing.");
	doc_note_part(&doc, &lost, "access", 10);
	doc_note_part(&doc, &slow, "access", 2.26);
	doc_note_part(&doc, &lost, "zones", 3);
	doc_note_part(&doc, &lost, "access", 4);
	doc_note_part(&doc, &lost, "zones", 5);
	assert_int_equal(doc.notes_n, 3);
	assert_string_equal(doc.notes[0], "Lost: nothing.");
	assert_string_equal(doc.notes[1], "Lost: access 10 %, zones 5 %.");
	assert_string_equal(doc.notes[2], "Slow: access 2.3 s!");
	doc_release(&doc);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(put_replaces_and_copies),
		cmocka_unit_test(series_grow),
		cmocka_unit_test(notes_once_events_capped),
		cmocka_unit_test(shared_notes),
		cmocka_unit_test(catalogue_is_sound),
		cmocka_unit_test(names_are_masked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
