/* Every conversion writes its sign and then the magnitude. Both are then moved and padded to the width.
 *
 * %.Nf of a double c * 2^-s with N <= 18 is computed here: the bits of the fraction times 10^N are an exact integer of
 * fewer than 128 bits, and the bits that are shifted out of it decide the rounding. Other doubles, and the conversions
 * e and g, go to the C library. */
#include "number/printf_format.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "number/decimal.h"
#include "number/write.h"
#include "number/write_digits.h"

/* The digits before the point of the greatest double, with room for sign, point and exponent. */
#define BODY_MAX (309 + 16)

static bool refuse(const char **reason, const char *why)
{
	*reason = why;
	return false;
}

/* Copies text up to the next conversion or the end, and returns where it stopped. *size is the bytes copied. */
static const char *copy_text(const char *p, char *out, size_t *size)
{
	*size = 0;
	while (*p != '\0' && (*p != '%' || p[1] == '%')) {
		p += *p == '%';
		out[(*size)++] = *p++;
	}
	return p;
}

/* Reads digits into *count and returns where they end. No digits give 0. Limited to NUMBER_SPEC_MAX + 1. */
static const char *read_count(const char *p, size_t *count)
{
	for (*count = 0; *p >= '0' && *p <= '9'; p++) {
		*count = *count * 10 + (size_t)(*p - '0');
		if (*count > NUMBER_SPEC_MAX)
			*count = NUMBER_SPEC_MAX + 1;
	}
	return p;
}

static bool *find_flag(struct number_spec *spec, char c)
{
	switch (c) {
	case '-':
		return &spec->left;
	case '+':
		return &spec->plus;
	case ' ':
		return &spec->space;
	case '#':
		return &spec->alternative;
	case '0':
		return &spec->zero;
	default:
		return NULL;
	}
}

/* Reads the flags, width, precision and conversion that follow a %. */
static bool read_conversion(const char **format, struct number_spec *spec, const char **reason)
{
	const char *p = *format;
	for (bool *flag = find_flag(spec, *p); flag != NULL; flag = find_flag(spec, *++p))
		*flag = true;
	p = read_count(p, &spec->width);
	if (spec->width > NUMBER_SPEC_MAX)
		return refuse(reason, "a width above 1000");
	spec->has_precision = *p == '.';
	if (spec->has_precision)
		p = read_count(p + 1, &spec->precision);
	if (spec->precision > NUMBER_SPEC_MAX)
		return refuse(reason, "a precision above 1000");
	if (*p == '\0')
		return refuse(reason, "ends within its conversion (%% is a percent sign)");
	if (*p == '*')
		return refuse(reason, "width and precision must be numbers, not '*'");
	if (strchr("hlLqjzt", *p) != NULL)
		return refuse(reason, "a length modifier, which no conversion needs here");
	if (strchr("fFeEgGdi", *p) == NULL)
		return refuse(reason, "no conversion but %f, %e, %g and %d is known");
	spec->upper = *p == 'F' || *p == 'E' || *p == 'G';
	spec->conversion = *p == 'i' ? 'd' : spec->upper ? (char)(*p | 0x20) : *p;
	if (!spec->has_precision)
		spec->precision = spec->conversion == 'd' ? 1 : 6;
	*format = p + 1;
	return true;
}

bool number_spec_parse(const char *format, struct number_spec *spec, const char **reason)
{
	*spec = (struct number_spec){.left = false};
	if (strlen(format) > NUMBER_SPEC_MAX)
		return refuse(reason, "longer than 1000 bytes");
	const char *p = copy_text(format, spec->text, &spec->before_size);
	if (*p == '\0')
		return refuse(reason, "no conversion such as %.2f in it (for the field delimiter, see -d)");
	p++;
	if (!read_conversion(&p, spec, reason))
		return false;
	p = copy_text(p, spec->text + spec->before_size, &spec->after_size);
	if (*p != '\0')
		return refuse(reason, "more than one conversion (%% is a percent sign)");
	return true;
}

