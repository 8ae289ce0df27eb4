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
	const struct plan *plan;
	conductor_deliver *deliver;
	void *context;
	size_t channel_count;
	const struct pool *keys_pool; /* Borrowed, or NULL. */
	struct engine *engine; /* The engine that has the stream: `host` or `device`. */
	struct engine *host; /* The engine that takes over if the device fails. NULL: none may take over. Owned. */
	struct engine *device; /* The engine of the device, even if it does not have the stream. NULL: none. Owned. */
	struct engine *offered; /* The engine that takes the stream next. NULL: the stream stays with `engine`. */
	bool named; /* The user named the device, so its failure ends the run. */
	struct lane *lanes; /* The plan's lanes. Owned. */
	size_t lane_count; /* Lanes that have begun. */
	struct key_scans *keys; /* The lanes' segments, of all keys. */
	atomic_bool *are_floats; /* The array that conductor_are_floats returns: an entry for each lane. Owned. */
	struct result *initial; /* The lanes' plan->result_count initial results, from seeds or identities. Owned. */
	struct result *last; /* The results of all lanes in the total that is written next. Owned. */
	struct slot_emit *emit; /* Evaluates --emit for totals. NULL unless plan->emit.is_late. Owned. */
	/* Evaluates --emit for each element. Its inputs are enum emit_input. NULL unless plan->emit.is_by_element, and
	 * NULL while part.finds is set. Owned. */
	struct exact_evaluator *emit_each;
	bool started; /* A chunk was finished, or an earlier run has written the initial results. */
	bool done; /* The last chunk was delivered. */
	uint64_t line_base; /* Lines of the file before the next chunk that is finished. */
	uint64_t record_base; /* The next chunk's record_base (struct slot_scan). */
	/* The part that conductor_new was given. After conductor_new only `gathered`, is_part, `finds` and `found` are
	 * used. */
	struct scan_part part;
	struct bytes expected; /* Memory of conductor_verify. */
	size_t flight_count; /* Chunks under way. */
	struct flight flights[]; /* The chunks under way, oldest first. */
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

/* conductor_lanes.c */

/* Returns the format that result k of an element has in the lane's present row. */
struct result_format conductor_format(const struct conductor *c, size_t lane, size_t k);
/* Returns the row that scans a lane's elements when these are read as `reading` says. */
struct row conductor_find_row(const struct plan *plan, const struct plan_lane *lane,
			      const struct element_format *reading);
/* Prepares c->engine for the lane's row. If the row is a program's row of exact decimals, prepares the engine for the
 * program's row of f64: the scan goes on in f64 where exactness ends. */
enum status conductor_set_row(const struct conductor *c, size_t lane) MUST_CHECK;
/* Calls conductor_set_row for all lanes. */
enum status conductor_set_rows(const struct conductor *c) MUST_CHECK;
/* Makes a decoding problem the slot's problem (scan.problem). For binary input the message then names the element after
 * those that were accepted. Does nothing if decoding has not failed. */
void conductor_take_problem(const struct conductor *c, struct slot *s);
/* Call it for a result that the lane does not have. Returns whether the result is absent in the output. In binary
 * output of floats a result is never absent: *result, which is packed, then becomes NaNs. */
bool conductor_result_is_absent(const struct conductor *c, const struct lane *l, void *result);
/* Returns a record's number in the slot's file. The record is the one that is scanned as number `record` (from 0) of
 * the slot. is_before: it is the record that is scanned before that one. In reversed text only the slot's records are
 * counted. */
uint64_t conductor_number(const struct conductor *c, const struct slot *s, const struct lane *l, size_t record,
			  bool is_before);
/* Returns the number of the lane's field, or of its first field. */
uint64_t conductor_field_number(const struct conductor *c, const struct slot *s, const struct lane *l);

/* conductor_load.c */

/* Restores what conductor_save saved. Call it after conductor_keys_begin. STATUS_USAGE after a message if `saved` is
 * not the state of such a scan. STATUS_SYSTEM after a message if memory is missing. After a failure *c may be partly
 * restored. */
