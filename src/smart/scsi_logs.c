/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a SCSI drive is: log pages (SPC-5 7.3, SBC-4 6.4) are a header and parameters, each with a
 * code and a length. Parameters may be missing, and all ones mean that the count is not kept. */
#include <stdio.h>
#include <string.h>

#include "smart/bytes.h"
#include "smart/scsi_parts.h"

struct log_walk log_begin(const struct pages *pages, uint8_t code, uint8_t subpage)
{
	const struct page *page =
		pages_answer(pages, ASK_SCSI_LOG, SCSI_LOG_ID(code, subpage), 4);
	const uint8_t *p = page ? page->bytes : NULL;
	size_t said;

	/* the subpage is there only when the SPF bit says so */
	if (!p || (p[0] & 0x3F) != code || ((p[0] & 0x40) ? p[1] : 0) != subpage)
		return (struct log_walk){0};
	said = 4u + be16(p + 2);
	return (struct log_walk){p + 4, p + (said < page->length ? said : page->length)};
}

bool log_next(struct log_walk *walk, struct log_parameter *parameter)
{
	const uint8_t *p = walk->at;

	if (!p || walk->end - p < 4 || walk->end - p - 4 < p[3])
		return false;
	*parameter = (struct log_parameter){be16(p), p + 4, p[3]};
	walk->at = p + 4 + p[3];
	return true;
}

bool log_counter(const struct log_parameter *parameter, int64_t *value)
{
	const uint8_t *p = parameter->bytes;
	size_t n = parameter->length;

	if (!n || bytes_all(p, n, 0xFF))
		return false;
	for (; n > 8; n--, p++)
		if (*p)
			return false;
	if (be_n(p, n) > INT64_MAX)
		return false;
	*value = (int64_t)be_n(p, n);
	return true;
}

bool scsi_lists_log(const struct pages *pages, uint8_t code, uint8_t subpage)
{
	const struct page *list = pages_answer(
		pages, ASK_SCSI_LOG, SCSI_LOG_ID(0, subpage ? 0xFF : 0), 4);
	size_t step = subpage ? 2 : 1;
	size_t end;

	if (!list || (list->bytes[0] & 0x3F))
		return false;
	end = 4u + be16(list->bytes + 2);
	if (end > list->length)
		end = list->length;
	for (size_t at = 4; at + step <= end; at += step)
		if ((list->bytes[at] & 0x3F) == code && (!subpage || list->bytes[at + 1] == subpage))
			return true;
	return false;
}

static void put_source(char *dst, size_t size, uint8_t code, uint8_t subpage)
{
	if (subpage)
		snprintf(dst, size, "LOG SENSE %02Xh/%02Xh", code, subpage);
	else
		snprintf(dst, size, "LOG SENSE %02Xh", code);
}

/* ---- error counters --------------------------------------------------------------------------- */

static void put_error_counter(struct facts *facts, const char *source, const char *which,
	uint16_t code, int64_t value)
{
	static const char *const names[] = {"errors_corrected_by_eccfast",
		"errors_corrected_by_eccdelayed", "errors_corrected_by_rereads_rewrites",
		"total_errors_corrected", "correction_algorithm_invocations", "gigabytes_processed",
		"total_uncorrected_errors"};
	char gigabytes[32];

	if (code >= sizeof(names) / sizeof(names[0]))
		return;
	if (code != 5) {
		facts_integer(facts, source, value, "scsi_error_counter_log.%s.%s", which, names[code]);
		return;
	}
	snprintf(gigabytes, sizeof(gigabytes), "%.3f", (double)value / 1e9);
	facts_text(facts, source, FACT_OPEN, gigabytes, "scsi_error_counter_log.%s.%s", which,
		names[code]);
}

static void read_error_counters(struct facts *facts, const struct pages *pages)
{
	static const struct {
		uint8_t code;
		const char *which, *bytes, *uncorrected;
	} logs[] = {
		{0x03, "read", "platter.bytes_read", "platter.uncorrected_read_errors"},
		{0x02, "write", "platter.bytes_written", "platter.uncorrected_write_errors"},
		{0x05, "verify", "platter.bytes_verified", "platter.uncorrected_verify_errors"},
	};

	for (size_t i = 0; i < sizeof(logs) / sizeof(logs[0]); i++) {
		struct log_walk walk = log_begin(pages, logs[i].code, 0);
		struct log_parameter parameter;
		char source[32];
		int64_t value;

		put_source(source, sizeof(source), logs[i].code, 0);
		while (log_next(&walk, &parameter)) {
			if (!log_counter(&parameter, &value))
				continue;
			put_error_counter(facts, source, logs[i].which, parameter.code, value);
			if (parameter.code == 5)
				facts_integer(facts, source, value, "%s", logs[i].bytes);
			if (parameter.code == 6)
				facts_integer(facts, source, value, "%s", logs[i].uncorrected);
		}
	}
}

