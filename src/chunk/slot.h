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
enum role {
	ROLE_TAKES_PART, /* It is scanned. */
	ROLE_HOLDS, /* It is missing, and repeats the previous result. */
	ROLE_IS_ABSENT, /* It is missing, and its result is absent. */
	ROLE_IS_NAN = 4, /* Flag with one of the last two: the missing element is a NaN. */
};

/* Neighbours in a grouped column whose records have one key. */
struct slot_run {
	uint32_t key; /* The key's number among the chunk's keys. */
	uint32_t first, count; /* The index of the first element, and the number of elements. */
};

/* The records of a key in a chunk. */
struct key_records {
	uint32_t first; /* The first record. */
	uint32_t end; /* The last record, plus 1. 0: the key has no records. */
	/* The last record of which a total may be, plus 1: one with an element, or, if totals do not need numbers, one
	 * with a kept or held element. 0: no such record. */
	uint32_t end_of_elements;
};

/* One element of each record of a chunk. Lanes that read a field in the same format share a column. More than 24
 * fields: a third of them are used only for keys, segments and windows. */
struct slot_column {
	size_t field; /* The index of the element in its record. */
	struct element_format reading; /* How text is read; with plan->map, what the map gives. */
	size_t form; /* With plan->map: the index of the lane's form. */
	size_t decoder; /* The index of the decoder's column for the elements' first numbers. */
	unsigned char *memory; /* Memory of the elements. Owned, unless the slot is `borrowed`. NULL: none yet. */
	unsigned char *abandoned; /* Earlier memory, which a lost device may still use. Owned, or NULL. */
	unsigned char *elements; /* The first element. */
	size_t step; /* Bytes from one element to the next. */
	size_t count; /* Elements. */
	struct bytes scales; /* unsigned char: the own scale (enum own_scale) of each element, if reading.own_scale. */
	bool is_narrow; /* As in struct column: all elements are stored as i64 at `scale`. */
	unsigned scale; /* Set if is_narrow. */
	bool are_alike; /* Set by slot_group: is_narrow, not empty, and all elements were written with `scale`. */
	struct grouper texts; /* If elements are texts: the texts, of which the elements are indices. */
	size_t durations, plain_record; /* As in struct column. */
	struct bytes helds; /* Array of struct held: the missing elements that are kept or held. */
	/* Only if plan->is_segmented. slot_group makes these, and puts elements and scales in the order of the runs: */
	struct bytes runs; /* Array of struct slot_run, in the order of the chunk's keys. */
	struct bytes places; /* uint32_t: the new index of each element. Empty: no element was moved. */
	struct bytes records; /* uint32_t: each element's record, by new index. Empty: element i is of record i. */
	struct bytes roles; /* unsigned char: each element's enum role, by new index. Empty: all take part. */
	struct bytes grouped; /* Memory of the elements that were moved. */
	struct bytes spare; /* Memory for moving scales, parts and records. */
	bool in_order; /* The elements are still in record order, because they are alike and may be scanned so. */
	size_t lanes_in_order; /* Lanes before this one have results in record order, even if `places` is not empty. */
};

/* One lane of a chunk. */
struct slot_lane {
	size_t column; /* The index of the column with the lane's elements. */
	unsigned char *memory; /* Memory of the results. Owned, unless it is lent (slot_borrows_results). */
	unsigned char *results; /* The first result. There is room for one result before it. */
	size_t step; /* Bytes from one result to the next. 0: the size of the row's results. */
	unsigned char *totals; /* The totals of the tiles, row_tile_size bytes each. Owned. */
	unsigned char *carry_ins; /* The carry-ins of the tiles, row_tile_size bytes each. Owned. */
	size_t state_capacity; /* The tiles for which `totals` and `carry_ins` have room. */
	unsigned char *abandoned[4]; /* Results, totals, carry-ins and a cursor that a lost device may still use. */
	/* Set by the conductor. The elements are head, whole tiles, and tail. If the engine pushes whole chunks
	 * (plan->device.is_pushed), all three are 0. */
	size_t head; /* Elements before the first tile's edge. */
	size_t tiles; /* Whole tiles. */
	size_t tail; /* Elements after the whole tiles. */
	bool has_carry; /* Set when folded: the first tile has a carry-in. */
	/* The first element that does not fit, or SIZE_MAX. When folded: among head and tail. When finished: among
	 * all. */
	size_t bad;
	uint64_t submitted; /* Elements on the lane's grid before the chunk. */
	/* The lane's cursor before the chunk. Set when folded, or given to an engine that folds. Owned. Room for the
	 * cursor of any of the lane's rows. */
	unsigned char *cursor;
	size_t ended_first, ended_count; /* The lane's segments that ended in the chunk, in keys->work.ended. */
	/* For the encoder: */
	struct packed results_of; /* The layout of an element's results. */
	struct result_format format; /* The format of an element's first result. */
	size_t absent; /* How many results at the beginning are absent. */
	struct bytes forms; /* unsigned char: each result's enum result_form. Empty: all have `format`. */
	struct bytes placed; /* Memory of slot_ungroup for the results in record order. */
	struct bytes spare; /* Memory of slot_ungroup for forms. */
	bool has_before; /* The stream has a result before the chunk's, and the result lies before `results`. */
};

