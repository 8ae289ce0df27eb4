/* The steps of plan_make, by file and in their order, and what other files ask about them. Unless a comment says
 * otherwise, a function that returns a status returns STATUS_USAGE after a message if the options and the input do not
 * fit each other, and STATUS_SYSTEM after a message if memory is missing. */
#ifndef PSCAN_CLI_PLAN_STEPS_H
#define PSCAN_CLI_PLAN_STEPS_H

#include "base/pack.h"
#include "cli/args.h"
#include "cli/make_plan.h"

struct first_lines;
struct text_part;

/* --- plan_exclusive.c: results that leave out their element ------------------------------------------------------- */

/* Whether each result leaves out its element. Results that begin with the initial one, and totals, are inclusive. */
bool plan_is_exclusive(const struct scan_options *o);
/* Sets the lanes' moves_results and row_is_exclusive. Checks that the operators take the seeds, and that there is a
 * value for the first result. Call it when the lanes have types. */
enum status plan_exclusive_lanes(struct plan *plan, const struct scan_options *o) MUST_CHECK;

/* --- plan_npy.c: the header of an input array (.npy) replaces options for the type and the columns ---------------- */

/* Bytes of a value of -t that plan_npy_settle makes, with its NUL. */
#define PLAN_NPY_TYPE_SIZE 32

/* Sets *settled to the given options, changed to fit the input, and sets plan->npy except npy.result.type. If the input
 * is an array, *settled asks for raw binary elements of the array's type, with the columns and segments that follow
 * from --axis. FORMAT_NPY as the format of input or output becomes FORMAT_BINARY. type: memory for
 * settled->numbers.type; it must live as long as *settled. After a failure *settled is of no use. */
enum status plan_npy_settle(struct plan *plan, const struct options *given, const struct plan_input *input,
			    struct options *settled, char type[PLAN_NPY_TYPE_SIZE]) MUST_CHECK;
/* Checks that the lanes' elements have the input array's type, and sets plan->format's byte orders to the array's if a
 * program declares its types. Does nothing if the input is no array. Call it when the lanes have types. */
enum status plan_npy_check_types(struct plan *plan) MUST_CHECK;
/* If the output is an array: sets the type for its header and, if the input is not an array, the shape. Refuses totals
 * by key. Call it when the rest of the plan is complete. */
enum status plan_npy_describe(struct plan *plan, const struct plan_input *input) MUST_CHECK;

/* --- plan_lanes.c: fields and lanes ------------------------------------------------------------------------------- */

/* Chooses the fields of a record: the numbers (plan_choose_map is a part of this), keys, resets and places (struct
 * text_rules). Also sets plan->resets and what else the fields decide. The names of the header are looked up in the
 * input's first block. Call it after find_table. */
enum status plan_choose_fields(struct plan *plan, const struct options *o, const struct plan_input *input) MUST_CHECK;
/* Makes the lanes and their seeds. Each element of a record under each operator is a lane. Call it when the fields and
 * operators are known. */
enum status plan_choose_lanes(struct plan *plan, const struct options *o) MUST_CHECK;
/* Checks that --as has a name for each result, and that no result's name, given or its own, would be read as several
 * fields. */
enum status plan_check_names(const struct plan *plan) MUST_CHECK;
/* Refuses --replace if a field of numbers is chosen twice, or could be: by a number from the record's end, and by a
 * name or a number from its beginning. */
enum status plan_check_replaced(const struct plan *plan) MUST_CHECK;

/* --- plan_names.c: names of results, and formats whose lines name their fields (JSON, logfmt) --------------------- */

/* Sets what decoding needs of the chosen fields: their numbers, or that a header has their names, and how many fields
 * the first record has where that is checked. STATUS_SYSTEM after a message. */
