/* The state of scans by key and segment. Only files of src/scanner include this.
 *
 * A function that returns a status has printed a message unless the status is STATUS_OK. */
#ifndef PSCAN_SCANNER_KEY_SCANS_H
#define PSCAN_SCANNER_KEY_SCANS_H

#include <stdatomic.h>

#include "scanner/conductor_private.h"
#include "scanner/keys.h"
#include "scanner/segment.h"

/* What is known of a key's last record. The key's next record is compared with it, to find whether the next record
 * begins a segment. A key's block begins with this struct if records can begin segments. */
struct key_resets {
	uint64_t begun; /* Segments that the key's records have begun so far. */
	bool is_known; /* The key has had a record, so `place` and `text` are valid. */
	int128 place; /* The place of the last record, for --reset-gap. */
	struct bytes text; /* The reset fields of the last record. Owned. */
	struct bytes name; /* The reset fields of the last record with an element, for totals. Owned. */
};

/* A segment that ended, for --total. */
struct ended {
	size_t record; /* The index of the record that began the next segment. */
	size_t order; /* The segment's number among those of its lane that ended in the slot. */
	uint32_t key; /* The number of the segment's key. */
	unsigned char form; /* The form (enum result_form) of the total. */
	union value last; /* The total. For a program: in u64, the offset of the total in k->ended_last. */
	const void *text; /* The segment's reset fields. Borrowed. */
	size_t text_size;
};

/* Where the stream ends, and why. */
struct key_misfit {
	size_t record; /* The stream ends before this record. SIZE_MAX: it does not end. */
	const struct lane *lane; /* The lane of the misfit. */
	uint32_t key; /* The number of the misfit's key. */
	const char *why; /* For exact decimals: why they end there. */
	bool is_of_total; /* The misfit is the total of a segment that ended before the record. */
	size_t text_field; /* 1 + the index of the chosen field whose text is the misfit. 0: an element is. */
	struct problem problem; /* The problem without its place. For exact decimals also without its text. */
};

/* What scanning a chunk's elements produces in addition to results, and memory for the scan. One thread at a time. */
struct segment_work {
	struct key_misfit misfit; /* The first misfit of these elements. */
	size_t ended_count; /* How many segments ended among the elements of the present lane. */
	struct bytes ended; /* Array of struct ended, lane by lane. With plain_total: the totals themselves. */
	struct bytes ended_records; /* With plain_total: uint32_t for each total, the record that ended its segment. */
	struct row row; /* Memory for segment_row. */
	struct bytes in, out; /* Memory for elements and results. For programs `in` has those of all noted runs. */
	struct bytes before; /* Memory for a copy of a cursor, or of the segments of the chunk's keys. */
	struct bytes states; /* Memory for two states for each tile that is pushed. */
	struct bytes whole; /* For lag:N, unsigned char: whether the window is whole and begins with a number. */
	struct bytes begins; /* For windows by time, uint64_t: the first number of the window (window_find_begins). */
	struct bytes covered; /* uint64_t: numbers that each window covers. (All three: of the elements taken last.) */
};

/* A lane's segments that were scanned ahead. */
struct lane_ahead {
	size_t first; /* The first element that was scanned ahead. SIZE_MAX: no element was. */
	struct segment *segment; /* The last segment. Owned, with its cursors. */
	size_t ended_first; /* The index in work.ended of the lane's first ended segment. */
	size_t ended_count; /* How many of the lane's segments ended. */
};

/* The segments of a slot that were scanned ahead (conductor_ahead.c). */
struct segments_ahead {
	struct segment_work work; /* The work of all lanes. */
	size_t lane_count; /* Lanes that have a segment. */
	struct lane_ahead lanes[];
};

struct key_texts;
struct lane_texts;

