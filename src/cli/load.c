/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/load.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define FILE_BYTES_MAX (512u << 20)

static int read_all(FILE *f, struct text *content)
{
	char buffer[65536];
	size_t n;

	errno = 0;
	while ((n = fread(buffer, 1, sizeof(buffer), f)) > 0) {
		text_add_bytes(content, buffer, n);
		if (content->length > FILE_BYTES_MAX)
			return -EFBIG;
	}
	return ferror(f) ? (errno ? -errno : -EIO) : 0;
}

int load_file(const char *name, struct text *content)
{
	FILE *f;
	int status;

	if (strcmp(name, "-") == 0)
		return read_all(stdin, content);
	f = fopen(name, "rb");
	if (!f)
		return -errno;
	status = read_all(f, content);
	fclose(f);
	return status;
}
