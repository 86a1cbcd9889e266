/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The seam to the operating system: what each folder under platform/ provides. */
#ifndef HOST_PLATFORM_H
#define HOST_PLATFORM_H

#include "base/err.h"
#include "doc/doc.h"
#include "doc/identity.h"
#include "drive/drive.h"
#include "smart/pages.h"

struct platform;

/* Starts what opens devices (on Linux the broker, a process of its own). Call once, before any
 * thread and before files are open. 0, or negative errno with e filled. */
int platform_start(struct platform **platform, struct err *e);
/* Ends it and every reader; drives opened through it must be closed before. NULL is nothing. */
void platform_stop(struct platform *platform);

/* Opens a block device, read-only. name: a device node or a link to one, "serial:…", "wwn:…".
 * path: DRIVE_DIRECT or DRIVE_PAGE_CACHE. The first aligned read has shown that direct I/O works,
 * or info.path says DRIVE_DIRECT_REFUSED or DRIVE_DIRECT_BELOW_CACHED. 0 and *drive (drive_close() it), or:
 * -ENOENT no such node or no drive of that serial · -EACCES, -EPERM not allowed · -ENOTBLK not a
 * block device (the sentence says what it is and what to do) · -ENOMEDIUM zero size or no medium ·
 * -EINVAL sectors that cannot be read (520 bytes) · -ENOTUNIQ several drives match · others as the
 * system gave them. e is always filled then. */
int platform_open(struct platform *platform, const char *name, enum drive_path path,
	struct drive **drive, struct err *e);

/* Fills id from the system's own files, no device command, no wake-up. 0 or as platform_open. */
int platform_identity(struct platform *platform, const char *name, struct identity *id,
	struct err *e);

/* Opens the line on which the drive is asked about itself: read-only, no sector is read, each question
 * checked once more against the list of what may be asked. A partition's name means the whole drive. Several
 * threads may open such lines, and ask on different ones, at once. 0 and *asker (its context ends with
 * platform_unask()), or as platform_open; -EOPNOTSUPP: nothing can be asked of such a device (the
 * sentence says why: a RAID volume, loop, md, …). */
int platform_ask(struct platform *platform, const char *name, struct asker *asker, struct err *e);
void platform_unask(struct asker *asker);

/* Adds to pages what the system has kept of the drive's answers, no command, no privilege. */
void platform_kept_pages(const char *name, struct pages *pages);
/* Adds to facts what else the system's own files tell of the drive (link speed, error counters,
 * temperature, timeouts, …), no command, no privilege. */
void platform_kept_facts(const char *name, struct facts *facts);

/* What is on the drive and who uses it, as facts: "partition_table.type", "partitions[i].{name,
 * start_bytes,size_bytes,type,label,uuid}", "signatures[i].{type,usage,offset_bytes,label,uuid}"
 * (also "partitions[i].signatures[j]…"), "use[i]"; "platter.signatures_looked_for" once they were,
 * "platter.held_exclusively" where somebody has claimed it. Only named fields of superblocks are
 * kept. Reads the drive's beginning and end through the page cache, which wakes it. platform NULL:
 * the drive is not opened, and what the system saw of it earlier is told. 0 or as platform_open;
 * -EOPNOTSUPP: platter was built without what knows signatures. What needs no open is added in any
 * case. */
int platform_contents(struct platform *platform, const char *name, struct facts *contents,
	struct err *e);

/* Turns a name into the device number. 0 or as platform_open. */
int platform_device_number(const char *name, uint64_t *number, struct err *e);

/* Whether two names are of one drive: of one device, or of loop devices over the same part of one
 * file or device. False when a name is of nothing. No device is opened. */
bool platform_same_drive(const char *a, const char *b);

/* One whole disk, md, dm or partition of this machine. */
struct listed_drive {
	struct identity identity;
	bool whole;         /* not a partition */
	bool readable;      /* may be opened for reading by who asks (access check, no open) */
	bool failing_known, failing; /* the system holds signs of failing (device state, error count) */
};
struct drive_list {
	struct listed_drive *drives;
	size_t n;
};
/* All block devices with a size, and those whose medium is out, whole disks first, by
 * name. No device is opened. 0 or negative errno. Release with drive_list_release(). */
int platform_list(struct drive_list *list, struct err *e);
void drive_list_release(struct drive_list *list);

/* Fills what can be had; never fails. */
void platform_host(struct host_facts *facts);

/* "2026-11-30T18:50:02Z" into dst (at least 21 bytes). */
void platform_utc_now(char *dst, size_t size);

/* Monotonic time of the machine, ns, for drawing progress; not a drive's clock. */
uint64_t platform_now_ns(void);

#endif
