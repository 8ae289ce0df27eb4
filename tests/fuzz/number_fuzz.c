/* Numbers as text: number_parse and decimal_parse against the grammar, written down here once more, and libc's strto*;
 * and whatever number_format and decimal_format write, read back.
 *
 * First byte: what is done with the rest. */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <strings.h>

#include "number/decimal.h"
#include "fuzz.h"
#include "number/parse.h"
#include "number/write.h"

#define TOKEN_MAX 4096
#define LIMBS 4

/* What the grammar in number/parse.h says of a token. */
struct token {
	const char *text; /* with a NUL behind it */
	size_t size;
	bool is_number, is_integer, is_hex, is_word;
	bool has_exponent;
	size_t fraction_digits;
};

static size_t digits_at(const char *p)
{
	size_t n = 0;
	while (p[n] >= '0' && p[n] <= '9')
		n++;
	return n;
}

static struct token classify(const char *text, size_t size)
{
	struct token t = {.text = text, .size = size};
	const char *end = text + size;
	const char *p = text + (*text == '+' || *text == '-');
	if (strlen(text) != size)
		return t; /* it has a NUL */
	if (strcasecmp(p, "inf") == 0 || strcasecmp(p, "infinity") == 0 || strcasecmp(p, "nan") == 0) {
		t.is_number = t.is_word = true;
		return t;
	}
	if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X')) {
		size_t n = 2;
		while (isxdigit((unsigned char)p[n]))
			n++;
		t.is_integer = t.is_hex = n > 2 && p + n == end;
		return t;
	}
	const size_t before = digits_at(p);
	p += before;
	const bool point = *p == '.';
	if (point)
		t.fraction_digits = digits_at(++p);
	p += t.fraction_digits;
	if (before + t.fraction_digits == 0)
		return t;
	if (*p == 'e' || *p == 'E') {
		p++;
		p += *p == '+' || *p == '-';
		const size_t n = digits_at(p);
		if (n == 0)
			return t;
		t.has_exponent = true;
		p += n;
	}
	t.is_number = p == end;
	t.is_integer = t.is_number && !point && !t.has_exponent;
	return t;
}

/* --- Parsing */

