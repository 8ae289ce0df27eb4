/* The conductor: takes decoded chunks in the order of the stream through an engine, folds the carry between them, and
 * delivers them with their results, also in the order of the stream. It alone knows the state of the scan. One thread
 * at a time, except for conductor_scan_ahead and conductor_are_floats. */
#ifndef PSCAN_SCANNER_CONDUCTOR_H
#define PSCAN_SCANNER_CONDUCTOR_H

#include <stdatomic.h>

#include "base/pack.h"
#include "device/engine.h"
#include "chunk/plan.h"
#include "scanner/scan_part.h"
#include "chunk/slot.h"

struct conductor;

/* Receives a chunk whose results are complete, and owns its slot from then on. */
typedef void conductor_deliver(void *context, struct slot *slot);

/* What conductor_new needs. */
struct conductor_start {
	const struct plan *plan; /* Borrowed until conductor_free. */
	struct engine *engine; /* The engine that scans first. conductor_new takes it over, also on failure. */
	/* The host's engine, which scans on if `engine` fails. May be `engine` itself. NULL only if `named`.
	 * conductor_new takes it over, also on failure. */
	struct engine *host;
	bool named; /* The user chose the engine's device. If the device fails, the run fails. */
	size_t channel_count; /* The most chunks that are under way at once. Each engine has as many channels. */
	conductor_deliver *deliver; /* Receives each finished chunk, in stream order. */
	void *context; /* For `deliver`. */
	const struct pool *keys_pool; /* Scans several keys of a chunk at once. Borrowed. NULL: one key at a time. */
	/* What to continue from. Copied. The conductor ignores `next`, `end` and `begins_anew`: the caller sets what
	 * these point to. */
	struct scan_part part;
};

/* Returns the row for a lane's first elements, if the lane has no seed. (A seed of exact decimals may need another
 * row.) */
struct row conductor_first_row(const struct plan *plan, size_t lane);

/* Makes a conductor, at the place in the stream that start->part describes. The caller ends it with conductor_free.
 * After a failure *conductor is unchanged, and the engines are closed (unless watchdog_is_stuck). All failures come
 * after a message. STATUS_USAGE: the seed or --reset-at is not a value of its type, a program does not compile, or
 * part.saved or part.joined is not a state of such a scan. STATUS_DATA: the result of no elements is needed, and the
 * expression has no value for it. STATUS_DEVICE: the device fails. STATUS_SYSTEM: memory is missing. */
enum status conductor_new(const struct conductor_start *start, struct conductor **conductor) MUST_CHECK;
/* Frees the conductor and closes all its engines. Gives up the chunks that are under way: their slots are not
 * delivered. NULL: does nothing. */
void conductor_free(struct conductor *c);

/* Returns slot_decode's are_floats, an array with an entry for each lane. It lives as long as the conductor, and any
 * thread may read it. */
const atomic_bool *conductor_are_floats(const struct conductor *c);

/* Returns the row that lane 0 begins with. Binary elements are all scanned by this row. */
struct row conductor_row(const struct conductor *c);
/* Returns the engine that has the stream now. Borrowed until conductor_free. */
const struct engine *conductor_engine(const struct conductor *c);
/* Returns the name of the device of conductor_new or conductor_offer, even if the host has the stream. NULL: there was
 * no device. Lives as long as the conductor. */
const char *conductor_device(const struct conductor *c);
/* Offers the stream to a device's engine, which the conductor takes over, or to the host's engine (NULL). At most one
 * device is offered. The next conductor_submit without a chunk under way switches to the offered engine; until then
 * conductor_has_room is false while a chunk is under way. If the device cannot prepare the lanes' rows, a message is
 * printed, and the stream stays where it is. Engines stay open until conductor_free, because slots use their memory. */
void conductor_offer(struct conductor *c, struct engine *engine);
/* Whether an offered engine still waits for the stream. */
bool conductor_has_offer(const struct conductor *c);

