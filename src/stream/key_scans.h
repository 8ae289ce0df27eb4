/* The state of scans by key and segment, for conductor_*.c. Nobody else includes this. */
#ifndef PSCAN_STREAM_KEY_SCANS_H
#define PSCAN_STREAM_KEY_SCANS_H

#include <stdatomic.h>

#include "stream/conductor_state.h"
#include "stream/keys.h"
#include "stream/segment.h"

/* What a key's resets by records go by: its block begins with this, if there are such. */
struct key_resets {
	uint64_t begun; /* segments so far */
	bool is_known; /* there was a record: */
	int128 place; /* of the last one, of which the gaps are, */
	struct bytes text; /* and what its resets go by. Owned */
	struct bytes name; /* for totals: of the last one with an element. Owned */
};

/* A segment that ended, for --total. */
struct ended {
	size_t record; /* that began another one */
	size_t order; /* among those of its lane */
	uint32_t key;
	unsigned char form;
	union value last; /* of programs the place in k->ended_last */
	const void *text; /* what its resets went by */
	size_t text_size;
};

/* Where the stream ends, and why. */
struct key_misfit {
	size_t record; /* SIZE_MAX: nowhere */
	const struct lane *lane;
	uint32_t key;
	const char *why; /* exact decimals: why they end there */
	bool is_of_total; /* a segment's that ended before the record */
	bool is_of_gap; /* of what the record's gap is told by, not of a number */
	struct problem problem; /* but for its place, and of exact decimals for its text */
};

/* What the scan of a chunk's elements leaves besides their results, and what it borrows: one thread's at a time. */
struct segment_work {
	struct key_misfit misfit; /* in these elements */
	size_t ended_count; /* of a lane: segments that ended among them */
	struct bytes ended; /* struct ended, lane by lane; or plain totals, */
	struct bytes ended_records; /* uint32_t: and of these the records that ended them */
	struct row row; /* segment_row's */
	struct bytes in, out; /* of one run */
	struct bytes before; /* a cursor */
	struct bytes uniform; /* int64_t: exact decimals that all have the same number of them */
	struct bytes
		covered; /* uint64_t: of how many numbers the windows of the elements are that were taken in last */
};

/* A lane's segments that were scanned ahead. */
struct ahead_lane {
	size_t first; /* the element from which on it was scanned; SIZE_MAX: none */
	struct segment *segment; /* the last one. Owned, with its cursors */
	size_t ended_first, ended_count; /* among those of work */
};

/* Those of a slot: conductor_ahead.c. */
struct scan_ahead {
	struct segment_work work; /* of all lanes */
	size_t lane_count;
	struct ahead_lane lanes[];
};

struct key_scans {
	struct keys *keys;
	enum gap_kind gap_kind; /* of all gaps so far */
	/* bytes of a segment's total, if nothing is written of it but the only lane's result as it is; or 0 */
	size_t plain_total;
	atomic_bool was_told; /* with -v, that exact decimals end somewhere */
	size_t head_size, block_size; /* of a key */
	uint64_t records; /* before the slot, for struct record_counts */
	struct segment_work work; /* of the records that were scanned last */
	struct bytes lines; /* of the segments that ended there */
	/* Borrowed by one call at a time. */
	struct bytes numbers; /* uint32_t: those of the chunk's keys */
	struct bytes
		begun; /* uint64_t: of the same the segments that were begun before their second record in the chunk */
	/* Runs of programs that are to be scanned: struct noted_run, their cursors, the results before their first
	 * ones; their elements are in work.in. */
	struct bytes noted, noted_cursors, noted_before;
	struct bytes noted_gaps; /* uint64_t, of a program that has_gaps: of each element, struct cursor_work's gaps */
	struct bytes noted_ends; /* uint32_t: their ends, then what comes of them (struct cursor_work) */
	struct bytes ended_last; /* of segments that ended, the last results of a program */
};

/* Elements of one lane that belong to one segment, under way. */
struct run_scan {
	const struct conductor *c;
	struct segment_work *work;
	struct slot *s;
	const struct lane *lane;
	const struct slot_column *column; /* of the slot, with the lane's elements */
	struct slot_lane *to; /* of the slot, for the lane's results */
	uint32_t key;
	uint64_t begun; /* segments of the key before its second record in the chunk */
	struct segment *segment;
	size_t first; /* of those of the column, as they were grouped */
	size_t count;
};

/* The slot's elements of a lane, none of them yet. */
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

