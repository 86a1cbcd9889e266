/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Documentation/ABI/stable/sysfs-block: max_sectors_kb, max_segments, max_segment_size,
 * dma_alignment (a mask), rotational. */
#include "queue_limits.h"

#include <string.h>

#define ALIGN_MIN     512u
#define ALIGN_MAX     4096u
#define HUGE_BYTES    (2u << 20)
#define PAGE_BYTES    4096u
#define SAFE_REQUEST  (128u << 10) /* what every driver takes */
#define SAFE_SEGMENTS 128u

static uint64_t segment_bytes(void)
{
	char text[128];

	if (sysfs_read(text, sizeof(text), "/sys/kernel/mm/transparent_hugepage/enabled") != 0 ||
		strstr(text, "[never]"))
		return PAGE_BYTES;
	return HUGE_BYTES;
}

uint32_t queue_limits_request_bytes(const struct sysfs_device *d, uint32_t block_bytes)
{
	uint64_t most = sysfs_number(0, "%s/queue/max_sectors_kb", d->whole) * 1024u;
	uint64_t segments = sysfs_number(SAFE_SEGMENTS, "%s/queue/max_segments", d->whole);
	uint64_t segment = sysfs_number(PAGE_BYTES, "%s/queue/max_segment_size", d->whole);
	uint64_t hard = sysfs_number(0, "%s/queue/max_hw_sectors_kb", d->whole) * 1024u;

	if (segment > segment_bytes())
		segment = segment_bytes();
	if (!most)
		most = SAFE_REQUEST;
	if (hard && most > hard)
		most = hard;
	if (segments && segment && segments < UINT32_MAX && most > segments * segment)
		most = segments * segment;
	if (most > DRIVE_LENGTH_MAX)
		most = DRIVE_LENGTH_MAX;
	if (block_bytes)
		most -= most % block_bytes;
	return most ? (uint32_t)most : block_bytes;
}

void queue_limits_fill(struct drive_info *info, uint64_t number)
{
	struct sysfs_device d;
	uint64_t mask, rotational;

	info->memory_align_bytes =
		info->logical_block_bytes < ALIGN_MIN ? ALIGN_MIN : info->logical_block_bytes;
	info->max_request_bytes = SAFE_REQUEST - SAFE_REQUEST % info->logical_block_bytes;
	info->rotating = ROTATING_UNKNOWN;
	if (sysfs_by_number(&d, number) != 0)
		return;
	mask = sysfs_number(ALIGN_MIN - 1, "%s/queue/dma_alignment", d.whole);
	info->memory_align_bytes = ALIGN_MIN;
	while (info->memory_align_bytes <= mask && info->memory_align_bytes < ALIGN_MAX)
		info->memory_align_bytes *= 2;
	info->max_request_bytes = queue_limits_request_bytes(&d, info->logical_block_bytes);
	rotational = sysfs_number(2, "%s/queue/rotational", d.whole);
	if (rotational < 2)
		info->rotating = rotational ? ROTATING_YES : ROTATING_NO;
}
