/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A made-up document for tests: a 500 GB, 7200 rpm disk with every quantity and series. */
#ifndef TESTS_UNIT_MADE_UP_H
#define TESTS_UNIT_MADE_UP_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/mem.h"
#include "doc/doc.h"

#define MADE_UP_BYTES 500107862016u

static inline void made_up_identity(struct doc *doc)
{
	struct identity *id = &doc->identity;

	snprintf(id->device_name, sizeof(id->device_name), "/dev/sda");
	snprintf(id->device_type, sizeof(id->device_type), "disk");
	snprintf(id->transport, sizeof(id->transport), "sata");
	snprintf(id->model_name, sizeof(id->model_name), "Hitachi HTS725050A9A362");
	snprintf(id->serial_number, sizeof(id->serial_number), "110101PCK404VLGX0PBJ");
	snprintf(id->firmware_version, sizeof(id->firmware_version), "PC4OC70E");
	snprintf(id->wwn, sizeof(id->wwn), "0x5000cca5c0d1e2f3");
	snprintf(id->scheduler, sizeof(id->scheduler), "mq-deadline");
	snprintf(id->in_use, sizeof(id->in_use), "mounted, RAID member");
	id->size_bytes = MADE_UP_BYTES;
	id->logical_block_bytes = 512;
	id->physical_block_bytes = 4096;
	id->max_request_bytes = 1310720;
	id->queue_depth = 32;
	id->read_ahead_bytes = 131072;
	id->rotating_known = id->rotating = true;
	id->removable_known = id->read_only_known = true;
}

static inline void made_up_circumstances(struct doc *doc)
{
	static const char *const argv[] = {"platter", "probe", "/dev/sda", NULL};

	snprintf(doc->host.kernel, sizeof(doc->host.kernel), "Linux 6.1.0-57-amd64");
	snprintf(doc->host.machine, sizeof(doc->host.machine), "x86_64");
	snprintf(doc->host.cpu, sizeof(doc->host.cpu), "Intel(R) Xeon(R) CPU E5-2680 v4 @ 2.40GHz");
	snprintf(doc->host.clock, sizeof(doc->host.clock), "CLOCK_MONOTONIC_RAW, clock source tsc");
	doc->host.cpus = 4;
	doc->host.memory_bytes = 16777216000;
	doc->settings.argv = mem_zalloc(4, sizeof(char *));
	for (size_t i = 0; argv[i]; i++)
		doc->settings.argv[i] = mem_strdup(argv[i]);
	doc->settings.seed = 42;
	snprintf(doc->settings.effort, sizeof(doc->settings.effort), "standard");
	doc->settings.runs = 3;
	doc->settings.plan_version = 1;
	doc->settings.to_bytes = MADE_UP_BYTES;
	snprintf(doc->settings.direct, sizeof(doc->settings.direct), "direct");
	snprintf(doc->settings.read_method, sizeof(doc->settings.read_method), "pread");
	snprintf(doc->settings.queue_method, sizeof(doc->settings.queue_method), "io_uring");
	snprintf(doc->start_time, sizeof(doc->start_time), "2026-11-30T18:50:02Z");
	snprintf(doc->end_time, sizeof(doc->end_time), "2026-11-30T18:50:58Z");
	doc->elapsed_s = 55.8;
	doc->complete = true;
}

static inline void made_up_figure(struct doc *doc, const char *key, double value, double half,
	uint64_t samples, uint32_t request_bytes, unsigned depth)
{
	doc_put(doc, key, &(struct finding){
		.how = HOW_MEASURED, .value = value, .low = value - half, .high = value + half,
		.confidence = 0.95, .samples = samples, .spread = NAN, .method = "probe/1",
		.to_bytes = MADE_UP_BYTES, .request_bytes = request_bytes, .depth = depth,
	});
}

