/* The ring of slots: the only thing the threads of the pipeline share.
 *
 * Slots go round in the order of the stream. Taking a slot makes the caller its owner, putting it on ends that. */
#ifndef PSCAN_RING_H
#define PSCAN_RING_H

#include <stdbool.h>
#include <stddef.h>

#include "slot.h"
#include "status.h"

struct ring;

/* The work that a worker took. */
enum work { WORK_NONE, WORK_DECODE, WORK_ENCODE };

/* count slots, zero but for their lane. NULL after a message. */
struct ring *ring_new(size_t count);
/* No thread may use the ring any more. */
void ring_free(struct ring *r);

/* All take functions wait. They return NULL (WORK_NONE) when the ring was stopped or nothing will come any more. */
struct slot *ring_take_free(struct ring *r);
/* Encoding the oldest scanned slot comes before decoding the oldest filled one. */
enum work ring_take_work(struct ring *r, struct slot **slot);
/* wait false: NULL also if there is none at the moment. */
struct slot *ring_take_decoded(struct ring *r, bool wait);
struct slot *ring_take_encoded(struct ring *r);

void ring_put_filled(struct ring *r, struct slot *s);
void ring_put_decoded(struct ring *r, struct slot *s);
void ring_put_scanned(struct ring *r, struct slot *s);
void ring_put_encoded(struct ring *r, struct slot *s);
void ring_put_free(struct ring *r, struct slot *s);

/* The source puts nothing more. */
void ring_end_input(struct ring *r);
/* The conductor ends the stream with the last slot it put: the source shall stop. */
void ring_cut(struct ring *r);
/* Something failed (or status is STATUS_OK: all is written). Everybody's takes return NULL; the first status stays. */
void ring_stop(struct ring *r, enum status status);
/* The first status that stopped it. */
enum status ring_status(struct ring *r);
/* A descriptor that becomes readable when the source shall stop. */
int ring_stop_fd(const struct ring *r);

#endif
