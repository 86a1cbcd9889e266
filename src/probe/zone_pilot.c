/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A window of the zones probe, and how large its chunks are: a pilot at the start of the region compares
 * doubling sizes up to what one command carries and takes the smallest that reads as fast as any. A
 * smaller one would measure the way of the requests, a larger one only takes longer. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "probe/zone_windows.h"
#include "stat/broken_line.h"
#include "stat/fit.h"
#include "stat/robust.h"

#define CHUNK_MIN     (16u << 10)
#define CHUNK_MAX     (1u << 20)
#define CHUNK_S       0.004  /* smallest chunk worth trying: less time is all overhead; */
#define CHUNK_TURN    0.083  /* of what turns, one with so much of a track: where a track ends is
                                known no better than a chunk */
#define LASTS         1.5
#define LASTS_TURN    0.15 /* turns */
#define CHUNK_LEAST   65536
#define PAUSE         1.5    /* turns */
#define SLIP          0.7
#define EARLY         4u /* one part in so many */
#define GAP_LEAST     0.012 /* turns, from one track to the next */
#define SKIP_MIN      3u     /* but no more than SKIP_S */
#define SKIP_S        0.025
#define TIMED_MIN     4u
#define TIMED_S       0.040
#define PILOT_ROUNDS  2u
#define PILOT_SIZES   16u
#define PILOT_PLACES  6u     /* some may be bad */
#define PILOT_SHARE   0.2    /* of the budget: no larger chunk is tried when so much is spent */
#define PILOT_S       0.050  /* timed, of each size and round */
#define SAME_RATE     0.01   /* of two sizes the smaller one is taken */

uint64_t zones_region(const struct zones *z)
{
	return z->s.scope->to_bytes - z->s.scope->from_bytes;
}

/* Keeps by how much the second half of the line's points took longer than the first, as a share. */
static void keep_change(struct zones *z, size_t used)
{
	size_t half = (used - 1) / 2;
	double early = (z->y[half] - z->y[0]) / (z->x[half] - z->x[0]);
	double late = (z->y[2 * half] - z->y[half]) / (z->x[2 * half] - z->x[half]);

	if (z->changes < CHANGES_MAX)
		z->change[z->changes++] = 2 * (late - early) / (late + early);
}

/* Takes out what no medium needs: steps of the line that are more than PAUSE turns above the usual one.
 * A lost turn stays, it is the drive's own, but is counted; where it came early, as on drives that only
 * then see that they are read in a row, the line begins behind it. Returns how many points are left. */
static size_t cut_pauses(struct zones *z, size_t used)
{
	double *step = z->room, usual, slip, cut = 0;
	size_t last = 0, early = 0;

	if (used < 2 * TIMED_MIN)
		return used;
	for (size_t i = 1; i < used; i++)
		step[i - 1] = z->y[i] - z->y[i - 1];
	stat_sort(step, used - 1);
	usual = stat_quantile_sorted(step, used - 1, 0.75);
	slip = fmax(SLIP * z->turn_s, usual);
	for (size_t i = 1; i < used; i++) {
		double d = z->y[i] - cut - z->y[i - 1];

		if (d > usual + PAUSE * z->turn_s)
			cut += d - stat_quantile_sorted(step, used - 1, 0.5);
		else if (d > usual + slip) {
			last = i;
			z->lost_turns++;
		}
		early = last && last <= used / EARLY ? last : early;
		z->y[i] -= cut;
	}
	z->slipped = last > early;
	if (early) {
		memmove(z->x, z->x + early, (used - early) * sizeof(*z->x));
		memmove(z->y, z->y + early, (used - early) * sizeof(*z->y));
	}
	return used - early;
}

/* Time per byte of the last n requests run: slope of completion against bytes, from the end of the
 * untimed ones on. NAN: too few, or one of them failed. */
static double slope(struct zones *z, size_t n)
{
	double bytes = 0;
	struct broken_line track;
	struct fit line;
	size_t used = 0;

	z->points_read = 0;
	z->in_track = NAN;
	for (size_t i = 0; i < n; i++) {
		const struct io *io = &z->s.ios[i];

		if (io->error == -ECANCELED || (used && io->length != z->chunk))
			break;
		if (io->error)
			return NAN;
		bytes += io->length;
		if (i + 1 < z->skip)
			continue;
		z->x[used] = bytes;
		z->y[used++] = (double)(io->done_ns - z->s.ios[0].done_ns) / 1e9;
	}
	used = cut_pauses(z, used);
	z->points_read = used;
	if (used < TIMED_MIN + 1 || fit_line(z->x, z->y, used, &line) || !(line.slope > 0))
		return NAN;
	if (!z->brief && !z->disturbed)
		keep_change(z, used);
	if (broken_line_fit(z->x, z->y, used, GAP_LEAST * z->turn_s, z->room, &track) == 0)
		z->in_track = track.slope;
	return line.slope;
}