/* An open window: bytes of CSV that begin and end anywhere, until source_cut makes them whole records. */
struct slot_window {
	bool is_open; /* The chunk is an open window. */
	bool next_is_open; /* The next chunk can be an open window, too. */
	/* Set by source_read_window: */
	size_t begin; /* Bytes up to the end of the window's first line. 0: the window has no newline. */
	size_t whole; /* Bytes after these that are whole records, if a record begins there. */
};

/* The source's part: the bytes of one file that the chunk is made of. */
struct slot_input {
	const unsigned char *data; /* The chunk's bytes. Borrowed. Not valid while `input` is set. */
	size_t size; /* Bytes of the chunk. */
	uint64_t records_before; /* Binary input: records before the chunk, including those of earlier runs. */
	struct input *input; /* The file from which slot_load must still read the bytes. Owned. NULL: they are read. */
	uint64_t offset; /* The offset of the bytes in `input`. */
	size_t part; /* For input that is read backwards: the number of the source's part (source/from_end.c). */
	struct bytes buffer; /* Memory of text, and of binary records of several columns. */
	const char *file_name; /* The file's name, for messages. Borrowed. */
	bool file_start; /* The chunk begins its file, or is the first one that this run has of a binary file. */
	bool file_goes_on; /* The chunk is the first one that this run reads of a file that earlier runs have begun. */
	uint64_t passed; /* Bytes at the file's beginning that earlier runs have read, and this run does not. */
	uint64_t unchecked; /* The compressed file's frame whose checksum comes after the chunk (input_unchecked). */
	/* Binary input, with file_start: records of the file before the chunk, which earlier runs or other processes
	 * scan. If plan->is_reversed: in every chunk, all records before the chunk. Otherwise 0. */
	uint64_t file_records;
	bool mid_line; /* The chunk begins within a line. */
	uint64_t dropped_lines; /* Lines before `data` that slot_decode has left out. Only if plan->is_reversed. */
	bool last; /* The stream ends with this chunk. */
	uint64_t taken_bytes; /* Bytes of all files up to the chunk's end, before inflating. */
	uint64_t sized_bytes; /* As taken_bytes, but only up to the sizes that the files had when they were opened. */
	uint64_t bytes_left; /* Bytes of the file after the chunk or the open window. 0: not known. */
	uint64_t number; /* The chunk's number in the stream, from 0. */
	struct slot_window window;
	struct problem source_problem; /* An error in the input. Reported after the chunk's results. */
};

/* The source's part: the header of the chunk's file. */
struct slot_header {
	/* The names of totals are written before the chunk, although it has no header, because its file is
	 * continued. */
	bool begins_names;
	const struct header *header; /* The stream's header. Borrowed. Valid only if a chunk had the whole header. */
	/* The numbers of the chosen fields. Borrowed. NULL: every token is a number, or the numbers are not known. */
	const uint64_t *fields;
	struct header_table table; /* What the headers up to the chunk's have settled. */
	uint64_t header_lines; /* Header lines at the start of the chunk. */
	bool header_whole; /* The chunk begins with all header lines that a file should have. */
	uint64_t dropped_lines; /* Header lines that are not written, because an earlier file has them. */
};

/* The decoder's part. The arrays are those of struct decode_target. */
struct slot_decoded {
	size_t column_count; /* Columns in use. */
	struct decoded decoded;
	struct bytes marks; /* Array of struct mark. */
	struct bytes absences; /* Array of struct absence. */
	struct bytes edits; /* Array of struct edit. */
	struct bytes scratch; /* Memory for temporary use. */
	bool has_byte_order_mark; /* A byte order mark was skipped before `data`. */
	struct problem failed; /* If plan->is_reversed: why the record before `data` could not be decoded. */
	struct bytes warnings; /* Array of struct warning. */
};

