/* SPDX-License-Identifier: GPL-2.0-or-later */
/* base/: err, mem, text, units, rng. */
#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/text.h"
#include "base/units.h"

static void err_keeps_one_sentence(void **state)
{
	struct err e = {0};
	char long_text[2000];

	(void)state;
	assert_int_equal(err_set(&e, -EIO, "reading %s: %d", "/dev/sdx", 5), -EIO);
	assert_string_equal(e.text, "reading /dev/sdx: 5");
	err_prefix(&e, "/dev/sdx");
	assert_string_equal(e.text, "/dev/sdx: reading /dev/sdx: 5");
	memset(long_text, 'a', sizeof(long_text));
	long_text[sizeof(long_text) - 1] = 0;
	err_set(&e, -EIO, "%s", long_text);
	assert_int_equal(strlen(e.text), sizeof(e.text) - 1);
	err_prefix(&e, long_text);
	assert_true(strlen(e.text) < sizeof(e.text));
	assert_int_equal(err_set(NULL, -EINVAL, "nobody listens"), -EINVAL);
}

static void memory_grows_and_keeps(void **state)
{
	int *numbers = NULL;
	size_t capacity = 0;
	char *copy;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		numbers = mem_grow(numbers, (size_t)i, &capacity, sizeof(*numbers));
		numbers[i] = i;
	}
	for (int i = 0; i < 1000; i++)
		assert_int_equal(numbers[i], i);
	assert_true(capacity >= 1000 && capacity < 3000);
	free(numbers);
	copy = mem_strdup("a drive");
	assert_string_equal(copy, "a drive");
	free(copy);
	assert_null(mem_strdup(NULL));
	free(mem_copy(NULL, 0, 8));
	free(mem_zalloc(0, 8));
}

static void text_grows(void **state)
{
	struct text t = {0};
	char *taken;

	(void)state;
	assert_string_equal(text_chars(&t), "");
	for (int i = 0; i < 500; i++)
		text_add(&t, "%03d,", i);
	assert_int_equal(t.length, 2000);
	assert_memory_equal(t.chars + 1996, "499,", 5);
	text_add_fill(&t, '-', 3);
	text_add_bytes(&t, "x\0y", 3);
	assert_int_equal(t.length, 2006);
	taken = text_take(&t);
	assert_memory_equal(taken + 2000, "---x\0y", 7);
	free(taken);
	assert_int_equal(t.length, 0);
	text_release(&t);
	taken = text_take(&t);
	assert_string_equal(taken, "");
	free(taken);
}

static void text_from_drives_is_made_clean(void **state)
{
	static const struct {
		const char *in, *out;
	} rows[] = {
		{"ST3000DM001", "ST3000DM001"},
		{"a\x1b[31mred", "a?[31mred"},
		{"tab\there\n", "tab?here?"},
		{"\xc2\xb5s", "\xc2\xb5s"},         /* micro sign stays */
		{"\xc2\x9b" "31m", "??31m"},        /* U+009B is a terminal's CSI */
		{"\xc0\xaf", "??"},                 /* overlong */
		{"\xed\xa0\x80", "???"},            /* surrogate */
		{"\xf4\x90\x80\x80", "????"},       /* above U+10FFFF */
		{"\xe2\x82", "??"},                 /* cut short */
		{"\x7f", "?"},
		{"a\u202Ebc", "a?bc"},              /* what follows would run backwards */
		{"\u200E\u200F\u202A\u2066\u2069", "?????"},
		{"\u2028\u2029\u061C", "???"},
		{"\u2027\u202F\u2065\u206A\u200D", "\u2027\u202F\u2065\u206A\u200D"},
		{"\u061B\u0410\u6F22", "\u061B\u0410\u6F22"},
	};
	char dst[32];
	char small[4];

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		text_copy_clean(dst, sizeof(dst), rows[i].in);
		assert_string_equal(dst, rows[i].out);
	}
	text_copy_clean(small, sizeof(small), "ab\xc2\xb5");
	assert_string_equal(small, "ab"); /* a character is not cut in two */
	text_copy_clean(small, sizeof(small), "abcdef");
	assert_string_equal(small, "abc");
}

