/* A slot is one chunk's buffers. It has exactly one owner at any moment: source, a worker, the conductor or the sink;
 * the ring passes it on. Its memory is allocated once, by the owner that first needs it, and used again for later
 * chunks; when a device takes the stream, slots go over to memory that the device reads and writes fastest. */
#ifndef PSCAN_CHUNK_SLOT_H
#define PSCAN_CHUNK_SLOT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/problem.h"
#include "base/timeline.h"
#include "device/engine.h"
#include "io/input.h"
#include "number/interleave.h"
#include "plot/key_curves.h"
#include "chunk/plan.h"
#include "chunk/slot_emit.h"
#include "chunk/slot_map.h"
#include "text/decode.h"
#include "text/encode.h"
#include "text/header.h"

/* In place of a key's number: the key has no scan yet, since none of its records has had an element. */
#define NO_KEY UINT32_MAX

/* Flag in slot_keyed's `lacking`: at least one of the record's missing elements is kept or held. */
#define LACKS_HELD (UINT32_C(1) << 31)

/* The part that an element has in the scan. */
enum part { PART_TAKES, PART_HOLDS, PART_IS_ABSENT, PART_IS_NAN = 4 /* with one of the last two */ };

/* Grouped elements of a column whose records have the same key: `count` of them, from `first` on. */
struct slot_run {
	uint32_t key; /* its number among the chunk's keys */
	uint32_t first, count;
};

/* The records of a key in a chunk. */
struct key_records {
	uint32_t first;
	uint32_t end; /* the last record plus 1; 0: none */
	uint32_t end_of_elements; /* the last record with an element, plus 1; 0: none */
};

/* One element of each record of a chunk. Lanes that read a field in the same format share its column. More than 24
 * fields: a third of them are only of keys, segments and windows. */
struct slot_column {
	size_t field; /* the index of the element in its record */
	struct element_format reading; /* how text is read; with plan->map, what the map gives */
	size_t form; /* with plan->map: the index of its form */
	size_t decoder; /* index of the decoder's column for the elements' first numbers */
	/* Owned, unless the slot borrows. abandoned: memory that a lost device may still use; it is freed by
	 * slot_free */
	unsigned char *memory, *abandoned;
	unsigned char *elements; /* `count` elements */
	size_t step; /* bytes from one element to the next */
	size_t count;
	struct bytes scales; /* a byte for each element, or empty (struct column) */
	bool is_narrow; /* see struct column */
	unsigned scale; /* the scale of all elements, if is_narrow */
	bool are_alike; /* set by slot_group: is_narrow, and all were written with that scale; there is at least one */
	struct grouper texts; /* of elements that are texts: the chunk's, each once */
	size_t durations, plain_record; /* see struct column */
	struct bytes helds; /* struct held: the missing elements that are kept or held in place */
	/* Only if plan->is_segmented. slot_group makes these, and puts elements and scales in the order of the runs: */
	struct bytes runs; /* struct slot_run, in the order of their keys */
	struct bytes places; /* uint32_t: the new index of each element; empty: elements were not moved */
	struct bytes records; /* uint32_t: the record of each element, by new index */
	struct bytes parts; /* a byte for each element, by new index: enum part; empty: all take part */
	struct bytes grouped, spare; /* memory: of the moved elements; for scales that are moved next */
	/* The elements are narrow, have one scale, and may be scanned in the records' order, in which they still
	 * are. */
	bool in_order;
	size_t lanes_in_order; /* lanes before this one have their results so, even if the column was grouped */
};

/* One lane of a chunk. */
struct slot_lane {
	size_t column; /* the index of the column that it scans */
	unsigned char *memory; /* memory of the results. Owned, unless the slot borrows */
	unsigned char *results; /* the first result; there is room for one before it */
	size_t step; /* bytes from one result to the next; 0: the row decides */
	unsigned char *totals; /* the totals of its tiles; room for state_capacity tiles. Owned */
	unsigned char *carry_ins;
	size_t state_capacity;
	unsigned char *abandoned[4]; /* results, totals, carry-ins and a cursor that a lost device may still use */
	/* The conductor's. The elements are head, whole tiles, tail. A sequential scan does not set these. */
	size_t head; /* elements before the first tile boundary */
	size_t tiles;
	size_t tail;
	bool has_carry; /* once folded: the first tile has a carry-in */
	/* The first element that does not fit, or SIZE_MAX: once folded, among head and tail; once finished, among
	 * all. */
	size_t bad;
	uint64_t submitted; /* elements on the lane's grid before the chunk */
	/* once folded, or given to an engine that folds: the lane's cursor before the chunk. Owned; room for the cursor
	 * of any of its rows */
	unsigned char *cursor;
	size_t ended_first, ended_count; /* of its segments those that ended in the chunk, in the keys' work.ended */
	/* For the encoder: */
	struct packed results_of; /* layout of one element's results */
	struct result_format format; /* format of the first result of an element */
	size_t absent; /* see struct lane_results */
	struct bytes forms; /* a form for each result, or empty (struct lane_results) */
	struct bytes placed, spare; /* memory for slot_ungroup: of results in record order; for forms */
	bool has_before; /* the previous chunk's last result lies before the first one */
};

