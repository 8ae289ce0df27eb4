/* What one run does, settled before it starts: the options together with the first block of the input
 * (cli/make_plan.h). */
#ifndef PSCAN_CHUNK_PLAN_H
#define PSCAN_CHUNK_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "scan/row.h"
#include "text/members.h"
#include "text/npy.h"
#include "text/rules.h"

/* One independent scan: one operator over one field or column. */
struct plan_lane {
	size_t field; /* the index of its element in each record */
	size_t first_result; /* the index of its first result among those of a record */
	const struct scan_operator *op;
	const char *name; /* the operator as the user wrote it */
	double factor; /* the operator's factor, if it has one (PARAMETER_FACTOR) */
	uint64_t window; /* how many elements a result covers; 0: all so far */
	bool by_time; /* the window is that of format.text.span; `window` is then UINT64_MAX */
	bool lags; /* of lag:N and delta:N: a result needs the first element of its window, of N + 1 */
	const struct type *in, *acc; /* exact decimals begin with i64 */
	const struct packed *numbers; /* the numbers of an element of several types; NULL: all have type `in` */
	bool decimal; /* exact decimals */
	bool is_text; /* elements are texts; `in` and `acc` are u64, the type of their numbers */
	enum text_kind text_kind; /* of these texts */
	bool gives_text; /* results are texts, too */
	/* 1: max, -1: min of times that are texts. `op` is then last, and its elements are the greatest or least texts
	 * so far. Otherwise 0. */
	int order;
	bool moves_results; /* exclusive results are the row's inclusive ones, moved by one place */
	bool row_is_exclusive; /* the row itself computes exclusive results (struct row) */
	const char *seed; /* the seed's text, or NULL */
	size_t form; /* with plan->map: the index of its form. `in` is then the type that the map gives */
};

struct expression;

/* A field of an element, for the expressions of --map. Exact decimals have type i128. */
struct map_input {
	const struct type *read; /* how its numbers are read */
	const struct type *in; /* what they are converted to before they are used */
};

/* How --map's numbers are computed for some lanes. */
struct map_form {
	bool is_exact; /* of exact decimals. The numbers may be converted to f64 then */
	struct map_input *inputs; /* one for each field of an element. Owned */
	struct expression **values; /* one for each number of an element; their inputs are the fields. Owned */
	const struct packed *numbers; /* the lanes' `numbers` */
};

/* The numbers that --map makes of the fields of text, where the host evaluates it. */
struct plan_map {
	size_t field_count; /* fields of an element; 0: there is no --map, or it is part of a program */
	size_t value_count; /* numbers of an element */
	bool is_num; /* the numbers have no type (struct expression_terms) */
	bool is_exact; /* exact decimals give exact decimals */
	struct bytes texts; /* array of struct text_part: the expressions, one for each number. Owned */
	struct bytes names; /* array of struct text_part: the names of the fields in the expressions. Owned */
	struct map_form *forms; /* form_count of them. Owned */
	size_t form_count;
};

/* Results that are written as a .npy file. */
struct plan_array {
	struct npy_shape shape;
	bool grows; /* its first size is known only when everything is written */
	struct bytes type; /* the type of an element, in Python's notation. Owned */
	size_t element_size; /* in bytes */
};

/* Binary numbers with headers. */
struct plan_npy {
	bool reads, writes;
	struct npy_shape beside; /* with --axis: the shape of the array's other axes */
	struct npy_array array; /* the array of the first file, if it is one */
	struct plan_array result;
};

/* The memory that the format points to. Owned. */
struct plan_memory {
	struct bytes fields, numbers; /* format.text.fields and format.text.numbers */
	struct bytes clocks; /* array of struct field_choice: times of day that are put after the fields */
	struct bytes seeds; /* the texts of the lanes' seeds */
	struct result_name *names; /* format.names */
	struct members members; /* format.text.members, if lines name their fields */
	struct label *labels; /* format.labels */
	struct bytes label_text; /* the texts of the labels */
	struct hash_key hash_key; /* format.text.hash_key points to it */
};

/* What the first block of the input decided because no option did. */
struct plan_found {
	bool is_guessed; /* that the input is raw numbers is only a guess */
	/* if a range of fields has no end: fields of line 1, this run's or an earlier run's; else 0 */
	uint64_t line_fields;
	bool lacks_line; /* no line was read yet: a range without an end has one field */
	bool lacks_record; /* the first record would decide which fields are texts, and there was none yet */
};

/* The sizes of chunks, and the number of slots and threads. */
struct plan_sizes {
	bool line_buffered; /* each line is read and written separately */
	/* Elements of a lane: whole tiles, unless there are many columns. For text also the bytes of a chunk. */
	size_t chunk_elements;
	bool chunk_fixed; /* the user chose it: a device does not change it */
	size_t slot_count; /* at most PLAN_SLOTS_MAX */
	size_t thread_count; /* workers */
};

/* Where segments begin, apart from reset fields. */
struct plan_resets {
	uint64_t every; /* a segment begins after this many elements of a lane; 0: not used */
	const char *at; /* a segment begins at each element equal to this number; NULL: not used */
	bool at_nan; /* a segment begins at each NaN */
	bool after_missing; /* a segment begins after each missing number */
};

/* Results that cover few numbers or none. */
struct plan_lacking {
	bool keeps_records; /* records without a number may be kept or held: they take indices, too */
	uint64_t min_count; /* a result of fewer numbers is absent */
	uint64_t fill_limit; /* at most this many records in a row repeat a result; 0: no limit */
};

