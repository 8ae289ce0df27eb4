/* Numbers as text by the hundred million: what the unit tests try with some thousands. All cores; nothing depends on
 * how many.
 *
 *     build/torture/numbers [ROUNDS [SEED [NAME]]]
 *
 * 100 rounds (the default) are all bit patterns of f32 and 10^8 of f64. With NAME: only the parts whose name contains
 * it.
 *
 * Each part is cut into blocks that the threads take one after another; a block's random numbers follow from its own
 * number. Prints what was done, how much of it was wrong, and the time. Exits with 1 if anything was wrong. */
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "number/decimal.h"
#include "number/parse.h"
#include "number/write.h"
#include "number/read_text.h"
#include "number/printf_format.h"
#include "types.h"

#define FULL_ROUNDS 100
#define THREADS_MAX 256
#define TEXT_SIZE 6000
#define DETAILS_MAX 20

static const struct type *const f32_type = &type_table[TYPE_F32];
static const struct type *const f64_type = &type_table[TYPE_F64];
static unsigned long rounds = FULL_ROUNDS;
static uint64_t seed = 1;

/* A part: block is called for 0 .. blocks-1 and returns how many numbers it looked at. */
struct part {
	const char *what;
	uint64_t (*block)(uint64_t number);
	uint64_t blocks;
};

static const struct part *part;
static atomic_uint_fast64_t next_block, numbers, wrong;

static void report(const char *text, const char *how)
{
	if (atomic_fetch_add(&wrong, 1) < DETAILS_MAX)
		printf("# %.*s: %s\n", (int)strcspn(text, "\n"), text, how);
}