/* An open window: bytes of CSV that begin and end anywhere, until source_cut makes them whole records. */
struct slot_window {
	bool is_open;
	bool next_is_open; /* the next chunk can be an open window, too */
	/* Set by source_read_window: */
	size_t begin; /* bytes up to the end of its first line; 0: it has no newline */
	size_t whole; /* bytes after these that are whole records, if a record begins there */
};

/* The source's part: the bytes of one file that the chunk is made of. */
struct slot_input {
	const unsigned char *data;
	size_t size;
	/* binary: records before the chunk, including those of earlier runs */
	uint64_t records_before;
	struct input *input; /* the file from which data must still be read (input_read_at), or NULL */
	uint64_t offset;
	size_t part; /* of input that is read backwards: the number of the source's part (source/from_end.c) */
	struct bytes buffer; /* memory of text, and of binary records of several columns */
	const char *file_name; /* for messages */
	bool file_start; /* the first chunk of its file */
	bool file_goes_on; /* the first chunk that is read of a file that an earlier run has read in part */
	uint64_t passed; /* bytes of the file before the chunk that are not read */
	bool is_within; /* part of a compressed file, and the next checksum is not checked yet */
	uint64_t file_records; /* records of the file before the slice, which other processes read; or 0 */
	bool mid_line; /* the chunk begins within a line */
	uint64_t dropped_lines; /* lines that stood before `data`, and are not decoded (slot_decode) */
	bool last; /* no chunk follows */
	uint64_t taken_bytes; /* bytes of the files up to the chunk's end, before inflating */
	uint64_t sized_bytes; /* as taken_bytes, but only up to the sizes that the files had when they were opened */
	uint64_t bytes_left; /* bytes of the file after the chunk or the open window; 0: not known */
	uint64_t number; /* the chunk's number in the stream, from 0 */
	struct slot_window window;
	struct problem source_problem; /* reported after the chunk's results */
};

/* The source's part: the header of the chunk's file. */
struct slot_header {
	/* the names of totals are written before the chunk, although it has no header: its file is continued */
	bool begins_names;
	const struct header *header; /* the stream's. Borrowed; valid only if a chunk had the whole header */
	/* The numbers of the chosen fields. NULL: every token is a number, or the numbers are not known yet. */
	const uint64_t *fields;
	struct header_table table; /* what headers up to the chunk's have settled */
	uint64_t header_lines; /* header lines at the start of the chunk */
	bool header_whole; /* the file has as many header lines as it should */
	uint64_t dropped_lines; /* header lines that are not written, since an earlier file had them */
};

/* The decoder's part. */
struct slot_decoded {
	size_t column_count; /* columns in use */
	struct decoded decoded;
	struct bytes marks; /* struct mark */
	struct bytes absences; /* struct absence */
	struct bytes edits; /* struct edit */
	struct bytes scratch;
	bool has_byte_order_mark; /* before `data` */
	struct problem failed; /* plan->is_reversed: why the record before `data` could not be decoded */
	struct bytes warnings; /* struct warning */
};

/* The decoder's part where there are keys or segments. */
struct slot_keyed {
	struct grouper keys; /* this, resets, gaps, times, key_bytes and along: see struct decode_target */
	struct resets resets;
	struct bytes gaps, times, key_bytes, along;
	struct bytes lacking; /* uint32_t: how many elements each record lacks, with LACKS_HELD; empty: all have all */
	struct bytes key_counts; /* memory for slot_group */
	/* uint32_t for each record: how many segments its key has begun in the chunk up to it. The key's first record
	 * does not count. */
	struct bytes begun;
	/* struct key_records of each key, or of the whole chunk without keys; only if records begin segments */
	struct bytes key_records;
	bool is_grouped; /* elements and results are in the order of the runs */
};

/* The conductor's part. */
struct slot_scan {
	size_t records; /* records with results */
	uint64_t element_count; /* Elements with results. If totals are gathered: all elements. */
	uint64_t result_bytes; /* bytes of the results of all lanes */
	/* The totals of all lanes' tiles are known, if each lane has had in.records_before elements before it. */
	bool totals_known;
	const struct result *initial; /* the stream's initial results, written after the header; or NULL */
	uint64_t line_base; /* lines of the file before the chunk */
	struct problem problem; /* found by the conductor; reported after the chunk's results */
	uint64_t record_base; /* records with results before the chunk, and the initial one */
};