static void read_non_medium(struct facts *facts, const struct pages *pages)
{
	struct log_walk walk = log_begin(pages, 0x06, 0);
	struct log_parameter parameter;
	int64_t value;

	while (log_next(&walk, &parameter))
		if (parameter.code == 0 && log_counter(&parameter, &value))
			facts_integer(facts, "LOG SENSE 06h", value, "platter.non_medium_errors");
}

/* The header of READ DEFECT DATA (SBC-4 5.22): 4 bytes of the short command, 8 of the long one. */
static void read_defects(struct facts *facts, const struct pages *pages)
{
	static const unsigned entry_bytes[8] = {4, 8, 8, 8, 8, 8, 0, 0};
	const struct page *page = pages_answer(pages, ASK_SCSI_DEFECTS, 0, 4);
	unsigned bytes;
	uint32_t length;

	/* the grown list is what was asked for */
	if (!page || !(page->bytes[1] & 8))
		return;
	length = page->length >= 8 ? be32(page->bytes + 4) : be16(page->bytes + 2);
	bytes = entry_bytes[page->bytes[1] & 7];
	if (!bytes)
		return;
	facts_integer(facts, "READ DEFECT DATA", length / bytes, "scsi_grown_defect_list");
	facts_integer(facts, "READ DEFECT DATA", length / bytes, "platter.reallocated_sectors");
}

/* ---- temperature, age ------------------------------------------------------------------------- */

static void put_degrees(struct facts *facts, const char *source, uint8_t degrees, const char *path)
{
	/* FFh is not available; RAID volumes say 0 */
	if (degrees && degrees != 0xFF)
		facts_integer(facts, source, degrees, "%s", path);
}

/* Signed; 80h: not available (SPC-5 7.3.6, environmental reporting). */
static void put_signed_degrees(struct facts *facts, uint8_t degrees, const char *path)
{
	if (degrees != 0x80 && degrees)
		facts_integer(facts, "LOG SENSE 0Dh/01h", (int8_t)degrees, "%s", path);
}

static void read_temperature(struct facts *facts, const struct pages *pages)
{
	struct log_walk walk = log_begin(pages, 0x0D, 0);
	struct log_parameter q;

	while (log_next(&walk, &q)) {
		if (q.code == 0 && q.length >= 2)
			put_degrees(facts, "LOG SENSE 0Dh", q.bytes[1], "temperature.current");
		if (q.code == 1 && q.length >= 2)
			put_degrees(facts, "LOG SENSE 0Dh", q.bytes[1], "temperature.drive_trip");
	}
	walk = log_begin(pages, 0x0D, 0x01);
	while (log_next(&walk, &q)) {
		if (q.code || q.length < 6)
			continue;
		if (!facts_find(facts, "temperature.current"))
			put_signed_degrees(facts, q.bytes[1], "temperature.current");
		put_signed_degrees(facts, q.bytes[2], "temperature.lifetime_max");
		put_signed_degrees(facts, q.bytes[3], "temperature.lifetime_min");
		put_signed_degrees(facts, q.bytes[4], "temperature.power_cycle_max");
		put_signed_degrees(facts, q.bytes[5], "temperature.power_cycle_min");
	}
}

static void read_start_stop(struct facts *facts, const struct pages *pages)
{
	static const char *const names[] = {NULL, NULL, NULL,
		"specified_cycle_count_over_device_lifetime", "accumulated_start_stop_cycles",
		"specified_load_unload_count_over_device_lifetime",
		"accumulated_load_unload_cycles"};
	static const char source[] = "LOG SENSE 0Eh";
	struct log_walk walk = log_begin(pages, 0x0E, 0);
	struct log_parameter q;
	char digits[5];
	int64_t value;

	while (log_next(&walk, &q)) {
		if (q.code == 1 && q.length >= 6) {
			bytes_string(digits, q.bytes, 4);
			facts_text(facts, source, FACT_OPEN, digits,
				"scsi_start_stop_cycle_counter.year_of_manufacture");
			bytes_string(digits, q.bytes + 4, 2);
			facts_text(facts, source, FACT_OPEN, digits,
				"scsi_start_stop_cycle_counter.week_of_manufacture");
		} else if (q.code >= 3 && q.code <= 6 && log_counter(&q, &value)) {
			facts_integer(facts, source, value, "scsi_start_stop_cycle_counter.%s",
				names[q.code]);
		}
	}
}

static void put_minutes(struct facts *facts, const char *source, int64_t minutes)
{
	facts_integer(facts, source, minutes / 60, "power_on_time.hours");
	facts_integer(facts, source, minutes % 60, "power_on_time.minutes");
}

