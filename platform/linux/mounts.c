/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A line: id, parent, major:minor, root, mount point, options, optional fields, "-", type, source,
 * options; white space inside a field is written as \040 and the like. */
#include "mounts.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/text.h"
#include "sysfs.h"

static void unescape(char *s)
{
	char *to = s;

	for (; *s; s++) {
		if (s[0] == '\\' && s[1] >= '0' && s[1] <= '3' && s[2] >= '0' && s[2] <= '7' &&
			s[3] >= '0' && s[3] <= '7') {
			*to++ = (char)((s[1] - '0') << 6 | (s[2] - '0') << 3 | (s[3] - '0'));
			s += 3;
		} else {
			*to++ = *s;
		}
	}
	*to = 0;
}

static bool parse(struct mount *m, const char *line)
{
	unsigned major_number, minor_number;
	const char *rest = strstr(line, " - ");

	if (!rest ||
		sscanf(line, "%*d %*d %u:%u %*s %4095s", &major_number, &minor_number, m->where) !=
			3 ||
		sscanf(rest, " - %63s %511s", m->type, m->source) != 2)
		return false;
	m->number = makedev(major_number, minor_number);
	unescape(m->where);
	unescape(m->source);
	return true;
}

int mounts_each(int (*visit)(void *arg, const struct mount *m), void *arg)
{
	char path[PATH_MAX], *line = NULL;
	size_t size = 0;
	struct mount m;
	int status = 0;
	FILE *f;

	sysfs_path(path, sizeof(path), "/proc/self/mountinfo");
	f = fopen(path, "re");
	if (!f)
		return -errno;
	while (!status && getline(&line, &size, f) > 0)
		if (parse(&m, line))
			status = visit(arg, &m);
	free(line);
	fclose(f);
	return status;
}

uint64_t mount_device(const struct mount *m)
{
	struct stat st;

	if (major(m->number))
		return m->number;
	if (text_starts(m->source, "/dev/") && stat(m->source, &st) == 0 && S_ISBLK(st.st_mode))
		return st.st_rdev;
	return 0;
}
