/* Numbers are read from running text. Their values are compared with the C library and with 128-bit arithmetic on the
 * digits. Texts that the fast ways must leave to others are not taken. The slack after a text's end lies before an
 * unmapped page, so reading past the slack ends the test.
 *
 * Usage: number_scan_test [VALUES [SEED]]: VALUES random values for each promise. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "number_check.h"
#include "number/read_text.h"

__extension__ typedef __int128 s128;

static const char delimiters[] = "\n \t\r,;";

/* A page whose next one cannot be touched. */
static char *page;
static size_t page_size;

static bool make_page(void)
{
	page_size = (size_t)sysconf(_SC_PAGESIZE);
	page = mmap(NULL, 2 * page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	return page != MAP_FAILED && mprotect(page + page_size, page_size, PROT_NONE) == 0;
}

/* A copy of text with nothing but the slack behind it, which is filled with one byte. */
static const char *place(const char *text, size_t size, char filler)
{
	char *p = page + page_size - NUMBER_SCAN_SLACK - size;
	memcpy(p, text, size);
	memset(p + size, filler, NUMBER_SCAN_SLACK);
	return p;
}

/* A copy of text among digits, and nothing but what may be read around it. */
static const char *place_token(const char *text, size_t size)
{
	char *p = page + page_size - NUMBER_TOKEN_AFTER;
	memset(p - NUMBER_TOKEN_BEFORE, '7', NUMBER_TOKEN_BEFORE + NUMBER_TOKEN_AFTER);
	memcpy(p, text, size < NUMBER_TOKEN_AFTER ? size : NUMBER_TOKEN_AFTER);
	return p;
}

/* A token with a point, sometimes: up to integer_max and fraction_max digits. Sometimes many zeros first. */
static size_t random_digits(char *out, unsigned integer_max, unsigned fraction_max)
{
	char *p = out;
	const unsigned integer_digits = random_below(integer_max + 1);
	const unsigned fraction_digits = random_below(3) == 0 ? 0 : random_below(fraction_max + 1);
	const unsigned zeros = random_below(8) == 0 ? random_below(integer_digits + 1) : 0;
	const unsigned sign = random_below(6);
	if (sign < 2)
		*p++ = sign == 0 ? '-' : '+';
	for (unsigned i = 0; i < integer_digits; i++)
		*p++ = (char)('0' + (i < zeros ? 0 : random_below(10)));
	if (fraction_digits > 0 || integer_digits == 0 || random_below(20) == 0)
		*p++ = '.';
	for (unsigned i = 0; i < fraction_digits || (integer_digits == 0 && i == 0); i++)
		*p++ = (char)('0' + random_below(10));
	*p = '\0';
	return (size_t)(p - out);
}

/* Digit by digit in 128 bits; false if it is past i64. At most 37 digits with scale. */
static bool plain_mantissa(const char *text, unsigned scale, int64_t *mantissa)
{
	s128 m = 0;
	unsigned behind = 0;
	bool point = false;
	for (const char *p = text; *p != '\0'; p++) {
		if (*p == '.')
			point = true;
		if (!isdigit((unsigned char)*p))
			continue;
		m = m * 10 + (*p - '0');
		behind += point;
	}
	if (behind > scale)
		return false;
	for (; behind < scale; behind++)
		m *= 10;
	if (text[0] == '-')
		m = -m;
	*mantissa = (int64_t)m;
	return m >= INT64_MIN && m <= INT64_MAX;
}

static void expect_decimal(const char *text, unsigned scale, bool must_take)
{
	char copy[80];
	int64_t want = 0;
	int64_t got = 42;
	const char *stop = copy;
	const size_t size = strlen(text);
	const bool good = plain_mantissa(text, scale, &want);
	(void)snprintf(copy, sizeof copy, "%s%c", text, delimiters[random_below(6)]);
	/* With its delimiter inside, and with the end right behind it. */
	for (size_t with = 0; with <= 1; with++) {
		const char *p = place(copy, size + with, with != 0 ? '7' : 'x');
		const bool taken = decimal_scan(p, p + size + with, scale, &got, &stop);
		EXPECT(taken || !good || !must_take, "\"%s\" at scale %u is not taken", text, scale);
		EXPECT(!taken || (good && got == want && stop == p + size),
		       "\"%s\" at scale %u: %" PRId64 ", %zd bytes", text, scale, got, stop - p);
		EXPECT(taken || got == 42, "\"%s\" at scale %u: written, but not taken", text, scale);
		got = 42;
	}
}

/* A token at the scale that it is written with. */
static void expect_own_scale(const char *text)
{
	int64_t want = 0;
	int64_t got = 42;
	unsigned own = 42;
	const char *point = strchr(text, '.');
	const size_t size = strlen(text);
	const unsigned scale = point != NULL ? (unsigned)strlen(point + 1) : 0;
	const bool good = plain_mantissa(text, scale, &want) && (want != 0 || text[0] != '-');
	const bool taken = decimal_scan_own(place_token(text, size), size, &own, &got);
	EXPECT(taken || !good || size > 15, "the token \"%s\" is not taken", text);
	EXPECT(!taken || (good && own == scale && got == want), "the token \"%s\": %" PRId64 " at scale %u", text, got,
	       own);
}

static void test_decimals(void)
{
	static const char *const texts[] = {"0",
					    "-0",
					    "+7",
					    "1.5",
					    "-0.000001",
					    "0.123456",
					    "123456.789",
					    "99999999.99999999",
					    "123456789012",
					    "-123456789012345",
					    "1234567890123456",
					    "999999999999999999",
					    "9223372036854775807",
					    "-9223372036854775808",
					    "12345678901.1234567",
					    "9223372036854775808",
					    "-9223372036854775809",
					    "9.223372036854775808",
					    "007.10"};
	char text[64];
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		for (unsigned scale = 0; scale <= 18; scale++)
			expect_decimal(texts[i], scale, true);
		expect_own_scale(texts[i]);
	}
	check_promise("common decimals are taken at every scale that holds them");
	for (unsigned long i = 0; i < random_values; i++) {
		const size_t size = random_digits(text, 1 + random_below(19), 1 + random_below(18));
		expect_decimal(text, random_below(19), size <= 18);
		expect_own_scale(text);
	}
	check_promise("random decimals of any length are exact, or not taken");
}

