/* Mantissas of 64 and 128 bits for the tests of decimals. */
#ifndef PSCAN_DECIMAL_CHECK_H
#define PSCAN_DECIMAL_CHECK_H

#include "big.h"
#include "number/decimal.h"
#include "number_check.h"

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

static const struct type *const i64_type = &type_table[TYPE_I64];
static const struct type *const i128_type = &type_table[TYPE_I128];

static inline u128 bits_of(const union value *v, const struct type *t)
{
	return t->id == TYPE_I64 ? (u128)(s128)v->i64 : (u128)v->i128.hi << 64 | v->i128.lo;
}

static inline union value value_of(u128 bits, const struct type *t)
{
	union value v = {0};
	if (t->id == TYPE_I64) {
		v.i64 = (int64_t)(uint64_t)bits;
	} else {
		v.i128.lo = (uint64_t)bits;
		v.i128.hi = (uint64_t)(bits >> 64);
	}
	return v;
}

/* By repeated division: no road of decimal.c. */
static inline struct big big_from_value(const union value *v, const struct type *t)
{
	const u128 bits = bits_of(v, t);
	struct big b = {.negative = (s128)bits < 0};
	for (u128 m = b.negative ? 0 - bits : bits; m > 0; m /= 10)
		b.digits[b.count++] = (char)(m % 10);
	return b;
}

/* A value of 1 to all bits, every width alike. */
static inline union value random_value(const struct type *t)
{
	const unsigned bits = 8 * (unsigned)t->size;
	const u128 wide = ((u128)random_u64() << 64 | random_u64()) >> (128 - bits + random_below(bits));
	return value_of(random_below(2) != 0 ? 0 - wide : wide, t);
}

#endif