/* splitmix64 (Steele, Lea, Flood 2014). */
static uint64_t random_u64(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static unsigned random_below(uint64_t *state, unsigned bound)
{
	return (unsigned)(random_u64(state) % bound);
}

static uint64_t block_state(uint64_t number)
{
	return seed * UINT64_C(0xd1342543de82ef95) + number * UINT64_C(0x2545f4914f6cdd1d);
}

/* The text of size bytes, with the scan's slack behind it, is read as these bits, by both roads. A scan may leave
 * it. */
static void expect_f32(char *text, size_t size, uint32_t want)
{
	union value v = {.u32 = ~want};
	float x;
	const char *stop;
	text[size] = '\n';
	const bool finite = (want & 0x7f800000) != 0x7f800000;
	const enum number_result result = number_parse(text, size, f32_type, &v);
	if (result == NUMBER_OK ? f32_bits(v.f32) != want : finite || text[size - 1] == 'f' || text[size - 1] == 'n')
		report(text, "f32, number_parse");
	if (number_scan_f32(text, text + size + 1, &x, &stop) &&
	    (f32_bits(x) != want || stop != text + size || !finite))
		report(text, "f32, number_scan");
}

static void expect_f64(char *text, size_t size, uint64_t want)
{
	union value v = {.u64 = ~want};
	double x;
	const char *stop;
	text[size] = '\n';
	const bool finite = (want & UINT64_C(0x7ff0000000000000)) != UINT64_C(0x7ff0000000000000);
	const enum number_result result = number_parse(text, size, f64_type, &v);
	if (result == NUMBER_OK ? f64_bits(v.f64) != want : finite || text[size - 1] == 'f' || text[size - 1] == 'n')
		report(text, "f64, number_parse");
	if (number_scan_f64(text, text + size + 1, &x, &stop) &&
	    (f64_bits(x) != want || stop != text + size || !finite))
		report(text, "f64, number_scan");
}

#define F32_BLOCK ((uint64_t)1 << 22)

/* 2^22 bit patterns in a row, or with fewer rounds as many fewer of them. */
static uint64_t f32_block(uint64_t number)
{
	const uint64_t step = rounds >= FULL_ROUNDS ? 1 : FULL_ROUNDS / rounds | 1;
	uint64_t count = 0;
	for (uint64_t i = 0; i < F32_BLOCK; i += step, count++) {
		char text[NUMBER_TEXT_MAX + NUMBER_SCAN_SLACK];
		const float x = f32_from_bits((uint32_t)(number * F32_BLOCK + i));
		expect_f32(text, number_format_f32(text, x), isnan(x) ? F32_NAN_BITS : f32_bits(x));
	}
	return count;
}

#define F64_BLOCK 100000

static uint64_t f64_block(uint64_t number)
{
	uint64_t state = block_state(number);
	for (uint64_t i = 0; i < F64_BLOCK; i++) {
		char text[NUMBER_TEXT_MAX + NUMBER_SCAN_SLACK];
		const double x = f64_from_bits(random_u64(&state));
		const uint64_t want = isnan(x) ? F64_NAN_BITS : f64_bits(x);
		const size_t size = number_format_f64(text, x);
		text[size] = '\0';
		const uint64_t library = f64_bits(strtod(text, NULL));
		if (library != want && !isnan(x))
			report(text, "f64, strtod");
		expect_f64(text, size, want);
	}
	return F64_BLOCK;
}

/* The text as the C library reads it. */
static void expect_as_library(char *text)
{
	const size_t size = strlen(text);
	const uint64_t wide = f64_bits(strtod(text, NULL));
	const uint32_t narrow = f32_bits(strtof(text, NULL));
	expect_f64(text, size, wide);
	expect_f32(text, size, narrow);
	text[size] = '\0';
}

/* Up to thousands of digits, with a point and an exponent or none. */
static void random_literal(uint64_t *state, char *text)
{
	static const unsigned lengths[] = {20, 20, 20, 40, 40, 120, 800, 5000};
	const unsigned digits = 1 + random_below(state, lengths[random_below(state, 8)]);
	const unsigned point = random_below(state, digits + 1);
	char *p = text;
	if (random_below(state, 2) != 0)
		*p++ = '-';
	for (unsigned i = 0; i < digits; i++) {
		if (i == point)
			*p++ = '.';
		*p++ = (char)('0' + random_below(state, 10));
	}
	*p = '\0';
	if (random_below(state, 4) != 0) {
		const int range = random_below(state, 2) != 0 ? 40 : 360;
		(void)sprintf(p, "e%d", (int)random_below(state, 2 * (unsigned)range) - range - (int)point);
	}
}

/* A hair above and below the number in text, which is digits.digitse+NN. */
static void expect_around(const char *text)
{
	char near[TEXT_SIZE];
	const size_t size = strcspn(text, "e");
	(void)snprintf(near, sizeof near, "%.*s1%s", (int)size, text, text + size);
	expect_as_library(near);
	size_t last = size;
	while (last > 0 && (text[last - 1] == '0' || text[last - 1] == '.'))
		last--;
	if (last == 0)
		return;
	(void)snprintf(near, sizeof near, "%s", text);
	near[last - 1]--;
	for (size_t i = last; i < size; i++)
		near[i] = text[i] == '.' ? '.' : '9';
	expect_as_library(near);
}

/* A number of few digits in the middle of two floats that have bits significant ones: an odd number of one bit more,
 * times a power of two that makes it a short decimal. */
static void short_middle(uint64_t *state, unsigned bits, char *text)
{
	const uint64_t odd = random_u64(state) >> (63 - bits) | UINT64_C(1) << bits | 1;
	uint64_t fives = 1;
	unsigned power = 0;
	if (random_below(state, 2) != 0) { /* odd * 2^-power */
		const unsigned most = random_below(state, 18);
		for (; power < most && fives <= UINT64_MAX / 5 && odd <= UINT64_MAX / (fives * 5); power++)
			fives *= 5;
		(void)sprintf(text, "%" PRIu64 "e-%u", odd * fives, power);
	} else { /* near odd * 2^power */
		const unsigned most = random_below(state, 24);
		for (; power < most && fives * 5 < UINT64_C(1) << bits; power++)
			fives *= 5;
		(void)sprintf(text, "%" PRIu64 "e+%u", odd / fives | 1, power);
	}
}

#define LITERAL_BLOCK 100

static uint64_t literal_block(uint64_t number)
{
	uint64_t state = block_state(number);
	char text[TEXT_SIZE];
	for (unsigned i = 0; i < LITERAL_BLOCK; i++) {
		random_literal(&state, text);
		expect_as_library(text);
		/* The middle between two f64, between two f32. */
		const double x = f64_from_bits(random_u64(&state) % UINT64_C(0x7fefffffffffffff));
		const long double middle = ((long double)x + (long double)nextafter(x, (double)INFINITY)) / 2;
		(void)snprintf(text, sizeof text, "%.800Le", middle);
		expect_as_library(text);
		expect_around(text);
		const float y = f32_from_bits((uint32_t)(random_u64(&state) % 0x7f7fffff));
		(void)snprintf(text, sizeof text, "%.160e", ((double)y + (double)nextafterf(y, INFINITY)) / 2);
		expect_as_library(text);
		expect_around(text);
		short_middle(&state, 53, text);
		expect_as_library(text);
		short_middle(&state, 24, text);
		expect_as_library(text);
	}
	return LITERAL_BLOCK * 9;
}

#define DECIMAL_BLOCK 100000

static uint64_t decimal_block(uint64_t number)
{
	uint64_t state = block_state(number);
	for (unsigned i = 0; i < DECIMAL_BLOCK; i++) {
		char text[DECIMAL_TEXT_MAX + NUMBER_SCAN_SLACK] = "";
		char want[DECIMAL_TEXT_MAX];
		const unsigned scale = 1 + random_below(&state, 18);
		const uint64_t magnitude = random_u64(&state) >> (1 + random_below(&state, 63));
		const bool negative = random_below(&state, 2) != 0 && magnitude != 0;
		const union value v = {.i64 = negative ? -(int64_t)magnitude : (int64_t)magnitude};
		uint64_t unit = 1;
		int64_t m;
		const char *stop;
		for (unsigned j = 0; j < scale; j++)
			unit *= 10;
		const int length = snprintf(want, sizeof want, "%s%" PRIu64 ".%0*" PRIu64, negative ? "-" : "",
					    magnitude / unit, (int)scale, magnitude % unit);
		const size_t size = decimal_format(text, &v, &type_table[TYPE_I64], scale);
		if (size != (size_t)length || memcmp(text, want, size) != 0)
			report(want, "decimal_format");
		text[size] = '\n';
		if (!decimal_scan(text, text + size + 1, scale, &m, &stop)) {
			if (size <= 18)
				report(want, "not taken by decimal_scan");
		} else if (m != v.i64 || stop != text + size) {
			report(want, "decimal_scan");
		}
	}
	return DECIMAL_BLOCK;
}

#define PLACES_BLOCK 10000

/* %.Nf of random floats, those near ties among them. */
static uint64_t places_block(uint64_t number)
{
	uint64_t state = block_state(number);
	for (unsigned i = 0; i < PLACES_BLOCK; i++) {
		char format[16];
		char want[512];
		char got[1024];
		struct number_spec spec;
		const char *reason;
		const unsigned places = random_below(&state, 19);
		const int64_t bits = (int64_t)(random_u64(&state) >> random_below(&state, 64));
		double x = ldexp((double)bits, -(int)random_below(&state, 140));
		if (random_below(&state, 4) == 0)
			x = (double)(bits % 1000000000) / (2 * pow(10, places));
		const union value v = {.f64 = x};
		(void)snprintf(format, sizeof format, "%%.%uf", places);
		(void)snprintf(want, sizeof want, "%.*f", (int)places, x);
		if (!number_spec_parse(format, &spec, &reason)) {
			report(format, "refused");
			continue;
		}
		const size_t size = number_spec_write(got, &spec, f64_type, 0, &v);
		if (size != strlen(want) || memcmp(got, want, size) != 0)
			report(want, format);
	}
	return PLACES_BLOCK;
}

static void *work(void *unused)
{
	for (;;) {
		const uint64_t block = atomic_fetch_add(&next_block, 1);
		if (block >= part->blocks)
			return unused;
		atomic_fetch_add(&numbers, part->block(block));
	}
}

static double now_s(void)
{
	struct timespec t;
	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Returns how many were wrong. */
static uint64_t run_part(const struct part *p, unsigned threads)
{
	pthread_t ids[THREADS_MAX];
	const double start = now_s();
	part = p;
	atomic_store(&next_block, 0);
	atomic_store(&numbers, 0);
	atomic_store(&wrong, 0);
	unsigned started = 0;
	while (started + 1 < threads && pthread_create(&ids[started], NULL, work, NULL) == 0)
		started++;
	(void)work(NULL);
	for (unsigned i = 0; i < started; i++)
		(void)pthread_join(ids[i], NULL);
	printf("%s: %" PRIu64 ", %" PRIu64 " wrong, %.1f s\n", p->what, (uint64_t)atomic_load(&numbers),
	       (uint64_t)atomic_load(&wrong), now_s() - start);
	(void)fflush(stdout);
	return atomic_load(&wrong);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		rounds = strtoul(argv[1], NULL, 10);
	if (argc > 2)
		seed = strtoull(argv[2], NULL, 10);
	if (rounds == 0) {
		(void)fputs("usage: numbers [ROUNDS [SEED [NAME]]]\n", stderr);
		return 2;
	}
	const struct part parts[] = {
		{"f32 bit patterns written and read back", f32_block, (UINT64_C(1) << 32) / F32_BLOCK},
		{"f64 bit patterns written and read back, also by strtod", f64_block, rounds * 10},
		{"literals, and middles of two floats and around, read as strtod and strtof do", literal_block,
		 rounds * 20},
		{"decimals written and read back", decimal_block, rounds * 5},
		{"%.Nf of f64 as printf writes it", places_block, rounds * 20},
	};
	const long online = sysconf(_SC_NPROCESSORS_ONLN);
	const unsigned threads = online < 1 ? 1 : online > THREADS_MAX ? THREADS_MAX : (unsigned)online;
	const char *name = argc > 3 ? argv[3] : "";
	uint64_t all_wrong = 0;
	printf("%lu rounds, seed %" PRIu64 ", %u threads\n", rounds, seed, threads);
	(void)fflush(stdout);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		all_wrong += strstr(parts[i].what, name) != NULL ? run_part(&parts[i], threads) : 0;
	return all_wrong == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
