/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One table for parsing, checking the range of and printing every plain key. The ranges keep the
 * model's arithmetic sound (no division by zero, no overflow); they do not say what is
 * plausible. */
#include "sim/truth_keys.h"

#include <string.h>

#define FIELD(f)          offsetof(struct truth, f)
#define NUMBER(f, lo, hi) {#f, TRUTH_NUMBER, FIELD(f), lo, hi, NULL}
#define COUNT(f, lo, hi)  {#f, TRUTH_COUNT, FIELD(f), lo, hi, NULL}
#define BYTES(f, lo, hi)  {#f, TRUTH_BYTES, FIELD(f), lo, hi, NULL}
#define TEXT(f)           {#f, TRUTH_TEXT, FIELD(f), 0, 0, NULL}
#define WORD(f, words)    {#f, TRUTH_WORD, FIELD(f), 0, 0, words}
#define SHARE(f)          NUMBER(f, 0, 1)
#define SECONDS(f)        NUMBER(f, 0, 3600)
#define KIB               1024.0
#define PIB               (KIB * KIB * KIB * KIB * KIB)

static const struct truth_key KEYS[] = {
	WORD(kind, "disk|flash|virtual|array|smr|none"),
	TEXT(vendor),
	TEXT(model),
	TEXT(serial),
	TEXT(firmware),
	TEXT(transport),
	WORD(rotating, "auto|no|yes|unknown"),
	COUNT(reported_rpm, 0, 100000),
	{"size", TRUTH_BYTES, FIELD(size_bytes), 0, PIB, NULL},
	BYTES(logical_block_bytes, 512, 4096),
	BYTES(physical_block_bytes, 512, 4096),
	BYTES(max_request_bytes, 4096, 16 * KIB * KIB),
	COUNT(queue_depth, 1, 65536),
	NUMBER(rpm, 100, 100000),
	NUMBER(rpm_error_ppm, 0, 10000),
	NUMBER(rpm_wander_ppm, 0, 10000),
	NUMBER(rpm_wander_s, 0.1, 3600),
	COUNT(actuators, 1, 2),
	COUNT(heads, 1, TRUTH_HEADS_MAX),
	NUMBER(head_density_spread, 0, 0.5),
	COUNT(tracks_per_run, 1, 10000),
	COUNT(zones, 1, TRUTH_ZONES_MAX),
	NUMBER(zone_width_spread, 0, 0.9),
	COUNT(outer_sectors_per_track, 1, 1000000),
	COUNT(inner_sectors_per_track, 1, 1000000),
	SECONDS(track_to_track_s),
	SECONDS(average_seek_s),
	SECONDS(full_stroke_s),
	NUMBER(seek_inward_ratio, 0.1, 10),
	SECONDS(head_switch_s),
	SECONDS(settle_noise_s),
	NUMBER(skew_margin, 1, 10),
	NUMBER(track_skew_turns, 0, 0.99),
	NUMBER(head_skew_turns, 0, 0.99),
	SHARE(seek_retry_share),
	SECONDS(seek_retry_s),
	SHARE(reread_share),
	SECONDS(spin_up_s),
	SECONDS(command_s),
	SECONDS(command_jitter_s),
	NUMBER(interface_bytes_per_s, 1000, 1e12),
	BYTES(cache_bytes, 0, PIB),
	COUNT(cache_segments, 0, 4096),
	BYTES(readahead_bytes, 0, PIB),
	WORD(readahead_stop, "command|track"),
	COUNT(zero_latency, 0, 1),
	COUNT(read_on_arrival, 0, 1),
	WORD(queue_order, "sptf|fcfs"),
	SECONDS(queue_age_s),
	SECONDS(flash_read_s),
	SECONDS(flash_jitter_s),
	COUNT(flash_units, 1, 4096),
	BYTES(flash_page_bytes, 512, 16 * KIB * KIB),
	NUMBER(flash_unit_bytes_per_s, 1000, 1e12),
	SHARE(flash_outlier_share),
	SECONDS(flash_outlier_s),
	SHARE(virtual_hit_share),
	SECONDS(virtual_hit_s),
	SECONDS(virtual_median_s),
	NUMBER(virtual_sigma, 0, 5),
	WORD(level, "raid0|raid1|linear"),
	COUNT(members, 2, TRUTH_MEMBERS_MAX),
	BYTES(chunk_bytes, 4096, KIB * KIB * KIB),
	TEXT(member),
	BYTES(smr_band_bytes, KIB * KIB, PIB),
	SHARE(smr_unmapped_share),
	SHARE(smr_dirty_share),
	BYTES(smr_fragment_bytes, 4096, KIB * KIB * KIB),
	SHARE(smr_fragment_share),
	BYTES(smr_media_cache_bytes, 0, PIB),
	NUMBER(bridge_bytes_per_s, 0, 1e12),
	BYTES(bridge_request_bytes, 4096, 16 * KIB * KIB),
	SECONDS(bridge_frame_s),
	SECONDS(bridge_command_s),
	SECONDS(completion_tick_s),
	SECONDS(host_delay_s),
	SECONDS(host_jitter_s),
	SHARE(host_outlier_share),
	SECONDS(host_outlier_s),
	SECONDS(host_user_s),
	SECONDS(host_system_s),
	SECONDS(host_system_s_per_mb),
	NUMBER(clock_error_ppm, 0, 10000),
	NUMBER(memory_bytes_per_s, 1e6, 1e13),
	NUMBER(memory_jitter, 0, 0.3),
	BYTES(host_readahead_bytes, 0, 16 * KIB * KIB),
	NUMBER(foreign_share, 0, 0.99),
	SHARE(run_delay_share),
	SECONDS(run_delay_s),
	SHARE(steal_share),
	SECONDS(steal_s),
	COUNT(counters, 0, 1),
};

const struct truth_key *truth_key_at(size_t i)
{
	return i < sizeof(KEYS) / sizeof(KEYS[0]) ? &KEYS[i] : NULL;
}

const struct truth_key *truth_key_find(const char *name)
{
	for (size_t i = 0; i < sizeof(KEYS) / sizeof(KEYS[0]); i++)
		if (!strcmp(KEYS[i].name, name))
			return &KEYS[i];
	return NULL;
}
