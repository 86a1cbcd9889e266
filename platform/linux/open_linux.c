/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Resolve the name, have it opened, refine what is known of it from sysfs, and let the first
 * aligned read show that direct I/O is what it says. Each failure leaves with its sentence. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "backing.h"
#include "base/mem.h"
#include "drive_linux.h"
#include "identity_sysfs.h"
#include "queue_limits.h"
#include "names.h"
#include "sentences.h"

#define BLOCK_MIN 512u
#define BLOCK_MAX 65536u /* the largest a kernel takes */

/* A test bed's drive carries this text in each sector, after the sector's number. */
static const char bed_mark[] = "PLATTERSIMDRIVE";

static bool block_readable(uint32_t bytes)
{
	return bytes >= BLOCK_MIN && bytes <= BLOCK_MAX && (bytes & (bytes - 1)) == 0;
}

static bool is_bed(const unsigned char *block)
{
	for (size_t i = 0; i < 8; i++)
		if (block[i])
			return false;
	return memcmp(block + 8, bed_mark, sizeof(bed_mark) - 1) == 0;
}

/* Reads block 0, which wakes a drive that sleeps. 0, also when the read itself went badly (a bad sector is data); -EINVAL: direct
 * I/O is refused; else why the run ended. */
static int first_read(struct drive *d)
{
	uint32_t length = d->info.logical_block_bytes;
	unsigned char *block = mem_zalloc(1, length);
	struct io io = {.length = length, .data = block};
	struct batch b = {.ios = &io, .n = 1, .depth = 1};
	int status = drive_run(d, &b);

	if (!status && !io.error)
		d->info.simulated = is_bed(block);
	if (!status && io.done_ns > io.sent_ns)
		d->info.first_read_ns = io.done_ns - io.sent_ns;
	free(block);
	if (!status && io.error == -EINVAL)
		return -EINVAL;
	return status;
}

/* Is there anything to read in it? */
static int usable(struct err *e, const struct drive_info *info)
{
	if (!block_readable(info->logical_block_bytes))
		return err_set(e, -EINVAL,
			"%s has sectors of %u bytes, which Linux does not read; "
			"only powers of two from 512 are.",
			info->name, info->logical_block_bytes);
	if (info->size_bytes == 0)
		return err_set(e, -ENOMEDIUM,
			"%s is smaller than one of its own blocks of %u "
			"bytes; there is nothing to read.",
			info->name, info->logical_block_bytes);
	return 0;
}

/* One attempt, direct or not; with or without the first read. *refused: it is direct I/O that
 * failed. */
static int attempt(struct platform *p, const struct device_name *n, bool direct, bool read,
	const struct drive_linux_options *options, struct drive **drive, bool *refused,
	struct err *e)
{
	struct wire_reply reply;
	struct drive *d;
	int status = drive_linux_open(p, n->node, n->number, direct, options, &reply, &d);

	*refused = direct && status == -EINVAL && reply.reader == 0;
	if (status && reply.reader)
		return sentence_no_reader(e, n->shown, status);
	if (status)
		return sentence_not_opened(e, n->shown, n->number, status);
	strcpy(d->info.name, n->shown);
	status = usable(e, &d->info);
	if (!status) {
		queue_limits_fill(&d->info, n->number);
		if (read)
			status = first_read(d);
		*refused = direct && status == -EINVAL;
		if (status)
			sentence_no_first_read(e, n->shown, status);
	}
	if (status) {
		drive_close(d);
		return status;
	}
	*drive = d;
	return 0;
}

/* Direct reads go past one page cache; there may be another below. */
static void look_below(struct drive_info *info, uint64_t number)
{
	struct sysfs_device d;

	if (sysfs_by_number(&d, number) == 0 && backing_is_cached(&d))
		info->path = DRIVE_DIRECT_BELOW_CACHED;
}

