/* Loads and stores have code for each level of instruction sets (columns_level.c). The other functions are loops that
 * are compiled for each size of a number. */
#include "evaluate/expression_columns.h"

#include "rows/level.h"

void columns_load(size_t size, const unsigned char *from, size_t row_step, size_t rows, size_t width, unsigned char *to,
		  size_t column_step)
{
	LEVEL_CODE(columns)->load(size, from, row_step, rows, width, to, column_step);
}

void columns_store(size_t size, const unsigned char *from, size_t column_step, size_t rows, size_t width,
		   unsigned char *to, size_t row_step)
{
	LEVEL_CODE(columns)->store(size, from, column_step, rows, width, to, row_step);
}

ALWAYS_INLINE void split(size_t size, const unsigned char *from, size_t count, unsigned char *even, unsigned char *odd)
{
	for (size_t i = 0; i + 1 < count; i += 2) {
		copy_number(size, even + i / 2 * size, from + i * size);
		copy_number(size, odd + i / 2 * size, from + (i + 1) * size);
	}
	if (count % 2 != 0)
		copy_number(size, even + count / 2 * size, from + (count - 1) * size);
}

void columns_split(size_t size, const unsigned char *from, size_t count, unsigned char *even,
		   unsigned char *odd){EACH_SIZE(size, split(SIZE, from, count, even, odd))}

ALWAYS_INLINE
	void merge(size_t size, const unsigned char *even, const unsigned char *odd, size_t count, unsigned char *to)
{
	for (size_t i = 0; i < count; i++) {
		copy_number(size, to + 2 * i * size, even + i * size);
		copy_number(size, to + (2 * i + 1) * size, odd + i * size);
	}
}

void columns_merge(size_t size, const unsigned char *even, const unsigned char *odd, size_t count,
		   unsigned char *to){EACH_SIZE(size, merge(SIZE, even, odd, count, to))}

ALWAYS_INLINE void fill(size_t size, const unsigned char *number, size_t count, unsigned char *to)
{
	for (size_t i = 0; i < count; i++)
		copy_number(size, to + i * size, number);
}

void columns_fill(size_t size, const void *number, size_t count, unsigned char *to)
{
	EACH_SIZE(size, fill(SIZE, number, count, to))
}
