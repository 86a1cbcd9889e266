/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The platter's angle is time over the time of a turn; a place passes under its head whenever the
 * fraction of its turns (sim/disk_geometry.h) is that angle. A read from the medium begins a
 * stream, which goes on until it has read ahead enough or something else has to be fetched; what a
 * stream has read becomes a segment of the cache. */
#include "sim/disk_model.h"

#include <math.h>

#include "base/rng.h"
#include "sim/model.h"

void disk_init(struct disk *d, const struct truth *t, uint64_t seed, struct rng *rng)
{
	uint64_t segment = 0;

	*d = (struct disk){.truth = t, .rng = rng};
	disk_geometry_init(&d->geometry, &d->seek, t, seed);
	disk_spindle_init(&d->spindle, t, d->geometry.turn_ns, seed);
	d->caches = t->cache_segments > 0;
	d->is_smr = t->kind == TRUTH_SMR;
	if (d->caches)
		segment = t->cache_bytes / t->cache_segments / t->physical_block_bytes;
	d->readahead = t->readahead_bytes / t->physical_block_bytes;
	if (d->readahead > segment)
		d->readahead = segment;
	/* one segment is the stream's */
	disk_cache_init(&d->cache, d->caches ? t->cache_segments - 1 : 0, segment);
	if (d->is_smr)
		smr_map_init(&d->smr, t);
}

void disk_release(struct disk *d)
{
	disk_cache_release(&d->cache);
}

/* When the stream has come to `turns`. */
static double stream_time(const struct disk *d, double turns)
{
	const struct disk_stream *s = &d->stream;
	double more = turns > s->reread_turns ? 1 : 0;

	return disk_spindle_after(&d->spindle, s->begin_ns, turns - s->turns + more);
}

/* The turns the stream has come to at t_ns, which is after its beginning. */
static double stream_turns(const struct disk *d, double t_ns)
{
	const struct disk_stream *s = &d->stream;
	double turns = s->turns + disk_spindle_between(&d->spindle, s->begin_ns, t_ns);

	return turns > s->reread_turns ? fmax(s->reread_turns, turns - 1) : turns;
}

/* First sector the stream has not read at t_ns. */
static uint64_t stream_at(const struct disk *d, double t_ns)
{
	const struct disk_stream *s = &d->stream;
	uint64_t at;

	if (t_ns <= s->begin_ns)
		return s->base;
	at = disk_sector_at(&d->geometry, stream_turns(d, t_ns));
	if (at > s->stop)
		return s->stop;
	if (at < s->have)
		return s->have;
	return at < s->base ? s->base : at;
}

/* When a command that comes at t_ns is obeyed: at once, or when the stream that may not be broken
 * off has come to the end of its track. */
static double obeyed_ns(const struct disk *d, double t_ns)
{
	const struct disk_stream *s = &d->stream;
	struct disk_place p;
	uint64_t at, end;

	if (!s->active || d->truth->readahead_stop != TRUTH_STOP_TRACK || t_ns <= s->begin_ns)
		return t_ns;
	at = stream_at(d, t_ns);
	if (at >= s->stop)
		return t_ns;
	p = disk_locate(&d->geometry, at);
	if (!p.sector && stream_turns(d, t_ns) < p.turns)
		return t_ns; /* between two tracks */
	end = at - p.sector + p.spt;
	if (end > s->stop)
		end = s->stop;
	return fmax(t_ns, stream_time(d, disk_turns_end(&d->geometry, end)));
}

static void draw_reread(struct disk *d)
{
	double share = d->truth->reread_share;

	d->stream.reread_turns = share > 0 ?
		d->stream.turns + rng_exponential(d->rng) / share : INFINITY;
}

/* The stream goes on from sector `base`, whose start passes at begin_ns. */
static void stream_begin(struct disk *d, uint64_t base, double turns, double begin_ns)
{
	d->stream.base = base;
	d->stream.turns = turns;
	d->stream.begin_ns = begin_ns;
	draw_reread(d);
}

static uint64_t limit(const struct disk *d, uint64_t to)
{
	uint64_t stop = to + d->readahead;

	return stop < d->geometry.sectors ? stop : d->geometry.sectors;
}