bool number_spec_is_integer(const struct number_spec *spec)
{
	return spec->conversion == 'd';
}

size_t number_spec_size_max(const struct number_spec *spec)
{
	const size_t body = BODY_MAX + spec->precision;
	/* A body is written before it is moved to fill the width, and it is written in words of eight bytes. */
	return spec->before_size + spec->after_size + (spec->width > body ? spec->width : body) + NUMBER_TEXT_MAX;
}

/* A result: its sign and its body, the text after the sign. */
struct body {
	char *text; /* The body. */
	size_t size; /* Bytes of the body. */
	size_t sign_size; /* Bytes of the sign before the body: 0 or 1. */
	bool is_word; /* The body is inf or nan, which is not padded with zeros. */
};

/* Writes the sign. Call it before the body is written. */
static void put_sign(const struct number_spec *spec, struct body *b, bool negative)
{
	*b->text = negative ? '-' : spec->plus ? '+' : ' ';
	b->sign_size = negative || spec->plus || spec->space;
	b->text += b->sign_size;
}

static void put_point_and_zeros(const struct number_spec *spec, struct body *b, bool has_point, size_t zeros)
{
	if (!has_point && (zeros > 0 || spec->alternative))
		b->text[b->size++] = '.';
	memset(b->text + b->size, '0', zeros);
	b->size += zeros;
}

/* Pads the integer of a d conversion with zeros to `precision` digits. With precision 0, the number 0 has no digits. */
static void pad_integer(const struct number_spec *spec, struct body *b)
{
	if (spec->precision == 0 && b->size == 1 && b->text[0] == '0')
		b->size = 0;
	if (b->size >= spec->precision)
		return;
	const size_t zeros = spec->precision - b->size;
	memmove(b->text + zeros, b->text, b->size);
	memset(b->text, '0', zeros);
	b->size += zeros;
}

/* Writes a mantissa's magnitude, which has `scale` digits after the point, rounded to the digits that are shown. */
static void put_decimal(const struct number_spec *spec, struct body *b, uint128 magnitude, unsigned scale)
{
	const bool is_integer = spec->conversion == 'd';
	const size_t places = is_integer ? 0 : spec->precision;
	if (places < scale) {
		const uint64_t divisor = power_of_ten_u64[scale - (unsigned)places];
		const uint64_t half = divisor / 2;
		/* Most magnitudes fit 64 bits, which are divided much faster. */
		const uint128 quotient = magnitude >> 64 == 0 ? (uint64_t)magnitude / divisor : magnitude / divisor;
		const uint64_t rest = (uint64_t)(magnitude - quotient * divisor);
		magnitude = quotient + (rest > half || (rest == half && (quotient & 1) != 0));
		scale = (unsigned)places;
	}
	if (magnitude <= (uint128)INT64_MAX) {
		b->size = scale == 0 ? put_u64(b->text, (uint64_t)magnitude)
				     : put_point(b->text, (uint64_t)magnitude, scale);
	} else { /* Formatted as a negative number, because i128 has -2^127 but not 2^127. */
		char text[DECIMAL_TEXT_MAX];
		const union value v = decimal_wide((int128)(0 - magnitude));
		b->size = decimal_format(text, &v, &type_table[TYPE_I128], scale) - 1;
		memcpy(b->text, text + 1, b->size);
	}
	if (is_integer)
		pad_integer(spec, b);
	else
		put_point_and_zeros(spec, b, scale > 0, places - scale);
}

