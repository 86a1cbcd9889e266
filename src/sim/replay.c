/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The whole recording is held in memory and read forward, one record for each call. The first call
 * that is not the recorded one is remembered in words; from then on every run ends with -EPROTO.
 * Nothing in the file is trusted: every number is checked before it is used. */
#include "sim/replay.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "drive/trace_format.h"

#define FILE_BYTES_MAX (1u << 30)
#define TIME_NS_MAX (UINT64_C(1) << 62)
#define ERRNO_MAX 4095

struct replay {
	struct drive drive;
	unsigned char *bytes;
	size_t size, at;
	uint64_t records, requests; /* played so far */
	uint64_t time_ns, end_bytes, length; /* as the writer keeps them */
	uint64_t now_ns;  /* the latest time given out */
	bool cut_off;     /* why nothing more is played: the file */
	bool off;         /* nothing more is played: stopped, or missing says why */
	char missing[400];
	char read_method[32], queue_method[32];
};

static bool get_byte(struct replay *r, unsigned *byte)
{
	if (r->at >= r->size)
		return false;
	*byte = r->bytes[r->at++];
	return true;
}

static bool get_varint(struct replay *r, uint64_t *v)
{
	unsigned byte;

	*v = 0;
	for (unsigned shift = 0; shift < 64; shift += 7) {
		if (!get_byte(r, &byte))
			return false;
		if (shift == 63 && byte > 1)
			return false;
		*v |= (uint64_t)(byte & 0x7F) << shift;
		if (byte < 0x80)
			return true;
	}
	return false;
}

static bool get_difference(struct replay *r, uint64_t *v)
{
	uint64_t coded;

	if (!get_varint(r, &coded))
		return false;
	*v = (coded >> 1) ^ (coded & 1 ? UINT64_MAX : 0);
	return true;
}

static bool get_time(struct replay *r, uint64_t *ns)
{
	uint64_t difference;

	if (!get_difference(r, &difference))
		return false;
	r->time_ns += difference;
	*ns = r->time_ns;
	return r->time_ns > 0 && r->time_ns < TIME_NS_MAX;
}

static bool get_status(struct replay *r, int *status)
{
	uint64_t v;

	if (!get_varint(r, &v) || v > ERRNO_MAX)
		return false;
	*status = -(int)v;
	return true;
}

static bool get_string(struct replay *r, char *dst, size_t size)
{
	char raw[256];
	uint64_t n;

	if (!get_varint(r, &n) || n >= sizeof(raw) || n > r->size - r->at)
		return false;
	memcpy(raw, r->bytes + r->at, (size_t)n);
	raw[n] = 0;
	r->at += (size_t)n;
	text_copy_clean(dst, size, raw);
	return true;
}

static bool get_u32(struct replay *r, uint32_t min, uint32_t max, uint32_t *v)
{
	uint64_t wide;

	if (!get_varint(r, &wide) || wide < min || wide > max)
		return false;
	*v = (uint32_t)wide;
	return true;
}

static bool get_clock_error(struct replay *r, uint32_t simulated, double *ratio)
{
	uint64_t bits;

	*ratio = NAN;
	if (!(simulated & TRACE_CLOCK_ERROR))
		return true;
	if (!get_varint(r, &bits))
		return false;
	memcpy(ratio, &bits, sizeof(bits));
	return *ratio >= 0 && *ratio <= 1;
}

static bool power_of_two(uint32_t v)
{
	return v && !(v & (v - 1));
}