enum status plan_number_fields(struct plan *plan, const struct plan_input *input) MUST_CHECK;
/* For JSON and logfmt: makes the tree of the chosen fields' names (text/members.h), and numbers the fields by it. */
enum status plan_name_members(struct plan *plan) MUST_CHECK;
/* Appends the name of result i of a record to *out. Call it for i = 0, 1, ..., and before the first call set *as to the
 * value of --as.
 *
 * With --as the name is the first one of the list *as, and *as moves past this name and the comma after it. If a record
 * has only one result, all of *as is its name.
 *
 * Without --as, *as is NULL and stays so. The name is then FIELD_OPERATOR, where FIELD is the name or the number by
 * which the field was chosen: the header is not looked at. It is OPERATOR alone if this is a whole name (struct
 * result_name), or if the field was chosen by number and is the record's only element. */
enum status plan_name_result(const struct plan *plan, size_t i, const char **as, struct bytes *out) MUST_CHECK;
/* For JSON and logfmt: makes the labels (struct label) of the results, keys and resets, if results are written with
 * their names. */
enum status plan_make_labels(struct plan *plan) MUST_CHECK;

/* --- plan_map.c: --map -------------------------------------------------------------------------------------------- */

/* Decides whether the host evaluates --map before the scan (plan->map.field_count is then not 0), which fields make an
 * element, and whether the results are exact. plan->memory.fields must have the fields of numbers and no others. Those
 * that --map does not use are removed. Does nothing without --map, or if the input is binary. */
enum status plan_choose_map(struct plan *plan, const struct options *o, const struct plan_input *input) MUST_CHECK;
/* Returns the count of an element's numbers, for a program that contains --map. If --map names fields, an element has
 * these fields, and *names becomes their names, which are plan->map's. (Otherwise *names becomes NULL.) If --map uses
 * x0, x1, ... for an operator of one number, an element has all fields or columns. 0: an element has the operator's own
 * count. */
size_t plan_map_inputs(const struct plan *plan, const struct options *o, const struct text_part **names);
/* Compiles the expressions of --map for the types that the lanes have, and sets each lane's `form`. Sets each lane's
 * `in` to the lane's `acc`, which is the type that --map gives. Does nothing if the host does not evaluate --map. */
enum status plan_compile_map(struct plan *plan) MUST_CHECK;
/* Frees the memory of plan->map. */
void plan_free_map(struct plan_map *map);

/* --- plan_emit.c: whether --emit is evaluated after the scan (chunk/slot_emit.h) or is a part of a program ------- */

/* Whether the options allow that --emit is evaluated apart from programs. Then the names in --emit are names that the
 * host has, and each operator is one of the table, or an expression that may run on the host. */
bool plan_emit_may_be_late(const struct options *o);
/* Decides how --emit is evaluated, and sets plan->emit. Refuses -F %d for an --emit whose results are not always
 * integers. Call it after plan_choose_fields. (Apart from programs --emit is evaluated only for text without a type,
 * whose results may be exact decimals. For any other type --emit is a part of a program, whose bits are a device's.) */
enum status plan_choose_emit(struct plan *plan, const struct options *o) MUST_CHECK;

/* --- texts.c: which fields are texts ------------------------------------------------------------------------------ */

/* With -t text all fields are texts. Without -t a field is of texts if its value in the first record is not a number.
 * If this value is a time (--accept=time), the field is of texts for the operators whose results are elements. If there
 * is no record, the seed counts in place of the value. */

/* Whether -t is "text". */
bool texts_are_asked_for(const struct options *o);
/* Whether -t text is possible: all operators take texts, and neither -t nor another option is given that is only for
 * numbers. */
bool texts_are_possible(const struct options *o);
/* Whether fields may turn out to be texts: fields are chosen, and texts_are_possible. */
bool texts_may_be_found(const struct options *o);
/* Whether results of fields of times may be texts, times as they were written. */
bool texts_may_be_times(const struct options *o);
/* Finds the lanes of texts and sets their is_text, text_kind, gives_text and order, and plan->has_texts. The `op` of a
 * lane with `order` is replaced. Call it when the lanes have operators but no types. */
