/* SPDX-License-Identifier: GPL-2.0-or-later */
/* cachestat(2) counts the pages at once (Linux 6.5); before it, mincore(2) tells page by page of a
 * mapping. mincore says "all cached" to who may not write to the file, so it is only believed by
 * one who may; nothing is ever written, or even opened for it. */
#include "residency.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CACHESTAT_CALL 451         /* the same number on all but one old architecture */
#define WINDOW_BYTES   (64u << 20) /* mapped at a time */
#define PAGE_BYTES_MIN 4096u

struct cachestat_range_ {
	uint64_t offset, length;
};

struct cachestat_ {
	uint64_t cached, dirty, written_back, evicted, recently_evicted; /* pages */
};

static uint64_t page_bytes(void)
{
	long n = sysconf(_SC_PAGESIZE);

	return n > 0 ? (uint64_t)n : PAGE_BYTES_MIN;
}

static int by_cachestat(int fd, uint64_t offset, uint64_t length, uint64_t *bytes)
{
	struct cachestat_range_ range = {offset, length};
	struct cachestat_ found = {0, 0, 0, 0, 0};

	if (syscall(CACHESTAT_CALL, fd, &range, &found, 0u) != 0)
		return -errno;
	*bytes = found.cached * page_bytes();
	if (*bytes > length)
		*bytes = length;
	return 0;
}

static int told_the_truth(int fd)
{
	struct stat st;
	char path[40];

	if (fstat(fd, &st) == 0 && (st.st_uid == geteuid() || geteuid() == 0))
		return 1;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	return faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0;
}

static int mincore_window(int fd, uint64_t offset, size_t length, uint64_t *pages)
{
	static unsigned char seen[WINDOW_BYTES / PAGE_BYTES_MIN];
	size_t n = (length + page_bytes() - 1) / page_bytes();
	void *mapping = mmap(NULL, length, PROT_READ, MAP_SHARED, fd, (off_t)offset);
	int status;

	if (mapping == MAP_FAILED)
		return -errno;
	status = mincore(mapping, length, seen) == 0 ? 0 : -errno;
	munmap(mapping, length);
	for (size_t i = 0; !status && i < n; i++)
		*pages += seen[i] & 1;
	return status;
}

int residency_by_mincore(int fd, uint64_t offset, uint64_t length, uint64_t *bytes)
{
	uint64_t at = offset / page_bytes() * page_bytes();
	uint64_t end = offset + length, pages = 0;

	*bytes = 0;
	if (!told_the_truth(fd))
		return -ENOTSUP;
	while (at < end) {
		size_t part = end - at < WINDOW_BYTES ? (size_t)(end - at) : WINDOW_BYTES;

		if (mincore_window(fd, at, part, &pages) != 0)
			return -ENOTSUP;
		at += part;
	}
	*bytes = pages * page_bytes() < length ? pages * page_bytes() : length;
	return 0;
}

int residency_bytes(int fd, uint64_t offset, uint64_t length, uint64_t *bytes)
{
	*bytes = 0;
	if (length == 0)
		return 0;
	if (by_cachestat(fd, offset, length, bytes) == 0)
		return 0;
	return residency_by_mincore(fd, offset, length, bytes);
}
