/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the drive's tests of itself came to. The kind of the last failure decides: electronics and
 * mechanics do not mend, nor does a surface that cannot be read; the rest may have been a disturbance.
 * Status: ACS-3, SMART READ DATA, byte 363, bits 7:4; the self-test log keeps the same numbers. */
#include <math.h>
#include <stdio.h>

#include "judge/judge_signs_inside.h"

#define SHOWN_TESTS 32

enum test_end { TEST_NOT_TOLD = -1, TEST_PASSED = 0, TEST_STOPPED = 3, TEST_UNKNOWN = 4,
	TEST_ELECTRICAL = 5, TEST_SERVO = 6, TEST_READING = 7, TEST_HANDLING = 8 };

static const char *kind_words(int end)
{
	static const char *const words[] = {"it could not go on", "an element of unknown kind failed",
		"its electronics failed", "its heads could not be moved or found their place no more",
		"a sector could not be read", "it was damaged by handling"};

	return words[end - TEST_STOPPED];
}

static bool failed(int end)
{
	return end >= TEST_STOPPED && end <= TEST_HANDLING;
}

static int end_at(const struct judging *j, const char *path)
{
	double value = judge_number(j, path);

	return value >= 0 && value <= 255 ? (int)value >> 4 : TEST_NOT_TOLD;
}

/* The newest failure that no whole extended test has passed after. */
static int end_in_log(const struct judging *j, const char *log)
{
	for (unsigned i = 0; i < SHOWN_TESTS; i++) {
		char path[FACT_PATH_MAX];
		int end;

		snprintf(path, sizeof(path), "ata_smart_self_test_log.%s.table[%u].status.value", log, i);
		end = end_at(j, path);
		if (end == TEST_NOT_TOLD || failed(end))
			return end;
		snprintf(path, sizeof(path), "ata_smart_self_test_log.%s.table[%u].type.value", log, i);
		if (end == TEST_PASSED && judge_number(j, path) == 2)
			return end;
	}
	return TEST_NOT_TOLD;
}

static int last_end(const struct judging *j)
{
	int end = end_at(j, "ata_smart_data.self_test.status.value");

	if (!failed(end))
		end = end_in_log(j, "extended");
	if (!failed(end))
		end = end_in_log(j, "standard");
	return end;
}

void judge_tests(struct judging *j)
{
	static const char *const logs[] = {"ata_smart_self_test_log.extended.error_count_total",
		"ata_smart_self_test_log.standard.error_count_total", "platter.self_tests_failed", NULL};
	double count = judge_told(j, logs);
	int end = j->protocol == ON_ATA ? last_end(j) : TEST_NOT_TOLD;
	double status = judge_number(j, "ata_smart_data.self_test.status.value");

	if (j->protocol == ON_NVME)
		return;
	if (isnan(count) && isnan(status)) {
		judge_not_told(j, "tests.failed");
		return;
	}
	judge_made(j);
	if (failed(end))
		signs_add(j->signs, "tests.failed",
			end >= TEST_ELECTRICAL ? SIGN_REJECT : SIGN_WARN,
			end >= TEST_ELECTRICAL
			? "The drive itself found that it is broken: copy what it holds and take it "
			  "out of service."
			: "It may have been a disturbance: have it test itself again before you trust it.",
			"its last self-test failed: %s", kind_words(end));
	else if (count >= 1)
		signs_add(j->signs, "tests.failed", SIGN_WARN,
			"The drive itself met something that it could not read or do; read the whole "
			"surface before you trust it.", "%.0f self-test%s in its log did not pass",
			count, count == 1 ? "" : "s");
}
