/* Block by block of records, so that their cache lines are still there for the next column. */
#include "number/interleave.h"

#include <stdint.h>
#include <string.h>

/* Bytes of records in a block, which has at least so many of them. */
#define BLOCK_BYTES 16384
#define BLOCK_RECORDS_MIN 8

/* count numbers of one size at distances; a plain loop for each size, so that the compiler makes moves of the copies. */
static void copy(const unsigned char *from, size_t from_step, size_t count, size_t size, unsigned char *to,
		 size_t to_step)
{
#define COPY_LOOP(bytes)                                                       \
	case bytes:                                                            \
		for (size_t i = 0; i < count; i++)                             \
			memcpy(to + i * to_step, from + i * from_step, bytes); \
		break;
	switch (size) {
		COPY_LOOP(1)
		COPY_LOOP(2)
		COPY_LOOP(4)
		COPY_LOOP(8)
	default:
		COPY_LOOP(16)
	}
}

static size_t block_size(size_t record_size)
{
	const size_t records = BLOCK_BYTES / record_size;
	return records < BLOCK_RECORDS_MIN ? BLOCK_RECORDS_MIN : records;
}

void interleave_split(const unsigned char *records, size_t record_size, size_t count, const struct interleaved *columns,
		      size_t column_count)
{
	const size_t block = block_size(record_size);
	for (size_t first = 0; first < count; first += block) {
		const size_t left = count - first < block ? count - first : block;
		for (size_t i = 0; i < column_count; i++) {
			const struct interleaved *c = &columns[i];
			copy(records + first * record_size + c->offset, record_size, left, c->size,
			     c->numbers + first * c->size, c->size);
		}
	}
}

void interleave_join(const struct interleaved *columns, size_t column_count, size_t count, size_t record_size,
		     unsigned char *records)
{
	const size_t block = block_size(record_size);
	for (size_t first = 0; first < count; first += block) {
		const size_t left = count - first < block ? count - first : block;
		for (size_t i = 0; i < column_count; i++) {
			const struct interleaved *c = &columns[i];
			copy(c->numbers + first * c->size, c->size, left, c->size,
			     records + first * record_size + c->offset, record_size);
		}
	}
}
