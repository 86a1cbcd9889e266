/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random places know little of short moves and of the longest. A step from a uniform place, by a
 * length that does not depend on it, to either side, reflected at the ends, leads to a place that is
 * uniform again: such reads may stand between random ones, which then are none the worse. A jump to
 * a far place does not, so the read after it is not counted as a random one. */
#include "probe/access_reads.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"

/* u: random, n: near (short steps), f: far, a: random, but after a far one */
static const char PATTERN[] = "aunuunuunuuunuunuuunuunuuunuuuff";

void access_reads_init(struct access_reads *r, size_t capacity)
{
	*r = (struct access_reads){.capacity = capacity};
	r->latency_s = mem_zalloc(capacity, sizeof(*r->latency_s));
	r->offset_bytes = mem_zalloc(capacity, sizeof(*r->offset_bytes));
	r->from_bytes = mem_zalloc(capacity, sizeof(*r->from_bytes));
	r->plain = mem_zalloc(capacity, sizeof(*r->plain));
}

void access_reads_release(struct access_reads *r)
{
	free(r->latency_s);
	free(r->offset_bytes);
	free(r->from_bytes);
	free(r->plain);
}

static uint64_t place_at(const struct places *p, double share)
{
	uint64_t i = (uint64_t)(share * (double)p->n);

	return p->first + (i < p->n ? i : p->n - 1) * p->request;
}

/* A step of a length drawn along a logarithm, up to half of the region, from `share`. */
static double near(struct access_course *c, double share)
{
	double step = c->shortest * pow(0.5 / c->shortest, rng_uniform(&c->rng));

	share += rng_below(&c->rng, 2) ? step : -step;
	share = fabs(share);
	return share > 1 ? 2 - share : share;
}

/* The whole way of a length between 0.02 and 0.98, towards the side that has room for it. */
static double far(struct access_course *c, double share)
{
	double step = 0.02 + 0.96 * rng_uniform(&c->rng);

	if (share < step && share + step > 1)
		return share < 0.5 ? 1 - rng_uniform(&c->rng) * 0.02 :
				     rng_uniform(&c->rng) * 0.02;
	return share >= step ? share - step : share + step;
}

void access_course_next(struct access_course *c, struct io *ios, bool *plain, size_t n)
{
	const struct places *p = &c->places;

	for (size_t i = 0; i < n; i++) {
		char kind = c->mixed ? PATTERN[c->at++ % (sizeof(PATTERN) - 1)] : 'u';
		double share = ((double)(c->last - p->first) / p->request + 0.5) / (double)p->n;
		uint64_t offset = p->first + rng_below(&c->rng, p->n) * p->request;

		if (kind == 'n')
			offset = place_at(p, near(c, share));
		else if (kind == 'f')
			offset = place_at(p, far(c, share));
		ios[i] = (struct io){.offset = offset, .length = p->request};
		plain[i] = kind == 'u';
		c->last = offset;
	}
}
