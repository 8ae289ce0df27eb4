/* --map on the host: the fields of text become the elements of a slot's columns. */
#ifndef PSCAN_CHUNK_SLOT_MAP_H
#define PSCAN_CHUNK_SLOT_MAP_H

#include "base/status.h"
#include "chunk/plan.h"

struct absence;
struct slot;

/* A slot's memory for fields and their evaluation. */
struct slot_map;

/* Makes the memory that the plan determines; plan->map.field_count is not 0. NULL after a message if memory is missing.
 * The caller frees it with slot_map_free. */
struct slot_map *slot_map_new(const struct plan *plan);
/* Frees the memory. NULL: does nothing. */
void slot_map_free(struct slot_map *m);

/* Returns the number of columns into which --map's fields are decoded: one for each field of each element and each
 * form. */
size_t slot_map_column_count(const struct plan *plan);
/* Describes these columns to the decoder (s->decoding), with memory for s->capacity numbers each. STATUS_SYSTEM after a
 * message if memory is missing. */
enum status slot_map_describe(struct slot *s, const struct plan *plan) MUST_CHECK;

/* Returns the elements that decoding must leave out (left_out of struct decode_target), which earlier evaluations of
 * the same bytes have found, and sets *count to their number. Borrowed until the next slot_map_evaluate. m may be NULL:
 * no element is left out. */
const struct absence *slot_map_left_out(const struct slot_map *m, size_t *count);
/* Forgets the elements that decoding must leave out. Call it when the slot has other bytes. */
void slot_map_begin(struct slot_map *m);

/* The first element for which the expressions have no value. */
struct map_fault {
	size_t record; /* The element's record. SIZE_MAX: all elements have values. */
	size_t element; /* The index of the element in its record. */
	const char *why; /* The reason, for a message. */
	const struct type *type; /* Comes after `why`: the type that a field's number does not fit. Otherwise NULL. */
};

/* Evaluates --map for the fields that decode_text has read: sets the elements of all columns in use, their count, step,
 * scales and helds. *fault becomes the first element without a value; elements from there on are undefined. *more
 * becomes whether more elements must be left out (--nan=skip): then decode the bytes again, and evaluate again.
 * STATUS_SYSTEM after a message if memory is missing. */
enum status slot_map_evaluate(struct slot *s, const struct plan *plan, struct map_fault *fault, bool *more) MUST_CHECK;

#endif
