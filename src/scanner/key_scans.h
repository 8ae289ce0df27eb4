/* The state of scans by key and segment, for the conductor (conductor*.c, key_numbers.c, segment*.c) only.
 *
 * Functions that return a status have printed a message if it is not STATUS_OK. */
#ifndef PSCAN_SCANNER_KEY_SCANS_H
#define PSCAN_SCANNER_KEY_SCANS_H

#include <stdatomic.h>

#include "scanner/conductor_private.h"
#include "scanner/keys.h"
#include "scanner/segment.h"

/* What a key's next record is compared with, to find whether it begins a segment. A key's block begins with this, if
 * records can begin segments. */
struct key_resets {
	uint64_t begun; /* segments so far */
	bool is_known; /* there was a record; place and text are valid */
	int128 place; /* place of the last record, for --reset-gap */
	struct bytes text; /* reset fields of the last record. Owned */
	struct bytes name; /* reset fields of the last record with an element, for totals. Owned */
};

/* A segment that ended, for --total. */
struct ended {
	size_t record; /* index of the record that began the next segment */
	size_t order; /* its number among the ended segments of its lane */
	uint32_t key;
	unsigned char form;
	union value last; /* the total; for a program, its offset in k->ended_last */
	const void *text; /* its reset fields. Borrowed */
	size_t text_size;
};

/* Where the stream ends, and why. */
struct key_misfit {
	size_t record; /* SIZE_MAX: nowhere */
	const struct lane *lane;
	uint32_t key;
	const char *why; /* exact decimals: why they end there */
	bool is_of_total; /* the misfit is the total of a segment that ended before the record */
	size_t text_field; /* 1 + the index of the chosen field whose text is the misfit; 0: the misfit is an element */
	struct problem problem; /* without its place; for exact decimals also without its text */
};

/* What scanning a chunk's elements produces besides results, and its scratch memory. One thread at a time. */
struct segment_work {
	struct key_misfit misfit; /* the first misfit of these elements */
	size_t ended_count; /* segments that ended among a lane's elements */
	struct bytes ended; /* struct ended, lane by lane; or plain totals (plain_total) */
	struct bytes ended_records; /* for plain totals: uint32_t, the record that ended each */
	struct row row; /* memory for segment_row */
	struct bytes in, out; /* elements and results of one run */
	struct bytes before; /* a cursor, or those of the chunk's keys */
	struct bytes states; /* two for each tile that is pushed */
	struct bytes whole; /* unsigned char: whether the window of each of these has its first element, for lag:N */
	struct bytes begins; /* for a window by time: uint64_t (window_find_begins) */
	struct bytes covered; /* uint64_t: how many numbers the window of each element covers that was taken in last */
};

/* A lane's segments that were scanned ahead. */
struct ahead_lane {
	size_t first; /* the first element that was scanned ahead; SIZE_MAX: none */
	struct segment *segment; /* the last one. Owned, with its cursors */
	size_t ended_first, ended_count; /* its ended segments in work.ended */
};

/* The segments of a slot that were scanned ahead (conductor_ahead.c). */
struct scan_ahead {
	struct segment_work work; /* work for all lanes */
	size_t lane_count;
	struct ahead_lane lanes[];
};

struct key_texts;
struct lane_texts;

