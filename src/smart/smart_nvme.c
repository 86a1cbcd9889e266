/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An NVMe drive: Identify Controller and Namespace (NVM Express Base 2.0, figures 275 and NVM command
 * set 97), the SMART log (figure 207). Its counters have 128 bits: beyond 2^53, where many readers of
 * JSON lose digits, a count is put as a real and, exactly, as text with "_s" behind the name. */
#include <stdio.h>
#include <string.h>

#include "smart/bytes.h"
#include "smart/smart.h"

#define LOG_PATH    "nvme_smart_health_information_log."
#define KELVIN      273
#define UNIT_BYTES_READ 512000.0 /* a data unit: thousand times 512 bytes */
#define EXACT_BELOW (1ull << 53)
static const char controller_source[] = "Identify Controller";
static const char namespace_source[] = "Identify Namespace";
static const char log_source[] = "NVMe SMART log";

struct counter {
	double real;
	uint64_t low;
	bool exact;     /* low is the whole value, below 2^53 */
	char digits[40];
};

/* 16 bytes, lowest first: divided by ten until nothing is left. */
static void counter_read(struct counter *c, const uint8_t *p)
{
	uint8_t rest[16];
	char *digit = c->digits + sizeof(c->digits) - 1;

	memcpy(rest, p, sizeof(rest));
	c->low = le64(p);
	c->exact = !le64(p + 8) && c->low < EXACT_BELOW;
	c->real = (double)le64(p + 8) * 18446744073709551616.0 + (double)c->low;
	*digit = 0;
	do {
		unsigned remainder = 0;

		for (size_t i = sizeof(rest); i--;) {
			unsigned part = remainder << 8 | rest[i];

			rest[i] = (uint8_t)(part / 10);
			remainder = part % 10;
		}
		*--digit = (char)('0' + remainder);
	} while (!bytes_all(rest, sizeof(rest), 0));
	memmove(c->digits, digit, strlen(digit) + 1);
}

static void put_counter(struct facts *facts, const char *source, const uint8_t *p, const char *path)
{
	struct counter c;

	counter_read(&c, p);
	if (c.exact) {
		facts_integer(facts, source, (int64_t)c.low, "%s", path);
		return;
	}
	facts_real(facts, source, c.real, "%s", path);
	facts_text(facts, source, FACT_OPEN, c.digits, "%s_s", path);
}

/* Limits and readings in kelvin; 0 is none, and what no drive survives is no reading. */
static void put_kelvin(struct facts *facts, const char *source, unsigned kelvin, const char *path)
{
	if (kelvin >= 200 && kelvin <= 500)
		facts_integer(facts, source, (int)kelvin - KELVIN, "%s", path);
}

static void put_version(struct facts *facts, uint32_t version)
{
	char words[32];

	if (!version)
		return; /* before 1.2 it was not told */
	if (version & 0xFF)
		snprintf(words, sizeof(words), "%u.%u.%u", version >> 16, version >> 8 & 0xFF,
			version & 0xFF);
	else
		snprintf(words, sizeof(words), "%u.%u", version >> 16, version >> 8 & 0xFF);
	facts_text(facts, controller_source, FACT_OPEN, words, "nvme_version.string");
	facts_integer(facts, controller_source, version, "nvme_version.value");
}

