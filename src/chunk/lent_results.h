/* Memory for results that a device lends. A chunk has this memory from conductor_submit until the chunk is written. The
 * memory that came back last is lent first, because most of it is then in the processor's caches. lent_results_take and
 * lent_results_return may be called by several threads at once. */
#ifndef PSCAN_CHUNK_LENT_RESULTS_H
#define PSCAN_CHUNK_LENT_RESULTS_H

#include <pthread.h>
#include <stddef.h>

#include "device/engine.h"
#include "chunk/plan.h"

struct lent_results {
	pthread_mutex_t mutex; /* Guards `free` and `count`. The owner initialises it. */
	const struct engine *engine; /* The engine that lends. Borrowed. NULL: nothing is lent yet. */
	size_t free[PLAN_SLOTS_MAX]; /* The channels whose memory is free. The one returned last comes last. */
	size_t count; /* Entries of `free`. */
};

/* Lends the memory of the engine's first `channels` channels from now on. Does nothing if an engine lends already. Call
 * it before any other thread calls lent_results_take. */
void lent_results_begin(struct lent_results *l, const struct engine *engine, size_t channels);
/* Returns memory for the results of a chunk that this channel scans. Never waits: there is memory for every channel, if
 * no channel takes a second time before its memory was returned. */
unsigned char *lent_results_take(struct lent_results *l, size_t channel);
/* Takes back memory that lent_results_take has returned. */
void lent_results_return(struct lent_results *l, const unsigned char *memory);

#endif
