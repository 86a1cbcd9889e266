/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file the user names, read whole. */
#ifndef CLI_LOAD_H
#define CLI_LOAD_H

#include "base/text.h"

/* Appends what is in the file ("-": standard input) to content, which may hold zeros then. 0 or
 * negative errno; -EFBIG: larger than any file of ours (512 MiB). */
int load_file(const char *name, struct text *content);

#endif
