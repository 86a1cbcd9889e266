/* SPDX-License-Identifier: GPL-2.0-or-later */
/* hdparm's lines: against lines hdparm 9.65 printed, and against what scripts do with them. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "out/hdparm_lines.h"

#define MIB 1048576ull

/* The rate is that of hdparm's own unrounded time, which these seconds give back. */
static void lines_are_byte_exact(void **state)
{
	struct text out = {0};

	(void)state;
	hdparm_header(&out, "/dev/loop1");
	hdparm_cached(&out, false, 28144 * MIB, 28144 / 14185.73);
	hdparm_disk(&out, false, 0, 64 * MIB, 64 / 413.19);
	assert_string_equal(out.chars,
		"\n"
		"/dev/loop1:\n"
		" Timing cached reads:   28144 MB in  1.98 seconds = 14185.73 MB/sec\n"
		" Timing buffered disk reads:  64 MB in  0.15 seconds = 413.19 MB/sec\n");
	text_release(&out);
	hdparm_cached(&out, true, 16410 * MIB, 16410 / 8222.79);
	hdparm_disk(&out, true, 0, 64 * MIB, 64 / 5815.54);
	hdparm_disk(&out, true, 1000, 1098 * MIB, 1098 / 365.21);
	assert_string_equal(out.chars,
		" Timing O_DIRECT cached reads:   16410 MB in  2.00 seconds = 8222.79 MB/sec\n"
		" Timing O_DIRECT disk reads:  64 MB in  0.01 seconds = 5815.54 MB/sec\n"
		" Timing O_DIRECT disk reads (offset 1000 GB): 1098 MB in  3.01 seconds = "
		"365.21 MB/sec\n");
	text_release(&out);
}

/* The n-th word, counted from 1 as awk does; n 0: the last but one, $(NF-1). */
static void word(const char *line, int n, char *dst, size_t size)
{
	char copy[256];
	char *words[32];
	char *rest = NULL;
	int count = 0;

	snprintf(copy, sizeof(copy), "%s", line);
	words[0] = strtok_r(copy, " \n", &rest);
	while (count < 31 && words[count])
		words[++count] = strtok_r(NULL, " \n", &rest);
	assert_true(count >= n && count > 1);
	snprintf(dst, size, "%s", words[n ? n - 1 : count - 2]);
}

static void scripts_read_them(void **state)
{
	static const struct {
		uint64_t mib;
		double seconds;
		const char *rate;
	} rows[] = {
		{316, 3.0, "105.33"}, {2, 3.0, "0.67"}, {1, 8.0, "0.12"}, {4096, 0.5, "8192.00"},
		{64, 0.0, "0.00"},
	};
	struct text out = {0};
	regmatch_t match[2];
	regex_t any_rate;
	char w[64];

	(void)state;
	assert_int_equal(regcomp(&any_rate, "([0-9]+\\.[0-9]+) MB/sec", REG_EXTENDED), 0);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		hdparm_disk(&out, false, 0, rows[i].mib * MIB, rows[i].seconds);
		assert_int_equal(regexec(&any_rate, out.chars, 2, match, 0), 0);
		assert_memory_equal(out.chars + match[1].rm_so, rows[i].rate, strlen(rows[i].rate));
		assert_int_equal(match[1].rm_eo - match[1].rm_so, strlen(rows[i].rate));
		word(out.chars, 11, w, sizeof(w));
		assert_string_equal(w, rows[i].rate);
		word(out.chars, 12, w, sizeof(w));
		assert_string_equal(w, "MB/sec");
		word(out.chars, 0, w, sizeof(w));
		assert_string_equal(w, rows[i].rate);
		assert_null(strstr(out.chars, "kB"));
		assert_non_null(strstr(out.chars, "Timing buffered disk reads"));
		assert_ptr_equal(strchr(out.chars, '='), strrchr(out.chars, '='));
		text_release(&out);
	}
	hdparm_cached(&out, true, 100 * MIB, 2);
	word(out.chars, 11, w, sizeof(w));
	assert_string_equal(w, "50.00");
	regfree(&any_rate);
	text_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_byte_exact),
		cmocka_unit_test(scripts_read_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