static inline void made_up_figures(struct doc *doc)
{
	made_up_figure(doc, "sequential.bytes_per_s", 161.337e6, 0.4213e6, 900, 1048576, 1);
	made_up_figure(doc, "sequential.cpu_share", 0.021, 0.001, 3, 1048576, 1);
	made_up_figure(doc, "sequential.saturating_request_bytes", 65536, 0, 11, 0, 1);
	made_up_figure(doc, "buffered.bytes_per_s", 160.92e6, 0.61e6, 3, 2097152, 1);
	made_up_figure(doc, "buffered.cached_share", 0, 0, 3, 0, 1);
	made_up_figure(doc, "cached.bytes_per_s", 8.13e9, 0.21e9, 3, 2097152, 1);
	made_up_figure(doc, "patterns.reread_bytes_per_s", 214.1e6, 3.2e6, 3, 65536, 1);
	made_up_figure(doc, "patterns.backward_bytes_per_s", 7.71e6, 0.12e6, 3, 65536, 1);
	made_up_figure(doc, "patterns.strided_bytes_per_s", 40.2e6, 0.33e6, 3, 65536, 1);
	made_up_figure(doc, "zones.outer_bytes_per_s", 161.2e6, 0.7e6, 64, 1048576, 1);
	made_up_figure(doc, "zones.inner_bytes_per_s", 77.04e6, 0.35e6, 64, 1048576, 1);
	made_up_figure(doc, "zones.mean_bytes_per_s", 125.6e6, 0.4e6, 64, 1048576, 1);
	made_up_figure(doc, "zones.outer_inner_ratio", 2.0924, 0.013, 64, 1048576, 1);
	made_up_figure(doc, "zones.full_scan_s", 3981.7, 12.6, 64, 1048576, 1);
	made_up_figure(doc, "zones.count", 20, 0, 180, 65536, 1);
	made_up_figure(doc, "access.mean_s", 0.01271, 0.00018, 1200, 4096, 1);
	made_up_figure(doc, "access.plain_mean_s", 0.01262, 0.00031, 800, 4096, 1);
	made_up_figure(doc, "access.model_mean_s", 0.01271, 0.00018, 1200, 4096, 1);
	made_up_figure(doc, "access.p50_s", 0.01262, 0.00022, 1200, 4096, 1);
	made_up_figure(doc, "access.p90_s", 0.01840, 0.00031, 1200, 4096, 1);
	made_up_figure(doc, "access.p99_s", 0.02235, 0.0006, 1200, 4096, 1);
	made_up_figure(doc, "access.p999_s", 0.0361, 0.004, 1200, 4096, 1);
	made_up_figure(doc, "access.iops", 78.68, 1.1, 1200, 4096, 1);
	made_up_figure(doc, "seekers.iops", 103.2, 2.4, 1000, 4096, 3);
	made_up_figure(doc, "seekers.cpu_share", 0.012, 0.001, 3, 4096, 3);
}

static inline void made_up_class(struct doc *doc)
{
	doc_put(doc, "class.kind", &(struct finding){.how = HOW_DERIVED, .low = NAN, .high = NAN,
		.spread = NAN, .samples = 900, .text = "single_spindle", .method = "class/1",
		.to_bytes = MADE_UP_BYTES});
	made_up_figure(doc, "class.interface_limited", 0, 0, 64, 0, 0);
	made_up_figure(doc, "class.smr_suspect", 0, 0, 500, 0, 0);
	made_up_figure(doc, "class.read_on_arrival", 0, 0, 12, 0, 0);
	made_up_figure(doc, "class.without_medium", 0, 0.004, 500, 0, 0);
}