struct key_scans {
	struct keys *keys;
	/* Three arrays, owned like their entries. An entry may be NULL. */
	struct segments_ahead **ahead; /* For each channel: what was scanned ahead of its slot. */
	struct key_texts **texts; /* For lanes of distinct: the texts that their scans have had. NULL: no texts. */
	struct lane_texts **kept; /* For lanes whose results are texts: these texts. NULL: no texts. */
	uint64_t place_kinds; /* The kinds of the places of all records so far (place_kind_of). */
	struct bytes number_kinds; /* If times are accepted: unsigned char for each field, its enum place_kind. */
	/* Bytes of a segment's total, if totals are plain: a plain total is the raw result of the only lane, written
	 * without key or format. 0: totals are not plain. */
	size_t plain_total;
	/* Elements were taken out of a column (slot_compact), so tiles begin elsewhere, and none is swept ahead. */
	atomic_bool is_shifted;
	atomic_bool was_told; /* The -v message that exact decimals end was printed. */
	size_t head_size; /* Bytes of a key's block before the key's segments. */
	size_t block_size; /* Bytes of a key's block. */
	uint64_t records; /* How many records come before the slot, for struct record_counts. */
	struct segment_work work; /* The work of the records that were scanned last. */
	struct bytes lines; /* The lines of the totals of segments that ended in these records. */
	/* One call at a time uses the members from here on. */
	struct bytes numbers; /* uint32_t for each key of the chunk: its number in the stream, or NO_KEY. */
	/* uint64_t for each key of the chunk: how many segments the key's records have begun, up to and including its
	 * first record in the chunk. (slot_find_resets counts from the second record on, because it cannot compare the
	 * first record with the chunk before.) */
	struct bytes begun;
	struct bytes noted; /* Array of struct noted_run: runs of programs that are still to be scanned. */
	struct bytes noted_cursors; /* The cursor of each noted run. */
	struct bytes noted_before; /* lane_room bytes for each noted run: its segment as it was before the run. */
	struct bytes noted_gaps; /* If the program has_gaps: uint64_t for each noted element (struct cursor_work). */
	struct bytes noted_totals; /* The total of each noted run, if the program uses totals. */
	struct bytes noted_ends; /* uint32_t: the ends of all noted runs, then their outcomes (struct cursor_work). */
	struct bytes ended_totals; /* Array of struct ended_total: the lane's segments that ended in the slot. */
	struct bytes ended_last; /* The last results of segments that ended, for programs and for ended_totals. */
};

/* A run: elements of one lane that belong to one segment. */
struct run_scan {
	const struct conductor *c;
	struct segment_work *work;
	struct slot *s;
	const struct lane *lane;
	const struct slot_column *column; /* The slot's column with the lane's elements. */
	struct slot_lane *to; /* The slot's lane, which receives the results. */
	uint32_t key; /* The key's number in the stream. */
	uint64_t begun; /* The key's entry of k->begun. 0 if records cannot begin segments. */
	struct segment *segment; /* The segment that takes in the run. */
	size_t first; /* The index of the run's first element in the column, which is grouped. */
	size_t count; /* The number of the run's elements. */
};

/* Returns a run without elements, for a lane of the slot. The caller sets the other members. */
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

/* Whether the totals of keys are written in the order of the keys' first numbers. Otherwise their order is that of the
 * records that begin the keys (key_scans_number). The two orders differ only if records are kept or held: such a record
 * begins a key without a number. A skipped record begins no key. */
static inline bool totals_go_by_numbers(const struct plan *plan)
{
	return plan->total && plan->lacking.keeps_records;
}

/* key_texts.c */

/* Frees the texts that the scans of a lane have had. NULL: does nothing. */
void key_texts_free(struct key_texts *t);
/* Gives the slot's texts their numbers in the stream, for a lane that counts distinct texts. STATUS_SYSTEM after a
 * message. */
enum status key_texts_number(const struct conductor *c, const struct slot *s, size_t lane) MUST_CHECK;
/* Takes the run's texts into the segment. news[i] becomes 1 if the segment has not had the text of element i before,
 * and otherwise 0. STATUS_SYSTEM. */
enum status key_texts_add(const struct run_scan *r, uint64_t *news) MUST_CHECK;

/* segment_in_order.c */

/* Scans a lane's elements in record order, without grouping them (column->in_order), and sets *taken to true. If the
 * scan of some key cannot continue in this way, *taken becomes false, and the segments are as they were. */
enum status key_scans_push_in_order(const struct conductor *c, struct slot *s, size_t lane, bool *taken) MUST_CHECK;

/* key_numbers.c */

/* Initialises a new key's scans with the lanes' initial state. */
void key_scans_begin_key(const struct conductor *c, uint32_t key);
/* Sets k->numbers for the keys of the slot, and begins the scans of new keys. A key gets a number when it has a record
 * with an element, or with a missing one that is kept or held. Other new keys have NO_KEY. */