static void expect_f64(const char *text, bool must_take)
{
	char copy[128];
	const char *stop = copy;
	double got = 42.0;
	const size_t size = strlen(text);
	const double want = strtod(text, NULL);
	(void)snprintf(copy, sizeof copy, "%s%c", text, delimiters[random_below(6)]);
	for (size_t with = 0; with <= 1; with++) {
		const char *p = place(copy, size + with, with != 0 ? '7' : 'x');
		const bool taken = number_scan_f64(p, p + size + with, &got, &stop);
		EXPECT(taken || !must_take || isinf(want), "f64 \"%s\" is not taken", text);
		EXPECT(!taken || (f64_bits(got) == f64_bits(want) && stop == p + size && !isinf(want)),
		       "f64 \"%s\": %a, not %a; %zd bytes", text, got, want, stop - p);
	}
	union value token;
	const bool taken = number_scan_token(place_token(text, size), size, &type_table[TYPE_F64], &token);
	EXPECT(!taken || (f64_bits(token.f64) == f64_bits(want) && !isinf(want)), "the token f64 \"%s\"", text);
}

static void expect_f32(const char *text, bool must_take)
{
	char copy[128];
	const char *stop = copy;
	float got = 42.0F;
	const size_t size = strlen(text);
	const float want = strtof(text, NULL);
	(void)snprintf(copy, sizeof copy, "%s%c", text, delimiters[random_below(6)]);
	for (size_t with = 0; with <= 1; with++) {
		const char *p = place(copy, size + with, with != 0 ? '7' : 'x');
		const bool taken = number_scan_f32(p, p + size + with, &got, &stop);
		EXPECT(taken || !must_take || isinf(want), "f32 \"%s\" is not taken", text);
		EXPECT(!taken || (f32_bits(got) == f32_bits(want) && stop == p + size && !isinf(want)),
		       "f32 \"%s\": %a, not %a; %zd bytes", text, (double)got, (double)want, stop - p);
	}
	union value token;
	const bool taken = number_scan_token(place_token(text, size), size, &type_table[TYPE_F32], &token);
	EXPECT(!taken || (f32_bits(token.f32) == f32_bits(want) && !isinf(want)), "the token f32 \"%s\"", text);
}

