/* A slot is one chunk's buffers. It has exactly one owner at any moment: source, a worker, the conductor or the sink;
 * the ring passes it on. Its memory is allocated once, by the owner that first needs it, and used again for later
 * chunks; when a device takes the stream, slots go over to memory that the device reads and writes fastest. */
#ifndef PSCAN_STREAM_SLOT_H
#define PSCAN_STREAM_SLOT_H

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
#include "stream/plan.h"
#include "text/decode.h"
#include "text/encode.h"
#include "text/header.h"

/* The number of no key: of records without an element of those that had none before, either. */
#define NO_KEY UINT32_MAX

/* Some of what a record lacks is kept or held. */
#define LACKS_HELD (UINT32_C(1) << 31)

/* What an element of a column is. */
enum part { PART_TAKES, PART_HOLDS, PART_IS_ABSENT, PART_IS_NAN = 4 /* with one of the last two */ };

/* Elements of a column whose records have the same key: count of those that were grouped, from first on. */
struct slot_run {
	uint32_t key; /* its number among the chunk's */
	uint32_t first, count;
};

/* The records of a key in a chunk. */
struct key_records {
	uint32_t first;
	uint32_t end; /* the last one, plus 1; or 0: there is none */
	uint32_t end_of_elements; /* the same of those that do not lack all their elements */
};

/* One element of each record of a chunk. Lanes that read it in the same format have it in common. */
struct slot_column {
	size_t field; /* its index among those of the record */
	struct element_format reading; /* of text */
	size_t decoder; /* the index among the decoder's columns of the one with its first numbers */
	unsigned char *memory, *abandoned; /* the second, of a device that was given up, is freed when that is closed */
	unsigned char *elements; /* count of them, */
	size_t step; /* so many bytes apart */
	size_t count;
	struct bytes scales; /* of the elements, a byte each, or empty (struct column) */
	bool is_narrow; /* struct column's, with */
	unsigned scale; /* its scale */
	struct bytes helds; /* struct held: those of the elements that are none */
	/* Of plan->is_segmented, made by slot_group, which puts elements and scales in the order of the runs: */
	struct bytes runs; /* struct slot_run, in the order of their keys */
	struct bytes places; /* uint32_t: where each element is now; empty: where it was */
	struct bytes records; /* uint32_t: of each element, where it is now, the record */
	struct bytes parts; /* the same: enum part, in a byte; empty: all take part */
	struct bytes grouped, spare; /* memory of the elements, and for the next scales */
	/* The elements, narrow ones of one scale, are still in the records' order, which they may be scanned in. */
	bool in_order;
};

/* One lane of a chunk. */
struct slot_lane {
	size_t column; /* the index of the one that it scans */
	unsigned char *memory; /* of results */
	unsigned char *results; /* room for one result before */
	size_t step; /* bytes from one to the next */
	unsigned char *totals; /* of its tiles, and their carry-ins; state_capacity tiles of each */
	unsigned char *carry_ins;
	size_t state_capacity;
	unsigned char *abandoned[3]; /* as a column's: of results, totals, carry-ins */
	/* The conductor's. Its elements are head, whole tiles, tail; of a sequential scan they are none of these. */
	size_t head; /* elements up to a tile's edge */
	size_t tiles;
	size_t tail;
	bool has_carry; /* the first tile has a carry-in, once folded */
	/* once folded: the first element of head and tail that does not fit, or SIZE_MAX; in the end of all */
	size_t bad;
	uint64_t submitted; /* elements of the lane's grid before the chunk */
	unsigned char *cursor; /* once folded: the lane's cursor before the chunk; room for any of its rows */
	/* The results, for the encoder. */
	struct packed results_of; /* an element, */
	struct result_format format; /* the first of them */
	size_t absent; /* struct lane_results's */
	struct bytes forms; /* of the results, if each has its own (struct lane_results) */
	struct bytes placed, spare; /* memory of results that slot_ungroup put in order, and for their forms */
	bool has_before; /* Before the chunk's first results lie those before them, which were written. */
};

struct scan_ahead;
void scan_ahead_free(struct scan_ahead *a);

/* The source's part: the bytes of one file that the chunk is made of. */
struct slot_input {
	const unsigned char *data;
	size_t size;
	/* of binary input: of the stream, and of those that it goes on from, before the chunk */
	uint64_t records_before;
	struct input *input; /* data is still to be read from here (input_read_at), or NULL */
	uint64_t offset;
	struct bytes buffer; /* of text */
	const char *file_name; /* for messages */
	bool file_start; /* it is the first chunk of its file */
	bool file_goes_on; /* it is the first chunk of what is read of a file that goes on */
	uint64_t passed; /* bytes of the file that are not read, before it */
	bool is_within; /* of a compressed file, before a checksum of what it holds */
	uint64_t file_records; /* records of the file before the chunk's slice, which another process reads; or 0 */
	bool mid_line; /* the chunk begins within a line */
	bool last; /* no chunk follows */
	uint64_t taken_bytes; /* of the files, up to the chunk's end, as they lie there: compressed where they are */
	uint64_t sized_bytes; /* as taken_bytes, by the sizes that the files had when they were opened */
	uint64_t bytes_left; /* of the file after the chunk, as far as that is known, else 0 */
	uint64_t number; /* of the chunk in the stream, from 0 */
	struct problem source_problem; /* to be reported after the chunk's results */
};

