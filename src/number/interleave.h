/* Splits records into columns of numbers, and joins columns into records.
 *
 * Pure functions; any thread. Records and columns must not overlap in memory. */
#ifndef PSCAN_NUMBER_INTERLEAVE_H
#define PSCAN_NUMBER_INTERLEAVE_H

#include <stddef.h>

/* A column of numbers. */
struct interleaved {
	unsigned char *numbers; /* The first number. Borrowed. */
	size_t step; /* Bytes from one number to the next in the column. */
	size_t size; /* Bytes of a number: 1, 2, 4, 8 or 16. */
	size_t offset; /* Bytes from the beginning of a record to the column's number in it. */
};

/* Copies the numbers of `count` records of record_size bytes (above 0) to column_count columns (at least 1). A column
 * whose step is its size must be aligned for its numbers. */
void interleave_split(const unsigned char *records, size_t record_size, size_t count, const struct interleaved *columns,
		      size_t column_count);

/* Copies the numbers of the columns to `count` records of record_size bytes. Bytes of a record that belong to no column
 * are not changed. The arguments are as for interleave_split. */
void interleave_join(const struct interleaved *columns, size_t column_count, size_t count, size_t record_size,
		     unsigned char *records);

#endif
