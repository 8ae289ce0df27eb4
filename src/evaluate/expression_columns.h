/* Columns: column j has number j of many runs, one after the other, so that all runs can be combined at once. `size` is
 * the bytes of a number: 1, 2, 4 or 8. What is read and what is written must not overlap. */
#ifndef PSCAN_EVALUATE_EXPRESSION_COLUMNS_H
#define PSCAN_EVALUATE_EXPRESSION_COLUMNS_H

#include <stddef.h>

/* Executes `call`, in which SIZE is a constant that equals `size`, so that ALWAYS_INLINE functions are compiled for
 * each size. */
#define EACH_SIZE(size, call)      \
	switch (size) {            \
	case 8: {                  \
		enum { SIZE = 8 }; \
		call;              \
	} break;                   \
	case 4: {                  \
		enum { SIZE = 4 }; \
		call;              \
	} break;                   \
	case 2: {                  \
		enum { SIZE = 2 }; \
		call;              \
	} break;                   \
	default: {                 \
		enum { SIZE = 1 }; \
		call;              \
	}                          \
	}
#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Copies a number. (memcpy itself may become a call where _FORTIFY_SOURCE checks sizes.) */
ALWAYS_INLINE void copy_number(size_t size, unsigned char *to, const unsigned char *from)
{
	__builtin_memcpy(to, from, size);
}

/* Copies numbers 0 to width - 1 of `rows` rows: number j of row i becomes number i of column j. row_step: bytes from
 * one row to the next; column_step: bytes from one column to the next. */
void columns_load(size_t size, const unsigned char *from, size_t row_step, size_t rows, size_t width, unsigned char *to,
		  size_t column_step);
/* Copies the columns back to the rows. The parameters are those of columns_load. */
void columns_store(size_t size, const unsigned char *from, size_t column_step, size_t rows, size_t width,
		   unsigned char *to, size_t row_step);

/* columns_load and columns_store for a level of instruction sets (rows/level.h). */
struct columns_code {
	void (*load)(size_t size, const unsigned char *from, size_t row_step, size_t rows, size_t width,
		     unsigned char *to, size_t column_step);
	void (*store)(size_t size, const unsigned char *from, size_t column_step, size_t rows, size_t width,
		      unsigned char *to, size_t row_step);
};
extern const struct columns_code columns_baseline, columns_v3, columns_v4;

/* Copies numbers 0, 2, .. of `count` numbers to `even`, and numbers 1, 3, .. to `odd`. */
void columns_split(size_t size, const unsigned char *from, size_t count, unsigned char *even, unsigned char *odd);
/* Writes `count` pairs of numbers to `to`: even[0], odd[0], even[1], odd[1], .. */
void columns_merge(size_t size, const unsigned char *even, const unsigned char *odd, size_t count, unsigned char *to);
/* Writes `count` copies of *number to `to`. */
void columns_fill(size_t size, const void *number, size_t count, unsigned char *to);

#endif
