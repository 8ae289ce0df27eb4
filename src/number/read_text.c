/* Numbers that are read one by one are read in steps of eight digits, and one partial step at the end.
 *
 * The speed of a run is limited by the chain of operations from the start of one token to the start of the next. This
 * chain is kept short: load, find the first white space, add. Everything else is done beside it: checking that the
 * bytes are a number, and computing its value. For the value the digits are read again, ending at the token's end,
 * which needs readable bytes before the token. So the first and last tokens of the bytes are read by decimal_scan or
 * number_scan. */
#include "number/read_text.h"

#include "number/quick.h"

/* Appends the digits from p on to *value (modulo 2^64) and returns where they end. Reads whole words, so it may pass
 * end; the value is then meaningless and the result is after end. */
static const char *walk_digits(const char *p, const char *end, uint64_t *value)
{
	while (p < end) {
		const uint64_t word = digits_load(p);
		const uint64_t foreign = digits_foreign(word);
		if (foreign != 0) {
			const unsigned count = (unsigned)__builtin_ctzll(foreign) / 8;
			if (count > 0)
				*value = *value * power_of_ten_u64[count] + digits_value8(word << (64 - 8 * count));
			return p + count;
		}
		*value = *value * 100000000 + digits_value8(word);
		p += 8;
	}
	return p;
}

/* A number of the form [+-]digits[.digits], with at least one digit. */
struct plain {
	bool negative;
	const char *digits; /* The first digit, or the point before it. */
	ptrdiff_t integer_digits, fraction_digits;
	uint64_t value; /* The value of all digits without the point, modulo 2^64. */
	const char *stop;
};

static bool read_plain(const char *p, const char *end, struct plain *plain)
{
	*plain = (struct plain){.negative = *p == '-'};
	if (*p == '-' || *p == '+')
		p++;
	plain->digits = p;
	plain->stop = walk_digits(p, end, &plain->value);
	plain->integer_digits = plain->stop - p;
	if (plain->stop < end && *plain->stop == '.') {
		const char *fraction = plain->stop + 1;
		plain->stop = walk_digits(fraction, end, &plain->value);
		plain->fraction_digits = plain->stop - fraction;
	}
	return plain->stop <= end && plain->integer_digits + plain->fraction_digits > 0;
}

bool decimal_scan(const char *p, const char *end, unsigned scale, int64_t *mantissa, const char **token_end)
{
	struct plain t;
	uint64_t m;
	if (!read_plain(p, end, &t) || t.fraction_digits > (ptrdiff_t)scale ||
	    t.integer_digits + t.fraction_digits > 19 ||
	    __builtin_mul_overflow(t.value, power_of_ten_u64[(ptrdiff_t)scale - t.fraction_digits], &m) ||
	    m > (uint64_t)INT64_MAX + t.negative)
		return false;
	*mantissa = (int64_t)(t.negative ? 0 - m : m);
	*token_end = t.stop;
	return true;
}

/* Reads a decimal integer whose magnitude is below 2^64: all of *q but its numbers of digits. */
static bool read_integer(const char *p, const char *end, struct quick *q)
{
	*q = (struct quick){.negative = *p == '-'};
	if (q->negative || *p == '+')
		p++;
	q->stop = walk_digits(p, end, &q->value);
	const ptrdiff_t count = q->stop - p;
	/* 20 digits fit if the first is 1 and the value has not wrapped around. */
	return count > 0 && q->stop <= end && count <= 20 &&
	       (count < 20 || (*p == '1' && q->value >= power_of_ten_u64[19]));
}

bool number_scan_i64(const char *p, const char *end, int64_t *value, const char **token_end)
{
	struct quick q;
	int64_t integer;
	if (!read_integer(p, end, &q) || !i64_of(&q, &integer))
		return false;
	*value = integer;
	*token_end = q.stop;
	return true;
}

