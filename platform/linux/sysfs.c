/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A root in front of a path, a bounded read, a trim. Text from here may come from a drive: whoever
 * shows it cleans it. */
#include "sysfs.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/text.h"
#include "base/units.h"

static const char *root = "";

void sysfs_set_root(const char *path)
{
	root = path;
}

void sysfs_path(char *dst, size_t size, const char *path)
{
	snprintf(dst, size, "%s%s", root, path);
}

int sysfs_read_bytes(void *dst, size_t size, size_t *length, const char *path)
{
	char full[PATH_MAX];
	int fd, status = 0;

	*length = 0;
	sysfs_path(full, sizeof(full), path);
	fd = open(full, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	while (*length < size) {
		ssize_t got = read(fd, (char *)dst + *length, size - *length);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			status = -errno;
		if (got <= 0)
			break;
		*length += (size_t)got;
	}
	close(fd);
	return status;
}

__attribute__((format(printf, 3, 0))) static int read_v(
	char *dst, size_t size, const char *format, va_list ap)
{
	char path[PATH_MAX];
	size_t length;
	int status;
	char *kept;

	vsnprintf(path, sizeof(path), format, ap);
	status = sysfs_read_bytes(dst, size - 1, &length, path);
	dst[status ? 0 : length] = 0;
	kept = text_trim(dst);
	memmove(dst, kept, strlen(kept) + 1);
	return status;
}

int sysfs_read(char *dst, size_t size, const char *format, ...)
{
	va_list ap;
	int status;

	va_start(ap, format);
	status = read_v(dst, size, format, ap);
	va_end(ap);
	return status;
}

uint64_t sysfs_number(uint64_t not_there, const char *format, ...)
{
	char text[64];
	uint64_t value;
	va_list ap;
	int status;

	va_start(ap, format);
	status = read_v(text, sizeof(text), format, ap);
	va_end(ap);
	if (status || units_parse_u64(text, &value) != 0)
		return not_there;
	return value;
}

bool sysfs_exists(const char *format, ...)
{
	char path[PATH_MAX], full[PATH_MAX];
	va_list ap;

	va_start(ap, format);
	vsnprintf(path, sizeof(path), format, ap);
	va_end(ap);
	sysfs_path(full, sizeof(full), path);
	return access(full, F_OK) == 0;
}

int sysfs_real(char *dst, size_t size, const char *path)
{
	char full[PATH_MAX], real[PATH_MAX], real_root[PATH_MAX] = "";
	size_t skip;

	sysfs_path(full, sizeof(full), path);
	if (!realpath(full, real))
		return -errno;
	if (root[0] && !realpath(root, real_root))
		return -errno;
	skip = strlen(real_root);
	if (strncmp(real, real_root, skip) != 0)
		return -EXDEV;
	if (strlen(real + skip) >= size)
		return -ENAMETOOLONG;
	memcpy(dst, real + skip, strlen(real + skip) + 1);
	return 0;
}

int sysfs_compare_names(const char *a, const char *b)
{
	while (*a && *b) {
		if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
			char *after_a, *after_b;
			unsigned long x = strtoul(a, &after_a, 10), y = strtoul(b, &after_b, 10);

			if (x != y)
				return x < y ? -1 : 1;
			a = after_a;
			b = after_b;
		} else if (*a != *b) {
			break;
		} else {
			a++;
			b++;
		}
	}
	return (int)(unsigned char)*a - (int)(unsigned char)*b;
}

static int in_order(const struct dirent **a, const struct dirent **b)
{
	return sysfs_compare_names((*a)->d_name, (*b)->d_name);
}

int sysfs_each(const char *path, int (*visit)(void *arg, const char *name), void *arg)
{
	char full[PATH_MAX];
	struct dirent **names;
	int n, status = 0;

	sysfs_path(full, sizeof(full), path);
	n = scandir(full, &names, NULL, in_order);
	if (n < 0)
		return -errno;
	for (int i = 0; i < n; i++) {
		if (!status && names[i]->d_name[0] != '.')
			status = visit(arg, names[i]->d_name);
		free(names[i]);
	}
	free(names);
	return status;
}

static int fill(struct sysfs_device *d, const char *link)
{
	char text[32];
	unsigned major_number, minor_number;
	char *slash;

	memset(d, 0, sizeof(*d));
	if (sysfs_real(d->dir, sizeof(d->dir), link) != 0)
		return -ENOENT;
	slash = strrchr(d->dir, '/');
	snprintf(d->name, sizeof(d->name), "%.60s", slash ? slash + 1 : d->dir);
	for (char *c = d->name; *c; c++)
		if (*c == '!') /* how sysfs writes a slash in a name */
			*c = '/';
	memcpy(d->whole, d->dir, sizeof(d->whole));
	d->partition = sysfs_exists("%s/partition", d->dir);
	slash = strrchr(d->whole, '/');
	if (d->partition && slash)
		*slash = 0;
	if (sysfs_read(text, sizeof(text), "%s/dev", d->dir) == 0 &&
		sscanf(text, "%u:%u", &major_number, &minor_number) == 2)
		d->number = makedev(major_number, minor_number);
	return 0;
}

int sysfs_by_name(struct sysfs_device *d, const char *name)
{
	char link[512];

	snprintf(link, sizeof(link), "/sys/class/block/%s", name);
	for (char *c = link + strlen("/sys/class/block/"); *c; c++)
		if (*c == '/')
			*c = '!';
	return fill(d, link);
}

int sysfs_by_number(struct sysfs_device *d, uint64_t number)
{
	char link[512];

	snprintf(link, sizeof(link), "/sys/dev/block/%u:%u", major(number), minor(number));
	return fill(d, link);
}
