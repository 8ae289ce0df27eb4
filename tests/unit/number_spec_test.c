/* Results in a printf-style format. Floats and integers are compared with snprintf, exact decimals with Python's
 * decimal module.
 *
 * Usage: number_spec_test [VALUES [SEED]]: VALUES random values for each promise. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "number_check.h"
#include "number/printf_format.h"

#define OUT_SIZE 4096

/* A format of random flags, width and precision around a conversion; length is a C length modifier to put before it,
 * and *printf_format gets it. */
static void random_format(char *format, char *printf_format, const char *conversions, const char *length,
			  unsigned places)
{
	static const char flags[] = "-+ #0";
	char start[64];
	char *p = start;
	p += sprintf(p, "%s", random_below(4) == 0 ? "a%%b" : "");
	*p++ = '%';
	for (unsigned n = random_below(4); n > 0; n--) {
		const char flag = flags[random_below(5)];
		if (flag != '#' || strchr(conversions, 'd') == NULL)
			*p++ = flag;
	}
	if (random_below(2) != 0)
		p += sprintf(p, "%u", 1 + random_below(40));
	if (random_below(4) != 0)
		p += random_below(10) == 0 ? sprintf(p, ".") : sprintf(p, ".%u", random_below(places));
	*p = '\0';
	const char conversion = conversions[random_below((unsigned)strlen(conversions))];
	const char *end = random_below(4) == 0 ? " %%" : "";
	(void)sprintf(format, "%s%c%s", start, conversion, end);
	(void)sprintf(printf_format, "%s%s%c%s", start, length, conversion, end);
}

static void expect_written(const char *format, const struct type *t, unsigned scale, const union value *v,
			   const char *want)
{
	static char out[OUT_SIZE];
	struct number_spec spec;
	const char *reason = "";
	const bool good = number_spec_parse(format, &spec, &reason);
	EXPECT(good, "\"%s\" is refused: %s", format, reason);
	if (!good)
		return;
	const size_t max = number_spec_size_max(&spec);
	memset(out, '#', sizeof out);
	const size_t size = number_spec_write(out, &spec, t, scale, v);
	EXPECT(size == strlen(want) && memcmp(out, want, size) == 0, "%s %s: \"%.*s\", not \"%s\"", t->name, format,
	       (int)size, out, want);
	EXPECT(size <= max, "%s: %zu bytes, more than %zu", format, size, max);
	for (size_t i = max; i < sizeof out; i++)
		EXPECT(out[i] == '#', "%s: byte %zu is written", format, i);
}