/* Decimals that lie half way between two floats, or next to that: 8 digits before and behind the point hold such. */
static void test_halves(void)
{
	char text[64];
	for (unsigned long i = 0; i < random_values; i++) {
		const float x = f32_from_bits(0x3f800000u + (uint32_t)random_below(0x0d000000u));
		const float above = nextafterf(x, INFINITY);
		const double half = ((double)x + (double)above) / 2;
		(void)snprintf(text, sizeof text, "%.8f", half);
		expect_f32(text, true);
		(void)snprintf(text, sizeof text, "%.*f", (int)random_below(8), half);
		expect_f32(text, true);
	}
	check_promise("f32: decimals next to the middle between two floats are rounded once");
}

static void test_floats(void)
{
	static const char *const texts[] = {"0",
					    "-0",
					    "-0.0",
					    "1",
					    "0.1",
					    "3.141592653589793",
					    "1e5",
					    "-1.5E-3",
					    "1.e2",
					    ".5e1",
					    "5.",
					    "0.000001",
					    "123456.789012",
					    "1e308",
					    "5e-324",
					    "1e-400",
					    "0e999",
					    "1e-0005",
					    "9007199254740993",
					    "16777217",
					    "1e+22"};
	char text[128];
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		expect_f64(texts[i], true);
		expect_f32(texts[i], true);
	}
	check_promise("common floats are taken");
	for (unsigned long i = 0; i < random_values; i++) {
		size_t size = random_digits(text, 1 + random_below(24), 1 + random_below(24));
		if (random_below(3) == 0)
			size += (size_t)sprintf(text + size, "%c%s%u", "eE"[random_below(2)],
						random_below(2) != 0   ? "-"
						: random_below(2) != 0 ? "+"
								       : "",
						random_below(random_below(2) != 0 ? 400 : 30));
		expect_f64(text, false);
		expect_f32(text, false);
	}
	check_promise("random floats of any length have the C library's bits, or are not taken");
	for (unsigned long i = 0; i < random_values; i++) {
		(void)snprintf(text, sizeof text, "%.*g", 17 - (int)random_below(3), random_f64());
		expect_f64(text, false);
		(void)snprintf(text, sizeof text, "%.6f", (random_f64() > 0 ? 1 : -1) * (double)random_u64() / 1e15);
		expect_f64(text, true);
		expect_f32(text, true);
	}
	check_promise("random bit patterns and %%.6f read back");
}

