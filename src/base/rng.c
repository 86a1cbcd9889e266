/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/rng.h"

#include <math.h>

static uint64_t splitmix64(uint64_t *x)
{
	uint64_t z = (*x += 0x9E3779B97F4A7C15u);

	z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
	z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
	return z ^ (z >> 31);
}

static uint64_t rotate_left(uint64_t x, int k)
{
	return (x << k) | (x >> (64 - k));
}

void rng_init(struct rng *r, uint64_t seed, uint64_t stream)
{
	uint64_t x = seed;

	x = splitmix64(&x) ^ (stream * 0xD1342543DE82EF95u);
	for (int i = 0; i < 4; i++)
		r->state[i] = splitmix64(&x);
}

uint64_t rng_u64(struct rng *r)
{
	uint64_t *s = r->state;
	uint64_t result = rotate_left(s[1] * 5, 7) * 9;
	uint64_t t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate_left(s[3], 45);
	return result;
}

/* High 64 bits of a * b, by halves: 128-bit integers are not ISO C. */
static uint64_t multiply_high(uint64_t a, uint64_t b, uint64_t *low)
{
	uint64_t a0 = a & 0xFFFFFFFFu, a1 = a >> 32, b0 = b & 0xFFFFFFFFu, b1 = b >> 32;
	uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
	uint64_t middle2 = a0 * b1 + (middle & 0xFFFFFFFFu);

	*low = a * b;
	return a1 * b1 + (middle >> 32) + (middle2 >> 32);
}

uint64_t rng_below(struct rng *r, uint64_t bound)
{
	uint64_t low;
	uint64_t high = multiply_high(rng_u64(r), bound, &low);

	if (low < bound) {
		uint64_t reject = (0 - bound) % bound;

		while (low < reject)
			high = multiply_high(rng_u64(r), bound, &low);
	}
	return high;
}

double rng_uniform(struct rng *r)
{
	return (double)(rng_u64(r) >> 11) * 0x1p-53;
}

double rng_normal(struct rng *r)
{
	const double pi = 3.14159265358979323846;
	double u = 1.0 - rng_uniform(r);

	return sqrt(-2.0 * log(u)) * cos(2.0 * pi * rng_uniform(r));
}

double rng_exponential(struct rng *r)
{
	return -log(1.0 - rng_uniform(r));
}

void rng_shuffle(struct rng *r, uint64_t *values, size_t n)
{
	for (size_t i = n; i > 1; i--) {
		size_t j = (size_t)rng_below(r, i);
		uint64_t t = values[i - 1];

		values[i - 1] = values[j];
		values[j] = t;
	}
}
