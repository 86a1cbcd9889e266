/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the drive keeps of its self-tests (SMART log 06h and log 07h; ACS-3, A.14 and A.19) and of its own
 * looking about (SMART READ DATA, bytes 362 on). Newest first; the descriptor of the newest is named by
 * an index that counts from 1, and they go round. */
#include "smart/ata_parts.h"

#include <stdio.h>

#define TESTS_LISTED 40u

struct test_log {
	const char *name;      /* "standard", "extended" */
	const uint8_t *first;  /* sector */
	size_t sectors, a_sector, begin, size; /* descriptors a sector, where they begin, bytes of one */
	size_t newest;         /* from 1; 0: none was ever made */
	bool cut;              /* only its first sectors are here */
};

static const uint8_t *descriptor(const struct test_log *log, size_t n)
{
	return log->first + n / log->a_sector * ATA_SECTOR + log->begin + n % log->a_sector * log->size;
}

static const char *status_words(unsigned status)
{
	static const char *const words[] = {"completed without error", "aborted by the host",
		"interrupted by a reset", "could not go on: fatal error", "failed: unknown element",
		"failed: electrical element", "failed: servo or seek", "failed: reading",
		"failed: damaged by handling"};

	return status == 15 ? "in progress" : status < 9 ? words[status] : "reserved status";
}

static void put_status(struct facts *facts, const char *source, uint8_t status, const char *words,
	const char *path)
{
	facts_integer(facts, source, status, "%s.value", path);
	facts_text(facts, source, FACT_OPEN, words, "%s.string", path);
	if (status >> 4 == 0 || (status >> 4 >= 3 && status >> 4 <= 8))
		facts_flag(facts, source, status >> 4 == 0, "%s.passed", path);
	if (status >> 4 && status & 15u && (status & 15u) <= 9)
		facts_integer(facts, source, (status & 15u) * 10, "%s.remaining_percent", path);
}

static const char *type_words(uint8_t number)
{
	switch (number & 0x7F) {
	case 0: return "offline";
	case 1: return "short";
	case 2: return "extended";
	case 3: return "conveyance";
	case 4: return "selective";
	default: return "maker's own";
	}
}

static void put_test(struct facts *facts, const struct test_log *log, const uint8_t *d, size_t row)
{
	char path[96];
	uint64_t lba = le_n(d + 5, log->size == 24 ? 4 : 6);

	snprintf(path, sizeof(path), "ata_smart_self_test_log.%s.table[%zu]", log->name, row);
	facts_integer(facts, "self-test log", d[0], "%s.type.value", path);
	facts_text(facts, "self-test log", FACT_OPEN, type_words(d[0]), "%s.type.string", path);
	facts_integer(facts, "self-test log", (int64_t)le_n(d + 2, 2), "%s.lifetime_hours", path);
	if (d[1] >> 4 == 7 && lba != (log->size == 24 ? 0xFFFFFFFF : 0xFFFFFFFFFFFF))
		facts_integer(facts, "self-test log", (int64_t)lba, "%s.lba", path);
	snprintf(path, sizeof(path), "ata_smart_self_test_log.%s.table[%zu].status", log->name, row);
	put_status(facts, "self-test log", d[1], status_words(d[1] >> 4), path);
}

static bool empty(const uint8_t *d, size_t n)
{
	while (n--)
		if (d[n])
			return false;
	return true;
}

/* A failure is outdated when a whole extended test passed after it. */
static void put_tests(struct facts *facts, const struct test_log *log)
{
	size_t total = log->sectors * log->a_sector, rows = 0, failed = 0, outdated = 0;
	bool passed_since = false;

	if (log->newest > total)
		return;
	if (log->cut) /* what is older than the first was the last of a sector that is not here */
		total = log->newest;
	for (size_t i = 0; log->newest && i < total; i++) {
		const uint8_t *d = descriptor(log, (log->newest - 1 + total - i) % total);
		unsigned status = d[1] >> 4;

		if (empty(d, log->size))
			break;
		if (rows < TESTS_LISTED)
			put_test(facts, log, d, rows);
		rows++;
		if (status >= 3 && status <= 8) {
			failed++;
			outdated += passed_since;
		}
		passed_since = passed_since || ((d[0] & 0x7F) == 2 && status == 0);
	}
	facts_integer(facts, "self-test log", (int64_t)rows, "ata_smart_self_test_log.%s.count",
		log->name);
	facts_integer(facts, "self-test log", (int64_t)failed,
		"ata_smart_self_test_log.%s.error_count_total", log->name);
	facts_integer(facts, "self-test log", (int64_t)outdated,
		"ata_smart_self_test_log.%s.error_count_outdated", log->name);
}

