/* The state of the scan, and the functions that the conductor's own files share. Only files of src/scanner include
 * this.
 *
 * A function that returns a status has printed a message unless the status is STATUS_OK. The conductor_flights
 * functions return STATUS_DEVICE only if the user named the device. If any other device fails, they let the host take
 * over. The other functions return STATUS_DEVICE for any device. */
#ifndef PSCAN_SCANNER_CONDUCTOR_PRIVATE_H
#define PSCAN_SCANNER_CONDUCTOR_PRIVATE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "scanner/conductor.h"
#include "scanner/segment.h"

struct run_scan; /* scanner/key_scans.h */

/* A chunk under way. */
struct flight {
	struct slot *slot;
	bool by_engine; /* The engine works on the chunk: the chunk has tiles, or its scan is sequential. */
	bool totals_known; /* The fold need not wait for the engine. */
	bool folded; /* The chunk is folded into the cursors, or the engine folds it. */
	bool is_away; /* The engine folds the chunk, and the cursors after the chunk have not come back yet. */
};

/* The conductor. More than 24 fields: they are what all lanes and the engine need between chunks. */
struct conductor {
	const struct plan *plan; /* This and the next four as in struct conductor_start. */
	conductor_deliver *deliver;
	void *context;
	size_t channel_count;
	const struct pool *keys_pool;
	struct engine *engine; /* The engine that has the stream: `host` or `device`. */
	struct engine *host; /* The engine that takes over if the device fails. NULL: none may take over. Owned. */
	struct engine *device; /* The engine of the device, even if it does not have the stream. NULL: none. Owned. */
	struct engine *offered; /* The engine that takes the stream next. NULL: the stream stays with `engine`. */
	bool named; /* The user named the device, so its failure ends the run. */
	struct lane *lanes; /* The plan's lanes. Owned. */
	size_t lane_count; /* Lanes that have begun. */
	struct key_scans *keys; /* The lanes' segments, of all keys. Owned. */
	atomic_bool *are_floats; /* The array that conductor_are_floats returns: an entry for each lane. Owned. */
	struct result *initial; /* The lanes' plan->result_count initial results, from seeds or identities. Owned. */
	struct result *last; /* The results of all lanes in the total that is written next. Owned. */
	struct slot_emit *emit; /* Evaluates --emit for totals. NULL unless plan->emit.is_late. Owned. */
	/* Evaluates --emit for each element. Its inputs are enum emit_input. NULL unless plan->emit.is_by_element, and
	 * NULL while part.finds is set. Owned. */
	struct exact_evaluator *emit_each;
	/* The initial results, if any, were given to a chunk, or were written by an earlier run or part. A chunk
	 * without records whose file ends within the header does not get them: the header goes on in a later file. */
	bool started;
	bool done; /* The last chunk was delivered. */
	uint64_t line_base; /* Lines of the present file in the delivered chunks. */
	uint64_t record_base; /* The next chunk's record_base (struct slot_scan). */
	/* The part that conductor_new was given. After conductor_new only `gathered`, is_part, `finds` and `found` are
	 * used. */
	struct scan_part part;
	struct bytes expected; /* Memory of conductor_verify. */
	size_t flight_count; /* Chunks under way. */
	struct flight flights[]; /* The chunks under way, oldest first. Room for channel_count. */
};

/* The column that a lane scans. */
static inline const struct slot_column *conductor_column(const struct slot *s, const struct slot_lane *l)
{
	return &s->columns[l->column];
}

/* Returns the number of elements from element `count` to the next edge of a tile. 0 if that element begins a tile. */
static inline size_t conductor_to_edge(uint64_t count)
{
	return (GRID_TILE - (size_t)(count % GRID_TILE)) % GRID_TILE;
}

/* Bytes from one result of a lane to the next. */
static inline size_t conductor_result_step(const struct row *row, const struct slot_lane *l)
{
	return l->step > 0 ? l->step : row->results.size;
}

/* Puts g's last result before the results of a slot whose elements g, the lane's only scan, has not taken in yet. If
 * results are exclusive, it becomes the slot's first one. row: the row of the results. */
static inline void conductor_put_before(const struct lane *l, struct segment *g, const struct row *row,
					struct slot_lane *to)
{
	const size_t step = conductor_result_step(row, to);
	memcpy(to->results - step, segment_last(l, g), row->results.size);
	if (l->plan->moves_results)
		to->results -= step;
}

/* conductor_lanes.c */