/* Reads the untimed and then the timed chunks from offset, the last one cut by the end of the region. */
int zones_read_window(
	struct zones *z, uint64_t offset, size_t chunks, double limit_s, double *s_per_byte)
{
	uint64_t end = offset + (uint64_t)z->chunk * (chunks + z->skip);
	uint64_t until_ns = drive_now_ns(z->s.drive) + (uint64_t)(limit_s * 1e9);
	size_t n;
	struct watched sample = session_watch(&z->s);
	unsigned spoilers;
	int status;

	z->slipped = false;
	z->lost_turns = 0;
	status = session_stream(&z->s, offset,
		end < z->s.scope->to_bytes ? end : z->s.scope->to_bytes, z->chunk, until_ns, &n);
	spoilers = session_spoiled(&z->s, &sample);
	z->disturbed = spoilers != 0;
	z->by_others = spoilers & 1u << SPOILED_BY_OTHERS;
	*s_per_byte = slope(z, n);
	return status;
}

void zones_keep(struct zones *z, uint64_t offset, size_t chunks, double s_per_byte)
{
	if (isnan(s_per_byte)) {
		z->lost++;
		return;
	}
	z->slips += z->slipped;
	z->timed_s += s_per_byte * (double)chunks * z->chunk;
	if (z->brief && z->slipped) {
		z->pauses++;
		z->paused_s += z->turn_s;
		z->paused_s_squared += z->turn_s * z->turn_s;
	}
	z->map.windows[z->map.n++] = (struct zone_window){
		.middle = (double)offset + ((double)z->skip + (double)chunks / 2) * z->chunk,
		.length = (double)chunks * z->chunk,
		.s_per_byte = s_per_byte,
		.in_track = z->in_track,
		.brief = z->brief,
		.disturbed = z->disturbed,
		.by_others = z->by_others,
		.offset = offset,
		.chunks = chunks,
	};
}

/* That chunk from now on, and how many of them a window has where one takes chunk * s_per_byte. */
static void set_chunk(struct zones *z, uint32_t chunk, double s_per_byte)
{
	double chunk_s = chunk * s_per_byte;

	z->chunk = chunk;
	z->skip = (size_t)fmin(fmax(ceil(SKIP_S / chunk_s), SKIP_MIN), CHUNKS_SKIP);
	z->least = (size_t)fmin(fmax(ceil(TIMED_S / chunk_s), TIMED_MIN), CHUNKS_MIN);
}

struct sizes {
	uint32_t bytes[PILOT_SIZES]; /* ascending, the last one is what one command carries */
	double sum[PILOT_SIZES];     /* of times per byte */
	size_t rounds[PILOT_SIZES];
	size_t n;
	uint64_t place; /* where the next window goes */
};

/* Doubling from least up to most, and most itself. */
static void list_sizes(struct sizes *sizes, uint32_t least, uint32_t most)
{
	uint64_t size = least;

	sizes->n = 0;
	for (; size < most && sizes->n < PILOT_SIZES - 1; size *= 2)
		sizes->bytes[sizes->n++] = (uint32_t)size;
	sizes->bytes[sizes->n++] = most > least ? most : least;
}

/* A window with chunks of that size, at most PILOT_PLACES until one can be read. near: time per byte as
 * far as it is known. *s_per_byte NAN: none could. */
static int try_size(
	struct zones *z, struct sizes *sizes, uint32_t chunk, double near, double *s_per_byte)
{
	const struct scope *scope = z->s.scope;
	int status = 0;

	set_chunk(z, chunk, near);
	*s_per_byte = NAN;
	for (unsigned i = 0; i < PILOT_PLACES && isnan(*s_per_byte) && status == 0; i++) {
		size_t chunks = (size_t)fmax(ceil(PILOT_S / (near * chunk)), (double)z->least);
		uint64_t length;

		if (chunks > CHUNKS_MAX - CHUNKS_SKIP)
			chunks = CHUNKS_MAX - CHUNKS_SKIP;
		length = (uint64_t)chunk * (chunks + z->skip);
		if (sizes->place > scope->to_bytes || scope->to_bytes - sizes->place < length)
			sizes->place = scope->from_bytes;
		status = zones_read_window(z, sizes->place, chunks, 2.0 + 4 * (double)length * near, s_per_byte);
		sizes->place += length + session_gap(&z->s);
	}
	return status;
}

