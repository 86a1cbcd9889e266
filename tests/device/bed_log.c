/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the bed saw: each read with its arrival, the modelled completion and the moment the reply
 * left, so that a test can tell the drive's time from the pipe's, and a busy machine (late replies)
 * from a wrong prober. */
#include <inttypes.h>

#include "tests/device/bed.h"

#define LATE_NS 50000u

static void count_how(struct bed_stats *stats, unsigned how)
{
	if (how & MODEL_HIT)
		stats->hits++;
	else if (how & MODEL_STREAM)
		stats->streams++;
	else if (how & MODEL_UNMAPPED)
		stats->unmapped++;
	else
		stats->misses++;
	if (how & MODEL_RETRY)
		stats->retries++;
}

void bed_record_add(struct bed *bed, const struct bed_request *request, uint64_t reply_ns)
{
	const struct model_request *m = &request->model;
	struct bed_stats *stats = &bed->stats;
	uint64_t late_ns = reply_ns > m->done_ns ? reply_ns - m->done_ns : 0;

	stats->reads++;
	stats->late_sum_ns += late_ns;
	if (late_ns > LATE_NS)
		stats->late_over_50us++;
	if (late_ns > stats->max_late_ns)
		stats->max_late_ns = late_ns;
	if (m->error)
		stats->errors++;
	else
		stats->read_bytes += request->reply_bytes;
	count_how(stats, m->how);
	if (bed->records_n == BED_RECORDS_MAX)
		return;
	bed->records[bed->records_n++] = (struct bed_record){
		.arrive_ns = m->arrive_ns,
		.done_ns = m->done_ns,
		.reply_ns = reply_ns,
		.offset = m->offset,
		.length = m->length,
		.error = m->error,
		.how = m->how,
		.depth = request->depth,
	};
}

void bed_stats_write(const struct bed *bed, struct text *out)
{
	const struct bed_stats *s = &bed->stats;
	double late_mean_us = s->reads ? (double)s->late_sum_ns / (double)s->reads / 1e3 : 0;

	text_add(out, "{\"reads\":%" PRIu64 ",\"read_bytes\":%" PRIu64, s->reads, s->read_bytes);
	text_add(out, ",\"writes\":%" PRIu64 ",\"write_bytes\":%" PRIu64, s->writes,
		s->write_bytes);
	text_add(out, ",\"flushes\":%" PRIu64 ",\"discards\":%" PRIu64, s->flushes, s->discards);
	text_add(out, ",\"hits\":%" PRIu64 ",\"streams\":%" PRIu64 ",\"misses\":%" PRIu64, s->hits,
		s->streams, s->misses);
	text_add(out, ",\"retries\":%" PRIu64 ",\"unmapped\":%" PRIu64 ",\"errors\":%" PRIu64,
		s->retries, s->unmapped, s->errors);
	text_add(out, ",\"late_over_50us\":%" PRIu64 ",\"max_late_us\":%.1f,\"mean_late_us\":%.2f",
		s->late_over_50us, (double)s->max_late_ns / 1e3, late_mean_us);
	text_add(out, ",\"max_depth\":%" PRIu64 ",\"opens\":%" PRIu64 ",\"logged\":%zu}\n",
		s->max_depth, s->opens, bed->records_n);
}

void bed_log_write(const struct bed *bed, struct text *out)
{
	text_add(out, "# seq arrive_ns lba sectors model_done_ns reply_ns how depth errno\n");
	for (size_t i = 0; i < bed->records_n; i++) {
		const struct bed_record *r = &bed->records[i];

		text_add(out, "%zu %" PRIu64 " %" PRIu64 " %u %" PRIu64 " %" PRIu64 " %u %u %d\n",
			i, r->arrive_ns, r->offset / bed->sector_bytes,
			r->length / bed->sector_bytes, r->done_ns, r->reply_ns, r->how, r->depth,
			-r->error);
	}
}
