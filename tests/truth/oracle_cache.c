/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the drive's own cache and electronics do: how far and how much from the truth, how fast by
 * asking the simulated drive for the same place again. */
#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "tests/truth/oracle_inside.h"

#define HITS 2001u /* medians of so many */

static bool has_cache(const struct truth *t)
{
	return (t->kind == TRUTH_DISK || t->kind == TRUTH_SMR) && t->cache_segments > 0;
}

static int by_latency(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int oracle_hit(struct oracle *o, uint32_t request_bytes, double *median_s)
{
	const struct truth *t = oracle_truth(o);
	struct io *ios = mem_zalloc(HITS, sizeof(*ios));
	double *latency_s = mem_zalloc(HITS, sizeof(*latency_s));
	struct batch b = {.ios = ios, .n = HITS, .depth = 1};
	struct drive *d;
	int status = 0;

	if (!has_cache(t) || t->smr_unmapped_share > 0 || request_bytes > t->size_bytes ||
		request_bytes > t->cache_bytes / t->cache_segments) {
		status = -ENOENT;
	} else {
		d = oracle_open_drive(t, ORACLE_SPECIMEN);
		for (unsigned i = 0; i < HITS; i++)
			ios[i].length = request_bytes;
		status = drive_run(d, &b); /* the first one fetches it */
		status = status ? -ENOENT : drive_run(d, &b) ? -ENOENT : 0;
		drive_close(d);
	}
	for (unsigned i = 0; i < HITS; i++)
		latency_s[i] = (double)(ios[i].done_ns - ios[i].sent_ns) * 1e-9;
	qsort(latency_s, HITS, sizeof(*latency_s), by_latency);
	*median_s = latency_s[HITS / 2];
	free(latency_s);
	free(ios);
	return status;
}

int oracle_interface(struct oracle *o, double *command_s, double *bytes_per_s)
{
	enum { SMALL = 8192, LARGE = 65536 };
	double small, large;
	int status = oracle_hit(o, SMALL, &small);

	if (!status)
		status = oracle_hit(o, LARGE, &large);
	if (!status) {
		*bytes_per_s = (LARGE - SMALL) / (large - small);
		*command_s = small - SMALL / *bytes_per_s;
	}
	return status;
}

int oracle_readahead(struct oracle *o, uint64_t *bytes)
{
	const struct truth *t = oracle_truth(o);
	uint64_t sector = t->physical_block_bytes, segment;

	if (!has_cache(t))
		return -ENOENT;
	segment = t->cache_bytes / t->cache_segments / sector * sector;
	*bytes = t->readahead_bytes / sector * sector;
	*bytes = *bytes < segment ? *bytes : segment;
	return 0;
}

int oracle_segments(struct oracle *o, unsigned *n)
{
	if (!has_cache(oracle_truth(o)))
		return -ENOENT;
	*n = oracle_truth(o)->cache_segments;
	return 0;
}