struct key_scans {
	struct keys *keys;
	struct scan_ahead **ahead; /* one a channel, or NULL until its slot has some. Owned, like each of them */
	struct key_texts **texts; /* of each lane of distinct; NULL: no elements are texts */
	struct lane_texts **kept; /* of each lane whose results are texts, others NULL; NULL: no elements are texts */
	uint64_t place_kinds; /* the kinds of all records' places so far (place_kind_of) */
	struct bytes number_kinds; /* unsigned char: if times are accepted, the kind (enum place_kind) of each field */
	/* Bytes of a segment's total, if it is written as the only lane's raw result, without key or format; else 0. */
	size_t plain_total;
	/* Elements were taken out of a column (slot_take_out): tiles lie elsewhere than where they are swept ahead. */
	atomic_bool is_shifted;
	atomic_bool was_told; /* the -v message that exact decimals end was printed */
	size_t head_size, block_size; /* bytes of a key's block: before its segments; in all */
	uint64_t records; /* records before the slot, for struct record_counts */
	struct segment_work work; /* work for the records that were scanned last */
	struct bytes lines; /* lines of the totals of segments that ended there */
	/* Borrowed by one call at a time. */
	struct bytes numbers; /* uint32_t: the numbers of the chunk's keys */
	struct bytes begun; /* uint64_t: the segments that each had begun before its second record in the chunk */
	/* Runs of programs that are to be scanned: struct noted_run, their cursors, their segments as they were then
	 * (lane_room); their elements are in work.in. */
	struct bytes noted, noted_cursors, noted_before;
	struct bytes noted_gaps; /* uint64_t for each element: struct cursor_work's gaps, for a program that has_gaps */
	struct bytes noted_totals; /* each run's total, if the program uses it */
	struct bytes noted_ends; /* uint32_t: the end of each run; after the scan, its outcome (struct cursor_work) */
	struct bytes ended_totals; /* struct ended_total: the lane's segments that ended in the slot */
	struct bytes ended_last; /* a program's last results of segments that ended */
};

/* A run: elements of one lane that belong to one segment. */
struct run_scan {
	const struct conductor *c;
	struct segment_work *work;
	struct slot *s;
	const struct lane *lane;
	const struct slot_column *column; /* the slot's column with the lane's elements */
	struct slot_lane *to; /* the slot's lane for the results */
	uint32_t key;
	uint64_t begun; /* segments that the key had begun before its second record in the chunk */
	struct segment *segment;
	size_t first; /* index of the run's first element in the grouped column */
	size_t count;
};

/* An empty run of a lane of the slot. */
static inline struct run_scan run_of_lane(const struct conductor *c, struct segment_work *work, struct slot *s,
					  size_t lane)
{
	return (struct run_scan){.c = c,
				 .work = work,
				 .s = s,
				 .lane = &c->lanes[lane],
				 .column = conductor_column(s, &s->lanes[lane]),
				 .to = &s->lanes[lane]};
}

static inline struct segment *key_segment(const struct conductor *c, size_t lane, uint32_t key)
{
	return lane_segment(&c->lanes[lane], c->keys->keys, key);
}

static inline struct key_resets *key_resets_of(const struct key_scans *k, uint32_t key)
{
	return keys_block(k->keys, key);
}

/* Whether the keys' totals are in the order of their first numbers, which kept and held records may come before. */
static inline bool totals_go_by_numbers(const struct plan *plan)
{
	return plan->total && plan->lacking.keeps_records;
}

/* key_texts.c */

/* Frees the texts that the scans of a lane have had. NULL: does nothing. */
void key_texts_free(struct key_texts *t);
/* Numbers the texts of the slot for a lane of texts. STATUS_SYSTEM after a message. */
enum status key_texts_number(const struct conductor *c, const struct slot *s, size_t lane) MUST_CHECK;
/* Sets news[i] to 1 for each of the run's elements whose text the segment has not had yet, else to 0. STATUS_SYSTEM
 * after a message. */
enum status key_texts_take(const struct run_scan *r, uint64_t *news) MUST_CHECK;

/* segment_in_order.c */

/* Scans a lane's elements, which are in record order. *taken becomes false, and nothing changes, if some key's scan
 * cannot continue this way. */
enum status key_scans_take_in_order(const struct conductor *c, struct slot *s, size_t lane, bool *taken) MUST_CHECK;

/* key_numbers.c */

/* Initialises a new key's scans with the lanes' initial state. */
void key_scans_begin_key(const struct conductor *c, uint32_t key);
/* Sets k->numbers for the keys of the slot. A key gets a number when it has a record with an element. */
enum status key_scans_number(const struct conductor *c, const struct slot *s) MUST_CHECK;

/* segment_begins.c */

/* Sets k->begun for the keys of the slot, which are numbered. */
enum status segments_number(const struct conductor *c, const struct slot *s) MUST_CHECK;
/* Call it after the records were scanned. Keeps each key's last reset fields, for comparison with the next slot and for
 * the names of totals. */