/* How a device is used. */
struct plan_device {
	bool has_programs; /* some lane's operator is a program */
	bool is_needed; /* a device must run some lane's program */
	bool is_pushed; /* the engine takes whole chunks into the cursors, as their rows have no tiles */
	bool verify; /* what it returns is compared with the host's results */
	bool check_associative; /* of programs, with the first elements */
	bool warns_of_grouping; /* of a program that a few elements show not to be associative */
};

/* What else happens with the results. */
struct plan_ends {
	bool plots; /* results are drawn: slots have curves or points of them */
	bool is_saved; /* the scan at the end of the stream is saved, for another run to continue */
};

/* The names that --emit may use if it is evaluated for each element, as the places of the expression's inputs. */
enum emit_input { EMIT_RESULT, EMIT_ELEMENT, EMIT_INDEX, EMIT_COUNT, EMIT_TOTAL, EMIT_INPUTS };

/* --emit, if it is not a part of a program: an expression, owned. */
struct plan_emit {
	bool uses_total; /* it has the name t: the input is read twice */
	bool is_late; /* It is an expression of the result, evaluated after the scan. */
	bool uses_element; /* is_by_element, and it has the name x */
	bool is_by_element; /* Exact, with other names: each result is replaced as it is put (segment_emit.c). */
	struct expression *exact; /* Of exact decimals, or NULL. */
	struct expression *floats; /* Of doubles, if it is not exact. */
};

/* More than 24 fields: each is a decision about the run as a whole. */
struct plan {
	struct record_format format;
	struct packed element; /* of binary input */
	struct plan_npy npy;
	struct plan_memory memory;
	struct plan_map map;
	struct plan_emit emit;
	struct plan_found found;
	bool decimal_strict; /* dec: a number that cannot be exact is an error */
	struct plan_sizes sizes;
	struct plan_resets resets;
	struct plan_lacking lacking;
	struct plan_device device;
	struct plan_ends ends;
	/* The scans: those of the first element of a record, operator by operator, then those of the next. */
	struct plan_lane *lanes; /* owned */
	size_t lane_count;
	size_t field_count; /* elements of a record, at least 1 */
	/* Lanes are scanned by key and segment (scanner/key_scans.h), on the host: because of keys, resets, windows,
	 * texts, exact decimals, or what else needs it. False: by tiles or records. */
	bool is_segmented;
	bool has_windows; /* a lane has windows */
	bool has_texts; /* the elements of a lane are texts */
	size_t operator_count;
	size_t result_count; /* results of a record: one for each lane, or several for a program */
	/* Binary records of many columns, all scanned in one way: record by record, on the host. Results are written as
	 * records. */
	bool by_cursors;
	enum algorithm algorithm;
	bool checked; /* --overflow=error */
	bool include_initial, total;
	bool is_reversed; /* the scan runs from the last record to the first */
};

/* Whether the lane's results are exact decimals, inclusive, and do not depend on the order of combining. */
static inline bool plan_lane_is_any_order(const struct plan_lane *l)
{
	return l->decimal && operator_is_any_order(l->op, &type_table[TYPE_I64]) && l->op->decimals == l->op->id &&
	       l->op->result == RESULT_SAME && l->op->parameter == PARAMETER_NONE && !l->moves_results;
}

/* Whether the records of each key have their own scans. */
static inline bool plan_has_keys(const struct plan *plan)
{
	return plan->format.text.key_count > 0;
}

/* Whether a new segment may begin in the stream. */
static inline bool plan_has_resets(const struct plan *plan)
{
	return text_resets_by_fields(&plan->format.text) || plan->resets.every > 0 || plan->resets.at != NULL;
}

/* Whether numbers may be times. */
static inline bool plan_accepts_times(const struct plan *plan)
{
	return plan->format.input == FORMAT_TEXT && (plan->format.text.tokens.notation.accept & ACCEPT_TIME) != 0;
}

/* Whether each lane has only one scan, which begins and ends with the stream. Its results may still be of windows. */
static inline bool plan_is_one_scan(const struct plan *plan)
{
	return !plan_has_keys(plan) && !plan_has_resets(plan);
}

/* Whether the bytes of the input are the elements of its only column. */
static inline bool plan_is_direct(const struct plan *plan)
{
	const struct text_rules *t = &plan->format.text;
	bool is_direct = plan->format.input == FORMAT_BINARY && plan->field_count == 1 &&
			 plan->format.record_size == plan->element.size && t->key_count + t->reset_count == 0 &&
			 !t->gap.given && !t->span.given;
	for (size_t i = 0; is_direct && i < plan->format.text.field_count; i++)
		is_direct = plan->format.text.numbers[i] == i + 1;
	return is_direct;
}

#define PLAN_SLOTS_MAX 64
/* The most results of a record. */
#define PLAN_LANES_MAX 65536
/* The most elements of a chunk. A device numbers them, and the unfinished tile before them, with 32 bits. */
#define PLAN_CHUNK_ELEMENTS_MAX ((UINT32_MAX - 2 * (size_t)GRID_TILE) / GRID_TILE * GRID_TILE)

/* Whether the lane's results are those of windows by time without their own elements. (A total has its element.) */
static inline bool is_exclusive_by_time(const struct plan *plan, const struct plan_lane *lane)
{
	return lane->by_time && lane->moves_results && !plan->total;
}

#endif