static bool same_f64(double a, double b)
{
	return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static bool same_f32(float a, float b)
{
	return (isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof a) == 0;
}

static void check_float(const struct token *t, enum number_result result, enum type_id type, const union value *value)
{
	if (!t->is_number) {
		REQUIRE(result == NUMBER_INVALID, "\"%s\" is taken as a number", t->text);
		return;
	}
	const double wide = strtod(t->text, NULL);
	const float narrow = strtof(t->text, NULL);
	const bool overflow = !t->is_word && (type == TYPE_F32 ? isinf(narrow) : isinf(wide));
	REQUIRE(result == (overflow ? NUMBER_RANGE : NUMBER_OK), "\"%s\": %d", t->text, (int)result);
	if (overflow)
		return;
	if (type == TYPE_F32)
		REQUIRE(same_f32(value->f32, narrow), "\"%s\": %a, strtof has %a", t->text, (double)value->f32,
			(double)narrow);
	else
		REQUIRE(same_f64(value->f64, wide), "\"%s\": %a, strtod has %a", t->text, value->f64, wide);
}

static int64_t signed_value(enum type_id type, const union value *v)
{
	return type == TYPE_I8 ? v->i8 : type == TYPE_I16 ? v->i16 : type == TYPE_I32 ? v->i32 : v->i64;
}

static uint64_t unsigned_value(enum type_id type, const union value *v)
{
	return type == TYPE_U8 ? v->u8 : type == TYPE_U16 ? v->u16 : type == TYPE_U32 ? v->u32 : v->u64;
}

static void check_integer(const struct token *t, enum number_result result, const struct type *type,
			  const union value *value)
{
	if (!t->is_integer) {
		REQUIRE(result == NUMBER_INVALID, "\"%s\" is taken as an integer", t->text);
		return;
	}
	const int base = t->is_hex ? 16 : 10;
	const unsigned bits = (unsigned)type->size * 8;
	bool fits;
	errno = 0;
	if (type->kind == KIND_SIGNED) {
		const long long want = strtoll(t->text, NULL, base);
		const long long greatest = (long long)(UINT64_MAX >> (65 - bits));
		fits = errno == 0 && want <= greatest && want >= -greatest - 1;
		if (fits && result == NUMBER_OK)
			REQUIRE(signed_value(type->id, value) == want, "\"%s\" as %s", t->text, type->name);
	} else {
		/* strtoull negates what has a minus sign. */
		const bool negative = t->text[0] == '-';
		const unsigned long long want = strtoull(t->text + negative, NULL, base);
		fits = errno == 0 && want <= UINT64_MAX >> (64 - bits) && (!negative || want == 0);
		if (fits && result == NUMBER_OK)
			REQUIRE(unsigned_value(type->id, value) == want, "\"%s\" as %s", t->text, type->name);
	}
	REQUIRE(result == (fits ? NUMBER_OK : NUMBER_RANGE), "\"%s\" as %s: %d", t->text, type->name, (int)result);
}

static void check_parse(const struct token *t, const struct type *type)
{
	char *exact = fuzz_copy(t->text, t->size);
	union value value;
	memset(&value, 0x5a, sizeof value);
	const union value untouched = value;
	const enum number_result result = number_parse(exact, t->size, type, &value);
	free(exact);
	if (result != NUMBER_OK)
		REQUIRE(memcmp(&value, &untouched, sizeof value) == 0, "\"%s\": the value was touched", t->text);
	if (type->kind == KIND_FLOAT)
		check_float(t, result, type->id, &value);
	else
		check_integer(t, result, type, &value);
}

/* --- Exact decimals */

/* The token's digits as one integer of 256 bits, least limb first. False if it has more. */
static bool mantissa_of(const struct token *t, uint64_t limbs[LIMBS])
{
	memset(limbs, 0, LIMBS * sizeof *limbs);
	for (size_t i = 0; i < t->size; i++) {
		if (t->text[i] < '0' || t->text[i] > '9')
			continue;
		unsigned __int128 carry = (unsigned)(t->text[i] - '0');
		for (int k = 0; k < LIMBS; k++) {
			carry += (unsigned __int128)limbs[k] * 10;
			limbs[k] = (uint64_t)carry;
			carry >>= 64;
		}
		if (carry != 0)
			return false;
	}
	return true;
}

static __int128 as_int128(const union value *v)
{
	return (__int128)((unsigned __int128)v->i128.hi << 64 | v->i128.lo);
}

/* The mantissa at a scale in both types, its text and its f64. */
static void check_mantissa(const struct token *t, const struct decimal *d, unsigned scale)
{
	const unsigned __int128 magnitude = d->magnitude;
	const unsigned __int128 limit = ((unsigned __int128)1 << 127) - !d->negative; /* the greatest magnitude */
	unsigned __int128 scaled = magnitude;
	bool fits = !d->huge;
	for (unsigned i = d->scale; i < scale && fits; i++)
		fits = !__builtin_mul_overflow(scaled, 10, &scaled);
	fits = fits && scaled <= limit;
	const __int128 want = (__int128)(d->negative ? 0 - scaled : scaled);
	const bool fits_64 = fits && want == (int64_t)want;
	union value wide, narrow;
	REQUIRE(decimal_mantissa(d, scale, &type_table[TYPE_I128], &wide) == fits, "\"%s\" at %u", t->text, scale);
	REQUIRE(decimal_mantissa(d, scale, &type_table[TYPE_I64], &narrow) == fits_64, "\"%s\" at %u", t->text, scale);
	if (fits_64)
		REQUIRE(narrow.i64 == (int64_t)want, "\"%s\" at %u in 64 bits", t->text, scale);
	if (!fits)
		return;
	REQUIRE(as_int128(&wide) == want, "\"%s\" at %u in 128 bits", t->text, scale);
	REQUIRE(decimal_fits_i64(&wide) == fits_64, "\"%s\" at %u", t->text, scale);
	const double f = decimal_to_f64(&wide, &type_table[TYPE_I128], scale);
	const double f_want = strtod(t->text, NULL);
	REQUIRE(want == 0 ? f == 0 : same_f64(f, f_want), "\"%s\": %a, strtod has %a", t->text, f, f_want);

	char text[DECIMAL_TEXT_MAX + 1];
	struct decimal back;
	union value again;
	const size_t size = decimal_format(text, &wide, &type_table[TYPE_I128], scale);
	REQUIRE(size <= DECIMAL_TEXT_MAX, "%zu bytes", size);
	text[size] = '\0';
	REQUIRE(decimal_parse(text, size, &back) && back.scale == scale && !back.is_float,
		"\"%s\" is written as \"%s\"", t->text, text);
	REQUIRE(decimal_mantissa(&back, scale, &type_table[TYPE_I128], &again) && as_int128(&again) == want,
		"\"%s\" is written as \"%s\"", t->text, text);
	if (fits_64) {
		char text_64[DECIMAL_TEXT_MAX];
		const size_t size_64 = decimal_format(text_64, &narrow, &type_table[TYPE_I64], scale);
		REQUIRE(size_64 == size && memcmp(text, text_64, size) == 0, "\"%s\": 64 and 128 bits differ", t->text);
	}
}

/* The digits after the point, less the exponent, which is held to what is far past 128 bits and any token. */
static long scale_of(const struct token *t)
{
	const char *e = strpbrk(t->text, "eE");
	const long exponent = e != NULL ? strtol(e + 1, NULL, 10) : 0;
	const long held = exponent > 1000000 ? 1000000 : exponent < -1000000 ? -1000000 : exponent;
	return (long)t->fraction_digits - held;
}

/* The token's value times 10^scale, the scale brought to 0 .. DECIMAL_SCALE_MAX, as mantissa_of has it. False if it is
 * no integer; *huge if it has more than 128 bits. */
static bool value_of(const struct token *t, unsigned *scale, uint64_t limbs[LIMBS], bool *huge)
{
	const long written = scale_of(t);
	char digits[TOKEN_MAX + 64]; /* and so many zeros are more than 128 bits */
	size_t n = 0;
	for (const char *p = t->text; *p != '\0' && *p != 'e' && *p != 'E'; p++) {
		if (isdigit((unsigned char)*p) && (n > 0 || *p != '0'))
			digits[n++] = *p;
	}
	for (long i = written; i > DECIMAL_SCALE_MAX && n > 0; i--) {
		if (digits[--n] != '0')
			return false;
	}
	for (long i = written; i < 0 && n > 0 && n < sizeof digits; i++)
		digits[n++] = '0';
	*scale = (unsigned)(written < 0 ? 0 : written > DECIMAL_SCALE_MAX ? DECIMAL_SCALE_MAX : written);
	const struct token plain = {.text = digits, .size = n};
	*huge = !mantissa_of(&plain, limbs) || (limbs[3] | limbs[2]) != 0;
	return true;
}

static void check_decimal(const struct token *t, unsigned scale)
{
	char *exact = fuzz_copy(t->text, t->size);
	struct decimal d;
	const bool taken = decimal_parse(exact, t->size, &d);
	free(exact);
	REQUIRE(taken == t->is_number, "\"%s\"", t->text);
	if (!taken)
		return;
	uint64_t limbs[LIMBS];
	unsigned own = 0;
	bool huge = false;
	const bool is_float = t->is_word || !value_of(t, &own, limbs, &huge);
	REQUIRE(d.is_float == is_float, "\"%s\"", t->text);
	if (is_float)
		return;
	REQUIRE(d.scale == own && d.huge == huge, "\"%s\": scale %u", t->text, d.scale);
	REQUIRE(huge || ((uint64_t)d.magnitude == limbs[0] && (uint64_t)(d.magnitude >> 64) == limbs[1]), "\"%s\"",
		t->text);
	REQUIRE(d.negative == (t->text[0] == '-'), "\"%s\"", t->text);
	check_mantissa(t, &d, d.scale);
	if (scale > d.scale)
		check_mantissa(t, &d, scale);
}

/* --- Formatting */

/* The significant digits of a number's text, without zeros at either end; returns how many. */
static size_t significant_digits(const char *text, char digits[NUMBER_TEXT_MAX + 1])
{
	size_t n = 0;
	for (const char *p = text; *p != '\0' && *p != 'e'; p++) {
		if (isdigit((unsigned char)*p) && (n > 0 || *p != '0'))
			digits[n++] = *p;
	}
	while (n > 0 && digits[n - 1] == '0')
		n--;
	digits[n] = '\0';
	return n;
}

static bool reads_back(const char *text, double x, bool narrow)
{
	return narrow ? strtof(text, NULL) == (float)x : strtod(text, NULL) == x;
}

/* The text is the shortest that reads back, and of those the nearest: printf with a digit less does not read back, and
 * with as many has no other digits. */
static void check_shortest(const char *text, double x, bool narrow)
{
	char digits[NUMBER_TEXT_MAX + 1], other_digits[NUMBER_TEXT_MAX + 1];
	char other[64], longer[128];
	const size_t n = significant_digits(text, digits);
	if (n == 0 || !isfinite(x))
		return;
	if (n > 1) {
		(void)snprintf(other, sizeof other, "%.*e", (int)n - 2, x);
		REQUIRE(!reads_back(other, x, narrow), "%s: %s is shorter", text, other);
	}
	(void)snprintf(other, sizeof other, "%.*e", (int)n - 1, x);
	(void)significant_digits(other, other_digits);
	if (!reads_back(other, x, narrow) || strcmp(digits, other_digits) == 0)
		return;
	/* In the middle of two, either will do. */
	(void)snprintf(longer, sizeof longer, "%.*e", (int)n + 39, x);
	const char *behind = longer + (*longer == '-') + n + 1;
	REQUIRE(behind[0] == '5' && strspn(behind + 1, "0") >= 30, "%s: %s is nearer", text, other);
}

static void check_format(const struct type *type, const union value *value)
{
	char text[NUMBER_TEXT_MAX + 1];
	union value back = {.u64 = 0};
	const size_t size = number_format(text, type, value);
	REQUIRE(size > 0 && size <= NUMBER_TEXT_MAX, "%zu bytes", size);
	text[size] = '\0';
	const struct token t = classify(text, size);
	REQUIRE(type->kind == KIND_FLOAT ? t.is_number : t.is_integer, "\"%s\" is written", text);
	REQUIRE(number_parse(text, size, type, &back) == NUMBER_OK, "\"%s\" is written", text);
	check_parse(&t, type);
	if (type->id == TYPE_F64) {
		REQUIRE(same_f64(back.f64, value->f64), "%a is written as \"%s\"", value->f64, text);
		check_shortest(text, value->f64, false);
	} else if (type->id == TYPE_F32) {
		REQUIRE(same_f32(back.f32, value->f32), "%a is written as \"%s\"", (double)value->f32, text);
		check_shortest(text, (double)value->f32, true);
	} else {
		REQUIRE(memcmp(&back, value, type->size) == 0, "\"%s\" is written", text);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const unsigned choice = fuzz_choose(&data, &size);
	if (choice & 1) {
		union value value = {.u64 = 0};
		memcpy(&value, data, size < 8 ? size : 8);
		for (int i = 0; i < TYPE_I128; i++)
			check_format(&type_table[i], &value);
		return 0;
	}
	if (size > TOKEN_MAX)
		return 0;
	char text[TOKEN_MAX + 1];
	memcpy(text, data, size);
	text[size] = '\0';
	const struct token t = classify(text, size);
	for (int i = 0; i < TYPE_I128; i++)
		check_parse(&t, &type_table[i]);
	check_decimal(&t, choice / 2 % (DECIMAL_SCALE_MAX + 1));
	return 0;
}
