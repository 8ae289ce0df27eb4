/* Results in the user's own format (-F): number_spec_parse against the grammar, written down here once more, and
 * number_spec_write against libc's printf: floats as they are, integers as long double, which holds them exactly.
 *
 * First byte: how many of the bytes that follow (at most 8) are the value; the rest is the format. */
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>

#include "fuzz.h"
#include "number/printf_format.h"

#define FORMAT_MAX 200

/* What the grammar in printf_format.h says. */
struct plain_format {
	bool valid;
	char before[FORMAT_MAX + 1]; /* with its %% as they are */
	char flags[FORMAT_MAX + 1]; /* from the % up to the conversion, without both */
	char conversion;
	char after[FORMAT_MAX + 1];
	bool has_precision;
};

/* Text up to a conversion or the end, %% in it; returns its bytes. */
static size_t text_size(const char *p)
{
	size_t n = 0;
	while (p[n] != '\0' && (p[n] != '%' || p[n + 1] == '%'))
		n += p[n] == '%' ? 2 : 1;
	return n;
}

static bool is_small(const char *digits, size_t size)
{
	unsigned long number = 0;
	for (size_t i = 0; i < size && number <= NUMBER_SPEC_MAX; i++)
		number = number * 10 + (unsigned long)(digits[i] - '0');
	return number <= NUMBER_SPEC_MAX;
}

static struct plain_format classify(const char *format)
{
	struct plain_format f = {0};
	const char *p = format;
	size_t n = text_size(p);
	memcpy(f.before, p, n);
	p += n;
	if (*p++ != '%')
		return f;
	const char *flags = p;
	p += strspn(p, "-+ #0");
	n = strspn(p, "0123456789");
	bool small = is_small(p, n);
	p += n;
	f.has_precision = *p == '.';
	if (f.has_precision) {
		n = strspn(++p, "0123456789");
		small = small && is_small(p, n);
		p += n;
	}
	memcpy(f.flags, flags, (size_t)(p - flags));
	if (*p == '\0' || strchr("fFeEgGdi", *p) == NULL)
		return f;
	f.conversion = *p++;
	n = text_size(p);
	memcpy(f.after, p, n);
	f.valid = small && p[n] == '\0';
	return f;
}

/* printf's own, of a value with or without a length modifier. */
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static size_t print_plainly(const struct plain_format *f, const struct type *t, const union value *v, char *out,
			    size_t room)
{
	char format[3 * FORMAT_MAX + 16];
	const bool integer_conversion = strchr("di", f->conversion) != NULL;
	const bool from_float = t->kind == KIND_FLOAT;
	const bool is_signed = t->kind == KIND_SIGNED || v->i64 >= 0;
	const char *length = is_signed ? PRId64 : PRIu64;
	int size;
	if (integer_conversion) /* PRId64 holds the conversion */
		(void)snprintf(format, sizeof format, "%s%%%s%s%s", f->before, f->flags, length, f->after);
	else
		(void)snprintf(format, sizeof format, "%s%%%s%s%c%s", f->before, f->flags, from_float ? "" : "L",
			       f->conversion, f->after);
	if (integer_conversion)
		size = t->kind == KIND_SIGNED ? snprintf(out, room, format, v->i64)
					      : snprintf(out, room, format, v->u64);
	else if (from_float)
		size = snprintf(out, room, format, t->size == 4 ? (double)v->f32 : v->f64);
	else if (t->kind == KIND_SIGNED)
		size = snprintf(out, room, format, (long double)v->i64);
	else
		size = snprintf(out, room, format, (long double)v->u64);
	REQUIRE(size >= 0 && (size_t)size < room, "printf with \"%s\"", format);
	return (size_t)size;
}

static void check_value(const struct plain_format *f, const struct number_spec *spec, const struct type *t,
			const union value *v)
{
	static char want[4 * NUMBER_SPEC_MAX];
	const size_t most = number_spec_size_max(spec);
	char *got = malloc(most);
	REQUIRE(got != NULL, "no memory");
	const size_t size = number_spec_write(got, spec, t, 0, v);
	const size_t wanted = print_plainly(f, t, v, want, sizeof want);
	REQUIRE(size <= most, "%zu bytes of at most %zu", size, most);
	REQUIRE(size == wanted && memcmp(got, want, size) == 0, "%s with %%%s%c: \"%.*s\" instead of \"%s\"", t->name,
		f->flags, f->conversion, (int)size, got, want);
	free(got);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct number_spec spec;
	char format[FORMAT_MAX + 1];
	union value v = {.u64 = 0};
	const char *reason = NULL;
	size_t bytes = fuzz_choose(&data, &size) % 9;
	bytes = bytes < size ? bytes : size;
	if (size - bytes > FORMAT_MAX || memchr(data + bytes, '\0', size - bytes) != NULL)
		return 0;
	memcpy(&v, data, bytes);
	memcpy(format, data + bytes, size - bytes);
	format[size - bytes] = '\0';
	const struct plain_format f = classify(format);
	const bool valid = number_spec_parse(format, &spec, &reason);
	REQUIRE(valid == f.valid, "\"%s\" is taken as %s format", format, valid ? "a" : "no");
	REQUIRE(valid || (reason != NULL && *reason != '\0'), "no reason");
	if (!valid)
		return 0;
	const bool integer = strchr("di", f.conversion) != NULL;
	REQUIRE(number_spec_is_integer(&spec) == integer, "\"%s\"", format);
	check_value(&f, &spec, &type_table[TYPE_I64], &v);
	/* printf gives what has no sign none, whatever the flags. */
	if (!integer || v.i64 >= 0 || strpbrk(f.flags, "+ ") == NULL)
		check_value(&f, &spec, &type_table[TYPE_U64], &v);
	if (integer)
		return 0;
	if (isnan(v.f64))
		v.u64 &= UINT64_MAX >> 1; /* a NaN has no sign */
	check_value(&f, &spec, &type_table[TYPE_F64], &v);
	if (isnan(v.f32))
		v.u64 &= UINT64_C(0x7fffffff);
	check_value(&f, &spec, &type_table[TYPE_F32], &v);
	return 0;
}