/* 7203.6 rpm: a turn of 8.3292 ms. 0.35 + 8.04 + 4.16 + 0.06 ms are the mean access but for 0.1 ms. */
static inline void made_up_mechanics(struct doc *doc)
{
	made_up_figure(doc, "rotation.rpm", 7203.6, 0.4, 96, 4096, 1);
	made_up_figure(doc, "rotation.nominal_rpm", 7200, 0, 96, 0, 0);
	doc_put(doc, "rotation.reported_rpm", &(struct finding){.how = HOW_REPORTED, .value = 7200,
		.low = NAN, .high = NAN, .spread = NAN, .method = "rotation/1",
		.to_bytes = MADE_UP_BYTES});
	made_up_figure(doc, "rotation.period_s", 60 / 7203.6, 4.6e-7, 96, 4096, 1);
	made_up_figure(doc, "rotation.latency_mean_s", 30 / 7203.6, 2.3e-7, 96, 4096, 1);
	made_up_figure(doc, "rotation.drift_ratio", 12e-6, 8e-6, 40, 4096, 1);
	made_up_figure(doc, "track.outer_bytes", 1343e3, 2e3, 64, 0, 1);
	made_up_figure(doc, "track.inner_bytes", 642e3, 2e3, 64, 0, 1);
	made_up_figure(doc, "track.skew_s", 0.00112, 0.00003, 30, 0, 1);
	made_up_figure(doc, "seek.turnaround_s", 0.00035, 0.00002, 14, 4096, 1);
	made_up_figure(doc, "seek.shortest_s", 0.00104, 0.00004, 20, 4096, 1);
	made_up_figure(doc, "seek.track_to_track_s", 0.00106, 0.00004, 20, 4096, 1);
	made_up_figure(doc, "seek.third_stroke_s", 0.00905, 0.00007, 20, 4096, 1);
	made_up_figure(doc, "seek.full_stroke_s", 0.0171, 0.00015, 20, 4096, 1);
	made_up_figure(doc, "seek.average_s", 0.0081, 0.0001, 400, 4096, 1);
	made_up_figure(doc, "seek.in_out_ratio", 1.004, 0.012, 200, 4096, 1);
	made_up_figure(doc, "seek.random_s", 0.00804, 0.0001, 400, 4096, 1);
	made_up_figure(doc, "seek.transfer_s", 0.00006, 0.000002, 400, 4096, 1);
	made_up_figure(doc, "seek.remainder_s", 0.0001, 0.00004, 1200, 4096, 1);
}

static inline void made_up_electronics(struct doc *doc)
{
	made_up_figure(doc, "cache.hit_s", 0.000182, 0.000003, 40, 4096, 1);
	made_up_figure(doc, "cache.readahead_bytes", 393216, 32768, 60, 4096, 1);
	made_up_figure(doc, "cache.readahead_stream_bytes", 786432, 65536, 60, 4096, 1);
	made_up_figure(doc, "cache.segments", 16, 1, 30, 4096, 1);
	made_up_figure(doc, "queue.gain_2", 1.12, 0.03, 400, 4096, 2);
	made_up_figure(doc, "queue.gain_32", 2.21, 0.07, 900, 4096, 32);
	made_up_figure(doc, "overhead.command_s", 0.000165, 0.000004, 40, 0, 1);
	made_up_figure(doc, "overhead.interface_bytes_per_s", 262e6, 5e6, 40, 0, 1);
	made_up_figure(doc, "clock.hit_s", 0.000181, 0.000003, 40, 4096, 1);
	made_up_figure(doc, "clock.granularity_s", 1e-9, 0, 400, 0, 1);
	made_up_figure(doc, "clock.tick_s", 1e-9, 0, 400, 0, 1);
	made_up_figure(doc, "clock.jitter_s", 4e-6, 1e-6, 400, 0, 1);
	made_up_figure(doc, "clock.error_ratio", 20e-6, 10e-6, 1, 0, 0);
}

