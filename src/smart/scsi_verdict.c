/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A SCSI drive's own judgement: informational exceptions (log page 2Fh) and the self-tests it has
 * done (10h; SPC-5 7.3.10, 7.3.21). Words of sense codes are put together from the standard's scheme:
 * of 5Dh, the upper half of the qualifier is the part, the lower one what is wrong with it. */
#include <stdio.h>
#include <string.h>

#include "smart/bytes.h"
#include "smart/scsi_parts.h"

#define PREDICTED 0x5D
#define WARNING   0x0B
#define TESTED    0xFF /* 5Dh/FFh: raised on purpose, to try out who listens */

static void predicted_words(char *dst, size_t size, uint8_t ascq)
{
	static const char *const parts[] = {"", "HARDWARE", "CONTROLLER", "DATA CHANNEL", "SERVO",
		"SPINDLE", "FIRMWARE"};
	static const char *const faults[] = {"GENERAL HARD DRIVE FAILURE",
		"DRIVE ERROR RATE TOO HIGH", "DATA ERROR RATE TOO HIGH", "SEEK ERROR RATE TOO HIGH",
		"TOO MANY BLOCK REASSIGNS", "ACCESS TIMES TOO HIGH", "START UNIT TIMES TOO HIGH",
		"CHANNEL PARAMETRICS", "CONTROLLER DETECTED", "THROUGHPUT PERFORMANCE",
		"SEEK TIME PERFORMANCE", "SPIN-UP RETRY COUNT", "DRIVE CALIBRATION RETRY COUNT"};
	static const char *const plain[] = {"", "MEDIA ", "LOGICAL UNIT ", "SPARE AREA EXHAUSTION "};

	if (ascq == TESTED)
		snprintf(dst, size, "FAILURE PREDICTION THRESHOLD EXCEEDED (FALSE)");
	else if (ascq == 0x73)
		snprintf(dst, size, "MEDIA IMPENDING FAILURE ENDURANCE LIMIT MET");
	else if (ascq >= 0x10 && ascq >> 4 < 7 && (ascq & 15) < 13)
		snprintf(dst, size, "%s IMPENDING FAILURE %s", parts[ascq >> 4], faults[ascq & 15]);
	else
		snprintf(dst, size, "%sFAILURE PREDICTION THRESHOLD EXCEEDED",
			ascq < 4 ? plain[ascq] : "");
}

void scsi_exception_words(char *dst, size_t size, uint8_t asc, uint8_t ascq)
{
	static const char *const warnings[] = {"WARNING", "SPECIFIED TEMPERATURE EXCEEDED",
		"ENCLOSURE DEGRADED", "BACKGROUND SELF-TEST FAILED",
		"BACKGROUND PRE-SCAN DETECTED MEDIUM ERROR",
		"BACKGROUND MEDIUM SCAN DETECTED MEDIUM ERROR", "NON-VOLATILE CACHE NOW VOLATILE",
		"DEGRADED POWER TO NON-VOLATILE CACHE", "POWER LOSS EXPECTED",
		"DEVICE STATISTICS NOTIFICATION ACTIVE"};

	dst[0] = 0;
	if (asc == PREDICTED)
		predicted_words(dst, size, ascq);
	else if (asc == WARNING && ascq && ascq < sizeof(warnings) / sizeof(warnings[0]))
		snprintf(dst, size, "WARNING - %s", warnings[ascq]);
	else if (asc == WARNING)
		snprintf(dst, size, "WARNING");
}