/* Whether totals come in the order of the numbers, whatever is missing: kept and held records begin no line of their
 * own. */
static inline bool totals_go_by_numbers(const struct plan *plan)
{
	return plan->total && plan->lacking.keeps_records;
}

/* How many records ahead memory is asked for, so that it is there when it is needed. (Measured, with a million
 * keys.) */
#define AHEAD 16

/* conductor_in_order.c */

/* Scans the only lane's elements, which are in the records' order. *taken: false if some key's scan cannot go on so,
 * and nothing is changed. */
enum status key_scans_take_in_order(const struct conductor *c, struct slot *s, bool *taken) MUST_CHECK;

/* Scans a lane's elements, if all belong to its only scan, and each result has the same form. *taken: false if they
 * cannot be scanned so, and nothing is changed. */
enum status key_scans_take_whole(const struct conductor *c, struct slot *s, size_t lane, bool *taken) MUST_CHECK;

/* conductor_runs.c */

/* A new key's scans begin as the lanes do. */
void key_scans_begin_key(const struct conductor *c, uint32_t key);
/* Numbers the keys of the slot's records that have an element, and notes the segments that these begin. */
enum status key_scans_number(const struct conductor *c, const struct slot *s) MUST_CHECK;
/* The records were scanned: keeps what the next slot's resets are compared with, and what totals are called. */
enum status key_scans_keep(const struct conductor *c, const struct slot *s) MUST_CHECK;

/* conductor_totals.c */

/* Bytes of a segment's total, if nothing is written of it but the only lane's result as it is; else 0. The lanes are
 * begun. */
size_t key_scans_plain_total(const struct conductor *c);
/* The totals of segments that ended in the records that were scanned last, in the order of the records that ended
 * them: k->lines. */
enum status key_scans_write_ended(struct conductor *c) MUST_CHECK;
/* The problem's text: which key it is, if there are keys, and why. */
enum status key_scans_name(const struct conductor *c, uint32_t key, const char *why, struct problem *p) MUST_CHECK;

/* conductor_resets.c */

/* Room for a lane's results of the slot, and for their forms. (Those that are there already stay.) */
enum status segment_begin_results(const struct conductor *c, struct slot *s, size_t lane) MUST_CHECK;
/* The first of `count` elements that begins a segment, whatever was before them; SIZE_MAX: none is known to do so. */
size_t segment_find_first(const struct run_scan *r, size_t count);
/* A lane's segment begins, anew perhaps. */
void segment_begin(const struct conductor *c, const struct lane *l, struct segment *g);
/* Makes room for the cursor of the segment's width, if it has none. */
enum status segment_need_cursor(const struct conductor *c, const struct lane *l, struct segment *g) MUST_CHECK;
/* Makes a segment of the lane, without a window, what another one is. */
enum status segment_copy(const struct conductor *c, const struct lane *l, struct segment *to,
			 const struct segment *from) MUST_CHECK;
/* The segment ends before the run's first element, and its total is noted. previous: how many elements of the same
 * key the slot has before that element. */
enum status segment_end(const struct run_scan *r, size_t previous) MUST_CHECK;
/* Scans elements of one key, which may begin and end segments. Elements of one lane may be scanned by any thread that
 * has their slot, with a segment and work of its own, unless the lane is a program's or there are
 * windows. */
enum status segment_scan_all(const struct run_scan *all) MUST_CHECK;

/* scan_ahead.c */

void segment_work_free(struct segment_work *w);
/* Room for the slot's. */
enum status scan_ahead_new(const struct conductor *c, struct slot *s) MUST_CHECK;

/* conductor_ahead.c */

/* Goes on with a lane's segments in the slot where they were scanned ahead; the run's elements are those before. */
enum status conductor_take_ahead(const struct run_scan *r) MUST_CHECK;
/* From which element on the slot's lane was scanned ahead; SIZE_MAX: it was not. */
size_t conductor_ahead_from(const struct slot *s, size_t lane);

/* The record of a run's element i. */
static inline size_t record_of(const struct run_scan *r, size_t i)
{
	const struct bytes *records = &r->column->records;
	return records->size > 0 ? ((const uint32_t *)(const void *)records->data)[r->first + i] : r->first + i;
}

/* How many segments of its key were begun by records up to that one. */
static inline uint64_t begun_at(const struct run_scan *r, size_t i)
{
	return r->begun + ((const uint32_t *)(const void *)r->s->keyed.begun.data)[record_of(r, i)];
}

