/* Powers of ten as 128-bit significands (src/tools/make_powers.c generates the table). */
#ifndef PSCAN_NUMBER_POWERS_H
#define PSCAN_NUMBER_POWERS_H

#include <stdint.h>

#define POWER_LEAST (-342)
#define POWER_GREATEST 324
/* 10^0 .. 10^POWER_EXACT are exact in 128 bits. */
#define POWER_EXACT 55

struct power {
	uint64_t hi, lo; /* 2^127 <= hi * 2^64 + lo < 2^128. Truncated, not rounded. */
};

extern const struct power power_table[POWER_GREATEST - POWER_LEAST + 1];

/* Entry k is 10^k: all powers of ten below 2^64. */
extern const uint64_t power_of_ten_u64[20];
/* Entry k is 10^k: all powers of ten that are exact as doubles. */
extern const double power_of_ten_f64[23];

/* Returns the significand of 10^k, POWER_LEAST <= k <= POWER_GREATEST. */
static inline struct power power_of_ten(int k)
{
	return power_table[k - POWER_LEAST];
}

/* floor(log2(10^k)) for |k| <= 1233: 1741647 / 2^19 is log2(10), rounded. */
static inline int floor_log2_power_of_ten(int k)
{
	return (k * 1741647) >> 19;
}

#endif