enum status segments_keep_last(const struct conductor *c, const struct slot *s) MUST_CHECK;
/* Reads the number of --reset-at for a lane. False after a message if it is not of the lane's type. */
bool segment_begins_parse(const struct plan *plan, const struct plan_lane *lane, struct reset_value *at);
/* Whether element i begins a segment because of what it is, or of the one before it in the run (--reset-at). */
bool segment_begins_by_value(const struct run_scan *r, size_t i);
/* Whether element i begins a segment, if the present one has `count` elements before it. */
bool segment_begins_at(const struct run_scan *r, size_t i, uint64_t count);
/* Returns the first of `count` elements that surely begins a segment, whatever came before them; SIZE_MAX if none
 * does. */
size_t segment_begins_first(const struct run_scan *r, size_t count);
/* Returns how many of the run's first `most` (at least 1) elements come before the next segment, at least 1. Segments
 * that begin because of --reset-every do not count. r->segment->begun must be that of the first element. */
size_t segment_goes_on(const struct run_scan *r, size_t most);

/* key_totals.c */

/* Returns the value of plain_total. Call it after the lanes were begun. */
size_t key_scans_plain_total(const struct conductor *c);
/* Appends to k->lines the totals of segments that ended in the records that were scanned last, in the order of the
 * records that ended them. */
enum status key_scans_write_ended(struct conductor *c, struct slot *s) MUST_CHECK;
/* Sets p->text to the key's name, if there are keys, and `why`. */
enum status key_scans_name(const struct conductor *c, uint32_t key, const char *why, struct problem *p) MUST_CHECK;

/* segment_walk.c */

/* Makes room for a lane's results in the slot, and for their forms. Results that are already there stay. */
enum status segment_begin_results(const struct conductor *c, struct slot *s, size_t lane) MUST_CHECK;
/* Resets a segment to the lane's initial state. */
void segment_clear(const struct lane *l, struct segment *g);
/* Copies a segment of the lane, with its cursor. Not for windows. */
enum status segment_copy(const struct conductor *c, const struct lane *l, struct segment *to,
			 const struct segment *from) MUST_CHECK;
/* Ends the segment before the run's first element and queues its total. previous: the number of the key's elements in
 * this slot before the run. */
enum status segment_end(const struct run_scan *r, size_t previous) MUST_CHECK;
/* Scans elements of one key, which may begin and end segments. Any thread that has the slot may call it, with its own
 * segment and work. Not for programs or windows, which only the conductor scans. */
enum status segment_scan_all(const struct run_scan *all) MUST_CHECK;

/* conductor_ahead.c */

void segment_work_free(struct segment_work *w);
/* NULL: does nothing. */
void scan_ahead_free(struct scan_ahead *a);
/* Continues a lane with the part of the slot that was scanned ahead: takes over its last segment, its ended segments
 * and its misfit. r: the run of the elements before that part, which are scanned already. */
enum status conductor_take_ahead(const struct run_scan *r) MUST_CHECK;
/* The first element of the slot's lane that was scanned ahead; SIZE_MAX: none was. */
size_t conductor_ahead_from(const struct conductor *c, const struct slot *s, size_t lane);

/* The record of a run's element i. */
static inline size_t record_of(const struct run_scan *r, size_t i)
{
	const struct bytes *records = &r->column->records;
	return records->size > 0 ? ((const uint32_t *)(const void *)records->data)[r->first + i] : r->first + i;
}

/* How many segments the key's records had begun, up to and including the record of element i. */
static inline uint64_t begun_at(const struct run_scan *r, size_t i)
{
	return r->begun + ((const uint32_t *)(const void *)r->s->keyed.begun.data)[record_of(r, i)];
}

/* How many numbers the window of element j has. j counts the elements that were scanned last. */
static inline uint64_t window_covered(const struct run_scan *r, size_t j)
{
	return ((const uint64_t *)(const void *)r->work->covered.data)[j];
}

