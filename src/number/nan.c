#include "number/nan.h"

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