/* What the re-read of a stream has cost is behind it once `turns` are read. */
static void pass_reread(struct disk *d, double turns)
{
	while (turns > d->stream.reread_turns) {
		double at = d->stream.reread_turns;

		stream_begin(d, disk_sector_at(&d->geometry, at), at,
			disk_spindle_after(&d->spindle, stream_time(d, at), 1));
	}
}

/* A request that begins in the stream, or closely before where it is. */
static double stream_read(struct disk *d, double t_ns, uint64_t to, unsigned *how)
{
	struct disk_stream *s = &d->stream;
	double end = disk_turns_end(&d->geometry, to), ready = t_ns;
	uint64_t stop = limit(d, to), segment = d->cache.capacity;
	bool running = t_ns < stream_time(d, disk_turns_end(&d->geometry, s->stop));

	*how |= to <= stream_at(d, t_ns) ? MODEL_HIT : MODEL_STREAM;
	if (!running && (to > s->stop ||
			(s->stop < d->geometry.sectors && s->stop - to < d->readahead / 4 * 3))) {
		double turns = disk_locate(&d->geometry, s->stop).turns;

		stream_begin(d, s->stop, turns, t_ns + disk_spindle_wait_ns(&d->spindle, turns, t_ns));
		running = true;
		if (to <= s->stop)
			end = -1; /* there already */
	}
	if (stop > s->stop && running)
		s->stop = stop;
	if (running && end >= 0) {
		ready = fmax(t_ns, stream_time(d, end));
		pass_reread(d, end);
	}
	if (s->stop - s->start > segment)
		s->start = s->stop - segment;
	return ready;
}

void disk_stop_stream(struct disk *d, double t_ns)
{
	struct disk_stream *s = &d->stream;
	struct disk_place p;
	uint64_t at;

	if (!s->active)
		return;
	at = stream_at(d, t_ns);
	p = disk_locate(&d->geometry, at ? at - 1 : 0);
	disk_cache_put(&d->cache, s->start, at);
	d->cylinder = p.cylinder;
	d->head = p.head;
	s->active = false;
}

static double move_ns(const struct disk *d, uint64_t cylinder, unsigned head,
	const struct disk_place *to)
{
	double seek = disk_seek_move_ns(&d->seek, cylinder, to->cylinder);

	return to->head != head ? fmax(seek, d->truth->head_switch_s * 1e9) : seek;
}

/* A move as it happens once: with noise, now and then settling twice. */
static double move_once_ns(struct disk *d, double move, unsigned *how)
{
	double noise;

	if (move <= 0)
		return 0;
	noise = rng_normal(d->rng);
	noise = fmin(fmax(noise, -3), 3) * d->truth->settle_noise_s * 1e9;
	if (d->truth->seek_retry_share > 0 && rng_uniform(d->rng) < d->truth->seek_retry_share) {
		*how |= MODEL_RETRY;
		move += d->truth->seek_retry_s * 1e9;
	}
	return fmax(move + noise, 0);
}

/* Turns at which the last sector of [from, to) is read that begins at p and whose start passes
 * wait_turns after the head is there: its end, but where the head came down inside a request on
 * one track it has the rest already when it is back there. */
static double last_turns(const struct disk *d, const struct disk_place *p, uint64_t from,
	uint64_t to, double wait_turns)
{
	double passed = (1 - wait_turns) * p->spt;

	if (!d->truth->zero_latency || to - from > p->spt - p->sector ||
		passed >= (double)(to - from))
		return disk_turns_end(&d->geometry, to);
	return p->turns + (floor(passed) + 1) / p->spt;
}