/* The decoder's part for keys and segments. */
struct slot_keyed {
	/* As in struct decode_target. */
	struct grouper keys;
	struct resets resets;
	struct bytes gaps, times, key_bytes, along;
	/* uint32_t for each record: how many elements it lacks, and LACKS_HELD. Empty: no record lacks any. */
	struct bytes lacking;
	struct bytes key_counts; /* Memory for slot_group. */
	/* uint32_t for each record: how many segments its key has begun in the chunk, up to and including the record,
	 * but not counting the key's first record. */
	struct bytes begun;
	/* Array of struct key_records: for each key, or without keys one. Empty unless records can begin segments. */
	struct bytes key_records;
	bool is_grouped; /* Elements and results are in the order of the runs. */
};

/* The conductor's part. */
struct slot_scan {
	size_t records; /* Records with results. */
	uint64_t element_count; /* Elements with results. If totals are gathered: all elements. */
	uint64_t result_bytes; /* Bytes of the results of all lanes. */
	/* The totals of all lanes' tiles are known, if in.records_before elements of each lane come before the
	 * chunk. */
	bool totals_known;
	const struct result *initial; /* The stream's initial results, to be written after the header. NULL: none. */
	uint64_t line_base; /* Lines of the file before the chunk. */
	struct problem problem; /* An error in the data, or the decoder's. Reported after the chunk's results. */
	uint64_t record_base; /* Records with results before the chunk, including the initial one. */
};

/* The encoder's part: the bytes to write. */
struct slot_output {
	struct bytes encoding; /* Array of struct lane_results. */
	struct bytes out; /* Bytes that are not written from where the results are. */
	/* If plan->is_reversed: */
	struct bytes ends; /* Array of size_t: where each total ends in `out`. */
	struct bytes turned; /* Memory for turning the totals. */
	struct bytes initial; /* The bytes of the initial results, which are written last. */
	struct bytes key_texts, key_ends; /* The chunk's keys, if lines begin with them (struct part_to_encode). */
	const unsigned char *write_data; /* The bytes to write: in `out`, or the results. Set by slot_encode. */
	size_t write_size; /* Bytes at write_data. */
	uint64_t write_offset; /* The bytes' offset in the output, if they are written in place. */
	bool written; /* The bytes were written in place, without an error. */
};

/* If plan->ends.plots: the points of the chunk's curves. */
struct slot_picture {
	struct curves curves; /* Without keys: the curves of the chunk's results so far. */
	uint64_t records_plotted; /* Records of the curves or points. The initial one counts if it is the chunk's. */
	/* With keys: an array of double, plan->result_count for each record. NaN: the result is absent or not
	 * finite. */
	struct bytes points;
	struct bytes key_numbers; /* With keys: uint32_t, each key's number in the stream. Set by the conductor. */
};

struct slot {
	size_t channel; /* Constant: the slot's number, and the number of its channel in every engine. */

	/* Allocated by slot_prepare, when the plan is known. Owned. */
	struct slot_column *columns; /* Room for one for each lane. decode.column_count of them are in use. */
	struct slot_lane *lanes; /* One for each lane of the plan. */
	struct lane_work *works; /* The engine's view of `lanes`. */
	/* The decoder's view of `columns`: one for each number of an element, or those of slot_map_describe. */
	struct column *decoding;
	struct slot_map *map; /* For --map on the host. Otherwise NULL. */
	struct slot_emit *emit; /* For plan->emit.is_late. Otherwise NULL. */
	struct bytes joined; /* For plan->by_cursors: the results of all lanes, record by record. */
	struct interleaved *splitting; /* Where the numbers of columns are in binary records. */
	struct interleaved *joining; /* Where the results of lanes are in binary records. */
	size_t lane_count; /* The plan's lanes. */

	/* Elements and results lie in the slot's own memory, or in the memory of an engine's channel. The slot's owner
	 * changes these. */
	size_t capacity; /* Room for elements in each lane: whole tiles (binary), or bytes of a chunk (text). */
	bool borrowed; /* The elements of the only lane lie in an engine's memory. */
	bool abandoned; /* A lost device may still use memory of the slot. Results are no longer borrowed. */
	bool elements_left; /* For this reason, the elements have new memory. */

