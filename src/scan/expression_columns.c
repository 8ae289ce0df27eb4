#include "scan/expression_columns.h"

#include <stdint.h>

/* Rows and columns of the squares that `transpose` knows. */
#define SIDE(size) ((size) == 8 ? 2 : (size) == 4 ? 4 : 1)

typedef uint32_t four __attribute__((vector_size(16)));
typedef uint64_t two __attribute__((vector_size(16)));

/* Transposes a square of numbers: 2 times 2 of 8 bytes, 4 times 4 of 4 bytes, or a single one. */
ALWAYS_INLINE void transpose(size_t size, const unsigned char *from, size_t from_step, unsigned char *to,
			     size_t to_step)
{
	if (size == 8) {
		two a, b;
		__builtin_memcpy(&a, from, sizeof a);
		__builtin_memcpy(&b, from + from_step, sizeof b);
		const two low = __builtin_shufflevector(a, b, 0, 2);
		const two high = __builtin_shufflevector(a, b, 1, 3);
		__builtin_memcpy(to, &low, sizeof low);
		__builtin_memcpy(to + to_step, &high, sizeof high);
	} else if (size == 4) {
		four a, b, c, d;
		__builtin_memcpy(&a, from, sizeof a);
		__builtin_memcpy(&b, from + from_step, sizeof b);
		__builtin_memcpy(&c, from + 2 * from_step, sizeof c);
		__builtin_memcpy(&d, from + 3 * from_step, sizeof d);
		const four e = __builtin_shufflevector(a, b, 0, 4, 1, 5);
		const four f = __builtin_shufflevector(a, b, 2, 6, 3, 7);
		const four g = __builtin_shufflevector(c, d, 0, 4, 1, 5);
		const four h = __builtin_shufflevector(c, d, 2, 6, 3, 7);
		a = __builtin_shufflevector(e, g, 0, 1, 4, 5);
		b = __builtin_shufflevector(e, g, 2, 3, 6, 7);
		c = __builtin_shufflevector(f, h, 0, 1, 4, 5);
		d = __builtin_shufflevector(f, h, 2, 3, 6, 7);
		__builtin_memcpy(to, &a, sizeof a);
		__builtin_memcpy(to + to_step, &b, sizeof b);
		__builtin_memcpy(to + 2 * to_step, &c, sizeof c);
		__builtin_memcpy(to + 3 * to_step, &d, sizeof d);
	} else {
		copy_number(size, to, from);
	}
}

/* Squares of rows, and in each of these rows. Rows are read or written one after the other, because they are many. */
ALWAYS_INLINE void load(size_t size, size_t side, const unsigned char *from, size_t row_step, size_t rows, size_t width,
			unsigned char *to, size_t column_step)
{
	const size_t whole_rows = rows / side * side;
	const size_t whole_width = width / side * side;
	for (size_t i = 0; i < whole_rows; i += side) {
		for (size_t j = 0; j < whole_width; j += side)
			transpose(size, from + i * row_step + j * size, row_step, to + j * column_step + i * size,
				  column_step);
	}
	for (size_t i = 0; i < rows; i++) {
		for (size_t j = i < whole_rows ? whole_width : 0; j < width; j++)
			copy_number(size, to + j * column_step + i * size, from + i * row_step + j * size);
	}
}

ALWAYS_INLINE void store(size_t size, size_t side, const unsigned char *from, size_t column_step, size_t rows,
			 size_t width, unsigned char *to, size_t row_step)
{
	const size_t whole_rows = rows / side * side;
	const size_t whole_width = width / side * side;
	for (size_t i = 0; i < whole_rows; i += side) {
		for (size_t j = 0; j < whole_width; j += side)
			transpose(size, from + j * column_step + i * size, column_step, to + i * row_step + j * size,
				  row_step);
	}
	for (size_t i = 0; i < rows; i++) {
		for (size_t j = i < whole_rows ? whole_width : 0; j < width; j++)
			copy_number(size, to + i * row_step + j * size, from + j * column_step + i * size);
	}
}

void columns_load(size_t size, const unsigned char *from, size_t row_step, size_t rows, size_t width, unsigned char *to,
		  size_t column_step)
{
	EACH_SIZE(size, load(SIZE, SIDE(SIZE), from, row_step, rows, width, to, column_step))
}

void columns_store(size_t size, const unsigned char *from, size_t column_step, size_t rows, size_t width,
		   unsigned char *to, size_t row_step){
	EACH_SIZE(size, store(SIZE, SIDE(SIZE), from, column_step, rows, width, to, row_step))}

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
