/* Whether an operation stays exact is decided in 256 bits: a 128-bit mantissa brought to another scale has less than
 * 188, and a token of up to 192 bits less than 252. That happens once for each change of scale or width in a stream;
 * the elements between are scanned by the engines. */
#include "decimal.h"

#include <string.h>

#include "number.h"
#include "number_put.h"
#include "powers.h"

__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

/* Appends digits to the magnitude. False if it has more than 192 bits. */
static bool take_digits(struct decimal *d, const char *digits, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const unsigned digit = (unsigned)(digits[i] - '0');
		if (d->lo <= (UINT64_MAX - 9) / 10 && (d->hi | d->top) == 0) {
			d->lo = d->lo * 10 + digit;
			continue;
		}
		const u128 low = (u128)d->lo * 10 + digit;
		const u128 high = (u128)d->hi * 10 + (low >> 64);
		const u128 top = (u128)d->top * 10 + (high >> 64);
		d->lo = (uint64_t)low;
		d->hi = (uint64_t)high;
		d->top = (uint64_t)top;
		if (top >> 64 != 0)
			return false;
	}
	return true;
}

bool decimal_parse(const char *token, size_t size, struct decimal *d)
{
	struct number_parts parts;
	if (!number_split(token, size, &parts))
		return false;
	*d = (struct decimal){.negative = parts.negative};
	d->is_float = parts.kind != NUMBER_FINITE || parts.has_exponent || parts.fraction_digits > DECIMAL_SCALE_MAX;
	if (d->is_float)
		return true;
	d->scale = (unsigned)parts.fraction_digits;
	d->huge = !take_digits(d, parts.integer, parts.integer_digits) ||
		  !take_digits(d, parts.fraction, parts.fraction_digits);
	return true;
}

bool decimal_mantissa(const struct decimal *d, unsigned scale, const struct type *t, union value *value)
{
	u128 m = (u128)d->hi << 64 | d->lo;
	const u128 factor = power_of_ten_u64[scale - d->scale];
	const u128 limit = ((u128)1 << (t->id == TYPE_I64 ? 63 : 127)) - (d->negative ? 0 : 1);
	if (d->huge || d->top != 0 || m > limit / factor)
		return false;
	m *= factor;
	if (d->negative)
		m = 0 - m;
	if (t->id == TYPE_I64) {
		value->i64 = (int64_t)(uint64_t)m;
	} else {
		value->i128.lo = (uint64_t)m;
		value->i128.hi = (uint64_t)(m >> 64);
	}
	return true;
}

static s128 value_of(const union value *m, const struct type *t)
{
	if (t->id == TYPE_I64)
		return m->i64;
	return (s128)((u128)m->i128.hi << 64 | m->i128.lo);
}

static union value value_from(s128 m)
{
	union value v;
	v.i128.lo = (uint64_t)m;
	v.i128.hi = (uint64_t)((u128)m >> 64);
	return v;
}

bool decimal_fits_i64(const union value *m)
{
	return m->i128.hi == (m->i128.lo >> 63 != 0 ? UINT64_MAX : 0);
}

/* A signed 256-bit integer, hi * 2^128 + lo. */
struct wide {
	s128 hi;
	u128 lo;
};

/* A magnitude of three words times factor (less than 2^60), with a sign. */
static struct wide wide_product(uint64_t top, u128 magnitude, uint64_t factor, bool negative)
{
	const u128 low = (u128)(uint64_t)magnitude * factor;
	const u128 middle = (u128)(uint64_t)(magnitude >> 64) * factor + (low >> 64);
	const u128 high = (u128)top * factor + (middle >> 64);
	struct wide w = {.hi = (s128)high, .lo = middle << 64 | (uint64_t)low};
	if (negative) {
		w.lo = 0 - w.lo;
		w.hi = -w.hi - (w.lo != 0 ? 1 : 0);
	}
	return w;
}

static struct wide wide_add(struct wide a, struct wide b)
{
	const u128 lo = a.lo + b.lo;
	return (struct wide){.hi = a.hi + b.hi + (lo < a.lo ? 1 : 0), .lo = lo};
}

static bool wide_less(struct wide a, struct wide b)
{
	return a.hi < b.hi || (a.hi == b.hi && a.lo < b.lo);
}

static bool wide_fits(struct wide w, union value *result)
{
	const s128 m = (s128)w.lo;
	if (w.hi != (m < 0 ? -1 : 0))
		return false;
	*result = value_from(m);
	return true;
}

