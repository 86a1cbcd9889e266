/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The folder a file is to be written in, reached without being led astray: a symbolic link that
 * somebody else put into a folder that is writable for all is never followed. */
#ifndef CLI_FOLDER_H
#define CLI_FOLDER_H

#include <stdbool.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "base/err.h"

struct folder {
	int fd;         /* the folder, for the …at() functions; -1: not open */
	char name[256]; /* the file's name in it, not empty, no slash */
};

/* Opens the folder of path; for messages, path is named. 0, or negative errno with e: it is not
 * there, no folder, a link of another user's, or path ends in no name. folder_close() it after 0. */
int folder_open(struct folder *f, const char *path, struct err *e);
void folder_close(struct folder *f);

/* Whether uid is who runs the program, or who called sudo to do so. */
bool folder_is_callers(uid_t uid);

/* Who called sudo. False when it was not called, or not by root's leave. */
bool folder_sudo_ids(uid_t *uid, gid_t *gid);

#endif