/* The values that formats are about: of few digits, near ties, of all magnitudes. */
static double random_value(void)
{
	switch (random_below(7)) {
	case 0:
		return random_f64();
	case 1:
		return (double)(int64_t)random_u64() * 0x1p-40;
	case 2:
		return (double)((int)random_below(4000) - 2000) / 8;
	case 3:
		return (double)((int)random_below(2000000) - 1000000) / 1000;
	case 4:
		return ldexp((double)(int64_t)(random_u64() >> 11), (int)random_below(140) - 130);
	case 5:
		return (1 - ldexp(1, -(int)random_below(54))) * pow(10, (int)random_below(20) - 5);
	default:
		return (double)(int64_t)random_below(100) - 50;
	}
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void test_floats(void)
{
	static char want[OUT_SIZE];
	char format[64];
	char printf_format[64];
	for (unsigned long i = 0; i < random_values; i++) {
		const union value v = {.f64 = random_value()};
		const union value w = {.f32 = (float)v.f64};
		random_format(format, printf_format, random_below(4) == 0 ? "eEgG" : "fF", "",
			      random_below(8) == 0 ? 60 : 20);
		(void)snprintf(want, sizeof want, printf_format, v.f64);
		expect_written(format, &type_table[TYPE_F64], 0, &v, want);
		(void)snprintf(want, sizeof want, printf_format, (double)w.f32);
		expect_written(format, &type_table[TYPE_F32], 0, &w, want);
	}
	check_promise("floats are written as snprintf does, whatever the format");
	static const double special[] = {0.0,
					 -0.0,
					 (double)INFINITY,
					 -(double)INFINITY,
					 (double)NAN,
					 0.5,
					 1.5,
					 2.5,
					 0.125,
					 0.375,
					 9.5,
					 99.5,
					 0.95,
					 0.9999999999,
					 1e22,
					 1e23,
					 0x1p63,
					 0x1p64,
					 0x1p53,
					 5e-324,
					 1.7976931348623157e308,
					 0x1p-64,
					 0x1p-127,
					 0x1p-128,
					 0x1p-129,
					 0.5e-18,
					 4.5e-5};
	for (size_t i = 0; i < COUNT_OF(special); i++) {
		for (unsigned n = 0; n < 200; n++) {
			const union value v = {.f64 = special[i]};
			random_format(format, printf_format, "fFeEgG", "", 22);
			(void)snprintf(want, sizeof want, printf_format, v.f64);
			expect_written(format, &type_table[TYPE_F64], 0, &v, want);
		}
	}
	check_promise("ties, powers of two, infinities and NaN are written as snprintf does");
}

static void test_integers(void)
{
	static char want[OUT_SIZE];
	char format[64];
	char printf_format[64];
	for (unsigned long i = 0; i < random_values; i++) {
		const uint64_t bits = random_u64() >> random_below(64);
		const int64_t number = random_below(2) != 0 ? (int64_t)bits : -(int64_t)(bits >> 1);
		union value v = {.i64 = number};
		random_format(format, printf_format, "di", "l", 30);
		(void)snprintf(want, sizeof want, printf_format, (long)number);
		expect_written(format, &type_table[TYPE_I64], 0, &v, want);
		/* long double holds 64 bits exactly. */
		random_format(format, printf_format, "fFeEgG", "L", 30);
		(void)snprintf(want, sizeof want, printf_format, (long double)number);
		expect_written(format, &type_table[TYPE_I64], 0, &v, want);
		(void)snprintf(want, sizeof want, printf_format, (long double)bits);
		v = (union value){.u64 = bits};
		expect_written(format, &type_table[TYPE_U64], 0, &v, want);
		(void)snprintf(want, sizeof want, printf_format, (long double)(int16_t)bits);
		v = (union value){.i16 = (int16_t)bits};
		expect_written(format, &type_table[TYPE_I16], 0, &v, want);
		(void)snprintf(want, sizeof want, printf_format, (long double)(uint8_t)bits);
		v = (union value){.u8 = (uint8_t)bits};
		expect_written(format, &type_table[TYPE_U8], 0, &v, want);
	}
	check_promise("integers are written as snprintf does");
}
#pragma GCC diagnostic pop

/* Reads "FORMAT HI LO SCALE TEXT" with tabs between; the mantissa's words in hexadecimal. */
static const char python_program[] = "import sys\n"
				     "from decimal import Decimal, ROUND_HALF_EVEN, localcontext\n"
				     "bad = lines = 0\n"
				     "with localcontext() as context:\n"
				     "    context.prec = 2000\n"
				     "    context.rounding = ROUND_HALF_EVEN\n"
				     "    for line in sys.stdin:\n"
				     "        places, hi, lo, scale, text = line.rstrip('\\n').split('\\t')\n"
				     "        mantissa = int(hi, 16) << 64 | int(lo, 16)\n"
				     "        mantissa -= (mantissa >> 127) << 128\n"
				     "        value = Decimal(mantissa).scaleb(-int(scale))\n"
				     "        want = '{:.{}f}'.format(value, int(places))\n"
				     "        lines += 1\n"
				     "        if text != want:\n"
				     "            bad += 1\n"
				     "            if bad < 9:\n"
				     "                print('#', mantissa, scale, places, text, 'not', want)\n"
				     "sys.exit(bad > 0 or lines == 0)\n";

static void test_decimals(void)
{
	char command[sizeof python_program + 256];
	const char *python = getenv("PYTHON");
	(void)snprintf(command, sizeof command, "%s -c \"%s\"", python == NULL ? "/usr/bin/python3" : python,
		       python_program);
	FILE *pipe = popen(command, "w");
	CHECK(pipe != NULL, "python can be started");
	if (pipe == NULL)
		return;
	for (unsigned long i = 0; i < random_values; i++) {
		const bool wide = random_below(2) != 0;
		const unsigned bits = 1 + random_below(wide ? 127 : 63);
		const struct type *t = &type_table[wide ? TYPE_I128 : TYPE_I64];
		const unsigned scale = random_below(19);
		const unsigned places = random_below(8) == 0 ? random_below(200) : random_below(20);
		__extension__ unsigned __int128 m = random_u64();
		m = (m << 64 | random_u64()) >> (128 - bits);
		if (random_below(4) == 0) /* ties */
			m = m / 100000 * 100000 + 50000;
		if (random_below(2) != 0)
			m = 0 - m;
		char format[16];
		char out[OUT_SIZE];
		struct number_spec spec;
		const char *reason;
		const union value v = wide ? (union value){.i128 = {(uint64_t)m, (uint64_t)(m >> 64)}}
					   : (union value){.u64 = (uint64_t)m};
		(void)snprintf(format, sizeof format, "%%.%uf", places);
		EXPECT(number_spec_parse(format, &spec, &reason), "%s", format);
		const size_t size = number_spec_write(out, &spec, t, scale, &v);
		const uint64_t high = wide ? v.i128.hi : (uint64_t)(v.i64 >> 63);
		(void)fprintf(pipe, "%u\t%" PRIx64 "\t%" PRIx64 "\t%u\t%.*s\n", places, high, wide ? v.i128.lo : v.u64,
			      scale, (int)size, out);
	}
	(void)fflush(stdout);
	EXPECT(pclose(pipe) == 0, "python says otherwise");
	check_promise("exact decimals are rounded half to even, on themselves, as python's decimal does");
}

static void test_decimal_cases(void)
{
	static const struct {
		const char *format;
		int64_t mantissa;
		unsigned scale;
		const char *text;
	} cases[] = {
		{"%.2f", 1005, 3, "1.00"},
		{"%.2f", 1015, 3, "1.02"},
		{"%.2f", -1, 3, "-0.00"},
		{"%08.2f", -12345, 2, "-0123.45"},
		{"%-8.1f|", 25, 1, "2.5     |"},
		{"%+.0f", 25, 1, "+2"},
		{"%#.0f", 35, 1, "4."},
		{"%d", 42, 0, "42"},
		{"%05d", -42, 0, "-0042"},
		{"%d", 25, 1, "2"},
		{"%d", 350, 2, "4"},
		{"%.3d", 7, 0, "007"},
		{"%f", 1, 0, "1.000000"},
		{"%.0f", INT64_MIN, 0, "-9223372036854775808"},
		{"%.1f%%", 999, 2, "10.0%"},
		{"%g", 25, 1, "2.5"},
		{"%.3e", 123456, 2, "1.235e+03"},
		{"%G", 1, 18, "1E-18"},
		{"% .1f", 0, 5, " 0.0"},
		{"%6.1fs", 1234, 2, "  12.3s"},
	};
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		const union value v = {.i64 = cases[i].mantissa};
		expect_written(cases[i].format, &type_table[TYPE_I64], cases[i].scale, &v, cases[i].text);
	}
	check_promise("decimals by hand");
}