/* Writes a magnitude with the C library, which applies the precision and #. */
static void put_by_library(const struct number_spec *spec, struct body *b, long double magnitude)
{
	const size_t room = BODY_MAX + spec->precision;
	const int precision = (int)spec->precision;
	int size = 0;
	if (spec->conversion == 'd')
		size = snprintf(b->text, room, "%.0Lf", magnitude);
	else if (spec->conversion == 'f')
		size = spec->alternative ? snprintf(b->text, room, "%#.*Lf", precision, magnitude)
					 : snprintf(b->text, room, "%.*Lf", precision, magnitude);
	else if (spec->conversion == 'e')
		size = spec->alternative ? snprintf(b->text, room, "%#.*Le", precision, magnitude)
					 : snprintf(b->text, room, "%.*Le", precision, magnitude);
	else
		size = spec->alternative ? snprintf(b->text, room, "%#.*Lg", precision, magnitude)
					 : snprintf(b->text, room, "%.*Lg", precision, magnitude);
	b->size = size < 0 ? 0 : (size_t)size;
	if (spec->conversion == 'd')
		pad_integer(spec, b);
	char *exponent = memchr(b->text, 'e', b->size);
	if (spec->upper && exponent != NULL)
		*exponent = 'E';
}

/* Rounds a magnitude half to even to `places` digits after the point. *integer is the part before the point, *fraction
 * the digits after it. False if 128 bits are not enough. */
static bool split_f64(double magnitude, unsigned places, uint64_t *integer, uint64_t *fraction)
{
	const uint64_t bits = f64_bits(magnitude);
	const int exponent = (int)(bits >> 52);
	const uint64_t c = (bits & ((UINT64_C(1) << 52) - 1)) | (uint64_t)(exponent > 0) << 52;
	const int q = (exponent > 0 ? exponent : 1) - 1075;
	*fraction = 0;
	if (q > 10)
		return false;
	if (q >= 0) {
		*integer = c << q;
		return true;
	}
	const int s = -q;
	*integer = s < 64 ? c >> s : 0;
	if (s >= 128) /* c * 10^18 is below 2^113, so the fraction is less than half of its last digit. */
		return true;
	const uint128 product = (uint128)(s < 64 ? c & ((UINT64_C(1) << s) - 1) : c) * power_of_ten_u64[places];
	const uint128 half = (uint128)1 << (s - 1);
	const uint128 rest = product & (half + (half - 1));
	*fraction = (uint64_t)(product >> s);
	const uint64_t last = places == 0 ? *integer : *fraction;
	if (rest > half || (rest == half && (last & 1) != 0))
		++*fraction;
	if (*fraction == power_of_ten_u64[places]) { /* The fraction was rounded up to 1. */
		++*integer;
		*fraction = 0;
	}
	return true;
}

static void put_float(const struct number_spec *spec, struct body *b, double value)
{
	const double magnitude = fabs(value);
	const size_t places = spec->conversion == 'd' ? 0 : spec->precision;
	uint64_t integer;
	uint64_t fraction;
	put_sign(spec, b, signbit(value) != 0 && !isnan(value));
	b->is_word = !isfinite(value);
	if (b->is_word) {
		const char *word = isnan(value) ? spec->upper ? "NAN" : "nan" : spec->upper ? "INF" : "inf";
		memcpy(b->text, word, 3);
		b->size = 3;
		return;
	}
	if ((spec->conversion != 'f' && spec->conversion != 'd') || places > 18 ||
	    !split_f64(magnitude, (unsigned)places, &integer, &fraction)) {
		put_by_library(spec, b, (long double)magnitude);
		return;
	}
	b->size = put_u64(b->text, integer);
	if (spec->conversion == 'd') {
		pad_integer(spec, b);
	} else if (places == 0) {
		put_point_and_zeros(spec, b, false, 0);
	} else {
		b->text[b->size] = '.';
		put_fixed(b->text + b->size + 1, fraction, (unsigned)places);
		b->size += 1 + places;
	}
}

/* Long doubles can represent this many significant digits. */
#define LONG_DOUBLE_DIGITS 18

