/* Numbers as text on one core, from and to memory that stays in the second-level cache: nanoseconds for one number,
 * medians of REPEATS measurements.
 *
 *     build/bench/number_speed [NAME]      only the rows whose name contains NAME
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench.h"
#include "number/decimal.h"
#include "number/parse.h"
#include "number/write.h"
#include "number/read_text.h"
#include "number/printf_format.h"
#include "types.h"

#define COUNT ((size_t)16384)
#define REPEATS 15
#define MEASURE_NS 4e6

static char text[COUNT * 64 + NUMBER_SCAN_SLACK];
static const char *text_end;
static char output[COUNT * NUMBER_TEXT_MAX];
static union {
	int64_t i64[COUNT];
	uint64_t u64[COUNT];
	int32_t i32[COUNT];
	double f64[COUNT];
	float f32[COUNT];
} input, result;
static unsigned char scales[COUNT];

/* The processor's time: other programs may run beside. */
static double now_ns(void)
{
	struct timespec t;
	(void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static uint32_t state = 123456789;

static uint64_t random_u64(void)
{
	const uint64_t high = bench_random(&state);
	return high << 32 | bench_random(&state);
}

static double random_unit(void)
{
	return (double)(random_u64() >> 11) * 0x1p-53;
}

static void must(bool good, const char *what)
{
	if (good)
		return;
	(void)fprintf(stderr, "number_speed: %s\n", what);
	exit(EXIT_FAILURE);
}

/* A token a line. */
static size_t put_small(char *out, size_t i)
{
	(void)i;
	return (size_t)sprintf(out, "%u\n", (unsigned)(random_u64() % 100000));
}

static size_t put_sums(char *out, size_t i)
{
	static uint64_t sum;
	sum = i == 0 ? 0 : sum + random_u64() % 100000;
	return (size_t)sprintf(out, "%" PRIu64 "\n", sum);
}

static size_t put_unit(char *out, size_t i)
{
	(void)i;
	return (size_t)sprintf(out, "%.6f\n", random_unit());
}

static size_t put_mixed(char *out, size_t i)
{
	(void)i;
	return (size_t)sprintf(out, "%.6f\n", (random_unit() - 0.5) * 2000);
}

static size_t put_i64(char *out, size_t i)
{
	(void)i;
	return (size_t)sprintf(out, "%" PRId64 "\n", (int64_t)random_u64());
}

static size_t put_shortest(char *out, size_t i)
{
	(void)i;
	const size_t size = number_format_f64(out, random_unit());
	out[size] = '\n';
	return size + 1;
}

static size_t put_exponents(char *out, size_t i)
{
	(void)i;
	return (size_t)sprintf(out, "%.10e\n", (random_unit() - 0.5) * 1e-5);
}

static void scan_decimals(void)
{
	must(decimal_scan_run(text, text, text_end, 6, result.i64, scales, COUNT).count == COUNT, "not all read");
}

static void scan_i64(void)
{
	must(number_scan_run(text, text, text_end, &type_table[TYPE_I64], result.i64, COUNT).count == COUNT,
	     "not all read");
}

static void scan_i32(void)
{
	must(number_scan_run(text, text, text_end, &type_table[TYPE_I32], result.i32, COUNT).count == COUNT,
	     "not all read");
}

static void scan_f64(void)
{
	must(number_scan_run(text, text, text_end, &type_table[TYPE_F64], result.f64, COUNT).count == COUNT,
	     "not all read");
}

static void scan_f32(void)
{
	must(number_scan_run(text, text, text_end, &type_table[TYPE_F32], result.f32, COUNT).count == COUNT,
	     "not all read");
}

/* The road for every token, after its end was looked for. */
static void parse_type(const struct type *t)
{
	union value value;
	for (const char *p = text; p < text_end;) {
		const char *stop = p;
		while (*stop != '\n')
			stop++;
		must(number_parse(p, (size_t)(stop - p), t, &value) == NUMBER_OK, "not read");
		p = stop + 1;
	}
}

static void parse_f64(void)
{
	parse_type(&type_table[TYPE_F64]);
}

static void parse_f32(void)
{
	parse_type(&type_table[TYPE_F32]);
}

static void parse_i64(void)
{
	parse_type(&type_table[TYPE_I64]);
}

static void parse_decimals(void)
{
	struct decimal d;
	union value value;
	for (const char *p = text; p < text_end;) {
		const char *stop = p;
		while (*stop != '\n')
			stop++;
		must(decimal_parse(p, (size_t)(stop - p), &d) && decimal_mantissa(&d, 6, &type_table[TYPE_I64], &value),
		     "not read");
		p = stop + 1;
	}
}

struct parse_row {
	const char *name;
	size_t (*put)(char *out, size_t i);
	void (*run)(void);
};

static const struct parse_row parse_rows[] = {
	{"parse decimal 0..99999", put_small, scan_decimals},
	{"parse decimal %.6f 0..1", put_unit, scan_decimals},
	{"parse decimal %.6f -1000..1000", put_mixed, scan_decimals},
	{"parse decimal sums", put_sums, scan_decimals},
	{"parse decimal %.6f 0..1, token by token", put_unit, parse_decimals},
	{"parse i64 0..99999", put_small, scan_i64},
	{"parse i32 0..99999", put_small, scan_i32},
	{"parse i64 sums", put_sums, scan_i64},
	{"parse i64 64 bits", put_i64, scan_i64},
	{"parse i64 0..99999, token by token", put_small, parse_i64},
	{"parse f64 %.6f 0..1", put_unit, scan_f64},
	{"parse f64 %.6f -1000..1000", put_mixed, scan_f64},
	{"parse f64 17 digits", put_shortest, scan_f64},
	{"parse f64 %.10e", put_exponents, scan_f64},
	{"parse f64 %.6f 0..1, token by token", put_unit, parse_f64},
	{"parse f64 17 digits, token by token", put_shortest, parse_f64},
	{"parse f32 %.6f 0..1", put_unit, scan_f32},
	{"parse f32 17 digits", put_shortest, scan_f32},
	{"parse f32 %.6f 0..1, token by token", put_unit, parse_f32},
};

/* Nanoseconds for one number. */
static double measure(void (*run)(void))
{
	double times[REPEATS];
	run();
	for (size_t i = 0; i < REPEATS; i++) {
		const double start = now_ns();
		size_t rounds = 0;
		double passed;
		do {
			run();
			rounds++;
			passed = now_ns() - start;
		} while (passed < MEASURE_NS);
		times[i] = passed / (double)rounds / (double)COUNT;
	}
	return bench_median(times, REPEATS);
}

static void bench_parse(const struct parse_row *row)
{
	char *p = text;
	for (size_t i = 0; i < COUNT; i++)
		p += row->put(p, i);
	text_end = p;
	const double ns = measure(row->run);
	const double bytes = (double)(text_end - text) / (double)COUNT;
	printf("%-44s %7.2f ns %8.0f MB/s\n", row->name, ns, bytes / ns * 1e3);
}

static void fill_small(size_t i)
{
	input.i64[i] = (int64_t)(random_u64() % 100000);
}

static void fill_sums(size_t i)
{
	input.i64[i] = i == 0 ? 0 : input.i64[i - 1] + (int64_t)(random_u64() % 1000000);
}

static void fill_wide(size_t i)
{
	input.u64[i] = random_u64();
}

static void fill_f64_unit(size_t i)
{
	input.f64[i] = random_unit();
}

static void fill_f64_sums(size_t i)
{
	input.f64[i] = (i == 0 ? 0 : input.f64[i - 1]) + random_unit();
}

static void fill_f64_short(size_t i)
{
	input.f64[i] = (double)(int64_t)(random_u64() % 100000000) / 1e4;
}

static void fill_f64_integers(size_t i)
{
	input.f64[i] = (double)(int64_t)(random_u64() % 100000);
}

static void fill_f64_any(size_t i)
{
	do
		input.u64[i] = random_u64();
	while (!isfinite(input.f64[i]));
}

static void fill_f32_unit(size_t i)
{
	input.f32[i] = (float)random_unit();
}

static void format_decimals(void)
{
	must(decimal_format_lines(output, &type_table[TYPE_I64], 6, input.i64, sizeof *input.i64, COUNT) > 0,
	     "not written");
}

static void format_type(enum type_id id)
{
	must(number_format_lines(output, &type_table[id], &input, type_table[id].size, COUNT) > 0, "not written");
}

static void format_i64(void)
{
	format_type(TYPE_I64);
}

static void format_u64(void)
{
	format_type(TYPE_U64);
}

static void format_f64(void)
{
	format_type(TYPE_F64);
}

static void format_f32(void)
{
	format_type(TYPE_F32);
}

static void format_spec(const char *format, enum type_id id, unsigned scale)
{
	struct number_spec spec;
	const char *reason = "";
	char *p = output;
	must(number_spec_parse(format, &spec, &reason), reason);
	for (size_t i = 0; i < COUNT; i++) {
		union value v;
		memcpy(&v, &input.u64[i], sizeof v.u64);
		p += number_spec_write(p, &spec, &type_table[id], scale, &v);
	}
}

static void format_spec_f64(void)
{
	format_spec("%.6f", TYPE_F64, 0);
}

static void format_spec_decimal(void)
{
	format_spec("%.2f", TYPE_I64, 6);
}

static void format_spec_scientific(void)
{
	format_spec("%.6e", TYPE_F64, 0);
}

static void format_printf(void)
{
	char *p = output;
	for (size_t i = 0; i < COUNT; i++)
		p += sprintf(p, "%.6f", input.f64[i]);
}

struct format_row {
	const char *name;
	void (*fill)(size_t i);
	void (*run)(void);
};

static const struct format_row format_rows[] = {
	{"format decimal sums, scale 6", fill_sums, format_decimals},
	{"format decimal 64 bits, scale 6", fill_wide, format_decimals},
	{"format i64 0..99999", fill_small, format_i64},
	{"format i64 sums", fill_sums, format_i64},
	{"format u64 64 bits", fill_wide, format_u64},
	{"format f64 0..1", fill_f64_unit, format_f64},
	{"format f64 sums of 0..1", fill_f64_sums, format_f64},
	{"format f64 short", fill_f64_short, format_f64},
	{"format f64 integers", fill_f64_integers, format_f64},
	{"format f64 bit patterns", fill_f64_any, format_f64},
	{"format f32 0..1", fill_f32_unit, format_f32},
	{"format f64 sums of 0..1, -F %.6f", fill_f64_sums, format_spec_f64},
	{"format f64 sums of 0..1, -F %.6e", fill_f64_sums, format_spec_scientific},
	{"format f64 sums of 0..1, printf %.6f", fill_f64_sums, format_printf},
	{"format decimal sums, scale 6, -F %.2f", fill_sums, format_spec_decimal},
};

static void bench_format(const struct format_row *row)
{
	for (size_t i = 0; i < COUNT; i++)
		row->fill(i);
	printf("%-44s %7.2f ns\n", row->name, measure(row->run));
}

int main(int argc, char **argv)
{
	const char *filter = argc > 1 ? argv[1] : "";
	for (size_t i = 0; i < sizeof parse_rows / sizeof *parse_rows; i++) {
		if (strstr(parse_rows[i].name, filter) != NULL)
			bench_parse(&parse_rows[i]);
	}
	for (size_t i = 0; i < sizeof format_rows / sizeof *format_rows; i++) {
		if (strstr(format_rows[i].name, filter) != NULL)
			bench_format(&format_rows[i]);
	}
	return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
