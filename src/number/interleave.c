/* Works on one block of records after the other, so that the block is still in the cache for the next column. Records
 * of two to four equal-sized numbers are done in one loop with constant distances, which compilers turn into shuffles
 * (of AVX2 if the machine has it). */
#include "number/interleave.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/memory.h"

/* Bytes of a block, and the least records that it has. */
#define BLOCK_BYTES 16384
#define BLOCK_RECORDS_MIN 8

/* Numbers of columns that one loop can do. */
#define GROUP_MIN 2
#define GROUP_MAX 4

typedef void group_function(void *records, size_t count, unsigned char *const *columns);

#define EACH_2(r, c0, c1, c2, c3) r(0, c0) r(1, c1)
#define EACH_3(r, c0, c1, c2, c3) EACH_2(r, c0, c1, c2, c3) r(2, c2)
#define EACH_4(r, c0, c1, c2, c3) EACH_3(r, c0, c1, c2, c3) r(3, c3)
#define COLUMN(j, c) T *restrict c = (void *)columns[j];
#define SPLIT_ONE(j, c) c[i] = records[i * n + (j)];
#define JOIN_ONE(j, c) records[i * n + (j)] = c[i];
#define GROUP(NAME, EACH, COUNT, ONE, TYPE, TARGET)                                        \
	TARGET static void NAME(void *memory, size_t count, unsigned char *const *columns) \
	{                                                                                  \
		typedef TYPE T;                                                            \
		enum { n = COUNT };                                                        \
		T *restrict records = memory;                                              \
		EACH(COLUMN, c0, c1, c2, c3)                                               \
		for (size_t i = 0; i < count; i++) {                                       \
			EACH(ONE, c0, c1, c2, c3)                                          \
		}                                                                          \
	}
#define GROUPS(LEVEL, BITS, TARGET)                                               \
	GROUP(split2_##BITS##LEVEL, EACH_2, 2, SPLIT_ONE, uint##BITS##_t, TARGET) \
	GROUP(split3_##BITS##LEVEL, EACH_3, 3, SPLIT_ONE, uint##BITS##_t, TARGET) \
	GROUP(split4_##BITS##LEVEL, EACH_4, 4, SPLIT_ONE, uint##BITS##_t, TARGET) \
	GROUP(join2_##BITS##LEVEL, EACH_2, 2, JOIN_ONE, uint##BITS##_t, TARGET)   \
	GROUP(join3_##BITS##LEVEL, EACH_3, 3, JOIN_ONE, uint##BITS##_t, TARGET)   \
	GROUP(join4_##BITS##LEVEL, EACH_4, 4, JOIN_ONE, uint##BITS##_t, TARGET)
#define LEVEL_GROUPS(LEVEL, TARGET) \
	GROUPS(LEVEL, 8, TARGET)    \
	GROUPS(LEVEL, 16, TARGET)   \
	GROUPS(LEVEL, 32, TARGET)   \
	GROUPS(LEVEL, 64, TARGET)
#define TABLE(LEVEL, BITS)                                                            \
	{                                                                             \
		{split2_##BITS##LEVEL, split3_##BITS##LEVEL, split4_##BITS##LEVEL},   \
		{                                                                     \
			join2_##BITS##LEVEL, join3_##BITS##LEVEL, join4_##BITS##LEVEL \
		}                                                                     \
	}
#define LEVEL_TABLE(LEVEL)                                                            \
	{                                                                             \
		TABLE(LEVEL, 8), TABLE(LEVEL, 16), TABLE(LEVEL, 32), TABLE(LEVEL, 64) \
	}

LEVEL_GROUPS(_plain, )
#ifdef __x86_64__
LEVEL_GROUPS(_avx2, __attribute__((target("avx2"))))
#endif

enum direction { SPLIT, JOIN };

/* Returns the loop for records of `count` numbers of `size` bytes, or NULL. */
static group_function *find_group(enum direction direction, size_t size, size_t count)
{
	static group_function *const table[][4][2][GROUP_MAX - GROUP_MIN + 1] = {
		LEVEL_TABLE(_plain),
#ifdef __x86_64__
		LEVEL_TABLE(_avx2),
#endif
	};
	size_t level = 0;
	size_t log = 0;
#ifdef __x86_64__
	level = __builtin_cpu_supports("avx2") != 0;
#endif
	while ((size_t)1 << log < size)
		log++;
	return log < 4 && count >= GROUP_MIN && count <= GROUP_MAX ? table[level][log][direction][count - GROUP_MIN]
								   : NULL;
}

/* Copies `count` numbers of `size` bytes. Each size has its own loop, so that compilers turn memcpy into a move. */
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

/* Moves all columns in one loop, if they are contiguous and are all numbers of the records in order. False if they are
 * not, or if no loop exists for their number and size. */
static bool move_group(enum direction direction, unsigned char *records, size_t record_size, size_t count,
		       const struct interleaved *columns, size_t column_count)
{
	const size_t size = columns[0].size;
	group_function *group = find_group(direction, size, column_count);
	unsigned char *numbers[GROUP_MAX];
	if (group == NULL || record_size != column_count * size || (uintptr_t)records % size != 0)
		return false;
	for (size_t i = 0; i < column_count; i++) {
		numbers[i] = columns[i].numbers;
		if (columns[i].size != size || columns[i].step != size || columns[i].offset != i * size)
			return false;
	}
	group(records, count, numbers);
	return true;
}

static void move_columns(enum direction direction, unsigned char *records, size_t record_size, size_t count,
			 const struct interleaved *columns, size_t column_count)
{
	const size_t block = block_size(record_size);
	if (move_group(direction, records, record_size, count, columns, column_count))
		return;
	for (size_t first = 0; first < count; first += block) {
		const size_t left = count - first < block ? count - first : block;
		for (size_t i = 0; i < column_count; i++) {
			const struct interleaved *c = &columns[i];
			unsigned char *in_records = records + first * record_size + c->offset;
			unsigned char *in_column = c->numbers + first * c->step;
			if (direction == SPLIT)
				copy(in_records, record_size, left, c->size, in_column, c->step);
			else
				copy(in_column, c->step, left, c->size, in_records, record_size);
		}
	}
}

void interleave_split(const unsigned char *records, size_t record_size, size_t count, const struct interleaved *columns,
		      size_t column_count)
{
	move_columns(SPLIT, bytes_plain(records), record_size, count, columns, column_count);
}

void interleave_join(const struct interleaved *columns, size_t column_count, size_t count, size_t record_size,
		     unsigned char *records)
{
	move_columns(JOIN, records, record_size, count, columns, column_count);
}
