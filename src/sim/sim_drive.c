/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A batch is carried out by going from event to event: a read is issued when a place is free and
 * its time has come, the model answers it, and somewhat later the host has seen the answer.
 * Nothing takes time but what the model and the host's delays say. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "sim/model.h"
#include "sim/sim_inside.h"

enum { STREAM_HOST = 21, STREAM_CLOCK = 23 };
#define START_NS      1000000000u /* a clock is never 0 */
#define TICK_NS       100000000u
#define SUBMIT_PART   0.4 /* of the host's delay, before the drive has the command */
#define FOREIGN_BYTES 4096u
#define STEAL_TICK_NS 10000000u /* kernels count stolen time in hundredths of a second */

struct slot {
	struct model_request request; /* first: what the model gives back */
	struct io *io;                /* NULL: somebody else's read */
	uint64_t sent_ns;
	uint64_t seen_ns;             /* when the host has the answer */
	struct slot *next;
};

struct sim_drive {
	struct drive drive;
	struct truth truth;
	struct model *model;
	struct rng rng;
	double clock_error; /* the host's clock gains this on the drive's time */
	uint64_t now_ns, last_arrive_ns, tick_ns; /* the drive's own, true time */
	struct slot *unused; /* slots for further reads */
	struct slot *seen;   /* answered, not yet seen by the host; by seen_ns */
	unsigned in_flight;  /* own reads */
	unsigned foreign;    /* reads of others the model holds */
	bool lost;           /* a read was never answered */
	struct witness witness;
};

static struct sim_drive *sim_of(struct drive *d)
{
	return (struct sim_drive *)(void *)d;
}

/* What the host's clock shows at a true time. */
static uint64_t shown_ns(const struct sim_drive *s, uint64_t true_ns)
{
	if (s->clock_error == 0 || true_ns <= START_NS)
		return true_ns;
	return START_NS + (uint64_t)((double)(true_ns - START_NS) * (1 + s->clock_error));
}

/* The first true time at which the host's clock shows that. */
static uint64_t true_ns(const struct sim_drive *s, uint64_t shown)
{
	uint64_t ns;

	if (s->clock_error == 0 || shown <= START_NS)
		return shown;
	ns = START_NS + (uint64_t)((double)(shown - START_NS) / (1 + s->clock_error));
	while (shown_ns(s, ns) < shown)
		ns++;
	return ns;
}

static uint64_t sim_now_ns(struct drive *d)
{
	return shown_ns(sim_of(d), sim_of(d)->now_ns);
}

static struct slot *slot_take(struct sim_drive *s)
{
	struct slot *x = s->unused;

	if (!x)
		return mem_zalloc(1, sizeof(*x));
	s->unused = x->next;
	return x;
}

static void slot_free(struct sim_drive *s, struct slot *x)
{
	x->next = s->unused;
	s->unused = x;
}

static void slot_submit(struct sim_drive *s, struct io *io, uint64_t offset, uint32_t length)
{
	struct slot *x = slot_take(s);

	x->io = io;
	x->sent_ns = s->now_ns;
	x->request.offset = offset;
	x->request.length = length;
	x->request.arrive_ns = s->last_arrive_ns;
	model_submit(s->model, &x->request);
}

/* Somebody else's reads come in between ours. */
static void submit_foreign(struct sim_drive *s)
{
	double share = s->truth.foreign_share, due = share / (1 - share);
	uint32_t block = s->drive.info.logical_block_bytes;
	uint32_t length = block > FOREIGN_BYTES ? block : FOREIGN_BYTES;

	if (length > s->truth.size_bytes)
		length = block;
	for (; due > 0 && rng_uniform(&s->rng) < due; due -= 1) {
		uint64_t places = (s->truth.size_bytes - length) / block + 1;

		s->foreign++;
		slot_submit(s, NULL, rng_below(&s->rng, places) * block, length);
	}
}

static void issue(struct sim_drive *s, struct io *io)
{
	const struct truth *t = &s->truth;
	uint64_t arrive = s->now_ns + (uint64_t)(t->host_delay_s * SUBMIT_PART * 1e9);

	if (arrive > s->last_arrive_ns)
		s->last_arrive_ns = arrive;
	if (t->foreign_share > 0)
		submit_foreign(s);
	io->sent_ns = shown_ns(s, s->now_ns);
	s->in_flight++;
	s->witness.reader_user_ns += (uint64_t)(t->host_user_s * 1e9);
	s->witness.reader_system_ns += (uint64_t)(t->host_system_s * 1e9 +
		t->host_system_s_per_mb * io->length * 1e3);
	slot_submit(s, io, io->offset, io->length);
}