/* Returns the format that result k of an element has in the lane's present row. */
struct result_format conductor_format(const struct conductor *c, size_t lane, size_t k);
/* Returns the row that scans a lane's elements if the elements are read as `reading` says. */
struct row conductor_find_row(const struct plan *plan, const struct plan_lane *lane,
			      const struct element_format *reading);
/* Prepares c->engine for the lane's row. If the row is a program's row of exact decimals, prepares the engine for the
 * program's row of f64 instead: the scan goes on in f64 where exactness ends. STATUS_USAGE, STATUS_DEVICE or
 * STATUS_SYSTEM, as set_row of struct engine_class. */
enum status conductor_set_row(const struct conductor *c, size_t lane) MUST_CHECK;
/* Calls conductor_set_row for each lane, up to the first failure, which is returned. */
enum status conductor_set_rows(const struct conductor *c) MUST_CHECK;
/* Copies the problem with which decoding stopped to the slot's scan.problem. For binary input the problem then names
 * the element after those that were accepted. Does nothing if decoding has not failed. */
void conductor_copy_problem(const struct conductor *c, struct slot *s);
/* Call it for a result that the lane does not have. Returns true if the result is absent in the output. In binary
 * output of floats no result is absent: returns false, and *result, packed as the row's results are, becomes NaNs. */
bool conductor_result_is_absent(const struct conductor *c, const struct lane *l, void *result);
/* Whether the lane's result of `numbers` numbers (operator_lacks_result) is absent in the output. In binary output of
 * floats *result becomes NaNs instead. */
bool conductor_lacks_result(const struct conductor *c, const struct lane *l, uint64_t numbers, void *result);
/* Returns the number, in the slot's file from 1, of the record that is scanned as number `record` (from 0) of the slot.
 * is_before: of the record that is scanned before this one. For reversed text the number is of no use. */
uint64_t conductor_number(const struct conductor *c, const struct slot *s, const struct lane *l, size_t record,
			  bool is_before);
/* Returns the number of the field that has the lane's elements, from 1. If an element has several fields, of the first
 * one. */
uint64_t conductor_field_number(const struct conductor *c, const struct slot *s, const struct lane *l);

/* conductor_load.c */

/* Restores what conductor_save saved. Call it once, after conductor_keys_begin, while the table of keys is empty.
 * *saved is only read. STATUS_USAGE if `saved` is not the state of such a scan. STATUS_SYSTEM if memory is missing.
 * After a failure *c may be partly restored. */
enum status conductor_load(struct conductor *c, const struct unpack *saved) MUST_CHECK;

/* conductor_join.c */

/* Joins two parts of a stream: *c has the state after the first part, and afterwards the state after both. next: the
 * state after the second part, saved by conductor_save, of a scan that began with that part and without a seed. Keys
 * that only the second part has get the next numbers. Initial results then count as written. Call it only if
 * conductor_joins(plan), after conductor_keys_begin, conductor_load if there is a saved state, and
 * conductor_keys_begin_first. *exact becomes whether the parts could be joined exactly. If false, or after a failure,
 * the segments of *c are undefined: only end *c. STATUS_USAGE if the state is damaged or of another plan. STATUS_SYSTEM
 * if memory is missing. After a failure *exact is undefined. */
enum status conductor_join(struct conductor *c, const struct unpack *next, bool *exact) MUST_CHECK;

/* conductor_seed.c */

/* Begins the lane c->lanes[lane]: sets its row, its seed and its initial results, prepares c->engine for the row, and
 * reserves room for the lane's segment in the keys' blocks. Call it for the lanes in order. The caller ends the lane
 * with conductor_free_lane, also after a failure. STATUS_USAGE if the seed or --reset-at is not a value of its type, or
 * a program does not compile. STATUS_DATA if an initial result is needed and the expression has no value for it.
 * STATUS_DEVICE or STATUS_SYSTEM as for conductor_new. */
enum status conductor_begin_lane(struct conductor *c, size_t lane) MUST_CHECK;
/* Frees what the lane owns. */
void conductor_free_lane(struct lane *l);

/* conductor_accept.c */

/* Accepts the slot of the oldest flight: the slot's results become the stream's next results. If c->keys->work.misfit
 * has a record, the slot is cut off before that record, and its scan.problem becomes the misfit; otherwise scan.problem
 * becomes the decoding problem, if there is one. Counts the slot's records and elements. Appends the totals of segments
 * that ended in the slot to write.out. (After conductor_gather the slot has no results.) STATUS_SYSTEM if memory is
 * missing. */