/* Of how many numbers the result of element j is, of those that were taken in last. */
static inline uint64_t segment_covered(const struct run_scan *r, size_t j)
{
	return r->c->plan->window > 0 ? ((const uint64_t *)(const void *)r->work->covered.data)[j]
				      : segment_numbers(r->lane, r->segment) + j + 1;
}

/* Whether the result of an element that is the last one of that many numbers is of fewer than it must be. (A row's
 * exclusive result is not of its element.) */
static inline bool segment_is_short(const struct run_scan *r, uint64_t numbers)
{
	const bool is_before = r->lane->plan->exclusive_row && numbers > 0;
	return numbers - is_before < r->c->plan->lacking.min_count;
}

/* Whether it takes part in the scan. */
static inline bool takes_part(const struct run_scan *r, size_t i)
{
	const struct bytes *parts = &r->column->parts;
	return parts->size == 0 || parts->data[r->first + i] == PART_TAKES;
}

/* The element i of a run, as its column has it. */
static inline const unsigned char *segment_element_at(const struct run_scan *r, size_t i)
{
	const struct slot_column *column = r->column;
	return column->elements + (r->first + i) * column->step;
}

/* Its own scale (enum own_scale), of a lane of exact decimals. */
static inline unsigned char segment_scale_at(const struct run_scan *r, size_t i)
{
	const struct slot_column *column = r->column;
	return column->reading.decimal ? column->scales.data[r->first + i] : OWN_SCALE_FLOAT;
}

/* Ends the stream before the record of the run's element i, unless it ends earlier. Returns whether it does; the
 * problem is to be set then. */
static inline bool segment_end_at(const struct run_scan *r, size_t i)
{
	struct key_misfit *m = &r->work->misfit;
	const size_t record = r->c->plan->is_segmented ? record_of(r, i) : slot_record_of(r->s, r->column, i);
	if (record >= m->record)
		return false;
	*m = (struct key_misfit){.record = record, .lane = r->lane, .key = r->key};
	return true;
}

/* conductor_elements.c */

/* The mantissa of element i of exact decimals, at its own scale. */
int128 segment_mantissa_at(const struct run_scan *r, size_t i);
/* Such an element. */
struct written_element segment_element(const struct run_scan *r, size_t i);
double written_element_f64(const struct written_element *e);
/* The number nearest to it. */
double segment_f64_at(const struct run_scan *r, size_t i);
/* The lane's row for the segment, with its parameter: of exact decimals, the segment's scale. Valid until the next
 * call with the same work. */
const struct row *segment_row(const struct run_scan *r);

/* conductor_results.c */

/* Takes count elements in work->in into the segment; results to work->out. *bad: the first one that does not fit, or
 * SIZE_MAX. */
enum status segment_push(const struct run_scan *r, const struct row *row, size_t count, size_t *bad) MUST_CHECK;
/* Puts the run's results i on, count of them, size bytes each, to their elements' places, one place later if they are
 * exclusive. */
void segment_put_results(const struct run_scan *r, size_t i, size_t count, const unsigned char *results, size_t size,
			 const unsigned char *forms);
/* Whether element i of a run has no result: there is none before it, at least not in its window. */
bool segment_lacks_result(const struct run_scan *r, size_t i);
/* What does not fit: the element i of a run, whose row is checked. */
void segment_judge(const struct run_scan *r, size_t i);
/* The result before element i is shown there, and does not fit. */
void segment_end_past(const struct run_scan *r, size_t i);
/* The form of a result that stands for a record without a number. in_row: how many such records there are in a row, up
 * to this one. form: of the result that would be repeated. */
unsigned char segment_held_form(const struct plan *plan, enum part part, uint64_t in_row, unsigned char form);
/* Whether results are indices, among which those of elements without a part count. (Windows keep them from the first
 * on.) */
bool segment_is_of_index(const struct run_scan *r);
/* Of operators whose results are indices: makes results in work->out of the run's elements, count of them, such among
 * all of the segment's records. */
void segment_find_indices(const struct run_scan *r, size_t count);
/* Notes that a segment of a lane ended. */
enum status segment_note_ended(const struct run_scan *r, const struct ended *ended) MUST_CHECK;
/* Notes plain totals of so many bytes, count segments of length elements each of which the first was ended by that
 * record. */
enum status segment_note_totals(struct segment_work *w, const void *totals, size_t size, size_t count, size_t record,
				size_t length) MUST_CHECK;

/* conductor_segments.c */

