/* Numbers of several columns, one after the other in records, and each column for itself.
 *
 * Pure functions; any thread. Nothing overlaps. */
#ifndef PSCAN_NUMBER_INTERLEAVE_H
#define PSCAN_NUMBER_INTERLEAVE_H

#include <stddef.h>

/* A column: numbers of 1, 2, 4, 8 or 16 bytes. */
struct interleaved {
	unsigned char *numbers;
	size_t step; /* bytes from one to the next */
	size_t size; /* of each, in bytes */
	size_t offset; /* of each in its record, in bytes */
};

/* Fills the columns (column_count of them) with their numbers from count records of record_size bytes. */
void interleave_split(const unsigned char *records, size_t record_size, size_t count, const struct interleaved *columns,
		      size_t column_count);

/* Fills the records, which the columns cover. */
void interleave_join(const struct interleaved *columns, size_t column_count, size_t count, size_t record_size,
		     unsigned char *records);

#endif