static bool get_info(struct replay *r, struct drive_info *info)
{
	uint32_t path = 0, rotating = 0, simulated = 0, power = 0;

	if (!get_string(r, info->name, sizeof(info->name)) || !get_varint(r, &info->size_bytes) ||
		!get_u32(r, 1, 1u << 20, &info->logical_block_bytes) ||
		!get_u32(r, info->logical_block_bytes, 1u << 30, &info->physical_block_bytes) ||
		!get_u32(r, 1, 1u << 20, &info->memory_align_bytes) ||
		!get_u32(r, 1, UINT32_MAX, &info->max_request_bytes) ||
		!get_u32(r, DRIVE_DIRECT, DRIVE_DIRECT_BELOW_CACHED, &path) ||
		!get_u32(r, ROTATING_UNKNOWN, ROTATING_YES, &rotating) ||
		!get_u32(r, 0, 1 | TRACE_CLOCK_ERROR, &simulated) ||
		!get_clock_error(r, simulated, &info->clock_error_ratio) ||
		!get_u32(r, 0, UINT32_MAX, &info->reported_rpm) ||
		!get_u32(r, POWER_UNKNOWN, POWER_ASLEEP, &power) ||
		!get_varint(r, &info->first_read_ns) ||
		!get_string(r, r->read_method, sizeof(r->read_method)) ||
		!get_string(r, r->queue_method, sizeof(r->queue_method)))
		return false;
	info->path = (enum drive_path)path;
	info->rotating = (enum drive_rotating)rotating;
	info->simulated = simulated & 1;
	info->power = (enum drive_power)power;
	info->read_method = r->read_method;
	info->queue_method = r->queue_method;
	return power_of_two(info->logical_block_bytes) && power_of_two(info->memory_align_bytes) &&
		info->size_bytes > 0 && info->size_bytes <= INT64_MAX &&
		info->size_bytes % info->logical_block_bytes == 0;
}