/* Direct, or, where that is refused, what there is. */
static int open_direct(struct platform *p, const struct device_name *n,
	const struct drive_linux_options *options, struct drive **drive, struct err *e)
{
	bool refused;
	int status = attempt(p, n, true, true, options, drive, &refused, e);

	if (!status)
		look_below(&(*drive)->info, n->number);
	if (!status || !refused)
		return status;
	status = attempt(p, n, false, true, options, drive, &refused, e);
	if (!status)
		(*drive)->info.path = DRIVE_DIRECT_REFUSED;
	return status;
}

/* Through the page cache; the first read is made past it, by another descriptor, so that the page
 * cache is as it was for the one who is about to measure it. */
static int open_cached(struct platform *p, const struct device_name *n,
	const struct drive_linux_options *options, struct drive **drive, struct err *e)
{
	struct drive *direct;
	bool refused = false, simulated = false;
	int status = attempt(p, n, true, true, options, &direct, &refused, e);

	if (!status) {
		simulated = direct->info.simulated;
		drive_close(direct);
	}
	if (status && !refused)
		return status;
	status = attempt(p, n, false, false, options, drive, &refused, e);
	if (!status)
		(*drive)->info.simulated = simulated;
	return status;
}

int drive_linux_open_name(struct platform *p, const char *name, enum drive_path path,
	const struct drive_linux_options *options, struct drive **drive, struct err *e)
{
	struct device_name n;
	struct identity before = {0};
	int status;

	*drive = NULL;
	status = names_resolve(&n, name, e);
	if (status)
		return status;
	if (n.kernel[0])
		identity_of(&before, n.kernel);
	status = path == DRIVE_PAGE_CACHE ? open_cached(p, &n, options, drive, e)
		: open_direct(p, &n, options, drive, e);
	if (status)
		return status;
	(*drive)->info.reported_rpm = before.reported_rpm;
	(*drive)->info.power = !before.asleep_known ? POWER_UNKNOWN
		: before.asleep ? POWER_ASLEEP : POWER_AWAKE;
	return 0;
}

int platform_open(struct platform *p, const char *name, enum drive_path path, struct drive **drive,
	struct err *e)
{
	struct drive_linux_options usual = {WIRE_QUEUE_BEST, FRONT_LIMIT_NS};

	return drive_linux_open_name(p, name, path, &usual, drive, e);
}

/* A loop device's file; without one, the device itself. */
struct ground {
	uint64_t device, file; /* file 0: the device itself */
	uint64_t offset, size_limit;
};

static struct ground ground_of(const struct device_name *n)
{
	struct ground g = {.device = n->number};
	struct sysfs_device d;
	struct stat st;
	char path[PATH_MAX];

	if (sysfs_by_number(&d, n->number) != 0 || d.partition ||
		sysfs_read(path, sizeof(path), "%s/loop/backing_file", d.whole) != 0 ||
		!path[0] || stat(path, &st) != 0)
		return g;
	g.offset = sysfs_number(0, "%s/loop/offset", d.whole);
	g.size_limit = sysfs_number(0, "%s/loop/sizelimit", d.whole);
	if (S_ISBLK(st.st_mode) && (g.offset || g.size_limit))
		return g;
	g.device = S_ISBLK(st.st_mode) ? st.st_rdev : st.st_dev;
	g.file = S_ISBLK(st.st_mode) ? 0 : st.st_ino;
	return g;
}

bool platform_same_drive(const char *a, const char *b)
{
	struct device_name x, y;
	struct ground g, h;
	struct err e;

	if (names_resolve(&x, a, &e) != 0 || names_resolve(&y, b, &e) != 0)
		return false;
	g = ground_of(&x);
	h = ground_of(&y);
	return x.number == y.number || (g.device == h.device && g.file == h.file &&
		g.offset == h.offset && g.size_limit == h.size_limit);
}

int platform_device_number(const char *name, uint64_t *number, struct err *e)
{
	struct device_name n;
	int status = names_resolve(&n, name, e);

	*number = n.number;
	return status;
}