bool number_scan_u64(const char *p, const char *end, uint64_t *value, const char **token_end)
{
	struct quick q;
	if (!read_integer(p, end, &q) || (q.negative && q.value != 0))
		return false;
	*value = q.value;
	*token_end = q.stop;
	return true;
}

/* Returns the number of digits without leading zeros, if it matters: a count up to 19 may include leading zeros. */
static ptrdiff_t significant_digits(const struct plain *t)
{
	ptrdiff_t count = t->integer_digits + t->fraction_digits;
	for (const char *p = t->digits; count > 19 && (*p == '0' || *p == '.'); p++)
		count -= *p == '0';
	return count;
}

/* Reads [+-]digits at p, 1 to 4 digits, into *exponent. Returns where they end, or NULL if there is anything else. */
static const char *read_exponent(const char *p, const char *end, int64_t *exponent)
{
	uint64_t value = 0;
	const bool negative = p < end && *p == '-';
	if (p < end && (*p == '-' || *p == '+'))
		p++;
	const char *stop = walk_digits(p, end, &value);
	if (stop == p || stop > end || stop - p > 4)
		return NULL;
	*exponent = negative ? -(int64_t)value : (int64_t)value;
	return stop;
}

static inline bool scan_float(const char *p, const char *end, const struct float_format *f, uint64_t *bits,
			      const char **token_end)
{
	struct plain t;
	int64_t exponent = 0;
	if (!read_plain(p, end, &t) || significant_digits(&t) > 19)
		return false;
	if (t.stop < end && (*t.stop | 0x20) == 'e') {
		t.stop = read_exponent(t.stop + 1, end, &exponent);
		if (t.stop == NULL)
			return false;
	}
	const uint64_t magnitude = number_float_bits(f, t.value, exponent - t.fraction_digits);
	if (magnitude == float_infinity(f))
		return false;
	const uint64_t sign = float_infinity(f) + (UINT64_C(1) << f->significand_bits); /* the bit above the exponent */
	*bits = magnitude | (t.negative ? sign : 0);
	*token_end = t.stop;
	return true;
}

bool number_scan_f32(const char *p, const char *end, float *value, const char **token_end)
{
	uint64_t bits;
	if (!scan_float(p, end, &float_format_f32, &bits, token_end))
		return false;
	*value = f32_from_bits((uint32_t)bits);
	return true;
}

bool number_scan_f64(const char *p, const char *end, double *value, const char **token_end)
{
	uint64_t bits;
	if (!scan_float(p, end, &float_format_f64, &bits, token_end))
		return false;
	*value = f64_from_bits(bits);
	return true;
}

/* Counts a token that ends at stop and moves past the white space byte after it. False if there is no such byte. */
static inline bool end_token(const char *stop, const char *end, struct number_run *run)
{
	if (stop >= end || (*stop != ' ' && (*stop < '\t' || *stop > '\r')))
		return false;
	run->next = stop + 1;
	run->count++;
	return true;
}

#define FIFTEENS 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15, 15
const char digits_last[48] = {[16] = FIFTEENS, FIFTEENS};

/* Bytes that the fast way reads before a token's start, and from its start on. */
#define QUICK_BEFORE NUMBER_TOKEN_BEFORE
#define QUICK_AFTER NUMBER_TOKEN_AFTER

/* Returns the value of the first `count` digits (1 .. 3) at p. A point after `integer` digits is skipped. */
static uint64_t leading_digits(const char *p, unsigned count, unsigned integer)
{
	uint64_t value = 0;
	for (; count > 0; count--, integer--) {
		p += integer == 0;
		value = value * 10 + (uint64_t)(*p++ - '0');
	}
	return value;
}

/* Returns the kinds of the 32 bytes at p. `first` has those of the first sixteen. */
static inline struct digits_shape look_further(const char *p, struct digits_shape first)
{
	const struct digits_shape more = digits_look(p + 16);
	first.spaces |= more.spaces << 16;
	first.digits |= more.digits << 16;
	first.points |= more.points << 16;
	return first;
}

