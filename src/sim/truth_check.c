/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What must hold between the keys of a truth, each said with the key to change. */
#include <errno.h>
#include <string.h>

#include "sim/disk_seek.h"
#include "sim/truth.h"

static bool power_of_two(uint64_t n)
{
	return n && !(n & (n - 1));
}

static int check_blocks(const struct truth *t, struct err *e)
{
	if (!power_of_two(t->logical_block_bytes))
		return err_set(e, -EINVAL, "logical_block_bytes: not a power of two");
	if (!power_of_two(t->physical_block_bytes) ||
		t->physical_block_bytes < t->logical_block_bytes)
		return err_set(e, -EINVAL,
			"physical_block_bytes: not a power of two of at least logical_block_bytes");
	if (!t->size_bytes || t->size_bytes % t->logical_block_bytes)
		return err_set(e, -EINVAL, "size: not a whole number of logical blocks of %u bytes",
			(unsigned)t->logical_block_bytes);
	if (t->max_request_bytes % t->logical_block_bytes ||
		t->bridge_request_bytes % t->logical_block_bytes)
		return err_set(e, -EINVAL,
			"max_request_bytes, bridge_request_bytes: not whole logical blocks");
	return 0;
}

static int check_disk(const struct truth *t, struct err *e)
{
	struct disk_seek seek;

	if (t->inner_sectors_per_track > t->outer_sectors_per_track)
		return err_set(e, -EINVAL,
			"inner_sectors_per_track: more than outer_sectors_per_track");
	if (t->track_to_track_s > t->average_seek_s || t->average_seek_s > t->full_stroke_s)
		return err_set(e, -EINVAL,
			"average_seek_s: not between track_to_track_s and full_stroke_s");
	if (!disk_seek_fit(&seek, t, 1000))
		return err_set(e, -EINVAL, "average_seek_s: no curve that rises has this average "
			"with this track_to_track_s and full_stroke_s");
	if (t->actuators > 1 && (t->kind != TRUTH_DISK ||
			t->size_bytes % (t->actuators * t->physical_block_bytes)))
		return err_set(e, -EINVAL,
			"actuators: not a disk whose size is so many whole physical blocks");
	if (t->cache_segments && t->cache_bytes / t->cache_segments < t->physical_block_bytes)
		return err_set(e, -EINVAL, "cache_segments: each has less than one sector");
	return 0;
}

static int check_array(struct truth *t, struct err *e)
{
	struct truth member;
	int status = truth_of_spec(t->member, &member, e);

	if (status) {
		err_prefix(e, "member");
		return -EINVAL;
	}
	if (member.kind == TRUTH_ARRAY)
		return err_set(e, -EINVAL, "member: '%s' is an array itself", t->member);
	if (t->chunk_bytes % member.logical_block_bytes)
		return err_set(e, -EINVAL, "chunk_bytes: not whole logical blocks of the members");
	if (!t->size_bytes) {
		uint64_t each = member.size_bytes / t->chunk_bytes * t->chunk_bytes;

		if (t->level == TRUTH_LINEAR)
			each = member.size_bytes;
		t->size_bytes = t->level == TRUTH_RAID1 ? member.size_bytes : each * t->members;
	}
	if (t->size_bytes > member.size_bytes * (t->level == TRUTH_RAID1 ? 1 : t->members))
		return err_set(e, -EINVAL, "size: more than the members have");
	return 0;
}

int truth_check(struct truth *t, struct err *e)
{
	int status = 0;

	if (t->kind == TRUTH_ARRAY)
		status = check_array(t, e);
	if (!status)
		status = check_blocks(t, e);
	if (!status && (t->kind == TRUTH_DISK || t->kind == TRUTH_SMR))
		status = check_disk(t, e);
	if (!status && t->kind == TRUTH_SMR &&
		t->smr_unmapped_share + t->smr_dirty_share > 1)
		status = err_set(e, -EINVAL,
			"smr_dirty_share: with smr_unmapped_share more than 1");
	return status;
}

enum truth_rotating truth_rotating(const struct truth *t)
{
	if (t->rotating != TRUTH_ROTATING_AUTO)
		return (enum truth_rotating)t->rotating;
	switch (t->kind) {
	case TRUTH_FLASH: return TRUTH_ROTATING_NO;
	case TRUTH_VIRTUAL: case TRUTH_NONE: return TRUTH_ROTATING_UNKNOWN;
	default: return TRUTH_ROTATING_YES;
	}
}

unsigned truth_reported_rpm(const struct truth *t)
{
	if (t->kind != TRUTH_DISK && t->kind != TRUTH_SMR)
		return 0;
	return t->reported_rpm == 1 ? (unsigned)(t->rpm + 0.5) : t->reported_rpm;
}

bool truth_asleep(const struct truth *t)
{
	for (unsigned i = 0; i < t->fault_n; i++)
		if (strcmp(t->fault[i], "standby") == 0)
			return true;
	return false;
}
