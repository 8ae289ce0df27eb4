/* Columns of numbers (expression_columns.h) for one level of instruction sets, LEVEL: baseline, v3 or v4. */
#include <stdbool.h>

#include "evaluate/expression_columns.h"

#define OP_BITWISE 0
#include "rows/vector.h"

#ifndef LEVEL
#define LEVEL baseline
#endif

/* The numbers of 16 bytes, and of a vector. Numbers of 1 and 2 bytes are moved one by one. */
#define SIDE(size) (16 / (size))
#define ROWS(size) (VECTOR_BYTES / (size))
#define WHOLE(count, unit, size) ((size) < 4 ? 0 : (count) / (unit) * (unit))

/* Transposes SIDE(size) vectors, in each part of 16 bytes. (Floats are only moved.) */
ALWAYS_INLINE void transpose(size_t size, vector_u64 v[4])
{
	if (size == 8) {
		vector_f64 of_8[2] = {(vector_f64)v[0], (vector_f64)v[1]};
		vector_transpose_f64(of_8);
		v[0] = (vector_u64)of_8[0];
		v[1] = (vector_u64)of_8[1];
		return;
	}
	vector_f32 of_4[4] = {(vector_f32)v[0], (vector_f32)v[1], (vector_f32)v[2], (vector_f32)v[3]};
	vector_transpose_f32(of_4);
	for (size_t k = 0; k < 4; k++)
		v[k] = (vector_u64)of_4[k];
}

/* Copies rows to columns, or with `stores` columns to rows. Rows are read or written one after the other, because they
 * are many. */
ALWAYS_INLINE void copy_of(size_t size, bool stores, const unsigned char *from, unsigned char *to, size_t rows,
			   size_t row_step, size_t width, size_t column_step)
{
	const size_t whole_rows = WHOLE(rows, ROWS(size), size);
	const size_t whole_width = WHOLE(width, SIDE(size), size);
	for (size_t i = 0; i < whole_rows; i += ROWS(size)) {
		for (size_t j = 0; j < whole_width; j += SIDE(size)) {
			const size_t row = i * row_step + j * size;
			const size_t column = j * column_step + i * size;
			vector_u64 v[4] = {{0}};
			UNROLLED
			for (size_t k = 0; k < SIDE(size); k++) {
				if (stores)
					__builtin_memcpy(&v[k], from + column + k * column_step, sizeof v[k]);
				else
					v[k] = vector_gather(from + row + k * row_step, SIDE(size) * row_step);
			}
			transpose(size, v);
			UNROLLED
			for (size_t k = 0; k < SIDE(size); k++) {
				if (stores)
					vector_scatter(to + row + k * row_step, SIDE(size) * row_step, v[k]);
				else
					__builtin_memcpy(to + column + k * column_step, &v[k], sizeof v[k]);
			}
		}
	}
	for (size_t i = 0; i < rows; i++) {
		for (size_t j = i < whole_rows ? whole_width : 0; j < width; j++) {
			const size_t in_row = i * row_step + j * size;
			const size_t in_column = j * column_step + i * size;
			copy_number(size, to + (stores ? in_row : in_column), from + (stores ? in_column : in_row));
		}
	}
}

static void load(size_t size, const unsigned char *from, size_t row_step, size_t rows, size_t width, unsigned char *to,
		 size_t column_step)
{
	EACH_SIZE(size, copy_of(SIZE, false, from, to, rows, row_step, width, column_step))
}

static void store(size_t size, const unsigned char *from, size_t column_step, size_t rows, size_t width,
		  unsigned char *to, size_t row_step)
{
	EACH_SIZE(size, copy_of(SIZE, true, from, to, rows, row_step, width, column_step))
}

const struct columns_code PASTE2(columns_, LEVEL) = {load, store};