/* The source's part, too: the header that the chunk's file has. */
struct slot_header {
	bool begins_names; /* it has no header, but totals of keys are named before it: its file goes on */
	const struct header *header; /* of the stream; read only, and only if some chunk's is whole */
	/* The numbers of the chosen fields. NULL: every token is a number, or the numbers are not known yet. */
	const uint64_t *fields;
	struct header_table table; /* what is known from the header up to the chunk's own */
	uint64_t header_lines; /* at the start of the chunk */
	bool header_whole; /* the file has as many header lines as it should */
	uint64_t dropped_lines; /* header lines that do not come out, since an earlier file had them */
};

/* The decoder's part. */
struct slot_decoded {
	size_t column_count; /* of columns in use */
	struct decoded decoded;
	struct bytes marks; /* struct mark */
	struct bytes absences; /* struct absence */
	struct bytes edits; /* struct edit */
	struct bytes scratch;
	size_t part_offset; /* of the bytes that were decoded last */
	bool has_byte_order_mark; /* before data */
	struct bytes warnings; /* struct warning, of all parts */
};

/* The decoder's part where there are keys or segments. */
struct slot_keyed {
	struct grouper keys; /* struct decode_target's, as are resets, gaps and key_bytes */
	struct resets resets;
	struct bytes gaps, key_bytes;
	struct bytes lacking; /* uint32_t: how many numbers each record lacks, with LACKS_HELD; empty: none lacks any */
	struct bytes key_counts; /* slot_group's */
	/* uint32_t: how many segments the records of its key up to each one began, but for the key's first */
	struct bytes begun;
	struct bytes key_records; /* struct key_records of each of the keys, or of all, if records begin segments */
	struct scan_ahead *ahead; /* conductor_scan_ahead's, or NULL */
	bool is_grouped; /* elements and results are in the order of their columns' runs */
};

/* The conductor's part. */
struct slot_scan {
	size_t records; /* of the chunk, or of its last part, whose results are to be written */
	uint64_t element_count; /* elements that have results, of all its parts */
	uint64_t result_bytes; /* of all lanes */
	const struct result *initial; /* what the stream begins with, all results, after the header; or NULL */
	uint64_t lines; /* in the chunk */
	uint64_t line_base; /* of the file, before the chunk */
	struct problem problem; /* the conductor's, to be reported after the chunk's results */
	uint64_t record_base; /* records of the stream that have results, and what it begins with, before the chunk */
};

/* The encoder's part: bytes to write, in out or in results. */
struct slot_output {
	struct bytes encoding; /* struct lane_results */
	struct bytes out;
	struct bytes key_texts, key_ends; /* of the chunk's keys, where lines begin with them (struct part_to_encode) */
	const unsigned char *write_data; /* set by slot_encode */
	size_t write_size;
	uint64_t write_offset; /* in the output, if it is written in place */
	bool written; /* it was written in place, without a failure */
};

/* Of plan->ends.plots: what is drawn of the chunk. */
struct slot_picture {
	struct curves curves; /* of the chunk's results, of its parts so far */
	uint64_t records_plotted; /* records of these parts */
	struct bytes points; /* with keys, double: the results of all records, NaN for one that is not finite */
	struct bytes key_numbers; /* with keys, uint32_t: each key's number in the stream, which the conductor sets */
};

struct slot {
	size_t channel; /* its number: which channel of an engine is its own. Constant */

	/* Allocated once the plan is known, by slot_prepare. */
	struct slot_column *columns; /* room for one a lane */
	struct slot_lane *lanes; /* one of each of the plan's lanes */
	struct lane_work *works; /* the engine's view of them */
	struct column *decoding; /* the decoder's view of the columns: one a number of their elements */
	struct bytes joined; /* of plan->by_cursors: the results of all lanes, record by record */
	struct interleaved *splitting, *joining; /* of the columns' numbers and of lanes */
	size_t lane_count;