static bool multiply(s128 a, const struct decimal *d, union value *result)
{
	union value b;
	s128 product = 0;
	if (a == 0) { /* however many digits the other has */
		*result = value_from(0);
		return true;
	}
	if (!decimal_mantissa(d, 0, &type_table[TYPE_I128], &b) ||
	    __builtin_mul_overflow(a, value_of(&b, &type_table[TYPE_I128]), &product))
		return false;
	*result = value_from(product);
	return true;
}

static bool combine_bits(enum operator_id op, s128 a, const struct decimal *d, union value *result)
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
	const s128 earlier = value_of(m, t);
	if (op == OPERATOR_PROD)
		return multiply(earlier, d, result);
	if (op == OPERATOR_AND || op == OPERATOR_OR || op == OPERATOR_XOR)
		return combine_bits(op, earlier, d, result);
	/* Of one that has more than 192 bits only the sign counts: nothing that is brought to another scale is so
	 * large. */
	const u128 magnitude = d->huge ? ~(u128)0 : (u128)d->hi << 64 | d->lo;
	const uint64_t top = d->huge ? UINT64_MAX : d->top;
	const bool negative = earlier < 0;
	const struct wide a = wide_product(0, negative ? 0 - (u128)earlier : (u128)earlier,
					   power_of_ten_u64[common - scale], negative);
	const struct wide b = wide_product(top, magnitude, power_of_ten_u64[common - d->scale], d->negative);
	if (op == OPERATOR_SUM)
		return !d->huge && wide_fits(wide_add(a, b), result);
	const bool takes_b = op == OPERATOR_MAX ? wide_less(a, b) : wide_less(b, a);
	return wide_fits(takes_b ? b : a, result);
}

/* A mantissa past 64 bits; scale digits behind the point. */
static size_t format_wide(char *out, u128 m, unsigned scale)
{
	char digits[64];
	const uint64_t split = power_of_ten_u64[18];
	const uint64_t upper = (uint64_t)(m / split / split);
	const uint64_t middle = (uint64_t)(m / split % split);
	size_t count = 0;
	if (upper != 0)
		count = put_u64(digits, upper);
	if (upper == 0) {
		count = put_u64(digits, middle);
	} else {
		put_fixed(digits + count, middle, 18);
		count += 18;
	}
	put_fixed(digits + count, (uint64_t)(m % split), 18);
	count += 18; /* more than scale */
	memcpy(out, digits, count - scale);
	if (scale == 0)
		return count;
	out[count - scale] = '.';
	memcpy(out + count - scale + 1, digits + count - scale, scale);
	return count + 1;
}

static inline size_t format_i64(char *out, int64_t mantissa, unsigned scale)
{
	const uint64_t magnitude = mantissa < 0 ? 0 - (uint64_t)mantissa : (uint64_t)mantissa;
	const size_t sign = mantissa < 0;
	out[0] = '-';
	return sign + (scale == 0 ? put_u64(out + sign, magnitude) : put_point(out + sign, magnitude, scale));
}

static size_t format_s128(char *out, s128 mantissa, unsigned scale)
{
	if (mantissa >= INT64_MIN && mantissa <= INT64_MAX)
		return format_i64(out, (int64_t)mantissa, scale);
	const size_t sign = mantissa < 0;
	out[0] = '-';
	return sign + format_wide(out + sign, mantissa < 0 ? 0 - (u128)mantissa : (u128)mantissa, scale);
}

size_t decimal_format(char *out, const union value *m, const struct type *t, unsigned scale)
{
	return t->id == TYPE_I64 ? format_i64(out, m->i64, scale) : format_s128(out, value_of(m, t), scale);
}

size_t decimal_format_lines(char *out, const struct type *t, unsigned scale, const void *mantissas, size_t count)
{
	const bool narrow = t->id == TYPE_I64;
	char *p = out;
	for (size_t i = 0; i < count && narrow; i++) {
		p += format_i64(p, ((const int64_t *)mantissas)[i], scale);
		*p++ = '\n';
	}
	for (size_t i = 0; i < count && !narrow; i++) {
		union value v;
		memcpy(&v.i128, (const char *)mantissas + i * t->size, sizeof v.i128);
		p += format_s128(p, value_of(&v, t), scale);
		*p++ = '\n';
	}
	return (size_t)(p - out);
}

double decimal_to_f64(const union value *m, const struct type *t, unsigned scale)
{
	char text[DECIMAL_TEXT_MAX];
	union value v = {.f64 = 0.0};
	const size_t size = decimal_format(text, m, t, scale);
	/* Never out of range: at most 39 digits, so no error is possible. */
	(void)number_parse(text, size, &type_table[TYPE_F64], &v);
	return v.f64;
}