/* Fills the times of sizes that budget and region have room for. */
static int try_sizes(struct zones *z, struct sizes *sizes)
{
	double spend_ns = (double)z->s.scope->budget_ns * PILOT_SHARE;

	for (unsigned round = 0; round < PILOT_ROUNDS; round++) {
		double near = z->pilot_s_per_byte;

		for (size_t i = 0; i < sizes->n; i++) {
			double window_ns = (SKIP_MIN + TIMED_MIN) * (double)sizes->bytes[i] * near * 1e9;
			double s_per_byte;
			int status;

			if (i > 0 && (double)session_elapsed_ns(&z->s) + window_ns > spend_ns)
				break;
			status = try_size(z, sizes, sizes->bytes[i], near, &s_per_byte);
			if (status)
				return status;
			if (isnan(s_per_byte))
				continue;
			sizes->sum[i] += s_per_byte;
			sizes->rounds[i]++;
			near = s_per_byte;
		}
		if ((double)session_elapsed_ns(&z->s) * 2 > spend_ns)
			break;
	}
	return 0;
}

/* The smallest size that reads within SAME_RATE of the best. */
static void choose_size(struct zones *z, const struct sizes *sizes)
{
	double best = INFINITY;

	for (size_t i = 0; i < sizes->n; i++)
		if (sizes->rounds[i])
			best = fmin(best, sizes->sum[i] / (double)sizes->rounds[i]);
	for (size_t i = 0; i < sizes->n; i++) {
		double s_per_byte = sizes->sum[i] / (double)sizes->rounds[i];

		if (!sizes->rounds[i] || s_per_byte * (1 - SAME_RATE) > best)
			continue;
		z->pilot_s_per_byte = s_per_byte;
		set_chunk(z, sizes->bytes[i], s_per_byte);
		return;
	}
}

/* Smallest and largest chunk to try: whole blocks, at most what one command carries and what lets the
 * region hold some windows. */
static void chunk_limits(const struct zones *z, uint32_t *least, uint32_t *most)
{
	const struct drive_info *info = &z->s.drive->info;
	uint32_t block = info->logical_block_bytes;
	double room = (double)zones_region(z) / (4 * (CHUNKS_MIN + CHUNKS_SKIP));

	*least = block > CHUNK_MIN ? block : CHUNK_MIN;
	while (*least / 2 >= block && *least > room)
		*least /= 2;
	*least -= *least % block;
	*most = (uint32_t)fmin(fmin(room, CHUNK_MAX), info->max_request_bytes);
	*most -= *most % block;
	if (*most < *least)
		*most = *least;
}

bool zones_double_chunk(struct zones *z)
{
	uint32_t least, most;

	chunk_limits(z, &least, &most);
	if (z->chunk > most / 2)
		return false;
	set_chunk(z, 2 * z->chunk, z->pilot_s_per_byte);
	return true;
}

/* What has to last longer on the medium than command and transfer take beside it, where both are known,
 * and CHUNK_LEAST where tracks are long enough. */
static double least_chunk(const struct zones *z, double s_per_byte)
{
	double track_part = LASTS_TURN * z->turn_s / s_per_byte, rule;
	double command_s = doc_value(z->s.doc, "overhead.command_s");
	double transfer = 1 / doc_value(z->s.doc, "overhead.interface_bytes_per_s");

	if (!(s_per_byte > transfer) || !(command_s > 0))
		rule = 0;
	else
		rule = LASTS * command_s / (s_per_byte - transfer);
	return z->turns ? fmin(fmax(rule, CHUNK_LEAST), track_part) : 0;
}

/* The chunk: what no larger one reads faster than, since a request at a time is cost, too, which is
 * not the drive's. */
int zones_pilot(struct zones *z)
{
	struct sizes sizes = {.place = z->s.scope->from_bytes};
	double chunk_s = z->turns ? CHUNK_TURN * z->turn_s : CHUNK_S;
	uint32_t least, most, first;
	double s_per_byte;
	int status;

	chunk_limits(z, &least, &most);
	first = fmin(most, CHUNK_LEAST) > least ? (uint32_t)fmin(most, CHUNK_LEAST) : least;
	first -= first % z->s.drive->info.logical_block_bytes;
	status = try_size(z, &sizes, first, 1e-8, &s_per_byte);
	if (status || isnan(s_per_byte))
		return status;
	z->pilot_s_per_byte = s_per_byte;
	while (least * 2.0 <= fmin(most, chunk_s / s_per_byte))
		least *= 2;
	while (least < least_chunk(z, s_per_byte) && least * 2.0 <= most)
		least *= 2;
	list_sizes(&sizes, least, most);
	set_chunk(z, least, s_per_byte);
	status = try_sizes(z, &sizes);
	if (status)
		return status;
	choose_size(z, &sizes);
	z->changes = 0; /* those of other chunks */
	return 0;
}
