/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The errno alone tells little: a loop device without a file and a card reader without a card both
 * have no size. What sysfs knows makes the difference. */
#include "sentences.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "sysfs.h"

#define NAME_LENGTH 200

static const char *clean(char *dst, const char *name)
{
	text_copy_clean(dst, NAME_LENGTH, name);
	return dst;
}

int sentence_no_stat(struct err *e, const char *raw, int status)
{
	char name[NAME_LENGTH];
	struct stat link;

	clean(name, raw);
	if (status == -ENOENT && lstat(raw, &link) == 0 && S_ISLNK(link.st_mode))
		return err_set(e, status,
			"%s is a link to a device that is not there; is the "
			"drive unplugged?",
			name);
	if (status == -ENOENT && !strchr(raw, '/') && sysfs_exists("/sys/class/block/%s", raw))
		return err_set(
			e, status, "There is no file %s here; did you mean /dev/%s?", name, name);
	if (status == -ENOENT || status == -ENOTDIR)
		return err_set(e, -ENOENT,
			"There is no %s; `platter list` shows the drives there "
			"are.",
			name);
	if (status == -EACCES)
		return err_set(
			e, status, "The way to %s is not open to you; try again with sudo.", name);
	return err_set(e, status, "%s could not be looked at (%s).", name, strerror(-status));
}

/* A path as a shell takes it in one piece. */
static void quoted(struct text *t, const char *path)
{
	bool plain = path[0] != '-';

	for (const char *c = path; *c; c++)
		plain = plain && strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					"0123456789/._-+,:@%=",
					 *c) != NULL;
	if (plain) {
		text_add(t, "%s", path);
		return;
	}
	text_add(t, "'");
	for (const char *c = path; *c; c++)
		text_add(t, *c == '\'' ? "'\\''" : "%c", *c);
	text_add(t, "'");
}

int sentence_not_block(struct err *e, const char *raw, mode_t mode)
{
	char name[NAME_LENGTH];
	struct text q = {0};

	clean(name, raw);
	if (S_ISDIR(mode))
		return err_set(e, -ENOTBLK,
			"%s is a directory, not a block device; name the drive "
			"it lies on (`findmnt -no SOURCE --target` tells which).",
			name);
	if (S_ISCHR(mode))
		return err_set(e, -ENOTBLK,
			"%s is a character device, not a block device; "
			"`platter list` shows the drives there are.",
			name);
	if (S_ISFIFO(mode))
		return err_set(e, -ENOTBLK,
			"%s is a named pipe, not a block device; `platter "
			"list` shows the drives there are.",
			name);
	if (S_ISSOCK(mode))
		return err_set(e, -ENOTBLK,
			"%s is a socket, not a block device; `platter list` "
			"shows the drives there are.",
			name);
	quoted(&q, name);
	err_set(e, -ENOTBLK,
		"%s is a regular file, not a block device; to probe what it holds, "
		"make it one with `losetup --find --show --read-only %s` and name the device that "
		"prints.",
		name, text_chars(&q));
	text_release(&q);
	return -ENOTBLK;
}

static int no_permission(struct err *e, const char *name, int status)
{
	if (status == -EPERM)
		return err_set(e, status,
			"The system forbids opening %s even to %s: a container, "
			"lockdown or device policy stands before it; run platter where the device "
			"is allowed.",
			name, geteuid() == 0 ? "root" : "who owns it");
	if (geteuid() == 0)
		return err_set(e, status,
			"Root may not open %s here: a security policy of this "
			"system says no; run platter where the device is allowed.",
			name);
	return err_set(e, status,
		"You may not read %s; try again with sudo, or as a member of the "
		"group disk.",
		name);
}

int sentence_not_opened(struct err *e, const char *raw, uint64_t number, int status)
{
	char name[NAME_LENGTH];

	clean(name, raw);
	switch (status) {
	case -ENOMEDIUM: return sentence_no_size(e, raw, number);
	case -EACCES:
	case -EPERM: return no_permission(e, name, status);
	case -EBUSY:
		return err_set(e, status,
			"%s is in use in a way that lets nobody else open it; "
			"find its user with `fuser -v` or `lsblk` and try again.",
			name);
	case -ENXIO:
	case -ENODEV:
		return err_set(e, status,
			"No drive answers behind %s; it was unplugged or its "
			"driver is not there.",
			name);
	case -ENOENT: return sentence_no_stat(e, raw, status);
	case -ENOTBLK:
		return err_set(e, status,
			"%s became another device while it was being opened; try "
			"again.",
			name);
	case -ETIME:
		return err_set(e, status,
			"Opening %s got no answer within a minute; the drive "
			"hangs and is better left alone.",
			name);
	case -EPIPE:
		return err_set(e, status,
			"Platter's device process is gone, so %s cannot be "
			"opened; start platter again.",
			name);
	default:
		return err_set(e, status,
			"%s could not be opened for reading (%s); the kernel's "
			"log may tell more (`dmesg`).",
			name, strerror(-status));
	}
}

