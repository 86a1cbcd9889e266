/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A disk behind its queue: of the requests it holds, the one whose first sector it can reach
 * soonest is read next (or the first, where it does not sort). A decision is taken when the
 * mechanics are free; the interface moves one request after the other, in the order of reading. */
#include <math.h>

#include "base/mem.h"
#include "sim/disk_model.h"
#include "sim/model_inside.h"

struct disk_queue {
	struct disk disk;
	struct model_request *first, **end; /* waiting, in the order of arrival */
	double last_ready_ns; /* when the newest one's command was understood */
	double idle_since_ns;
};

/* A waiting request keeps in done_ns when its command was understood. */
static void queue_submit(struct model *m, struct model_request *r)
{
	struct disk_queue *q = m->state;
	const struct truth *t = &m->truth;
	double jitter = rng_normal(&m->rng) * t->command_jitter_s;
	double ready = (double)r->arrive_ns + fmax(t->command_s + jitter, t->command_s / 4) * 1e9;

	if (ready < q->last_ready_ns)
		ready = q->last_ready_ns;
	q->last_ready_ns = ready;
	r->done_ns = model_ns(ready);
	r->next = NULL;
	if (!q->first)
		q->end = &q->first;
	*q->end = r;
	q->end = &r->next;
}

/* When the next decision is due; INFINITY: nothing waits. A drive without a queue takes a command
 * only when it has answered the one before. */
static double decision_ns(const struct model *m)
{
	const struct disk_queue *q = m->state;
	double t;

	if (!q->first)
		return INFINITY;
	t = fmax((double)q->first->done_ns, q->disk.free_ns);
	if (m->truth.queue_depth > 1)
		return t;
	return fmax(t, fmax(q->disk.bus_ns, q->disk.free_ns) + m->truth.command_s * 1e9);
}

static void sectors_of(const struct disk *d, const struct model_request *r, uint64_t *from,
	uint64_t *to)
{
	uint32_t bytes = d->geometry.sector_bytes;

	*from = r->offset / bytes;
	*to = (r->offset + r->length + bytes - 1) / bytes;
}

/* Of the requests whose command is understood at t_ns, the one to be reached soonest. */
static struct model_request **soonest(struct model *m, double t_ns)
{
	struct disk_queue *q = m->state;
	struct model_request **best = &q->first, **at = &q->first;
	double least = INFINITY;

	for (unsigned seen = 0; *at && (double)(*at)->done_ns <= t_ns &&
			seen < m->truth.queue_depth && least > 0; at = &(*at)->next, seen++) {
		uint64_t from, to;
		double cost;

		sectors_of(&q->disk, *at, &from, &to);
		cost = disk_cost_ns(&q->disk, t_ns, from, to);
		if (cost < least) {
			least = cost;
			best = at;
		}
	}
	return best;
}

/* A request that goes on where another waiting one ends comes after it: both are read in one go. */
static struct model_request **before_in_row(struct disk_queue *q, struct model_request **r,
	double t_ns)
{
	struct model_request **at = &q->first;

	while (*at && (double)(*at)->done_ns <= t_ns) {
		if ((*at)->offset + (*at)->length == (*r)->offset) {
			r = at;
			at = &q->first;
		} else {
			at = &(*at)->next;
		}
	}
	return r;
}

/* Takes the request to be read next out of the queue. */
static struct model_request *choose(struct model *m, double t_ns)
{
	struct disk_queue *q = m->state;
	struct model_request **best = &q->first, *r;
	double age_ns = m->truth.queue_age_s * 1e9;

	if (m->truth.queue_order == TRUTH_SPTF && q->first->next &&
		t_ns - (double)q->first->arrive_ns < age_ns)
		best = before_in_row(q, soonest(m, t_ns), t_ns);
	r = *best;
	*best = r->next;
	if (!r->next)
		q->end = best;
	return r;
}

/* Time to spin up, if the drive sleeps and this read cannot be answered without the medium. */
static double wake_ns(struct model *m, double t_ns, uint64_t from, uint64_t to)
{
	struct disk_queue *q = m->state;
	struct faults *f = &m->faults;

	if (f->idle_ns && t_ns > q->idle_since_ns + (double)f->idle_ns)
		f->standby = true;
	if (!f->standby)
		return 0;
	disk_stop_stream(&q->disk, q->idle_since_ns);
	if (disk_cache_find(&q->disk.cache, from, to) >= 0)
		return 0;
	f->standby = false;
	return m->truth.spin_up_s * 1e9;
}

static void serve(struct model *m, double t_ns)
{
	struct disk_queue *q = m->state;
	struct model_request *r = choose(m, t_ns);
	struct fault_effect e = faults_meet(&m->faults, r, &m->rng);
	double rate = m->truth.interface_bytes_per_s / 1e9, ready, done;
	uint64_t from, to;

	r->how = e.how;
	r->error = e.error;
	if (e.how & MODEL_GONE) {
		r->done_ns = model_ns(t_ns);
		model_answer(m, r);
		return;
	}
	sectors_of(&q->disk, r, &from, &to);
	t_ns += e.hang_ns;
	t_ns += wake_ns(m, t_ns, from, to);
	ready = disk_read(&q->disk, t_ns, from, to, e.delay_ns, e.turns, &r->how);
	/* the interface works while the medium is read, but for the last sector */
	done = fmax(fmax(t_ns, q->disk.bus_ns) + r->length / rate,
		ready + q->disk.geometry.sector_bytes / rate);
	if (e.error)
		done = fmax(ready, q->disk.bus_ns);
	q->disk.bus_ns = done;
	q->idle_since_ns = done;
	r->done_ns = model_ns(done);
	model_answer(m, r);
}

static void queue_advance(struct model *m, uint64_t before_ns)
{
	for (double t = decision_ns(m); t < (double)before_ns; t = decision_ns(m))
		serve(m, t);
}

static void queue_decide(struct model *m)
{
	double t = decision_ns(m);

	if (t < INFINITY)
		serve(m, t);
}

static void queue_close(struct model *m)
{
	struct disk_queue *q = m->state;

	disk_release(&q->disk);
}

static const struct model_ops DISK_OPS = {
	.submit = queue_submit,
	.advance = queue_advance,
	.decide = queue_decide,
	.close = queue_close,
};

void disk_model_init(struct model *m, uint64_t seed)
{
	struct disk_queue *q = mem_zalloc(1, sizeof(*q));

	disk_init(&q->disk, &m->truth, seed, &m->rng);
	q->end = &q->first;
	m->state = q;
	m->ops = &DISK_OPS;
}
