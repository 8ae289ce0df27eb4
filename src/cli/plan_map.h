/* The steps of plan_make that settle --map. Functions return STATUS_USAGE after a message if the expressions, the
 * options and the input do not fit each other, STATUS_SYSTEM after a message if memory is missing. */
#ifndef PSCAN_CLI_PLAN_MAP_H
#define PSCAN_CLI_PLAN_MAP_H

#include "base/status.h"
#include "stream/plan.h"

struct options;
struct text_part;
struct plan_input;

/* Decides whether the host evaluates --map (plan->map.field_count), which fields make an element, and whether the
 * results are exact. plan->memory.fields has the fields of numbers; those that --map does not use are removed. Does
 * nothing without --map. */
enum status plan_choose_map(struct plan *plan, const struct options *o, const struct plan_input *input) MUST_CHECK;

/* Returns how many numbers of a record make an element of a program that maps them itself. If --map numbers the fields
 * or columns (x0, x1, ...) for an operator of one number, these are all of them. If it calls fields by name, they are
 * these fields, and *names becomes their names, otherwise NULL. 0: as many as the operator takes. */
size_t plan_map_inputs(const struct plan *plan, const struct options *o, const struct text_part **names);

/* Compiles the expressions for the types that the lanes have. Changes the type that lanes take to the one that the map
 * gives. Does nothing if the host does not evaluate --map. */
enum status plan_compile_map(struct plan *plan) MUST_CHECK;

/* Frees the memory of plan->map. */
void plan_free_map(struct plan_map *map);

#endif
