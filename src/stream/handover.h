/* --device=auto: the host scans from the start. Where a device may pay, a thread starts it in the background. The
 * device takes over the stream between two chunks, and keeps it if it is faster. The decision is only about speed: the
 * bits are the same. */
#ifndef PSCAN_STREAM_HANDOVER_H
#define PSCAN_STREAM_HANDOVER_H

#include "device/opencl_engine.h"
#include "stream/conductor.h"
#include "stream/stats.h"

struct handover;

/* Called by the thread that starts the device, when the device is ready or will not be. */
typedef void handover_ready(void *context);

/* Whether the environment variable PSCAN_AUTO is "eager" (for tests): a device is then started at once for any stream
 * that is longer than a chunk. */
bool handover_is_eager(void);

/* Whether a device could pay at all. It cannot for text, for input that the host finishes before a driver is loaded, or
 * if the only driver is PoCL. first: the first chunk, filled. */
bool handover_may_pay(const struct plan *plan, const struct slot *first);

/* Returns a hand-over, which handover_stop ends. Call it in the sandbox, before any thread starts. need: its spec is
 * NULL. row: the first row of the stream. threads: how many the host scans with. NULL after a message. */
struct handover *handover_new(const struct engine_need *need, const struct row *row, size_t threads,
			      handover_ready *ready, void *context);

/* Looks at the clock and the device, before the conductor continues. Starts the device, or offers the device or the
 * host to the conductor. chunk: the next slot, or NULL. */
void handover_look(struct handover *h, struct conductor *c, const struct slot *chunk);
/* Notes that a chunk was delivered. */
void handover_count(struct handover *h, const struct conductor *c, const struct slot *slot);

/* Ends the hand-over. *stats becomes what happened. False: its thread still runs, in a driver that cannot be stopped;
 * the process must then end without running exit handlers. */
bool handover_stop(struct handover *h, struct handover_stats *stats) MUST_CHECK;

#endif