/* How many numbers the result of element j covers: of lag:N all of the scan. */
static inline uint64_t segment_covered(const struct run_scan *r, size_t j)
{
	const struct plan_lane *lane = r->lane->plan;
	return lane->window > 0 && !lane->lags ? window_covered(r, j) : segment_numbers(r->lane, r->segment) + j + 1;
}

/* Whether element i has no result because no earlier number exists, or none is in its window. */
static inline bool segment_lacks_result(const struct run_scan *r, size_t i)
{
	const struct plan_lane *lane = r->lane->plan;
	if (lane->lags)
		return r->work->whole.data[i] == 0;
	if (!lane->op->lacks_first)
		return false;
	return lane->window > 0 ? segment_covered(r, i) == 1 : i == 0 && !r->segment->has_last;
}

/* Whether a result over `numbers` numbers covers fewer than min_count. (An exclusive result of a row does not include
 * its own element.) */
static inline bool segment_is_short(const struct run_scan *r, uint64_t numbers)
{
	const bool is_before = r->lane->plan->row_is_exclusive && numbers > 0;
	return numbers - is_before < r->c->plan->lacking.min_count;
}

/* Whether element i of the run takes part in the scan. */
static inline bool takes_part(const struct run_scan *r, size_t i)
{
	const struct bytes *parts = &r->column->parts;
	return parts->size == 0 || parts->data[r->first + i] == PART_TAKES;
}

/* Returns the length of the longest beginning of the run, of at most `count` (at least 1) elements, in which either all
 * elements take part in the scan or none does. */
static inline size_t segment_count_alike(const struct run_scan *r, size_t count)
{
	const bool takes = takes_part(r, 0);
	size_t alike = 1;
	if (r->column->parts.size == 0)
		return count;
	while (alike < count && takes_part(r, alike) == takes)
		alike++;
	return alike;
}

/* The element i of a run, as its column has it. */
static inline const unsigned char *segment_element_at(const struct run_scan *r, size_t i)
{
	const struct slot_column *column = r->column;
	return column->elements + (r->first + i) * column->step;
}

/* The own scale (enum own_scale) of element i of exact decimals. */
static inline unsigned char segment_scale_at(const struct run_scan *r, size_t i)
{
	const struct slot_column *column = r->column;
	return column->reading.decimal ? column->scales.data[r->first + i] : OWN_SCALE_FLOAT;
}

/* Returns the form (enum result_form) of a result of `row`, which scans the segment. scale: the decimals of the result,
 * used only if it is an exact decimal. */
static inline unsigned char segment_form(const struct segment *g, const struct row *row, unsigned scale)
{
	if (row->op->result != RESULT_SAME || g->width == WIDTH_FLOAT)
		return row->op->result != RESULT_SAME ? RESULT_FORM_LANE : RESULT_FORM_FLOAT;
	return (unsigned char)(scale | (g->width == WIDTH_WIDE ? RESULT_FORM_WIDE : 0));
}

/* Ends the stream before the record of element i, unless an earlier end is set. True if it was set; the caller then
 * sets misfit.problem. */
static inline bool segment_end_at(const struct run_scan *r, size_t i)
{
	struct key_misfit *m = &r->work->misfit;
	const size_t record = r->c->plan->is_segmented ? record_of(r, i) : slot_record_of(r->s, r->column, i);
	if (record >= m->record)
		return false;
	*m = (struct key_misfit){.record = record, .lane = r->lane, .key = r->key};
	return true;
}

/* segment_reading.c */

/* The mantissa of element i of exact decimals, at its own scale. */
int128 segment_mantissa_at(const struct run_scan *r, size_t i);
/* Element i of exact decimals as it was written: its value and own scale. */
struct written_element segment_element(const struct run_scan *r, size_t i);
/* The nearest double to a written element. */
double written_element_f64(const struct written_element *e);
/* Element i of exact decimals as the nearest double. */
double segment_f64_at(const struct run_scan *r, size_t i);
/* Returns the row that scans the segment. For exact decimals its parameter is the segment's scale. Valid until the next
 * call with the same work. */