enum status conductor_accept(struct conductor *c, struct slot *s) MUST_CHECK;
/* Notes that the lane's only scan took in `count` (at least 1) elements. results: the last element's inclusive results,
 * packed, which are copied. If the operator lacks them (conductor_lacks_result), the last result becomes absent, or
 * *results become NaNs. */
void conductor_note_last(struct conductor *c, size_t lane, void *results, uint64_t count);

/* conductor_fold.c */

/* Scans `count` elements of the row's type with the lane's cursor, and writes their inclusive results to `out` (room
 * for `count`). *first_bad becomes the index of the first element that does not fit, or SIZE_MAX. For a program,
 * `count` must be less than a tile. STATUS_DEVICE or STATUS_SYSTEM. */
enum status conductor_push(struct conductor *c, size_t lane, const void *in, size_t count, void *out,
			   size_t *first_bad) MUST_CHECK;

/* Scans the slot's elements first .. first + count - 1 of a lane, fewer than a tile, with the lane's cursor, and writes
 * their results to the slot. count 0: does nothing. If an element does not fit, and the lane's `bad` in the slot is
 * SIZE_MAX, sets `bad` to that element's index. STATUS_DEVICE or STATUS_SYSTEM. */
enum status conductor_push_part(struct conductor *c, struct slot *s, size_t lane, size_t first,
				size_t count) MUST_CHECK;

/* For plan->by_cursors: scans the slot's records first .. first + count - 1 with the cursors of all lanes, and writes
 * their results to the slot. Sets the slot's `bad` of each lane: the first record whose element does not fit, counted
 * from `first`, or SIZE_MAX. STATUS_SYSTEM if memory is missing. */
enum status conductor_push_records(struct conductor *c, struct slot *s, size_t first, size_t count) MUST_CHECK;

/* Folds the totals of `count` (at least 1) tiles into the lane's cursor, which must be at a tile's edge. Writes the
 * carry-in of each tile to `carry_ins`, row_tile_size bytes a tile. *has_carry becomes whether the first tile has a
 * carry-in. *bad_tile becomes the first tile after which the carry has no value, or SIZE_MAX. STATUS_DEVICE or
 * STATUS_SYSTEM; the outputs are then undefined. */
enum status conductor_fold_totals(struct conductor *c, size_t lane, const unsigned char *totals, size_t count,
				  unsigned char *carry_ins, bool *has_carry, size_t *bad_tile) MUST_CHECK;

/* Folds a lane's elements in the slot into the lane's cursor: whole tiles by their totals, which must be known, and the
 * other elements one by one, whose results are then in the slot. Keeps the cursor before the slot in the slot. Sets the
 * slot's `bad` for the lane, and prepares the lane's work for the down-sweep. STATUS_DEVICE or STATUS_SYSTEM. */
enum status conductor_fold_lane(struct conductor *c, struct slot *s, size_t lane) MUST_CHECK;

/* conductor_gather.c */

/* Continues the lanes' scans over the elements of *before, without results: before->lanes has the totals of all tiles,
 * and before->ends, if not NULL, the elements around them. Afterwards the cursors are those after these elements. The
 * last results are those of the tail, if before->ends has one, and otherwise stay. STATUS_DEVICE or STATUS_SYSTEM. */
enum status conductor_fold_before(struct conductor *c, const struct tile_totals *before) MUST_CHECK;
/* Begins to gather the totals of tiles (c->part.gathered). Each lane begins without a seed, at the place on the grid
 * that c->part.gathered says. */
void conductor_gather_begin(struct conductor *c);
/* Appends the totals of the flight's tiles, and the elements around them, to c->part.gathered, as far as they are
 * wanted. Call it when the flight's totals are known. Afterwards the flight counts as folded, and has no results.
 * STATUS_DEVICE or STATUS_SYSTEM. */
enum status conductor_gather(struct conductor *c, struct flight *f) MUST_CHECK;

/* conductor_flights.c */

/* Allocates the results of the flight's slot and begins the up-sweep of its elements. The flight must be the last of
 * c->flights. */
enum status conductor_flights_begin(struct conductor *c, struct flight *f) MUST_CHECK;
/* Folds the first `count` flights into the cursors, in order, and begins the down-sweep of each. Flights that are
 * folded already stay as they are. Stops early, with STATUS_OK, before a flight if the previous flight is_away; and,
 * unless `waits`, before a flight whose totals are not known yet. If a device fails that the user did not name, the
 * host takes over, and all flights are folded again, from the oldest one on. */
