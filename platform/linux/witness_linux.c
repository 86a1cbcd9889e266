/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files: sysfs stat (Documentation/block/stat.rst: reads, merges, sectors of 512 bytes, ms, then
 * the same of writes), /proc/PID/task/TID/schedstat (ns on a CPU, ns waiting for one), and the
 * first line of /proc/stat (the eighth number is stolen time, in clock ticks). */
#include "witness_linux.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "sysfs.h"

#define SECTOR_BYTES 512u

static void device(struct witness *w, uint64_t number)
{
	struct sysfs_device d;
	char text[256];
	uint64_t reads, read_sectors, writes, written_sectors;

	if (sysfs_by_number(&d, number) != 0)
		return;
	if (sysfs_read(text, sizeof(text), "%s/stat", d.whole) != 0)
		return;
	if (sscanf(text, "%" SCNu64 " %*u %" SCNu64 " %*u %" SCNu64 " %*u %" SCNu64, &reads,
		    &read_sectors, &writes, &written_sectors) != 4)
		return;
	w->device_reads = reads;
	w->device_read_bytes = read_sectors * SECTOR_BYTES;
	w->device_writes = writes;
	w->device_written_bytes = written_sectors * SECTOR_BYTES;
	w->known |= WITNESS_DEVICE;
}

static void run_delay(struct witness *w, pid_t reader)
{
	char path[64], text[128];
	DIR *tasks;
	struct dirent *task;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)reader);
	tasks = opendir(path);
	if (!tasks)
		return;
	while ((task = readdir(tasks))) {
		uint64_t waited_ns;

		if (task->d_name[0] == '.')
			continue;
		if (sysfs_read(text, sizeof(text), "/proc/%d/task/%.20s/schedstat", (int)reader,
			    task->d_name) != 0 ||
			sscanf(text, "%*u %" SCNu64, &waited_ns) != 1)
			continue;
		w->run_delay_ns += waited_ns;
		w->known |= WITNESS_RUN_DELAY;
	}
	closedir(tasks);
}

static void steal(struct witness *w)
{
	char text[512];
	uint64_t ticks;
	long per_s = sysconf(_SC_CLK_TCK);

	if (per_s <= 0 || sysfs_read(text, sizeof(text), "/proc/stat") != 0)
		return;
	if (sscanf(text, "cpu %*u %*u %*u %*u %*u %*u %*u %" SCNu64, &ticks) != 1)
		return;
	w->steal_ns = ticks * (1000000000u / (uint64_t)per_s);
	w->known |= WITNESS_STEAL;
}

void witness_read(struct witness *w, uint64_t number, pid_t reader)
{
	device(w, number);
	if (reader > 0)
		run_delay(w, reader);
	steal(w);
}