/* With that share, an exponential time of that mean, counted in *counter. */
static double taken_s(struct sim_drive *s, double share, double mean_s, uint64_t *counter)
{
	double taken;

	if (share == 0 || rng_uniform(&s->rng) >= share)
		return 0;
	taken = mean_s * rng_exponential(&s->rng);
	*counter += (uint64_t)(taken * 1e9);
	return taken;
}

/* From the drive's answer to the reader's eyes. */
static uint64_t host_delay_ns(struct sim_drive *s)
{
	const struct truth *t = &s->truth;
	double delay = t->host_delay_s * (1 - SUBMIT_PART);

	if (t->host_jitter_s > 0)
		delay += t->host_jitter_s * rng_exponential(&s->rng);
	if (t->host_outlier_share > 0 && rng_uniform(&s->rng) < t->host_outlier_share)
		delay += t->host_outlier_s;
	delay += taken_s(s, t->run_delay_share, t->run_delay_s, &s->witness.run_delay_ns);
	delay += taken_s(s, t->steal_share, t->steal_s, &s->witness.steal_ns);
	return (uint64_t)(delay * 1e9);
}

static void model_answered(struct sim_drive *s, struct slot *x)
{
	struct slot **at = &s->seen;

	/* as a kernel does it: when a read ends */
	s->witness.device_reads++;
	s->witness.device_read_bytes += x->request.length;
	if (!x->io) {
		s->foreign--;
		slot_free(s, x);
		return;
	}
	x->seen_ns = x->request.done_ns + host_delay_ns(s);
	while (*at && (*at)->seen_ns <= x->seen_ns)
		at = &(*at)->next;
	x->next = *at;
	*at = x;
}

static uint64_t next_event_ns(struct sim_drive *s)
{
	uint64_t model = model_next_ns(s->model);

	return s->seen && s->seen->seen_ns <= model ? s->seen->seen_ns : model;
}

/* The host sees the first answer. 0, or why the drive cannot go on. */
static int see(struct sim_drive *s)
{
	struct slot *x = s->seen;
	struct io *io = x->io;
	int error = x->request.error;
	bool gone = x->request.how & MODEL_GONE && error == -ENODEV;

	s->seen = x->next;
	s->in_flight--;
	slot_free(s, x);
	if (x->seen_ns - x->sent_ns > SIM_ANSWER_LIMIT_NS) {
		if (x->sent_ns + SIM_ANSWER_LIMIT_NS > s->now_ns)
			s->now_ns = x->sent_ns + SIM_ANSWER_LIMIT_NS;
		s->lost = true;
		return -ETIME;
	}
	if (x->seen_ns > s->now_ns)
		s->now_ns = x->seen_ns;
	if (gone)
		return -ENODEV;
	io->done_ns = shown_ns(s, s->now_ns);
	io->error = error;
	if (!error && io->data)
		sim_content(&s->drive.info, io->offset, io->length, io->data);
	return 0;
}

/* Lets happen what happens next. */
static int step(struct sim_drive *s)
{
	uint64_t model = model_next_ns(s->model);
	struct model_request *r;

	if (s->seen && s->seen->seen_ns <= model)
		return see(s);
	r = model_take(s->model, model);
	if (r)
		model_answered(s, (struct slot *)(void *)r);
	return 0;
}

/* The drive is lost: nobody waits for what it still holds. */
static void abandon(struct sim_drive *s)
{
	while (s->seen) {
		struct slot *x = s->seen;

		s->seen = x->next;
		slot_free(s, x);
	}
	for (uint64_t t; (t = model_next_ns(s->model)) != UINT64_MAX;) {
		struct model_request *r = model_take(s->model, t);

		if (r)
			slot_free(s, (struct slot *)(void *)r);
	}
	s->in_flight = 0;
	s->foreign = 0;
}

