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

/* Returns the number of the decoder's columns: for each field of each element one for each form. */
size_t slot_map_column_count(const struct plan *plan);
/* Describes them to the decoder (s->decoding), with memory for as many numbers as the slot has bytes. STATUS_SYSTEM
 * after a message if memory is missing. */
enum status slot_map_describe(struct slot *s, const struct plan *plan) MUST_CHECK;

/* Returns the elements that decoding must leave out (struct decode_target) and sets *count to their number: those of
 * earlier evaluations of these bytes. */
const struct absence *slot_map_left_out(const struct slot_map *m, size_t *count);
/* Forgets them. */
void slot_map_begin(struct slot_map *m);

/* The first element without a value. */
struct map_fault {
	size_t record; /* SIZE_MAX: all have one. */
	size_t element; /* The index of the element in its record. */
	const char *why;
	const struct type *type; /* If the number of a field does not fit its type: the type; NULL otherwise. */
};

/* Evaluates --map for the fields that decode_text has read: sets the elements of all columns in use, their count, step,
 * scales and helds. *more becomes whether more elements are to be left out (--nan=skip): then everything must be
 * decoded again. STATUS_SYSTEM after a message if memory is missing. */
enum status slot_map_evaluate(struct slot *s, const struct plan *plan, struct map_fault *fault, bool *more) MUST_CHECK;

#endif