static void expect_integer(const char *text)
{
	char copy[80];
	int64_t narrow = 42;
	uint64_t wide = 42;
	const char *stop = copy;
	const size_t size = strlen(text);
	(void)snprintf(copy, sizeof copy, "%s%c", text, delimiters[random_below(6)]);
	const char *p = place(copy, size + 1, '7');
	errno = 0;
	const int64_t want_i64 = strtoll(text, NULL, 10);
	const bool good_i64 = errno == 0;
	const bool taken_i64 = number_scan_i64(p, p + size + 1, &narrow, &stop);
	EXPECT(taken_i64 == good_i64 && (good_i64 ? narrow == want_i64 && stop == p + size : narrow == 42),
	       "i64 \"%s\": %s, %" PRId64, text, taken_i64 ? "taken" : "not taken", narrow);
	errno = 0;
	const uint64_t want_u64 = strtoull(text, NULL, 10);
	const bool good_u64 = errno == 0 && (text[0] != '-' || want_u64 == 0);
	const bool taken_u64 = number_scan_u64(p, p + size + 1, &wide, &stop);
	EXPECT(taken_u64 == good_u64 && (good_u64 ? wide == want_u64 && stop == p + size : wide == 42),
	       "u64 \"%s\": %s, %" PRIu64, text, taken_u64 ? "taken" : "not taken", wide);
	union value token;
	const bool token_i64 = number_scan_token(place_token(text, size), size, &type_table[TYPE_I64], &token);
	EXPECT(token_i64 ? good_i64 && token.i64 == want_i64 : !good_i64 || size > 19, "the token i64 \"%s\"", text);
	const bool token_u64 = number_scan_token(place_token(text, size), size, &type_table[TYPE_U64], &token);
	EXPECT(token_u64 ? good_u64 && token.u64 == want_u64 : !good_u64 || size > 19 || text[0] == '-',
	       "the token u64 \"%s\"", text);
}

static void test_integers(void)
{
	static const char *const texts[] = {"0",
					    "-0",
					    "+0",
					    "7",
					    "12345678",
					    "123456789",
					    "1234567890123456",
					    "12345678901234567",
					    "9223372036854775807",
					    "9223372036854775808",
					    "-9223372036854775808",
					    "-9223372036854775809",
					    "18446744073709551615",
					    "18446744073709551616",
					    "19999999999999999999",
					    "99999999999999999999",
					    "110000000000000000000",
					    "100000000000000000000",
					    "184467440737095516160"};
	char text[64];
	for (size_t i = 0; i < COUNT_OF(texts); i++)
		expect_integer(texts[i]);
	for (unsigned long i = 0; i < random_values; i++) {
		const uint64_t value = random_u64() >> random_below(64);
		(void)snprintf(text, sizeof text, "%s%" PRIu64, random_below(3) == 0 ? "-" : "", value);
		expect_integer(text);
	}
	check_promise("integers are the C library's, and out of range what it says is");
}

/* The bounds of every integer type, and what is next to them. */
static void test_narrow_integers(void)
{
	for (int id = 0; id < TYPE_F32; id++) {
		const struct type *t = &type_table[id];
		const unsigned bits = 8 * (unsigned)t->size - (t->kind == KIND_SIGNED);
		const s128 greatest = ((s128)1 << bits) - 1;
		const s128 least = t->kind == KIND_SIGNED ? -greatest - 1 : 0;
		for (int step = -2; step <= 2; step++) {
			const s128 values[] = {greatest + step, least + step, 2 * greatest + 2 + step, step};
			for (size_t i = 0; i < COUNT_OF(values); i++) {
				char text[64];
				const bool negative = values[i] < 0;
				const uint64_t magnitude = (uint64_t)(negative ? -values[i] : values[i]);
				const size_t size = (size_t)snprintf(text, sizeof text, "%s%" PRIu64 "\n",
								     negative ? "-" : "", magnitude);
				if ((s128)magnitude != (negative ? -values[i] : values[i]))
					continue; /* past 64 bits */
				const char *p = place(text, size, '7');
				const char *stop = NULL;
				union value value = {.u64 = 42};
				const bool taken = number_scan(p, p + size, t, &value, &stop);
				EXPECT(taken == (values[i] >= least && values[i] <= greatest), "%s %s", t->name, text);
				EXPECT(!taken || (stop == p + size - 1 && memcmp(&value, &values[i], t->size) == 0),
				       "%s %s: %" PRIu64, t->name, text, value.u64);
				union value token = {.u64 = 42};
				const bool token_taken =
					number_scan_token(place_token(text, size - 1), size - 1, t, &token);
				EXPECT(!token_taken || (taken && memcmp(&token, &value, sizeof token) == 0),
				       "the token %s %s: %" PRIu64, t->name, text, token.u64);
				EXPECT(token_taken || !taken || size > 20, "the token %s %s is not taken", t->name,
				       text);
			}
		}
	}
	check_promise("an integer of every type is taken up to its type's bounds, and not past them");
}

