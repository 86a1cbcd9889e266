/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parser has noted where in the arguments files and drives stand. */
#include "cli/privacy.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"

static char *clean_copy(const char *s)
{
	size_t size = strlen(s) + 1;
	char *copy = mem_zalloc(size, 1);

	text_copy_clean(copy, size, s);
	return copy;
}

static const char *without_folder(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* "--trace=/home/me/x" → "--trace=x": `at` is where the path begins, counted from 1. */
static char *file_argument(const char *argument, size_t at)
{
	struct text t = {0};
	char *clean;

	text_add_bytes(&t, argument, at - 1);
	text_add(&t, "%s", without_folder(argument + at - 1));
	clean = clean_copy(text_chars(&t));
	text_release(&t);
	return clean;
}

char **privacy_argv(const struct options *o, const char *drive)
{
	char **argv = mem_zalloc(o->argc + 2, sizeof(*argv));
	size_t n = 0;
	bool drive_put = false;

	for (size_t i = 0; i < o->argc; i++) {
		if (i == 0) {
			argv[n++] = mem_strdup("platter");
		} else if (o->operand_at[i]) {
			if (!drive_put)
				argv[n++] = clean_copy(drive);
			drive_put = true;
		} else if (o->file_at[i]) {
			argv[n++] = file_argument(o->argv[i], o->file_at[i]);
		} else {
			argv[n++] = clean_copy(o->argv[i]);
		}
	}
	return argv;
}
