/* Memory for results that a device lends. A chunk has it from the device's beginning until it is written. The memory
 * that came back last is lent first: most of it is then in the processor's caches. */
#ifndef PSCAN_CHUNK_LENT_RESULTS_H
#define PSCAN_CHUNK_LENT_RESULTS_H

#include <pthread.h>
#include <stddef.h>

#include "device/engine.h"
#include "chunk/plan.h"

struct lent_results {
	pthread_mutex_t mutex;
	const struct engine *engine; /* borrowed; NULL: nothing can be taken yet */
	size_t free[PLAN_SLOTS_MAX]; /* the channels whose memory is free, the last returned last */
	size_t count; /* of free */
};

/* Lends the memory of the engine's first `channels` channels from now on. Does nothing when it does already. */
void lent_results_begin(struct lent_results *l, const struct engine *engine, size_t channels);
/* Returns memory for the results of a chunk that this channel scans. There is some for each channel. */
unsigned char *lent_results_take(struct lent_results *l, size_t channel);
void lent_results_return(struct lent_results *l, const unsigned char *memory);

#endif
