/* A magnitude has 128 bits. While it is small, arithmetic of 64 bits does, which is much faster. Everything is exact
 * but the conversion to f64, which rounds once. */
#include "number/decimal.h"

#include <string.h>

#include "number/parse.h"
#include "number/powers.h"
#include "number/write_digits.h"

/* Appends digits to the magnitude. False if it has more than 128 bits. */
static bool append_digits(struct decimal *d, const char *digits, size_t count)
{
	uint128 m = d->magnitude;
	for (size_t i = 0; i < count; i++) {
		const unsigned digit = (unsigned)(digits[i] - '0');
		if (m < (uint128)1 << 60) {
			m = (uint64_t)m * 10 + digit;
			continue;
		}
		const uint128 tens = m * 10;
		if (m > ~(uint128)0 / 10 || tens + digit < tens)
			return false;
		m = tens + digit;
	}
	d->magnitude = m;
	return true;
}

/* Removes *count zeros from the end of the digits, or all digits if there are fewer. False if one is not a zero. */
static bool drop_zeros(const char *digits, size_t *digit_count, int64_t *count)
{
	while (*count > 0 && *digit_count > 0) {
		if (digits[*digit_count - 1] != '0')
			return false;
		(*digit_count)--;
		(*count)--;
	}
	return true;
}

/* Multiplies the magnitude by 10^count. False if the product has more than 128 bits. */
static bool append_zeros(struct decimal *d, int64_t count)
{
	bool fits = true;
	while (fits && count-- > 0 && d->magnitude != 0)
		fits = append_digits(d, "0", 1);
	return fits;
}

bool decimal_parse(const char *token, size_t size, struct decimal *d)
{
	struct number_parts parts;
	if (!number_split(token, size, &parts))
		return false;
	*d = (struct decimal){.negative = parts.negative, .is_float = parts.kind != NUMBER_FINITE};
	if (d->is_float)
		return true;
	const int64_t scale = (int64_t)parts.fraction_digits - parts.exponent;
	int64_t needless = scale - DECIMAL_SCALE_MAX;
	d->is_float = !drop_zeros(parts.fraction, &parts.fraction_digits, &needless) ||
		      !drop_zeros(parts.integer, &parts.integer_digits, &needless);
	if (d->is_float)
		return true;
	d->scale = (unsigned)(scale < 0 ? 0 : scale < DECIMAL_SCALE_MAX ? scale : DECIMAL_SCALE_MAX);
	d->huge = !append_digits(d, parts.integer, parts.integer_digits) ||
		  !append_digits(d, parts.fraction, parts.fraction_digits) || !append_zeros(d, -scale);
	return true;
}

static void put_mantissa(const struct type *t, int128 m, union value *value)
{
	if (t->id == TYPE_I64)
		value->i64 = (int64_t)m;
	else
		*value = decimal_wide(m);
}

bool decimal_mantissa(const struct decimal *d, unsigned scale, const struct type *t, union value *value)
{
	uint128 m = d->magnitude;
	const uint128 factor = power_of_ten_u64[scale - d->scale];
	const uint128 limit = ((uint128)1 << (t->id == TYPE_I64 ? 63 : 127)) - (d->negative ? 0 : 1);
	if (d->huge || m > (factor == 1 ? limit : limit / factor)) /* a long division */
		return false;
	m *= factor;
	if (d->negative)
		m = 0 - m;
	put_mantissa(t, (int128)m, value);
	return true;
}

bool decimal_fits_i64(const union value *m)
{
	return m->i128.hi == (m->i128.lo >> 63 != 0 ? UINT64_MAX : 0);
}

/* Writes the magnitude of a mantissa that does not fit 64 bits, with `scale` digits after the point. Returns the
 * bytes. */
static size_t format_wide(char *out, uint128 m, unsigned scale)
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

static size_t format_i128(char *out, int128 mantissa, unsigned scale)
{
	if (mantissa >= INT64_MIN && mantissa <= INT64_MAX)
		return format_i64(out, (int64_t)mantissa, scale);
	const size_t sign = mantissa < 0;
	out[0] = '-';
	return sign + format_wide(out + sign, mantissa < 0 ? 0 - (uint128)mantissa : (uint128)mantissa, scale);
}

size_t decimal_format(char *out, const union value *m, const struct type *t, unsigned scale)
{
	return t->id == TYPE_I64 ? format_i64(out, m->i64, scale) : format_i128(out, decimal_value(m, t), scale);
}

/* The mantissa at a place. */
static inline int128 mantissa_at(const char *at, const struct type *t)
{
	union value v;
	memcpy(&v.i128, at, sizeof v.i128);
	return decimal_value(&v, t);
}

size_t decimal_format_lines(char *out, const struct type *t, unsigned scale, const void *mantissas, size_t step,
			    size_t count)
{
	const bool narrow = t->id == TYPE_I64;
	const char *at = mantissas;
	const char *end = at + count * step;
	char *p = out;
	for (; at < end && narrow; at += step) {
		p += format_i64(p, *(const int64_t *)(const void *)at, scale);
		*p++ = '\n';
	}
	for (; at < end; at += step) {
		p += format_i128(p, mantissa_at(at, t), scale);
		*p++ = '\n';
	}
	return (size_t)(p - out);
}

void decimal_format_texts(char *out, char lead, const struct type *t, unsigned scale, const void *mantissas,
			  size_t step, size_t count, struct number_text *texts)
{
	const bool narrow = t->id == TYPE_I64;
	const char *at = mantissas;
	char *p = out;
	for (size_t i = 0; i < count; i++, at += step) {
		const int64_t *now = (const int64_t *)(const void *)at;
		const int64_t *before = (const int64_t *)(const void *)(at - step);
		if (i > 0 && now[0] == before[0] && (narrow || now[1] == before[1])) {
			texts[i] = texts[i - 1];
			continue;
		}
		*p++ = lead;
		const size_t size = narrow ? format_i64(p, now[0], scale) : format_i128(p, mantissa_at(at, t), scale);
		texts[i] = (struct number_text){.at = (uint32_t)(p - out), .size = (uint32_t)size};
		p += size;
	}
}

bool decimal_is_same(int128 a, unsigned a_scale, int128 b, unsigned b_scale)
{
	if (a_scale > b_scale)
		return decimal_is_same(b, b_scale, a, a_scale);
	int128 scaled;
	return !__builtin_mul_overflow(a, (int128)power_of_ten_u64[b_scale - a_scale], &scaled) && scaled == b;
}

void decimal_reduce(union value *m, const struct type *t, unsigned scale, unsigned smaller)
{
	const int128 value = decimal_value(m, t) / (int128)power_of_ten_u64[scale - smaller];
	put_mantissa(t, value, m);
}

double decimal_to_f64(const union value *m, const struct type *t, unsigned scale)
{
	char text[DECIMAL_TEXT_MAX];
	union value v = {.f64 = 0.0};
	const size_t size = decimal_format(text, m, t, scale);
	/* The text has at most 39 digits, so it is never out of range and no error is possible. */
	(void)number_parse(text, size, &type_table[TYPE_F64], &v);
	return v.f64;
}

double decimal_own_to_f64(const union value *m, const struct type *t, unsigned scale, unsigned own)
{
	if ((own & OWN_SCALE_FLOAT) != 0)
		return m->f64;
	return (own & OWN_SCALE_NEGATIVE_ZERO) != 0 ? -0.0 : decimal_to_f64(m, t, scale);
}