static inline void made_up_series(struct doc *doc)
{
	static const char *const runs[] = {"cached.runs", "buffered.runs", "sequential.runs"};

	for (unsigned i = 0; i < 64; i++) {
		double x = (i + 0.5) / 64;
		/* zones come in steps */
		double rate = 161.2e6 - 84.2e6 * pow(floor(x * 20) / 19, 1.3);

		series_add(doc_series(doc, "zones.rate"),
			(double[]){x * MADE_UP_BYTES, rate, rate * 0.995, rate * 1.005});
	}
	for (unsigned i = 0; i < 40; i++) {
		double low = 0.002 * exp2(i / 8.0);
		double centre = (low - 0.0125) / 0.0045;

		series_add(doc_series(doc, "access.histogram"),
			(double[]){low, 0.002 * exp2((i + 1) / 8.0),
				floor(130 * low / 0.0125 * exp(-centre * centre / 2)) + (i == 39)});
	}
	for (unsigned i = 0; i < 20; i++)
		series_add(doc_series(doc, "access.reads"), (double[]){i * 1e9, 0.004 + i * 5e-4, i * 2e9});
	for (unsigned i = 0; i < 11; i++)
		series_add(doc_series(doc, "sequential.rate_by_request"),
			(double[]){4096 << i, 161e6 - 4e7 / (i + 1), 1e8, 1.7e8});
	for (unsigned k = 0; k < 3; k++)
		for (unsigned i = 0; i < 3; i++)
			series_add(doc_series(doc, runs[k]),
				(double[]){i + 1, 1.6e8, 1 + i * 1e-3});
}

static inline void made_up_curves(struct doc *doc)
{
	static const double depth_iops[][2] = {{1, 78.7}, {2, 88.1}, {4, 106}, {8, 129}, {16, 152},
		{32, 174}};

	for (unsigned i = 0; i <= 8; i++) {
		double d = i ? pow(2.0, (double)i - 8) : 0.0001;
		double f = 0.00104 + 0.0161 * sqrt(d);

		series_add(doc_series(doc, "access.curve"),
			(double[]){d, f + 0.00035, f + 0.00025, f + 0.00045});
		series_add(doc_series(doc, "seek.curve"),
			(double[]){d, f, f - 0.0001, f + 0.0001, f, f});
	}
	for (unsigned i = 1; i < 20; i++)
		series_add(doc_series(doc, "zones.boundaries"),
			(double[]){i / 20.0 * MADE_UP_BYTES, i / 20.01 * MADE_UP_BYTES,
				i / 19.99 * MADE_UP_BYTES,
				161.2e6 - 84.2e6 * pow((i - 1) / 19.0, 1.3),
				161.2e6 - 84.2e6 * pow(i / 19.0, 1.3)});
	for (unsigned i = 0; i < 6; i++)
		series_add(doc_series(doc, "queue.iops"), (double[]){depth_iops[i][0],
			depth_iops[i][1], depth_iops[i][1] * 0.98, depth_iops[i][1] * 1.02,
			depth_iops[i][0] / depth_iops[i][1], depth_iops[i][0] / depth_iops[i][1] * 0.98,
			depth_iops[i][0] / depth_iops[i][1] * 1.02});
	for (unsigned i = 0; i < 10; i++) {
		series_add(doc_series(doc, "rotation.visits"),
			(double[]){1, i % 5, 3e10 * (i % 5) + 4096 * i, 25e-6 * i, 1 + 0.021 * i});
		series_add(doc_series(doc, "track.length"), (double[]){i * MADE_UP_BYTES / 10.0,
			1343e3 - 70e3 * i, 1340e3 - 70e3 * i, 1346e3 - 70e3 * i, 0.00112});
		series_add(doc_series(doc, "cache.readahead"),
			(double[]){4096 << i, 8, i < 7 ? 1 : 0, 1});
	}
}

/* Everything known; release with doc_release(). */
static inline void made_up_document(struct doc *doc)
{
	doc_init(doc);
	made_up_identity(doc);
	made_up_circumstances(doc);
	made_up_class(doc);
	made_up_mechanics(doc);
	made_up_figures(doc);
	made_up_electronics(doc);
	made_up_series(doc);
	made_up_curves(doc);
}

#endif