/* Reads the token of `size` bytes (less than 32) at p. `inside` has a bit set for each of them. False if the token has
 * another form or more than 19 digits. */
static inline __attribute__((always_inline)) bool read_shape(const char *p, unsigned size, unsigned inside,
							     struct digits_shape shape, bool points_allowed,
							     struct quick *quick)
{
	const unsigned sign = (unsigned)(*p == '-') | (unsigned)(*p == '+');
	const unsigned points = points_allowed ? shape.points & inside : 0;
	if ((inside & ~(shape.digits | points | sign)) != 0 || (points & (points - 1)) != 0)
		return false;
	const bool point = points != 0;
	quick->negative = *p == '-';
	quick->stop = p + size;
	quick->count = size - sign - point;
	quick->fraction = point ? size - 1 - (unsigned)__builtin_ctz(points) : 0;
	if (quick->count > 16) {
		if (quick->count > 19)
			return false;
		const unsigned last = quick->fraction < 16 ? quick->fraction : 16;
		quick->value = leading_digits(p + sign, quick->count - 16, quick->count - quick->fraction) *
				       power_of_ten_u64[16] +
			       digits_value16(quick->stop, 16, point, last);
		return true;
	}
	quick->value = digits_value16(quick->stop, quick->count, point, quick->fraction);
	return quick->count > 0;
}

/* Reads the token at p up to white space. False if the token has another form or more than 31 bytes. */
static inline bool read_quick(const char *p, bool points_allowed, struct quick *quick)
{
	struct digits_shape shape = digits_look(p);
	if (shape.spaces == 0) {
		shape = look_further(p, shape);
		if (shape.spaces == 0)
			return false;
	}
	const unsigned inside = ~shape.spaces & (shape.spaces - 1);
	return read_shape(p, (unsigned)__builtin_ctz(shape.spaces), inside, shape, points_allowed, quick);
}

/* Reads the token of `size` bytes at p, whatever follows it. False as read_shape, or if it has more than 31 bytes. */
static inline __attribute__((always_inline)) bool read_sized(const char *p, size_t size, bool points_allowed,
							     struct quick *quick)
{
	struct digits_shape shape = digits_look(p);
	if (size > 16)
		shape = look_further(p, shape);
	return size < 32 && read_shape(p, (unsigned)size, (1u << size) - 1, shape, points_allowed, quick);
}

/* Returns the number of positions, from begin + QUICK_BEFORE on, at which a token may begin for the fast way. */
static inline size_t quick_places(const char *begin, const char *end)
{
	return end - begin > QUICK_BEFORE + QUICK_AFTER ? (size_t)(end - begin) - QUICK_BEFORE - QUICK_AFTER : 0;
}

/* Whether next is one of these positions. One comparison is enough, as an earlier position wraps to a huge number. */
static inline bool is_quick(const char *next, const char *begin, size_t places)
{
	return (size_t)(next - begin) - QUICK_BEFORE < places;
}

static inline bool decimal_of(const struct quick *q, unsigned scale, int64_t *mantissa)
{
	if (q->fraction > scale || q->count - q->fraction + scale > 18)
		return false;
	*mantissa = signed_value(q->value * power_of_ten_u64[scale - q->fraction], q->negative);
	return true;
}

bool decimal_scan_own(const char *p, size_t size, unsigned *scale, int64_t *mantissa)
{
	struct quick q;
	return read_sized(p, size, true, &q) && quick_is_decimal(&q, scale, mantissa);
}

/* Returns the number of digits after the point of [+-]digits[.digits]. */
static unsigned fraction_size(const char *p, const char *end)
{
	const char *point = memchr(p, '.', (size_t)(end - p));
	return point != NULL ? (unsigned)(end - point - 1) : 0;
}