/* Whatever is taken of such a token, its end is not where the token ends. */
static void test_others(void)
{
	static const char *const texts[] = {"",
					    "-",
					    "+",
					    ".",
					    "-.",
					    "--5",
					    "+-5",
					    "1.2.3",
					    "1..2",
					    "0x1f",
					    "1,5x",
					    "12abc",
					    "1_000",
					    "inf",
					    "-inf",
					    "nan",
					    "NA",
					    "N/A",
					    "null",
					    "e5",
					    "1e",
					    "1e+",
					    "1e5.5",
					    "1e5e",
					    "1.5e-+",
					    "5-",
					    "5+3",
					    "\xff\x35",
					    "5\xb0",
					    "1:2",
					    "1/2",
					    "\0015",
					    "12345678:12345678",
					    "1234567890123/45678",
					    "12345678901234567:"};
	for (size_t i = 0; i < COUNT_OF(texts); i++) {
		char copy[32];
		int64_t m;
		double x;
		float y;
		const char *stop;
		const size_t size = strlen(texts[i]);
		(void)snprintf(copy, sizeof copy, "%s\n", texts[i]);
		const char *p = place(copy, size + 1, '7');
		EXPECT(!decimal_scan(p, p + size + 1, 18, &m, &stop) || stop < p + size, "decimal \"%s\"", texts[i]);
		EXPECT(!number_scan_i64(p, p + size + 1, &m, &stop) || stop < p + size, "i64 \"%s\"", texts[i]);
		EXPECT(!number_scan_f64(p, p + size + 1, &x, &stop) || stop < p + size, "f64 \"%s\"", texts[i]);
		union value token;
		const char *t = place_token(texts[i], size);
		EXPECT(!number_scan_token(t, size, &type_table[TYPE_F64], &token), "the token f64 \"%s\"", texts[i]);
		EXPECT(!number_scan_token(t, size, &type_table[TYPE_I64], &token), "the token i64 \"%s\"", texts[i]);
		unsigned scale;
		EXPECT(!decimal_scan_own(t, size, &scale, &token.i64), "the token decimal \"%s\"", texts[i]);
		EXPECT(!number_scan_f32(p, p + size + 1, &y, &stop) || stop < p + size, "f32 \"%s\"", texts[i]);
	}
	check_promise("what is no number is never taken up to its end");
}

static void test_digits_before_end(void)
{
	char text[64];
	memset(text, '8', sizeof text);
	for (size_t size = 1; size < 40; size++) {
		int64_t m;
		double x;
		const char *stop = NULL;
		const char *p = place(text, size, '8');
		EXPECT(!decimal_scan(p, p + size, 0, &m, &stop) || stop <= p + size, "decimal, %zu bytes", size);
		EXPECT(!number_scan_i64(p, p + size, &m, &stop) || stop <= p + size, "i64, %zu bytes", size);
		EXPECT(!number_scan_f64(p, p + size, &x, &stop) || stop <= p + size, "f64, %zu bytes", size);
	}
	check_promise("digits that go on behind the end are no part of a number");
}

