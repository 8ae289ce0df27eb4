/* A NaN is the only number that differs from itself. A number that may not be aligned is tested by its bits. */
#include "number/nan.h"

#include <string.h>

/* Numbers that are tested together before the first NaN is searched. */
#define BLOCK 512
/* Numbers that are tested one by one before the first block: where there are NaNs there are often many. */
#define NEAR 64

/* Compilers vectorise the loop over a block. */
#define FIND(T)                                                        \
	static size_t find_##T(const T *x, size_t count)               \
	{                                                              \
		const size_t near = count < NEAR ? count : NEAR;       \
		size_t first = 0;                                      \
		while (first < near && x[first] == x[first])           \
			first++;                                       \
		if (first < near)                                      \
			return first;                                  \
		for (; count - first >= BLOCK; first += BLOCK) {       \
			unsigned found = 0;                            \
			for (size_t i = 0; i < BLOCK; i++)             \
				found |= x[first + i] != x[first + i]; \
			if (found != 0)                                \
				break;                                 \
		}                                                      \
		while (first < count && x[first] == x[first])          \
			first++;                                       \
		return first;                                          \
	}
FIND(float)
FIND(double)

size_t nan_find(const struct type *t, const void *numbers, size_t count)
{
	if (t->id == TYPE_F32)
		return find_float(numbers, count);
	return t->id == TYPE_F64 ? find_double(numbers, count) : count;
}

bool nan_is(const struct type *t, const void *number)
{
	uint32_t narrow = 0;
	uint64_t wide = 0;
	if (t->id == TYPE_F32)
		memcpy(&narrow, number, sizeof narrow);
	else if (t->id == TYPE_F64)
		memcpy(&wide, number, sizeof wide);
	return (narrow & 0x7fffffff) > 0x7f800000 || (wide & 0x7fffffffffffffff) > 0x7ff0000000000000;
}

/* Whether one of an element's numbers is a NaN. */
static bool has_nan(const struct packed *element, const unsigned char *numbers)
{
	bool has = false;
	for (size_t i = 0; i < element->count; i++)
		has = has || nan_is(element->numbers[i].type, numbers + element->numbers[i].offset);
	return has;
}

size_t nan_find_element(const struct packed *element, const unsigned char *elements, size_t step, size_t count)
{
	const struct type *t = element->numbers[0].type;
	size_t first = 0;
	if (packed_is_uniform(element) && step == element->count * t->size)
		return nan_find(t, elements, count * element->count) / element->count;
	while (first < count && !has_nan(element, elements + first * step))
		first++;
	return first;
}