enum status key_scans_number(const struct conductor *c, const struct slot *s) MUST_CHECK;

/* segment_begins.c */

/* Sets k->begun for the keys of the slot, and counts their segments. Call it once, after key_scans_number. */
enum status segments_number(const struct conductor *c, const struct slot *s) MUST_CHECK;
/* Call it after the records were scanned. Keeps each key's last reset fields, for comparison with the next slot and for
 * the names of totals. */
enum status segments_keep_last(const struct conductor *c, const struct slot *s) MUST_CHECK;
/* Sets *at to the number of --reset-at, which must be given; for nan and missing does nothing. Returns false after a
 * message if the number is not a value of the lane's type. */
bool segment_begins_parse(const struct plan *plan, const struct plan_lane *lane, struct reset_value *at);
/* Whether element i begins a segment because of --reset-at: because of its own value, or because the element before it
 * in the run is missing. */
bool segment_begins_by_value(const struct run_scan *r, size_t i);
/* Whether element i begins a segment. count: how many elements the present segment has before element i. */
bool segment_begins_at(const struct run_scan *r, size_t i, uint64_t count);
/* Returns the first of `count` elements that begins a segment whatever comes before all of these, or SIZE_MAX. */
size_t segment_begins_first(const struct run_scan *r, size_t count);
/* Returns how many of the run's first `most` (at least 1) elements belong to the segment of the first element. The
 * result is at least 1. --reset-every is ignored. r->segment->begun must be begun_at of the first element. */
size_t segment_goes_on(const struct run_scan *r, size_t most);

/* key_totals.c */

/* Returns the value for k->plain_total. The lanes must have begun. */
size_t key_scans_plain_total(const struct conductor *c);
/* Appends to k->lines the totals of segments that ended in the records that were scanned last, up to the misfit, in the
 * order of the records that ended them. An absent integer in binary output becomes the misfit. */
enum status key_scans_write_ended(struct conductor *c, struct slot *s) MUST_CHECK;
/* Sets p->text to the key's name, if there are keys, and `why`, which must not lie in *p. */
enum status key_scans_name(const struct conductor *c, uint32_t key, const char *why, struct problem *p) MUST_CHECK;

/* segment_walk.c */

/* Prepares the slot's lane for the results of segments: sets its step, and makes room for the results' forms. Results
 * and forms that are already there stay. */
enum status segment_begin_results(const struct conductor *c, struct slot *s, size_t lane) MUST_CHECK;
/* Begins the key's next segment in the place of *g: in the lane's initial state, with the next number. */
void segment_clear(const struct lane *l, struct segment *g);
/* Copies a segment of the lane, with its cursor. Not for windows. STATUS_SYSTEM: *to is then undefined. */
enum status segment_copy(const struct conductor *c, const struct lane *l, struct segment *to,
			 const struct segment *from) MUST_CHECK;
/* Queues the total of r->segment, which ends before the run's first element, if plan->total and segment_has_total. The
 * segment itself does not change. previous: how many of the key's elements in this slot come before the run. */
enum status segment_end(const struct run_scan *r, size_t previous) MUST_CHECK;
/* Scans elements of one key, which may begin and end segments. Any thread that has the slot may call it, with its own
 * segment and work. Only the conductor's thread may call it for programs and windows. */
enum status segment_scan_all(const struct run_scan *all) MUST_CHECK;

/* conductor_ahead.c */

void segment_work_free(struct segment_work *w);
void segments_ahead_free(struct segments_ahead *a);
/* Continues r->segment with the elements of the slot's lane that were scanned ahead. Call it only if
 * conductor_ahead_from is not SIZE_MAX. r: the elements before these, which are scanned already. Queues the total of
 * r->segment, as segment_end does, and then the totals that ended among the elements scanned ahead. r->segment becomes
 * the last segment of these elements. Their misfit becomes r's misfit if its record is earlier. STATUS_SYSTEM. */
enum status conductor_add_ahead(const struct run_scan *r) MUST_CHECK;
/* Returns the first element of the slot's lane that was scanned ahead, or SIZE_MAX. The slot must have records. */
size_t conductor_ahead_from(const struct conductor *c, const struct slot *s, size_t lane);

/* Returns the index of the record of the run's element i. */
static inline size_t record_of(const struct run_scan *r, size_t i)
{
	const struct bytes *records = &r->column->records;
	return records->size > 0 ? ((const uint32_t *)(const void *)records->data)[r->first + i] : r->first + i;
}