enum status conductor_load(struct conductor *c, const struct unpack *saved) MUST_CHECK;

/* conductor_join.c */

/* Joins the state of the part of the stream that follows. conductor_save made this state, of a scan that began without
 * a seed. Call it only if conductor_joins(plan). *exact becomes whether an exact result was possible. If it was not, do
 * not use the conductor any more. STATUS_USAGE after a message if the state is damaged or of another plan.
 * STATUS_SYSTEM after a message if memory is missing. After a failure *exact is undefined. */
enum status conductor_join(struct conductor *c, const struct unpack *next, bool *exact) MUST_CHECK;

/* conductor_seed.c */

/* Begins the lane c->lanes[lane]: sets its row, its seed and its initial result, and reserves room for its segment in
 * the keys' blocks. STATUS_USAGE after a message if the seed or --reset-at is not a value of its type. The caller ends
 * the lane with conductor_free_lane, also after a failure. */
enum status conductor_begin_lane(struct conductor *c, size_t lane) MUST_CHECK;
void conductor_free_lane(struct lane *l);

/* conductor_accept.c */

/* Accepts the slot of the oldest flight: the slot's results become the stream's next results. If there is a misfit,
 * only the results before the misfit do. (After conductor_gather the slot has no results.) Counts the slot's records
 * and elements, and takes over its decoding problem. STATUS_SYSTEM after a message if memory is missing. */
enum status conductor_accept(struct conductor *c, struct slot *s) MUST_CHECK;
/* Notes that the lane's only scan took in `count` (at least 1) elements. results: the inclusive results of the last
 * element. The last result becomes absent if the last element is also the scan's first element, and the operator has no
 * result for a first element. */
void conductor_take_last(struct conductor *c, size_t lane, const void *results, uint64_t count);

/* conductor_fold.c */

/* Scans `count` elements with the lane's cursor. out: room for their results. *first_bad becomes what row_code's push
 * returns. For a program, `count` is less than a tile. STATUS_DEVICE or STATUS_SYSTEM after a message. */
enum status conductor_push(struct conductor *c, size_t lane, const void *in, size_t count, void *out,
			   size_t *first_bad) MUST_CHECK;

/* Scans the slot's elements first .. first + count - 1 of a lane with the lane's cursor. These elements are not whole
 * tiles. (A device may read them at the same time.) Sets the slot's `bad` for the lane if an element does not fit and
 * `bad` is SIZE_MAX. */
enum status conductor_push_part(struct conductor *c, struct slot *s, size_t lane, size_t first,
				size_t count) MUST_CHECK;

/* For plan->by_cursors: scans the slot's records first .. first + count - 1 with the cursors of all lanes, and writes
 * their results to the slot's lanes. Sets `bad` of all the slot's lanes: the first record that does not fit, counted
 * from `first`, or SIZE_MAX. STATUS_SYSTEM after a message if memory is missing. */
enum status conductor_push_records(struct conductor *c, struct slot *s, size_t first, size_t count) MUST_CHECK;

/* Folds the totals of `count` tiles into the lane's cursor. carry_ins: room for the carry-in of each tile
 * (row_tile_size); becomes the tiles' carry-ins. *has_carry becomes whether the first tile has a carry-in. *bad_tile
 * becomes the first tile after which the carry has no value, or SIZE_MAX. */
enum status conductor_fold_totals(struct conductor *c, size_t lane, const unsigned char *totals, size_t count,
				  unsigned char *carry_ins, bool *has_carry, size_t *bad_tile) MUST_CHECK;

/* Folds a lane's elements in the slot into the lane's cursor: whole tiles by their totals, which must be known, and the
 * other elements one by one. Returns STATUS_DEVICE or STATUS_SYSTEM after a message. */
enum status conductor_fold_lane(struct conductor *c, struct slot *s, size_t lane) MUST_CHECK;

