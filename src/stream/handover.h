/* --device=auto: the host scans from the start. Where a device may pay, a thread starts it in the background. The
 * device takes over the stream between two chunks, and keeps it if it is faster. The decision is only about speed: the
 * bits are the same. (What happens when a device fails is in conductor_flights.c.) */
#ifndef PSCAN_STREAM_HANDOVER_H
#define PSCAN_STREAM_HANDOVER_H

#include "device/opencl_engine.h"
#include "scanner/conductor.h"
#include "stream/stats.h"

struct handover;

/* Called once by the thread that starts the device, when the device is ready or it is clear that there will be none. */
typedef void handover_ready(void *context);

/* Whether a device could be faster than the host. False for several lanes, for programs, for text, for input that the
 * host would finish before a driver is loaded, and if no driver may have a GPU. PSCAN_AUTO=eager permits text, and
 * input of any size above a chunk. first: the first chunk, filled. */
bool handover_may_pay(const struct plan *plan, const struct slot *first);

/* Returns a hand-over; no device is started yet. The caller ends it with handover_stop. Call it in the sandbox, before
 * any thread starts. *need (its spec must be NULL) and *row, the first row of the stream, are copied. threads: the
 * number of threads that scan on the host. ready, context: see handover_ready; context is borrowed, also after a
 * handover_stop that returned false. NULL after a message. */
struct handover *handover_new(const struct engine_need *need, const struct row *row, size_t threads,
			      handover_ready *ready, void *context);

/* Decides whether a device is started, and whether the device or the host is offered the stream (conductor_offer). Call
 * it each time before the conductor continues. chunk: the slot that is submitted next, or NULL. */
void handover_look(struct handover *h, struct conductor *c, const struct slot *chunk);
/* Counts a delivered chunk: its bytes, and the time that the host spent on it. Call it for every delivered chunk. */
void handover_count(struct handover *h, const struct conductor *c, const struct slot *slot);

/* Ends and frees the hand-over, sets *stats to what happened, and returns true. An engine that was offered stays the
 * conductor's. If h is NULL, returns true, and *stats is unchanged. Returns false if the hand-over's thread is in a
 * driver and cannot be stopped: *stats is set, but the thread keeps the hand-over, and the process must end without
 * running exit handlers. */
bool handover_stop(struct handover *h, struct handover_stats *stats) MUST_CHECK;

#endif