static void test_runs(void)
{
	static const char text[] = "1\n-2.5 \t3.25\n4\n\n5\n";
	int64_t m[16] = {0};
	const char *p = place(text, sizeof text - 1, 'x');
	const char *end = p + sizeof text - 1;
	unsigned char scales[16] = {0};
	struct number_run run = decimal_scan_run(p, p, end, 2, m, scales, 16);
	EXPECT(run.count == 2 && run.next == p + 7 && m[0] == 100 && m[1] == -250, "two blanks: %zu elements",
	       run.count);
	run = decimal_scan_run(p + 8, p + 8, end, 2, m, scales, 16);
	EXPECT(run.count == 2 && run.next == p + 15 && m[0] == 325 && m[1] == 400, "empty line: %zu elements",
	       run.count);
	run = decimal_scan_run(p, p, end, 2, m, scales, 1);
	EXPECT(run.count == 1 && run.next == p + 2, "limit: %zu elements", run.count);
	run = decimal_scan_run(p + 16, p + 16, end, 2, m, scales, 16);
	EXPECT(run.count == 1 && run.next == end && m[0] == 500, "end: %zu elements", run.count);
	run = decimal_scan_run(p + 16, p + 16, end - 1, 2, m, scales, 16);
	EXPECT(run.count == 0 && run.next == p + 16, "no white space at the end: %zu elements", run.count);
	/* Far enough from both ends for all to be ordinary. */
	static const char written[] =
		"1111111111111111111111111111111111111111\n7\n-2.50\n0.5\n3.\n-0.00\n"
		"9999999999999999999999999999999999999999 9999999999999999999999999999999999999999\n";
	static const unsigned char scales_of[] = {0, 2, 1, 0};
	p = place(written, sizeof written - 1, 'x');
	run = decimal_scan_run(p + 41, p + 41, p + sizeof written - 1, 2, m, scales, 16);
	EXPECT(run.count == 4 && memcmp(scales, scales_of, sizeof scales_of) == 0 && m[1] == -250 && m[2] == 50,
	       "with their decimals: %zu elements", run.count);
	EXPECT(memcmp(run.next, "-0.00", 5) == 0, "a negative zero is not one of them");
	check_promise("a run stops before what it does not take");
}

/* Tokens in the middle of a text take another road than those at its ends: each must come out as the oracle says, and
 * what is not taken must be no harm to the next. */
#define RUN_TOKENS 64
static char run_text[RUN_TOKENS * 64 + NUMBER_SCAN_SLACK];

/* Random tokens with white space behind them; *starts of each. */
static size_t random_run(const char *starts[RUN_TOKENS])
{
	char *p = run_text;
	for (size_t i = 0; i < RUN_TOKENS; i++) {
		starts[i] = p;
		if (random_below(40) == 0)
			p += sprintf(p, "%s", i % 2 != 0 ? "1.5.2" : "12\xb0");
		else if (random_below(4) == 0)
			p += sprintf(p, "%" PRIu64, random_u64() >> random_below(64));
		else if (random_below(8) ==
			 0) /* the nearest double is half way between two floats, the number is not */
			p += sprintf(p, "%.13f", 512 + (2 * random_below(1U << 22) + 1) / 32768.0);
		else
			p += random_digits(p, 1 + random_below(10), 1 + random_below(18));
		*p++ = random_below(3) == 0 ? ' ' : '\n';
	}
	return (size_t)(p - run_text);
}

static bool is_regular(const char *token)
{
	return strspn(token, "+-.0123456789") == strcspn(token, " \n") && strncmp(token, "1.5.2", 5) != 0;
}