/* Vendor specific, but the same with Seagate and Hitachi: parameter 0 is minutes of power. */
static void read_factory(struct facts *facts, const struct pages *pages)
{
	struct log_walk walk = log_begin(pages, 0x3E, 0);
	struct log_parameter q;
	int64_t minutes;

	if (!scsi_has_factory_log(pages) || facts_find(facts, "power_on_time.hours"))
		return;
	while (log_next(&walk, &q))
		if (q.code == 0 && q.length == 4 && log_counter(&q, &minutes)) {
			put_minutes(facts, "LOG SENSE 3Eh", minutes);
			return;
		}
}

/* ---- background scan, defects that wait ------------------------------------------------------- */

static void put_scan(struct facts *facts, const uint8_t *p)
{
	static const char *const states[] = {"no scan is active", "scan is active",
		"pre-scan is active", "halted by an error", "halted by an unusual reset or heat",
		"halted, the list of errors is full", "halted by a loss of power",
		"halted by the system", "halted, waits for its time"};
	static const char source[] = "LOG SENSE 15h";
	char progress[16];

	put_minutes(facts, source, be32(p));
	facts_integer(facts, source, p[5], "scsi_background_scan.status.value");
	if (p[5] < sizeof(states) / sizeof(states[0]))
		facts_text(facts, source, FACT_OPEN, states[p[5]],
			"scsi_background_scan.status.string");
	facts_integer(facts, source, be16(p + 6), "scsi_background_scan.status.number_scans_performed");
	snprintf(progress, sizeof(progress), "%.2f%%", be16(p + 8) * 100.0 / 65536);
	facts_text(facts, source, FACT_OPEN, progress, "scsi_background_scan.status.scan_progress");
	facts_integer(facts, source, be16(p + 10),
		"scsi_background_scan.status.number_medium_scans_performed");
	facts_flag(facts, source, p[5] == 1 || p[5] == 2, "platter.background_scan_active");
}

/* Found errors are counted by what became of them, not listed: there may be two thousand. */
static void read_background_scan(struct facts *facts, const struct pages *pages)
{
	static const char *const fates[16] = {NULL, "waiting", "reassigned_by_drive", NULL,
		"not_reassigned", "rewritten_in_place", "reassigned_by_system",
		"reassigned_by_system", "not_reassigned_by_system"};
	struct log_walk walk = log_begin(pages, 0x15, 0);
	int64_t counts[16] = {0};
	int64_t all = 0;
	bool told = false;
	struct log_parameter q;

	while (log_next(&walk, &q)) {
		if (q.code == 0 && q.length >= 12) {
			put_scan(facts, q.bytes);
			told = true;
		} else if (q.code >= 1 && q.code <= 0x800 && q.length >= 20) {
			counts[q.bytes[4] >> 4]++;
			all++;
		}
	}
	counts[6] += counts[7];
	counts[7] = 0;
	if (told)
		facts_integer(facts, "LOG SENSE 15h", all, "platter.background_scan.errors");
	for (size_t i = 0; i < 16; i++)
		if (counts[i] && fates[i])
			facts_integer(facts, "LOG SENSE 15h", counts[i], "platter.background_scan.%s",
				fates[i]);
}

static void read_pending(struct facts *facts, const struct pages *pages)
{
	static const char source[] = "LOG SENSE 15h/01h";
	struct log_walk walk = log_begin(pages, 0x15, 0x01);
	struct log_parameter q;
	int64_t value;

	while (log_next(&walk, &q))
		if (q.code == 0 && q.length >= 4 && log_counter(&q, &value)) {
			facts_integer(facts, source, value, "scsi_pending_defects.count");
			facts_integer(facts, source, value, "platter.pending_sectors");
		}
}

static void read_endurance(struct facts *facts, const struct pages *pages)
{
	static const char source[] = "LOG SENSE 11h";
	struct log_walk walk = log_begin(pages, 0x11, 0);
	struct log_parameter q;

	while (log_next(&walk, &q)) {
		if (q.code != 1 || q.length < 4)
			continue;
		facts_integer(facts, source, q.bytes[3], "scsi_percentage_used_endurance_indicator");
		facts_integer(facts, source, q.bytes[3], "platter.life_used_percent");
	}
}

void scsi_read_logs(struct facts *facts, const struct pages *pages)
{
	read_temperature(facts, pages);
	scsi_read_exceptions(facts, pages);
	read_error_counters(facts, pages);
	read_non_medium(facts, pages);
	read_defects(facts, pages);
	read_start_stop(facts, pages);
	read_background_scan(facts, pages);
	read_pending(facts, pages);
	read_factory(facts, pages);
	read_endurance(facts, pages);
	scsi_read_self_tests(facts, pages);
}