void scsi_read_exceptions(struct facts *facts, const struct pages *pages)
{
	static const char source[] = "LOG SENSE 2Fh";
	struct log_walk walk = log_begin(pages, 0x2F, 0);
	struct log_parameter q;
	char words[80];

	while (log_next(&walk, &q)) {
		uint8_t asc;
		uint8_t ascq;

		if (q.code || q.length < 2)
			continue;
		asc = q.bytes[0];
		ascq = q.bytes[1];
		facts_flag(facts, source, asc != PREDICTED || ascq == TESTED, "smart_status.passed");
		if (asc || ascq) {
			scsi_exception_words(words, sizeof(words), asc, ascq);
			facts_integer(facts, source, asc, "smart_status.scsi.asc");
			facts_integer(facts, source, ascq, "smart_status.scsi.ascq");
			facts_text(facts, source, FACT_OPEN, words, "smart_status.scsi.ie_string");
		}
		if (q.length >= 3 && q.bytes[2] && q.bytes[2] != 0xFF &&
			!facts_find(facts, "temperature.current"))
			facts_integer(facts, source, q.bytes[2], "temperature.current");
		return;
	}
}

static void put_test(struct facts *facts, const uint8_t *p, unsigned n)
{
	static const char *const codes[] = {"default", "background short", "background long", "",
		"background stopped", "foreground short", "foreground long", ""};
	static const char *const results[16] = {"completed", "stopped by command", "stopped by reset",
		"could not be completed", "failed in an unknown part", "failed in the first part",
		"failed in the second part", "failed", [15] = "running"};
	static const char source[] = "LOG SENSE 10h";
	unsigned result = p[0] & 15;

	facts_integer(facts, source, p[0] >> 5, "scsi_self_test_%u.code.value", n);
	facts_text(facts, source, FACT_OPEN, codes[p[0] >> 5], "scsi_self_test_%u.code.string", n);
	facts_integer(facts, source, result, "scsi_self_test_%u.result.value", n);
	facts_text(facts, source, FACT_OPEN, results[result] ? results[result] : "",
		"scsi_self_test_%u.result.string", n);
	facts_integer(facts, source, be16(p + 2), "scsi_self_test_%u.power_on_time.hours", n);
	if (p[1])
		facts_integer(facts, source, p[1], "scsi_self_test_%u.failed_segment.value", n);
	if (!bytes_all(p + 4, 8, 0xFF) && be64(p + 4) <= INT64_MAX && result)
		facts_integer(facts, source, (int64_t)be64(p + 4),
			"scsi_self_test_%u.lba_first_failure.value", n);
	if (p[12] & 15) {
		facts_integer(facts, source, p[12] & 15, "scsi_self_test_%u.sense_key.value", n);
		facts_integer(facts, source, p[13], "scsi_self_test_%u.asc", n);
		facts_integer(facts, source, p[14], "scsi_self_test_%u.ascq", n);
	}
}

/* The newest first, at most 20; an entry of zeros was never used. */
void scsi_read_self_tests(struct facts *facts, const struct pages *pages)
{
	struct log_walk walk = log_begin(pages, 0x10, 0);
	struct log_parameter q;
	unsigned n = 0;
	unsigned failed = 0;
	bool told = false;

	while (log_next(&walk, &q) && n < 20) {
		if (q.code < 1 || q.code > 20 || q.length < 16)
			continue;
		told = true;
		if (bytes_all(q.bytes, 16, 0))
			continue;
		put_test(facts, q.bytes, n++);
		failed += (q.bytes[0] & 15) >= 3 && (q.bytes[0] & 15) <= 7;
	}
	if (told) {
		facts_integer(facts, "LOG SENSE 10h", n, "platter.self_tests");
		facts_integer(facts, "LOG SENSE 10h", failed, "platter.self_tests_failed");
	}
}

bool scsi_says_asleep(const uint8_t sense[3])
{
	/* standby (by timer, by command; standby_y likewise), changed to standby, changed to sleep */
	static const uint8_t at_rest[] = {0x02, 0x04, 0x09, 0x0A, 0x43, 0x45};

	if (sense[1] == 0x04)
		return sense[0] == 2 && (sense[2] == 0x02 || sense[2] == 0x11);
	return sense[1] == 0x5E && memchr(at_rest, sense[2], sizeof(at_rest)) != NULL;
}