const struct row *segment_row(const struct run_scan *r);
/* Allocates the cursor of the segment's width, if it has none. STATUS_SYSTEM after a message if memory is missing. */
enum status segment_need_cursor(const struct conductor *c, const struct lane *l, struct segment *g) MUST_CHECK;
/* Says with -v that the segment goes on in f64, at element i. */
void segment_tell_float(const struct run_scan *r, size_t i);
/* Changes the segment's scale or width so that it can scan *next, element i (0 if missing). overflowed: a result did
 * not fit. *ends becomes true if no change helps; the stream then ends at element i. */
enum status segment_change(const struct run_scan *r, size_t i, const struct written_element *next, bool overflowed,
			   bool *ends) MUST_CHECK;

/* misfit_record.c */

/* Ends the stream at element i, whose result does not fit (checked rows). */
void segment_judge(const struct run_scan *r, size_t i);
/* Ends the stream at element i, because the exclusive result that is shown there does not fit. */
void segment_end_past(const struct run_scan *r, size_t i);

/* segment_results.c */

/* Scans `count` elements, of the row's type, into the segment: many of them tile by tile. *bad: the first element that
 * does not fit, or SIZE_MAX. */
enum status segment_push(const struct run_scan *r, const struct row *row, const void *in, size_t count, void *out,
			 size_t *bad) MUST_CHECK;
/* segment_push, not for windows, with the segment's cursor unchanged if an element does not fit. */
enum status segment_try_push(const struct run_scan *r, const struct row *row, const void *in, size_t count, void *out,
			     size_t *bad) MUST_CHECK;
/* Stores `count` results of `size` bytes, for elements i, i + 1, ...; one place later if results are exclusive. */
void segment_put_results(const struct run_scan *r, size_t i, size_t count, const unsigned char *results, size_t size,
			 const unsigned char *forms);
/* Stores the results of all elements of the run, which are of the lane's row (segment_put_results). A result that the
 * operator does not have becomes absent or, in binary output of floats, NaN. `results` may change. forms: room for
 * r->count forms. */
void segment_put_formed(const struct run_scan *r, unsigned char *results, unsigned char *forms);
/* Whether element i, or one after it, may have no result. (A window by time may hold its element alone anywhere.) */
bool segment_may_lack(const struct run_scan *r, size_t i);
/* The form of the result of a record without a number. in_row: how many such records there are in a row, up to this
 * one. form: that of the result that would be repeated. */
unsigned char segment_held_form(const struct plan *plan, enum part part, uint64_t in_row, unsigned char form);
/* Whether results are indices that must also count elements that take no part. (Windows keep such indices
 * themselves.) */
bool segment_is_of_index(const struct run_scan *r);
/* Converts `count` indices in work->out from indices among numbers to indices among all of the segment's records. */
void segment_find_indices(const struct run_scan *r, size_t count);
/* Notes that a segment of the run's key has ended: sets ended->key and ended->order, and appends *ended to work->ended.
 * The caller has set the other members. If totals are plain (keys->plain_total), only ended->last and ended->record are
 * noted, as segment_note_totals does it. STATUS_SYSTEM after a message if memory is missing. */
enum status segment_note_ended(const struct run_scan *r, struct ended *ended) MUST_CHECK;
/* Queues the plain totals of `count` segments of `length` elements. totals: the results of their elements, `size` bytes
 * each, from the first segment's last one on. record: the record that ended the first segment. */
enum status segment_note_totals(struct segment_work *w, const void *totals, size_t size, size_t count, size_t record,
				size_t length) MUST_CHECK;

/* segment_scan.c */

/* Scans the run's elements (at least one) into the segment, and stores their results. */
enum status segment_scan(const struct run_scan *r) MUST_CHECK;
/* Scans the whole segments of plan->resets.every elements among the next `count` elements, if a segment is at most one
 * tile. The given segment must be empty; it becomes the last one scanned. *taken: elements scanned; unchanged if none
 * were. r->count is ignored. */
enum status segment_scan_whole(const struct run_scan *r, size_t count, size_t *taken) MUST_CHECK;

/* Scans short segments with the row's short_segments. begun[i]: the number of the segment that element i belongs to.
 * Returns how many elements were scanned. The given segment must be empty; its `last` becomes the last result. r->count
 * is ignored. */