	struct slot_input in;
	struct slot_header head;
	struct slot_decoded decode;
	struct slot_keyed keyed;
	struct slot_scan scan;
	struct slot_output write;
	struct slot_picture picture;

	struct span spans[STAGE_COUNT]; /* When the chunk was in each stage. */
	bool scanned_on_device; /* A device had the stream when the chunk was delivered. */
};

/* Returns the bytes of the largest element, accumulator or result of all rows that the run may use. */
size_t slot_element_max(const struct plan *plan);

/* Allocates the parts of a slot that the plan determines. The slot must be all zero but for `channel` and `capacity`.
 * The caller ends it with slot_free, also after a failure. STATUS_SYSTEM after a message if memory is missing. */
enum status slot_prepare(struct slot *s, const struct plan *plan) MUST_CHECK;

/* Puts the elements of the only lane into an engine's memory from now on; `capacity` elements fit. The slot must have
 * no chunk. The engine owns the memory, and must stay open as long as the slot uses it. From now on, memory for results
 * is lent to each chunk (lent_results.h). */
void slot_borrow_memory(struct slot *s, const struct channel_memory *memory, size_t capacity);
/* Whether the slot's results lie in memory that is lent to each chunk (lent_results.h). */
bool slot_borrows_results(const struct slot *s);
/* Call it when a lost device may still use the slot's memory. Results, states and cursors are lost; slot_need_results
 * allocates new memory for them. Elements stay until the next slot_need_elements, which allocates new memory. slot_free
 * frees the old memory that the slot owns. */
void slot_abandon_results(struct slot *s);
/* Allocates the missing element memory of the first `count` columns. STATUS_SYSTEM after a message. */
enum status slot_need_elements(struct slot *s, const struct plan *plan, size_t count) MUST_CHECK;
/* Prepares the slot for a chunk's results: allocates what is missing of results, states and cursors of all lanes, and
 * sets their `results` and `step`. Earlier results are lost. STATUS_SYSTEM after a message. */
enum status slot_need_results(struct slot *s, const struct plan *plan) MUST_CHECK;
/* Allocates missing totals and carry-ins of a lane, for all tiles that the slot's capacity can have. STATUS_SYSTEM
 * after a message. */
enum status slot_need_states(const struct slot *s, struct slot_lane *lane) MUST_CHECK;
/* Reads the bytes of a chunk that source_fill has not read, and skips a byte order mark. Call it once for each chunk,
 * before slot_decode. A read error is not a failure: it cuts the chunk off after its last whole record, becomes
 * in.source_problem, and sets in.last. If the plan is reversed, turns raw records. STATUS_SYSTEM after a message if
 * memory is missing. */
enum status slot_load(struct slot *s, const struct plan *plan) MUST_CHECK;

/* For plans that are reversed (slot_turn.c): */
/* Turns the raw records at `records`, as many as in.size says: the last one becomes the first one. */
void slot_turn_records(struct slot *s, const struct plan *plan, unsigned char *records);
/* Turns what was decoded of text for the scan: its first record is then the last one of the text. Keys stay in their
 * order. */
void slot_turn(struct slot *s);
/* Turns results, and what was decoded and is needed to write them, back to the order of the input. Call it after
 * slot_ungroup and slot_put_back. STATUS_SYSTEM after a message if memory is missing. */
enum status slot_turn_back(struct slot *s, const struct plan *plan) MUST_CHECK;
/* Turns the totals in write.out, which end at write.ends: the last one becomes the first one. STATUS_SYSTEM after a
 * message if memory is missing. */
enum status slot_turn_totals(struct slot *s) MUST_CHECK;

/* Where decoding stops. */
struct decode_stop_at {
	size_t records; /* After this many records. SIZE_MAX: at the end of the bytes. */
	size_t field; /* The index of the element, in the next record, whose token is returned (decoded.token). */
};

/* Decodes the slot's bytes. Sets decoded, columns, marks, absences, edits and warnings; if the plan is segmented, also
 * keys and places; otherwise calls slot_compact. An error in the data is not a failure: decoded.stop is DECODE_FAIL,
 * decoded.problem has the error, and the slot has only the records that are scanned before it. are_floats, for text: an
 * entry for each lane; true: the lane's scan of exact decimals has gone over to f64. Its elements are then read as f64,
 * except with --map, or if --emit uses the element. A chunk that was decoded before the change is also correct. stop:
 * where decoding stops; binary elements are always decoded to the end. If stop.records is SIZE_MAX: calls slot_group if
 * the plan is segmented, and slot_turn if text is reversed. STATUS_SYSTEM after a message if memory is missing. */