void ata_tests_read(struct facts *facts, const struct pages *pages)
{
	const struct page *old = pages_answer(pages, ASK_ATA_SMART_LOG, 0x06, ATA_SECTOR);
	const struct page *new = pages_answer(pages, ASK_ATA_LOG, 0x07u << 16, ATA_SECTOR);

	if (new && new->bytes[0]) {
		struct test_log log = {.name = "extended", .first = new->bytes,
			.sectors = new->length / ATA_SECTOR, .a_sector = 19, .begin = 4, .size = 26,
			.newest = (size_t)le_n(new->bytes + 2, 2)};
		const struct page *list = pages_answer(pages, ASK_ATA_LOG, 0, ATA_SECTOR);

		log.cut = list && le_n(list->bytes + 2 * 0x07, 2) > log.sectors;

		put_tests(facts, &log);
	}
	if (old && le_n(old->bytes, 2)) {
		struct test_log log = {.name = "standard", .first = old->bytes, .sectors = 1,
			.a_sector = 21, .begin = 2, .size = 24, .newest = old->bytes[508]};

		put_tests(facts, &log);
	}
}

static void put_collection(struct facts *facts, const uint8_t *b)
{
	static const char *const words[] = {"never begun", "reserved", "completed", "in progress",
		"suspended by a command", "aborted by a command", "aborted by an error"};
	unsigned status = b[362] & 0x7Fu;

	facts_integer(facts, "SMART data", b[362],
		"ata_smart_data.offline_data_collection.status.value");
	if (status < sizeof(words) / sizeof(words[0]))
		facts_text(facts, "SMART data", FACT_OPEN, words[status],
			"ata_smart_data.offline_data_collection.status.string");
	if (status == 2 || status == 6)
		facts_flag(facts, "SMART data", status == 2,
			"ata_smart_data.offline_data_collection.status.passed");
	facts_integer(facts, "SMART data", (int64_t)le_n(b + 364, 2),
		"ata_smart_data.offline_data_collection.completion_seconds");
}

static void put_capabilities(struct facts *facts, const uint8_t *b)
{
	static const struct {
		uint16_t at;
		uint8_t bit;
		const char *name;
	} capabilities[] = {
		{367, 0, "exec_offline_immediate_supported"},
		{367, 2, "offline_is_aborted_upon_new_cmd"},
		{367, 3, "offline_surface_scan_supported"},
		{367, 4, "self_tests_supported"},
		{367, 5, "conveyance_self_test_supported"},
		{367, 6, "selective_self_test_supported"},
		{368, 1, "attribute_autosave_enabled"},
		{370, 0, "error_logging_supported"},
	};

	facts_integer(facts, "SMART data", b[367], "ata_smart_data.capabilities.values[0]");
	facts_integer(facts, "SMART data", (int64_t)le_n(b + 368, 2),
		"ata_smart_data.capabilities.values[1]");
	for (size_t i = 0; i < sizeof(capabilities) / sizeof(capabilities[0]); i++)
		facts_flag(facts, "SMART data", b[capabilities[i].at] & 1u << capabilities[i].bit,
			"ata_smart_data.capabilities.%s", capabilities[i].name);
}

void ata_smart_data_read(struct facts *facts, const struct pages *pages)
{
	const struct page *p = pages_answer(pages, ASK_ATA_SMART_DATA, 0, ATA_SECTOR);
	const uint8_t *b;
	int64_t extended;

	if (!p)
		return;
	b = p->bytes;
	facts_integer(facts, "SMART data", (int64_t)le_n(b, 2), "ata_smart_attributes.revision");
	put_collection(facts, b);
	/* the same number when none was ever run */
	put_status(facts, "SMART data", b[363],
		b[363] >> 4 ? status_words(b[363] >> 4) : "completed without error, or never run",
		"ata_smart_data.self_test.status");
	put_capabilities(facts, b);
	if (!(b[367] & 1u << 4))
		return;
	extended = b[373] == 0xFF ? (int64_t)le_n(b + 375, 2) : b[373];
	facts_integer(facts, "SMART data", b[372], "ata_smart_data.self_test.polling_minutes.short");
	facts_integer(facts, "SMART data", extended,
		"ata_smart_data.self_test.polling_minutes.extended");
	if (b[367] & 1u << 5)
		facts_integer(facts, "SMART data", b[374],
			"ata_smart_data.self_test.polling_minutes.conveyance");
}