enum status conductor_flights_fold(struct conductor *c, size_t count, bool waits) MUST_CHECK;
/* Ends the engine's work on the flight, whose results are lost. If the device does not answer, the slot gets new memory
 * (slot_abandon_results). Does nothing for a flight that the engine does not work on. */
void conductor_flights_cancel(struct conductor *c, const struct flight *f);
/* Folds the oldest flight, if it is not folded, and waits for its results. The flight stays the oldest. Afterwards
 * `bad` of each of the slot's lanes is the lane's first element that does not fit, or SIZE_MAX. For segmented plans
 * `bad` is not set: see c->keys->work.misfit. */
enum status conductor_flights_await(struct conductor *c) MUST_CHECK;

/* conductor_keys.c */

/* Makes c->keys, begins all lanes (conductor_begin_lane) and makes an empty table of keys. Fails as
 * conductor_begin_lane does; the caller calls conductor_keys_free in any case. */
enum status conductor_keys_begin(struct conductor *c) MUST_CHECK;
/* Frees c->keys and all segments. Call it before conductor_free_lane. If c->keys is NULL, does nothing. */
void conductor_keys_free(const struct conductor *c);
/* Call it after conductor_keys_begin and conductor_load.
 *   Each lane has one scan (plan_is_one_scan)   begins the scans, unless they were loaded, and sets the lanes' `only`,
 *                                               `cursor` and `submitted`.
 *   Resets without keys, and the part begins    begins the part's first segment. With --reset-every the segment counts
 *   inside the stream (part->place, no `saved`) the elements that it has before the part.
 *   Otherwise                                   does nothing.
 * STATUS_SYSTEM if memory is missing. */
enum status conductor_keys_begin_first(struct conductor *c, const struct scan_part *part) MUST_CHECK;
/* Scans a slot's records with the scans of their keys, and writes each result at the place of its element. The lines of
 * totals of segments that ended are then in c->keys->lines. A result or text that does not fit is not an error here:
 * STATUS_OK, and c->keys->work.misfit has the earliest one. STATUS_DEVICE or STATUS_SYSTEM. */
enum status conductor_keys_scan(struct conductor *c, struct slot *s) MUST_CHECK;
/* key_totals.c */

/* Appends the total of each key's last segment to the slot's write.out: the key, the reset fields and the last results.
 * Segments without a total (segment_has_total) are left out, except the only scan of a stream. In binary output an
 * absent float is written as a NaN; at an absent integer the totals end, and the slot's scan.problem has the error. In
 * binary output of text there are no keys and fields. STATUS_SYSTEM if memory is missing. */
enum status key_totals_write(struct conductor *c, struct slot *s) MUST_CHECK;

/* emit_totals.c */

/* Returns the total of the lane's only scan if the stream is read for the second time (c->part.found). Otherwise
 * returns NULL. Borrowed. */
const void *conductor_total(const struct conductor *c, size_t lane);
/* Adds the totals of the lane's segments that ended in the slot, which segment_end_total has noted, to c->part.finds.
 * Call it when all elements of the lane in the slot are scanned. STATUS_SYSTEM as for last_results_add. */
enum status conductor_add_ended_totals(struct conductor *c, size_t lane) MUST_CHECK;

/* conductor_associative.c */

/* Tests whether the program is associative on the run's next `count` elements. Ends the
 * stream before the record of the first element that fails the test. */
enum status segment_try_triples(const struct run_scan *r, const unsigned char *elements, size_t count) MUST_CHECK;
/* Sets the lane's hint, if there may be a warning about the lane's program. STATUS_SYSTEM after a message if memory is
 * missing. */
enum status lane_begin_hint(const struct conductor *c, struct lane *l) MUST_CHECK;
/* Warns once if the program is not associative on the run's next `count` elements. Tries only the first elements of one
 * scan: of the first scan that has three elements. before: how many numbers of the run's scan come before the `count`
 * elements. Call it only if lane_tries is true. */
enum status segment_hint_triples(const struct run_scan *r, uint64_t before, const unsigned char *elements,
				 size_t count) MUST_CHECK;

/* conductor_verify.c */

/* Scans the tiles of a finished flight on the host again, and compares totals and results (up to the first element that
 * does not fit). If the engine folded the tiles, the host folds them into the cursors instead, and the flight is no
 * longer is_away. STATUS_DEVICE after a message if something differs. STATUS_SYSTEM if memory is missing. */
enum status conductor_verify(struct conductor *c, struct flight *f) MUST_CHECK;

#endif
