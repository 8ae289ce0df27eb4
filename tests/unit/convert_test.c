/* Elements of every type are converted to every other type. The oracle computes with 80-bit floats, which hold every
 * element exactly. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "number/convert.h"

#include "check.h"
#include "random.h"

#define EDGES_MAX 200
#define MANY 3000 /* elements: more than the conversion looks at in one go */

/* Memory of one type's values. */
struct values {
	const struct type *type;
	_Alignas(64) unsigned char bytes[MANY * sizeof(uint64_t)];
};

static struct values from;
static struct values to;

static long double value_at(const struct values *v, size_t i)
{
	union value one = {0};
	memcpy(&one, v->bytes + i * v->type->size, v->type->size);
	switch (v->type->id) {
	case TYPE_I8:
		return one.i8;
	case TYPE_U8:
		return one.u8;
	case TYPE_I16:
		return one.i16;
	case TYPE_U16:
		return one.u16;
	case TYPE_I32:
		return one.i32;
	case TYPE_U32:
		return one.u32;
	case TYPE_I64:
		return one.i64;
	case TYPE_U64:
		return one.u64;
	case TYPE_F32:
		return one.f32;
	case TYPE_F64:
		return one.f64;
	case TYPE_I128:
	case TYPE_COUNT:
		break;
	}
	return NAN;
}

static long double least_of(const struct type *t)
{
	return t->kind == KIND_SIGNED ? -ldexpl(1, 8 * (int)t->size - 1) : 0;
}

/* The first integer above the type's. */
static long double end_of(const struct type *t)
{
	return ldexpl(1, 8 * (int)t->size - (t->kind == KIND_SIGNED));
}

/* What the element must become, and whether that is no misfit. */
static bool expected(long double x, bool is_float, const struct type *acc, long double *result)
{
	if (acc->kind == KIND_FLOAT) {
		*result = acc->id == TYPE_F32 ? (long double)(float)x : (long double)(double)x;
		return true;
	}
	const long double whole = truncl(x);
	const bool fits = whole >= least_of(acc) && whole < end_of(acc);
	*result = fits ? whole : 0;
	if (!fits && !is_float) {
		const long double span = ldexpl(1, 8 * (int)acc->size);
		*result = whole - span * floorl(whole / span);
		if (*result >= end_of(acc))
			*result -= span;
	}
	return fits;
}

/* Puts the value into from at i, if its type has it. */
static bool put(size_t i, long double x)
{
	unsigned char *at = from.bytes + i * from.type->size;
	const float narrow = (float)x;
	const double wide = (double)x;
	if (from.type->kind != KIND_FLOAT && (x < least_of(from.type) || x >= end_of(from.type) || truncl(x) != x))
		return false;
	if (from.type->id == TYPE_F32) {
		memcpy(at, &narrow, sizeof narrow);
	} else if (from.type->id == TYPE_F64) {
		memcpy(at, &wide, sizeof wide);
	} else {
		const uint64_t bits = x < 0 ? 0 - (uint64_t)-x : (uint64_t)x;
		union value one;
		type_put_integer(from.type, bits, &one);
		memcpy(at, &one, from.type->size);
	}
	return true;
}

/* The ends of all types, their neighbours, fractions, and what no integer type has. Returns how many. */
static size_t put_edges(void)
{
	static const long double near[] = {-1, -0.75L, 0, 0.75L, 1};
	size_t count = 0;
	for (int bits = 0; bits <= 64; bits += bits < 7 ? 7 : (bits & 7) == 7 ? 1 : 7) {
		const long double power = bits == 0 ? 0 : ldexpl(1, bits);
		for (size_t i = 0; i < sizeof near / sizeof near[0]; i++) {
			count += put(count, power + near[i]);
			count += put(count, -power + near[i]);
		}
	}
	if (from.type->kind == KIND_FLOAT) {
		count += put(count, NAN);
		count += put(count, INFINITY);
		count += put(count, -INFINITY);
		count += put(count, FLT_MAX);
		count += put(count, -FLT_MIN);
	}
	return count;
}

static bool same(long double a, long double b)
{
	return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b)) || (a == 0 && b == 0);
}

/* Each value alone, then each among many, where it is the only one that may not fit. */
static void check_pair(const struct type *in, const struct type *acc)
{
	convert_function *convert = convert_find(in, acc);
	if (in->id == acc->id) {
		EXPECT(convert == NULL, "%s to itself", in->name);
		return;
	}
	from.type = in;
	to.type = acc;
	const size_t count = put_edges();
	for (size_t i = 0; i < count; i++) {
		long double want;
		const long double x = value_at(&from, i);
		const bool fits = expected(x, in->kind == KIND_FLOAT, acc, &want);
		const size_t unfit = convert(from.bytes + i * in->size, 1, to.bytes);
		EXPECT(unfit == (fits ? SIZE_MAX : 0), "%s to %s: %Lg: misfit at %zu", in->name, acc->name, x, unfit);
		EXPECT(same(value_at(&to, 0), want), "%s to %s: %Lg became %Lg, not %Lg", in->name, acc->name, x,
		       value_at(&to, 0), want);
	}
	for (size_t i = 0; i < count; i++) {
		const size_t place = random_below(MANY);
		unsigned char saved[sizeof(union value)];
		long double want;
		memcpy(saved, from.bytes + i * in->size, in->size);
		const bool fits = expected(value_at(&from, i), in->kind == KIND_FLOAT, acc, &want);
		unsigned char edges[EDGES_MAX * sizeof(uint64_t)];
		memcpy(edges, from.bytes, count * in->size);
		for (size_t j = 0; j < MANY; j++)
			(void)put(j, 1);
		memcpy(from.bytes + place * in->size, saved, in->size);
		const size_t unfit = convert(from.bytes, MANY, to.bytes);
		EXPECT(unfit == (fits ? SIZE_MAX : place), "%s to %s: misfit at %zu, not %zu", in->name, acc->name,
		       unfit, place);
		EXPECT(same(value_at(&to, place), want) && value_at(&to, (place + 1) % MANY) == 1, "%s to %s: %zu",
		       in->name, acc->name, place);
		memcpy(from.bytes, edges, count * in->size);
	}
	EXPECT(convert(from.bytes, 0, to.bytes) == SIZE_MAX, "%s to %s: nothing", in->name, acc->name);
}

int main(void)
{
	for (int in = 0; in < TYPE_I128; in++) {
		for (int acc = 0; acc < TYPE_I128; acc++)
			check_pair(&type_table[in], &type_table[acc]);
		check_promise("%s becomes any type exactly, and the first misfit is found", type_table[in].name);
	}
	return check_done();
}