enum status texts_choose(struct plan *plan, const struct options *o, const struct plan_input *input) MUST_CHECK;
/* Appends a line of a saved scan's options: "texts", and after a tab the fields of numbers that are texts, which count
 * from 1: "1,3t" is fields 1 and 3, and field 3 has times. "?": no record has shown yet which fields are texts. Without
 * such fields there is no tab. */
void texts_put_list(const struct plan *plan, struct pack *p);

/* --- plan_types.c: types of elements and accumulators ------------------------------------------------------------- */

/* Chooses the element and accumulator types of the plan's lanes, and the types and byte orders of plan->format. Call it
 * after texts_choose. text: the value of -t, or NULL. */
enum status plan_choose_types(struct plan *plan, const char *text) MUST_CHECK;

/* --- plan_programs.c: whether the host runs the programs of a plan, or a device ----------------------------------- */

/* Whether the host does not run programs because the options name a device, or an algorithm other than blelloch. */
bool plan_is_for_device(const struct options *o);
/* Whether the input is text without a type, or with -t num or dec: expressions of its numbers have num's rules (struct
 * expression_terms). Numbers whose types a program declares are an exception, which the caller must check
 * (program_has_types). Call it when plan->format.input is set. */
bool plan_is_num(const struct plan *plan, const struct options *o);
/* Compiles the programs of o->scan.ops that can scan exact decimals on the host, and sets their `exact`. The others'
 * becomes NULL. Call it when plan->format.input is set. */
enum status plan_choose_exact(const struct plan *plan, const struct options *o) MUST_CHECK;
/* Decides who runs the lanes' programs: the host if all are expressions that it can evaluate and no device was named.
 * Compiles these programs for the host. Sets has_programs, is_needed and is_pushed of plan->device, and
 * plan->emit.uses_total. Call it when the lanes have types, after plan_exclusive_lanes. */
enum status plan_choose_programs(struct plan *plan, const struct options *o) MUST_CHECK;

/* --- check_missing.c: records without a number, and NaNs ---------------------------------------------------------- */

/* The words of --missing and --nan: missing_words[how] is that of an enum missing below MISSING_VALUE. */
extern const char *const missing_words[];

/* Whether the rule is `keep` or `hold`: a record without a number is written, but is not an element. */
bool plan_comes_out(const struct missing_rule *rule);
/* Whether records with NaNs are written although the NaNs are not elements: for binary input with --nan=keep or
 * hold. */
bool plan_leaves_out_nans(const struct plan *plan);
/* Returns the type of the first result that is not a float, and sets *op to its operator. NULL: all results are floats,
 * and *op is of no use. Call it when the types are chosen. */
const struct type *plan_integer_result(const struct plan *plan, const struct scan_operator **op);
/* Checks that numbers given as values of --missing and --nan are elements of the lanes' types. Call it when the lanes
 * have types. */
enum status plan_check_stand_ins(const struct plan *plan) MUST_CHECK;
/* Checks that binary output of text is not combined with keep or hold of --missing and --nan. Call it when the formats
 * are set. */
enum status plan_check_marks(const struct plan *plan) MUST_CHECK;
/* Checks that --nan is possible for binary elements. Call it when plan->element is set. */
enum status plan_check_binary_nan(const struct plan *plan) MUST_CHECK;
/* Refuses argmax and argmin as parts of programs if records without a number are written: a program counts only the
 * numbers. Call it when plan->lacking is set. */
enum status plan_check_places(const struct plan *plan) MUST_CHECK;
/* Checks --min-count and --fill-limit, and --reset-at=nan or missing. Call it when plan->lacking is set. */
enum status plan_check_counts(const struct plan *plan) MUST_CHECK;

/* --- check_place.c: places that are also names -------------------------------------------------------------------- */

/* A place is a number or a range of an option's value. Refuses a place, or a list of places, if the header has a field
 * of this name at another place: either may be meant. text: the place or list as the user wrote it. item: the place's
 * item, or NULL for a list. */
enum status plan_check_place(const struct plan *plan, const struct first_lines *lines, const char *option,
			     const char *text, const struct field_item *item) MUST_CHECK;

#endif