struct number_run decimal_scan_run(const char *begin, const char *p, const char *end, unsigned scale,
				   int64_t *mantissas, unsigned char *scales, size_t limit)
{
	struct number_run run = {.next = p};
	const char *stop;
	int64_t mantissa;
	const size_t places = quick_places(begin, end);
	while (run.count < limit && run.next < end) {
		struct quick q;
		if (is_quick(run.next, begin, places) && read_quick(run.next, true, &q) &&
		    decimal_of(&q, scale, &mantissa))
			stop = q.stop;
		else if (decimal_scan(run.next, end, scale, &mantissa, &stop))
			q.fraction = fraction_size(run.next, stop);
		else
			break;
		if (mantissa == 0 && *run.next == '-')
			break;
		mantissas[run.count] = mantissa;
		scales[run.count] = (unsigned char)q.fraction;
		if (!end_token(stop, end, &run))
			break;
	}
	return run;
}

#define POINTS_i64 false
#define POINTS_u64 false
#define POINTS_f32 true
#define POINTS_f64 true

/* Defines number_scan_run for one type. Numbers are read as scan_type and must fit `type`. */
#define DEFINE_RUN(type, scan_type)                                                                              \
	static struct number_run run_##type(const char *begin, const char *p, const char *end, type *values,     \
					    size_t limit)                                                        \
	{                                                                                                        \
		struct number_run run = {.next = p};                                                             \
		const size_t places = quick_places(begin, end);                                                  \
		const char *stop;                                                                                \
		scan_type value;                                                                                 \
		struct quick q;                                                                                  \
		while (run.count < limit && run.next < end) {                                                    \
			if (is_quick(run.next, begin, places) && read_quick(run.next, POINTS_##scan_type, &q) && \
			    scan_type##_of(&q, &value))                                                          \
				stop = q.stop;                                                                   \
			else if (!number_scan_##scan_type(run.next, end, &value, &stop))                         \
				break;                                                                           \
			values[run.count] = (type)value;                                                         \
			if ((scan_type)(type)value != value || !end_token(stop, end, &run))                      \
				break;                                                                           \
		}                                                                                                \
		return run;                                                                                      \
	}

DEFINE_RUN(i8, i64)
DEFINE_RUN(i16, i64)
DEFINE_RUN(i32, i64)
DEFINE_RUN(i64, i64)
DEFINE_RUN(u8, u64)
DEFINE_RUN(u16, u64)
DEFINE_RUN(u32, u64)
DEFINE_RUN(u64, u64)
DEFINE_RUN(f32, f32)
DEFINE_RUN(f64, f64)
#define RUN_OF(ID, type) \
	case TYPE_##ID:  \
		return run_##type(begin, p, end, values, limit);

struct number_run number_scan_run(const char *begin, const char *p, const char *end, const struct type *t, void *values,
				  size_t limit)
{
	switch (t->id) {
		RUN_OF(I8, i8)
		RUN_OF(I16, i16)
		RUN_OF(I32, i32)
		RUN_OF(I64, i64)
		RUN_OF(U8, u8)
		RUN_OF(U16, u16)
		RUN_OF(U32, u32)
		RUN_OF(U64, u64)
		RUN_OF(F32, f32)
		RUN_OF(F64, f64)
	case TYPE_I128:
	case TYPE_COUNT:
		break;
	}
	return (struct number_run){.next = p};
}

bool number_scan(const char *p, const char *end, const struct type *t, union value *value, const char **token_end)
{
	uint64_t bits = 0;
	int64_t integer = 0;
	if (t->id == TYPE_F32)
		return number_scan_f32(p, end, &value->f32, token_end);
	if (t->id == TYPE_F64)
		return number_scan_f64(p, end, &value->f64, token_end);
	if (t->kind == KIND_SIGNED)
		return number_scan_i64(p, end, &integer, token_end) && put_fitting(t, (uint64_t)integer, value);
	return number_scan_u64(p, end, &bits, token_end) && put_fitting(t, bits, value);
}

bool number_scan_token(const char *p, size_t size, const struct type *t, union value *value)
{
	struct quick q;
	if (!read_sized(p, size, t->kind == KIND_FLOAT, &q))
		return false;
	return quick_convert(&q, t, value);
}
