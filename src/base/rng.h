/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Random numbers that are the same on every machine for the same seed: xoshiro256** of Blackman
 * and Vigna (2018), its state filled by splitmix64. Not for secrets. */
#ifndef BASE_RNG_H
#define BASE_RNG_H

#include <stddef.h>
#include <stdint.h>

struct rng {
	uint64_t state[4];
};

/* Different streams of one seed are independent: give each probe or part its own. */
void rng_init(struct rng *r, uint64_t seed, uint64_t stream);

uint64_t rng_u64(struct rng *r);
/* Uniform in 0 … bound-1, without bias (Lemire 2019). bound > 0. */
uint64_t rng_below(struct rng *r, uint64_t bound);
/* Uniform in [0, 1). */
double rng_uniform(struct rng *r);
/* Mean 0, standard deviation 1 (Box and Muller 1958). */
double rng_normal(struct rng *r);
/* Exponential with mean 1. */
double rng_exponential(struct rng *r);
/* Puts the n numbers in random order (Fisher and Yates). */
void rng_shuffle(struct rng *r, uint64_t *values, size_t n);

#endif