/* Returns how many segments the key's records have begun, up to and including the record of element i. */
static inline uint64_t begun_at(const struct run_scan *r, size_t i)
{
	return r->begun + ((const uint32_t *)(const void *)r->s->keyed.begun.data)[record_of(r, i)];
}

/* Returns how many numbers the window of element j has. j counts from the first element that was taken in last. */
static inline uint64_t window_covered(const struct run_scan *r, size_t j)
{
	return ((const uint64_t *)(const void *)r->work->covered.data)[j];
}

/* Returns how many numbers the result of element j covers: those of its window, or without a window those of the
 * segment up to the element. For lag:N, too, they are those of the segment. j counts as in window_covered. */
static inline uint64_t segment_covered(const struct run_scan *r, size_t j)
{
	const struct plan_lane *lane = r->lane->plan;
	return lane->window > 0 && !lane->lags ? window_covered(r, j) : segment_numbers(r->lane, r->segment) + j + 1;
}

/* Whether element i has no result because its segment, or its window, lacks the earlier number that the operator
 * needs. */
static inline bool segment_lacks_result(const struct run_scan *r, size_t i)
{
	const struct plan_lane *lane = r->lane->plan;
	if (lane->lags)
		return r->work->whole.data[i] == 0;
	if (!lane->op->lacks_first) /* (Then it may be unknown what a window covers.) */
		return false;
	return operator_lacks_result(lane->op, lane->window > 0 ? segment_covered(r, i) : r->segment->has_last + i + 1);
}

/* Whether a result covers fewer than min_count numbers. numbers: the numbers up to its element. (An exclusive result of
 * a row does not cover its own element.) */
static inline bool segment_is_short(const struct run_scan *r, uint64_t numbers)
{
	const bool is_before = r->lane->plan->row_is_exclusive && numbers > 0;
	return numbers - is_before < r->c->plan->lacking.min_count;
}

/* Whether element i of the run takes part in the scan. */
static inline bool takes_part(const struct run_scan *r, size_t i)
{
	const struct bytes *roles = &r->column->roles;
	return roles->size == 0 || roles->data[r->first + i] == ROLE_TAKES_PART;
}

/* Returns how many of the run's first `count` (at least 1) elements agree with element 0: either all of them take part
 * in the scan, or none of them does. */
static inline size_t segment_count_alike(const struct run_scan *r, size_t count)
{
	const bool takes = takes_part(r, 0);
	size_t alike = 1;
	if (r->column->roles.size == 0)
		return count;
	while (alike < count && takes_part(r, alike) == takes)
		alike++;
	return alike;
}

/* Returns the run's element i as its column has it. */
static inline const unsigned char *segment_element_at(const struct run_scan *r, size_t i)
{
	const struct slot_column *column = r->column;
	return column->elements + (r->first + i) * column->step;
}

/* Returns the own scale (enum own_scale) of element i of exact decimals. */
static inline unsigned char segment_scale_at(const struct run_scan *r, size_t i)
{
	const struct slot_column *column = r->column;
	return column->reading.decimal ? column->scales.data[r->first + i] : OWN_SCALE_FLOAT;
}

/* Returns the form (enum result_form) of a result. row: the row that scans the segment. scale: the scale of the result,
 * used only if the result is an exact decimal. */
static inline unsigned char segment_form(const struct segment *g, const struct row *row, unsigned scale)
{
	if (row->op->result != RESULT_SAME || g->width == WIDTH_FLOAT)
		return row->op->result != RESULT_SAME ? RESULT_FORM_LANE : RESULT_FORM_FLOAT;
	return (unsigned char)(scale | (g->width == WIDTH_WIDE ? RESULT_FORM_WIDE : 0));
}

/* Ends the stream before the record of element i, and returns true. The caller must then set misfit.problem. Returns
 * false, and changes nothing, if the stream already ends there or earlier. */
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

