/* Whether an operation stays exact is decided in 256 bits: a 128-bit mantissa brought to another scale has less than
 * 188, and a token of up to 192 bits less than 252. That happens once for each change of scale or width in a stream;
 * the elements between are scanned by the engines. */
#include "scan/decimal_combine.h"

#include "number/powers.h"

static union value value_from(int128 m)
{
	union value v;
	v.i128.lo = (uint64_t)m;
	v.i128.hi = (uint64_t)((uint128)m >> 64);
	return v;
}

/* A signed 256-bit integer, hi * 2^128 + lo. */
struct wide {
	int128 hi;
	uint128 lo;
};

/* A magnitude of three words times factor (less than 2^60), with a sign. */
static struct wide wide_product(uint64_t top, uint128 magnitude, uint64_t factor, bool negative)
{
	const uint128 low = (uint128)(uint64_t)magnitude * factor;
	const uint128 middle = (uint128)(uint64_t)(magnitude >> 64) * factor + (low >> 64);
	const uint128 high = (uint128)top * factor + (middle >> 64);
	struct wide w = {.hi = (int128)high, .lo = middle << 64 | (uint64_t)low};
	if (negative) {
		w.lo = 0 - w.lo;
		w.hi = -w.hi - (w.lo != 0 ? 1 : 0);
	}
	return w;
}

static struct wide wide_add(struct wide a, struct wide b)
{
	const uint128 lo = a.lo + b.lo;
	return (struct wide){.hi = a.hi + b.hi + (lo < a.lo ? 1 : 0), .lo = lo};
}

static bool wide_less(struct wide a, struct wide b)
{
	return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}

static bool wide_fits(struct wide w, union value *result)
{
	const int128 m = (int128)w.lo;
	if (w.hi != (m < 0 ? -1 : 0))
		return false;
	*result = value_from(m);
	return true;
}

static bool multiply(int128 a, const struct decimal *d, union value *result)
{
	union value b;
	int128 product = 0;
	if (a == 0) { /* however many digits the other has */
		*result = value_from(0);
		return true;
	}
	if (!decimal_mantissa(d, 0, &type_table[TYPE_I128], &b) ||
	    __builtin_mul_overflow(a, decimal_value(&b, &type_table[TYPE_I128]), &product))
		return false;
	*result = value_from(product);
	return true;
}

static bool combine_bits(enum operator_id op, int128 a, const struct decimal *d, union value *result)
{
	union value b;
	if (!decimal_mantissa(d, 0, &type_table[TYPE_I128], &b))
		return false;
	const union value m = value_from(a);
	const bool is_and = op == OPERATOR_AND;
	const bool is_or = op == OPERATOR_OR;
	result->i128.lo = is_and ? m.i128.lo & b.i128.lo : is_or ? m.i128.lo | b.i128.lo : m.i128.lo ^ b.i128.lo;
	result->i128.hi = is_and ? m.i128.hi & b.i128.hi : is_or ? m.i128.hi | b.i128.hi : m.i128.hi ^ b.i128.hi;
	return true;
}

bool decimal_combine(enum operator_id op, bool present, const union value *m, const struct type *t, unsigned scale,
		     const struct decimal *d, union value *result)
{
	const unsigned common = d->scale > scale ? d->scale : scale;
	if (!present)
		return decimal_mantissa(d, common, &type_table[TYPE_I128], result);
	const int128 earlier = decimal_value(m, t);
	if (op == OPERATOR_PROD)
		return multiply(earlier, d, result);
	if (op == OPERATOR_AND || op == OPERATOR_OR || op == OPERATOR_XOR)
		return combine_bits(op, earlier, d, result);
	/* Of one that has more than 192 bits only the sign counts: nothing that is brought to another scale is so
	 * large. */
	const uint128 magnitude = d->huge ? ~(uint128)0 : (uint128)d->hi << 64 | d->lo;
	const uint64_t top = d->huge ? UINT64_MAX : d->top;
	const bool negative = earlier < 0;
	const struct wide a = wide_product(0, negative ? 0 - (uint128)earlier : (uint128)earlier,
					   power_of_ten_u64[common - scale], negative);
	const struct wide b = wide_product(top, magnitude, power_of_ten_u64[common - d->scale], d->negative);
	if (op == OPERATOR_SUM)
		return !d->huge && wide_fits(wide_add(a, b), result);
	const bool takes_b = op == OPERATOR_MAX ? wide_less(a, b) : wide_less(b, a);
	return wide_fits(takes_b ? b : a, result);
}
