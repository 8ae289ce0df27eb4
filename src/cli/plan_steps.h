/* The steps of plan_make, by file and in their order, and what other files ask about them. Unless a comment says
 * otherwise, a function that returns a status returns STATUS_USAGE after a message if the options and the input do not
 * fit each other, and STATUS_SYSTEM after a message if memory is missing. */
#ifndef PSCAN_CLI_PLAN_STEPS_H
#define PSCAN_CLI_PLAN_STEPS_H

#include "base/pack.h"
#include "cli/args.h"
#include "cli/make_plan.h"

struct text_part;

/* --- plan_exclusive.c: results that leave out their element ------------------------------------------------------- */

/* Whether each result leaves out its element. Results that begin with the initial one, and totals, are inclusive. */
bool plan_is_exclusive(const struct scan_options *o);
/* Sets the lanes' moves_results and row_is_exclusive. Checks that there is a value for the first result. Call it when
 * the lanes have types. */
enum status plan_exclusive_lanes(struct plan *plan, const struct scan_options *o) MUST_CHECK;

/* --- plan_npy.c: the header of an input array (.npy) replaces options for the type and the columns ---------------- */

/* Bytes of room for the value of -t that the header of an array replaces. */
#define PLAN_NPY_TYPE_SIZE 32

/* Sets *settled to the given options, changed to fit the input, and sets plan->npy. If the input is an array, *settled
 * asks for raw binary elements of the array's type, with the columns and segments that follow from --axis. Otherwise
 * only .npy as a format becomes raw binary. type: memory that settled->numbers.type may point to; it must live as long
 * as *settled. */
enum status plan_npy_settle(struct plan *plan, const struct options *given, const struct plan_input *input,
			    struct options *settled, char type[PLAN_NPY_TYPE_SIZE]) MUST_CHECK;
/* Checks that the lanes' elements have the input array's type, and sets plan->format's byte orders to the array's if a
 * program declares its types. Does nothing if the input is no array. Call it when the lanes have types. */
enum status plan_npy_check_types(struct plan *plan) MUST_CHECK;
/* Sets the type in the output array's header, and the shape if the input is not an array. Call it when the rest of the
 * plan is complete. */
enum status plan_npy_describe(struct plan *plan, const struct plan_input *input) MUST_CHECK;

/* --- plan_lanes.c: fields and lanes ------------------------------------------------------------------------------- */

/* Chooses the fields of a record: the numbers, keys and resets. The names of the header are looked up in the input's
 * first block. */
enum status plan_choose_fields(struct plan *plan, const struct options *o, const struct plan_input *input) MUST_CHECK;
/* Makes the lanes and their seeds. Each element of a record under each operator is a lane. */
enum status plan_choose_lanes(struct plan *plan, const struct options *o) MUST_CHECK;
/* Checks that --as has a name for each result, and that no name would be cut into several fields. */
enum status plan_check_names(const struct plan *plan) MUST_CHECK;
/* Checks, for --replace, that each field of numbers has one result. */
enum status plan_check_replaced(const struct plan *plan) MUST_CHECK;

/* --- plan_names.c: names of results, and formats whose lines name their fields (JSON, logfmt) --------------------- */

/* Makes the tree of the chosen fields' names (text/members.h), and numbers the fields by it. */
enum status plan_name_members(struct plan *plan) MUST_CHECK;
/* Appends the name of result i of a record to *out. With --as this is the first name of the list *as, and *as moves
 * past the name. Without --as (*as is NULL) it is the name in a header. A field without a known name has its number
 * there. */
enum status plan_name_result(const struct plan *plan, size_t i, const char **as, struct bytes *out) MUST_CHECK;
/* Makes the labels (struct label) of the results, keys and resets, if results are written with their names. */
enum status plan_make_labels(struct plan *plan) MUST_CHECK;

/* --- plan_map.c: --map -------------------------------------------------------------------------------------------- */

/* Decides whether the host evaluates --map (plan->map.field_count), which fields make an element, and whether the
 * results are exact. plan->memory.fields has the fields of numbers; those that --map does not use are removed. Does
 * nothing without --map. */
enum status plan_choose_map(struct plan *plan, const struct options *o, const struct plan_input *input) MUST_CHECK;
/* Returns the count of an element's numbers, for a program that contains --map. If --map names fields, an element has
 * these fields, and *names becomes their names. (Otherwise *names becomes NULL.) If --map uses x0, x1, ... for an
 * operator of one number, an element has all fields or columns. 0: an element has the operator's own count. */
size_t plan_map_inputs(const struct plan *plan, const struct options *o, const struct text_part **names);
/* Compiles the expressions of --map for the types that the lanes have. Then each lane's `in` becomes its `acc`, the
 * type that --map gives. Does nothing if the host does not evaluate --map. */
enum status plan_compile_map(struct plan *plan) MUST_CHECK;
/* Frees the memory of plan->map. */
void plan_free_map(struct plan_map *map);

