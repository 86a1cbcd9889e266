/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The truth about a simulated drive: everything that is planted in it.
 *
 * A truth file is lines of `key = value`; `#` starts a comment, empty lines are nothing. Keys that
 * are not given keep the default shown. Values: bytes take 4096, 64k, 16M, 500 GB (units.h: k, M, G
 * alone are powers of 1024; kB, MB, GB powers of 1000); every other number is plain, its unit is
 * the end of the key (_s seconds, _bytes_per_s); shares are 0..1. A line may come again: the last
 * counts, but `fault` and `resident` lines add up.
 *
 *   like = NAME                 start from a built-in drive (everything set before is lost)
 *   kind = disk                 disk, flash, virtual, array, smr (a disk that hides where things
 *                               are), none (no delay at all)
 * Who it is
 *   vendor, model, serial, firmware, transport = TEXT         (transport: sata)
 *   reported_rpm = 1            what a disk gives as its speed of rotation; 1: its rpm, 0: nothing
 *   rotating = auto             what the system says: auto (by kind), no, yes, unknown
 *   size = 500107862016         bytes; whole logical blocks
 *   logical_block_bytes = 512   512 or 4096 (powers of two)
 *   physical_block_bytes = 512  what the medium reads at once; 512e drives: 4096
 *   max_request_bytes = 1M      largest read that goes to the drive as one command
 *   queue_depth = 32            commands the drive holds; 1: no queue
 * Disk (and smr)
 *   rpm = 7200                  nominal
 *   rpm_error_ppm = 60          a specimen is off by a uniform error of up to ± this
 *   rpm_wander_ppm = 0, rpm_wander_s = 8   its speed sways about the mean by ± this, that long
 *   actuators = 1               2: the LBA halves have an arm each, on one spindle
 *   heads = 4
 *   head_density_spread = 0     a head's sectors per track differ by up to ± this share
 *   tracks_per_run = 1          tracks a head reads before the next head: 1 is the cylinder layout,
 *                               more is serpentine (odd heads run back)
 *   zones = 16                  1 … 64, sectors per track falling linearly from zone to zone
 *   zone_width_spread = 0.3     widths of zones differ by up to ± this share
 *   outer_sectors_per_track = 1600, inner_sectors_per_track = 800   of physical_block_bytes each
 *   track_to_track_s = 0.001, average_seek_s = 0.0105, full_stroke_s = 0.020   average: over all
 *                               pairs of cylinders; the curve is a root up to a third of the
 *                               stroke, then straight (sim/disk_seek.h)
 *   seek_inward_ratio = 1       inward moves take that many times what outward ones do; the figures
 *                               above are the mean of both
 *   head_switch_s = 0.0009
 *   settle_noise_s = 0.00004    standard deviation of a seek or switch, cut at 3 of them
 *   skew_margin = 1.15          track skew covers the switch times this
 *   track_skew_turns = 0, head_skew_turns = 0   at least, shares of a turn
 *   seek_retry_share = 0.004, seek_retry_s = 0.002    seeks that settle twice
 *   reread_share = 0.0005       accesses, and tracks of a stream, that need one more turn
 *   spin_up_s = 6               out of standby
 *   command_s = 0.0001          electronics, before anything moves; overlaps when queued
 *   command_jitter_s = 0.000008 standard deviation
 *   interface_bytes_per_s = 280e6
 *   cache_bytes = 16M, cache_segments = 16    0 segments: no cache, no read-ahead
 *   readahead_bytes = 768k      read on behind a request, at most cache_bytes/cache_segments
 *   readahead_stop = command    what ends it: command (the next one) or track (the end of the track
 *                               it is in; the command waits)
 *   zero_latency = 0            1: a request on one track is read from wherever the head comes to it
 *   read_on_arrival = 0         1: what passes under the head before the target is cached too
 *   queue_order = sptf          sptf (shortest positioning first) or fcfs
 *   queue_age_s = 2             a request this old (s) goes first under sptf
 * Flash
 *   flash_read_s = 0.00006, flash_jitter_s = 0.000004   array read; jitter: exponential mean
 *   flash_units = 32, flash_page_bytes = 16k, flash_unit_bytes_per_s = 60e6   units work in
 *                               parallel, pages are dealt out to them in turn
 *   flash_outlier_share = 0.001, flash_outlier_s = 0.001
 * Virtual disk
 *   virtual_hit_share = 0.35, virtual_hit_s = 0.00008   answered by the host's memory
 *   virtual_median_s = 0.0012, virtual_sigma = 0.6      else a lognormal time
 * Array
 *   level = raid0               raid0, raid1 or linear (one member after the other)
 *   members = 2                 2 … 16
 *   chunk_bytes = 512k          raid0
 *   member = NAME               a built-in that is no array; size: made from the members' when 0
 * SMR (drive-managed)
 *   smr_band_bytes = 256M       what is told apart
 *   smr_unmapped_share = 0      bands never written: answered without the medium
 *   smr_dirty_share = 0         bands with pieces elsewhere:
 *   smr_fragment_bytes = 64k, smr_fragment_share = 0.25   size and share of such pieces, which lie
 *   smr_media_cache_bytes = 20G in a cache at the outer edge
 * Bridge (in front of any kind; 0 bytes/s: none)
 *   bridge_bytes_per_s = 0, bridge_request_bytes = 120k   requests are cut to this
 *   bridge_frame_s = 0.000125   completions wait for the next frame
 *   bridge_command_s = 0.0002   per command
 * Any kind
 *   completion_tick_s = 0       answers from the medium are only seen on this grid of times
 * Host (not part of the drive; used by sim/sim.h)
 *   host_delay_s = 0.000016, host_jitter_s = 0.000005    both ways; jitter: exponential mean
 *   host_outlier_share = 0.003, host_outlier_s = 0.00025
 *   host_user_s = 0.000001, host_system_s = 0.000005, host_system_s_per_mb = 0.00001   CPU per read
 *   clock_error_ppm = 0         the host's clock is off by a uniform error of up to ± this, and the
 *                               drive's user is told so
 *   memory_bytes_per_s = 8e9, memory_jitter = 0.02       page cache hits; relative deviation
 *   host_readahead_bytes = 128k page cache
 *   foreign_share = 0           of all reads the drive sees, those of somebody else
 *   run_delay_share = 0, run_delay_s = 0.002   reads whose reader then waits for a processor;
 *                               exponential mean
 *   steal_share = 0, steal_s = 0.005           reads during whose answer the machine's own host
 *                               takes the processor; exponential mean
 *   counters = 1                0: nothing is seen from outside, not even the reader's own time
 *   resident = FROM LENGTH      bytes that are in the page cache from the start
 * Faults put in
 *   fault = WORDS               as model_fault() takes them; `at SECONDS WORDS`: that long after
 *                               the first request
 *     eio START LENGTH [ERRNO [RECOVER_MS [COUNT]]]  reads touching it fail (EIO) after that time
 *     slow START LENGTH MS [COUNT]      take longer        COUNT: that many times, else for ever
 *     retry START LENGTH TURNS [COUNT]  need more turns of the platter
 *     hang SECONDS       the next read, and all behind it, wait
 *     standby            spun down: the next read from the medium waits for spin_up_s
 *     idle-standby SECONDS   spins down by itself after that long without a command; 0: never
 *     noise PROBABILITY MS   any read may take longer
 *     remove [ERRNO]     gone (ENODEV)       restore     there again
 *     clear              all of these off
 */