/* Takes the elements, of which there are some, into the segment, and puts their results at their places. Numbers of
 * the lane's type, and exact decimals. */
enum status segment_scan(const struct run_scan *r) MUST_CHECK;
/* Takes in as many whole segments of plan->reset_every elements as there are in the next count, if they need no
 * cursor: none is longer than a tile. The segment has just begun; it becomes the last of them. *taken becomes the
 * number of elements, if it is not 0. (r->count does not count.) */
enum status segment_scan_whole(const struct run_scan *r, size_t count, size_t *taken) MUST_CHECK;

/* Takes in as many whole segments as a row's short_segments does of count elements whose numbers are in begun. The
 * present one has no element yet; its last result becomes that of the last of them. Returns how many elements these
 * are. (r->count does not count.) */
size_t segment_scan_short(const struct run_scan *r, const uint32_t *begun, size_t count);

/* The results of the run's records, which take no part. */
enum status segment_hold(const struct run_scan *r) MUST_CHECK;

/* conductor_change.c */

/* The segment goes on so that it can take in d, the run's element i, or 0 if that is missing, as the conductor's rows
 * change elsewhere. overflowed: the result does not fit. *ends: it cannot, and the stream ends there. */
enum status segment_change(const struct run_scan *r, size_t i, const struct decimal *d, bool overflowed,
			   bool *ends) MUST_CHECK;

/* conductor_decimals.c */

/* segment_scan for exact decimals. */
enum status segment_scan_decimals(const struct run_scan *r) MUST_CHECK;
/* Brings the elements of exact decimals that are to be scanned next to work->uniform, if they all have 64 bits and the
 * same decimals, and the lane's results are such that this is enough. */
bool segment_gather_uniform(const struct run_scan *all, enum status *status);
/* Takes in elements of one segment that were brought there, from first on. False: the segment is none of such, or a
 * result does not fit: nothing is changed. */
bool segment_scan_uniform(const struct run_scan *r, size_t first);
/* segment_scan_short of such elements, from first on. */
size_t segment_scan_short_uniform(const struct run_scan *r, const uint32_t *begun, size_t first, size_t count);

/* conductor_programs.c */

/* Notes elements of a segment of a program's, to be scanned with those of others. */
enum status segment_note(const struct run_scan *r) MUST_CHECK;
/* The run's segment ended before it: *place is that of its last result in k->ended_last, as soon as what was noted is
 * scanned. */
enum status segment_note_end(const struct run_scan *r, size_t *place) MUST_CHECK;
/* Tries count elements that the run takes in, which end before an element whose triple is not associative
 * (conductor_associative.c). */
enum status segment_try_triples(const struct run_scan *r, const unsigned char *elements, size_t count) MUST_CHECK;
/* Scans what was noted of a lane, if it is much, or all; not in the midst of a key's elements. */
enum status segment_scan_noted(struct conductor *c, size_t lane, bool all) MUST_CHECK;

/* conductor_windows.c */

/* What is scanned for the lane's windows: of results that are elements as they were written, where these are. */
struct plan_lane key_scans_window_lane(const struct plan_lane *lane);
/* Whether results are indices, among which elements without a part count that a window knows nothing of. */
bool key_scans_keep_indices(const struct plan *plan, const struct plan_lane *lane);
/* Whether there is memory for the lane's window, if it has but one. */
enum status key_scans_try_window(const struct conductor *c, const struct lane *l) MUST_CHECK;
/* Takes count elements into the segment's window. *bad: the first that does not fit, before
 * which all are taken in, or SIZE_MAX. */
enum status segment_push_window(const struct run_scan *r, const void *in, size_t count, void *out,
				size_t *bad) MUST_CHECK;
/* The run's records have no number: each takes its place in the segment's window. Of an exclusive lane what is left in
 * the window is what comes next. */
enum status segment_pass_window(const struct run_scan *r, size_t i) MUST_CHECK;
/* Takes count records without a number into the segment's window, of which no result is asked. */
enum status segment_pass_places(const struct run_scan *r, uint64_t count) MUST_CHECK;
/* Makes the results in work->out of the run's elements, count of them, which were taken in last, indices among all of
 * the segment's. */
void segment_find_window_indices(const struct run_scan *r, size_t count);
/* Makes the results, in work->in, of the run's elements first on, count of them, which were taken in last, and their
 * forms. */
void segment_find_places(const struct run_scan *r, size_t first, size_t count, const unsigned char *indices,
			 unsigned char *forms);

#endif