/* Issues what can be issued now. True when nothing more is to be issued. */
static bool issue_due(struct sim_drive *s, struct batch *b, size_t *next, int *status)
{
	const struct batch_hook *hook = b->hook;

	while (*next < b->n && s->in_flight < b->depth) {
		struct io *io = &b->ios[*next];
		uint64_t due = true_ns(s, io->not_before_ns);
		uint64_t at = due > s->now_ns ? due : s->now_ns;

		if (hook && hook->stop && *hook->stop) {
			*status = -EINTR;
			return true;
		}
		if (at > s->now_ns && s->in_flight && next_event_ns(s) <= at)
			return false;
		if (b->until_ns && shown_ns(s, at) >= b->until_ns)
			return true;
		s->now_ns = at;
		issue(s, io);
		++*next;
	}
	return *next >= b->n;
}

static void tick(struct sim_drive *s, const struct batch *b)
{
	if (!b->hook || !b->hook->tick || s->now_ns < s->tick_ns)
		return;
	s->tick_ns = s->now_ns + TICK_NS;
	b->hook->tick(b->hook->arg, shown_ns(s, s->now_ns));
}

static int sim_run(struct drive *d, struct batch *b)
{
	struct sim_drive *s = sim_of(d);
	size_t next = 0;
	int status = 0, failed = 0;
	bool ended = false;

	if (s->lost)
		return -ETIME;
	for (;;) {
		if (!ended)
			ended = issue_due(s, b, &next, &status);
		if (!s->in_flight)
			break;
		failed = step(s);
		if (failed) {
			abandon(s);
			return failed;
		}
		tick(s, b);
	}
	return status;
}

static int sim_witness(struct drive *d, struct witness *w)
{
	const struct sim_drive *s = sim_of(d);

	if (!s->truth.counters)
		return -ENOTSUP;
	*w = s->witness;
	w->steal_ns -= w->steal_ns % STEAL_TICK_NS;
	w->known = WITNESS_DEVICE | WITNESS_CPU | WITNESS_RUN_DELAY | WITNESS_STEAL;
	return 0;
}

static void sim_close(struct drive *d)
{
	struct sim_drive *s = sim_of(d);

	abandon(s);
	model_close(s->model);
	while (s->unused) {
		struct slot *x = s->unused;

		s->unused = x->next;
		free(x);
	}
	free(s);
}

static const struct drive_ops SIM_OPS = {
	.now_ns = sim_now_ns,
	.run = sim_run,
	.witness = sim_witness,
	.close = sim_close,
};

static enum drive_rotating rotating(const struct truth *t)
{
	switch (truth_rotating(t)) {
	case TRUTH_ROTATING_YES: return ROTATING_YES;
	case TRUTH_ROTATING_NO: return ROTATING_NO;
	default: return ROTATING_UNKNOWN;
	}
}

struct drive *sim_drive_open(const struct truth *t, uint64_t seed, const char *name)
{
	struct sim_drive *s = mem_zalloc(1, sizeof(*s));
	struct drive_info *info = &s->drive.info;

	s->drive.ops = &SIM_OPS;
	s->truth = *t;
	s->model = model_open(t, seed);
	rng_init(&s->rng, seed, STREAM_HOST);
	s->now_ns = START_NS;
	if (t->clock_error_ppm > 0) {
		struct rng clock;

		rng_init(&clock, seed, STREAM_CLOCK);
		s->clock_error = t->clock_error_ppm * 1e-6 * (2 * rng_uniform(&clock) - 1);
	}
	snprintf(info->name, sizeof(info->name), "%s", name);
	info->size_bytes = t->size_bytes;
	info->logical_block_bytes = (uint32_t)t->logical_block_bytes;
	info->physical_block_bytes = (uint32_t)t->physical_block_bytes;
	info->memory_align_bytes = 512;
	info->max_request_bytes = (uint32_t)t->max_request_bytes;
	info->path = DRIVE_DIRECT;
	info->rotating = rotating(t);
	info->reported_rpm = truth_reported_rpm(t);
	info->power = truth_asleep(t) ? POWER_ASLEEP : POWER_AWAKE;
	info->simulated = true;
	info->clock_error_ratio = t->clock_error_ppm * 1e-6;
	info->read_method = "model";
	info->queue_method = "model";
	return &s->drive;
}

void sim_drive_pass(struct drive *direct, uint64_t ns, uint64_t cpu_ns)
{
	struct sim_drive *s = sim_of(direct);

	s->now_ns = true_ns(s, shown_ns(s, s->now_ns) + ns);
	s->witness.reader_system_ns += cpu_ns;
}