/* Returns the mantissa of element i of exact decimals, at the element's own scale. */
int128 segment_mantissa_at(const struct run_scan *r, size_t i);
/* Returns element i of exact decimals as it was written: its value and own scale. */
struct written_element segment_element(const struct run_scan *r, size_t i);
/* Returns the double that is nearest to a written element. */
double written_element_f64(const struct written_element *e);
/* Returns the double that is nearest to element i of exact decimals. */
double segment_f64_at(const struct run_scan *r, size_t i);
/* Returns the row that scans the segment, for its scale. Valid until the next call with this work. */
const struct row *segment_row(const struct run_scan *r);
/* Allocates the cursor for the segment's width, if that cursor is outside of the segment and missing. STATUS_SYSTEM
 * after a message if memory is missing. */
enum status segment_need_cursor(const struct conductor *c, const struct lane *l, struct segment *g) MUST_CHECK;
/* Prints with -v that the segment goes on in f64 from element i on. */
void segment_tell_float(const struct run_scan *r, size_t i);
/* Changes the segment's scale or width so that it can take in *next: element i, or 0 if that is missing. overflowed: a
 * result did not fit. *ends becomes whether no change helps; the stream then ends at element i. */
enum status segment_change(const struct run_scan *r, size_t i, const struct written_element *next, bool overflowed,
			   bool *ends) MUST_CHECK;

/* misfit_record.c */

/* Ends the stream at element i, whose result does not fit. If only an exclusive result does not fit, which is shown at
 * the next element, the stream ends there; without a next element in the run, the segment's is_past becomes true. */
void segment_judge(const struct run_scan *r, size_t i);
/* Ends the stream at element i, because the exclusive result that is shown there does not fit. */
void segment_end_past(const struct run_scan *r, size_t i);

/* segment_results.c */

/* Scans `count` elements of the row's type into the segment. Many elements are scanned tile by tile. *bad becomes the
 * first element that does not fit, or SIZE_MAX. */
enum status segment_push(const struct run_scan *r, const struct row *row, const void *in, size_t count, void *out,
			 size_t *bad) MUST_CHECK;
/* Does what segment_push does, but leaves the segment's cursor unchanged if an element does not fit. Do not call it for
 * windows. */
enum status segment_try_push(const struct run_scan *r, const struct row *row, const void *in, size_t count, void *out,
			     size_t *bad) MUST_CHECK;
/* Stores `count` results of `size` bytes for the elements from i on, and counts these elements in the segment. If
 * results are exclusive, each is stored one element later, except in windows by time. forms: their forms. */
void segment_put_results(const struct run_scan *r, size_t i, size_t count, const unsigned char *results, size_t size,
			 const unsigned char *forms);
/* Stores the results of all elements of the run, like segment_put_results. The results must be those of the lane's row.
 * A result that the operator does not have becomes absent. In binary output of floats it becomes NaN. `results` may
 * change. forms: room for r->count forms. */
void segment_put_formed(const struct run_scan *r, unsigned char *results, unsigned char *forms);
/* Whether element i or a later element may have no result. (A window by time may hold its element alone anywhere.) */
bool segment_may_lack(const struct run_scan *r, size_t i);
/* Returns the form of the result of a record without a number. in_row: how many records without a number there are in a
 * row, up to and including this record. form: the form of the result that would be repeated. */
unsigned char segment_held_form(const struct plan *plan, enum role role, uint64_t in_row, unsigned char form);
/* Whether results are indices that must also count elements that take no part. (A window keeps such indices itself.) */
bool segment_is_of_index(const struct run_scan *r);
/* Converts `count` indices in work->out from indices among numbers to indices among all of the segment's records. */
void segment_find_indices(const struct run_scan *r, size_t count);
/* Notes that a segment of the run's key has ended: sets ended->key and ended->order, and appends *ended to work->ended.
 * The caller has set the other members. If totals are plain (keys->plain_total), calls segment_note_totals for
 * ended->last and ended->record, and ignores the other members. STATUS_SYSTEM after a message if memory is missing. */
enum status segment_note_ended(const struct run_scan *r, struct ended *ended) MUST_CHECK;
/* Queues the plain totals of `count` segments of `length` elements. totals: results of `size` bytes for all elements,
 * beginning with the last element of the first segment. record: the record that ended the first segment. */
enum status segment_note_totals(struct segment_work *w, const void *totals, size_t size, size_t count, size_t record,
				size_t length) MUST_CHECK;

/* segment_scan.c */