#ifndef SIM_TRUTH_H
#define SIM_TRUTH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/text.h"

enum truth_kind { TRUTH_DISK, TRUTH_FLASH, TRUTH_VIRTUAL, TRUTH_ARRAY, TRUTH_SMR, TRUTH_NONE };
enum truth_rotating { TRUTH_ROTATING_AUTO, TRUTH_ROTATING_NO, TRUTH_ROTATING_YES,
	TRUTH_ROTATING_UNKNOWN };
enum truth_order { TRUTH_SPTF, TRUTH_FCFS };
enum truth_stop { TRUTH_STOP_COMMAND, TRUTH_STOP_TRACK };
enum truth_level { TRUTH_RAID0, TRUTH_RAID1, TRUTH_LINEAR };

#define TRUTH_ZONES_MAX   64u
#define TRUTH_HEADS_MAX   64u
#define TRUTH_MEMBERS_MAX 16u
#define TRUTH_LINES_MAX   16u /* fault lines, and resident lines */

/* Field by field as above. Owns nothing: copy it as you like. */
struct truth {
	unsigned kind; /* enum truth_kind */
	char vendor[64], model[64], serial[64], firmware[64], transport[64];
	unsigned rotating; /* enum truth_rotating */
	unsigned reported_rpm;
	uint64_t size_bytes;
	uint64_t logical_block_bytes, physical_block_bytes, max_request_bytes;
	unsigned queue_depth;

