/* The state of the scan, and what the conductor's own files (conductor*.c) do with it for one another. Nobody else
 * includes this.
 *
 * Functions that return a status have printed a message if it is not STATUS_OK. STATUS_DEVICE comes only from a device
 * that the user named: from any other one the host takes over. */
#ifndef PSCAN_STREAM_CONDUCTOR_STATE_H
#define PSCAN_STREAM_CONDUCTOR_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stream/conductor.h"

/* A chunk under way: its elements are head, whole tiles, tail; of a sequential scan they are none of these. */
struct flight {
	struct slot *slot;
	size_t head; /* elements up to a tile's edge */
	size_t tiles;
	size_t tail;
	bool by_engine; /* it has tiles, or its scan is sequential */
	bool totals_known; /* nothing to wait for before the fold */
	bool folded;
	bool has_carry; /* the first tile has a carry-in, once folded */
	size_t bad; /* once folded: the first element of head and tail that does not fit, or SIZE_MAX */
	union cursor *cursor_before; /* once folded: the cursor before it */
};

struct conductor {
	const struct plan *plan;
	conductor_deliver *deliver;
	void *context;
	size_t channel_count;
	struct engine *engine; /* that has the stream */
	struct engine *host; /* that takes over from a device which fails; NULL if that must not be */
	struct engine *device; /* the one with a device, whether it has the stream or had it */
	struct engine *offered; /* to take the stream next, or NULL */
	bool named;
	struct row row;
	struct element_format reading;
	/* After the chunks that were submitted: elements since the grid began. */
	uint64_t submitted;
	/* After the chunks that were folded: the scan (scan/row.h). The flights' memory for it comes after it. */
	union cursor *cursor;
	/* After the chunks that were finished: */
	bool has_last; /* there was a seed or an element */
	struct result last; /* the seed's result, then the last inclusive one */
	unsigned scale_before; /* the decimals of the seed or last element, of the first if those are asked for */
	bool has_initial; /* there is a seed or an identity */
	struct result initial; /* its result */
	bool started; /* a chunk was finished */
	bool done; /* the last chunk was delivered */
	struct problem pending; /* a result that does not fit, but counts only if an element follows (exclusive) */
	uint64_t line_base, element_base;
	struct bytes expected; /* conductor_verify's */
	/* Chunks under way, oldest first. */
	size_t flight_count;
	struct flight flights[];
};

/* conductor.c */

/* Chooses the row for the present reading, and specialises the engine for it. The engine must be idle. STATUS_USAGE: the
 * operator has no such row. */
enum status conductor_set_row(struct conductor *c) MUST_CHECK;
/* The slot's first count results, in the present row, are good: they are what it gives, and the last of them is the
 * stream's. */
void conductor_settle(struct conductor *c, struct slot *s, size_t count);

/* conductor_flights.c */

/* Begins the up-sweep of what the flight's slot holds decoded. The flight is one of c->flights, and the last.
 * STATUS_SYSTEM: no memory. */
enum status conductor_flights_begin(struct conductor *c, struct flight *f) MUST_CHECK;
/* Folds the first count flights, in order, as far as they are not folded: takes them into the cursor, and begins their
 * down-sweeps; waits for their totals. */
enum status conductor_flights_fold(struct conductor *c, size_t count) MUST_CHECK;
/* What was begun for the flight is over; the slot's results are not used any more. */
void conductor_flights_cancel(struct conductor *c, const struct flight *f);
/* Waits for the results of the oldest flight, which is folded by then; it stays the oldest. *bad is the index of the
 * chunk's first element that does not fit, or SIZE_MAX; set on STATUS_OK only. */
enum status conductor_flights_await(struct conductor *c, size_t *bad) MUST_CHECK;

/* Takes the cursor back to where only the first count elements of the oldest flight, which is folded, have been taken in. */
void conductor_flights_rewind(struct conductor *c, size_t count);

/* conductor_verify.c */

/* Scans the tiles of a flight whose results are there on the host again. STATUS_DEVICE after a message: the device's
 * results or totals differ. first_bad as the engine gave it. */
enum status conductor_verify(struct conductor *c, const struct flight *f, size_t first_bad) MUST_CHECK;

/* conductor_parts.c */

/* Withdraws all chunks under way but the oldest: their row ends before them. *count of them in withdrawn, which has
 * room for all flights but one. They are to be submitted again. */
void conductor_parts_withdraw(struct conductor *c, struct slot **withdrawn, size_t *count);
/* Takes the slot of the oldest flight, which must be the only one, to its end part by part: afterwards it gives the
 * results of the last part, and those before are encoded. scanned: its elements were scanned, and bad is the first that
 * does not fit. An element that cannot be taken in at all becomes the slot's problem, with STATUS_OK. */
enum status conductor_parts_take(struct conductor *c, bool scanned, size_t bad) MUST_CHECK;
/* Submits withdrawn chunks in their order, and finishes others where there is no room; stops when the stream is
 * done. */
enum status conductor_parts_submit_again(struct conductor *c, struct slot *const *slots, size_t count) MUST_CHECK;

#endif
