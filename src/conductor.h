/* The conductor: takes decoded chunks in the order of the stream through an engine, folds the carry between them, and hands
 * them on with their results, in the same order. It alone knows the state of the scan. One thread at a time. */
#ifndef PSCAN_CONDUCTOR_H
#define PSCAN_CONDUCTOR_H

#include "engine.h"
#include "plan.h"
#include "slot.h"

struct conductor;

/* What happens to a chunk whose results are complete: the slot's owner from then on. */
typedef void conductor_deliver(void *context, struct slot *slot);

/* engine: owned by the conductor from now on, also on failure. named: the user chose the engine's device, so its failure ends
 * the run; else the host takes over. STATUS_USAGE: the seed is no number of the accumulator's type. */
enum status conductor_new(const struct plan *plan, struct engine *engine, const struct engine_size *size, bool named,
			  conductor_deliver *deliver, void *context, struct conductor **conductor) MUST_CHECK;
void conductor_free(struct conductor *c);

/* How to decode chunks at present. A copy may be used by any thread: a chunk that was decoded with an older version is decoded
 * again. */
struct reading conductor_reading(const struct conductor *c);

/* Takes in the next chunk; delivers what is complete by then. After a slot with slot->last set was delivered (which may be one
 * that was not the last when it came: an error ends the stream) nothing more may be submitted. */
enum status conductor_submit(struct conductor *c, struct slot *slot) MUST_CHECK;
/* Whether another chunk may be submitted before one must be finished. */
bool conductor_has_room(const struct conductor *c);
/* Whether chunks are under way. */
bool conductor_is_busy(const struct conductor *c);
/* Waits for the oldest chunk under way and delivers it. */
enum status conductor_finish(struct conductor *c) MUST_CHECK;
/* Whether the last chunk was delivered. */
bool conductor_is_done(const struct conductor *c);

#endif
