/* The layout of several numbers, perhaps of different types, that lie one after the other without gaps: an element of
 * several inputs, or the results of an operator that has several. */
#ifndef PSCAN_NUMBER_PACKED_H
#define PSCAN_NUMBER_PACKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "number/type.h"

#define PACKED_MAX 8

struct packed {
	size_t size; /* Bytes of all numbers together. */
	size_t count; /* Numbers, 1 to PACKED_MAX. */
	struct packed_number {
		const struct type *type;
		size_t offset; /* Bytes from the first number to this one. */
	} numbers[PACKED_MAX];
};

/* Adds a number after the others, of which there are fewer than PACKED_MAX. */
static inline void packed_add(struct packed *p, const struct type *type)
{
	p->numbers[p->count].type = type;
	p->numbers[p->count++].offset = p->size;
	p->size += type->size;
}

/* Returns the layout of `count` numbers of one type. */
static inline struct packed packed_of(const struct type *type, size_t count)
{
	struct packed p = {0};
	for (size_t i = 0; i < count; i++)
		packed_add(&p, type);
	return p;
}

/* Whether two layouts have equal types in equal order. */
static inline bool packed_is_same(const struct packed *a, const struct packed *b)
{
	bool same = a->count == b->count;
	for (size_t i = 0; same && i < a->count; i++)
		same = a->numbers[i].type == b->numbers[i].type;
	return same;
}

/* Whether all numbers have one type. */
static inline bool packed_is_uniform(const struct packed *p)
{
	bool uniform = true;
	for (size_t i = 1; uniform && i < p->count; i++)
		uniform = p->numbers[i].type == p->numbers[0].type;
	return uniform;
}

/* Returns the type of number `number`, from 1, of a record that consists of several elements with this layout. */
static inline const struct type *packed_column_type(const struct packed *element, uint64_t number)
{
	return element->numbers[(size_t)(number - 1) % element->count].type;
}

/* Returns the bytes from the beginning of such a record (packed_column_type) to number `number`, from 1. */
static inline size_t packed_column_offset(const struct packed *element, uint64_t number)
{
	const size_t before = (size_t)(number - 1) / element->count;
	return before * element->size + element->numbers[(size_t)(number - 1) % element->count].offset;
}

#endif