/* conductor_gather.c */

/* Continues the lanes' scans over the elements of *before, without results. Afterwards the cursors are those after
 * these elements. (The last results of these elements are not known.) STATUS_SYSTEM after a message if memory is
 * missing. */
enum status conductor_fold_before(struct conductor *c, const struct tile_totals *before) MUST_CHECK;
/* Begins to gather the totals of tiles (c->part.gathered). Each lane begins without a seed, at its place on the
 * grid. */
void conductor_gather_begin(struct conductor *c);
/* Gathers the totals of the flight's tiles. Call it when the flight's up-sweep is over. Afterwards the flight counts as
 * folded, and has no results. STATUS_SYSTEM after a message if memory is missing. */
enum status conductor_gather(struct conductor *c, struct flight *f) MUST_CHECK;

/* conductor_flights.c */

/* Begins the up-sweep of the decoded elements in the flight's slot. The flight must be the last of c->flights.
 * STATUS_SYSTEM after a message if memory is missing. */
enum status conductor_flights_begin(struct conductor *c, struct flight *f) MUST_CHECK;
/* Folds the first `count` flights, in order: folds their totals into the cursors, and begins their down-sweeps. Passes
 * over flights that are folded already. waits: waits for the totals of each flight. Otherwise stops before the first
 * flight for which it would have to wait. Also stops before a flight if the cursors after the previous flight have not
 * come back (is_away). */
enum status conductor_flights_fold(struct conductor *c, size_t count, bool waits) MUST_CHECK;
/* Ends the device's work on the flight. The slot's results are no longer used. */
void conductor_flights_cancel(struct conductor *c, const struct flight *f);
/* Waits for the results of the oldest flight. Folds the flight first if it is not folded. The flight stays the oldest.
 * Afterwards `bad` of the slot's lanes is final: if the engine found an earlier element that does not fit, `bad` is
 * lowered to that element. For segmented plans `bad` is not set (see c->keys->work.misfit). */
enum status conductor_flights_await(struct conductor *c) MUST_CHECK;

/* conductor_keys.c */

/* Begins the lanes, and an empty table of keys. */
enum status conductor_keys_begin(struct conductor *c) MUST_CHECK;
void conductor_keys_free(const struct conductor *c);
/* If lanes have one scan: begins the scans, unless they were loaded, and sets the lanes' `only` and `cursor`. If the
 * part begins inside the stream (part->place without `saved`) and there are no keys: begins the part's first segment,
 * which with --reset-every counts the elements before the part. Otherwise does nothing. */
enum status conductor_keys_begin_first(struct conductor *c, const struct scan_part *part) MUST_CHECK;
/* Scans a slot's records with the scans of their keys, and writes the results at the places of their elements. A result
 * that does not fit is not an error here: it is noted in c->keys->work.misfit. STATUS_DEVICE or STATUS_SYSTEM after a
 * message. */
enum status conductor_keys_scan(struct conductor *c, struct slot *s) MUST_CHECK;
/* Appends a line for each key to the slot's write.out, with the key and its last results. In binary output an absent
 * float is written as a NaN. An absent integer is an error there, which becomes the slot's problem. */
enum status key_totals_write(struct conductor *c, struct slot *s) MUST_CHECK;

/* emit_totals.c */

/* Returns the total of the lane's only scan if the stream is read for the second time. Otherwise returns NULL. */
const void *conductor_total(const struct conductor *c, size_t lane);
/* Adds the totals of the segments that ended in the slot (segment_end_total) to c->part.finds. Call it when all
 * elements of the lane are scanned. */
enum status conductor_take_ended_totals(struct conductor *c, size_t lane) MUST_CHECK;

/* conductor_verify.c */

/* Scans the tiles of a finished flight on the host again. If the engine folded the tiles, also folds them into the
 * cursors. STATUS_DEVICE after a message if the device's results or totals differ. */
enum status conductor_verify(struct conductor *c, struct flight *f) MUST_CHECK;

#endif