enum status slot_decode(struct slot *s, const struct plan *plan, const atomic_bool *are_floats,
			struct decode_stop_at stop) MUST_CHECK;

/* Reads the keys, the reset fields, and the columns of --reset-gap and of a window by time, of a chunk of binary
 * elements. At a number that is not a valid place the chunk is cut off, decoded.stop becomes DECODE_FAIL, and
 * decoded.problem has the error. STATUS_SYSTEM after a message. */
enum status slot_read_keys(struct slot *s, const struct plan *plan) MUST_CHECK;
/* Sorts the elements of a decoded chunk by key; each key's elements keep their order. Columns that may be scanned in
 * record order stay as they are (in_order). Also calls slot_find_resets. For segmented plans. STATUS_SYSTEM after a
 * message. */
enum status slot_group(struct slot *s, const struct plan *plan) MUST_CHECK;
/* Sorts a column that slot_group has left in record order (in_order). STATUS_SYSTEM after a message. */
enum status slot_group_after_all(struct slot *s, struct slot_column *k) MUST_CHECK;
/* Finds the records that begin segments because of reset fields or --reset-gap, within the chunk. Sets keyed.begun and
 * keyed.key_records. STATUS_SYSTEM after a message. */
enum status slot_find_resets(struct slot *s, const struct plan *plan) MUST_CHECK;
/* Moves the results of grouped elements back to record order. If the results are in record order already, does nothing.
 * Call it after the lanes' formats were set. STATUS_SYSTEM after a message. */
enum status slot_ungroup(struct slot *s) MUST_CHECK;
/* Removes the kept and held elements of a decoded chunk from the columns; they stay listed in `helds`. The columns'
 * `count` then counts only numbers. For plans that are not segmented. Call it once for each decoding. */
void slot_compact(struct slot *s);
/* Inserts results for the elements that slot_compact has removed. The columns' `count` includes these elements again.
 * Call it once, after the lanes' formats were set. STATUS_SYSTEM after a message. */
enum status slot_put_back(struct slot *s, const struct plan *plan) MUST_CHECK;
/* Call it for a result that a lane does not have. Returns true if the result is absent in the output. Returns false for
 * binary output of floats, in which no result is absent: *result, packed as `results` says, becomes NaNs. */
bool slot_result_is_absent(const struct plan *plan, const struct packed *results, void *result);
/* Cuts a decoded chunk of binary elements off after the first `records` records: sets decoded.records, and the columns'
 * count and helds. */
void slot_keep_records(struct slot *s, const struct plan *plan, size_t records);

/* Returns the index of the record of a column's element. For plans that are not segmented, between slot_compact and
 * slot_put_back. */
size_t slot_record_of(const struct slot *s, const struct slot_column *column, size_t element);

/* Encodes the results of a slot that the conductor has delivered, sets write.write_data and write.write_size, and plots
 * the results (slot_plot). The bytes of write.out, such as totals, come first, but after the line of names of totals by
 * key; those of write.initial come last. If the plan is reversed and scan.problem is set, only write.initial is
 * written. Call it once. STATUS_SYSTEM after a message. */
enum status slot_encode(struct slot *s, const struct plan *plan) MUST_CHECK;

/* Adds the results of the slot's records to its curves, or with keys stores them as points. lanes: descriptions of the
 * results, plan->result_count of them. Called by slot_encode. STATUS_SYSTEM after a message. */
enum status slot_plot(struct slot *s, const struct plan *plan, const struct lane_results *lanes) MUST_CHECK;
/* Adds the slot's points to the curves of their keys. Call it in the order of the stream. STATUS_SYSTEM after a
 * message. */
enum status slot_plot_keys(const struct slot *s, const struct plan *plan, struct key_curves *curves) MUST_CHECK;
/* Adds the stream's initial results, plan->result_count of them, to the slot's curves. If curves are against times,
 * does nothing. Call it before slot_plot. */
void slot_plot_initial(struct slot *s, const struct plan *plan, const struct result *initial);

/* Frees what the slot owns, not the slot itself. */
void slot_free(struct slot *s);

#endif