/* Runs over the text, stepping over what a run does not take. */
static void expect_run(const struct type *t, unsigned scale, size_t size, const char *starts[RUN_TOKENS])
{
	const char *end = run_text + size;
	size_t token = 0;
	const char *next = run_text;
	while (next < end) {
		_Alignas(8) unsigned char values[RUN_TOKENS * 8];
		unsigned char scales[RUN_TOKENS];
		const char *begin = token % 2 == 0 ? run_text : next;
		const struct number_run run = t == NULL
						      ? decimal_scan_run(begin, next, end, scale,
									 (int64_t *)(void *)values, scales, RUN_TOKENS)
						      : number_scan_run(begin, next, end, t, values, RUN_TOKENS);
		for (size_t i = 0; i < run.count && token + i < RUN_TOKENS; i++) {
			const char *text = starts[token + i];
			char copy[64] = {0};
			union value v = {0};
			int64_t m = 0;
			memcpy(copy, text, strcspn(text, " \n"));
			memcpy(&v, values + i * (t == NULL ? 8 : t->size), t == NULL ? 8 : t->size);
			EXPECT(is_regular(text), "\"%s\" is taken", copy);
			errno = 0;
			if (t == NULL)
				EXPECT(plain_mantissa(copy, scale, &m) && v.i64 == m, "\"%s\": %" PRId64, copy, v.i64);
			else if (t->id == TYPE_I64)
				EXPECT(strtoll(copy, NULL, 10) == v.i64 && errno == 0, "\"%s\": %" PRId64, copy, v.i64);
			else if (t->id == TYPE_U64)
				EXPECT(strtoull(copy, NULL, 10) == v.u64 && errno == 0, "\"%s\": %" PRIu64, copy,
				       v.u64);
			else if (t->id == TYPE_F32)
				EXPECT(f32_bits(strtof(copy, NULL)) == f32_bits(v.f32), "\"%s\": %a", copy,
				       (double)v.f32);
			else
				EXPECT(f64_bits(strtod(copy, NULL)) == f64_bits(v.f64), "\"%s\": %a", copy, v.f64);
		}
		token += run.count;
		EXPECT(run.next == (token < RUN_TOKENS ? starts[token] : end), "token %zu", token);
		if (token >= RUN_TOKENS)
			break;
		token++;
		next = token < RUN_TOKENS ? starts[token] : end;
	}
}

static void test_random_runs(void)
{
	static const enum type_id ids[] = {TYPE_I64, TYPE_U64, TYPE_F32, TYPE_F64};
	const char *starts[RUN_TOKENS];
	for (unsigned long i = 0; i < random_values / 16; i++) {
		const size_t size = random_run(starts);
		expect_run(NULL, random_below(19), size, starts);
		expect_run(&type_table[ids[i % COUNT_OF(ids)]], 0, size, starts);
	}
	check_promise("runs of random tokens have the values of single ones");
}

static void test_run_types(void)
{
	static const struct {
		enum type_id id;
		size_t count; /* of the numbers below; floats of 20 digits are not on this road */
	} cases[] = {{TYPE_I8, 2},  {TYPE_U8, 3},  {TYPE_I16, 4}, {TYPE_U16, 5}, {TYPE_I32, 6},
		     {TYPE_U32, 7}, {TYPE_I64, 8}, {TYPE_U64, 9}, {TYPE_F32, 8}, {TYPE_F64, 8}};
	static const char text[] = "1\n127\n255\n32767\n65535\n2147483647\n4294967295\n9223372036854775807\n"
				   "18446744073709551615\n1e+30\n";
	static const double want[] = {
		1, 127, 255, 32767, 65535, 2147483647, 4294967295, 9223372036854775807.0, 18446744073709551615.0, 1e30};
	const char *p = place(text, sizeof text - 1, 'x');
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const struct type *t = &type_table[cases[i].id];
		_Alignas(8) unsigned char values[10 * 8];
		const struct number_run run = number_scan_run(p, p, p + sizeof text - 1, t, values, 10);
		EXPECT(run.count == cases[i].count, "%s: %zu elements", t->name, run.count);
		for (size_t j = 0; j < run.count; j++) {
			union value v = {0};
			memcpy(&v, values + j * t->size, t->size);
			if (t->id == TYPE_F32)
				EXPECT(v.f32 == (float)want[j], "f32 %zu", j);
			else if (t->id == TYPE_F64)
				EXPECT(v.f64 == want[j], "f64 %zu", j);
			else
				EXPECT((double)v.u64 == want[j], "%s %zu", t->name, j);
		}
	}
	check_promise("a run of every type takes what fits it");
}

int main(int argc, char **argv)
{
	read_arguments(argc, argv);
	CHECK(make_page(), "a page before an unmapped one");
	test_decimals();
	test_floats();
	test_halves();
	test_integers();
	test_narrow_integers();
	test_others();
	test_digits_before_end();
	test_runs();
	test_random_runs();
	test_run_types();
	return check_done();
}