int sentence_no_reader(struct err *e, const char *raw, int status)
{
	char name[NAME_LENGTH];

	return err_set(e, status,
		"%s was not read: the process for it could not give up its "
		"privileges or start (%s); run platter outside the container or sandbox it is in.",
		clean(name, raw), strerror(-status));
}

int sentence_no_size(struct err *e, const char *raw, uint64_t number)
{
	struct sysfs_device d;
	char name[NAME_LENGTH];

	clean(name, raw);
	if (sysfs_by_number(&d, number) != 0)
		return err_set(
			e, -ENOMEDIUM, "%s has no size: there is nothing in it to read.", name);
	if (text_starts(d.name, "loop"))
		return err_set(e, -ENOMEDIUM,
			"%s has size zero, a loop device without a file or with an empty one; "
			"give it one with `losetup --find --show --read-only FILE`.",
			name);
	if (text_starts(d.name, "zram"))
		return err_set(e, -ENOMEDIUM,
			"%s is a zram device that was not given a size yet; "
			"set it up with `zramctl`.",
			name);
	if (sysfs_number(0, "%s/removable", d.whole))
		return err_set(e, -ENOMEDIUM,
			"%s has no medium in it; insert a card or disc and "
			"try again.",
			name);
	if (sysfs_exists("%s/device/scsi_level", d.whole))
		return err_set(e, -EINVAL,
			"%s has no size, as drives with sectors of 520 or 528 "
			"bytes have, which Linux does not read; `sg_readcap` tells the size of its "
			"sectors.",
			name);
	return err_set(e, -ENOMEDIUM, "%s has no size: there is nothing in it to read.", name);
}

int sentence_no_first_read(struct err *e, const char *raw, int status)
{
	char name[NAME_LENGTH];

	clean(name, raw);
	if (status == -ETIME)
		return err_set(e, status,
			"The first read of %s got no answer within a minute; the "
			"drive hangs and is better left alone.",
			name);
	if (status == -ENODEV)
		return err_set(
			e, status, "%s went away during its first read; was it unplugged?", name);
	return err_set(
		e, status, "The first read of %s could not be done (%s).", name, strerror(-status));
}

int sentence_raid_volume(struct err *e, const char *raw, const char *host)
{
	char name[NAME_LENGTH];

	return err_set(e, -EOPNOTSUPP,
		"%s is a volume that a RAID controller (%.32s) makes of disks it does not show; the "
		"controller's own program tells how those are.",
		clean(name, raw), host[0] ? host : "driver not known");
}

int sentence_not_asked(struct err *e, const char *raw, uint64_t number)
{
	struct sysfs_device d;
	char name[NAME_LENGTH];

	clean(name, raw);
	if (sysfs_by_number(&d, number) != 0)
		d.name[0] = 0;
	if (text_starts(d.name, "md") || text_starts(d.name, "dm-"))
		return err_set(e, -EOPNOTSUPP,
			"%s is made of other devices and has no health of its own; ask the drives "
			"it is made of, which `platter list` names.",
			name);
	if (text_starts(d.name, "loop"))
		return err_set(e, -EOPNOTSUPP,
			"%s is a file made into a device, which nothing can be asked about; ask "
			"the drive that the file lies on.",
			name);
	if (text_starts(d.name, "zram") || text_starts(d.name, "ram"))
		return err_set(e, -EOPNOTSUPP,
			"%s lies in this machine's memory: there is no drive to ask.", name);
	if (text_starts(d.name, "vd") || text_starts(d.name, "xvd"))
		return err_set(e, -EOPNOTSUPP,
			"%s is a virtual machine's disk and answers no questions about itself; ask "
			"the drive on the host.",
			name);
	return err_set(e, -EOPNOTSUPP,
		"%s takes no questions about itself through its driver; what the system's own "
		"files tell is all there is.",
		name);
}
