/* The conductor: takes decoded chunks in the order of the stream through an engine, folds the carry between them, and
 * hands them on with their results, in the same order. It alone knows the state of the scan. One thread at a time. */
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
	const struct plan *plan;
	struct engine *engine; /* owned by the conductor from now on, also on failure */
	/* takes over if the engine fails: another engine, the same one, or NULL if `named`. Owned like `engine` */
	struct engine *host;
	bool named; /* the user chose the engine's device: its failure ends the run */
	size_t channel_count;
	conductor_deliver *deliver;
	void *context;
	const struct pool *keys_pool; /* scans keys of a chunk side by side. Borrowed; NULL: one after the other */
	struct scan_part part; /* what to continue from. The caller fills next, end and begins_anew itself */
};

/* Returns the row that a lane begins with. */
struct row conductor_first_row(const struct plan *plan, size_t lane);

/* STATUS_USAGE: the seed is no number of the accumulator's type. */
enum status conductor_new(const struct conductor_start *start, struct conductor **conductor) MUST_CHECK;
/* Also closes all engines. NULL is allowed. */
void conductor_free(struct conductor *c);

/* Returns slot_decode's are_floats, an array with an entry for each lane. It lives as long as the conductor, and any
 * thread may read it. */
const atomic_bool *conductor_are_floats(const struct conductor *c);

/* The present row of lane 0. With binary input it never changes. */
struct row conductor_row(const struct conductor *c);
/* The engine that has the stream now. Owned by the conductor. */
const struct engine *conductor_engine(const struct conductor *c);
/* The name of the device that has the stream or had it, or NULL. Lives as long as the conductor. */
const char *conductor_device(const struct conductor *c);
/* Lets another engine take the stream, or the host's (NULL), as soon as no chunk is under way; until then there is no
 * room for more. The conductor's from now on; one that cannot do the row is given up with a notice. Engines that had
 * the stream live on until the end: slots use their memory. */
void conductor_offer(struct conductor *c, struct engine *engine);
/* Whether an offered engine still waits for the stream. */
bool conductor_has_offer(const struct conductor *c);

/* Scans on the host what does not depend on earlier chunks in a decoded chunk: the elements from the first segment on
 * that begins in it; without segments, the totals of tiles of binary elements. Any thread, before the chunk is
 * submitted. STATUS_SYSTEM after a message. */
enum status conductor_scan_ahead(struct conductor *c, struct slot *slot) MUST_CHECK;

/* Takes in the next chunk; delivers what is complete by then. After a slot with slot->last set was delivered (which may
 * be one that was not the last when it came: an error ends the stream) nothing more may be submitted. */
enum status conductor_submit(struct conductor *c, struct slot *slot) MUST_CHECK;
/* Whether another chunk may be submitted before one must be finished. */
bool conductor_has_room(const struct conductor *c);
/* Advances the submitted chunks as far as possible without waiting. True if conductor_finish would not wait, or if that
 * is not known. *status: after a message if it is not STATUS_OK. */
bool conductor_advance(struct conductor *c, enum status *status) MUST_CHECK;
/* Waits for the oldest submitted chunk, of which there must be one, and delivers it. Another status than STATUS_OK
 * comes after a message; the chunk is then not delivered, and only conductor_free may follow. */
enum status conductor_finish(struct conductor *c) MUST_CHECK;
/* Serialises the state of the scan. The whole stream must have been scanned. If memory runs out,
 * p->failed is set after a message. */
void conductor_save(const struct conductor *c, struct pack *p);
/* Appends the key with this number as it is written in a line. STATUS_SYSTEM after a message. */
enum status conductor_name_key(const struct conductor *c, uint32_t key, struct bytes *out) MUST_CHECK;
/* Adds the totals of the segments with which the stream ends to part.finds, which must not be NULL. The whole stream
 * must have been scanned. STATUS_SYSTEM after a message. */
enum status conductor_end_totals(struct conductor *c) MUST_CHECK;
/* Returns a lane whose scans cannot be joined, as their results depend on how elements are grouped, or are not of the
 * state alone. NULL: there is none. */
const struct plan_lane *conductor_unjoined(const struct plan *plan);
/* Whether two parts of a stream can be scanned independently and joined: in one scan, or by key, where it does not
 * depend on earlier records which of them begin segments; without windows or records that are kept or held. */
bool conductor_joins(const struct plan *plan);
/* Whether every lane has begun a segment within this stream for another reason than --reset-every, so that its state
 * does not depend on earlier input. */
bool conductor_begins_anew(const struct conductor *c);
/* Sets `place` (scan_part.h) to the place that the stream has reached. */
void conductor_place(const struct conductor *c, uint64_t *place);
/* Whether the last chunk was delivered. */
bool conductor_is_done(const struct conductor *c);

#endif
