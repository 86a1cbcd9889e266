/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files the user asked for: whole or not at all, readable by all, owned by who called sudo, and
 * never put in the place of anything but a regular file or a link of the caller's. No link of
 * somebody else's is followed on the way (cli/folder.h). */
#ifndef CLI_SAVE_H
#define CLI_SAVE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"
#include "base/text.h"

/* Whether path is a directory, or is written as one ("results/"). */
bool save_is_directory(const char *path);

/* Before anything is measured: a file can be made there (one is, and taken away). 0, or negative
 * errno with e: its folder is missing or not writable, or something that may not be replaced stands
 * there. */
int save_check(const char *path, struct err *e);

/* Whether the two paths name one file, there already or not. */
bool save_same(const char *path_a, const char *path_b);

/* Writes the file under another name beside it and renames it. 0, or negative errno with e; what
 * was there before is then untouched. */
int save_file(const char *path, const struct text *content, struct err *e);

/* A file that grows while measuring (a recording): made new, in the place
 * of what stood there. NULL with e. */
FILE *save_stream(const char *path, struct err *e);

#endif
