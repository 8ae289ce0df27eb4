/* The conductor: takes decoded chunks in the order of the stream through an engine, folds the carry between them, and
 * hands them on with their results, in the same order. It alone knows the state of the scan. One thread at a time. */
#ifndef PSCAN_STREAM_CONDUCTOR_H
#define PSCAN_STREAM_CONDUCTOR_H

#include <stdatomic.h>

#include "base/pack.h"
#include "device/engine.h"
#include "stream/plan.h"
#include "stream/scan_part.h"
#include "stream/slot.h"

struct conductor;

/* What happens to a chunk whose results are complete: the slot's owner from then on. */
typedef void conductor_deliver(void *context, struct slot *slot);

/* What a conductor begins with. */
struct conductor_start {
	const struct plan *plan;
	struct engine *engine; /* the conductor's from now on, also on failure */
	struct engine *host; /* takes over if the engine fails; the same one, or NULL if named */
	bool named; /* the user chose the engine's device: its failure ends the run */
	size_t channel_count;
	conductor_deliver *deliver;
	void *context;
	struct scan_part part; /* next, end and begins_anew are the caller's to fill */
};

/* The row that a lane begins with. STATUS_USAGE after a message: the operator has none for these types. */
enum status conductor_first_row(const struct plan *plan, size_t lane, struct row *row) MUST_CHECK;

/* STATUS_USAGE: the seed is no number of the accumulator's type. */
enum status conductor_new(const struct conductor_start *start, struct conductor **conductor) MUST_CHECK;
/* Ends all engines, too. */
void conductor_free(struct conductor *c);

/* slot_decode's are_floats; as long as the conductor lives, and by any thread. */
const atomic_bool *conductor_are_floats(const struct conductor *c);

/* The row of lane 0 at present: of binary input it never changes. */
struct row conductor_row(const struct conductor *c);
/* The engine at present. */
const struct engine *conductor_engine(const struct conductor *c);
/* The name of the device that has the stream or had it, or NULL. Lives as long as the conductor. */
const char *conductor_device(const struct conductor *c);
/* Lets another engine take the stream as soon as no chunk is under way; until then there is no room for more. The
 * conductor's from now on; one that cannot do the row is given up with a notice. Engines that had the stream live on
 * until the end: slots use their memory. */
void conductor_offer(struct conductor *c, struct engine *engine);
/* The same with the host's engine. */
void conductor_offer_host(struct conductor *c);
/* Whether an offered engine still waits for the stream. */
bool conductor_has_offer(const struct conductor *c);

/* Scans the segments of a chunk that begin in it, as far as they do not depend on chunks before. Any thread, before
 * the chunk is submitted. */
enum status conductor_scan_ahead(struct conductor *c, struct slot *slot) MUST_CHECK;

/* Takes in the next chunk; delivers what is complete by then. After a slot with slot->last set was delivered (which may
 * be one that was not the last when it came: an error ends the stream) nothing more may be submitted. */
enum status conductor_submit(struct conductor *c, struct slot *slot) MUST_CHECK;
/* Whether another chunk may be submitted before one must be finished. */
bool conductor_has_room(const struct conductor *c);
/* Whether chunks are under way. */
bool conductor_is_busy(const struct conductor *c);
/* Moves the chunks under way on as far as that goes without waiting. True: the oldest one can be finished without
 * waiting, or nobody knows whether it can. */
bool conductor_advance(struct conductor *c, enum status *status) MUST_CHECK;
/* Waits for the oldest chunk under way and delivers it. */
enum status conductor_finish(struct conductor *c) MUST_CHECK;
/* Appends what the scan is behind the stream, all of which was scanned. */
void conductor_save(const struct conductor *c, struct pack *p);
/* Appends a key, the number of which is a slot's, as it would stand in a line. STATUS_SYSTEM after a message. */
enum status conductor_name_key(const struct conductor *c, uint32_t key, struct bytes *out) MUST_CHECK;
/* Whether two streams of the plan can be scanned each for itself and joined: exact decimals in one scan without
 * windows, none of them missing. */
bool conductor_joins(const struct plan *plan);
/* Whether all lanes' segments began within the stream, whatever was before it: not by count alone. */
bool conductor_begins_anew(const struct conductor *c);
/* Where the stream has come to. */
void conductor_place(const struct conductor *c, struct place *place);
/* Whether the last chunk was delivered. */
bool conductor_is_done(const struct conductor *c);

#endif