size_t segment_scan_short(const struct run_scan *r, const uint32_t *begun, size_t count);

/* Stores a result (the held one, or absent) for each record of a run whose records all take no part in the scan. Counts
 * them in the segment, and passes its window over them. Ends the stream (r->work->misfit) at a result that does not
 * fit. Does nothing if such records get no result. STATUS_SYSTEM after a message if memory is missing. */
enum status segment_hold(const struct run_scan *r) MUST_CHECK;

/* segment_decimals.c */

/* segment_scan for exact decimals. */
enum status segment_scan_decimals(const struct run_scan *r) MUST_CHECK;

/* segment_emit.c */

/* Copies the total of g, a segment of the run's key, as the first reading has found it (last_results_get). */
enum status segment_total(const struct run_scan *r, struct segment *g, void *total) MUST_CHECK;
/* Call it before results of the run are put, if c->emit_each is set: finds the total of the run's segment, if --emit
 * has it. STATUS_SYSTEM after a message, as last_results_get. */
enum status segment_begin_emit(const struct run_scan *r) MUST_CHECK;
/* Replaces the result of the run's element i, a union value with room for an i128, and its form. j: the element's place
 * among those that the segment took in last. */
void segment_emit(const struct run_scan *r, size_t i, size_t j, void *value, unsigned char *form);

/* segment_exact.c */

/* segment_scan for exact decimals that a program scans. STATUS_DEVICE or STATUS_SYSTEM after a message. */
enum status segment_scan_exact(const struct run_scan *r) MUST_CHECK;

/* segment_uniform.c */

/* Whether the run may be uniform: all mantissas have 64 bits and one scale, and results need no element's own scale; or
 * it is the whole column of the only scan. Makes room for the two functions below; *status: STATUS_SYSTEM after a
 * message if there is none. */
bool segment_is_uniform(const struct run_scan *all, enum status *status);
/* Scans elements of a uniform run. *taken becomes false, and nothing changes, if the segment cannot go on with their
 * scale, or if a result does not fit. */
enum status segment_scan_uniform(const struct run_scan *r, bool *taken) MUST_CHECK;
/* As segment_scan_short, for elements of a uniform run. */
size_t segment_scan_short_uniform(const struct run_scan *r, const uint32_t *begun, size_t count);
/* Brings the run's elements from i on, which are narrow, to the segment's scale, which is at least the column's.
 * Returns how many fit in 64 bits until one does not. */
size_t segment_scale_up(const struct run_scan *r, size_t i, int64_t *to);

/* segment_programs.c */

/* Queues a program's run; segment_scan_noted scans all queued runs at once. */
enum status segment_note(const struct run_scan *r) MUST_CHECK;
/* Call it when the run's segment ended before the run. *place becomes the offset in k->ended_last where its last result
 * will be, once the queued runs are scanned. */
enum status segment_note_end(const struct run_scan *r, size_t *place) MUST_CHECK;
/* Tests whether the program is associative on the run's next `count` elements (conductor_associative.c). Ends the
 * stream before the first element that fails. */
enum status segment_try_triples(const struct run_scan *r, const unsigned char *elements, size_t count) MUST_CHECK;
/* Sets the lane's hint, if its program may be warned of. STATUS_SYSTEM after a message if memory is missing. */
enum status lane_begin_hint(const struct conductor *c, struct lane *l) MUST_CHECK;
/* Warns once if the program is not associative on the run's next `count` elements, as far as they are among the first
 * ones of the first scan that has three. before: the numbers of their scan before them. Only if lane_tries. */
enum status segment_hint_triples(const struct run_scan *r, uint64_t before, const unsigned char *elements,
				 size_t count) MUST_CHECK;
/* Scans a lane's queued runs, if there are enough of them or `all` is set. Do not call it between elements of one
 * key. */
enum status segment_scan_noted(struct conductor *c, size_t lane, bool all) MUST_CHECK;

/* emit_totals.c */
/* Call it when the run's segment ended before the run. If the totals of segments are to be found, notes it. */
enum status segment_end_total(const struct run_scan *r) MUST_CHECK;

#endif
