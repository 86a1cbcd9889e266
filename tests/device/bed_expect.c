/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a prober should find on a bed drive, from the oracle, which knows the planted figures. The
 * host of the simulation is taken away: on the bed the host is the real one, and its cost is measured
 * (bed_pipe.c) and added by who compares. */
#include <inttypes.h>
#include <stdio.h>

#include "base/units.h"
#include "tests/device/bed.h"
#include "tests/truth/oracle.h"

#define STREAM_BYTES (1u << 20) /* request of the streams */
#define ACCESS_BYTES 4096u

static void without_host(struct truth *t)
{
	t->host_delay_s = t->host_jitter_s = 0;
	t->host_outlier_share = t->host_outlier_s = 0;
}

static void print_rates(struct oracle *o, uint64_t seed, uint64_t size, uint64_t block,
	uint64_t strata)
{
	printf("\"rates\":[");
	for (uint64_t i = 0; i < strata; i++) {
		uint64_t from = (uint64_t)((double)size * (double)i / (double)strata);
		uint64_t to = (uint64_t)((double)size * (double)(i + 1) / (double)strata);
		double rate;

		from = from / block * block;
		to = i + 1 == strata ? size : to / block * block;
		printf("%s[%" PRIu64 ",%" PRIu64 ",", i ? "," : "", from, to);
		if (oracle_rate(o, seed, from, to, STREAM_BYTES, &rate))
			printf("null]");
		else
			printf("%.3f]", rate);
	}
	printf("]");
}

static void print_access(struct oracle *o, uint64_t size, const char *name, unsigned depth)
{
	struct oracle_access a;

	if (oracle_access(o, 0, size, ACCESS_BYTES, depth, &a))
		printf(",\"%s\":null", name);
	else
		printf(",\"%s\":{\"mean_s\":%.9f,\"mean_se_s\":%.9f,\"p50_s\":%.9f,\"iops\":%.4f}",
			name, a.mean_s, a.mean_se_s, a.p50_s, a.iops);
}

/* Bare moves; null where there are none. */
static void print_seeks(struct oracle *o)
{
	double third_s, full_s, average_s, least_s, most_s;

	if (oracle_seek(o, 1.0 / 3, &third_s) || oracle_seek(o, 1, &full_s) ||
		oracle_average_seek(o, &average_s) || oracle_shortest(o, &least_s, &most_s)) {
		printf(",\"seek\":null");
		return;
	}
	printf(",\"seek\":{\"third_s\":%.9f,\"full_s\":%.9f,\"average_s\":%.9f,"
		"\"shortest_least_s\":%.9f,\"shortest_most_s\":%.9f}",
		third_s, full_s, average_s, least_s, most_s);
}

int bed_expect(int argc, char **argv)
{
	struct truth truth;
	struct err e = {0};
	struct oracle *oracle;
	uint64_t seed, strata;
	double turns_per_s;

	if (units_parse_u64(argv[0], &strata) || !strata || strata > 10000) {
		fprintf(stderr, "beddrive: %s is no number of strata\n", argv[0]);
		return 2;
	}
	if (bed_describe(argc - 1, argv + 1, &truth, &seed, &e)) {
		fprintf(stderr, "beddrive: %s\n", e.text);
		return 2;
	}
	without_host(&truth);
	oracle = oracle_open(&truth);
	printf("{\"size_bytes\":%" PRIu64 ",", truth.size_bytes);
	if (!oracle_turns_per_s(oracle, seed, &turns_per_s))
		printf("\"turns_per_s\":%.6f,", turns_per_s);
	print_rates(oracle, seed, truth.size_bytes, truth.logical_block_bytes, strata);
	print_access(oracle, truth.size_bytes, "access", 1);
	print_seeks(oracle);
	printf("}\n");
	oracle_close(oracle);
	return 0;
}