static void read_controller(struct facts *facts, const struct pages *pages)
{
	const struct page *page = pages_answer(pages, ASK_NVME_CONTROLLER, 0, 540);
	const uint8_t *p = page ? page->bytes : NULL;
	char words[48];

	if (!p || bytes_all(p, 540, 0))
		return;
	bytes_string(words, p + 24, 40);
	facts_text(facts, controller_source, FACT_OPEN, words, "model_name");
	bytes_string(words, p + 4, 20);
	facts_text(facts, controller_source, FACT_SPECIMEN, words, "serial_number");
	bytes_string(words, p + 64, 8);
	facts_text(facts, controller_source, FACT_OPEN, words, "firmware_version");
	facts_integer(facts, controller_source, le16(p), "nvme_pci_vendor.id");
	facts_integer(facts, controller_source, le16(p + 2), "nvme_pci_vendor.subsystem_id");
	facts_integer(facts, controller_source, (int64_t)le_n(p + 73, 3), "nvme_ieee_oui_identifier");
	facts_integer(facts, controller_source, le16(p + 78), "nvme_controller_id");
	put_version(facts, le32(p + 80));
	put_kelvin(facts, controller_source, le16(p + 266),
		"nvme_composite_temperature_threshold.warning");
	put_kelvin(facts, controller_source, le16(p + 268),
		"nvme_composite_temperature_threshold.critical");
	if (!bytes_all(p + 280, 16, 0)) {
		put_counter(facts, controller_source, p + 280, "nvme_total_capacity");
		put_counter(facts, controller_source, p + 296, "nvme_unallocated_capacity");
	}
	facts_integer(facts, controller_source, le32(p + 516), "nvme_number_of_namespaces");
	facts_flag(facts, controller_source, p[525] & 1, "platter.write_cache.present");
	/* every controller has the SMART log */
	facts_flag(facts, controller_source, true, "smart_support.available");
	facts_flag(facts, controller_source, true, "smart_support.enabled");
}

/* One of the three sizes of a namespace, in blocks. */
static void put_size(struct facts *facts, uint64_t blocks, unsigned shift, const char *name)
{
	if (blocks > (uint64_t)INT64_MAX >> shift)
		return;
	facts_integer(facts, namespace_source, (int64_t)blocks, "nvme_namespaces[0].%s.blocks", name);
	facts_integer(facts, namespace_source, (int64_t)(blocks << shift), "nvme_namespaces[0].%s.bytes",
		name);
}

/* EUI-64 where there is one, else the 128-bit name; "" when neither. */
static void put_name(struct facts *facts, const uint8_t *nguid, const uint8_t *eui)
{
	bool has_eui = !bytes_all(eui, 8, 0);
	const uint8_t *p = has_eui ? eui : nguid;
	static const char ext_id[] = "nvme_namespaces[0].eui64.ext_id";
	char name[40] = "0x";
	size_t n = has_eui ? 8 : 16;

	if (bytes_all(p, n, 0))
		return;
	for (size_t i = 0; i < n; i++)
		snprintf(name + 2 + 2 * i, 3, "%02x", p[i]);
	facts_text(facts, namespace_source, FACT_SPECIMEN, name, "logical_unit_id");
	if (!has_eui)
		return;
	facts_integer(facts, namespace_source, (int64_t)be_n(eui, 3), "nvme_namespaces[0].eui64.oui");
	facts_integer(facts, namespace_source, (int64_t)be_n(eui + 3, 5), "%s", ext_id);
	if (facts->n && strcmp(facts->facts[facts->n - 1].path, ext_id) == 0)
		facts->facts[facts->n - 1].privacy = FACT_SPECIMEN;
}

static void read_namespace(struct facts *facts, const struct pages *pages)
{
	const struct page *page = pages_answer(pages, ASK_NVME_NAMESPACE, 0, 384);
	const uint8_t *p = page ? page->bytes : NULL;
	unsigned format;
	unsigned shift;

	/* of a namespace that is not active, all is zero */
	if (!p || !le64(p))
		return;
	format = p[26] & 15;
	if (p[25] > 15)
		format |= (unsigned)(p[26] >> 5 & 3) << 4;
	if (128 + 4 * format + 4 > page->length)
		return;
	shift = p[128 + 4 * format + 2];
	if (shift < 9 || shift > 20)
		return;
	if (facts_number(facts, "nvme_number_of_namespaces") == 1)
		facts_integer(facts, controller_source, 1, "nvme_namespaces[0].id");
	put_size(facts, le64(p), shift, "size");
	put_size(facts, le64(p + 8), shift, "capacity");
	put_size(facts, le64(p + 16), shift, "utilization");
	facts_integer(facts, namespace_source, 1 << shift, "nvme_namespaces[0].formatted_lba_size");
	facts_integer(facts, namespace_source, 1 << shift, "logical_block_size");
	if (le64(p) <= (uint64_t)INT64_MAX >> shift) {
		facts_integer(facts, namespace_source, (int64_t)le64(p), "user_capacity.blocks");
		facts_integer(facts, namespace_source, (int64_t)(le64(p) << shift), "user_capacity.bytes");
	}
	if (p[29] & 7)
		facts_integer(facts, namespace_source, p[29] & 7, "platter.protection_type");
	if (p[24] & 0x10) {
		facts_integer(facts, namespace_source, le16(p + 64) + 1,
			"platter.limits.preferred_write_blocks");
		facts_integer(facts, namespace_source, le16(p + 72) + 1,
			"platter.limits.best_write_blocks");
	}
	put_name(facts, p + 104, p + 120);
}

