/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From a spec to a drive, and to what it says about itself. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "sim/sim.h"
#include "sim/sim_inside.h"

#define PREFIX "sim:"

static const char *without_prefix(const char *spec)
{
	return text_starts(spec, PREFIX) ? spec + strlen(PREFIX) : spec;
}

void sim_content(const struct drive_info *info, uint64_t offset, uint32_t length, void *data)
{
	uint32_t block = info->logical_block_bytes;
	unsigned char *sector = data;

	memset(data, 0, length);
	for (uint32_t at = 0; at < length; at += block, sector += block) {
		uint64_t lba = (offset + at) / block;

		for (int i = 0; i < 8; i++)
			sector[i] = (unsigned char)(lba >> 8 * i);
		memcpy(sector + 8, "PLATTERSIMDRIVE", 15);
	}
}

int sim_open(const char *spec, enum drive_path path, uint64_t seed, struct drive **drive,
	struct err *e)
{
	const char *plain = without_prefix(spec);
	char name[256];
	struct truth t;
	int status = truth_of_spec(plain, &t, e);

	*drive = NULL;
	if (status)
		return status;
	snprintf(name, sizeof(name), PREFIX "%s", plain);
	*drive = sim_drive_open(&t, seed, name);
	if (path == DRIVE_PAGE_CACHE)
		*drive = page_cache_open(&t, seed, *drive);
	return 0;
}

int sim_identity(const char *spec, struct identity *id, struct err *e)
{
	const char *plain = without_prefix(spec);
	enum truth_rotating rotating;
	struct truth t;
	int status = truth_of_spec(plain, &t, e);

	memset(id, 0, sizeof(*id));
	if (status)
		return status;
	rotating = truth_rotating(&t);
	snprintf(id->device_name, sizeof(id->device_name), PREFIX "%s", plain);
	snprintf(id->device_type, sizeof(id->device_type), "simulated");
	snprintf(id->transport, sizeof(id->transport), "%.15s", t.transport);
	snprintf(id->vendor, sizeof(id->vendor), "%s", t.vendor);
	snprintf(id->model_name, sizeof(id->model_name), "%s", t.model);
	snprintf(id->serial_number, sizeof(id->serial_number), "%s", t.serial);
	snprintf(id->firmware_version, sizeof(id->firmware_version), "%.31s", t.firmware);
	id->size_bytes = t.size_bytes;
	id->logical_block_bytes = (uint32_t)t.logical_block_bytes;
	id->physical_block_bytes = (uint32_t)t.physical_block_bytes;
	id->max_request_bytes = (uint32_t)t.max_request_bytes;
	id->queue_depth = t.queue_depth;
	id->read_ahead_bytes = (uint32_t)t.host_readahead_bytes;
	id->rotating_known = rotating != TRUTH_ROTATING_UNKNOWN;
	id->rotating = rotating == TRUTH_ROTATING_YES;
	id->reported_rpm = truth_reported_rpm(&t);
	id->asleep_known = true;
	id->asleep = truth_asleep(&t);
	id->removable_known = id->read_only_known = true;
	id->simulated = true;
	return 0;
}