	double rpm, rpm_error_ppm, rpm_wander_ppm, rpm_wander_s;
	unsigned actuators, heads;
	double head_density_spread;
	unsigned tracks_per_run, zones;
	double zone_width_spread;
	unsigned outer_sectors_per_track, inner_sectors_per_track;
	double track_to_track_s, average_seek_s, full_stroke_s, seek_inward_ratio, head_switch_s;
	double settle_noise_s, skew_margin, track_skew_turns, head_skew_turns;
	double seek_retry_share, seek_retry_s, reread_share, spin_up_s;
	double command_s, command_jitter_s, interface_bytes_per_s;
	uint64_t cache_bytes;
	unsigned cache_segments;
	uint64_t readahead_bytes;
	unsigned readahead_stop, zero_latency, read_on_arrival, queue_order;
	double queue_age_s;

	double flash_read_s, flash_jitter_s;
	unsigned flash_units;
	uint64_t flash_page_bytes;
	double flash_unit_bytes_per_s, flash_outlier_share, flash_outlier_s;

	double virtual_hit_share, virtual_hit_s, virtual_median_s, virtual_sigma;

	unsigned level, members; /* level: enum truth_level */
	uint64_t chunk_bytes;
	char member[64];

	uint64_t smr_band_bytes, smr_fragment_bytes, smr_media_cache_bytes;
	double smr_unmapped_share, smr_dirty_share, smr_fragment_share;

	double bridge_bytes_per_s;
	uint64_t bridge_request_bytes;
	double bridge_frame_s, bridge_command_s;

	double completion_tick_s;

	double host_delay_s, host_jitter_s, host_outlier_share, host_outlier_s;
	double host_user_s, host_system_s, host_system_s_per_mb;
	double clock_error_ppm;
	double memory_bytes_per_s, memory_jitter;
	uint64_t host_readahead_bytes;
	double foreign_share;
	double run_delay_share, run_delay_s, steal_share, steal_s;
	unsigned counters;

	unsigned resident_n, fault_n;
	struct { uint64_t from_bytes, length_bytes; } resident[TRUTH_LINES_MAX];
	char fault[TRUTH_LINES_MAX][96];
};

/* The defaults above: a plain 7200 rpm disk of 500 GB. */
void truth_init(struct truth *t);

/* What stands behind "sim:": a built-in name, a truth file (a path with '/' in it or ending in
 * ".truth"), or "random:SEED". The truth is checked. 0, -ENOENT (no such name or file), -EINVAL
 * (bad truth; e names line and key), or the errno of reading the file. */
int truth_of_spec(const char *spec, struct truth *t, struct err *e);

/* Fills t from the text of a truth file (over the defaults) and checks it. 0 or -EINVAL. */
int truth_parse(const char *text, struct truth *t, struct err *e);

/* One "key=value" on top of t; call truth_check() after the last. 0 or -EINVAL. */
int truth_set(struct truth *t, const char *key_equals_value, struct err *e);

/* Whether the figures go together; fills in what follows from others (an array's size). 0 or
 * -EINVAL, the sentence names the key. */
int truth_check(struct truth *t, struct err *e);

/* Appends the truth as a truth file that gives the same truth when parsed. */
void truth_print(const struct truth *t, struct text *out);

/* What the system says about rotation, after kind and `rotating`. */
enum truth_rotating truth_rotating(const struct truth *t);

/* What the drive gives as its speed of rotation; 0: nothing. */
unsigned truth_reported_rpm(const struct truth *t);

/* Whether it is spun down when it is opened: a fault line "standby" without a time. */
bool truth_asleep(const struct truth *t);

/* A drive drawn from everything between 1994 and today; the same for the same seed. */
void truth_random(uint64_t seed, struct truth *t);

/* Built-in i: its name, one line about it, its truth file; false past the last. */
struct truth_builtin {
	const char *name, *about, *text;
};
bool truth_builtin_at(unsigned i, struct truth_builtin *builtin);

#endif