static void text_words(void **state)
{
	char padded[] = "  WDC WD1602ABJS \n";
	char blank[] = " \t ";

	(void)state;
	assert_string_equal(text_trim(padded), "WDC WD1602ABJS");
	assert_string_equal(text_trim(blank), "");
	assert_true(text_starts("sim:x", "sim:"));
	assert_false(text_starts("si", "sim:"));
	assert_true(text_ends("a.truth", ".truth"));
	assert_false(text_ends("th", ".truth"));
}

static void bytes_are_parsed(void **state)
{
	static const struct {
		const char *in;
		int status;
		uint64_t bytes;
	} rows[] = {
		{"0", 0, 0},
		{"4096", 0, 4096},
		{"64k", 0, 65536},
		{"64K", 0, 65536},
		{"64KiB", 0, 65536},
		{"64kB", 0, 64000},
		{"1.5GiB", 0, 1610612736},
		{"500 MB", 0, 500000000},
		{".5M", 0, 524288},
		{"9223372036854775807", 0, INT64_MAX},
		{"9007199254740993", 0, 9007199254740993u}, /* 2^53 + 1 */
		{"9223372036854775808", -ERANGE, 0},
		{"99999999999999999999999", -ERANGE, 0},
		{"8388608T", -ERANGE, 0}, /* 2^63 */
		{"", -EINVAL, 0},
		{"-1", -EINVAL, 0},
		{"+1", -EINVAL, 0},
		{"1,5G", -EINVAL, 0},
		{"0x10", -EINVAL, 0},
		{"nan", -EINVAL, 0},
		{"inf", -EINVAL, 0},
		{"1e3", -EINVAL, 0},
		{"4096 x", -EINVAL, 0},
		{"k", -EINVAL, 0},
		{".", -EINVAL, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		uint64_t bytes = 0;

		assert_int_equal(units_parse_bytes(rows[i].in, &bytes), rows[i].status);
		if (!rows[i].status)
			assert_int_equal(bytes, rows[i].bytes);
	}
}

static void places_and_durations_are_parsed(void **state)
{
	uint64_t v;

	(void)state;
	assert_int_equal(units_parse_place("50%", 1000, &v), 0);
	assert_int_equal(v, 500);
	assert_int_equal(units_parse_place("100%", UINT64_C(20000588955648), &v), 0);
	assert_int_equal(v, UINT64_C(20000588955648));
	assert_int_equal(units_parse_place("END", 77, &v), 0);
	assert_int_equal(v, 77);
	assert_int_equal(units_parse_place("1k", 77, &v), 0);
	assert_int_equal(v, 1024);
	assert_int_equal(units_parse_place("101%", 1000, &v), -ERANGE);
	assert_int_equal(units_parse_place("5%%", 1000, &v), -EINVAL);
	assert_int_equal(units_parse_duration("1.5m", &v), 0);
	assert_int_equal(v, UINT64_C(90000000000));
	assert_int_equal(units_parse_duration("250ms", &v), 0);
	assert_int_equal(v, 250000000);
	assert_int_equal(units_parse_duration("3", &v), 0);
	assert_int_equal(v, UINT64_C(3000000000));
	assert_int_equal(units_parse_duration("3x", &v), -EINVAL);
	assert_int_equal(units_parse_u64("18446744073709551615", &v), 0);
	assert_true(v == UINT64_MAX);
	assert_int_equal(units_parse_u64("18446744073709551616", &v), -ERANGE);
	assert_int_equal(units_parse_u64("12 ", &v), -EINVAL);
}

static void sizes_are_named(void **state)
{
	char s[64];

	(void)state;
	units_format_capacity(s, sizeof(s), UINT64_C(500107862016));
	assert_string_equal(s, "500 GB");
	units_format_capacity(s, sizeof(s), UINT64_C(16000900661248));
	assert_string_equal(s, "16 TB");
	units_format_capacity(s, sizeof(s), 512);
	assert_string_equal(s, "512 bytes");
	units_format_capacity(s, sizeof(s), UINT64_C(999999999999));
	assert_string_equal(s, "1 TB");
	units_format_request(s, sizeof(s), 4096);
	assert_string_equal(s, "4 KiB");
	units_format_request(s, sizeof(s), 1048576);
	assert_string_equal(s, "1 MiB");
	units_format_request(s, sizeof(s), 512);
	assert_string_equal(s, "512 bytes");
	units_format_duration(s, sizeof(s), 0.84);
	assert_string_equal(s, "0.8 s");
	units_format_duration(s, sizeof(s), 200);
	assert_string_equal(s, "3 min 20 s");
	units_format_duration(s, sizeof(s), 18600);
	assert_string_equal(s, "5 h 10 min");
	assert_string_equal(units_scale(UNIT_BYTES_PER_S, 161e6).name, "MB/s");
	assert_string_equal(units_scale(UNIT_S, 0.0127).name, "ms");
	assert_string_equal(units_scale(UNIT_S, 1e-5).name, "µs");
}

/* The first outputs of xoshiro256** for the state {1, 2, 3, 4}, by hand: rotl(2 * 5, 7) * 9 = 11520;
 * then the state's second word is 2 ^ 1 ^ 3 = 0. */
static void rng_is_the_published_one(void **state)
{
	struct rng r = {{1, 2, 3, 4}};

	(void)state;
	assert_true(rng_u64(&r) == 11520);
	assert_true(rng_u64(&r) == 0);
	assert_true(rng_u64(&r) == 1509978240);
	assert_true(rng_u64(&r) == UINT64_C(1215971899390074240));
}

/* Moments within six standard errors: 2e-9 chance a line, and the seed is fixed anyway. */
static void rng_has_the_right_moments(void **state)
{
	enum { N = 200000 };
	struct rng r;
	double u = 0, g = 0, gg = 0, e = 0;
	unsigned counts[7] = {0};

	(void)state;
	rng_init(&r, 42, 1);
	for (int i = 0; i < N; i++) {
		double normal = rng_normal(&r);

		u += rng_uniform(&r);
		g += normal;
		gg += normal * normal;
		e += rng_exponential(&r);
		counts[rng_below(&r, 7)]++;
	}
	assert_true(fabs(u / N - 0.5) < 6 * sqrt(1.0 / 12 / N));
	assert_true(fabs(g / N) < 6 / sqrt(N));
	assert_true(fabs(gg / N - 1) < 6 * sqrt(2.0 / N));
	assert_true(fabs(e / N - 1) < 6 / sqrt(N));
	for (int i = 0; i < 7; i++)
		assert_true(fabs(counts[i] - N / 7.0) < 6 * sqrt(N * 6.0 / 49));
}

static void rng_streams_differ_and_repeat(void **state)
{
	struct rng a, b, c;
	uint64_t values[50];
	uint64_t sum = 0;

	(void)state;
	rng_init(&a, 1, 1);
	rng_init(&b, 1, 2);
	rng_init(&c, 1, 1);
	assert_true(rng_u64(&a) != rng_u64(&b));
	rng_u64(&c);
	assert_true(rng_u64(&a) == rng_u64(&c));
	for (uint64_t i = 0; i < 50; i++)
		values[i] = i;
	rng_shuffle(&a, values, 50);
	for (size_t i = 0; i < 50; i++)
		sum |= UINT64_C(1) << values[i];
	assert_true(sum == (UINT64_C(1) << 50) - 1); /* each value once */
	assert_false(values[0] == 0 && values[1] == 1 && values[2] == 2 && values[3] == 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(err_keeps_one_sentence),
		cmocka_unit_test(memory_grows_and_keeps),
		cmocka_unit_test(text_grows),
		cmocka_unit_test(text_from_drives_is_made_clean),
		cmocka_unit_test(text_words),
		cmocka_unit_test(bytes_are_parsed),
		cmocka_unit_test(places_and_durations_are_parsed),
		cmocka_unit_test(sizes_are_named),
		cmocka_unit_test(rng_is_the_published_one),
		cmocka_unit_test(rng_has_the_right_moments),
		cmocka_unit_test(rng_streams_differ_and_repeat),
	};

	return cmocka_run_group_tests_name("base", tests, NULL, NULL);
}
