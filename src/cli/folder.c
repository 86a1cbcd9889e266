/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The path is walked name by name with descriptors, so that nobody can exchange a folder for a link
 * between the look and the step. */
#include "cli/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"

#define LINKS_MAX 40
#ifndef O_PATH
#define O_PATH O_RDONLY
#endif

struct walk {
	int fd;
	char rest[2 * PATH_MAX]; /* what is still to be walked */
	unsigned links;
};

static bool sudo_id(const char *name, uint64_t *id)
{
	const char *value = getenv(name);

	return value && units_parse_u64(value, id) == 0 && *id < UINT32_MAX;
}

bool folder_sudo_ids(uid_t *uid, gid_t *gid)
{
	uint64_t wide_uid, wide_gid;

	if (geteuid() != 0 || !sudo_id("SUDO_UID", &wide_uid) || !sudo_id("SUDO_GID", &wide_gid))
		return false;
	*uid = (uid_t)wide_uid;
	*gid = (gid_t)wide_gid;
	return true;
}

bool folder_is_callers(uid_t uid)
{
	uid_t sudo_uid;
	gid_t sudo_gid;

	return uid == geteuid() || (folder_sudo_ids(&sudo_uid, &sudo_gid) && uid == sudo_uid);
}

/* A link may be followed where nobody but its folder's owner could have put it, or when it is the
 * caller's own. */
static bool trusted(int fd, const struct stat *link)
{
	struct stat st;

	if (folder_is_callers(link->st_uid))
		return true;
	return fstat(fd, &st) == 0 && !(st.st_mode & (S_ISVTX | S_IWOTH));
}

static int step_to(struct walk *w, int fd)
{
	close(w->fd);
	w->fd = fd;
	return 0;
}

/* The link's text is put in front of what is still to be walked. */
static int follow(struct walk *w, const char *name)
{
	char text[PATH_MAX], rest[2 * PATH_MAX];
	ssize_t n = readlinkat(w->fd, name, text, sizeof(text) - 1);

	if (n < 0)
		return -errno;
	text[n] = 0;
	if (++w->links > LINKS_MAX)
		return -ELOOP;
	if (snprintf(rest, sizeof(rest), "%s/%s", text, w->rest) >= (int)sizeof(rest))
		return -ENAMETOOLONG;
	memcpy(w->rest, rest, sizeof(rest));
	if (text[0] == '/') {
		int fd = open("/", O_PATH | O_DIRECTORY | O_CLOEXEC);

		return fd < 0 ? -errno : step_to(w, fd);
	}
	return 0;
}

/* One name further. -EXDEV: a link of somebody else's. */
static int step(struct walk *w, const char *name)
{
	int fd = openat(w->fd, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;
	int status = -errno;

	if (fd >= 0)
		return step_to(w, fd);
	if (fstatat(w->fd, name, &st, AT_SYMLINK_NOFOLLOW) || !S_ISLNK(st.st_mode))
		return status;
	return trusted(w->fd, &st) ? follow(w, name) : -EXDEV;
}

static int walk(struct walk *w)
{
	int status = 0;

	while (status == 0) {
		char name[NAME_MAX + 1];
		char *from = w->rest + strspn(w->rest, "/");
		size_t n = strcspn(from, "/");

		if (n == 0)
			return 0;
		if (n > NAME_MAX)
			return -ENAMETOOLONG;
		memcpy(name, from, n);
		name[n] = 0;
		memmove(w->rest, from + n, strlen(from + n) + 1);
		status = step(w, name);
	}
	return status;
}

static int refuse(struct err *e, const char *path, int status)
{
	if (status == -EXDEV)
		return err_set(e, -EPERM,
			"cannot write %s: a link on the way there, in a folder that is writable "
			"for all, belongs to somebody else; name the place itself", path);
	return err_set(e, status, "cannot write %s: its folder: %s", path, strerror(-status));
}

int folder_open(struct folder *f, const char *path, struct err *e)
{
	struct walk w = {.fd = -1};
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;
	size_t n = slash ? (size_t)(slash - path) : 0;
	int status;

	f->fd = -1;
	if (!*name || strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
		return err_set(e, -EISDIR, "cannot write %s: it is a directory", path);
	if (strlen(name) >= sizeof(f->name) || n >= PATH_MAX)
		return refuse(e, path, -ENAMETOOLONG);
	memcpy(f->name, name, strlen(name) + 1);
	memcpy(w.rest, path, n);
	w.rest[n] = 0;
	w.fd = open(path[0] == '/' ? "/" : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	status = w.fd < 0 ? -errno : walk(&w);
	if (status) {
		if (w.fd >= 0)
			close(w.fd);
		return refuse(e, path, status);
	}
	f->fd = w.fd;
	return 0;
}

void folder_close(struct folder *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
}
