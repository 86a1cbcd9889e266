/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading the kernel's small text files, all through one place, so that tests can put a copied tree
 * in front of it. */
#ifndef PLATFORM_LINUX_SYSFS_H
#define PLATFORM_LINUX_SYSFS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* In front of every /sys and /proc path from here on; "" at the start. Only tests call this. The
 * string stays the caller's and must live on. */
void sysfs_set_root(const char *root);

/* A block device as sysfs has it. Paths are without the root. */
struct sysfs_device {
	char name[64];   /* kernel name, as under /dev: "sda1", "cciss/c0d0" */
	char dir[512];   /* its directory */
	char whole[512]; /* directory of the whole disk; the same when it is one */
	bool partition;
	uint64_t number; /* dev_t; 0 not known */
};

/* By kernel name ("sda1"), or by device number. 0 or -ENOENT. */
int sysfs_by_name(struct sysfs_device *d, const char *name);
int sysfs_by_number(struct sysfs_device *d, uint64_t number);

/* The file named by the format, white space at both ends removed; cut at size. 0; negative errno
 * (dst is "" then). */
int sysfs_read(char *dst, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The file as it is, binary; *length is set. 0 or negative errno. */
int sysfs_read_bytes(void *dst, size_t size, size_t *length, const char *path);
/* A whole decimal number, or not_there. */
uint64_t sysfs_number(uint64_t not_there, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

bool sysfs_exists(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Where the link or path really leads, root taken off. 0 or negative errno. */
int sysfs_real(char *dst, size_t size, const char *path);

/* Calls visit with each name in a directory, in the order of names with their numbers compared as
 * numbers, till it returns not 0; returns that, 0, or the negative errno of the directory. */
int sysfs_each(const char *path, int (*visit)(void *arg, const char *name), void *arg);

/* path with the root in front, for functions that need it. */
void sysfs_path(char *dst, size_t size, const char *path);

/* Compares "sda2" and "sda10" as people do. */
int sysfs_compare_names(const char *a, const char *b);

#endif