/* From here on nothing is played; the first reason stays. */
static int give_up(struct replay *r, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int give_up(struct replay *r, const char *format, ...)
{
	va_list ap;

	r->off = true;
	if (!r->missing[0]) {
		va_start(ap, format);
		vsnprintf(r->missing, sizeof(r->missing), format, ap);
		va_end(ap);
	}
	return -EPROTO;
}

static int cut_off(struct replay *r)
{
	r->cut_off = r->cut_off || !r->missing[0];
	return give_up(r, "the recording is cut off or damaged after %" PRIu64 " calls and %" PRIu64
		" requests", r->records, r->requests);
}

static const char *kind_name(unsigned kind)
{
	switch (kind) {
	case TRACE_NOW: return "a look at the clock";
	case TRACE_RUN: return "a batch of requests";
	case TRACE_WITNESS: return "a look at the counters";
	case TRACE_RESIDENT: return "a question about the page cache";
	default: return "something unknown";
	}
}

/* The next record must be of that kind. */
static bool begin(struct replay *r, unsigned kind)
{
	unsigned recorded;

	if (r->off)
		return false;
	if (!get_byte(r, &recorded)) {
		cut_off(r);
		return false;
	}
	if (recorded != kind) {
		give_up(r, "after request %" PRIu64 " the recording has %s, the plan asked for %s",
			r->requests, kind_name(recorded), kind_name(kind));
		return false;
	}
	r->records++;
	return true;
}

static uint64_t replay_now_ns(struct drive *d)
{
	struct replay *r = (struct replay *)d;
	uint64_t ns = 0;

	if (begin(r, TRACE_NOW)) {
		if (!get_time(r, &ns))
			cut_off(r);
		else if (ns > r->now_ns)
			r->now_ns = ns;
	}
	return r->now_ns;
}

/* What the file says was asked and answered. */
struct recorded_io {
	struct io io;
	bool content;
};

static bool get_answer(struct replay *r, unsigned flags, struct io *io)
{
	if ((flags & TRACE_IO_ERROR) && (!get_status(r, &io->error) || !io->error))
		return false;
	if (flags & TRACE_IO_TIMES)
		return get_time(r, &io->sent_ns) && get_time(r, &io->done_ns) &&
			io->done_ns >= io->sent_ns;
	return io->error == -ECANCELED;
}

static bool get_io(struct replay *r, struct recorded_io *rec)
{
	struct io *io = &rec->io;
	unsigned flags;
	uint64_t move;

	memset(rec, 0, sizeof(*rec));
	if (!get_byte(r, &flags) || (flags & ~TRACE_IO_ALL) || !get_difference(r, &move))
		return false;
	io->offset = r->end_bytes + move;
	if (!(flags & TRACE_IO_SAME_LENGTH) && (!get_varint(r, &r->length) ||
		r->length == 0 || r->length > DRIVE_LENGTH_MAX))
		return false;
	io->length = (uint32_t)r->length;
	if ((flags & TRACE_IO_NOT_BEFORE) && !get_time(r, &io->not_before_ns))
		return false;
	rec->content = flags & TRACE_IO_CONTENT;
	r->end_bytes = io->offset + io->length;
	return get_answer(r, flags, io);
}

static int differs(struct replay *r, const struct recorded_io *rec, const struct io *asked)
{
	if (rec->io.offset == asked->offset && rec->io.length == asked->length)
		return give_up(r,
			"request %" PRIu64 " of the recording, %" PRIu32 " bytes at byte %"
			PRIu64 ", was to be sent at another time or for another purpose than the "
			"plan asked", r->requests + 1, asked->length, asked->offset);
	return give_up(r, "request %" PRIu64 " of the recording reads %" PRIu32 " bytes at byte %"
		PRIu64 ", the plan asked for %" PRIu32 " bytes at byte %" PRIu64, r->requests + 1,
		rec->io.length, rec->io.offset, asked->length, asked->offset);
}

static bool same(const struct recorded_io *rec, const struct io *asked)
{
	return rec->io.offset == asked->offset && rec->io.length == asked->length &&
		rec->io.not_before_ns == asked->not_before_ns &&
		rec->content == (asked->data != NULL);
}

static int play_io(struct replay *r, struct io *io)
{
	struct recorded_io rec;

	if (!get_io(r, &rec))
		return cut_off(r);
	if (!same(&rec, io))
		return differs(r, &rec, io);
	io->error = rec.io.error;
	io->sent_ns = rec.io.sent_ns;
	io->done_ns = rec.io.done_ns;
	if (io->data)
		memset(io->data, 0, io->length);
	if (io->done_ns > r->now_ns)
		r->now_ns = io->done_ns;
	r->requests++;
	return 0;
}

static int play_batch(struct replay *r, struct batch *b)
{
	uint64_t n, depth, has_until, until_ns = 0;
	int status, recorded_status;

	if (!get_varint(r, &n) || !get_varint(r, &depth) || !get_varint(r, &has_until) ||
		has_until > 1 || (has_until && !get_time(r, &until_ns)) ||
		!get_status(r, &recorded_status))
		return cut_off(r);
	for (size_t i = 0; i < b->n && i < n; i++) {
		status = play_io(r, &b->ios[i]);
		if (status)
			return status;
	}
	if (n < b->n)
		return give_up(r,
			"the recording's batch ends after request %" PRIu64 ", the plan asked "
			"for one more: %" PRIu32 " bytes at byte %" PRIu64, r->requests,
			b->ios[n].length, b->ios[n].offset);
	if (n > b->n)
		return give_up(r, "the plan's batch ends after request %" PRIu64
			", the recording's goes on", r->requests);
	if (depth != b->depth || until_ns != b->until_ns)
		return give_up(r, "the batch that ends with request %" PRIu64 " was recorded with "
			"another depth or time limit than the plan asked", r->requests);
	return recorded_status;
}

static int replay_run(struct drive *d, struct batch *b)
{
	struct replay *r = (struct replay *)d;
	int status;

	if (!r->missing[0] && b->hook && b->hook->stop && *b->hook->stop)
		r->off = true;
	if (r->off)
		return r->missing[0] ? -EPROTO : -EINTR;
	if (!begin(r, TRACE_RUN))
		return -EPROTO;
	status = play_batch(r, b);
	if (b->hook && b->hook->tick)
		b->hook->tick(b->hook->arg, r->now_ns);
	return status;
}

static bool get_counters(struct replay *r, struct witness *w)
{
	uint64_t known;
	uint64_t *const counters[] = {&w->device_reads, &w->device_read_bytes, &w->device_writes,
		&w->device_written_bytes, &w->reader_user_ns, &w->reader_system_ns,
		&w->run_delay_ns, &w->steal_ns};

	if (!get_varint(r, &known) || known > UINT32_MAX)
		return false;
	w->known = (unsigned)known;
	for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++)
		if (!get_varint(r, counters[i]))
			return false;
	return true;
}

static int replay_witness(struct drive *d, struct witness *w)
{
	struct replay *r = (struct replay *)d;
	int status;

	if (!begin(r, TRACE_WITNESS))
		return -ENOTSUP;
	if (!get_status(r, &status) || (status == 0 && !get_counters(r, w))) {
		cut_off(r);
		memset(w, 0, sizeof(*w));
		return -ENOTSUP;
	}
	return status;
}

