/* Random numbers of the unit tests: the same ones in every run with the same seed. One program, one thread. */
#ifndef PSCAN_TESTS_RANDOM_H
#define PSCAN_TESTS_RANDOM_H

#include <math.h>
#include <stdint.h>

#include "types.h"

static uint64_t random_state = 20240229;

/* splitmix64 (Steele, Lea, Flood 2014). */
static inline uint64_t random_u64(void)
{
	uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* 0 .. bound-1. */
static inline unsigned random_below(unsigned bound)
{
	return (unsigned)(random_u64() % bound);
}

/* Any finite value, every exponent alike. */
static inline double random_f64(void)
{
	double x;
	do
		x = f64_from_bits(random_u64());
	while (!isfinite(x));
	return x;
}

static inline float random_f32(void)
{
	float x;
	do
		x = f32_from_bits((uint32_t)random_u64());
	while (!isfinite(x));
	return x;
}

#endif
