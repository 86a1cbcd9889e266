/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A link to a regular file is followed, so that the file is replaced and not the link. */
#include "cli/save.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/units.h"

#define MODE (S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH)

bool save_is_directory(const char *path)
{
	struct stat st;

	return text_ends(path, "/") || (stat(path, &st) == 0 && S_ISDIR(st.st_mode));
}

/* The path with links followed where the file exists; to be freed. */
static char *real_path(const char *path)
{
	char *real = realpath(path, NULL);

	return real ? real : mem_strdup(path);
}

static char *folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	char *folder;

	if (!slash)
		return mem_strdup(".");
	folder = mem_strdup(path);
	folder[slash == path ? 1 : slash - path] = 0;
	return folder;
}

static const char *kind_of(mode_t mode)
{
	return S_ISBLK(mode) ? "a block device" : S_ISCHR(mode) ? "a character device"
		: S_ISDIR(mode) ? "a directory" : S_ISFIFO(mode) ? "a FIFO"
		: S_ISSOCK(mode) ? "a socket" : "no regular file";
}

/* 0 when the path is free or a regular file. */
static int check_place(const char *path, struct err *e)
{
	struct stat st;

	if (stat(path, &st))
		return errno == ENOENT ? 0
			: err_set(e, -errno, "cannot write %s: %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode))
		return err_set(e, -EEXIST,
			"cannot write %s: it is %s; name a file that may be made or "
			"replaced", path, kind_of(st.st_mode));
	return 0;
}

int save_check(const char *path, struct err *e)
{
	char *real = real_path(path);
	char *folder = folder_of(real);
	struct stat st;
	int status = check_place(real, e);

	if (status == 0 && (stat(folder, &st) || access(folder, W_OK)))
		status = err_set(e, -errno, "cannot write %s: its folder %s: %s", path, folder,
			strerror(errno));
	if (status == 0 && !S_ISDIR(st.st_mode))
		status = err_set(e, -ENOTDIR,
			"cannot write %s: %s is not a directory", path, folder);
	free(folder);
	free(real);
	return status;
}

static bool sudo_id(const char *name, uint64_t *id)
{
	const char *value = getenv(name);

	return value && units_parse_u64(value, id) == 0 && *id < UINT32_MAX;
}

/* 0 or negative errno. */
static int set_owner(int fd)
{
	uint64_t uid, gid;

	if (fchmod(fd, MODE))
		return -errno;
	if (geteuid() == 0 && sudo_id("SUDO_UID", &uid) && sudo_id("SUDO_GID", &gid) &&
		fchown(fd, (uid_t)uid, (gid_t)gid))
		return -errno;
	return 0;
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

static int replace(const char *real, const struct text *content)
{
	struct text beside = {0};
	char *temporary;
	int status;
	int fd;

	text_add(&beside, "%s.XXXXXX", real);
	temporary = text_take(&beside);
	fd = mkstemp(temporary);
	status = fd < 0 ? -errno : write_all(fd, content);
	if (fd >= 0 && close(fd) && status == 0)
		status = -errno;
	if (status == 0 && rename(temporary, real))
		status = -errno;
	if (status && fd >= 0)
		unlink(temporary);
	free(temporary);
	return status;
}

int save_file(const char *path, const struct text *content, struct err *e)
{
	char *real = real_path(path);
	int status = check_place(real, e);

	if (status == 0) {
		status = replace(real, content);
		if (status)
			err_set(e, status, "cannot write %s: %s; nothing was saved there", path,
				strerror(-status));
	}
	free(real);
	return status;
}

FILE *save_stream(const char *path, struct err *e)
{
	FILE *f = NULL;
	int fd;

	if (save_check(path, e))
		return NULL;
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK, MODE);
	if (fd >= 0 && set_owner(fd) == 0)
		f = fdopen(fd, "wb");
	if (!f) {
		err_set(e, -errno, "cannot write %s: %s", path, strerror(errno));
		if (fd >= 0)
			close(fd);
	}
	return f;
}