/* The encoder's part: bytes to write, in out or in results. */
struct slot_output {
	struct bytes encoding; /* struct lane_results */
	struct bytes out;
	/* plan->is_reversed: where each total ends in `out`, size_t; memory to turn them; the initial results' bytes,
	 * which are written last */
	struct bytes ends, turned, initial;
	struct bytes key_texts, key_ends; /* the chunk's keys, if lines begin with them (struct part_to_encode) */
	const unsigned char *write_data; /* the bytes to write; set by slot_encode */
	size_t write_size;
	uint64_t write_offset; /* offset in the output, if it is written in place */
	bool written; /* it was written in place without an error */
};

/* If plan->ends.plots: the points of the chunk's curves. */
struct slot_picture {
	struct curves curves; /* without keys: curves of the chunk's results so far */
	uint64_t records_plotted; /* the initial one if it is the chunk's, and those of slot_plot */
	struct bytes points; /* with keys, double: the results of all records; NaN if absent or not finite */
	struct bytes key_numbers; /* with keys, uint32_t: each key's number in the stream; set by the conductor */
};

struct slot {
	size_t channel; /* Constant: the slot's number, and the number of its channel in every engine. */

	/* Allocated once the plan is known, by slot_prepare. */
	struct slot_column *columns; /* room for one a lane; decode.column_count are in use */
	struct slot_lane *lanes; /* one for each lane of the plan */
	struct lane_work *works; /* the engine's view of them */
	/* The decoder's view of the columns: one for each number of an element, or what slot_map_describe says. */
	struct column *decoding;
	struct slot_map *map; /* with plan->map: the fields' numbers. Owned */
	struct slot_emit *emit; /* with plan->emit: the results that it gave. Owned */
	struct bytes joined; /* plan->by_cursors: the results of all lanes, record by record */
	/* the numbers of columns, and the results of lanes, in their records */
	struct interleaved *splitting, *joining;
	size_t lane_count;

	/* Elements and results lie in the slot's own memory, or in that of an engine's channel. The slot's owner
	 * changes these. */
	size_t capacity; /* room for elements in each lane: whole tiles (binary), or bytes of a chunk (text) */
	bool borrowed; /* the memory of the only lane belongs to an engine */
	bool abandoned; /* a lost device may still use memory of the slot; results are no longer borrowed */
	bool elements_left; /* the elements' memory was replaced for that reason */

	struct slot_input in;
	struct slot_header head;
	struct slot_decoded decode;
	struct slot_keyed keyed;
	struct slot_scan scan;
	struct slot_output write;
	struct slot_picture picture;

	struct span spans[STAGE_COUNT];
	bool scanned_on_device;
};

/* Bytes of the largest element, accumulator or result of any row of the run. (Exact decimals may grow to 16.) */
size_t slot_element_max(const struct plan *plan);

/* Allocates the parts of a new slot (all zero) that the plan determines. STATUS_SYSTEM after a message; slot_free in
 * any case. */
enum status slot_prepare(struct slot *s, const struct plan *plan) MUST_CHECK;

/* From now on uses an engine's memory, for `capacity` elements, for elements of the only lane. The slot must be free.
 * The engine keeps the memory. The results' is lent chunk by chunk. */
void slot_borrow_memory(struct slot *s, const struct channel_memory *memory, size_t capacity);
/* Whether the slot's results lie in memory that is lent for each chunk (lent_results.h). */
bool slot_borrows_results(const struct slot *s);
/* Call it when a lost device may still use the slot's memory. Results and states get new memory; elements get it in the
 * next slot_need_elements. The old memory is freed by slot_free. */
void slot_abandon_results(struct slot *s);
/* Allocates the element memory of the first `count` columns, where it is missing. STATUS_SYSTEM after a message. */
enum status slot_need_elements(struct slot *s, const struct plan *plan, size_t count) MUST_CHECK;
/* Allocates the results and states of all lanes, where they are missing. STATUS_SYSTEM after a message. */
enum status slot_need_results(struct slot *s, const struct plan *plan) MUST_CHECK;
/* Allocates totals and carry-ins of a lane, for as many tiles as the slot's capacity. STATUS_SYSTEM after a message. */
enum status slot_need_states(const struct slot *s, struct slot_lane *lane) MUST_CHECK;
/* Reads the bytes of a chunk that source_fill has not read. A read error cuts the chunk off after its last whole record
 * and becomes source_problem. Skips a byte order mark. If the plan is reversed, turns raw records. STATUS_SYSTEM after
 * a message if memory is missing. */
enum status slot_load(struct slot *s, const struct plan *plan) MUST_CHECK;