static int replay_resident(struct drive *d, uint64_t offset, uint64_t length, uint64_t *bytes)
{
	struct replay *r = (struct replay *)d;
	uint64_t recorded_offset, recorded_length, recorded_bytes;
	int status;

	*bytes = 0;
	if (!begin(r, TRACE_RESIDENT))
		return -ENOTSUP;
	if (!get_varint(r, &recorded_offset) || !get_varint(r, &recorded_length) ||
		!get_status(r, &status) || !get_varint(r, &recorded_bytes) ||
		recorded_bytes > recorded_length) {
		cut_off(r);
		return -ENOTSUP;
	}
	if (recorded_offset != offset || recorded_length != length) {
		give_up(r,
			"after request %" PRIu64 " the recording asks the page cache about %" PRIu64
			" bytes at byte %" PRIu64 ", the plan asked about %" PRIu64 " bytes at byte %"
			PRIu64, r->requests, recorded_length, recorded_offset, length, offset);
		return -ENOTSUP;
	}
	*bytes = recorded_bytes;
	return status;
}

static void replay_close(struct drive *d)
{
	free(((struct replay *)d)->bytes);
	free(d);
}

static const struct drive_ops replay_ops = {
	.now_ns = replay_now_ns,
	.run = replay_run,
	.witness = replay_witness,
	.resident = replay_resident,
	.close = replay_close,
};

static int read_file(struct replay *r, const char *file, struct err *e)
{
	FILE *f = fopen(file, "rb");
	size_t capacity = 0;
	int status = 0;

	if (!f)
		return err_set(e, -errno,
			"cannot open the recording %s: %s", file, strerror(errno));
	for (;;) {
		size_t n;

		if (r->size == capacity) {
			capacity = capacity ? 2 * capacity : 65536;
			r->bytes = mem_resize(r->bytes, capacity, 1);
		}
		errno = 0;
		n = fread(r->bytes + r->size, 1, capacity - r->size, f);
		r->size += n;
		if (n == 0 || r->size > FILE_BYTES_MAX)
			break;
	}
	if (ferror(f))
		status = err_set(e, errno ? -errno : -EIO, "cannot read the recording %s: %s", file,
			strerror(errno ? errno : EIO));
	else if (r->size > FILE_BYTES_MAX)
		status = err_set(e, -EFBIG, "the recording %s is larger than 1 GiB", file);
	fclose(f);
	return status;
}

static int read_header(struct replay *r, const char *file, unsigned plan_version, struct err *e)
{
	uint64_t version;

	if (r->size < TRACE_MAGIC_BYTES || memcmp(r->bytes, TRACE_MAGIC, TRACE_MAGIC_BYTES) != 0)
		return err_set(e, -EINVAL,
			"%s is not a recording made by platter probe --trace", file);
	r->at = TRACE_MAGIC_BYTES;
	if (!get_varint(r, &version))
		return err_set(e, -EINVAL,
			"the recording %s is cut off before its first record", file);
	if (version != plan_version)
		return err_set(e, -EPROTO, "the recording %s was made for plan version %" PRIu64
			", this platter has version %u and would ask other requests", file, version,
			plan_version);
	if (!get_info(r, &r->drive.info))
		return err_set(e, -EINVAL,
			"the recording %s is cut off or damaged before its first "
			"record", file);
	if (r->at == r->size)
		return err_set(e, -EINVAL, "the recording %s holds no record", file);
	return 0;
}

int replay_open(const char *file, unsigned plan_version, struct drive **drive, struct err *e)
{
	struct replay *r = mem_zalloc(1, sizeof(*r));
	int status = read_file(r, file, e);

	if (status == 0)
		status = read_header(r, file, plan_version, e);
	if (status) {
		replay_close(&r->drive);
		return status;
	}
	r->drive.ops = &replay_ops;
	r->now_ns = 1;
	*drive = &r->drive;
	return 0;
}

uint64_t replay_rest_bytes(const struct drive *replay)
{
	const struct replay *r = (const struct replay *)replay;

	return r->size - r->at;
}

bool replay_damaged(const struct drive *replay)
{
	return ((const struct replay *)replay)->cut_off;
}

const char *replay_missing(const struct drive *replay)
{
	return ((const struct replay *)replay)->missing;
}
