/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whatever is written is written to a file that did not exist before and gets its name at the end,
 * so that nothing somebody else has put there is ever opened, let alone given away. */
#include "cli/save.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/folder.h"

#define MODE (S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH)
#define TRIES 100

bool save_is_directory(const char *path)
{
	struct stat st;

	return text_ends(path, "/") || (stat(path, &st) == 0 && S_ISDIR(st.st_mode));
}

static const char *kind_of(mode_t mode)
{
	return S_ISBLK(mode) ? "a block device" : S_ISCHR(mode) ? "a character device"
		: S_ISDIR(mode) ? "a directory" : S_ISFIFO(mode) ? "a FIFO"
		: S_ISSOCK(mode) ? "a socket" : "no regular file";
}

static int wrong_kind(const char *path, mode_t mode, struct err *e)
{
	return err_set(e, -EEXIST, "cannot write %s: it is %s; name a file that may be made or "
		"replaced", path, kind_of(mode));
}

/* A link that stands there is replaced by the file, never followed; but it must be the caller's and
 * not lead to something that was hardly meant to be replaced by a file. */
static int check_link(const struct folder *f, const char *path, uid_t owner, struct err *e)
{
	char text[16];
	struct stat st;
	ssize_t n = readlinkat(f->fd, f->name, text, sizeof(text) - 1);

	text[n > 0 ? n : 0] = 0;
	if (fstatat(f->fd, f->name, &st, 0) == 0 && !S_ISREG(st.st_mode))
		return wrong_kind(path, st.st_mode, e);
	if (text_starts(text, "/proc/") || text_starts(text, "/dev/"))
		return err_set(e, -EEXIST, "cannot write %s: it is a link to an open file; for "
			"standard output say \"-\"", path);
	if (!folder_is_callers(owner))
		return err_set(e, -EPERM,
			"cannot write %s: it is a link that belongs to somebody else; remove it or "
			"name another file", path);
	return 0;
}

/* 0 when the name is free, a regular file or a link that may be replaced. */
static int check_place(const struct folder *f, const char *path, struct err *e)
{
	struct stat st;

	if (fstatat(f->fd, f->name, &st, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? 0
			: err_set(e, -errno, "cannot write %s: %s", path, strerror(errno));
	if (S_ISLNK(st.st_mode))
		return check_link(f, path, st.st_uid, e);
	return S_ISREG(st.st_mode) ? 0 : wrong_kind(path, st.st_mode, e);
}

/* Opens the folder of path and looks at the name in it. folder_close() after 0. */
static int enter(struct folder *f, const char *path, struct err *e)
{
	int status = folder_open(f, path, e);

	if (status)
		return status;
	status = check_place(f, path, e);
	if (status)
		folder_close(f);
	return status;
}

static int create(const struct folder *f, const char *name)
{
	int fd = openat(f->fd, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
		S_IRUSR | S_IWUSR);

	return fd < 0 ? -errno : fd;
}

/* A file under a name that was free; temporary: 300 bytes. Its descriptor, or negative errno. */
static int create_beside(const struct folder *f, char *temporary)
{
	int fd = -EEXIST;

	for (unsigned i = 0; i < TRIES && fd == -EEXIST; i++) {
		snprintf(temporary, 300, "%.240s.%ld.%u", f->name, (long)getpid(), i);
		fd = create(f, temporary);
	}
	return fd;
}

/* Of a file made here. 0 or negative errno. */
static int set_owner(int fd)
{
	uid_t uid;
	gid_t gid;

	if (fchmod(fd, MODE) || (folder_sudo_ids(&uid, &gid) && fchown(fd, uid, gid)))
		return -errno;
	return 0;
}

int save_check(const char *path, struct err *e)
{
	char temporary[300];
	struct folder f;
	int status = enter(&f, path, e);
	int fd;

	if (status)
		return status;
	fd = create_beside(&f, temporary);
	if (fd >= 0) {
		close(fd);
		unlinkat(f.fd, temporary, 0);
	} else {
		status = err_set(e, fd, "cannot write %s: no file can be made in its folder: %s",
			path, strerror(-fd));
	}
	folder_close(&f);
	return status;
}

/* The same folder and name, or one file under two names. */
static bool same_place(const struct folder *a, const struct folder *b)
{
	struct stat x, y;

	if (fstat(a->fd, &x) == 0 && fstat(b->fd, &y) == 0 && x.st_dev == y.st_dev &&
		x.st_ino == y.st_ino && strcmp(a->name, b->name) == 0)
		return true;
	return fstatat(a->fd, a->name, &x, 0) == 0 && fstatat(b->fd, b->name, &y, 0) == 0 &&
		x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

bool save_same(const char *path_a, const char *path_b)
{
	struct folder a, b;
	struct err e;
	bool same = false;

	if (folder_open(&a, path_a, &e))
		return false;
	if (folder_open(&b, path_b, &e) == 0) {
		same = same_place(&a, &b);
		folder_close(&b);
	}
	folder_close(&a);
	return same;
}

static int write_all(int fd, const struct text *content)
{
	size_t done = 0;

	while (done < content->length) {
		ssize_t n = write(fd, content->chars + done, content->length - done);

		if (n < 0 && errno != EINTR)
			return -errno;
		done += n > 0 ? (size_t)n : 0;
	}
	return set_owner(fd);
}

static int replace(const struct folder *f, const struct text *content)
{
	char temporary[300];
	int fd = create_beside(f, temporary);
	int status;

	if (fd < 0)
		return fd;
	status = write_all(fd, content);
	if (close(fd) && status == 0)
		status = -errno;
	if (status == 0 && renameat(f->fd, temporary, f->fd, f->name))
		status = -errno;
	if (status)
		unlinkat(f->fd, temporary, 0);
	return status;
}

int save_file(const char *path, const struct text *content, struct err *e)
{
	struct folder f;
	int status = enter(&f, path, e);

	if (status)
		return status;
	status = replace(&f, content);
	folder_close(&f);
	if (status)
		err_set(e, status, "cannot write %s: %s; nothing was saved there", path,
			strerror(-status));
	return status;
}

FILE *save_stream(const char *path, struct err *e)
{
	FILE *file = NULL;
	struct folder f;
	int status = enter(&f, path, e);
	int fd;

	if (status)
		return NULL;
	if (unlinkat(f.fd, f.name, 0) && errno != ENOENT)
		fd = -errno;
	else
		fd = create(&f, f.name);
	status = fd < 0 ? fd : set_owner(fd);
	if (status == 0)
		file = fdopen(fd, "wb");
	if (!file) {
		status = status ? status : -errno;
		err_set(e, status, "cannot write %s: %s", path, strerror(-status));
		if (fd >= 0)
			close(fd);
	}
	folder_close(&f);
	return file;
}
