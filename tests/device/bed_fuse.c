/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The mount: `disk` is the drive, `ctl` takes commands, `stats`, `truth` and `log` tell. A read of
 * `disk` is handed to the model on arrival and answered by bed_answer() when the model says so;
 * everything that would change the drive is counted and refused. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tests/device/bed.h"

static const char *const file_names[BED_NONE] = {
	[BED_DISK] = "disk", [BED_CTL] = "ctl", [BED_STATS] = "stats",
	[BED_TRUTH] = "truth", [BED_LOG] = "log",
};

static struct bed *bed_of(fuse_req_t req)
{
	return fuse_req_userdata(req);
}

static struct stat attributes(const struct bed *bed, fuse_ino_t ino)
{
	struct stat st = {0};

	st.st_ino = ino;
	st.st_nlink = ino == BED_ROOT ? 2 : 1;
	st.st_mode = ino == BED_ROOT ? S_IFDIR | 0755 : S_IFREG | 0444;
	if (ino == BED_CTL)
		st.st_mode = S_IFREG | 0600;
	if (ino == BED_DISK) {
		st.st_mode = S_IFREG | 0644; /* writable, so that a write is seen here */
		st.st_size = (off_t)bed->size_bytes;
		st.st_blocks = 8;
		st.st_blksize = 4096;
	}
	return st;
}

static void op_init(void *userdata, struct fuse_conn_info *conn)
{
	(void)userdata;
	conn->max_write = BED_REQUEST_MAX; /* sets the largest read too */
	conn->max_readahead = BED_REQUEST_MAX;
	conn->max_background = 256;
	conn->congestion_threshold = 256;
	conn->time_gran = 1;
}

static void op_lookup(fuse_req_t req, fuse_ino_t parent, const char *name)
{
	for (fuse_ino_t i = BED_DISK; parent == BED_ROOT && i < BED_NONE; i++) {
		struct fuse_entry_param entry = {.ino = i};

		if (strcmp(name, file_names[i]))
			continue;
		entry.attr = attributes(bed_of(req), i);
		fuse_reply_entry(req, &entry);
		return;
	}
	fuse_reply_err(req, ENOENT);
}

static void op_getattr(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *file)
{
	struct stat st = attributes(bed_of(req), ino);

	(void)file;
	fuse_reply_attr(req, &st, 0);
}

static void op_setattr(fuse_req_t req, fuse_ino_t ino, struct stat *wanted, int which,
	struct fuse_file_info *file)
{
	(void)wanted, (void)which;
	if (ino == BED_DISK) {
		bed_of(req)->stats.writes++;
		fuse_reply_err(req, EROFS);
		return;
	}
	op_getattr(req, ino, file); /* the shell truncates `ctl` before it writes */
}

static void op_readdir(fuse_req_t req, fuse_ino_t ino, size_t size, off_t off,
	struct fuse_file_info *file)
{
	char entries[1024];
	size_t room = size < sizeof entries ? size : sizeof entries, used = 0;

	(void)ino, (void)file;
	for (off_t i = off + BED_DISK; i < BED_NONE; i++) {
		struct stat st = attributes(bed_of(req), (fuse_ino_t)i);
		size_t n = fuse_add_direntry(req, entries + used, room - used, file_names[i], &st,
			i - BED_DISK + 1);

		if (n > room - used)
			break;
		used += n;
	}
	fuse_reply_buf(req, entries, used);
}

/* What a file that tells holds is made when it is opened, so that it does not move under a reader. */
static struct text *snapshot(const struct bed *bed, fuse_ino_t ino)
{
	struct text *t = mem_zalloc(1, sizeof *t);

	if (ino == BED_STATS)
		bed_stats_write(bed, t);
	else if (ino == BED_LOG)
		bed_log_write(bed, t);
	else if (ino == BED_TRUTH)
		truth_print(&bed->truth, t);
	return t;
}

static void op_open(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *file)
{
	struct bed *bed = bed_of(req);

	file->direct_io = 1;
	file->fh = 0;
	if (ino == BED_DISK)
		bed->stats.opens++;
	else if (ino != BED_CTL)
		file->fh = (uint64_t)(uintptr_t)snapshot(bed, ino);
	fuse_reply_open(req, file);
}

static struct text *snapshot_of(const struct fuse_file_info *file)
{
	return (struct text *)(uintptr_t)file->fh;
}

static void op_release(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *file)
{
	struct text *t = snapshot_of(file);

	(void)ino;
	if (t)
		text_release(t);
	free(t);
	fuse_reply_err(req, 0);
}

static struct bed_request *request_new(struct bed *bed)
{
	struct bed_request *r = bed->free;

	if (r) {
		bed->free = r->next_free;
		return r;
	}
	r = mem_zalloc(1, sizeof *r);
	r->data = mem_zalloc(1, BED_REQUEST_MAX);
	return r;
}

