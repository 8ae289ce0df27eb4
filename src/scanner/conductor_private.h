/* The state of the scan, and what the conductor's own files (conductor*.c, key_numbers.c, segment*.c) do with it for
 * one another. Only they include this.
 *
 * Functions that return a status have printed a message if it is not STATUS_OK. STATUS_DEVICE comes only from a device
 * that the user named: from any other one the host takes over. */
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
	bool by_engine; /* it has tiles, or a sequential scan */
	bool totals_known; /* nothing to wait for before the fold */
	bool folded;
	bool is_away; /* the engine folds it: the cursor after it has not come back yet */
};

/* The conductor. More than 24 fields: it has what all lanes and the engine need between chunks. */
struct conductor {
	const struct plan *plan;
	conductor_deliver *deliver;
	void *context;
	size_t channel_count;
	const struct pool *keys_pool; /* Borrowed, or NULL. */
	struct engine *engine; /* that has the stream */
	struct engine *host; /* that takes over from a device which fails; NULL if that must not be */
	struct engine *device; /* the one with a device, whether it has the stream or had it */
	struct engine *offered; /* to take the stream next, or NULL */
	bool named;
	struct lane *lanes; /* the plan's */
	size_t lane_count;
	struct key_scans *keys; /* The lanes' segments, of all keys. */
	atomic_bool *are_floats; /* one a lane: conductor_are_floats's */
	struct result *initial; /* of each lane's results: the seed's or the identity */
	struct result *last; /* The lanes' results in the total that is written next. */
	struct slot_emit *emit; /* For totals, with plan->emit. Owned. */
	struct exact_evaluator *emit_each; /* With plan->emit.is_by_element. Its inputs: enum emit_input. Owned. */
	bool started; /* a chunk was finished */
	bool done; /* the last chunk was delivered */
	uint64_t line_base;
	uint64_t record_base; /* the next chunk's (struct slot) */
	/* conductor_start's. Of it only `gathered`, is_part, `finds` and `found` are used later. */
	struct scan_part part;
	struct bytes expected; /* conductor_verify's */
	/* Chunks under way, oldest first. */
	size_t flight_count;
	struct flight flights[];
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

/* The format in the lane's present row of result k of an element. */
struct result_format conductor_format(const struct conductor *c, size_t lane, size_t k);
/* Returns the row that scans a lane's elements when these are read as `reading` says. */
struct row conductor_find_row(const struct plan *plan, const struct plan_lane *lane,
			      const struct element_format *reading);
/* Specialises the engine that has the stream for a lane's row. If that is a program's of exact decimals, it is
 * specialised for the one of f64, with which the scan goes on where exactness ends. */
enum status conductor_set_row(const struct conductor *c, size_t lane) MUST_CHECK;
/* Specialises it for all lanes' rows. */
enum status conductor_set_rows(const struct conductor *c) MUST_CHECK;
/* Makes a decoding problem the slot's problem (scan.problem). For binary input the message then names the element after
 * those that were accepted. Does nothing if decoding has not failed. */
void conductor_take_problem(const struct conductor *c, struct slot *s);
/* Call it for a result that the lane does not have. Returns whether it is absent in the output. In binary output of
 * floats it is not: *result, packed, then becomes NaNs. */
bool conductor_result_is_absent(const struct conductor *c, const struct lane *l, void *result);
/* Returns the number, in the slot's file, of the record that is scanned as number `record` (from 0) of the slot;
 * is_before: of the record that is scanned before it. In reversed text only the slot's records are counted. */
uint64_t conductor_number(const struct conductor *c, const struct slot *s, const struct lane *l, size_t record,
			  bool is_before);
/* The number of a lane's field, or of its first one. */
uint64_t conductor_field_number(const struct conductor *c, const struct slot *s, const struct lane *l);

/* conductor_load.c */

/* Restores what conductor_save saved. The lanes, and keys, must be begun. After a message: STATUS_USAGE if `saved` is
 * not the state of such a scan, STATUS_SYSTEM if memory is missing; *c may then be partly restored. */
enum status conductor_load(struct conductor *c, const struct unpack *saved) MUST_CHECK;

/* conductor_join.c */

/* Joins a state that conductor_save made of the part of a stream that follows, whose scan began without a seed. Only if
 * conductor_joins(plan). *exact becomes whether an exact result was possible; if not, the conductor is not to be used.
 * STATUS_USAGE after a message if the state is damaged or of another plan, STATUS_SYSTEM if memory is missing; *exact
 * is then undefined. */
enum status conductor_join(struct conductor *c, const struct unpack *next, bool *exact) MUST_CHECK;

/* conductor_seed.c */

/* Begins the lane c->lanes[lane]: sets its row, its seed and its initial result, and reserves room for its segment in
 * the keys' blocks. STATUS_USAGE after a message if the seed or --reset-at is not a value of its type. The caller ends
 * the lane with conductor_free_lane, also after a failure. */
enum status conductor_begin_lane(struct conductor *c, size_t lane) MUST_CHECK;
void conductor_free_lane(struct lane *l);

/* conductor_accept.c */

/* Accepts the slot of the oldest flight: its results, up to the misfit if there is one, become the stream's next
 * results. (After conductor_gather it has none.) Counts its records and elements, and takes over a decoding problem.
 * STATUS_SYSTEM after a message if memory is missing. */
enum status conductor_accept(struct conductor *c, struct slot *s) MUST_CHECK;
/* Notes that the lane's only scan took in `count` (at least 1) elements. results: the inclusive results of the last of
 * them. If that is also the scan's first element, and the operator has no result for it, the last result is absent. */
void conductor_take_last(struct conductor *c, size_t lane, const void *results, uint64_t count);
/* conductor_push.c */

/* Scans `count` elements with the lane's cursor; out: room for their results. *first_bad becomes what row_code's push
 * returns. For a program, `count` is less than a tile. STATUS_DEVICE or STATUS_SYSTEM after a message. */
enum status conductor_push(struct conductor *c, size_t lane, const void *in, size_t count, void *out,
			   size_t *first_bad) MUST_CHECK;

/* Scans the slot's elements first .. first + count - 1 of a lane, which are not whole tiles, with the lane's cursor. (A
 * device may read them at the same time.) */
enum status conductor_push_part(struct conductor *c, struct slot *s, size_t lane, size_t first,
				size_t count) MUST_CHECK;

/* For plan->by_cursors: scans the slot's records first .. first + count - 1 with the cursors of all lanes, and writes
 * their results to the slot's lanes. Sets `bad` of each of the slot's lanes: the first record that does not fit,
 * counted from `first`, or SIZE_MAX. STATUS_SYSTEM after a message if memory is missing. */
enum status conductor_push_records(struct conductor *c, struct slot *s, size_t first, size_t count) MUST_CHECK;

/* Folds the totals of `count` tiles into the lane's cursor. carry_ins: room for one state a tile; they become the
 * tiles' carry-ins. *has_carry: whether the first tile has one. *bad_tile: the first tile after which the carry has no
 * value, or SIZE_MAX. */
enum status conductor_fold_totals(struct conductor *c, size_t lane, const unsigned char *totals, size_t count,
				  unsigned char *carry_ins, bool *has_carry, size_t *bad_tile) MUST_CHECK;

/* Folds the slot's tile totals of a lane, which must be known, and its elements outside whole tiles into the lane's
 * cursor. STATUS_DEVICE, STATUS_SYSTEM. */
enum status conductor_fold_lane(struct conductor *c, struct slot *s, size_t lane) MUST_CHECK;

/* conductor_gather.c */

/* Continues the lanes' scans over the elements of *before, without results: afterwards each cursor is the one after
 * these elements. (Their last results are not known.) STATUS_SYSTEM after a message if memory is missing. */
enum status conductor_fold_before(struct conductor *c, const struct tile_totals *before) MUST_CHECK;
/* Begins to gather the totals of tiles (c->part.gathered). Each lane begins without a seed, at its place on the
 * grid. */
void conductor_gather_begin(struct conductor *c);
/* Gathers the totals of the flight's tiles. Call it when the flight's up-sweep is over. The flight then counts as
 * folded, and has no results. STATUS_SYSTEM after a message if memory is missing. */
enum status conductor_gather(struct conductor *c, struct flight *f) MUST_CHECK;

/* conductor_device.c */

/* Begins the up-sweep of the decoded elements in the flight's slot. The flight must be the last of c->flights.
 * STATUS_SYSTEM after a message if memory is missing. */
enum status conductor_flights_begin(struct conductor *c, struct flight *f) MUST_CHECK;
/* Folds the first `count` flights, in order, unless they are folded: waits for their totals, or ends at the first
 * flight for which it would have to wait; folds them into the cursors, and begins their down-sweeps. Ends before a
 * flight that comes after one whose cursor has not come back. */
enum status conductor_flights_fold(struct conductor *c, size_t count, bool waits) MUST_CHECK;
/* Ends the device's work on the flight. The slot's results are no longer used. */
void conductor_flights_cancel(struct conductor *c, const struct flight *f);
/* Waits for the results of the oldest flight, and folds it first if needed. It stays the oldest. On STATUS_OK sets each
 * lane's bad: the first of its elements that does not fit, or SIZE_MAX. */
enum status conductor_flights_await(struct conductor *c) MUST_CHECK;

/* conductor_keys.c */

/* Begins the lanes, and a table without keys. */
enum status conductor_keys_begin(struct conductor *c) MUST_CHECK;
void conductor_keys_free(const struct conductor *c);
/* Begins the only scan of each lane, unless it was loaded, and sets the lanes' `only` and `cursor`. If lanes have
 * several scans, begins the first segment of a part that begins at a place (without keys): only the elements before it
 * are known, where segments begin by count. */
enum status conductor_keys_begin_first(struct conductor *c, const struct scan_part *part) MUST_CHECK;
/* Scans a slot's records, each with the scan of its key, and writes each result at its element's place. A result that
 * does not fit is set in the work's misfit and is not an error here. STATUS_SYSTEM if memory is missing. */
enum status conductor_keys_scan(struct conductor *c, struct slot *s) MUST_CHECK;
/* Appends a line for each key, with the key and its last results, to the slot's write.out. In binary output an absent
 * float is a NaN, and an absent integer an error, which becomes the slot's problem. */
enum status key_totals_write(struct conductor *c, struct slot *s) MUST_CHECK;

/* emit_totals.c */

/* Returns the total of the lane's only scan, if the stream is read for the second time; otherwise NULL. */
const void *conductor_total(const struct conductor *c, size_t lane);
/* Adds the totals of the segments that ended in the slot (segment_end_total) to c->part.finds. Call it when all
 * elements of the lane are scanned. */
enum status conductor_take_ended_totals(struct conductor *c, size_t lane) MUST_CHECK;

/* conductor_verify.c */

/* Scans the tiles of a finished flight on the host again. If the engine folded them, folds them into the cursors.
 * STATUS_DEVICE after a message if the device's results or totals differ. */
enum status conductor_verify(struct conductor *c, struct flight *f) MUST_CHECK;

#endif