/* --- plan_emit.c: whether --emit is evaluated after the scan (chunk/slot_emit.h) or is a part of a program ------- */

/* Whether the options allow that --emit is evaluated apart from programs. Then the names in --emit are names that the
 * host has, and each operator is one of the table, or an expression that may run on the host. */
bool plan_emit_may_be_late(const struct options *o);
/* Decides how --emit is evaluated, and sets plan->emit. The input's format must be known. (Apart from programs --emit
 * is evaluated only for text without a type, whose results may be exact decimals. For any other type --emit is a part
 * of a program, whose bits are a device's.) */
enum status plan_choose_emit(struct plan *plan, const struct options *o) MUST_CHECK;

/* --- texts.c: which fields are texts ------------------------------------------------------------------------------ */

/* With -t text all fields are texts. Without -t a field is of texts if its value in the first record is not a number.
 * If that value is a time (--accept=time), the field is of texts for the operators whose results are elements. */

/* Whether -t is "text". */
bool texts_are_asked_for(const struct options *o);
/* Whether fields may be texts although -t does not say so: without -t and with operators of texts alone, where no
 * option is for numbers. */
bool texts_may_be_found(const struct options *o);
/* Whether results of fields of times may be texts, times as they were written. */
bool texts_may_be_times(const struct options *o);
/* Finds the lanes of texts and sets their is_text, text_kind and gives_text, and plan->has_texts. Call it before types
 * are chosen. */
enum status texts_choose(struct plan *plan, const struct options *o, const struct plan_input *input) MUST_CHECK;
/* Appends the line of a saved scan's options with the numbers, from 1, of the fields that are texts: "1,3t", field 3 of
 * times; "?": no record was read that would decide it. */
void texts_put_list(const struct plan *plan, struct pack *p);

/* --- plan_types.c: types of elements and accumulators ------------------------------------------------------------- */

/* Chooses the element and accumulator types of the plan's lanes. Call it when the lanes have operators. text: the value
 * of -t, or NULL. */
enum status plan_choose_types(struct plan *plan, const char *text) MUST_CHECK;

/* --- plan_programs.c: whether the host runs the programs of a plan, or a device ----------------------------------- */

/* Whether the options name a device, or an algorithm that only devices have, for the programs. */
bool plan_is_for_device(const struct options *o);
/* Whether the numbers are decimals of a text without a type, unless a program declares their types: expressions of them
 * have num's rules (struct expression_terms). The input's format is known. */
bool plan_is_num(const struct plan *plan, const struct options *o);
/* Decides which programs can scan exact decimals on the host (struct program, exact), if the numbers are such. The
 * input's format is known. */
enum status plan_choose_exact(const struct plan *plan, const struct options *o) MUST_CHECK;
/* Decides who runs the lanes' programs, whose types are chosen: the host if all are expressions that it can evaluate
 * and no device was named. Sets plan->device. */
enum status plan_choose_programs(struct plan *plan, const struct options *o) MUST_CHECK;

/* --- check_missing.c: records without a number, and NaNs ---------------------------------------------------------- */

/* The word of --missing for each enum missing except MISSING_VALUE, indexed by the enum. */
extern const char *const missing_words[];

/* Whether the rule is `keep` or `hold`: a record without a number is written, but is not an element. */
bool plan_comes_out(const struct missing_rule *rule);
/* Whether records with NaNs are written although the NaNs are not elements: for binary input with --nan=keep or
 * hold. */
bool plan_leaves_out_nans(const struct plan *plan);
/* Returns the type of the first result that is not a float, and sets *op to its operator. NULL: all results are floats.
 * Call it when the types are chosen. */
const struct type *plan_integer_result(const struct plan *plan, const struct scan_operator **op);
/* Checks that the numbers of --missing and --nan are elements of the lanes' types. Call it when the lanes have
 * types. */
enum status plan_check_stand_ins(const struct plan *plan) MUST_CHECK;
/* Checks that --missing and --nan do not ask for marks (keep, hold) in binary output of text. */
enum status plan_check_marks(const struct plan *plan) MUST_CHECK;
/* Checks that --nan is possible for binary elements. */
enum status plan_check_binary_nan(const struct plan *plan) MUST_CHECK;
/* Refuses argmax and argmin as parts of programs if records without a number come out: a program's state has places
 * among the numbers only. Call it when the segments are chosen. */
enum status plan_check_places(const struct plan *plan) MUST_CHECK;
/* Checks --min-count and --fill-limit. Call it when the segments are chosen. */
enum status plan_check_counts(const struct plan *plan) MUST_CHECK;

/* --- check_place.c: places that are also names -------------------------------------------------------------------- */

/* Refuses a place of an option, or a list of places, if another field has it as its name: either may be meant. item:
 * NULL if it is a list. */
enum status plan_check_place(const struct plan *plan, const struct plan_input *input, const char *option,
			     const char *text, const struct field_item *item) MUST_CHECK;

#endif