	/* Where elements and results are: memory of the slot's own, or of an engine's channel. Changed by the slot's
	 * owner. */
	size_t capacity; /* elements that fit a lane: whole tiles (binary), or bytes of text */
	bool borrowed; /* the memory of its only lane is an engine's */
	bool abandoned; /* a device that was given up may still use what it had; nothing is borrowed any more */
	bool elements_left; /* the elements' memory was changed for that reason */

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

/* The greatest size of an element or result in any row of the run: 16 bytes where exact decimals may widen. */
size_t slot_element_max(const struct plan *plan);

/* Gives a new slot its lanes. STATUS_SYSTEM after a message. */
enum status slot_prepare(struct slot *s, const struct plan *plan) MUST_CHECK;

/* Uses an engine's memory for the only lane of chunks of capacity elements from now on. The slot must be free. */
void slot_borrow_memory(struct slot *s, const struct channel_memory *memory, size_t capacity);
/* A device may still use the slot's memory: what it writes to is left to it until slot_free, the elements from the next
 * ones on. */
void slot_abandon_results(struct slot *s);
/* Allocates what is missing of the slot's memory: for the first count columns, for results and states of all lanes or
 * for states of one. STATUS_SYSTEM after a message. */
enum status slot_need_elements(struct slot *s, const struct plan *plan, size_t count) MUST_CHECK;
enum status slot_need_results(struct slot *s, const struct plan *plan) MUST_CHECK;
enum status slot_need_states(struct slot *s, struct slot_lane *lane) MUST_CHECK;
/* Reads what the source left to be read. What goes wrong ends the chunk and becomes source_problem. STATUS_SYSTEM after
 * a message: no memory. */
enum status slot_load(struct slot *s, const struct plan *plan) MUST_CHECK;

/* Where decoding is to stop (struct decode_target). */
struct decode_stop_at {
	size_t records; /* SIZE_MAX: nowhere */
	size_t field;
};

/* Decodes the slot's bytes from offset on. are_floats, one a lane: whether it scans exact decimals and its only segment
 * has gone on in f64, which it does until its end; its elements are read as f64 then. (A chunk that was decoded before
 * that is known is correct, too.) Sets decoded, columns, marks, absences and edits; appends to warnings.
 * STATUS_SYSTEM after a message. */
enum status slot_decode(struct slot *s, const struct plan *plan, const atomic_bool *are_floats, size_t offset,
			struct decode_stop_at stop) MUST_CHECK;

/* Does what the plan says about NaNs with a chunk of binary elements that are in their columns: they are replaced,
 * become absences, or the first one is decoded.problem, without its place. STATUS_SYSTEM after a message. */
enum status slot_take_nans(struct slot *s, const struct plan *plan) MUST_CHECK;
/* Takes the keys, and what resets go by, from the columns of a chunk of binary elements. What has no place among those
 * of gaps becomes decoded.problem. STATUS_SYSTEM after a message. */
enum status slot_take_keys(struct slot *s, const struct plan *plan) MUST_CHECK;
/* Brings a decoded chunk's elements together key by key, each key's in their order, if the plan is segmented.
 * STATUS_SYSTEM after a message. */
enum status slot_group(struct slot *s, const struct plan *plan) MUST_CHECK;
/* The same of a column that was left in the records' order. */
enum status slot_group_after_all(struct slot *s, struct slot_column *k) MUST_CHECK;
/* Finds the records that begin segments: begun, key_records. STATUS_SYSTEM after a message. */
enum status slot_find_resets(struct slot *s, const struct plan *plan) MUST_CHECK;
/* Whether what a record's resets go by is not this text; whether its place is more than the gap after another one. */
bool slot_reset_differs(const struct slot *s, size_t record, const void *text, size_t size);
bool slot_leaves_gap(const struct slot *s, size_t record, int128 before, const struct text_rules *rules);
/* Brings the results of such elements to where their elements were; the lanes' formats are known. Once; STATUS_SYSTEM
 * after a message. */
enum status slot_ungroup(struct slot *s) MUST_CHECK;
/* Leaves the first records of a decoded chunk of binary elements. */
void slot_keep_records(struct slot *s, size_t records);

/* The index of the record that has an element of a column, which was decoded last. */
size_t slot_record_of(const struct slot *s, const struct slot_column *column, size_t element);

/* Encodes the slot's results, after what out already holds. STATUS_SYSTEM after a message. */
enum status slot_encode(struct slot *s, const struct plan *plan) MUST_CHECK;

/* Takes the results of the slot's records into its curves, or with keys makes points of them, as slot_encode does
 * where plan->plots: lanes are what it describes. STATUS_SYSTEM after a message. */
enum status slot_plot(struct slot *s, const struct plan *plan, const struct lane_results *lanes) MUST_CHECK;
/* Takes these points into the curves of their keys, of which the slots before are in already. STATUS_SYSTEM after a
 * message. */
enum status slot_plot_keys(const struct slot *s, const struct plan *plan, struct key_curves *curves) MUST_CHECK;
/* The same of what the stream begins with, before all others. */
void slot_plot_initial(struct slot *s, const struct plan *plan, const struct result *initial);

void slot_free(struct slot *s);

#endif