static void test_refused(void)
{
	static const struct {
		const char *format, *why; /* a part of the reason */
	} cases[] = {
		{"", "see -d"},
		{",", "see -d"},
		{"%%", "see -d"},
		{"100%% f", "see -d"},
		{"%", "ends"},
		{"%5", "ends"},
		{"%.3", "ends"},
		{"%f%f", "more than one"},
		{"%f%", "more than one"},
		{"%f %", "more than one"},
		{"%*f", "'*'"},
		{"%.*f", "'*'"},
		{"%lf", "length"},
		{"%Lf", "length"},
		{"%lld", "length"},
		{"%hhd", "length"},
		{"%zd", "length"},
		{"%s", "known"},
		{"%x", "known"},
		{"%u", "known"},
		{"%c", "known"},
		{"%n", "known"},
		{"%a", "known"},
		{"%1$f", "known"},
		{"%'f", "known"},
		{"%.-3f", "known"},
		{"% %", "known"},
		{"%1001f", "width"},
		{"%.1001f", "precision"},
		{"%99999999999999999999999f", "width"},
		{"%.99999999999999999999f", "precision"},
		{"%\xff", "known"},
	};
	char text[1200];
	struct number_spec spec;
	const char *reason;
	for (size_t i = 0; i < COUNT_OF(cases); i++) {
		reason = "none";
		EXPECT(!number_spec_parse(cases[i].format, &spec, &reason) && strstr(reason, cases[i].why) != NULL,
		       "\"%s\": %s", cases[i].format, reason);
	}
	memset(text, 'x', sizeof text);
	(void)snprintf(text + 998, 10, "%%f");
	EXPECT(number_spec_parse(text, &spec, &reason), "1000 bytes: %s", reason);
	(void)snprintf(text + 998, 10, "%%fx");
	EXPECT(!number_spec_parse(text, &spec, &reason), "1001 bytes");
	check_promise("what is no format is refused, with the reason");
	EXPECT(number_spec_parse("%1000.1000f", &spec, &reason) && spec.width == 1000 && spec.precision == 1000,
	       "limits");
	EXPECT(number_spec_parse("%d", &spec, &reason) && number_spec_is_integer(&spec), "%%d");
	EXPECT(number_spec_parse("%i", &spec, &reason) && number_spec_is_integer(&spec), "%%i");
	EXPECT(number_spec_parse("%f", &spec, &reason) && !number_spec_is_integer(&spec), "%%f");
	check_promise("a format's parts are told");
}

static void test_size_max(void)
{
	static char want[OUT_SIZE];
	static const double values[] = {1.7976931348623157e308, -1.7976931348623157e308, -5e-324};
	for (size_t i = 0; i < COUNT_OF(values); i++) {
		const union value v = {.f64 = values[i]};
		(void)snprintf(want, sizeof want, "%+#.1000f", values[i]);
		expect_written("%+#.1000f", &type_table[TYPE_F64], 0, &v, want);
		(void)snprintf(want, sizeof want, "x%-1000.2fx", values[i]);
		expect_written("x%-1000.2fx", &type_table[TYPE_F64], 0, &v, want);
		(void)snprintf(want, sizeof want, "%#.1000g", values[i]);
		expect_written("%#.1000g", &type_table[TYPE_F64], 0, &v, want);
		(void)snprintf(want, sizeof want, "%.1000e", values[i]);
		expect_written("%.1000e", &type_table[TYPE_F64], 0, &v, want);
	}
	check_promise("the longest results fit the size that is told");
}

int main(int argc, char **argv)
{
	read_arguments(argc, argv);
	test_floats();
	test_integers();
	test_decimals();
	test_decimal_cases();
	test_refused();
	test_size_max();
	return check_done();
}