/* Scans on the host the part of a decoded chunk that does not depend on earlier chunks. Any thread, before the chunk is
 * submitted. Two kinds of plans have such a part; for all other plans this does nothing and returns STATUS_OK.
 *   Not segmented, binary input   computes the totals of the chunk's whole tiles. Does nothing for plan->by_cursors,
 *                                 for user programs and other rows without tiles, and if elements were taken out
 *                                 (slot_compact). Only useful while the host has the stream.
 *   Resets without keys           scans all elements from the first one that begins a segment whatever comes before
 *                                 the chunk. Does nothing with windows, texts, programs, --emit of each element, or
 *                                 records that are kept or held if totals are written.
 * STATUS_SYSTEM after a message if memory is missing. */
enum status conductor_scan_ahead(struct conductor *c, struct slot *slot) MUST_CHECK;

/* Takes over the next decoded chunk of the stream, and begins its scan. Delivers nothing. Call it only if
 * conductor_has_room, and not after conductor_is_done. STATUS_DEVICE after a message if the device that the user named
 * fails; STATUS_SYSTEM after a message if memory is missing. What a failure leaves: see conductor_finish. */
enum status conductor_submit(struct conductor *c, struct slot *slot) MUST_CHECK;
/* Whether another chunk may be submitted before one must be finished. */
bool conductor_has_room(const struct conductor *c);
/* Advances the submitted chunks as far as possible without waiting. Returns true if conductor_finish would not wait, or
 * if the engine cannot tell. Returns false if no chunk was submitted. *status: as conductor_submit's; if it is not
 * STATUS_OK, the returned value means nothing. */
bool conductor_advance(struct conductor *c, enum status *status) MUST_CHECK;
/* Waits for the oldest submitted chunk and delivers it. At least one chunk must be submitted. An error in the data,
 * such as an overflow, is not a failure: STATUS_OK is returned, the slot's scan.problem has the error, and the slot's
 * in.last is set. A delivered slot with in.last ends the stream (conductor_is_done): do not call this any more then,
 * although chunks may have been submitted after it. STATUS_DEVICE after a message if the device that the user named
 * fails; STATUS_SYSTEM after a message if memory is missing or a temporary file cannot be written. After a failure the
 * chunk is not delivered. Then do not call conductor_submit, conductor_advance, conductor_finish, conductor_save or
 * conductor_end_totals any more. */
enum status conductor_finish(struct conductor *c) MUST_CHECK;
/* Appends the state of the scan to *p. Call it after conductor_is_done. If memory is missing, p->failed becomes true
 * after a message. */
void conductor_save(const struct conductor *c, struct pack *p);
/* Appends the key with this number to *out: its fields with delimiters between them, as in a line of text.
 * STATUS_SYSTEM after a message. */
enum status conductor_name_key(const struct conductor *c, uint32_t key, struct bytes *out) MUST_CHECK;
/* Adds the total of the last segment of each lane and key to part.finds, which must not be NULL. Call it once, after
 * conductor_is_done. STATUS_SYSTEM after a message: memory is missing, or the temporary file cannot be written. */
enum status conductor_end_totals(struct conductor *c) MUST_CHECK;
/* Returns the first lane whose scans of two parts of a stream cannot be joined: its operator is a program, or rounds,
 * or gives results of more than its state, or has a check of overflow that a join cannot make. NULL: the scans of all
 * lanes can be joined. */
const struct plan_lane *conductor_unjoined(const struct plan *plan);
/* Whether two parts of a stream can be scanned independently and then joined (scan_part.joined). True only for
 * segmented plans of which all of this holds: conductor_unjoined is NULL; there are no windows, no texts, and no
 * records that are kept or held; there are no resets, or there are keys and only --reset-at with a number or nan. */
bool conductor_joins(const struct plan *plan);
/* Whether each lane has begun a segment within this stream for another reason than --reset-every, so that its state
 * does not depend on earlier input. With keys, only the first key is looked at. Any time. */
bool conductor_begins_anew(const struct conductor *c);
/* Sets `place`, place_size(plan->field_count) numbers (scan_part.h), to the place after the delivered records. The last
 * field_count numbers count only this run's elements, even if the run began at part.place. Any time, also after a
 * failure. */
void conductor_place(const struct conductor *c, uint64_t *place);
/* Whether a slot with in.last was delivered: nothing more may be submitted, advanced or finished. */
bool conductor_is_done(const struct conductor *c);

#endif
