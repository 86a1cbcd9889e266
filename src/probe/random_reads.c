/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Uniform over all whole requests of the region, each place as likely as any other, drawn with
 * replacement: what "random reads" means to whoever quotes the figure. */
#include "probe/random_reads.h"

struct places places_of(const struct session *s)
{
	const struct scope *scope = s->scope;
	uint32_t block = s->drive->info.logical_block_bytes;
	struct places p = {.request = scope->request_bytes ? scope->request_bytes : 4096};
	uint64_t end;

	p.request += (block - p.request % block) % block;
	p.first = scope->from_bytes + (p.request - scope->from_bytes % p.request) % p.request;
	end = scope->to_bytes - scope->to_bytes % p.request;
	p.n = end > p.first ? (end - p.first) / p.request : 0;
	return p;
}

bool places_suffice(const struct places *p, struct session *s)
{
	if (p->n >= PLACES_MIN)
		return true;
	session_unknown(s,
		"the region holds only %u places of %u bytes: reads at random "
		"would all come from the drive's cache",
		(unsigned)p->n, (unsigned)p->request);
	return false;
}

void places_draw(const struct places *p, struct session *s, struct rng *rng, size_t from, size_t n)
{
	for (size_t i = from; i < n; i++)
		s->ios[i] = (struct io){
			.offset = p->first + rng_below(rng, p->n) * p->request,
			.length = p->request,
		};
}