/* The model knows whole sectors; who reads the file itself may ask for any bytes. */
static void submit(struct bed *bed, fuse_req_t req, uint64_t offset, size_t length)
{
	struct bed_request *r = request_new(bed);
	uint64_t sector = bed->sector_bytes;
	uint64_t from = offset / sector * sector;
	uint64_t to = (offset + length + sector - 1) / sector * sector;

	if (r->skew != offset % sector)
		memset(r->data, 0, BED_REQUEST_MAX);
	r->skew = offset % sector;
	bed_fill(r->data, offset, length, bed->sector_bytes);
	r->fuse = req;
	r->offset = offset;
	r->reply_bytes = length;
	r->depth = ++bed->in_drive;
	if (r->depth > bed->stats.max_depth)
		bed->stats.max_depth = r->depth;
	r->model = (struct model_request){
		.offset = from,
		.length = (uint32_t)(to - from),
		.arrive_ns = bed->received_ns,
		.owner = r,
	};
	model_submit(bed->model, &r->model);
}

void bed_answer(struct bed *bed, uint64_t now_ns)
{
	struct model_request *m;

	while ((m = model_take(bed->model, now_ns))) {
		struct bed_request *r = m->owner;
		uint64_t reply_ns = bed_now_ns();

		if (m->error)
			fuse_reply_err(r->fuse, -m->error);
		else
			fuse_reply_buf(r->fuse, r->data, r->reply_bytes);
		bed->in_drive--;
		bed_record_add(bed, r, reply_ns);
		r->next_free = bed->free;
		bed->free = r;
	}
}

static void read_disk(fuse_req_t req, uint64_t offset, size_t length)
{
	struct bed *bed = bed_of(req);

	if (offset >= bed->size_bytes) {
		fuse_reply_buf(req, NULL, 0);
		return;
	}
	if (length > bed->size_bytes - offset)
		length = (size_t)(bed->size_bytes - offset);
	if (length > BED_REQUEST_MAX)
		fuse_reply_err(req, EINVAL); /* the kernel was told not to */
	else
		submit(bed, req, offset, length);
}

static void op_read(fuse_req_t req, fuse_ino_t ino, size_t size, off_t off,
	struct fuse_file_info *file)
{
	struct text *t = snapshot_of(file);
	size_t left;

	if (ino == BED_DISK) {
		read_disk(req, (uint64_t)off, size);
		return;
	}
	if (!t || (size_t)off >= t->length) {
		fuse_reply_buf(req, NULL, 0);
		return;
	}
	left = t->length - (size_t)off;
	fuse_reply_buf(req, text_chars(t) + off, left < size ? left : size);
}

static void op_write(fuse_req_t req, fuse_ino_t ino, const char *bytes, size_t size, off_t off,
	struct fuse_file_info *file)
{
	struct bed *bed = bed_of(req);
	char *lines = mem_zalloc(size + 1, 1), *rest = lines, *line;
	int bad = 0;

	(void)off, (void)file;
	memcpy(lines, bytes, size);
	if (ino == BED_DISK) {
		bed->stats.writes++;
		bed->stats.write_bytes += size;
		bad = -EROFS;
	}
	while (ino == BED_CTL && (line = strsep(&rest, "\n;")))
		if (bed_control(bed, line))
			bad = -EINVAL;
	free(lines);
	if (bad)
		fuse_reply_err(req, -bad);
	else
		fuse_reply_write(req, size);
}

static void op_fsync(fuse_req_t req, fuse_ino_t ino, int datasync, struct fuse_file_info *file)
{
	(void)datasync, (void)file;
	if (ino == BED_DISK)
		bed_of(req)->stats.flushes++;
	fuse_reply_err(req, 0);
}

/* close() of a descriptor, which asks nothing of the drive */
static void op_flush(fuse_req_t req, fuse_ino_t ino, struct fuse_file_info *file)
{
	(void)ino, (void)file;
	fuse_reply_err(req, 0);
}

static void op_fallocate(fuse_req_t req, fuse_ino_t ino, int mode, off_t off, off_t length,
	struct fuse_file_info *file)
{
	(void)mode, (void)off, (void)length, (void)file;
	if (ino == BED_DISK)
		bed_of(req)->stats.discards++;
	fuse_reply_err(req, EROFS);
}

const struct fuse_lowlevel_ops bed_fuse_ops = {
	.init = op_init,
	.lookup = op_lookup,
	.getattr = op_getattr,
	.setattr = op_setattr,
	.readdir = op_readdir,
	.open = op_open,
	.release = op_release,
	.read = op_read,
	.write = op_write,
	.fsync = op_fsync,
	.flush = op_flush,
	.fallocate = op_fallocate,
};