/* For plans that are reversed (slot_turn.c): */
/* Turns the slot's raw records. */
void slot_turn_records(struct slot *s, const struct plan *plan, unsigned char *records);
/* Turns what was decoded of text for the scan: its first record is then the last one of the text. Keys stay in their
 * order. */
void slot_turn(struct slot *s);
/* Turns results, and what was decoded, back to the order of the input. Call it after slot_ungroup and slot_put_back.
 * STATUS_SYSTEM after a message if memory is missing. */
enum status slot_turn_back(struct slot *s, const struct plan *plan) MUST_CHECK;
/* Turns the totals in write.out, which end at write.ends. STATUS_SYSTEM after a message if memory is missing. */
enum status slot_turn_totals(struct slot *s) MUST_CHECK;

/* Where decoding stops (the limits of struct decode_target). */
struct decode_stop_at {
	size_t records; /* SIZE_MAX: nowhere */
	size_t field;
};

/* Decodes the slot's bytes. Sets decoded, columns, marks, absences, edits and warnings, and keys and places if the plan
 * is segmented. STATUS_SYSTEM after a message. An error in the data becomes decoded.problem. Text only: are_floats has
 * an entry for each lane; true: the lane's scan of exact decimals has gone over to f64, so its elements are read as
 * f64. (A chunk that was decoded before that is correct, too.) stop: where decoding ends; binary elements are always
 * decoded to the end. If stop.records is SIZE_MAX and the plan is segmented, slot_group is also done. */
enum status slot_decode(struct slot *s, const struct plan *plan, const atomic_bool *are_floats,
			struct decode_stop_at stop) MUST_CHECK;

/* Reads the keys, the reset fields and the --reset-gap column of a chunk of binary elements. A number that is not a
 * valid place ends the chunk and becomes decoded.problem. STATUS_SYSTEM after a message. */
enum status slot_take_keys(struct slot *s, const struct plan *plan) MUST_CHECK;
/* Sorts the elements of a decoded chunk by key; each key's elements keep their order. For segmented plans.
 * STATUS_SYSTEM after a message. */
enum status slot_group(struct slot *s, const struct plan *plan) MUST_CHECK;
/* Sorts a column that slot_group has left in record order (in_order); its runs are those that it has. STATUS_SYSTEM
 * after a message. */
enum status slot_group_after_all(struct slot *s, struct slot_column *k) MUST_CHECK;
/* Finds the records that begin segments; sets begun and key_records. STATUS_SYSTEM after a message. */
enum status slot_find_resets(struct slot *s, const struct plan *plan) MUST_CHECK;
/* Moves the results of grouped elements back to record order; does nothing if they are in it. Call it after the lanes'
 * formats were set. STATUS_SYSTEM after a message. */
enum status slot_ungroup(struct slot *s) MUST_CHECK;
/* Takes the kept and held elements of a decoded chunk out of the columns, whose `count` is then that of their numbers.
 * For plans that are not segmented. */
void slot_take_out(struct slot *s);
/* Puts results between those of the numbers for the elements that slot_take_out took out; `count` includes these again.
 * Call it after the lanes' formats were set. STATUS_SYSTEM after a message. */
enum status slot_put_back(struct slot *s, const struct plan *plan) MUST_CHECK;
/* Whether an absent result, packed as `results` says, is absent in the output. False: it is of raw floats, and *result
 * has become NaNs. */
bool slot_result_is_absent(const struct plan *plan, const struct packed *results, void *result);
/* Drops all but the first `records` records of a decoded chunk of binary elements. */
void slot_keep_records(struct slot *s, const struct plan *plan, size_t records);

/* The index of the record of a column's element, if the plan is not segmented. */
size_t slot_record_of(const struct slot *s, const struct slot_column *column, size_t element);

/* Encodes the results; sets write_data and write_size. Bytes that are already in write.out come first. STATUS_SYSTEM
 * after a message. */
enum status slot_encode(struct slot *s, const struct plan *plan) MUST_CHECK;

/* Adds the results of the slot's records to its curves, or with keys stores them as points. lanes: the results, one for
 * each result of a record. Called by slot_encode. STATUS_SYSTEM after a message. */
enum status slot_plot(struct slot *s, const struct plan *plan, const struct lane_results *lanes) MUST_CHECK;
/* Adds the slot's points to the curves of their keys. Call it in the order of the stream. STATUS_SYSTEM after a
 * message. */
enum status slot_plot_keys(const struct slot *s, const struct plan *plan, struct key_curves *curves) MUST_CHECK;
/* Adds the stream's initial results to the slot's curves. Call it before slot_plot. */
void slot_plot_initial(struct slot *s, const struct plan *plan, const struct result *initial);

/* Frees what the slot owns, not the slot itself. */
void slot_free(struct slot *s);

#endif