/* Returns the long double nearest to a mantissa with `scale` digits after the point. If at most LONG_DOUBLE_DIGITS
 * digits are shown, the mantissa is first rounded half to even to these digits, so the C library has nothing left to
 * round. */
static long double to_long_double(const struct number_spec *spec, uint128 magnitude, unsigned scale)
{
	const size_t shown = spec->conversion == 'e' ? spec->precision + 1 : spec->precision > 0 ? spec->precision : 1;
	int dropped = 0;
	uint128 unit = 1;
	uint128 kept = magnitude;
	while (shown <= LONG_DOUBLE_DIGITS && kept >= power_of_ten_u64[shown]) {
		unit *= 10;
		kept = magnitude / unit;
		dropped++;
	}
	if (dropped > 0) {
		char rounded[64];
		const uint128 rest = magnitude - kept * unit;
		kept += rest > unit / 2 || (rest == unit / 2 && (kept & 1) != 0);
		(void)snprintf(rounded, sizeof rounded, "%" PRIu64 "e%d", (uint64_t)kept, dropped - (int)scale);
		return strtold(rounded, NULL);
	}
	char text[DECIMAL_TEXT_MAX + 1];
	const union value v = decimal_wide((int128)(0 - magnitude));
	text[decimal_format(text, &v, &type_table[TYPE_I128], scale)] = '\0';
	return fabsl(strtold(text, NULL));
}

/* Writes an integer or mantissa that is given as 128 bits in two's complement. */
static void put_integer(const struct number_spec *spec, struct body *b, uint128 bits, bool negative, unsigned scale)
{
	const uint128 magnitude = negative ? 0 - bits : bits;
	put_sign(spec, b, negative);
	if (spec->conversion == 'e' || spec->conversion == 'g')
		put_by_library(spec, b, to_long_double(spec, magnitude, scale));
	else
		put_decimal(spec, b, magnitude, scale);
}

static void put_value(const struct number_spec *spec, struct body *b, const struct type *t, unsigned scale,
		      const union value *v)
{
	const bool is_wide = t->id == TYPE_I128;
	if (t->kind == KIND_FLOAT) {
		put_float(spec, b, t->id == TYPE_F32 ? (double)v->f32 : v->f64);
		return;
	}
	const uint64_t low = is_wide ? v->i128.lo : type_integer(t, v);
	const bool negative = t->kind == KIND_SIGNED && (is_wide ? v->i128.hi : low) >> 63 != 0;
	const uint64_t high = is_wide ? v->i128.hi : negative ? UINT64_MAX : 0;
	put_integer(spec, b, (uint128)high << 64 | low, negative, is_wide || t->id == TYPE_I64 ? scale : 0);
}

/* Pads sign and body to the width, in place. Returns the bytes of the result. */
static size_t pad(const struct number_spec *spec, char *start, size_t sign_size, size_t size, bool zeros)
{
	if (size >= spec->width)
		return size;
	const size_t missing = spec->width - size;
	if (spec->left) {
		memset(start + size, ' ', missing);
	} else {
		char *from = zeros ? start + sign_size : start;
		memmove(from + missing, from, size - (size_t)(from - start));
		memset(from, zeros ? '0' : ' ', missing);
	}
	return spec->width;
}

size_t number_spec_write(char *out, const struct number_spec *spec, const struct type *t, unsigned scale,
			 const union value *value)
{
	char *start = out + spec->before_size;
	struct body b = {.text = start};
	memcpy(out, spec->text, spec->before_size);
	put_value(spec, &b, t, scale, value);
	/* As in C, the flag 0 is ignored for a d conversion that has a precision. */
	const bool zeros = spec->zero && !b.is_word && !(spec->conversion == 'd' && spec->has_precision);
	const size_t size = pad(spec, start, b.sign_size, b.sign_size + b.size, zeros);
	memcpy(start + size, spec->text + spec->before_size, spec->after_size);
	return spec->before_size + size + spec->after_size;
}
