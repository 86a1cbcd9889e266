/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who looks for known signatures on a drive: a process that has given up everything but the drive's
 * descriptor, because it takes bytes apart that anybody may have written there. */
#ifndef PLATFORM_LINUX_SIGNATURES_H
#define PLATFORM_LINUX_SIGNATURES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* How long all of it may take, s: a drive has to spin up, and a bad sector is tried for long. */
#define SIGNATURES_LIMIT_S 20u

enum finding_kind {
	FOUND_TABLE = 1, /* partition table: type, uuid */
	FOUND_GPT,       /* type: gpt, or PMBR: only the table that protects one; size: of the drive it
			  * was made for, 0 not known; start: its block size; label, uuid: how its
			  * first and its second copy are */
	FOUND_PARTITION, /* start, size, type, label, uuid; usage: "nested" when inside another */
	FOUND_SIGNATURE, /* partition 0: of the whole; offset: of the magic, size: UINT64_MAX unknown */
	FOUND_UNREADABLE, /* offset; size: the errno */
	FOUND_ALL,       /* the last; size: 0, or the errno that kept it from being looked for */
};

/* One packet. Strings are ended and otherwise as they stood on the drive. */
struct found {
	uint32_t kind;
	uint32_t partition; /* number in the table; 0: the whole */
	uint64_t start, size, offset; /* bytes */
	char type[64], usage[24], label[128], uuid[64];
};

/* The life of that process: fd is the drive, read-only and not O_DIRECT; packets go to socket. Never
 * returns. */
_Noreturn void signatures_main(int fd, int socket, pid_t parent);

/* Fills packets from fd by calling put for each; FOUND_ALL is the caller's. 0, or negative errno:
 * -ENOSYS, this platter was built without libblkid; -EIO, the
 * drive's beginning cannot be read. */
int signatures_find(int fd, void (*put)(void *arg, const struct found *found), void *arg);

/* False: there is no table that protects a GPT, so none that counts. f is overwritten. */
bool signatures_gpt(int fd, struct found *f);

#endif
