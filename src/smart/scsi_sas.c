/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The phys of a SAS drive: speed that was agreed on, and errors of the line (log page 18h, SPL-4
 * 9.2.8.1): for each port a parameter, in it a descriptor for each phy. */
#include <stdio.h>

#include "smart/bytes.h"
#include "smart/scsi_parts.h"

#define PHYS_MAX 8
#define SAS      6
static const char source[] = "LOG SENSE 18h";

/* In units of 100 Mbit/s; 0: none. */
static unsigned rate_of(unsigned code)
{
	static const unsigned rates[] = {15, 30, 60, 120, 225};

	return code >= 8 && code <= 12 ? rates[code - 8] : 0;
}

static void put_address(struct facts *facts, const uint8_t *p, unsigned port, unsigned phy,
	const char *name)
{
	char address[20];

	snprintf(address, sizeof(address), "0x%016llx", (unsigned long long)be64(p));
	facts_text(facts, source, FACT_SPECIMEN, address, "scsi_sas_port_%u.phy_%u.%s", port, phy, name);
}

static uint64_t put_phy(struct facts *facts, const uint8_t *p, unsigned port, unsigned phy)
{
	static const char *const counts[] = {"invalid_dword_count", "running_disparity_error_count",
		"loss_of_dword_synchronization_count", "phy_reset_problem_count"};
	unsigned rate = rate_of(p[5] & 15);
	uint64_t errors = 0;

	facts_integer(facts, source, p[1], "scsi_sas_port_%u.phy_%u.identifier", port, phy);
	put_address(facts, p + 8, port, phy, "sas_address");
	put_address(facts, p + 16, port, phy, "attached_sas_address");
	facts_integer(facts, source, p[5] & 15, "platter.sas.port[%u].phy[%u].rate_code", port, phy);
	facts_integer(facts, source, p[24], "scsi_sas_port_%u.phy_%u.attached_phy_identifier", port,
		phy);
	if (rate) {
		char agreed[32];

		snprintf(agreed, sizeof(agreed), "phy enabled; %g Gbps", rate / 10.0);
		facts_text(facts, source, FACT_OPEN, agreed,
			"scsi_sas_port_%u.phy_%u.negotiated_logical_link_rate", port, phy);
		facts_real(facts, source, rate / 10.0, "platter.sas.port[%u].phy[%u].gbit_per_s", port,
			phy);
		if (!facts_find(facts, "interface_speed.current.string")) {
			char words[24];

			snprintf(words, sizeof(words), "%u.%u Gb/s", rate / 10, rate % 10);
			facts_text(facts, source, FACT_OPEN, words, "interface_speed.current.string");
			facts_integer(facts, source, rate, "interface_speed.current.units_per_second");
			facts_integer(facts, source, 100000000, "interface_speed.current.bits_per_unit");
		}
	}
	for (unsigned i = 0; i < 4; i++) {
		errors += be32(p + 32 + 4 * i);
		facts_integer(facts, source, be32(p + 32 + 4 * i), "scsi_sas_port_%u.phy_%u.%s", port,
			phy, counts[i]);
	}
	return errors;
}

void scsi_read_sas_phys(struct facts *facts, const struct pages *pages)
{
	struct log_walk walk = log_begin(pages, 0x18, 0);
	struct log_parameter q;
	uint64_t errors = 0;
	unsigned port = 0;

	for (; log_next(&walk, &q) && port < PHYS_MAX; port++) {
		size_t at = 4;

		if (q.length < 4 || (q.bytes[0] & 15) != SAS)
			continue;
		facts_integer(facts, source, q.code, "scsi_sas_port_%u.relative_target_port_id", port);
		facts_integer(facts, source, q.bytes[2], "scsi_sas_port_%u.generation_code", port);
		facts_integer(facts, source, q.bytes[3], "scsi_sas_port_%u.number_of_phys", port);
		for (unsigned phy = 0; phy < PHYS_MAX && at + 48 <= q.length; phy++) {
			size_t length = 4u + q.bytes[at + 3];

			errors += put_phy(facts, q.bytes + at, port, phy);
			at += length < 48 ? 48 : length;
		}
	}
	if (port)
		facts_integer(facts, source, (int64_t)errors, "platter.link_errors");
}