/* Scans the run's elements (at least one) into the segment, and stores their results. */
enum status segment_scan(const struct run_scan *r) MUST_CHECK;
/* Scans whole segments of plan->resets.every elements, as many as the next `count` elements contain, and sets *taken to
 * the number of elements scanned. If this is not possible, for instance because a segment has more elements than a
 * tile, scans nothing and leaves *taken unchanged. The given segment must be empty; it becomes the last segment
 * scanned. r->count is ignored. */
enum status segment_scan_whole(const struct run_scan *r, size_t count, size_t *taken) MUST_CHECK;

/* Scans short segments with host_scan_short_segments. begun[i]: the number of the segment that element i belongs to.
 * Returns how many elements were scanned. The given segment must be empty; its `last` becomes the last result. r->count
 * is ignored. */
size_t segment_scan_short(const struct run_scan *r, const uint32_t *begun, size_t count);

/* Stores results for a run whose records all take no part in the scan: the held result, or an absent one. Counts the
 * records in the segment, and passes the segment's window over them. Ends the stream (r->work->misfit) at a result that
 * does not fit. Does nothing if records without a number get no result. STATUS_SYSTEM after a message if memory is
 * missing. */
enum status segment_hold(const struct run_scan *r) MUST_CHECK;

/* segment_decimals.c */

/* Does what segment_scan does, for exact decimals. */
enum status segment_scan_decimals(const struct run_scan *r) MUST_CHECK;

/* segment_emit.c */

/* Sets *total to the total of g, a segment of the run's key. The first reading has found the total
 * (last_results_get). */
enum status segment_total(const struct run_scan *r, struct segment *g, void *total) MUST_CHECK;
/* Finds the total of the run's segment, if --emit uses the total. If c->emit_each is set, call it before results of the
 * run are stored. STATUS_SYSTEM after a message, as last_results_get. */
enum status segment_begin_emit(const struct run_scan *r) MUST_CHECK;
/* Replaces the result of the run's element i by the value of --emit. value: the result, with room for a union value.
 * form: the result's form. j: the element's index among those of the run that the segment took in by the last push. */
void segment_emit(const struct run_scan *r, size_t i, size_t j, void *value, unsigned char *form);

/* segment_exact.c */

/* Does what segment_scan does, for exact decimals that a program scans. STATUS_DEVICE or STATUS_SYSTEM after a
 * message. */
enum status segment_scan_exact(const struct run_scan *r) MUST_CHECK;

/* segment_uniform.c */

/* Whether the run may be uniform. A uniform run is the whole column of the only scan; or all its mantissas have 64 bits
 * and one scale, and its results do not depend on the elements' own scales. Also makes room for segment_scan_uniform
 * and segment_scan_short_uniform. *status becomes STATUS_SYSTEM after a message if memory is missing; otherwise it is
 * unchanged or STATUS_OK. */
bool segment_is_uniform(const struct run_scan *all, enum status *status);
/* Scans elements of a uniform run, and sets *taken to true. If the segment cannot go on with the elements' scale, or if
 * a result does not fit, *taken becomes false, and nothing else changes. */
enum status segment_scan_uniform(const struct run_scan *r, bool *taken) MUST_CHECK;
/* Does what segment_scan_short does, for elements of a uniform run. */
size_t segment_scan_short_uniform(const struct run_scan *r, const uint32_t *begun, size_t count);
/* Converts the run's elements from i on to the segment's scale. The elements must be narrow, and the segment's scale
 * must be at least the column's. Stops at the first element that then does not fit in 64 bits. Returns how many
 * elements were converted. */
size_t segment_scale_up(const struct run_scan *r, size_t i, int64_t *to);

/* segment_programs.c */

/* Queues a program's run. segment_scan_noted scans all queued runs at once. */
enum status segment_note(const struct run_scan *r) MUST_CHECK;
/* Call it when the run's segment ended before the run. *place becomes an offset in k->ended_last: there the segment's
 * last result will be, once the queued runs are scanned. */
enum status segment_note_end(const struct run_scan *r, size_t *place) MUST_CHECK;
/* Scans a lane's queued runs, if `all` is set or if there are enough queued runs. Do not call it between elements of
 * one key. */
enum status segment_scan_noted(struct conductor *c, size_t lane, bool all) MUST_CHECK;

/* emit_totals.c */

/* Call it when the run's segment ended before the run. Notes the segment if its total is to be found
 * (c->part.finds). */
enum status segment_end_total(const struct run_scan *r) MUST_CHECK;

#endif