static void put_counters(struct facts *facts, const uint8_t *p)
{
	static const struct {
		size_t at;
		const char *name;
	} counters[] = {
		{32, LOG_PATH "data_units_read"}, {48, LOG_PATH "data_units_written"},
		{64, LOG_PATH "host_reads"}, {80, LOG_PATH "host_writes"},
		{96, LOG_PATH "controller_busy_time"}, {112, LOG_PATH "power_cycles"},
		{128, LOG_PATH "power_on_hours"}, {144, LOG_PATH "unsafe_shutdowns"},
		{160, LOG_PATH "media_errors"}, {176, LOG_PATH "num_err_log_entries"},
		{112, "power_cycle_count"}, {128, "power_on_time.hours"},
	};
	struct counter c;

	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++)
		put_counter(facts, log_source, p + counters[i].at, counters[i].name);
	counter_read(&c, p + 32);
	facts_real(facts, log_source, c.real * UNIT_BYTES_READ, "platter.bytes_read");
	counter_read(&c, p + 48);
	facts_real(facts, log_source, c.real * UNIT_BYTES_READ, "platter.bytes_written");
}

static void put_temperatures(struct facts *facts, const uint8_t *p)
{
	char path[64];

	put_kelvin(facts, log_source, le16(p + 1), "temperature.current");
	put_kelvin(facts, log_source, le16(p + 1), LOG_PATH "temperature");
	facts_integer(facts, log_source, le32(p + 192), LOG_PATH "warning_temp_time");
	facts_integer(facts, log_source, le32(p + 196), LOG_PATH "critical_comp_time");
	for (unsigned i = 0; i < 8; i++) {
		snprintf(path, sizeof(path), LOG_PATH "temperature_sensors[%u]", i);
		put_kelvin(facts, log_source, le16(p + 200 + 2 * i), path);
	}
}

static void put_warnings(struct facts *facts, uint8_t bits)
{
	static const char *const names[] = {"spare_below_threshold",
		"temperature_above_or_below_threshold", "reliability_degraded", "media_read_only",
		"volatile_memory_backup_failed", "persistent_memory_region_unreliable"};

	facts_integer(facts, log_source, bits, "smart_status.nvme.value");
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		facts_flag(facts, log_source, bits >> i & 1, "smart_status.nvme.%s", names[i]);
}

static void read_log(struct facts *facts, const struct pages *pages)
{
	const struct page *page = pages_answer(pages, ASK_NVME_LOG, 0x02, 512);
	const uint8_t *p = page ? page->bytes : NULL;

	if (!p)
		return;
	/* some answer every log with zeros, which would be absolute zero and no spare */
	if (bytes_all(p, 512, 0)) {
		facts_flag(facts, log_source, true, "platter.smart_log_empty");
		return;
	}
	facts_flag(facts, log_source, !p[0], "smart_status.passed");
	put_warnings(facts, p[0]);
	facts_integer(facts, log_source, p[0], LOG_PATH "critical_warning");
	facts_integer(facts, log_source, p[3], LOG_PATH "available_spare");
	facts_integer(facts, log_source, p[4], LOG_PATH "available_spare_threshold");
	facts_integer(facts, log_source, p[5], LOG_PATH "percentage_used");
	facts_integer(facts, log_source, p[5], "platter.life_used_percent");
	if (p[5] == 255)
		facts_flag(facts, log_source, true, "platter.life_used_at_least");
	put_temperatures(facts, p);
	put_counters(facts, p);
}

void smart_read_nvme(struct facts *facts, const struct pages *pages)
{
	read_controller(facts, pages);
	read_namespace(facts, pages);
	read_log(facts, pages);
}