/* From the medium: move there, wait for it, read it, go on. */
static double medium_read(struct disk *d, double t_ns, uint64_t from, uint64_t to,
	double more_turns, unsigned *how)
{
	struct disk_place p = disk_locate(&d->geometry, from);
	struct disk_stream *s = &d->stream;
	double there, wait, begin, last, ready;

	*how |= MODEL_MISS;
	t_ns = obeyed_ns(d, t_ns);
	disk_stop_stream(d, t_ns);
	there = t_ns + move_once_ns(d, move_ns(d, d->cylinder, d->head, &p), how);
	wait = disk_spindle_wait_ns(&d->spindle, p.turns, there);
	if (d->truth->reread_share > 0 && rng_uniform(d->rng) < d->truth->reread_share) {
		*how |= MODEL_RETRY;
		more_turns += 1;
	}
	begin = disk_spindle_after(&d->spindle, there + wait, more_turns);
	last = last_turns(d, &p, from, to, wait / d->geometry.turn_ns);
	stream_begin(d, from, p.turns, begin);
	ready = stream_time(d, last);
	pass_reread(d, last);
	s->start = from;
	s->have = to;
	if (d->truth->read_on_arrival) {
		uint64_t passed = (uint64_t)(wait / d->geometry.turn_ns * p.spt);

		s->start -= passed < p.sector ? passed : p.sector;
	}
	s->stop = limit(d, to);
	s->active = d->caches;
	if (!d->caches) {
		p = disk_locate(&d->geometry, to - 1);
		d->cylinder = p.cylinder;
		d->head = p.head;
	}
	if (s->stop - s->start > d->cache.capacity && d->caches)
		s->start = s->stop - d->cache.capacity;
	return ready;
}

/* Whether the stream will come to `from` sooner than the arm could. */
static bool in_stream(const struct disk *d, double t_ns, uint64_t from)
{
	const struct disk_stream *s = &d->stream;
	uint64_t at;

	if (!s->active || from < s->start || from > s->stop)
		return false;
	at = stream_at(d, t_ns);
	return from <= at + disk_locate(&d->geometry, at ? at - 1 : 0).spt / 2;
}

static double range_read(struct disk *d, double t_ns, uint64_t from, uint64_t to,
	double more_turns, unsigned *how)
{
	int place = disk_cache_find(&d->cache, from, to);
	double ready;

	if (place >= 0 && more_turns <= 0) {
		*how |= MODEL_HIT;
		disk_cache_use(&d->cache, place);
		return t_ns;
	}
	if (more_turns <= 0 && in_stream(d, t_ns, from))
		ready = stream_read(d, t_ns, to, how);
	else
		ready = medium_read(d, t_ns, from, to, more_turns, how);
	if (ready > d->free_ns)
		d->free_ns = ready;
	return ready;
}

double disk_read(struct disk *d, double t_ns, uint64_t from, uint64_t to, double more_ns,
	double more_turns, unsigned *how)
{
	double ready = t_ns;

	if (!d->is_smr)
		ready = range_read(d, t_ns, from, to, more_turns, how);
	while (d->is_smr && from < to) {
		struct smr_piece p = smr_map_first(&d->smr, from, to);

		if (p.where == SMR_UNMAPPED)
			*how |= MODEL_UNMAPPED;
		else
			ready = range_read(d, ready, p.at, p.at + p.n, more_turns, how);
		from += p.n;
	}
	if (more_ns > 0) {
		ready += more_ns;
		d->free_ns = fmax(d->free_ns, ready);
	}
	return ready;
}

double disk_cost_ns(const struct disk *d, double t_ns, uint64_t from, uint64_t to)
{
	struct disk_place p;
	uint64_t cylinder = d->cylinder;
	unsigned head = d->head;
	double move, asked_ns = t_ns;

	if (d->is_smr) {
		struct smr_piece s = smr_map_first(&d->smr, from, to);

		if (s.where == SMR_UNMAPPED)
			return 0;
		from = s.at;
		to = s.at + s.n;
	}
	if (disk_cache_find(&d->cache, from, to) >= 0 || in_stream(d, t_ns, from))
		return 0;
	if (d->stream.active) {
		uint64_t at;

		t_ns = obeyed_ns(d, t_ns);
		at = stream_at(d, t_ns);
		p = disk_locate(&d->geometry, at ? at - 1 : 0);
		cylinder = p.cylinder;
		head = p.head;
	}
	p = disk_locate(&d->geometry, from);
	move = move_ns(d, cylinder, head, &p);
	move += t_ns - asked_ns;
	return move + disk_spindle_wait_ns(&d->spindle, p.turns, asked_ns + move);
}
